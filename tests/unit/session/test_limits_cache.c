#include "session/limits_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct device_limits limits_of(const char *name, int64_t cc)
{
    struct device_limits limits = {.uuid = "GPU-1", .driver = "580.1", .cuda = 13000};
    snprintf(limits.name, sizeof limits.name, "%s", name);
    for (size_t i = 0; i < limit_count; i++)
        limit_put(&limits, &limit_rows[i], (int64_t)i + 1);
    limits.cc = cc;
    return limits;
}

static char scratch[] = "/tmp/cutune-remembered-XXXXXX";

/* Makes an empty folder for the files. */
static void begin(void)
{
    strcpy(scratch + strlen(scratch) - 6, "XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(scratch));
    setenv("XDG_STATE_HOME", scratch, 1);
}

static void path_of(const char *name, char *path, size_t room)
{
    snprintf(path, room, "%s/cutune/device-%s", scratch, name);
}

static void end(void)
{
    char path[128];
    static const char *const names[] = {"0", "1", "2", "3", "MIG-GPU-a_1_2"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        path_of(names[i], path, sizeof path);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/cutune", scratch);
    rmdir(path);
    CU_ASSERT_EQUAL(rmdir(scratch), 0); /* no other file was written */
    unsetenv("XDG_STATE_HOME");
}

/* Each device number has its own limits. */
static void kept(void)
{
    struct device_limits first = limits_of("NVIDIA H200", 90), other = limits_of("NVIDIA A100", 80), got;
    begin();
    CU_ASSERT_FALSE(limits_cache_load("0", &got));
    limits_cache_store("0", &first);
    limits_cache_store("3", &other);
    CU_ASSERT_FALSE(limits_cache_load("1", &got));
    CU_ASSERT(limits_cache_load("0", &got) && limits_cache_matches(&got, &first));
    CU_ASSERT_STRING_EQUAL(got.uuid, "GPU-1");
    CU_ASSERT(limits_cache_load("3", &got) && limits_cache_matches(&got, &other));
    limits_cache_store("0", &other);
    CU_ASSERT(limits_cache_load("0", &got) && limits_cache_matches(&got, &other));
    end();
}

/* Equal limits are not written again. */
static void written_once(void)
{
    struct device_limits limits = limits_of("NVIDIA H200", 90);
    struct stat before, after;
    char path[128];
    begin();
    path_of("0", path, sizeof path);
    limits_cache_store("0", &limits);
    CU_ASSERT_EQUAL_FATAL(stat(path, &before), 0);
    limits_cache_store("0", &limits);
    CU_ASSERT_EQUAL_FATAL(stat(path, &after), 0);
    CU_ASSERT_EQUAL(before.st_ino, after.st_ino);
    end();
}

/* With any changed byte or length, nothing is remembered. */
static void damaged(void)
{
    struct device_limits limits = limits_of("NVIDIA H200", 90), got;
    char path[128], bytes[4096], changed[4096];
    begin();
    path_of("0", path, sizeof path);
    limits_cache_store("0", &limits);
    FILE *file = fopen(path, "rb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    size_t length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    CU_ASSERT_FATAL(length > 64 && length < sizeof bytes);
    for (size_t at = 0; at < length; at++) {
        memcpy(changed, bytes, length);
        changed[at] ^= 1;
        file = fopen(path, "wb");
        fwrite(changed, 1, length, file);
        fclose(file);
        CU_ASSERT_FALSE(limits_cache_load("0", &got));
        CU_ASSERT_EQUAL(truncate(path, (off_t)at), 0);
        CU_ASSERT_FALSE(limits_cache_load("0", &got));
    }
    limits_cache_store("0", &limits);
    CU_ASSERT(limits_cache_load("0", &got));
    end();
}

/* Without a place, or where no file can be, nothing is remembered, and nothing is reported. */
static void nowhere(void)
{
    static const char *const homes[] = {NULL, "", "relative", "/dev/null"};
    struct device_limits limits = limits_of("NVIDIA H200", 90), got;
    const char *was = getenv("HOME");
    char *home = was ? strdup(was) : NULL;
    unsetenv("XDG_STATE_HOME");
    for (size_t i = 0; i < COUNT(homes); i++) {
        if (homes[i])
            setenv("HOME", homes[i], 1);
        else
            unsetenv("HOME");
        limits_cache_store("0", &limits);
        CU_ASSERT_FALSE(limits_cache_load("0", &got));
    }
    if (home)
        setenv("HOME", home, 1);
    free(home);
}

/* Everything that a space or a compilation may depend on; nothing that distinguishes two devices of a kind. */
static void alike(void)
{
    struct device_limits limits = limits_of("NVIDIA H200", 90), other = limits;
    strcpy(other.uuid, "GPU-2");
    strcpy(other.driver, "590.1");
    other.cuda = 13010;
    CU_ASSERT(limits_cache_matches(&limits, &other));
    strcpy(other.name, "NVIDIA H100");
    CU_ASSERT_FALSE(limits_cache_matches(&limits, &other));
    for (size_t i = 0; i < limit_count; i++) {
        other = limits;
        limit_put(&other, &limit_rows[i], limit_get(&limits, &limit_rows[i]) + 1);
        CU_ASSERT_FALSE(limits_cache_matches(&limits, &other));
    }
}

CU_TestInfo tests_limits_cache[] = {{"kept", kept},       {"written once", written_once},
                                    {"damaged", damaged}, {"nowhere", nowhere},
                                    {"alike", alike},     CU_TEST_INFO_NULL};
