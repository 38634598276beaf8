#include "compile/messages.h"

#define STRING(member) PACK_STRING(struct generator, member)
PACK_OWN_TABLE(generator_table, struct generator, STRING(command), STRING(folder),
               PACK_STRINGS(struct generator, values, value_count));
#undef STRING

PACK_OWN_TABLE(plan_table, struct bundle_plan, PACK_BELOW(struct bundle_plan, part_count, BUNDLE_PARTS_MAX + 1),
               PACK_NUMBERS(struct bundle_plan, option_counts), PACK_NUMBERS(struct bundle_plan, of));

#define STRING(member) PACK_STRING(struct compile_command, member)
PACK_OWN_TABLE(command_table, struct compile_command, STRING(line), STRING(folder), STRING(identity), STRING(request));
#undef STRING

#define STRING(member) PACK_STRING(struct compile_job, member)
PACK_TABLE(compile_job_table, struct compile_job, STRING(path), STRING(folder), STRING(source),
           PACK_STRUCT(struct compile_job, generator, generator_table),
           PACK_STRINGS(struct compile_job, name_expressions, name_count), PACK_NUMBER(struct compile_job, cc),
           PACK_NUMBER(struct compile_job, nvcc), PACK_NUMBER(struct compile_job, wants_ptx),
           PACK_NUMBER(struct compile_job, shared), PACK_STRINGS(struct compile_job, options, option_count),
           PACK_RANGE(struct compile_job, module, module_bytes), PACK_NUMBER(struct compile_job, foreign),
           PACK_STRUCT(struct compile_job, command, command_table), PACK_STRUCT(struct compile_job, plan, plan_table));
#undef STRING

#define NUMBER(member) PACK_NUMBER(struct kernel_resources, member)
PACK_OWN_TABLE(resources_table, struct kernel_resources, NUMBER(registers), NUMBER(shared_bytes), NUMBER(local_bytes),
               NUMBER(constant_bytes), NUMBER(max_threads));
#undef NUMBER

#define NUMBERS(member) PACK_NUMBERS(struct kernel_answer, member)
PACK_TABLE(kernel_answer_table, struct kernel_answer, NUMBERS(block), NUMBERS(grid), NUMBERS(cluster),
           PACK_NUMBER(struct kernel_answer, shared_bytes), PACK_BELOW(struct kernel_answer, cooperative, 2),
           PACK_BELOW(struct kernel_answer, programmatic, 2), PACK_BELOW(struct kernel_answer, lists, 2),
           PACK_BELOW(struct kernel_answer, parameter_count, ANSWER_PARAMETERS_MAX + 1));
#undef NUMBERS

#define NUMBER(member) PACK_NUMBER(struct answer_parameter, member)
PACK_TABLE(answer_parameter_table, struct answer_parameter, PACK_BELOW(struct answer_parameter, kind, ANSWER_KINDS),
           NUMBER(argument), NUMBER(dimension), NUMBER(bytes), NUMBER(value),
           PACK_NUMBERS(struct answer_parameter, box), NUMBER(swizzle), NUMBER(scratch_bytes), NUMBER(alignment),
           PACK_BELOW(struct answer_parameter, members, ANSWER_PARAMETERS_MAX + 1));
#undef NUMBER

#define NUMBER(member) PACK_NUMBER(struct compile_result, member)
PACK_TABLE(compile_result_table, struct compile_result, PACK_BELOW(struct compile_result, status, STATUS_COUNT),
           NUMBER(compile_ns), NUMBER(cached), NUMBER(fatal), PACK_TEXT(struct compile_result, message),
           PACK_STRING(struct compile_result, log), PACK_STRING(struct compile_result, ptx),
           PACK_STRINGS(struct compile_result, lowered_names, name_count),
           PACK_ROWS(struct compile_result, resources, name_count, resources_table),
           PACK_ROWS(struct compile_result, answers, answer_count, kernel_answer_table),
           PACK_ROWS(struct compile_result, parameters, parameter_count, answer_parameter_table),
           PACK_RANGE(struct compile_result, cubin, cubin_bytes));
#undef NUMBER

PACK_TABLE(nvrtc_version_table, struct nvrtc_version, PACK_TEXT(struct nvrtc_version, number),
           PACK_TEXT(struct nvrtc_version, build));
PACK_TABLE(command_notice_table, struct command_notice, PACK_NUMBER(struct command_notice, resident_bytes));
