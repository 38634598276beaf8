/* Instructions in nvdisasm's listing. */
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "base/text.h"
#include "compile/listing.h"

#define LINE(instruction) "        /*0040*/                   " instruction " ;\n"

static void show(struct text *text, const struct listing_line *line)
{
    if (line->label.length) {
        text_printf(text, "<%.*s>", (int)line->label.length, line->label.text);
        return;
    }
    text_printf(text, "[%.*s|%.*s|%.*s]", (int)line->predicate.length, line->predicate.text,
                (int)line->operation.length, line->operation.text, (int)line->operands.length, line->operands.text);
}

static void lines(void)
{
    static const struct {
        const char *listing, *shown;
    } rows[] = {
        {"", ""},
        {LINE("EXIT"), ""},
        {".text.k:\n", ""},
        {".text.k:\n" LINE("EXIT"), "[|EXIT|]"},
        {".text.k:\n" LINE("@!P0 LDG.E R4, desc[UR4][R2.64+0x10]"), "[!P0|LDG.E|R4, desc[UR4][R2.64+0x10]]"},
        {".text.k:\n.L_x_1:\n" LINE("@P1 BRA `(.L_x_1)") ".L_x_2:\n", "<.L_x_1>[P1|BRA|`(.L_x_1)]<.L_x_2>"},
        {".text.k:\n        /*0310*/                   BRA `(.L_x_4);\n        /*0320*/                   NOP;\n",
         "[|BRA|`(.L_x_4)][|NOP|]"},
        {".text.kk:\n" LINE("NOP") ".text.k:\n" LINE(
             "EXIT") "\t.section\t.text.l,\"ax\",@progbits\nl:\n.text.l:\n" LINE("RET") ".L_x_3:\n",
         "[|EXIT|]"},
        {".text.k:\n  EXIT\n/*0040*/\n        /*0040\n /**/ { EXIT", "[|EXIT|]"},
        {".text.k:\n" LINE("") LINE("@P0"), ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct listing listing = {.at = rows[i].listing, .kernel = "k"};
        struct listing_line line;
        struct text text = {0};
        while (listing_next(&listing, &line))
            show(&text, &line);
        if (strcmp(text_string(&text), rows[i].shown) != 0)
            fprintf(stderr, "row %zu: %s\n", i, text_string(&text));
        CU_ASSERT_STRING_EQUAL(text_string(&text), rows[i].shown);
        text_free(&text);
    }
}

static void words(void)
{
    static const struct {
        const char *operation, *name;
        unsigned bits;
        bool constant; /* has the word CONSTANT */
    } rows[] = {
        {"LDG", "LDG", 32, false},
        {"LDG.E", "LDG", 32, false},
        {"LDG.E.128.CONSTANT", "LDG", 128, true},
        {"LDG.E.U8.CONSTANT", "LDG", 8, true},
        {"STG.E.S16", "STG", 16, false},
        {"LDG.E.ENL2.256", "LDG", 256, false},
        {"LDG.E.64.CONSTANTS", "LDG", 64, false},
        {"CONSTANT", "CONSTANT", 32, false},
        {"LDG.", "LDG", 32, false},
        {".128", "", 128, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct listing_line line = {.operation = {rows[i].operation, strlen(rows[i].operation)}};
        CU_ASSERT(listing_part_is(listing_name(&line), rows[i].name));
        CU_ASSERT_EQUAL(listing_bits(&line), rows[i].bits);
        CU_ASSERT_EQUAL(listing_has(&line, "CONSTANT"), rows[i].constant);
    }
}

CU_TestInfo tests_listing[] = {{"lines", lines}, {"words", words}, CU_TEST_INFO_NULL};
