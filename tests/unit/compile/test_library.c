/* Loading NVRTC at run time. The test without NVRTC is in tests/integration/package. */
#include "compile/library.h"

#include <CUnit/Basic.h>
#include <stdlib.h>
#include <string.h>

static void the_library_is_loaded_once(void)
{
    struct error error = {0};
    int major = 0, minor = -1;
    struct nvrtc nvrtc, again;
    CU_ASSERT_EQUAL_FATAL(nvrtc_load(&nvrtc, &error), 0);
    CU_ASSERT_EQUAL_FATAL(nvrtc_load(&again, &error), 0);
    CU_ASSERT_EQUAL(memcmp(&nvrtc, &again, sizeof nvrtc), 0);
    CU_ASSERT_EQUAL(nvrtc.nvrtcVersion(&major, &minor), NVRTC_SUCCESS);
    CU_ASSERT(major >= 12 && minor >= 0);
}

/* The functions reach the library with their arguments in order. */
static void the_functions_work(void)
{
    static const char source[] = "template <int N> __global__ void fill(int *out) { *out = N; }";
    const char *options[] = {"-arch=sm_90"}, *name = NULL;
    nvrtcProgram program = NULL;
    struct nvrtc nvrtc;
    size_t bytes = 0, log_bytes = 0;
    int count = 0;
    CU_ASSERT_EQUAL_FATAL(nvrtc_load(&nvrtc, NULL), 0);
    CU_ASSERT_EQUAL(nvrtc.nvrtcGetNumSupportedArchs(&count), NVRTC_SUCCESS);
    CU_ASSERT(count > 0);
    CU_ASSERT_EQUAL_FATAL(nvrtc.nvrtcCreateProgram(&program, source, "fill.cu", 0, NULL, NULL), NVRTC_SUCCESS);
    CU_ASSERT_EQUAL(nvrtc.nvrtcAddNameExpression(program, "fill<3>"), NVRTC_SUCCESS);
    CU_ASSERT_EQUAL(nvrtc.nvrtcCompileProgram(program, 1, options), NVRTC_SUCCESS);
    CU_ASSERT_EQUAL(nvrtc.nvrtcGetProgramLogSize(program, &log_bytes), NVRTC_SUCCESS);
    CU_ASSERT_EQUAL(log_bytes, 1);
    CU_ASSERT_EQUAL(nvrtc.nvrtcGetLoweredName(program, "fill<3>", &name), NVRTC_SUCCESS);
    CU_ASSERT_PTR_NOT_NULL_FATAL(name);
    CU_ASSERT_PTR_NOT_NULL(strstr(name, "fill"));
    CU_ASSERT_EQUAL(nvrtc.nvrtcGetCUBINSize(program, &bytes), NVRTC_SUCCESS);
    CU_ASSERT(bytes > 500);
    CU_ASSERT_EQUAL(nvrtc.nvrtcDestroyProgram(&program), NVRTC_SUCCESS);
    CU_ASSERT_STRING_EQUAL(nvrtc.nvrtcGetErrorString(NVRTC_ERROR_COMPILATION), "NVRTC_ERROR_COMPILATION");
}

/* No other library takes the place of the one that the environment names. */
static void the_environment_names_the_library(void)
{
    static const struct {
        const char *path, *message;
    } rows[] = {{"/nowhere/libnvrtc.so.13", "cannot load NVRTC, which compiles the kernels: /nowhere/libnvrtc.so.13"},
                {"libm.so.6", "libm.so.6 has no function nvrtcVersion"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error error = {0};
        struct nvrtc nvrtc;
        setenv("CUTUNE_NVRTC", rows[i].path, 1);
        CU_ASSERT_EQUAL(nvrtc_load(&nvrtc, &error), ERROR_NOT_FOUND);
        CU_ASSERT_EQUAL(strncmp(error.message, rows[i].message, strlen(rows[i].message)), 0);
    }
    unsetenv("CUTUNE_NVRTC");
}

CU_TestInfo tests_library[] = {{"the library is loaded once", the_library_is_loaded_once},
                               {"the functions work", the_functions_work},
                               {"the environment names the library", the_environment_names_the_library},
                               CU_TEST_INFO_NULL};
