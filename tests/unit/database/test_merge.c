/* Merged databases: the rows that are kept, and independence of the order of files. */
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "base/random.h"
#include "database/merge.h"

#define HEAD                                                                                                           \
    "schema,kernel,device,problem,objective,configuration,time_ns,low_ns,high_ns,samples,options,driver,cuda,"         \
    "nvrtc,source_hash,space_hash,date\n"
#define ROW(configuration, low, samples, driver, cuda, nvrtc, source, date)                                            \
    HEAD "1,k,d,p,time," configuration ",100," low ",101," samples ",o," driver "," cuda "," nvrtc "," source          \
         ",sp," date "\n"

/* Two files of one row; the first row is kept. */
static const struct {
    const char *kept, *dropped, *reason; /* NULL: the rows are equal */
} pairs[] = {
    {ROW("A=1", "99", "7", "580.1", "13000", "13.0", "s", "2026"),
     ROW("A=1", "99", "7", "580.1", "13000", "13.0", "s", "2026"), NULL},
    {ROW("A=1", "90", "1", "1", "1", "13.10", "s", "2025"), ROW("A=2", "99", "9", "9", "9", "13.9", "s", "2026"),
     "newer NVRTC"},
    {ROW("A=1", "90", "1", "1", "13000", "13.0", "s", "2025"), ROW("A=2", "99", "9", "9", "12080", "13.0", "s", "2026"),
     "newer CUDA version"},
    {ROW("A=1", "90", "1", "580.100.2", "1", "13.0", "s", "2025"),
     ROW("A=2", "99", "9", "580.99.7", "1", "13.0", "s", "2026"), "newer driver"},
    {ROW("A=1", "99", "1", "1", "1", "13.0", "s", "2025"), ROW("A=2", "98", "9", "1", "1", "13.0", "s", "2026"),
     "tied, and earlier"},
    {ROW("A=1", "9", "1", "1", "1", "13.0", "s", "2025"), ROW("A=2", "", "9", "1", "1", "13.0", "s", "2026"),
     "tied, and earlier"},
    {ROW("A=2", "99", "1", "1", "1", "13.0", "s", "2026"),
     HEAD "1,k,d,p,time,A=1,102,101.5,103,9,o,1,1,13.0,s,sp,2025\n", "faster beyond both intervals"},
    {ROW("A=1", "99", "1", "1", "1", "13.0", "s", "2026"), HEAD "1,k,d,p,time,A=1,50,49,51,9,o,1,1,13.0,s,sp,2025\n",
     "newer figures of the same configuration"},
    {ROW("A=1", "99", "9", "1", "1", "13.0", "s", "2026"), ROW("A=2", "99", "9", "1", "1", "13.0", "s", "2026"),
     "tied: ordered by text"},
    {ROW("A=1", "99", "9", "1", "1", "13.0", "s", "2026"), ROW("A=1", "99", "8", "1", "1", "13.0", "s", "2026"),
     "ordered by text"},
    {ROW("A=1", "", "1", "1", "1", "12.0", "s", "2026"), ROW("A=2", "99", "9", "9", "9", "13.0", "t", "2025"),
     "another source, space or data"},
};

/* A row that is tied with the fastest stays, even if an earlier one is tied with it, but not with the fastest. */
static const char chain[] = HEAD "1,k,d,p,time,A=1,102,100.5,103,9,o,1,1,13.0,s,sp,2025\n";
static const char *const links[] = {HEAD "1,k,d,p,time,A=2,101,99,102,9,o,1,1,13.0,s,sp,2026\n",
                                    HEAD "1,k,d,p,time,A=3,99,98,100,9,o,1,1,13.0,s,sp,2027\n"};

static void keep_reason(void *context, const struct merge_conflict *conflict)
{
    text_printf(context, "%s:%d %s:%d %s", conflict->kept_path, conflict->kept_line, conflict->dropped_path,
                conflict->dropped_line, conflict->reason);
}

static void merge_two(const char *first, const char *second, struct text *out, struct text *reasons)
{
    struct database *databases[2] = {NULL, NULL};
    CU_ASSERT_EQUAL_FATAL(database_parse(&databases[0], "a", first, strlen(first), NULL), 0);
    CU_ASSERT_EQUAL_FATAL(database_parse(&databases[1], "b", second, strlen(second), NULL), 0);
    CU_ASSERT_EQUAL(database_merge((const struct database *const *)databases, 2, out, keep_reason, reasons, NULL), 0);
    database_close(databases[0]);
    database_close(databases[1]);
}

static void rule(void)
{
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct text alone = {0}, out = {0}, swapped = {0}, reasons = {0}, others = {0};
        merge_two(pairs[i].kept, HEAD, &alone, &others);
        CU_ASSERT_EQUAL(others.length, 0);
        merge_two(pairs[i].kept, pairs[i].dropped, &out, &reasons);
        merge_two(pairs[i].dropped, pairs[i].kept, &swapped, &others);
        CU_ASSERT_STRING_EQUAL(text_string(&out), text_string(&alone));
        CU_ASSERT_STRING_EQUAL(text_string(&out), text_string(&swapped));
        if (pairs[i].reason) {
            CU_ASSERT(strncmp(text_string(&reasons), "a:2 b:2 ", 8) == 0 && strstr(reasons.bytes, pairs[i].reason));
            CU_ASSERT(strncmp(text_string(&others), "b:2 a:2 ", 8) == 0 && strstr(others.bytes, pairs[i].reason));
        } else {
            CU_ASSERT_EQUAL(reasons.length, 0);
        }
        text_free(&alone), text_free(&out), text_free(&swapped), text_free(&reasons), text_free(&others);
    }
}

static void chains(void)
{
    struct database *of[3] = {NULL, NULL, NULL};
    static const size_t orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    CU_ASSERT_EQUAL_FATAL(database_parse(&of[0], "a", chain, sizeof chain - 1, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(database_parse(&of[1], "b", links[0], strlen(links[0]), NULL), 0);
    CU_ASSERT_EQUAL_FATAL(database_parse(&of[2], "c", links[1], strlen(links[1]), NULL), 0);
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        struct text out = {0}, reasons = {0};
        const struct database *files[] = {of[orders[i][0]], of[orders[i][1]], of[orders[i][2]]};
        CU_ASSERT_EQUAL(database_merge(files, 3, &out, keep_reason, &reasons, NULL), 0);
        CU_ASSERT(strstr(text_string(&out), "A=2") && !strstr(out.bytes, "A=1") && !strstr(out.bytes, "A=3"));
        CU_ASSERT(strstr(text_string(&reasons), "b:2 a:2 the earlier one is slower than the fastest of all") &&
                  strstr(reasons.bytes, "b:2 c:2 tied, and earlier"));
        text_free(&out), text_free(&reasons);
    }
    for (size_t i = 0; i < 3; i++)
        database_close(of[i]);
}

/* Every cell of the question counts: rows that differ in one belong to different groups, and the later group is
 * kept. With equal dates, one of them is kept, whatever the order of files. */
static void questions(void)
{
    static const char *const names[] = {"source_hash", "space_hash", "data_hash", "options"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (int day = 1; day <= 3; day++) {
            char a[256], b[256];
            struct text out = {0}, swapped = {0}, reasons = {0}, others = {0};
            static const char format[] =
                "schema,kernel,device,problem,objective,configuration,time_ns,samples,date,%s\n"
                "1,k,d,p,time,A=%s,100,%d,2026-01-%02d,%s\n";
            snprintf(a, sizeof a, format, names[i], "a", 1, 2, "x");
            snprintf(b, sizeof b, format, names[i], "b", 9, day, "y");
            merge_two(a, b, &out, &reasons);
            merge_two(b, a, &swapped, &others);
            CU_ASSERT_STRING_EQUAL(text_string(&out), text_string(&swapped));
            CU_ASSERT_PTR_NOT_NULL(strstr(text_string(&out), day > 2 ? "A=b" : "A=a"));
            CU_ASSERT_PTR_NOT_NULL(strstr(text_string(&reasons), "tuned later, from another source, space or data"));
            text_free(&out), text_free(&swapped), text_free(&reasons), text_free(&others);
        }
}

static const char *pick(uint64_t *state, const char *const *choices, size_t count)
{
    *state = random_mix(*state, count);
    return choices[*state % count];
}

/* A random file with few different cells, so that rows collide in all ways. */
static void make_file(struct text *text, uint64_t *state)
{
    static const char *const keys[] = {"k1", "k2", "k3"}, *const few[] = {"1", "2"}, *const lows[] = {"", "90", "99"},
                             *const versions[] = {"13.0", "13.1", ""}, *const hashes[] = {"s", "t", "u"},
                             *const dates[] = {"2024", "2025", "2026"}, *const extra[] = {"", "x"};
    text_printf(text, "extra,%s", HEAD);
    for (size_t k = 0; k < 3; k++)
        if (random_mix(*state, k) % 4)
            text_printf(text, "%s,1,%s,d,p,time,A=%s,100,%s,101,%s,o,%s,%s,%s,%s,sp,%s\n", pick(state, extra, 2),
                        keys[k], pick(state, few, 2), pick(state, lows, 3), pick(state, few, 2), pick(state, few, 2),
                        pick(state, few, 2), pick(state, versions, 3), pick(state, hashes, 3), pick(state, dates, 3));
}

static void any_order(void)
{
    enum { FILES = 4 };
    uint64_t state = 5;
    for (int round = 0; round < 2000; round++) {
        struct database *databases[FILES] = {NULL};
        struct text outs[3] = {{0}, {0}, {0}};
        for (size_t i = 0; i < FILES; i++) {
            struct text text = {0};
            make_file(&text, &state);
            CU_ASSERT_EQUAL_FATAL(database_parse(&databases[i], "f", text.bytes, text.length, NULL), 0);
            text_free(&text);
        }
        const struct database *orders[3][FILES] = {{databases[0], databases[1], databases[2], databases[3]},
                                                   {databases[3], databases[2], databases[1], databases[0]},
                                                   {databases[2], databases[0], databases[3], databases[1]}};
        for (size_t o = 0; o < 3; o++)
            CU_ASSERT_EQUAL(database_merge(orders[o], FILES, &outs[o], NULL, NULL, NULL), 0);
        CU_ASSERT_STRING_EQUAL(text_string(&outs[0]), text_string(&outs[1]));
        CU_ASSERT_STRING_EQUAL(text_string(&outs[0]), text_string(&outs[2]));
        /* Merging again changes nothing. */
        struct database *merged = NULL;
        struct text again = {0};
        CU_ASSERT_EQUAL_FATAL(database_parse(&merged, "m", outs[0].bytes, outs[0].length, NULL), 0);
        CU_ASSERT_EQUAL(database_merge((const struct database *const *)&merged, 1, &again, NULL, NULL, NULL), 0);
        CU_ASSERT_STRING_EQUAL(text_string(&outs[0]), text_string(&again));
        database_close(merged);
        text_free(&again);
        for (size_t i = 0; i < FILES; i++)
            database_close(databases[i]);
        for (size_t o = 0; o < 3; o++)
            text_free(&outs[o]);
    }
}

/* Unknown columns are kept, in alphabetical order, with their cells. */
static void unknown_columns(void)
{
    struct text out = {0}, reasons = {0};
    merge_two("zeta,schema,kernel,device,problem,objective,configuration,time_ns\nz1,1,k,d,p,time,A=1,100\n",
              "alpha,schema,kernel,device,problem,objective,configuration,time_ns,zeta\na2,1,k,e,p,time,A=1,100,z2\n",
              &out, &reasons);
    const char *line = text_string(&out), *ends[] = {",alpha,zeta", ",,z1", ",a2,z2"};
    for (int i = 0; i < 3; i++) {
        size_t length = strcspn(line, "\r\n"), end = strlen(ends[i]);
        CU_ASSERT(length > end && strncmp(line + length - end, ends[i], end) == 0);
        line += length + strspn(line + length, "\r\n");
    }
    CU_ASSERT_STRING_EQUAL(line, "");
    text_free(&out), text_free(&reasons);
}

CU_TestInfo tests_merge[] = {{"the row that is kept", rule}, {"chains of tied rows", chains},
                             {"questions", questions},       {"unknown columns stay", unknown_columns},
                             {"in any order", any_order},    CU_TEST_INFO_NULL};
