/* Journals of a folder that a fit from journals alone takes. tests/cli/fake/fit_replay.case does the same with
 * times. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "base/file.h"
#include "fit/fit_run.h"

static const char space_text[] = "space 2\nkernel k \"k.cu\"\nproblem N = 8\nproblem Q = 5\nparam A = 1..3\n"
                                 "buffer out float[N * Q] output\nargs out\nblock 32\ngrid 1\n"
                                 "reference r block 32 grid 1\n";
enum { FILES = 4, NOTE_SHOWN = 27 };

struct case_of {
    struct {
        const char *version, *problem; /* version "": of the space at hand; problem NULL: there is no file */
    } files[FILES];
    const char *define, *set; /* NULL: none */
    int code;
    size_t sizes;         /* of the fit */
    const char *notes;    /* notes, without the folder */
    const char *proposed; /* by all journals */
};

static void put(const char *folder, size_t number, const struct space *space, const char *version, const char *problem)
{
    struct text text = {0};
    char path[64];
    snprintf(path, sizeof path, "%s/%zu.csv", folder, number);
    text_printf(
        &text,
        "# cutune journal 1\n# kernel = k\n# device = D\n# problem = %s\n# source_hash = %s\n# space_hash = %s\n"
        "# default = A=1\n# parameters = 1\nA,status,time_ns,low_ns,high_ns,samples,proposer\n"
        "1,ok,500,499,501,9,default\n2,ok,400,399,401,9,strategy\n3,slower,450,440,460,7,strategy\n",
        problem, *version ? version : space->source_hash, space->text_hash);
    CU_ASSERT_EQUAL_FATAL(file_replace(path, text.bytes, text.length, NULL), 0);
    text_free(&text);
}

static int hear(void *context, const struct session_event *event, struct error *error)
{
    (void)error;
    if (event->kind == SESSION_NOTE)
        text_printf(context, "%.*s|", NOTE_SHOWN, strstr(event->note, "was recorded") ? "was recorded" : event->note);
    return 0;
}

static void run(const struct case_of *given)
{
    static const char source[] = "__global__ void k(float *) { A; }\n__global__ void r(float *) {}\n";
    char folder[] = "/tmp/cutune-replay-XXXXXX", path[64], source_path[64];
    struct space *space = NULL;
    struct text notes = {0}, proposed = {0};
    struct fit_result result = {0};
    struct error error = {0};
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/k.space", folder);
    snprintf(source_path, sizeof source_path, "%s/k.cu", folder);
    CU_ASSERT_EQUAL_FATAL(file_replace(source_path, source, strlen(source), NULL), 0);
    CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, path, space_text, strlen(space_text), NULL, NULL), 0);
    for (size_t i = 0; i < FILES && given->files[i].problem; i++)
        put(folder, i, space, given->files[i].version, given->files[i].problem);
    const struct session_request session = {.space_path = path,
                                            .space_text = space_text,
                                            .space_length = strlen(space_text),
                                            .defines = &given->define,
                                            .define_count = given->define != NULL,
                                            .sets = &given->set,
                                            .set_count = given->set != NULL,
                                            .listener = hear,
                                            .context = &notes};
    const struct fit_request request = {
        .session = &session, .over = "N=1..100", .options = {.configurations_max = 4, .regret_percent = 5}};
    int code = fit_replay(&request, folder, &result, &error);
    if (code != given->code)
        printf("\n    %s\n", error.message);
    CU_ASSERT_EQUAL(code, given->code);
    CU_ASSERT_STRING_EQUAL(text_string(&notes), given->notes);
    if (!code) {
        CU_ASSERT_EQUAL(result.table.size_count, given->sizes);
        for (size_t i = 0; i < result.table.configuration_count; i++)
            text_printf(&proposed, "%s ", result.table.configurations[i]);
        CU_ASSERT_STRING_EQUAL(text_string(&proposed), given->proposed);
    }
    fit_result_free(&result);
    text_free(&notes);
    text_free(&proposed);
    space_free(space);
    for (size_t i = 0; i < FILES; i++) {
        snprintf(path, sizeof path, "%s/%zu.csv", folder, i);
        unlink(path);
    }
    unlink(source_path);
    rmdir(folder);
}

static void takes(void)
{
    static const struct case_of cases[] = {
        {{{"", "N=8 Q=5"}, {"", "N=9 Q=5"}}, NULL, NULL, 0, 2, "", "A=1 A=2 A=3 "},
        /* Those of the version at hand; without any, all of one version. */
        {{{"", "N=8 Q=5"}, {"x", "N=9 Q=5"}}, NULL, NULL, 0, 1, "left out: 1 of 2 journals i|", "A=1 A=2 "},
        {{{"x", "N=8 Q=5"}, {"x", "N=9 Q=5"}}, NULL, NULL, 0, 2, "was recorded|", "A=1 A=2 A=3 "},
        {{{"x", "N=8 Q=5"}, {"y", "N=9 Q=5"}}, NULL, NULL, ERROR_DATA, 0, "was recorded|", ""},
        /* Journals of the size that -D gives. */
        {{{"", "N=8 Q=5"}, {"", "N=9 Q=8"}}, "Q=8", NULL, 0, 1, "left out: 1 of 2 journals i|", "A=1 A=2 "},
        {{{"", "N=8 Q=5"}, {"x", "N=9 Q=8"}, {"", "N=7 Q=8"}},
         "Q=8",
         NULL,
         0,
         1,
         "left out: 1 of 3 journals i|left out: 1 of 3 journals i|",
         "A=1 A=2 "},
        {{{"", "N=8 Q=5"}}, "Q=7", NULL, ERROR_NOT_FOUND, 0, "left out: 1 of 1 journals i|", ""},
        {{{"", "N=8 Q=5"}}, "N=8", NULL, ERROR_USAGE, 0, "", ""},
        {{{"", "N=8"}}, "Q=5", NULL, ERROR_NOT_FOUND, 0, "left out: 1 of 1 journals i|", ""},
        /* The configurations that --set leaves; a censored one among them may be the best. */
        {{{"", "N=8 Q=5"}, {"", "N=9 Q=5"}}, NULL, "A=1,3", 0, 2, "", "A=1 A=3 "},
        {{{"", "N=8 Q=5"}}, NULL, "A=3", 0, 1, "", "A=3 "},
        {{{"", "N=8 Q=5"}}, NULL, "A=2", 0, 1, "", "A=2 "},
        {{{"", "N=8 Q=5"}}, NULL, "A=4", ERROR_USAGE, 0, "", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        run(&cases[i]);
}

CU_TestInfo tests_fit_replay[] = {{"takes", takes}, CU_TEST_INFO_NULL};
