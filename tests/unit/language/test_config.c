#include "base/text.h"
#include "space/config.h"
#include "support.h"

static const char sizes[] = SPACE_HEAD SPACE_SHAPE
    "problem ROWS = 8\nproblem ALPHA = 1.5\nparam TILE = 1, 2, -3\nparam MODE = row, column\nparam SCALE = 0.5, 1e20\n"
    "default TILE=2 MODE=column SCALE=0.5\n";

static void round_trip(void)
{
    struct space *space = bound(sizes, "", NULL);
    struct error error = {0};
    uint32_t choices[3], back[3];
    for (uint32_t n = 0; n < 12; n++) {
        struct text text = {0};
        choices[0] = n / 4;
        choices[1] = n / 2 % 2;
        choices[2] = n % 2;
        space_config_text(space, choices, &text);
        memset(back, 0xff, sizeof back);
        CU_ASSERT_EQUAL(space_config_parse(space, text_string(&text), back, &error), 0);
        CU_ASSERT_EQUAL(memcmp(choices, back, sizeof back), 0);
        if (n == 11)
            expect_text("last", text_string(&text), "TILE=-3 MODE=column SCALE=1e+20");
        text_free(&text);
    }
    CU_ASSERT_EQUAL(space_config_parse(space, " MODE=row   SCALE=0.5 TILE=2 ", back, &error), 0);
    CU_ASSERT_EQUAL(back[0], 1);
    space_free(space);
}

static void wrong_texts(void)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"", "the configuration has no value for TILE"},
        {"TILE=1 MODE=row", "the configuration has no value for SCALE"},
        {"TILE=1 TILE=2 MODE=row SCALE=0.5", "'TILE=2': TILE is given twice"},
        {"TILE=4", "'TILE=4': TILE has no such value"},
        {"TILE=1.5", "'TILE=1.5': TILE has no such value"},
        {"TILE=", "'TILE=': TILE has no such value"},
        {"MODE=rows", "'MODE=rows': MODE has no such value"},
        {"SCALE=1e999", "'SCALE=1e999': SCALE has no such value"},
        {"ROWS=8", "'ROWS=8': the space has no such parameter"},
        {"=", "'=': the space has no such parameter"},
        {"TILE", "'TILE' is not NAME=VALUE"},
    };
    struct space *space = bound(sizes, "", NULL);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct error error = {0};
        uint32_t choices[3];
        CU_ASSERT_EQUAL(space_config_parse(space, rows[i].text, choices, &error), ERROR_DATA);
        expect_text(rows[i].text, error.message, rows[i].message);
    }
    space_free(space);
}

/* The default configuration, and the text of the problem sizes. */
static void parts(void)
{
    struct space *space = bound(sizes, "", NULL);
    uint32_t choices[SPACE_PARAMETERS_MAX] = {0};
    struct text text = {0};
    space_default(space, choices);
    CU_ASSERT(choices[0] == 1 && choices[1] == 1 && choices[2] == 0);
    space_problem_text(space, &text);
    expect_text("problem", text_string(&text), "ROWS=8 ALPHA=1.5");
    text_free(&text);
    space_free(space);
}

/* A value is found exactly, or as the equal number of the other kind. */
static void choices_found(void)
{
    static const struct {
        size_t parameter;
        const char *text;
        int choice; /* -1: none */
    } rows[] = {{0, "-3", 2},     {0, "1", 0},      {0, "1.0", 0},  {0, "3", -1},
                {1, "column", 1}, {1, "colum", -1}, {2, "5e-1", 0}, {2, "100000000000000000000.0", 1},
                {2, "", -1}};
    struct space *space = bound(sizes, "", NULL);
    for (size_t i = 0; i < COUNT(rows); i++) {
        uint32_t choice = 9;
        bool found = space_choice_find(&space->parameters[rows[i].parameter], rows[i].text, &choice);
        CU_ASSERT_EQUAL(found, rows[i].choice >= 0);
        CU_ASSERT(!found || (int)choice == rows[i].choice);
    }
    space_free(space);
}

static const char three[] = SPACE_HEAD SPACE_SHAPE "param TILE = 1, 2, -3\nparam MODE = row, column\n"
                                                   "param SCALE = 0.5, 1e20\n";

static void texts(void)
{
    static const struct {
        uint32_t choices[3];
        size_t count, room;
        const char *text;
    } rows[] = {{{1, 1, 0}, 3, 64, "TILE=2 MODE=column SCALE=0.5"},
                {{2, 0, 1}, 3, 64, "TILE=-3 MODE=row SCALE=1e+20"},
                {{1, 1, 0}, 2, 64, "TILE=2 MODE=column"},
                {{1, 1, 0}, 0, 64, ""},
                {{1, 1, 0}, 3, 12, "TILE=2 MODE"},
                {{1, 1, 0}, 3, 7, "TILE=2"},
                {{1, 1, 0}, 3, 1, ""}};
    struct space *space = bound(three, "", NULL);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct value values[SPACE_PARAMETERS_MAX];
        char buffer[64];
        memset(buffer, '!', sizeof buffer);
        space_values(space, rows[i].choices, values);
        space_values_text(space, values, rows[i].count, buffer, rows[i].room);
        expect_text("configuration", buffer, rows[i].text);
        CU_ASSERT(rows[i].room == sizeof buffer || buffer[rows[i].room] == '!');
    }
    space_free(space);
}

/* All combinations come once, and then the first one again. */
static void combinations(void)
{
    static const struct {
        uint64_t parameters;
        const char *choices;
    } rows[] = {{0, "021"},
                {1, "021 121 221"},
                {4, "020 021"},
                {5, "020 120 220 021 121 221"},
                {7, "000 100 200 010 110 210 001 101 201 011 111 211"}};
    struct space *space = bound(three, "", NULL);
    for (size_t i = 0; i < COUNT(rows); i++) {
        uint32_t choices[] = {0, 2, 1}; /* 2: beyond the list of MODE, which no call looks at */
        char found[256] = "";
        for (size_t p = 0; p < COUNT(choices); p++)
            choices[p] = rows[i].parameters >> p & 1 ? 0 : choices[p];
        do {
            size_t used = strlen(found);
            snprintf(found + used, sizeof found - used, "%s%u%u%u", used ? " " : "", choices[0], choices[1],
                     choices[2]);
        } while (strlen(found) < 200 && space_next_choices(space, rows[i].parameters, choices));
        expect_text("combinations", found, rows[i].choices);
        for (size_t p = 0; p < COUNT(choices); p++)
            CU_ASSERT(!(rows[i].parameters >> p & 1) || choices[p] == 0);
    }
    space_free(space);
}

CU_TestInfo tests_config[] = {{"text of a configuration and back", round_trip},
                              {"wrong texts", wrong_texts},
                              {"default and sizes", parts},
                              {"texts of the first values", texts},
                              {"combinations", combinations},
                              {"choices by text", choices_found},
                              CU_TEST_INFO_NULL};
