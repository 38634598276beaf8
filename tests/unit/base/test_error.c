#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "base/error.h"

static void first_error_wins(void)
{
    struct error error = {0};
    CU_ASSERT_EQUAL(error_set(&error, ERROR_IO, "disk %d", 1), ERROR_IO);
    CU_ASSERT_EQUAL(error_set(&error, ERROR_USAGE, "later"), ERROR_USAGE);
    error_place(&error, "a.space", 3, 4);
    error_place(&error, "b.space", 5, 6);
    error_hint(&error, "first");
    error_hint(&error, "second");
    CU_ASSERT_EQUAL(error.code, ERROR_IO);
    CU_ASSERT_STRING_EQUAL(error.message, "disk 1");
    CU_ASSERT_STRING_EQUAL(error.source, "a.space");
    CU_ASSERT_EQUAL(error.line, 3);
    CU_ASSERT_EQUAL(error.column, 4);
    CU_ASSERT_STRING_EQUAL(error.hint, "first");
    error_clear(&error);
    CU_ASSERT_EQUAL(error_memory(&error), ERROR_MEMORY);
    CU_ASSERT_EQUAL(error.code, ERROR_MEMORY);
    CU_ASSERT_STRING_EQUAL(error.source, "");
    CU_ASSERT_STRING_EQUAL(error.hint, "");
}

static void caller_wants_the_code_only(void)
{
    CU_ASSERT_EQUAL(error_set(NULL, ERROR_DATA, "x"), ERROR_DATA);
    CU_ASSERT_EQUAL(error_errno(NULL, ERROR_IO, "x"), ERROR_IO);
    CU_ASSERT_EQUAL(error_memory(NULL), ERROR_MEMORY);
    error_place(NULL, "x", 1, 1);
    error_hint(NULL, "x");
    error_clear(NULL);
}

static void place_and_hint_need_an_error(void)
{
    struct error error = {0};
    error_place(&error, "a", 1, 1);
    error_hint(&error, "do this");
    CU_ASSERT_STRING_EQUAL(error.source, "");
    CU_ASSERT_STRING_EQUAL(error.hint, "");
}

static void errno_is_appended(void)
{
    struct error error = {0};
    errno = ENOSPC;
    CU_ASSERT_EQUAL(error_errno(&error, ERROR_IO, "cannot write %s", "x.csv"), ERROR_IO);
    CU_ASSERT_STRING_EQUAL(error.message, "cannot write x.csv: No space left on device");
}

static void long_texts_are_cut_and_marked(void)
{
    struct error error = {0};
    char text[4000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    error_set(&error, ERROR_DATA, "%s", text);
    error_hint(&error, "%s", text);
    error_place(&error, text, 1, 1);
    CU_ASSERT_EQUAL(strlen(error.message), sizeof error.message - 1);
    CU_ASSERT_STRING_EQUAL(error.message + sizeof error.message - 5, "x...");
    CU_ASSERT_EQUAL(strlen(error.hint), sizeof error.hint - 1);
    CU_ASSERT_STRING_EQUAL(error.hint + sizeof error.hint - 5, "x...");
    CU_ASSERT_EQUAL(strlen(error.source), sizeof error.source - 1);
}

static const struct {
    struct error error;
    const char *text;
} formats[] = {
    {{.code = ERROR_USAGE, .message = "m"}, "error: m\n"},
    {{.code = ERROR_USAGE, .message = "m", .hint = "h"}, "error: m\n  h\n"},
    {{.code = ERROR_IO, .source = "f", .message = "m"}, "f: error: m\n"},
    {{.code = ERROR_DATA, .source = "f", .line = 7, .message = "m"}, "f:7: error: m\n"},
    {{.code = ERROR_DATA, .source = "f", .line = 7, .column = 2, .message = "m"}, "f:7:2: error: m\n"},
    {{.code = ERROR_DATA, .source = "f", .column = 2, .message = "m"}, "f: error: m\n"},
    {{.code = ERROR_SYNTAX, .source = "f", .line = 1, .column = 3, .message = "m", .excerpt = "ab@d", .hint = "h"},
     "f:1:3: error: m\n  ab@d\n    ^\n  h\n"},
    {{.code = ERROR_SYNTAX, .source = "f", .line = 1, .column = 1, .message = "m", .excerpt = "@"},
     "f:1:1: error: m\n  @\n  ^\n"},
    /* A tab stays a tab, so that the caret stands below its letter whatever the tab width. */
    {{.code = ERROR_SYNTAX, .source = "f", .line = 1, .column = 4, .message = "m", .excerpt = "\ta\t@"},
     "f:1:4: error: m\n  \ta\t@\n  \t \t^\n"},
    /* Behind the last letter: something is missing. */
    {{.code = ERROR_SYNTAX, .source = "f", .line = 1, .column = 3, .message = "m", .excerpt = "ab"},
     "f:1:3: error: m\n  ab\n    ^\n"},
    /* Outside the excerpt, which was truncated: no caret. */
    {{.code = ERROR_SYNTAX, .source = "f", .line = 1, .column = 4, .message = "m", .excerpt = "ab"},
     "f:1:4: error: m\n  ab\n"},
    {{.code = ERROR_SYNTAX, .source = "f", .line = 1, .message = "m", .excerpt = "ab"}, "f:1: error: m\n  ab\n"},
    {{.code = ERROR_DATA, .source = "f", .message = "100%s%n"}, "f: error: 100%s%n\n"},
};

static void formats_for_people(void)
{
    char text[4096];
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        CU_ASSERT_STRING_EQUAL(error_format(&formats[i].error, text, sizeof text), formats[i].text);
}

static void format_keeps_to_its_room(void)
{
    char whole[256], text[256];
    const struct error *error = &formats[6].error;
    size_t length = strlen(error_format(error, whole, sizeof whole));
    for (size_t room = 0; room <= length + 1; room++) {
        memset(text, '#', sizeof text);
        error_format(error, text, room);
        CU_ASSERT_EQUAL(text[room], '#');
        if (room) {
            CU_ASSERT_EQUAL(strlen(text), room - 1);
            CU_ASSERT_NSTRING_EQUAL(text, whole, room - 1);
        }
    }
}

static const struct {
    enum error_code code;
    int number, exit_status;
    const char *name;
} codes[] = {
#define ERROR(code, number, exit_status, text) {ERROR_##code, number, exit_status, text},
#include "base/errors.def"
#undef ERROR
};

static void codes_are_distinct_and_named(void)
{
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        CU_ASSERT_EQUAL((int)codes[i].code, codes[i].number);
        CU_ASSERT_STRING_EQUAL(error_name(codes[i].code), codes[i].name);
        CU_ASSERT_EQUAL(error_exit_status(codes[i].code), codes[i].exit_status);
        CU_ASSERT_NOT_EQUAL(codes[i].exit_status, 0);
        for (size_t j = 0; j < i; j++) {
            CU_ASSERT_NOT_EQUAL(codes[i].number, codes[j].number);
            CU_ASSERT_STRING_NOT_EQUAL(codes[i].name, codes[j].name);
        }
    }
    CU_ASSERT_EQUAL(error_exit_status(ERROR_NONE), 0);
    CU_ASSERT_STRING_EQUAL(error_name(ERROR_NONE), "none");
    /* Scripts rely on these. */
    CU_ASSERT_EQUAL(error_exit_status(ERROR_USAGE), 2);
    CU_ASSERT_EQUAL(error_exit_status(ERROR_NO_DEVICE), 3);
    CU_ASSERT_EQUAL(error_exit_status(ERROR_NOTHING_VALID), 4);
    CU_ASSERT_EQUAL(error_exit_status(ERROR_INTERRUPTED), 130);
}

static void lists(void)
{
    static struct error_list list, wanted;
    struct error error = {0}, all = {.list = &wanted};
    CU_ASSERT_EQUAL(error_set_list(&error, &list), 0);
    CU_ASSERT_EQUAL(error.code, ERROR_NONE);
    error_set(&list.errors[0], ERROR_SYNTAX, "one");
    error_set(&list.errors[1], ERROR_DATA, "two");
    list.count = list.total = 2;
    CU_ASSERT_EQUAL(error_set_list(NULL, &list), ERROR_SYNTAX);
    CU_ASSERT_EQUAL(error_set_list(&error, &list), ERROR_SYNTAX);
    CU_ASSERT_STRING_EQUAL(error.message, "one");
    CU_ASSERT_PTR_NULL(error.list);
    CU_ASSERT_EQUAL(error_set_list(&all, &list), ERROR_SYNTAX);
    CU_ASSERT_PTR_EQUAL(all.list, &wanted);
    CU_ASSERT_EQUAL(wanted.count, 2);
    CU_ASSERT_STRING_EQUAL(wanted.errors[1].message, "two");
    /* The first error wins; a new error replaces the list. */
    list.count = 1;
    CU_ASSERT_EQUAL(error_set_list(&all, &list), ERROR_SYNTAX);
    CU_ASSERT_EQUAL(wanted.count, 2);
    error_clear(&all);
    CU_ASSERT(all.code == ERROR_NONE && all.list == &wanted && wanted.count == 0 && wanted.total == 0);
    error_set(&all, ERROR_IO, "three");
    CU_ASSERT(all.list == &wanted && wanted.count == 0);
}

CU_TestInfo tests_error[] = {{"lists", lists},
                             {"the first error wins", first_error_wins},
                             {"the caller may want the code only", caller_wants_the_code_only},
                             {"a place and a hint need an error", place_and_hint_need_an_error},
                             {"errno's text is appended", errno_is_appended},
                             {"long texts are cut and marked", long_texts_are_cut_and_marked},
                             {"formats for people", formats_for_people},
                             {"the format keeps to its room", format_keeps_to_its_room},
                             {"codes are distinct and named", codes_are_distinct_and_named},
                             CU_TEST_INFO_NULL};
