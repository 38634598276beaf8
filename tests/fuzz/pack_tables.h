/* The messages that fuzz_pack reads, by the number in the first byte, and the names of their seeds in fuzz/pack/.
 * unit_evaluate_fuzz_seeds checks that a seed has the present form of its message. */
#ifndef CUTUNE_TESTS_PACK_TABLES_H
#define CUTUNE_TESTS_PACK_TABLES_H

#include "compile/messages.h"
#include "device/messages.h"
#include "evaluate/remote_messages.h"

static const struct {
    const char *seed;
    const struct pack_table *table; /* NULL: a job's kernels, one after the other */
} pack_tables[] = {{"measurement", &measurement_table},
                   {"limits", &device_limits_table},
                   {"launch", &launch_table},
                   {"compile_job", &compile_job_table},
                   {"compile_result", &compile_result_table},
                   {"version", &nvrtc_version_table},
                   {"setup", &setup_table},
                   {"job", &job_table},
                   {"calibration", &calibration_table},
                   {"error", &error_table},
                   {"set", &set_table},
                   {"kernels", NULL},
                   {"ceilings", &ceilings_table},
                   {"roofline", &roofline_table},
                   {"evidence", &evidence_table},
                   {"remote_job", &remote_job_table},
                   {"remote_part", &remote_part_table},
                   {"remote_state", &remote_state_table},
                   {"remote_ready", &remote_ready_table},
                   {"remote_submit", &remote_submit_table},
                   {"remote_incumbent", &remote_incumbent_table},
                   {"remote_done", &remote_done_table},
                   {"command_notice", &command_notice_table},
                   {"asking", &asking_table},
                   {"permit", &permit_table},
                   {"results", &results_table},
                   {"judge", &judge_table}};
enum { PACK_TABLES = sizeof pack_tables / sizeof *pack_tables };

#endif
