/* A space made from recorded rows. */
#include <stdlib.h>

#include "set/valid_set.h"
#include "support.h"

enum { WIDTH = 2 };

struct table {
    size_t count;
    const char *rows[8][WIDTH];
};

static const char *const *row_of(const void *context, size_t row)
{
    return ((const struct table *)context)->rows[row];
}

static const char *const names[WIDTH] = {"a", "b"};

static int make(struct space **space, const struct table *table, const char *const *columns, size_t width,
                struct error *error)
{
    return space_from_rows(space,
                           &(struct space_rows){.path = "j.csv",
                                                .name = "k",
                                                .title = "",
                                                .default_ = "",
                                                .parameter_count = width,
                                                .row_count = table->count,
                                                .names = columns,
                                                .row = row_of,
                                                .context = table},
                           error);
}

static void expect_values(const struct parameter *parameter, const char *expected)
{
    struct text text = {0};
    char value[VALUE_TEXT_BYTES];
    for (size_t i = 0; i < parameter->value_count; i++)
        text_printf(&text, "%s%s", i ? " " : "", value_text(&parameter->values[i], value, sizeof value));
    CU_ASSERT_STRING_EQUAL(text_string(&text), expected);
    text_free(&text);
}

static void test_values(void)
{
    static const struct table table = {
        6, {{"16", "row-major"}, {"-2", "0.5"}, {"016", "1e3"}, {"3", "4"}, {"16.0", "4.0"}, {"100", "col"}}};
    struct space *space = NULL;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(make(&space, &table, names, WIDTH, &error), 0);
    CU_ASSERT_STRING_EQUAL(space->name, "k");
    CU_ASSERT(space->no_default && space->bound && !space->kernel);
    expect_values(&space->parameters[0], "-2 3 16 16.0 100");
    expect_values(&space->parameters[1], "0.5 4 4.0 1000.0 col row-major");
    uint32_t choices[6 * WIDTH], found;
    for (size_t i = 0; i < 6 * WIDTH; i++)
        CU_ASSERT_FATAL(
            space_choice_find(&space->parameters[i % WIDTH], table.rows[i / WIDTH][i % WIDTH], &choices[i]));
    CU_ASSERT(!space_choice_find(&space->parameters[0], "4", &found));
    struct valid_set *set = NULL;
    CU_ASSERT_EQUAL_FATAL(valid_set_from_list(&set, space, choices, 6, &error), 0);
    CU_ASSERT_EQUAL(valid_set_count(set), 6);
    for (size_t i = 0; i < 6; i++)
        CU_ASSERT(valid_set_find(set, choices + i * WIDTH, NULL));
    struct text text = {0};
    uint32_t back[WIDTH];
    space_config_text(space, choices, &text);
    CU_ASSERT_STRING_EQUAL(text_string(&text), "a=16 b=row-major");
    CU_ASSERT_EQUAL(space_config_parse(space, text_string(&text), back, &error), 0);
    CU_ASSERT_EQUAL(memcmp(back, choices, sizeof back), 0);
    text_free(&text);
    valid_set_free(set);
    space_free(space);
}

static void test_errors(void)
{
    static const char *const equal[] = {"a", "a"}, *const empty[] = {"a", ""}, *const blank[] = {"a b", "c"};
    static const struct {
        struct table table;
        const char *const *names;
        size_t width;
        const char *message;
    } rows[] = {
        {{1, {{"1", "2"}}}, equal, 2, "two parameters are named a"},
        {{1, {{"1", "2"}}}, empty, 2, "'' cannot be the name"},
        {{1, {{"1", "2"}}}, blank, 2, "'a b' cannot be the name"},
        {{1, {{"1", "2"}}}, names, 0, "0 parameters"},
        {{1, {{"1", "two words"}}}, names, 2, "'two words' of b is neither"},
        {{2, {{"1", "x"}, {"1e999", "x"}}}, names, 2, "'1e999' of a is neither"},
        {{1, {{"12345678901234567890", "x"}}}, names, 2, "is neither"},
        {{1, {{"x", ""}}}, names, 2, "'' of b is neither"},
        {{1, {{"a_word_of_more_than_sixty_three_characters_is_more_than_it_can_take", "1"}}}, names, 2, "is neither"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct space *space = NULL;
        struct error error = {0};
        CU_ASSERT_EQUAL(make(&space, &rows[i].table, rows[i].names, rows[i].width, &error), ERROR_DATA);
        if (!strstr(error.message, rows[i].message))
            fprintf(stderr, "\nrow %zu: %s", i, error.message);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.message, rows[i].message));
        CU_ASSERT_PTR_NULL(space);
    }
}

static void test_default(void)
{
    static const struct table table = {3, {{"1", "x"}, {"2", "y"}, {"3", "x"}}};
    static const struct {
        const char *default_, *found; /* "": none */
    } rows[] = {{"", ""},    {"a=2 b=y", "a=2 b=y"}, {"b=x a=3", "a=3 b=x"}, {"a=1 b=y", "a=1 b=y"}, {"a=4 b=x", ""},
                {"a=1", ""}, {"a=1 b=x c=1", ""},    {"nonsense", ""}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct space *space = NULL;
        struct error error = {0};
        struct text text = {0};
        uint32_t choices[WIDTH];
        CU_ASSERT_EQUAL_FATAL(space_from_rows(&space,
                                              &(struct space_rows){.path = "j.csv",
                                                                   .name = "k",
                                                                   .title = "",
                                                                   .default_ = rows[i].default_,
                                                                   .parameter_count = WIDTH,
                                                                   .row_count = table.count,
                                                                   .names = names,
                                                                   .row = row_of,
                                                                   .context = &table},
                                              &error),
                              0);
        CU_ASSERT_EQUAL(space->no_default, !*rows[i].found);
        space_default(space, choices);
        if (!space->no_default)
            space_config_text(space, choices, &text);
        CU_ASSERT_STRING_EQUAL(text_string(&text), rows[i].found);
        text_free(&text);
        space_free(space);
    }
}

/* Many values on two levels: building visits only values that occur. */
static const char *many_cells[1 << 16][WIDTH];

static const char *const *many_row(const void *context, size_t row)
{
    (void)context;
    return many_cells[row];
}

static void test_many(void)
{
    enum { MANY = 1 << 16 };
    static char texts[MANY][8];
    struct space *space = NULL;
    struct valid_set *set = NULL;
    struct error error = {0};
    uint32_t *choices = malloc(MANY * WIDTH * sizeof *choices);
    CU_ASSERT_PTR_NOT_NULL_FATAL(choices);
    for (size_t i = 0; i < MANY; i++) {
        snprintf(texts[i], sizeof texts[i], "%zu", i);
        many_cells[i][0] = texts[i];
        many_cells[i ^ 0x5a5a][1] = texts[i];
        choices[2 * i] = (uint32_t)i;
        choices[2 * (i ^ 0x5a5a) + 1] = (uint32_t)i;
    }
    const struct space_rows rows = {.path = "j",
                                    .default_ = "",
                                    .name = "k",
                                    .title = "",
                                    .parameter_count = 2,
                                    .row_count = MANY,
                                    .names = names,
                                    .row = many_row};
    CU_ASSERT_EQUAL_FATAL(space_from_rows(&space, &rows, &error), 0);
    CU_ASSERT_EQUAL(space->parameters[1].value_count, MANY);
    CU_ASSERT_EQUAL_FATAL(valid_set_from_list(&set, space, choices, MANY, &error), 0);
    CU_ASSERT_EQUAL(valid_set_count(set), MANY);
    for (uint32_t i = 0; i < MANY; i += 97)
        CU_ASSERT(valid_set_find(set, (const uint32_t[]){i, i ^ 0x5a5a}, NULL) &&
                  !valid_set_find(set, (const uint32_t[]){i, i}, NULL));
    valid_set_free(set);
    space_free(space);
    free(choices);
}

CU_TestInfo tests_recorded[] = {{"values", test_values},
                                {"the default", test_default},
                                {"errors", test_errors},
                                {"many values", test_many},
                                CU_TEST_INFO_NULL};
