/* The file of a saved search: edited, damaged, and of another version. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include <cutune.h>

#include "api/api_search.h"
#include "base/hash.h"

static const char *const tiles[] = {"8", "16", "32", "64"}, *const rows[] = {"1", "2", "4"};
static const struct cutune_search_parameter parameters[] = {{"TILE", 4, tiles}, {"ROWS", 3, rows}};
static const struct cutune_search_space space = {
    .parameter_count = 2, .parameters = parameters, .default_ = "TILE=16 ROWS=2"};

static struct cutune_search *open_search(const struct cutune_search_space *of)
{
    struct cutune_search *search = NULL;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(search_open(&search, of, &error), 0);
    return search;
}

static void tell(struct cutune_search *search, const char *text, struct cutune_answer answer)
{
    unsigned long long configuration;
    CU_ASSERT_EQUAL_FATAL(cutune_search_find(search, text, &configuration, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(cutune_search_tell(search, configuration, &answer, NULL), 0);
}

/* A search with all kinds of steps. Returns the number of configurations in flight. */
static size_t print_sample(struct text *text)
{
    struct cutune_search *search = open_search(&space);
    unsigned long long asked[3];
    size_t count;
    CU_ASSERT_EQUAL_FATAL(search_start(search, "random", 7, &(struct error){0}), 0);
    CU_ASSERT_EQUAL_FATAL(cutune_search_ask(search, asked, 3, &count, NULL), 0);
    tell(search, "TILE=16 ROWS=2", (struct cutune_answer){.value = 0.1, .effort_s = 1.5});
    tell(search, "TILE=64 ROWS=4", (struct cutune_answer){.kind = CUTUNE_ANSWER_FAILURE, .cause = 4});
    tell(search, "TILE=8 ROWS=4",
         (struct cutune_answer){.kind = CUTUNE_ANSWER_STOPPED, .value = 2, .least = 1.25, .effort_s = NAN});
    search_print(search, text);
    count = cutune_search_in_flight(search, NULL, 0);
    cutune_search_close(search);
    return count;
}

/* The order of a permutation is the same on all machines. */
static const char sample[] = "cutune search 1\n"
                             "strategy random\n"
                             "seed 7\n"
                             "space %s\n"
                             "default\n"
                             "propose TILE=16 ROWS=2\n"
                             "ask 2\n"
                             "propose %s\n"
                             "propose %s\n"
                             "value 0.1 1.5 TILE=16 ROWS=2\n"
                             "failure 4 0 TILE=64 ROWS=4\n"
                             "stopped 2 1.25 0 TILE=8 ROWS=4\n"
                             "end %s\n";

/* Returns the word at the end of a line. */
static const char *rest_of(const char *text, const char *before, char *word, size_t room)
{
    const char *at = strstr(text, before);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    at += strlen(before);
    snprintf(word, room, "%.*s", (int)strcspn(at, "\n"), at);
    return at;
}

static void has_a_line_for_each_step(void)
{
    struct text text = {0};
    char expected[1024], of[40], first[40], second[40], hash[40];
    print_sample(&text);
    rest_of(text_string(&text), "\nspace ", of, sizeof of);
    rest_of(rest_of(text_string(&text), "ask 2\npropose ", first, sizeof first), "propose ", second, sizeof second);
    rest_of(text_string(&text), "\nend ", hash, sizeof hash);
    snprintf(expected, sizeof expected, sample, of, first, second, hash);
    CU_ASSERT_STRING_EQUAL(text_string(&text), expected);
    CU_ASSERT_EQUAL(strlen(of), 32);
    text_free(&text);
}

/* Replaces the first `old` by `fresh`. */
static void edit(struct text *text, const char *old, const char *fresh)
{
    struct text edited = {0};
    const char *at = strstr(text_string(text), old);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    text_printf(&edited, "%.*s%s%s", (int)(at - text->bytes), text->bytes, fresh, at + strlen(old));
    text_free(text);
    *text = edited;
}

static void hash_again(struct text *text)
{
    char hash[HASH_HEX_BYTES];
    text->length = (size_t)(strstr(text_string(text), "\nend ") + 1 - text->bytes);
    hash_hex(text->bytes, text->length, hash);
    text_printf(text, "end %s\n", hash);
}

static const struct {
    const char *old, *fresh;
    bool hashed; /* with a hash that fits the edited lines */
    enum error_code code;
    const char *message;
    int line;
    bool same;
} edits[] = {
    {"cutune", "cutune", true, ERROR_NONE, "", 0, true},
    {"0.1", "0.2", false, ERROR_DATA, "the hash of the lines is another", 13, false},
    {"0.1", "0.2", true, ERROR_NONE, "", 0, true},
    {"seed 7", "seed 8", true, ERROR_NONE, "", 0, false}, /* as if the strategy had changed */
    {"ask 2\npropose", "ask 1\npropose", true, ERROR_DATA, "more proposals than were asked for", 9, false},
    {"ask 2", "ask 9", true, ERROR_NONE, "", 0, false},
    {"ask 2", "ask 0", true, ERROR_DATA, "impossible", 7, false},
    {"ask 2", "ask 65", true, ERROR_DATA, "impossible", 7, false},
    {"ask 2", "ask 2x", true, ERROR_DATA, "impossible", 7, false},
    {"ask 2", "ask", true, ERROR_DATA, "impossible", 7, false},
    {"ask 2", "default", true, ERROR_DATA, "more proposals", 9, false},
    {"default\n", "", true, ERROR_DATA, "no step", 5, false},
    {"default\npropose TILE=16 ROWS=2\n", "", true, ERROR_NONE, "", 0, true},
    {"propose TILE=16 ROWS=2\n", "", true, ERROR_DATA, "no proposal follows", 5, false},
    {"propose TILE=16", "propose TILE=17", true, ERROR_DATA, "not of this space", 6, false},
    {"propose TILE=16 ROWS=2", "propose", true, ERROR_DATA, "not of this space", 6, false},
    {"value 0.1", "value 0", true, ERROR_DATA, "not a positive", 10, false},
    {"value 0.1", "value nan", true, ERROR_DATA, "no step", 10, false},
    {"value 0.1", "value", true, ERROR_DATA, "no step", 10, false},
    {"value 0.1 1.5", "value 0.1 -1", true, ERROR_DATA, "effort", 10, false},
    {"value 0.1", "valued 0.1", true, ERROR_DATA, "no step", 10, false},
    {"failure 4 0 TILE=64 ROWS=4", "failure 4 0 TILE=16 ROWS=2", true, ERROR_DATA, "has an answer", 11, false},
    {"failure 4", "failure 4294967296", true, ERROR_DATA, "no step", 11, false},
    {"failure 4", "failure -1", true, ERROR_DATA, "no step", 11, false},
    {"stopped 2 1.25", "stopped 2", true, ERROR_DATA, "no step", 12, false},
    {"\nstopped", "\n\nstopped", true, ERROR_DATA, "no step", 12, false},
    {"strategy random", "strategy anneal", true, ERROR_USAGE, "anneal", 0, false},
    {"strategy random\n", "", true, ERROR_DATA, "strategy, seed and space", 4, false},
    {"seed 7", "seed -7", true, ERROR_DATA, "strategy, seed and space", 4, false},
    {"seed 7", "seed 18446744073709551616", true, ERROR_DATA, "strategy, seed and space", 4, false},
    {"space ", "space 0", true, ERROR_DATA, "saved for another space", 0, false},
    {"search 1", "search 2", false, ERROR_SCHEMA, "newer", 0, false},
    {"search 1", "search 0", true, ERROR_DATA, "no version", 1, false},
    {"search 1", "search", true, ERROR_DATA, "begins otherwise", 1, false},
    {"cutune", "", true, ERROR_DATA, "begins otherwise", 1, false},
    {"\nend ", "\nEnd ", false, ERROR_DATA, "the last line is missing", 13, false},
};

static void refuses_damage(void)
{
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        struct cutune_search *search = open_search(&space);
        struct text text = {0};
        struct error error = {0};
        bool same = false;
        size_t in_flight = print_sample(&text);
        edit(&text, edits[i].old, edits[i].fresh);
        if (edits[i].hashed)
            hash_again(&text);
        int code = search_parse(search, "f.txt", text.bytes, text.length, &same, &error);
        if (code != (int)edits[i].code || !strstr(error.message, edits[i].message) || error.line != edits[i].line ||
            (!code && same != edits[i].same))
            printf("row %zu: %d, line %d: %s; same %d\n", i, code, error.line, error.message, same);
        CU_ASSERT_EQUAL(code, (int)edits[i].code);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.message, edits[i].message));
        CU_ASSERT_EQUAL(error.line, edits[i].line);
        if (!code) { /* the answers are known in any case */
            CU_ASSERT_EQUAL(same, edits[i].same);
            CU_ASSERT_EQUAL(search->told, 3);
            CU_ASSERT_EQUAL(cutune_search_in_flight(search, NULL, 0), same ? in_flight : 0);
        }
        text_free(&text);
        cutune_search_close(search);
    }
}

/* Every shorter text, and every single changed bit. */
static void refuses_a_part(void)
{
    struct text text = {0};
    print_sample(&text);
    for (size_t length = 0; length < text.length; length++) {
        struct cutune_search *search = open_search(&space);
        struct error error = {0};
        bool same;
        CU_ASSERT_EQUAL(search_parse(search, "f.txt", text.bytes, length, &same, &error), ERROR_DATA);
        char kept = text.bytes[length];
        text.bytes[length] = (char)(kept ^ 1);
        error = (struct error){0};
        CU_ASSERT_NOT_EQUAL(search_parse(search, "f.txt", text.bytes, text.length, &same, &error), 0);
        text.bytes[length] = kept;
        cutune_search_close(search);
    }
    text_free(&text);
}

static void is_of_one_space(void)
{
    static const char *const others[] = {"8", "16", "32", "128"}, *const conditions[] = {"TILE != 16 || ROWS > 0"};
    const struct cutune_search_parameter renamed[] = {{"TILE", 4, tiles}, {"ROW", 3, rows}},
                                         fewer[] = {{"TILE", 4, tiles}, {"ROWS", 2, rows}},
                                         swapped[] = {{"ROWS", 3, rows}, {"TILE", 4, tiles}},
                                         changed[] = {{"TILE", 4, others}, {"ROWS", 3, rows}};
    const struct cutune_search_space spaces[] = {
        {.parameter_count = 2, .parameters = parameters},
        {.parameter_count = 2, .parameters = parameters, .default_ = "TILE=16 ROWS=1"},
        {.parameter_count = 2, .parameters = renamed},
        {.parameter_count = 2, .parameters = fewer, .default_ = space.default_},
        {.parameter_count = 2, .parameters = swapped, .default_ = space.default_},
        {.parameter_count = 2, .parameters = changed, .default_ = space.default_},
        {.parameter_count = 2,
         .parameters = parameters,
         .default_ = space.default_,
         .constraint_count = 1,
         .constraints = conditions}};
    struct text text = {0};
    print_sample(&text);
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        struct cutune_search *search = open_search(&spaces[i]);
        struct error error = {0};
        bool same;
        CU_ASSERT_EQUAL(search_parse(search, "f.txt", text.bytes, text.length, &same, &error), ERROR_DATA);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "saved for another space"));
        cutune_search_close(search);
    }
    text_free(&text);
}

CU_TestInfo tests_api_search_file[] = {{"it has a line for each step", has_a_line_for_each_step},
                                       {"damage is refused", refuses_damage},
                                       {"a part is refused", refuses_a_part},
                                       {"it is of one space", is_of_one_space},
                                       CU_TEST_INFO_NULL};
