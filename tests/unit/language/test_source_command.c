/* The statement `source`: a command that prints the kernel's source. */
#include "support.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../scratch.h"
#include "base/generator.h"

#define TAIL                                                                                                           \
    "problem N = 64\nproblem HALF = 0.5\nparam T = 1, 2\nparam V as \"VEC\" = ca, cg\nbuffer out float[N] output\n"    \
    "args out\nblock 1\ngrid 1\nreference r block 1 grid 1\n"

static void describe(const struct generator *generator, struct text *text)
{
    const char *value = generator->values;
    for (size_t i = 0; i < generator->value_count; i++, value += strlen(value) + 1)
        text_printf(text, "%s%s", i ? " " : "", value);
}

/* The command gets the values of the configuration that `using` names, or all. */
static void values(void)
{
    static const struct {
        const char *using;
        uint32_t choices[2];
        const char *values;
    } rows[] = {
        {"", {0, 1}, "CUTUNE_N=64 CUTUNE_HALF=0.5 CUTUNE_T=1 CUTUNE_V=cg"},
        {" using T", {1, 0}, "CUTUNE_T=2"},
        {" using V, N", {1, 0}, "CUTUNE_N=64 CUTUNE_V=ca"},
        {" using HALF", {1, 0}, "CUTUNE_HALF=0.5"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[1024];
        struct generator generator;
        struct error error = {0};
        struct text strings = {0}, list = {0};
        snprintf(text, sizeof text, "space 2\nkernel k\nsource command \"python3 gen.py\"%s\n%s", rows[i].using, TAIL);
        struct space *space = bound(text, NULL, NULL);
        CU_ASSERT_PTR_NOT_NULL_FATAL(space);
        CU_ASSERT_EQUAL(space_generator(space, NULL, rows[i].choices, &strings, &generator, &error), 0);
        describe(&generator, &list);
        expect_text("values", text_string(&list), rows[i].values);
        expect_text("command", generator.command, "python3 gen.py");
        expect_text("source", space->source, "");
        expect_text("path", space->source_path, "k.generated.cu");
        CU_ASSERT(space->parameters[0].in_source && space->parameters[1].in_source);
        CU_ASSERT_EQUAL(space_check_kernels(space, &error), 0);
        CU_ASSERT_EQUAL(space_check_effects(space, &error), 0);
        text_free(&strings);
        text_free(&list);
        space_free(space);
    }
}

/* A kernel with a file of its own is not generated; one of the kernel's source is. */
static void own_files(void)
{
    static const struct {
        const char *reference;
        bool generated;
    } rows[] = {{"reference r block 1 grid 1\n", true}, {"reference r \"r.cu\" block 1 grid 1\n", false}};
    char folder[] = "/tmp/cutune_source_XXXXXX", path[64];
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/t.space", folder);
    write_inside(folder, "r.cu", "void r();");
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[1024];
        struct space *space = NULL;
        struct generator generator;
        struct error error = {0};
        struct text strings = {0};
        const uint32_t choices[] = {0};
        snprintf(
            text, sizeof text,
            "space 2\nkernel k\nsource command \"x\"\nparam T = 1, 2\nbuffer out float[8] output\nargs out\nblock 1\n"
            "grid 1\n%s",
            rows[i].reference);
        CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, path, text, strlen(text), NULL, &error), 0);
        CU_ASSERT_EQUAL(space_generator(space, space->reference, choices, &strings, &generator, &error), 0);
        expect_text("command", generator.command, rows[i].generated ? "x" : "");
        text_free(&strings);
        space_free(space);
    }
    snprintf(path, sizeof path, "rm -r %s", folder);
    CU_ASSERT_EQUAL(system(path), 0);
}

/* The identity of the source covers the command, its values' names, and the files that its words name. */
static void identity(void)
{
    static const struct {
        const char *statement, *gen, *other;
        bool same; /* as the first row */
    } rows[] = {
        {"source command \"python3 gen.py\" using T", "print(1)", "a", true},
        {"source command \"python3 gen.py\" using T", "print(1)", "b", true}, /* no word names the other file */
        {"source command \"python3 gen.py\" using T", "print(2)", "a", false},
        {"source command \"python3 gen.py\" using T, N", "print(1)", "a", false},
        {"source command \"python3 gen.py\"", "print(1)", "a", false},
        {"source command \"python3  gen.py\" using T", "print(1)", "a", false},
        {"source command \"python3 gen.py other.j2\" using T", "print(1)", "a", false},
    };
    char folder[] = "/tmp/cutune_source_XXXXXX", path[64], first[HASH_HEX_BYTES] = "";
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/t.space", folder);
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[1024];
        struct space *space = NULL;
        struct error error = {0};
        write_inside(folder, "gen.py", rows[i].gen);
        write_inside(folder, "other.j2", rows[i].other);
        snprintf(text, sizeof text, "space 2\nkernel k\n%s\n%s", rows[i].statement, TAIL);
        CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, path, text, strlen(text), NULL, &error), 0);
        if (i == 0)
            memcpy(first, space->source_hash, sizeof first);
        CU_ASSERT_EQUAL(strcmp(space->source_hash, first) == 0, rows[i].same);
        space_free(space);
    }
    snprintf(path, sizeof path, "rm -r %s", folder);
    CU_ASSERT_EQUAL(system(path), 0);
}

CU_TestInfo tests_source_command[] = {
    {"values", values}, {"own files", own_files}, {"identity", identity}, CU_TEST_INFO_NULL};
