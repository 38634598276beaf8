/* Journals that a run learns from, and its note without any. */
#include "prior/learn.h"

#include <math.h>

#include "../scratch.h"

static const char space_text[] = "space 2\nkernel k \"k.cu\"\nproblem N = 10\nparam A = 1..4\nparam B = x, y\n"
                                 "buffer out float[64] output\nargs out\nblock 32\ngrid 1\n"
                                 "reference r block 32 grid 1\n";

#define HEAD(device, problem)                                                                                          \
    "# cutune journal 1\n# kernel = k\n# device = " device "\n# problem = " problem "\n# source_hash = s\n"            \
    "# parameters = 2\nB,A,status,time_ns\n"
#define ROWS "x,1,ok,1000\nx,2,ok,2000\ny,1,crashed,\ny,9,ok,10\nx,1,ok,1500\n"

enum { FILES = 3 };
static const struct {
    const char *what;
    struct {
        const char *name, *text;
    } files[FILES];
    const char *from, *prefix; /* from: within the folder; "": the folder */
    bool named;
    const char *learned; /* devices and problems, nearest first */
    const char *skipped;
    size_t left_out;
    enum error_code code;
    const char *message;
} cases[] = {
    {"a folder", {{"k.b.csv", HEAD("B", "N=10") ROWS}}, "", "k.", false, "B N=10;", "", 1, 0, ""},
    {"the nearest first",
     {{"k.a.csv", HEAD("B", "N=1000") ROWS},
      {"k.b.csv", HEAD("B", "N=20") ROWS},
      {"k.c.csv", HEAD("Here", "N=90") ROWS}},
     "",
     "k.",
     false,
     "Here N=90;B N=20;B N=1000;",
     "",
     3,
     0,
     ""},
    {"no size that a fit probed",
     {{"k.a.csv", HEAD("B", "N=20") ROWS},
      {"k.b.csv", "# cutune journal 1\n# kernel = k\n# device = B\n# problem = N=10\n# parameters = 2\n"
                  "B,A,status,time_ns,proposer\nx,1,ok,1000,fit\ny,1,ok,900,fit\n"}},
     "",
     "k.",
     false,
     "B N=20;",
     "",
     1,
     0,
     ""},
    {"not the same search, other names, or another kernel",
     {{"k.a.csv", HEAD("Here", "N=10") ROWS},
      {"other.csv", HEAD("B", "N=10") ROWS},
      {"k.c.csv", "# cutune journal 1\n# kernel = l\n# parameters = 1\nA,status,time_ns\n1,ok,1\n"}},
     "",
     "k.",
     false,
     "",
     "",
     0,
     0,
     ""},
    {"any name in a named folder", {{"other.csv", HEAD("B", "N=10") ROWS}}, "", "", true, "B N=10;", "", 1, 0, ""},
    {"what cannot be read or has other parameters is skipped",
     {{"k.a.csv", "A,B\n1,2\n"},
      {"k.b.csv", "# cutune journal 1\n# kernel = k\n# device = B\n# parameters = 1\nA,status,time_ns\n1,ok,1\n"},
      {"k.c.csv", HEAD("C", "N=10") ROWS}},
     "",
     "k.",
     false,
     "C N=10;",
     "k.a.csv;k.b.csv;",
     1,
     0,
     ""},
    {"a missing folder that nobody named", {{NULL}}, "none.d", "k.", false, "", "", 0, 0, ""},
    {"a journal", {{"j.csv", HEAD("B", "N=10") ROWS}}, "j.csv", "", true, "B N=10;", "", 1, 0, ""},
    {"a missing file", {{NULL}}, "j.csv", "", true, "", "", 0, ERROR_IO, "cannot read"},
    {"another kernel",
     {{"j.csv", "# cutune journal 1\n# kernel = l\n# parameters = 1\nA,status,time_ns\n1,ok,1\n"}},
     "j.csv",
     "",
     true,
     "",
     "",
     0,
     ERROR_DATA,
     "is of the kernel l, not k"},
    {"another objective",
     {{"j.csv", "# cutune journal 1\n# kernel = k\n# parameters = 1\nA,status,time_per_work_ns\n1,ok,1\n"}},
     "j.csv",
     "",
     true,
     "",
     "",
     0,
     ERROR_DATA,
     "another objective"},
    {"other parameters",
     {{"j.csv", "# cutune journal 1\n# kernel = k\n# device = B\n# parameters = 1\nA,status,time_ns\n1,ok,1\n"}},
     "j.csv",
     "",
     true,
     "",
     "",
     0,
     ERROR_DATA,
     "has no column for the parameter B"},
    {"the same search",
     {{"j.csv", HEAD("Here", "N=10") ROWS}},
     "j.csv",
     "",
     true,
     "",
     "",
     0,
     ERROR_DATA,
     "only the search of this device"},
    {"nothing worked",
     {{"j.csv", HEAD("B", "N=10") "x,1,crashed,\n"}},
     "j.csv",
     "",
     true,
     "",
     "",
     0,
     ERROR_DATA,
     "worked in prior runs"},
    {"nothing in common",
     {{"j.csv", HEAD("B", "N=10") "x,9,ok,10\n"}},
     "j.csv",
     "",
     true,
     "",
     "",
     1,
     ERROR_DATA,
     "worked in prior runs"},
    {"an empty folder", {{NULL}}, "", "", true, "", "", 0, ERROR_DATA, "no journal of another search"},
};

static void skip(void *context, const char *path, const char *reason)
{
    CU_ASSERT(*reason != '\0');
    text_printf(context, "%s;", path + file_folder_length(path));
}

static void reads(void)
{
    struct space *space = NULL;
    struct error error = {0};
    struct provenance now = provenance_unknown();
    now.kernel = "k";
    now.problem = "N=10";
    now.source_hash = "s";
    strcpy(now.device.name, "Here");
    CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, "t.space", space_text, strlen(space_text), "A B", &error), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scratch scratch = scratch_open(cases[i].from);
        struct text skipped = {0}, found = {0};
        struct learned learned = {0};
        struct error refused = {0};
        const struct learn_setup setup = {.space = space,
                                          .now = &now,
                                          .objective = objective_default(),
                                          .from = scratch.path,
                                          .named = cases[i].named,
                                          .prefix = cases[i].prefix,
                                          .skipped = skip,
                                          .context = &skipped};
        for (size_t f = 0; f < FILES && cases[i].files[f].name; f++) {
            struct scratch file = scratch;
            snprintf(file.path, sizeof file.path, "%s/%s", scratch.folder, cases[i].files[f].name);
            scratch_write(&file, cases[i].files[f].text);
        }
        CU_ASSERT_EQUAL(learn_read(&learned, &setup, &refused), (int)cases[i].code);
        for (size_t l = 0; l < learned.count; l++)
            text_printf(&found, "%s %s;", learned.runs[l].device.name, learned.runs[l].problem);
        if (strcmp(text_string(&found), cases[i].learned) != 0 || !strstr(refused.message, cases[i].message))
            fprintf(stderr, "\n%s: %s %s\n", cases[i].what, text_string(&found), refused.message);
        CU_ASSERT_STRING_EQUAL(text_string(&found), cases[i].learned);
        CU_ASSERT_STRING_EQUAL(text_string(&skipped), cases[i].skipped);
        CU_ASSERT(strstr(refused.message, cases[i].message) != NULL);
        CU_ASSERT_EQUAL(learned.left_out, cases[i].left_out);
        learned_free(&learned);
        text_free(&skipped);
        text_free(&found);
        scratch_close(&scratch);
    }
    space_free(space);
}

CU_TestInfo tests_learn[] = {{"reads", reads}, CU_TEST_INFO_NULL};
