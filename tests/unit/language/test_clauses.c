/* Clauses: in any order, each at most once, with an expression or a word. */
#include "../technique/technique.h"

/* The error of a statement, with its hint; "": none. */
static void errors(void)
{
    static const struct {
        const char *statement, *expected, *hint;
    } rows[] = {
        {"l2_window table set_aside 0 miss normal bytes 16", "", ""},
        {"l2_window table bytes 16 set_aside 0 bytes 8", "'bytes' is given twice", ""},
        {"l2_window table bytes 16", "there is no 'set_aside'", ""},
        {"l2_window table set_aside 16", "there is no 'bytes'", ""},
        {"l2_window table bytes 16 set_aside 0 mis normal", "expected an operator or a clause, not 'mis'",
         "did you mean 'miss'?"},
        {"l2_window table bytes 16 set_aside 0 colour 1", "expected an operator or a clause, not 'colour'",
         "the clauses are bytes, set_aside, hit_ratio, hit, miss"},
        {"l2_window table bytes 16 set_aside 0 + 1 7", "expected an operator or a clause, not '7'",
         "the clauses are bytes, set_aside, hit_ratio, hit, miss"},
        {"l2_window table bytes 16 set_aside 0 miss persistent",
         "'persistent' is neither an L2 property of misses nor a parameter",
         "an L2 property of misses is normal or streaming"},
        {"l2_window table bytes 16 set_aside 0 hit persistin", "'persistin' is neither an L2 property nor a parameter",
         "did you mean 'persisting'?"},
        {"pipeline copy_in in order HOST", "HOST can be pageable, which is not an order",
         "an order is depth or breadth"},
        {"pipeline copy_in in order A", "A can be 1, which is not an order", "an order is depth or breadth"},
        {"pipeline copy_in in allocation 3 host_memory HOST placement WHEN streams A", "", ""},
        {"pipeline streams 2", "the pipeline copies nothing: there is neither 'copy_in' nor 'copy_out'", ""},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char file[2048];
        struct space *space = NULL;
        struct error error = {0};
        snprintf(file, sizeof file, TECHNIQUE_HEAD "%s\nargs out, in\n", rows[i].statement);
        int code = space_parse_text(&space, "t.space", file, strlen(file), technique_source, &error);
        CU_ASSERT_EQUAL(code, *rows[i].expected ? ERROR_SYNTAX : 0);
        expect_text(rows[i].statement, error.message, rows[i].expected);
        if (*rows[i].hint)
            expect_text(rows[i].statement, error.hint, rows[i].hint);
        space_free(space);
    }
}

/* An expression's word is known only for a configuration. */
static void words(void)
{
    static const struct meaning_row rows[] = {
        {"pipeline copy_in in host_memory HOST placement A == 1 ? WHEN : before", "",
         "A=1 HOST=managed WHEN=overlapped",
         "in 0 1 by 1 streams 1 order 0 host 5 pieces 1 packed 0 work 0 place 0 alloc 0"},
        {"l2_window table bytes 16 set_aside 0 miss A == 1 ? A : WHEN", "", "A=1",
         "1 is not an L2 property of misses, in l2_window at A=1 R=0.25 HOST=pageable WHEN=before"},
    };
    expect_meanings(rows, COUNT(rows));
}

CU_TestInfo tests_clauses[] = {{"errors", errors}, {"words", words}, CU_TEST_INFO_NULL};
