/* The kernels of a set of expected results: their launches, compilations and arguments. */
#include "evaluate/set_code.h"

#include <stdlib.h>

#include "world.h"

static struct space *read_space(const char *statements, struct error *error)
{
    char text[2048];
    struct space *space = NULL;
    snprintf(text, sizeof text,
             "space 2\nkernel k \"k.cu\"\nparam STEPS = 1, 2\nparam TILE = 8, 16\nbuffer in float[64] random\n"
             "buffer a float[64] output\nbuffer b float[64] output\nargs a, b, in\nblock TILE\ngrid 1\n%s",
             statements);
    if (space_parse_text(&space, "k.space", text, strlen(text), "STEPS check", error) ||
        space_bind(space, NULL, 0, NULL, error))
        return NULL;
    return space;
}

static void describe(const struct compile_job *job, struct text *text)
{
    const char *at = job->name_expressions;
    text_printf(text, "%s:", job->path);
    for (size_t i = 0; i < job->name_count; i++, at += strlen(at) + 1)
        text_printf(text, " %s", at);
    at = job->options;
    for (size_t i = 0; i < job->option_count; i++, at += strlen(at) + 1)
        text_printf(text, " %s", at);
    text_printf(text, "; ");
}

static void compilations(void)
{
    static const struct {
        const char *statements;
        uint32_t set;
        const char *name, *accept_name, *jobs;
    } rows[] = {
        {"reference r block 1 grid 1\n", 0, "the reference kernel", "the accept kernel", "k.cu: r -DSTEPS=1; "},
        {"reference r block STEPS grid 1\nper STEPS\n", 0, "the reference kernel at STEPS=1",
         "the accept kernel at STEPS=1", "k.cu: r -DSTEPS=1; "},
        {"reference r block STEPS grid 1\nper STEPS\n", 1, "the reference kernel at STEPS=2",
         "the accept kernel at STEPS=2", "k.cu: r -DSTEPS=2; "},
        {"reference default\nper STEPS\n", 1, "the default configuration at STEPS=2", "the accept kernel at STEPS=2",
         "k.cu: k -DSTEPS=2; "},
        {"reference r \"r.cu\" block 1 grid 1\nper STEPS\naccept check args b block 1 grid 1\n", 1,
         "the reference kernel at STEPS=2", "the accept kernel at STEPS=2",
         "r.cu: r -DSTEPS=2; k.cu: check -DSTEPS=2; "},
        {"per STEPS\naccept check args a, b block 1 grid 1\n", 1, "the reference kernel at STEPS=2",
         "the accept kernel at STEPS=2", "k.cu: check -DSTEPS=2; "},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct error error = {0};
        struct set_code *code = calloc(1, sizeof *code);
        struct text jobs = {0};
        struct space *space = read_space(rows[i].statements, &error);
        CU_ASSERT_PTR_NOT_NULL_FATAL(space);
        CU_ASSERT_PTR_NOT_NULL_FATAL(code);
        code->set = rows[i].set;
        CU_ASSERT_EQUAL(set_code_make(space, code, &error), 0);
        CU_ASSERT_STRING_EQUAL(set_code_part_name(code, SET_REFERENCE), rows[i].name);
        CU_ASSERT_STRING_EQUAL(set_code_part_name(code, SET_ACCEPT), rows[i].accept_name);
        for (enum set_part part = 0; part < SET_PARTS; part++) {
            struct set_code_texts texts = {0};
            struct compile_job job = {0};
            if (!code->parts[part].used)
                continue;
            CU_ASSERT_EQUAL(set_code_job(space, code, part, "", &texts, &job, &error), 0);
            describe(&job, &jobs);
            set_code_texts_free(&texts);
        }
        CU_ASSERT(begins(text_string(&jobs), rows[i].jobs));
        CU_ASSERT_EQUAL(jobs.length, strlen(rows[i].jobs));
        text_free(&jobs);
        set_code_free(code);
        free(code);
        space_free(space);
    }
}

/* A launch without a value for the set is an error. */
static void no_launch(void)
{
    struct error error = {0};
    struct set_code *code = calloc(1, sizeof *code);
    struct space *space = read_space("reference r block 2 - STEPS grid 1\nper STEPS\n", &error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(space);
    CU_ASSERT_PTR_NOT_NULL_FATAL(code);
    CU_ASSERT_EQUAL(set_code_make(space, code, &error), 0);
    code->set = 1;
    CU_ASSERT_EQUAL(set_code_make(space, code, &error), ERROR_VALUE);
    CU_ASSERT(begins(error.message, "a block's size must be from 1 to 4294967295, not 0"));
    set_code_free(code);
    free(code);
    space_free(space);
}

CU_TestInfo tests_set_code[] = {{"compilations", compilations}, {"no launch", no_launch}, CU_TEST_INFO_NULL};
