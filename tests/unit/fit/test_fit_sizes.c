/* The sizes of a fit: regions, conditions and samples. */
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "fit/fit_sizes.h"

enum { ROOM = 200 };
static const char text[] = "space 2\nkernel k \"k.cu\"\nproblem ROWS = 64\nproblem COLS = 64\nproblem SCALE = 1.5\n"
                           "param A = 1..20\nbuffer out float[ROWS * COLS] output\nargs out\nblock 32\ngrid 1\n"
                           "reference r block 32 grid 1\n";

static struct space *open_space(void)
{
    struct space *space = NULL;
    CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, "t.space", text, strlen(text), "A", NULL), 0);
    return space;
}

static void reads(void)
{
    static const struct {
        const char *over, *where;
        int code;
        const char *message;
        size_t count;
        int64_t least, most; /* of the last size */
    } rows[] = {
        {"ROWS=64..128", NULL, 0, "", 1, 64, 128},
        {" ROWS=64..128 , COLS=1..max(3, 7) ", "ROWS > COLS", 0, "", 2, 1, 7},
        {"COLS=1<<10..1<<30", NULL, 0, "", 1, 1 << 10, 1 << 30},
        {"COLS=5..5", NULL, 0, "", 1, 5, 5},
        {"COLS=6..5", NULL, ERROR_USAGE, "--over COLS=6..5: the range is empty", 0, 0, 0},
        {"COLS=0..5", NULL, ERROR_USAGE, "--over COLS=0..5: a size is at least 1", 0, 0, 0},
        {"COLS=5", NULL, ERROR_USAGE, "--over COLS=5: not NAME=LEAST..GREATEST", 0, 0, 0},
        {"", NULL, ERROR_USAGE, "not NAME=LEAST..GREATEST", 0, 0, 0},
        {"COLS..5", NULL, ERROR_USAGE, "not NAME=LEAST..GREATEST", 0, 0, 0},
        {"COLS=1..2,", NULL, ERROR_USAGE, "not NAME=LEAST..GREATEST", 0, 0, 0},
        {"COLS=1..2,COLS=3..4", NULL, ERROR_USAGE, "the problem size is given twice", 0, 0, 0},
        {"LINES=1..2", NULL, ERROR_USAGE, "LINES", 0, 0, 0},
        {"SCALE=1..2", NULL, ERROR_USAGE, "a fit is over integers", 0, 0, 0},
        {"COLS=1.5..2", NULL, ERROR_USAGE, "", 0, 0, 0},
        {"COLS=1..2", "ROWS > 1", ERROR_SYNTAX, "ROWS", 0, 0, 0},
        {"COLS=1..2", "COLS >", ERROR_SYNTAX, "", 0, 0, 0},
        {"COLS=1..2", "COLS > 1\nparam B = 1", ERROR_USAGE, "--where: not one expression", 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct space *space = open_space();
        struct fit_region region = {0};
        struct error error = {0};
        int code = fit_region_read(&region, space, rows[i].over, rows[i].where, &error);
        CU_ASSERT_EQUAL(code, rows[i].code);
        if (code != rows[i].code || !strstr(error.message, rows[i].message)) {
            printf("\n%s: %s\n", rows[i].over, error.message);
            CU_FAIL("another message");
        }
        if (!code && !rows[i].code) {
            CU_ASSERT_EQUAL_FATAL(region.count, rows[i].count);
            CU_ASSERT_EQUAL(region.sizes[region.count - 1].least, rows[i].least);
            CU_ASSERT_EQUAL(region.sizes[region.count - 1].most, rows[i].most);
        }
        fit_region_free(&region);
        space_free(space);
    }
}

struct sampled {
    struct fit_region region;
    int64_t points[ROOM * 2];
    size_t count;
};

static int sample(struct sampled *sampled, const char *over, const char *where, uint64_t seed, size_t room)
{
    struct space *space = open_space();
    struct error error = {0};
    *sampled = (struct sampled){0};
    CU_ASSERT_EQUAL_FATAL(fit_region_read(&sampled->region, space, over, where, &error), 0);
    int code = fit_sizes_sample(&sampled->region, seed, room, sampled->points, &sampled->count, &error);
    space_free(space);
    return code;
}

static bool is_prime(int64_t number)
{
    for (int64_t divisor = 2; divisor * divisor <= number; divisor++)
        if (number % divisor == 0)
            return false;
    return true;
}

/* The sample has the corners, sizes of all kinds, and equally many in each octave. */
static void samples(void)
{
    struct sampled sampled, again;
    size_t primes = 0, odd = 0, both_odd = 0, powers = 0, multiples = 0, octaves[8] = {0};
    CU_ASSERT_EQUAL(sample(&sampled, "ROWS=64..16384,COLS=64..16384", NULL, 1, ROOM), 0);
    CU_ASSERT_EQUAL_FATAL(sampled.count, ROOM);
    static const int64_t corners[] = {64, 64, 16384, 16384, 64, 16384, 16384, 64};
    CU_ASSERT_EQUAL(memcmp(sampled.points, corners, sizeof corners), 0);
    for (size_t i = 4; i < ROOM; i++) {
        int64_t rows = sampled.points[2 * i];
        size_t octave = 0;
        CU_ASSERT(rows >= 64 && rows <= 16384);
        while (rows >> (octave + 7) && octave < 7)
            octave++;
        octaves[octave]++;
        primes += is_prime(rows);
        odd += rows % 2;
        both_odd += rows % 2 && sampled.points[2 * i + 1] % 2;
        powers += (rows & (rows - 1)) == 0;
        multiples += rows % 16 == 0;
        for (size_t j = 0; j < i; j++)
            CU_ASSERT(fit_sizes_distance(&sampled.points[2 * i], &sampled.points[2 * j], 2) > 0);
    }
    CU_ASSERT(primes > ROOM / 7 && powers > ROOM / 7 && multiples > ROOM / 4);
    CU_ASSERT(odd > ROOM * 2 / 5 && odd < ROOM / 2 && both_odd > ROOM / 8);
    for (size_t i = 0; i < 8; i++)
        CU_ASSERT(octaves[i] > ROOM / 8 / 2 && octaves[i] < ROOM / 8 * 2);
    CU_ASSERT_EQUAL(sample(&again, "ROWS=64..16384,COLS=64..16384", NULL, 1, 20), 0);
    CU_ASSERT_EQUAL(memcmp(again.points, sampled.points, 40 * sizeof *again.points), 0);
    fit_region_free(&again.region);
    CU_ASSERT_EQUAL(sample(&again, "ROWS=64..16384,COLS=64..16384", NULL, 2, ROOM), 0);
    CU_ASSERT_NOT_EQUAL(memcmp(again.points, sampled.points, sizeof again.points), 0);
    fit_region_free(&again.region);
    fit_region_free(&sampled.region);
}

/* Powers of two are inside the range. */
static void powers(void)
{
    static const struct {
        const char *over;
        size_t least, most; /* different powers in the sample */
    } rows[] = {{"ROWS=1024..1073741824", 12, 21}, {"ROWS=1000..1500", 1, 1}, {"ROWS=1500..2100", 1, 1},
                {"ROWS=1024..2048", 2, 2},         {"ROWS=1025..2047", 0, 0}, {"ROWS=1..1000000", 12, 20}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sampled sampled;
        size_t found = 0;
        CU_ASSERT_EQUAL(sample(&sampled, rows[i].over, NULL, 1, ROOM), 0);
        for (size_t p = 0; p < sampled.count; p++) {
            int64_t size = sampled.points[p];
            CU_ASSERT(size >= sampled.region.sizes[0].least && size <= sampled.region.sizes[0].most);
            found += (size & (size - 1)) == 0;
        }
        CU_ASSERT(found >= rows[i].least && found <= rows[i].most);
        fit_region_free(&sampled.region);
    }
}

static void obeys(void)
{
    struct sampled sampled;
    CU_ASSERT_EQUAL(sample(&sampled, "ROWS=64..16384,COLS=64..16384", "ROWS % 8 == 0 && COLS <= ROWS", 1, 30), 0);
    CU_ASSERT_EQUAL(sampled.count, 30);
    for (size_t i = 0; i < sampled.count; i++)
        CU_ASSERT(sampled.points[2 * i] % 8 == 0 && sampled.points[2 * i + 1] <= sampled.points[2 * i]);
    fit_region_free(&sampled.region);
    CU_ASSERT_EQUAL(sample(&sampled, "ROWS=64..16384", "100 / (ROWS - 64) > 0", 1, 30), ERROR_VALUE);
    fit_region_free(&sampled.region);
    CU_ASSERT_EQUAL(sample(&sampled, "ROWS=1..5", NULL, 1, 30), 0); /* no more than the region has */
    CU_ASSERT_EQUAL(sampled.count, 5);
    fit_region_free(&sampled.region);
    CU_ASSERT_EQUAL(sample(&sampled, "ROWS=7..7,COLS=1..1099511627776", NULL, 1, 30), 0);
    CU_ASSERT_EQUAL(sampled.count, 30);
    fit_region_free(&sampled.region);
    CU_ASSERT_EQUAL(sample(&sampled, "ROWS=64..128", "ROWS > 128", 1, 30), 0);
    CU_ASSERT_EQUAL(sampled.count, 0);
    fit_region_free(&sampled.region);
}

CU_TestInfo tests_fit_sizes[] = {{"what --over and --where say", reads},
                                 {"samples", samples},
                                 {"powers of two", powers},
                                 {"the condition", obeys},
                                 CU_TEST_INFO_NULL};
