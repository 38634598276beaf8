#include "base/power.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

enum { READINGS_MAX = 12 };

/* Readings become runs of a bounded text. */
static void adds(void)
{
    static const struct {
        const char *before;
        struct power_reading readings[READINGS_MAX];
        const char *after;
    } rows[] = {
        {"", {{1980, 0, 45}}, "1x1980:0:45"},
        {"", {{NAN, -1, -1}}, "1x-:-:-"},
        {"",
         {{1979.6, 0, 45}, {1980, 0, 47}, {1975, 0, 46}},
         "3x1980:0:47"}, /* the same clock, the highest temperature */
        {"", {{1980, 0, 45}, {1950, 0, 45}}, "1x1980:0:45/1x1950:0:45"},
        {"", {{1980, 0, 45}, {1980, 4, 45}}, "1x1980:0:45/1x1980:4:45"},
        {"", {{1980, 0, 45}, {1980, -1, 45}}, "1x1980:0:45/1x1980:-:45"},
        {"", {{NAN, 0, 45}, {NAN, 0, -1}, {5, 0, -1}}, "2x-:0:45/1x5:0:-"},
        {"7x1980:0:45", {{1980, 0, 45}, {1604, 4, 61}}, "8x1980:0:45/1x1604:4:61"},
        {"999999x1980:0:45", {{1980, 0, 45}}, "999999x1980:0:45"},
        {"", {{1e9, INT64_MAX, 99999}}, "1x99999:4294967295:999"},
        /* full: the nearest clock that counts alike */
        {"1x100:0:1/1x200:0:1/1x300:0:1/1x400:0:1/1x500:0:1/1x600:0:1/1x700:4:1/1x800:0:1",
         {{310, 1, 9}, {790, 4, 9}},
         "1x100:0:1/1x200:0:1/2x300:0:9/1x400:0:1/1x500:0:1/1x600:0:1/2x700:4:9/1x800:0:1"},
        {"1x100:0:1/1x200:0:1/1x300:0:1/1x400:0:1/1x500:0:1/1x600:0:1/1x700:0:1/1x800:0:1",
         {{500, 4, 9}},
         "1x100:0:1/1x200:0:1/1x300:0:1/1x400:0:1/1x500:0:1/1x600:0:1/2x700:0:1/1x500:4:9"},
        {"1x100:0:1/1x200:0:1/1x300:0:1/1x400:0:1/1x500:0:1/1x600:0:1/1x700:0:1/1x800:-:1",
         {{500, 4, 9}},
         "1x100:0:1/1x200:0:1/1x300:0:1/1x400:0:1/1x500:0:1/2x600:0:1/1x800:-:1/1x500:4:9"},
        /* malformed */
        {"1x100", {{500, 4, 9}}, "1x500:4:9"},
        {"0x100:0:1", {{500, 4, 9}}, "1x500:4:9"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char states[POWER_STATES_BYTES];
        snprintf(states, sizeof states, "%s", rows[i].before);
        for (size_t r = 0; r < READINGS_MAX && rows[i].readings[r].mhz != 0; r++)
            power_states_add(states, &rows[i].readings[r]);
        CU_ASSERT_STRING_EQUAL(states, rows[i].after);
    }
}

/* The longest text fits. */
static void bounded(void)
{
    char states[POWER_STATES_BYTES] = "";
    for (int i = 0; i < 1000; i++) {
        power_states_add(states,
                         &(struct power_reading){99999 - 2000 * (i % 40), i % 3 ? (int64_t)UINT32_MAX : -1, 999});
        CU_ASSERT_FATAL(strlen(states) < sizeof states);
    }
    CU_ASSERT_EQUAL(power_of(states).state, POWER_CAP);
}

static void state_of(void)
{
    static const struct {
        const char *states;
        enum power_state state;
        double mhz; /* 0: unknown */
        const char *text;
    } rows[] = {
        {"", POWER_UNKNOWN, 0, ""},
        {"3x1980:0:45", POWER_BURST, 1980, "at 1.98 GHz"},
        {"3x1980:1:45", POWER_BURST, 1980, "at 1.98 GHz"}, /* idle */
        {"3x1604:4:61", POWER_CAP, 1604, "at the power cap, 1.60 GHz"},
        {"3x1604:36:61", POWER_CAP, 1604, "at the power cap, 1.60 GHz"},
        {"3x1980:0:45/4x1604:4:61", POWER_CAP, 1604, "at the power cap, 1.60 GHz"},
        {"4x1980:0:45/4x1604:4:61", POWER_MIXED, 1604, "partly at the power cap, 1.60 GHz"},
        {"4x1980:0:45/3x1604:4:61", POWER_MIXED, 1980, "partly at the power cap, 1.98 GHz"},
        {"9x1980:-:45/1x1604:4:61", POWER_CAP, 1980, "at the power cap, 1.98 GHz"}, /* only known reasons count */
        {"9x1980:-:45", POWER_UNKNOWN, 1980, "at 1.98 GHz"},
        {"9x-:4:45", POWER_CAP, 0, "at the power cap"},
        {"9x-:0:-/1x1500:0:-", POWER_BURST, 1500, "at 1.50 GHz"},
        {"1x1:0:-/1x2:0:-/1x3:0:-", POWER_BURST, 2, "at 0.00 GHz"},
        /* malformed */
        {"fast", POWER_UNKNOWN, 0, ""},
        {"3x1980:0", POWER_UNKNOWN, 0, ""},
        {"3x1980:0:45:1", POWER_UNKNOWN, 0, ""},
        {"-x1980:0:45", POWER_UNKNOWN, 0, ""},
        {"0x1980:0:45", POWER_UNKNOWN, 0, ""},
        {"3x 1980:0:45", POWER_UNKNOWN, 0, ""},
        {"3x100000:0:45", POWER_UNKNOWN, 0, ""},
        {"3x100000:45", POWER_UNKNOWN, 0, ""}, /* a number of each kind but one, too large for its place */
        {"99999999999999999999x1980:0:45", POWER_UNKNOWN, 0, ""},
        {"1x1:0:1/1x1:0:1/1x1:0:1/1x1:0:1/1x1:0:1/1x1:0:1/1x1:0:1/1x1:0:1/1x1:0:1", POWER_UNKNOWN, 0, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct power power = power_of(rows[i].states);
        char text[POWER_TEXT_BYTES];
        CU_ASSERT_EQUAL(power.state, rows[i].state);
        CU_ASSERT(rows[i].mhz == 0 ? isnan(power.mhz) : power.mhz == rows[i].mhz);
        CU_ASSERT_STRING_EQUAL(power_text(text, power), rows[i].text);
    }
}

static void differences(void)
{
    for (int a = 0; a < POWER_STATE_COUNT; a++)
        for (int b = 0; b < POWER_STATE_COUNT; b++)
            CU_ASSERT_EQUAL(power_differs((enum power_state)a, (enum power_state)b),
                            (a == POWER_BURST && b == POWER_CAP) || (a == POWER_CAP && b == POWER_BURST));
    CU_ASSERT_STRING_EQUAL(power_state_name(POWER_UNKNOWN), "");
    CU_ASSERT_STRING_EQUAL(power_state_name(POWER_BURST), "burst");
    CU_ASSERT_STRING_EQUAL(power_state_name(POWER_CAP), "cap");
    CU_ASSERT_STRING_EQUAL(power_state_name(POWER_MIXED), "mixed");
}

/* Only a time at the power cap may shrink in the other state, and by the ratio of the clocks at most. */
static void least_factors(void)
{
    static const struct {
        struct power from;
        enum power_state to;
        double settled_mhz, factor;
    } rows[] = {
        {{POWER_BURST, 1980}, POWER_BURST, 1980, 1},   {{POWER_CAP, 1500}, POWER_BURST, 2000, 0.75},
        {{POWER_MIXED, 1800}, POWER_BURST, 2000, 0.9}, {{POWER_CAP, 1500}, POWER_CAP, 2000, 1},
        {{POWER_BURST, 2000}, POWER_CAP, 2000, 1},     {{POWER_CAP, 1500}, POWER_UNKNOWN, 2000, 1},
        {{POWER_CAP, 1500}, POWER_MIXED, 2000, 1},     {{POWER_UNKNOWN, 1500}, POWER_BURST, 2000, 1},
        {{POWER_CAP, 2010}, POWER_BURST, 2000, 1},     {{POWER_CAP, NAN}, POWER_BURST, 2000, 0},
        {{POWER_CAP, 1500}, POWER_BURST, NAN, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CU_ASSERT_DOUBLE_EQUAL(power_least_factor(rows[i].from, rows[i].to, rows[i].settled_mhz), rows[i].factor, 1e-9);
}

/* Runs that agree at the seam become one; a malformed text adds nothing. */
static void joins(void)
{
    static const struct {
        const char *states, *other, *joined;
    } rows[] = {
        {"", "3x1980:0:40", "3x1980:0:40"},
        {"3x1980:0:40", "", "3x1980:0:40"},
        {"3x1980:0:40", "2x1975:0:44/1x1600:4:50", "5x1980:0:44/1x1600:4:50"},
        {"3x1980:0:40", "1x1600:4:50", "3x1980:0:40/1x1600:4:50"},
        {"3x1980:0:40", "1x1600", "3x1980:0:40"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char states[POWER_STATES_BYTES];
        snprintf(states, sizeof states, "%s", rows[i].states);
        power_states_join(states, rows[i].other);
        CU_ASSERT_STRING_EQUAL(states, rows[i].joined);
    }
}

CU_TestInfo tests_power[] = {
    {"readings of two texts are joined", joins},
    {"readings become runs", adds},
    {"a text of states is bounded", bounded},
    {"state and clock", state_of},
    {"states that differ", differences},
    {"least factor between states", least_factors},
    CU_TEST_INFO_NULL,
};
