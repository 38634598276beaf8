/* Identification of NVRTC, down to the build. */
#include "pool_kit.h"

static void the_version_is_told(void)
{
    struct nvrtc_version version, again;
    int major = 0, minor = -1;
    struct error error = {0};
    CU_ASSERT_EQUAL(compile_nvrtc_version(&version, &error), 0);
    CU_ASSERT_EQUAL(sscanf(version.number, "%d.%d", &major, &minor), 2);
    CU_ASSERT(major >= 12 && minor >= 0);
    /* The build identifies the library, not the calling program. */
    CU_ASSERT_EQUAL(strlen(version.build), 40);
    CU_ASSERT_EQUAL(strspn(version.build, "0123456789abcdef"), 40);
    CU_ASSERT_EQUAL(compile_nvrtc_version(&again, &error), 0);
    CU_ASSERT_STRING_EQUAL(version.build, again.build);
    char command[256];
    snprintf(command, sizeof command,
             "readelf -n $(sed -n 's,^[^/]*\\(/.*/libnvrtc\\.so.*\\),\\1,p' /proc/%d/maps | head -n 1)"
             " | grep -q 'Build ID: %s'",
             (int)getpid(), version.build);
    CU_ASSERT_EQUAL(system(command), 0);
}

CU_TestInfo tests_build[] = {{"the version is reported", the_version_is_told}, CU_TEST_INFO_NULL};
