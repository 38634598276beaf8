#include "language/library.h"

#include "same.h"

/* The path is relative to the space's folder; each word is an option. */
static void meaning(void)
{
    static const struct {
        const char *statement, *path, *options;
        bool source;
    } rows[] = {{"", "", "", false},
                {"library \"a.so\"", "a.so", "", false},
                {"library \"/lib/b.so.13\"", "/lib/b.so.13", "", false},
                {"library \"c.cu\"", "c.cu", "", true},
                {"library \"d/c.cu\" \" -lcublas  -L/x \"", "d/c.cu", " -lcublas -L/x", true}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct text text = {0}, options = {0};
        text_printf(&text, SPACE_HEAD SPACE_SHAPE "param T = 4, 5\n%s\n", rows[i].statement);
        struct space *space = bound(text_string(&text), "", NULL);
        CU_ASSERT_PTR_NOT_NULL_FATAL(space);
        const char *at = space->library_options;
        for (size_t o = 0; o < space->library_option_count; o++, at += strlen(at) + 1)
            text_printf(&options, " %s", at);
        expect_text(rows[i].statement, space->library_path ? space->library_path : "", rows[i].path);
        expect_text(rows[i].statement, text_string(&options), rows[i].options);
        CU_ASSERT_EQUAL(space->library_source, rows[i].source);
        text_free(&text);
        text_free(&options);
        space_free(space);
    }
}

static void errors(void)
{
    static const struct {
        const char *statements, *message;
    } rows[] = {
        {"library", "expected the library's file in quotes"},
        {"library \"cublas\"", "'cublas' is neither a CUDA source file nor a shared object"},
        {"library \".cu\"", "'.cu' is neither a CUDA source file nor a shared object"},
        {"library \"a.so\" \"-lcublas\"", "a shared object is not compiled: it takes no options"},
        {"library \"a.cu\" \"-O3 -o b\"", "a space cannot set nvcc's option -o"},
        {"library \"a.cu\" 3", "expected nvcc's options in quotes"},
        {"library \"a.so\"\nlibrary \"b.so\"", "a second 'library'"},
        {"library \"a.so\"\npipeline copy_in in", "a library cannot be compared with a pipeline"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct text text = {0};
        struct error error = {0};
        struct space *space = NULL;
        text_printf(&text, SPACE_HEAD SPACE_SHAPE "param T = 4, 5\nbuffer in float[4] random\n%s\n",
                    rows[i].statements);
        CU_ASSERT_NOT_EQUAL(space_parse_text(&space, "k.space", text_string(&text), text.length, "", &error), 0);
        if (!strstr(error.message, rows[i].message))
            fprintf(stderr, "\n%s: '%s'\n", rows[i].statements, error.message);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.message, rows[i].message));
        text_free(&text);
        space_free(space);
    }
}

/* A space has the same hash with any library or objective as without, and another one with another statement. */
static void hash(void)
{
    static const char *const texts[] = {"",
                                        "library \"a.so\"\n",
                                        " \tlibrary \\\n  \"b.cu\" \"-O3\" # fast\n",
                                        "objective time, energy\n",
                                        "objective power\nlibrary \"a.so\"\n",
                                        "library \"a.so\"\n objective energy # too\n"};
    char first[HASH_HEX_BYTES] = "";
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct text text = {0};
        text_printf(&text, SPACE_HEAD SPACE_SHAPE "%sparam T = 4, 5\n", texts[i]);
        struct space *space = bound(text_string(&text), "", NULL);
        CU_ASSERT_PTR_NOT_NULL_FATAL(space);
        if (i == 0)
            memcpy(first, space->text_hash, sizeof first);
        expect_text(texts[i], space->text_hash, first);
        text_free(&text);
        space_free(space);
    }
    struct space *other = bound(SPACE_HEAD SPACE_SHAPE "param T = 4, 5\nlibrary \"a.so\"\nrequire T > 4\n", "", NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(other);
    CU_ASSERT_STRING_NOT_EQUAL(other->text_hash, first);
    space_free(other);
}

/* Integers in the order of the file; other sizes have no place. */
static void sizes(void)
{
    int64_t sizes[SPACE_PROBLEMS_MAX] = {0};
    struct space *space =
        bound(SPACE_HEAD SPACE_SHAPE "problem ROWS = 7\nproblem SCALE = 0.5\nproblem COLS = 2 * ROWS\nparam T = 4, 5\n",
              "", NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(space);
    size_t count = space_library_sizes(space, sizes);
    CU_ASSERT_FATAL(count >= 2);
    CU_ASSERT_EQUAL(sizes[count - 2], 7);
    CU_ASSERT_EQUAL(sizes[count - 1], 14);
    space_free(space);
}

CU_TestInfo tests_library[] = {
    {"meaning", meaning}, {"errors", errors}, {"hash", hash}, {"sizes", sizes}, CU_TEST_INFO_NULL};
