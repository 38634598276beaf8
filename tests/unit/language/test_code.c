/* Tokens of a C++ source. test_redefined.c tests the effect of conditions. */
#include <string.h>

#include "language/code.h"
#include "support.h"

static const char marks[] = {[CODE_WORD] = 'w', [CODE_NUMBER] = 'n', [CODE_STRING] = 's',
                             [CODE_SIGN] = '-', [CODE_HASH] = '#',   [CODE_LINE_END] = '|'};

static void tokens(void)
{
    static const struct {
        const char *source, *kinds;
        const char *last; /* token with its line and column */
    } rows[] = {
        {"", "", ""},
        {"int a = 3;", "ww-n-", "; 1 10"},
        {"a /* b\n c */ d // e\n f", "www", "f 3 2"},
        {"a // b \\\n c\nd", "ww", "d 3 1"},
        {"/", "-", "/ 1 1"},
        {"/*/ a */ b /* c", "w", "b 1 10"},
        {"/**/ a", "w", "a 1 6"},
        {"1.5e3f 0x1F 1'000 _a1", "nnnw", "_a1 1 19"},
        {"1e-8f 0x1p+3 .5f a.b 1.-x 2e+ 0xe", "nnnw-wn-wnn", "0xe 1 31"},
        {"\"a\\\"b\" 'c' '\\'' \"open\n d", "ssssw", "d 2 2"},
        {"R\"(\" a)\" b", "sw", "b 1 10"},
        {"u8R\"x()\")x\" b", "sw", "b 1 13"},
        {"LR\"open )", "s", "LR\"open ) 1 1"},
        {"FOR\"a\" XR\"(b\"", "wsws", ""},
        {"# define A 1\nb", "#wwn|w", "b 2 1"},
        {"  #if A \\\n + 1\n", "#ww-n|", ""},
        {"#if A \\\r\n + 1\r\n", "#ww-n|", ""},
        {"a #b\n#\n", "w-w#|", ""},
        {"#a # b", "#w-w|", ""},
        {"/* a */ # /* b\n */ c\nd", "#w|w", "d 3 1"},
        {"a\\\nb", "ww", "b 2 1"},
        {"\\", "-", "\\ 1 1"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct source_text source = {.path = "k.cu", .text = rows[i].source, .length = strlen(rows[i].source)};
        struct code code = code_start(&source);
        char kinds[64] = "", last[64] = "";
        size_t count = 0;
        for (struct code_token token = code_next(&code); token.kind != CODE_END; token = code_next(&code)) {
            kinds[count++] = marks[token.kind];
            if (token.kind != CODE_LINE_END)
                snprintf(last, sizeof last, "%.*s %d %d", (int)token.length, token.start, token.line, token.column);
        }
        expect_text(rows[i].source, kinds, rows[i].kinds);
        if (*rows[i].last)
            expect_text(rows[i].source, last, rows[i].last);
    }
}

CU_TestInfo tests_code[] = {{"tokens", tokens}, CU_TEST_INFO_NULL};
