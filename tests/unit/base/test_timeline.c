#include "base/timeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "base/clock.h"

/* Runs timeline with standard error in a file. Returns the length of its output. */
static size_t written(char *text, size_t room)
{
    FILE *file = tmpfile();
    int error = dup(STDERR_FILENO);
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    dup2(fileno(file), STDERR_FILENO);
    timeline("device", "limits sent");
    dup2(error, STDERR_FILENO);
    close(error);
    rewind(file);
    size_t length = fread(text, 1, room - 1, file);
    text[length] = '\0';
    fclose(file);
    return length;
}

static void asked_for(void)
{
    char text[128], zero[32], rest[64] = "";
    long long milliseconds = 0, hundredths = -1;
    snprintf(zero, sizeof zero, "%lld", (long long)clock_now_ns() - 2000000000);
    setenv("CUTUNE_TIMELINE", zero, 1);
    CU_ASSERT(written(text, sizeof text) > 0);
    unsetenv("CUTUNE_TIMELINE");
    CU_ASSERT_EQUAL_FATAL(sscanf(text, "timeline %lld.%2lld %63[^\n]", &milliseconds, &hundredths, rest), 3);
    CU_ASSERT(milliseconds >= 2000 && milliseconds < 60000);
    CU_ASSERT(hundredths >= 0);
    CU_ASSERT_STRING_EQUAL(rest, "device limits sent");
    CU_ASSERT_EQUAL(text[strlen(text) - 1], '\n');
}

/* A start in the future. */
static void before_the_start(void)
{
    char text[128], zero[32];
    int seconds = 0;
    snprintf(zero, sizeof zero, "%lld", (long long)clock_now_ns() + 100000000000);
    setenv("CUTUNE_TIMELINE", zero, 1);
    CU_ASSERT(written(text, sizeof text) > 0);
    unsetenv("CUTUNE_TIMELINE");
    CU_ASSERT_EQUAL(sscanf(text, "timeline -%d", &seconds), 1);
    CU_ASSERT(seconds > 40000 && seconds <= 100000);
    CU_ASSERT_PTR_NULL(strstr(text, ".-"));
}

static void not_asked_for(void)
{
    char text[128];
    unsetenv("CUTUNE_TIMELINE");
    CU_ASSERT_EQUAL(written(text, sizeof text), 0);
}

CU_TestInfo tests_timeline[] = {{"on request", asked_for},
                                {"before the start", before_the_start},
                                {"without a request", not_asked_for},
                                CU_TEST_INFO_NULL};
