/* Evidence about the machine code of several kernels, from a stand-in for nvdisasm. */
#include "evaluate/code_evidence.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CUnit/Basic.h>

static const char script[] = "#!/bin/sh\n"
                             "grep -q cubin \"$2\" || exit 1\n"
                             "echo '.text.first:'\n"
                             "echo '        /*0000*/  LDG.E.128 R4, [R2.64] ;'\n"
                             "echo '.text.second:'\n"
                             "echo '        /*0000*/  LDS R4, [R2] ;'\n"
                             "echo '        /*0010*/  EXIT ;'\n";

static void collect(const char *cubin, struct evidence launches[3])
{
    struct launch launch = {.kernel_count = 2, .step_count = 3};
    struct compile_result result = {.lowered_names = "first\0second", .cubin = cubin, .cubin_bytes = strlen(cubin)};
    launch.steps[1].kernel = 1;
    for (size_t s = 0; s < 3; s++)
        launches[s] = evidence_unknown();
    code_evidence(&launch, &result, launches);

    /* A process of its own returns the same. */
    struct worker worker = {0};
    struct evidence others[3];
    for (size_t s = 0; s < 3; s++)
        others[s] = evidence_unknown();
    code_evidence_begin(&worker, &launch, &result);
    code_evidence_end(&worker, &launch, others);
    CU_ASSERT_EQUAL(worker.pid, 0);
    CU_ASSERT_EQUAL(memcmp(others, launches, sizeof others), 0);
}

static void kernels(void)
{
    char folder[] = "/tmp/cutune-code-evidence-XXXXXX", path[96];
    struct evidence launches[3];
    const char *home = getenv("CUDA_HOME");
    char *before = home ? strdup(home) : NULL;
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/bin", folder);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/bin/nvdisasm", folder);
    FILE *file = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs(script, file);
    fclose(file);
    chmod(path, 0700);
    setenv("CUDA_HOME", folder, 1);
    collect("cubin", launches);
    for (size_t s = 0; s < 3; s++) {
        CU_ASSERT_EQUAL(launches[s].code_global_load_bytes, s == 1 ? 0 : 16);
        CU_ASSERT_EQUAL(launches[s].code_shared_loads, s == 1);
        CU_ASSERT_FALSE(evidence_has(&launches[s], EVIDENCE_LAUNCH));
    }
    collect("other", launches);
    for (size_t s = 0; s < 3; s++)
        CU_ASSERT_FALSE(evidence_has(&launches[s], EVIDENCE_CODE));
    unlink(path);
    snprintf(path, sizeof path, "%s/bin", folder);
    rmdir(path);
    rmdir(folder);
    if (before)
        setenv("CUDA_HOME", before, 1);
    else
        unsetenv("CUDA_HOME");
    free(before);
}

CU_TestInfo tests_code_evidence[] = {{"kernels", kernels}, CU_TEST_INFO_NULL};
