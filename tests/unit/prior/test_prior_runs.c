/* Data of prior runs about configurations. tests/cli/fake/other_devices.case tests the resulting decisions. */
#include "prior/prior_runs.h"

#include <math.h>

#include "../scratch.h"

#define HEAD(device, problem, versions)                                                                                \
    "# cutune journal 1\n# kernel = k\n# device = " device "\n# problem = " problem "\n" versions                      \
    "# parameters = 2\nA,B,status,time_ns,low_ns,high_ns,playoff\n"
#define SAME "# source_hash = s\n# space_hash = t\n# options = o\n# data_hash = d\n"
/* A=1 wins, A=2 takes twice as long, A=3 fails. */
#define ROWS "1,x,ok,1000,990,1010,\n2,x,ok,2000,1990,2010,\n3,x,crashed,,,,\n"

enum { ASKED = 4, FILES = 3 };
static const char *const asked[ASKED] = {"A=1 B=x", "A=2 B=x", "A=3 B=x", "A=4 B=x"};

static const struct {
    struct {
        const char *name, *text;
    } files[FILES];
    const char *devices, *skipped;
    double expected[ASKED]; /* -1: unknown */
    enum prior_runs_of of;
} cases[] = {
    {{{NULL}}, "", "", {-1, -1, -1, -1}, PRIOR_RUNS_OTHER_DEVICES},
    {{{"k.b.csv", HEAD("B", "N=1 M=2", SAME) ROWS}}, "B", "", {1, 0.5, 0, -1}, PRIOR_RUNS_OTHER_DEVICES},
    /* the order of sizes does not matter, nor do tools */
    {{{"k.b.csv", HEAD("B", "M=2 N=1", SAME "# nvrtc = 99.9\n# driver = 1\n") ROWS}},
     "B",
     "",
     {1, 0.5, 0, -1},
     PRIOR_RUNS_OTHER_DEVICES},
    /* not the same search on another device */
    {{{"k.b.csv", HEAD("Here", "N=1 M=2", SAME) ROWS}}, "", "", {-1, -1, -1, -1}, PRIOR_RUNS_OTHER_DEVICES},
    {{{"k.b.csv", HEAD("B", "N=1 M=3", SAME) ROWS}}, "", "", {-1, -1, -1, -1}, PRIOR_RUNS_OTHER_DEVICES},
    {{{"k.b.csv", HEAD("B", "N=1 M=2", "# source_hash = s\n# space_hash = t\n# options = o\n# data_hash = e\n") ROWS}},
     "",
     "",
     {-1, -1, -1, -1},
     PRIOR_RUNS_OTHER_DEVICES},
    {{{"k.b.csv", HEAD("B", "N=1 M=2", "# source_hash = r\n# space_hash = t\n# options = o\n# data_hash = d\n") ROWS}},
     "",
     "",
     {-1, -1, -1, -1},
     PRIOR_RUNS_OTHER_DEVICES},
    {{{"k.b.csv", "# cutune journal 1\n# kernel = l\n# device = B\n# problem = N=1 M=2\n" SAME
                  "# parameters = 2\nA,B,status,time_ns\n1,x,ok,1000\n"}},
     "",
     "",
     {-1, -1, -1, -1},
     PRIOR_RUNS_OTHER_DEVICES},
    {{{"k.b.csv", "# cutune journal 1\n# kernel = k\n# device = B\n# problem = N=1 M=2\n" SAME
                  "# parameters = 2\nA,B,status,time_per_work_ns\n1,x,ok,1000\n"}},
     "",
     "",
     {-1, -1, -1, -1},
     PRIOR_RUNS_OTHER_DEVICES},
    /* files of other kernels, and the run's own journal */
    {{{"k2.b.csv", "nothing"}, {"k.own.csv", "nothing"}, {"k.csv", "nothing"}},
     "",
     "k.csv;",
     {-1, -1, -1, -1},
     PRIOR_RUNS_OTHER_DEVICES},
    /* no configuration was timed there, or none of these */
    {{{"k.b.csv", HEAD("B", "N=1 M=2", SAME) "1,x,crashed,,,,\n"}}, "", "", {-1, -1, -1, -1}, PRIOR_RUNS_OTHER_DEVICES},
    {{{"k.b.csv", HEAD("B", "N=1 M=2", SAME) "1,y,ok,1000,,,\n"}}, "", "", {-1, -1, -1, -1}, PRIOR_RUNS_OTHER_DEVICES},
    /* the least of all devices, each named once; leaves out unreadable files */
    {{{"k.1.csv", HEAD("B 1", "N=1 M=2", SAME) ROWS},
      {"k.2.csv", HEAD("B", "N=1 M=2", SAME) "1,x,ok,1500,1490,1510,\n4,x,ok,1000,990,1010,\n"},
      {"k.3.csv", HEAD("B 1", "N=1 M=2", SAME) "2,x,ok,1000,990,1010,\n3,x,ok,1000,990,1010,\n1,x,ok,1333,1320,1340,"}},
     "B 1, B",
     "",
     {0.6667, 0.5, 0, 1},
     PRIOR_RUNS_OTHER_DEVICES},
    {{{"k.1.csv", HEAD("B", "N=1 M=2", SAME) ROWS}, {"k.2.csv", "A,B\n1,2\n"}},
     "B",
     "k.2.csv;",
     {1, 0.5, 0, -1},
     PRIOR_RUNS_OTHER_DEVICES},
    /* a name may be part of another: whole names are compared */
    {{{"k.1.csv", HEAD("A B 1", "N=1 M=2", SAME) ROWS},
      {"k.2.csv", HEAD("B 1", "N=1 M=2", SAME) ROWS},
      {"k.3.csv", HEAD("B 1", "N=1 M=2", SAME) ROWS}},
     "A B 1, B 1",
     "",
     {1, 0.5, 0, -1},
     PRIOR_RUNS_OTHER_DEVICES},
    /* other sizes of this device alone */
    {{{"k.1.csv", HEAD("Here", "N=1 M=3", SAME) ROWS},
      {"k.2.csv", HEAD("Here", "N=8 M=2", SAME) "1,x,ok,1250,1240,1260,\n4,x,ok,1000,990,1010,\n"},
      {"k.3.csv", HEAD("B", "N=1 M=2", SAME) "2,x,ok,1000,990,1010,\n"}},
     "Here",
     "",
     {0.8, 0.5, 0, 1},
     PRIOR_RUNS_OTHER_SIZES},
    {{{"k.1.csv", HEAD("Here", "M=2 N=1", SAME) ROWS},
      {"k.2.csv", HEAD("B", "N=1 M=3", SAME) ROWS},
      {"k.3.csv",
       HEAD("Here", "N=1 M=3", "# source_hash = r\n# space_hash = t\n# options = o\n# data_hash = d\n") ROWS}},
     "",
     "",
     {-1, -1, -1, -1},
     PRIOR_RUNS_OTHER_SIZES},
};

static void skip(void *context, const char *path, const char *reason)
{
    CU_ASSERT(*reason != '\0');
    text_printf(context, "%s;", path + file_folder_length(path));
}

static struct journal_header header_here(void)
{
    struct journal_header header = journal_header_unknown();
    header.provenance.kernel = "k";
    header.provenance.problem = "N=1 M=2";
    header.provenance.source_hash = "s";
    header.provenance.space_hash = "t";
    header.provenance.options = "o";
    header.provenance.data_hash = "d";
    header.provenance.nvrtc = "13.0";
    header.objective = objective_default();
    strcpy(header.provenance.device.name, "Here");
    return header;
}

static void looks_up(void)
{
    struct journal_header header = header_here();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scratch scratch = scratch_open("k.own.csv");
        struct text devices = {0}, skipped = {0};
        struct prior_runs_setup setup = {scratch.path, &header, &devices, skip, &skipped};
        struct error error = {0};
        double found[ASKED];
        for (size_t f = 0; f < FILES && cases[i].files[f].name; f++) {
            struct scratch file = scratch;
            snprintf(file.path, sizeof file.path, "%s/%s", scratch.folder, cases[i].files[f].name);
            scratch_write(&file, cases[i].files[f].text);
        }
        CU_ASSERT_EQUAL(prior_runs_efficiencies(&setup, cases[i].of, asked, ASKED, found, &error), 0);
        for (size_t k = 0; k < ASKED; k++) {
            if ((isnan(found[k]) ? -1 : found[k]) != cases[i].expected[k])
                fprintf(stderr, "\ncase %zu, %s: %g\n", i, asked[k], found[k]);
            CU_ASSERT_EQUAL(isnan(found[k]) ? -1 : found[k], cases[i].expected[k]);
        }
        CU_ASSERT_STRING_EQUAL(text_string(&devices), cases[i].devices);
        CU_ASSERT_STRING_EQUAL(text_string(&skipped), cases[i].skipped);
        text_free(&devices);
        text_free(&skipped);
        scratch_close(&scratch);
    }
}

/* The best so far of each other device, once, if it is in the set. */
static void finds_the_best(void)
{
    static const char text[] = "space 2\nparam A = 1..3\nparam B = x, y\nrequire A != 3\n";
    static const struct {
        struct {
            const char *name, *text;
        } files[FILES];
        size_t room, count;
        uint32_t best[2][2];
    } rows[] = {
        {{{NULL}}, 2, 0, {{0}}},
        {{{"k.b.csv", HEAD("B", "N=1 M=2", SAME) ROWS}}, 2, 1, {{0, 0}}},
        {{{"k.b.csv", HEAD("B", "N=1 M=2", SAME) "1,x,ok,900,890,910,\n1,y,ok,800,790,810,\n2,x,ok,850,840,860,\n"},
          {"k.c.csv", HEAD("C", "N=1 M=2", SAME) ROWS},
          {"k.d.csv", HEAD("D", "N=1 M=2", SAME) ROWS}},
         2,
         2,
         {{0, 1}, {0, 0}}},
        {{{"k.b.csv", HEAD("B", "N=1 M=2", SAME) "2,y,ok,800,790,810,\n"},
          {"k.c.csv", HEAD("C", "N=1 M=2", SAME) ROWS}},
         1,
         1,
         {{1, 1}}},
        /* invalid here, of other sizes, failed, of this device, unreadable */
        {{{"k.b.csv", HEAD("B", "N=1 M=2", SAME) "3,x,ok,800,790,810,\n"},
          {"k.c.csv", HEAD("C", "N=1 M=3", SAME) ROWS},
          {"k.d.csv", HEAD("D", "N=1 M=2", SAME) "1,x,crashed,,,,\n"}},
         2,
         0,
         {{0}}},
        {{{"k.b.csv", HEAD("Here", "N=1 M=2", SAME) ROWS}, {"k.c.csv", "A,B\n1,2\n"}}, 2, 0, {{0}}}};
    struct space *space = NULL;
    struct valid_set *set = NULL;
    struct error error = {0};
    struct journal_header header = header_here();
    CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, "k.space", text, sizeof text - 1, "", &error), 0);
    CU_ASSERT_EQUAL_FATAL(space_bind(space, NULL, 0, NULL, &error), 0);
    CU_ASSERT_EQUAL_FATAL(valid_set_build(&set, space, VALID_SET_DEFAULT_BYTES, &error), 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct scratch scratch = scratch_open("k.own.csv");
        struct text skipped = {0};
        struct prior_runs_setup setup = {
            .journal = scratch.path, .header = &header, .skipped = skip, .context = &skipped};
        uint64_t found[2], expected;
        size_t count = 7;
        for (size_t f = 0; f < FILES && rows[i].files[f].name; f++) {
            struct scratch file = scratch;
            snprintf(file.path, sizeof file.path, "%s/%s", scratch.folder, rows[i].files[f].name);
            scratch_write(&file, rows[i].files[f].text);
        }
        CU_ASSERT_EQUAL(prior_runs_best(&setup, space, set, found, rows[i].room, &count, &error), 0);
        CU_ASSERT_EQUAL_FATAL(count, rows[i].count);
        for (size_t k = 0; k < count; k++)
            CU_ASSERT(valid_set_find(set, rows[i].best[k], &expected) && found[k] == expected);
        text_free(&skipped);
        scratch_close(&scratch);
    }
    valid_set_free(set);
    space_free(space);
}

/* An unreadable folder is an error: the journal is in it. */
static void needs_the_folder(void)
{
    struct journal_header header = journal_header_unknown();
    struct text devices = {0};
    struct prior_runs_setup setup = {"/nonexistent/k.own.csv", &header, &devices, skip, NULL};
    struct error error = {0};
    double found[ASKED];
    header.provenance.kernel = "k";
    CU_ASSERT_EQUAL(prior_runs_efficiencies(&setup, PRIOR_RUNS_OTHER_SIZES, asked, ASKED, found, &error), ERROR_IO);
}

CU_TestInfo tests_prior_runs[] = {{"looks up", looks_up},
                                  {"finds the best", finds_the_best},
                                  {"needs the folder", needs_the_folder},
                                  CU_TEST_INFO_NULL};
