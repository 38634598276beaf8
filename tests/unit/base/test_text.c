#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "base/text.h"

static void grows(void)
{
    struct text text = {0};
    size_t wrong = 0;
    CU_ASSERT_STRING_EQUAL(text_string(&text), "");
    for (int i = 0; i < 5000; i++)
        text_printf(&text, "%04d", i);
    text_append(&text, "a\0b", 3);
    CU_ASSERT_EQUAL(text.length, 20003);
    CU_ASSERT(!text.failed);
    for (int i = 0; i < 5000; i++)
        wrong += text.bytes[4 * i + 3] != '0' + i % 10;
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_EQUAL(memcmp(text.bytes + 20000, "a\0b", 4), 0);
    text_clear(&text);
    CU_ASSERT_STRING_EQUAL(text_string(&text), "");
    text_append(&text, NULL, 0);
    CU_ASSERT_STRING_EQUAL(text_string(&text), "");
    text_free(&text);
    CU_ASSERT_STRING_EQUAL(text_string(&text), "");
}

static void failure_stays_until_cleared(void)
{
    struct text text = {0};
    text_append(&text, "kept", 4);
    text_append(&text, "", SIZE_MAX / 2);
    CU_ASSERT(text.failed);
    text_append(&text, "dropped", 7);
    text_printf(&text, "dropped");
    CU_ASSERT(text.failed);
    CU_ASSERT_STRING_EQUAL(text_string(&text), "kept");
    text_clear(&text);
    text_append(&text, "new", 3);
    CU_ASSERT(!text.failed);
    CU_ASSERT_STRING_EQUAL(text_string(&text), "new");
    text_free(&text);
}

static void control_characters(void)
{
    static const struct {
        const char *string, *kept, *clean;
        char instead;
    } cases[] = {
        {"", "", "", ' '},
        {"plain", "", "plain", '?'},
        {"a\033[2J\nb\x7f", "", "a [2J b ", ' '},
        {"a\tb\nc\r", "\n\t", "a\tb\nc?", '?'},
        {"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", ' '}, /* UTF-8 */
        {"\xef\xbf\xbd|\xef\xbf\xbf", "", "\xef\xbf\xbd|\xef\xbf\xbf", '?'},
        {"\xc2\x80|\xc2\x9b|\xc2\x9f|\xc2\xa0", "", "?|?|?|\xc2\xa0", '?'}, /* C1, and the first character behind it */
        {"\xe2\x80\x8d|\xe2\x80\x8e|\xe2\x80\x8f|\xe2\x80\x90", "", "\xe2\x80\x8d|?|?|\xe2\x80\x90", '?'},
        {"\xe2\x80\xa7|\xe2\x80\xa8|\xe2\x80\xae|\xe2\x80\xaf", "", "\xe2\x80\xa7|?|?|\xe2\x80\xaf", '?'},
        {"\xe2\x81\xa5|\xe2\x81\xa6|\xe2\x81\xa9|\xe2\x81\xaa", "", "\xe2\x81\xa5|?|?|\xe2\x81\xaa", '?'},
        {"\xd8\x9b|\xd8\x9c|\xd8\x9d", "", "\xd8\x9b|?|\xd8\x9d", '?'},
        {"\x80|\xbf|\xc3|\xc3(|\xff\xfe|\xe2\x82", "", "?|?|?|?(|??|??", '?'},          /* invalid UTF-8 */
        {"\xc0\xaf|\xc1\xbf|\xe0\x9f\xbf|\xf0\x8f\xbf\xbf", "", "??|??|???|????", '?'}, /* overlong encodings */
        {"\xe0\xa0\x80|\xf0\x90\x80\x80", "", "\xe0\xa0\x80|\xf0\x90\x80\x80", '?'},
        {"\xed\x9f\xbf|\xed\xa0\x80|\xed\xbf\xbf|\xee\x80\x80", "", "\xed\x9f\xbf|???|???|\xee\x80\x80", '?'},
        {"\xf4\x8f\xbf\xbf|\xf4\x90\x80\x80|\xf8\x88\x80\x80", "", "\xf4\x8f\xbf\xbf|????|????", '?'},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char string[64];
        struct text text = {0};
        strcpy(string, cases[i].string);
        text_clean(string, cases[i].kept, cases[i].instead);
        CU_ASSERT_STRING_EQUAL(string, cases[i].clean);
        text_append(&text, "\n", 1); /* earlier text stays */
        text_append_clean(&text, cases[i].string, cases[i].kept, cases[i].instead);
        CU_ASSERT_STRING_EQUAL(text_string(&text) + 1, cases[i].clean);
        CU_ASSERT_EQUAL(*text_string(&text), '\n');
        text_free(&text);
    }
}

static void escapes_of_json(void)
{
    struct text text = {0};
    text_append_clean(&text, "{\n\t\"a\xc2\x9b\": \"\xe2\x80\xae \xff \x7f\xc3\xa9\"}\r", "\n\t", TEXT_JSON);
    CU_ASSERT_STRING_EQUAL(text_string(&text), "{\n\t\"a\\u009b\": \"\\u202e \\ufffd \\u007f\xc3\xa9\"}\\u000d");
    text_free(&text);
}

typedef const char *format_number(char *buffer, size_t room, double number);
static const struct {
    format_number *format;
    double number;
    const char *text;
} numbers[] = {
    {format_time, 0, "0.000 ns"},           {format_time, 1, "1.000 ns"},
    {format_time, 999.4, "999.4 ns"},       {format_time, 999.96, "1.000 us"}, /* never "1000 ns" */
    {format_time, 44712, "44.71 us"},       {format_time, 1.53e6, "1.530 ms"},
    {format_time, 9.996e6, "9.996 ms"},     {format_time, 99.96e6, "99.96 ms"},
    {format_time, 2.5e9, "2.500 s"},        {format_time, 7.2e12, "7200 s"},
    {format_time, -44712, "-44.71 us"},     {format_rate, 3951e9, "3951 GB/s"},
    {format_rate, 55.04e9, "55.04 GB/s"},   {format_flops, 51.2e12, "51.20 TFLOP/s"},
    {format_flops, 7e9, "7.000 GFLOP/s"},   {format_rate, 12, "12.00 B/s"},
    {format_rate, 12e3, "12.00 kB/s"},      {format_rate, 12e6, "12.00 MB/s"},
    {format_bytes, 512, "512.0 B"},         {format_bytes, 1023, "1023 B"},
    {format_bytes, 1024, "1.000 KiB"},      {format_bytes, 49152, "48.00 KiB"},
    {format_bytes, 268435456, "256.0 MiB"}, {format_bytes, 150.1e9, "139.8 GiB"},
    {format_bytes, 0x1p42, "4.000 TiB"},
};

static void strings_in_a_row(void)
{
    CU_ASSERT_EQUAL(text_strings_bytes("", 0), 0);
    CU_ASSERT_EQUAL(text_strings_bytes("one", 1), 4);
    CU_ASSERT_EQUAL(text_strings_bytes("one\0\0two\0more", 3), 9);
}

static void bytes_of_utf8(void)
{
    static const struct {
        const char *string;
        size_t bytes;
    } rows[] = {{"", 0},
                {"plain", 5},
                {"caf\xc3\xa9", 5},
                {"\xef\xbf\xbd", 3}, /* the replacement character itself */
                {"caf\xe9", 3},
                {"a\xc3", 1},        /* truncated */
                {"a\xc0\x80", 1},    /* overlong */
                {"\xed\xa0\x80", 0}, /* half of a surrogate pair */
                {"x\x80y", 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CU_ASSERT_EQUAL(text_utf8_bytes(rows[i].string), rows[i].bytes);
}

static void numbers_for_people(void)
{
    char text[64];
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        CU_ASSERT_STRING_EQUAL(numbers[i].format(text, sizeof text, numbers[i].number), numbers[i].text);
    CU_ASSERT_PTR_NOT_NULL(format_time(text, sizeof text, NAN));
    CU_ASSERT_PTR_NOT_NULL(format_time(text, sizeof text, INFINITY));
    memset(text, '#', sizeof text);
    format_time(text, 4, 44712);
    CU_ASSERT_STRING_EQUAL(text, "44.");
    CU_ASSERT_EQUAL(text[4], '#');
}

static void nearest_name(void)
{
    static const char *const names[] = {"space", "strategy", "seed", "max-evals", "max-time", "quiet", "tag"};
    static const struct {
        const char *name, *nearest;
    } cases[] = {
        {"spce", "space"},         /* a missing letter */
        {"sspace", "space"},       /* an extra letter */
        {"spaxe", "space"},        /* a wrong letter */
        {"sapce", "space"},        /* two swapped letters: one mistake */
        {"SPACE", "space"},        /* case is ignored */
        {"max-eval", "max-evals"}, /* nearer than max-time */
        {"max-tmie", "max-time"},
        {"stratgey", "strategy"},
        {"sede", "seed"},
        {"tga", "tag"}, /* one of three letters may differ; a swap is one difference */
        {"space", "space"},
        {"banana", NULL},
        {"x", NULL}, /* no letter in common: every name would be equally similar */
        {"", NULL},
        {"a-very-long-name-that-is-longer-than-any-option-of-any-program-will-ever-be", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *nearest = text_nearest(cases[i].name, names, sizeof names / sizeof *names);
        CU_ASSERT_STRING_EQUAL(nearest ? nearest : "(none)", cases[i].nearest ? cases[i].nearest : "(none)");
    }
    CU_ASSERT_PTR_NULL(text_nearest("space", names, 0));
}

static void real_numbers(void)
{
    static const struct {
        double number;
        const char *text;
    } cases[] = {{0, "0"},
                 {0.1, "0.1"},
                 {8706.666666666668, "8706.666666666668"},
                 {8706.66666666667, "8706.66666666667"},
                 {8706.6666666666661, "8706.666666666666"},
                 {0.1 + 0.2, "0.30000000000000004"},
                 {4e12, "4000000000000"},
                 {1e300, "1e+300"},
                 {-5e-324, "-4.94065645841247e-324"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char buffer[TEXT_REAL_BYTES];
        CU_ASSERT_STRING_EQUAL(text_real(cases[i].number, buffer), cases[i].text);
        CU_ASSERT_EQUAL(text_number(buffer, NULL), cases[i].number);
    }
}

/* With sanitizers, this runs in a locale with a decimal comma. */
static void the_same_in_every_locale(void)
{
    char buffer[64], *end = NULL;
    CU_ASSERT_EQUAL(text_number("0.5x", &end), 0.5);
    CU_ASSERT_STRING_EQUAL(end, "x");
    CU_ASSERT_EQUAL(text_number("0,5", &end), 0);
    CU_ASSERT_STRING_EQUAL(end, ",5");
    CU_ASSERT_EQUAL(text_format(buffer, sizeof buffer, "%g %.2f %s", 0.5, 1234567.125, "a"), 16);
    CU_ASSERT_STRING_EQUAL(buffer, "0.5 1234567.12 a");
    CU_ASSERT_EQUAL(text_format(buffer, 3, "%g", 0.25), 4);
    CU_ASSERT_STRING_EQUAL(buffer, "0.");
    CU_ASSERT(text_compare_letters("Iz[", "iZ[", 3) == 0 && text_compare_letters("ab", "ac", 1) == 0);
    CU_ASSERT(text_compare_letters("ab", "ac", 2) < 0 && text_compare_letters("\xc4", "\xe4", 1) != 0);
    for (int c = 0; c < 256; c++) {
        bool upper = c >= 'A' && c <= 'Z', lower = c >= 'a' && c <= 'z', digit = c >= '0' && c <= '9';
        CU_ASSERT_EQUAL(text_is_letter((char)c), upper || lower);
        CU_ASSERT_EQUAL(text_is_digit((char)c), digit);
        CU_ASSERT_EQUAL(text_upper((char)c), (char)(lower ? c - 'a' + 'A' : c));
    }
}

/* A freed text can be used again. */
static void usable_after_free(void)
{
    struct text text = {0};
    for (int i = 0; i < 3; i++) {
        text_printf(&text, "%d", i);
        CU_ASSERT_EQUAL(text.length, 1);
        text_free(&text);
        CU_ASSERT_PTR_NULL(text.bytes);
        CU_ASSERT_EQUAL(text.length + text.capacity, 0);
        CU_ASSERT_STRING_EQUAL(text_string(&text), "");
    }
    text_free(&text);
}

static void formulas_of_spreadsheets(void)
{
    static const struct {
        const char *cell;
        bool formula;
    } rows[] = {{"", false},      {"'", false},   {"a=1", false},  {" =1", false}, {"-1.5", false},
                {"+2e-3", false}, {"-1", false},  {"=1", true},    {"=", true},    {"@SUM(A1)", true},
                {"-1+2", true},   {"-", true},    {"+a", true},    {"-1-", true},  {"\t=1", true},
                {"\r=1", true},   {"\n=1", true}, {"'=1", true},   {"''-1", true}, {"'a", false},
                {"-inf", true},   {"1-2", false}, {"-0x10", true}, {"'", false},   {"--1", true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CU_ASSERT_EQUAL_FATAL(text_is_formula(rows[i].cell), rows[i].formula);
}

CU_TestInfo tests_text[] = {{"formulas of spreadsheets", formulas_of_spreadsheets},
                            {"the same in every locale", the_same_in_every_locale},
                            {"grows", grows},
                            {"usable after it was freed", usable_after_free},
                            {"a failure stays until cleared", failure_stays_until_cleared},
                            {"control characters give way", control_characters},
                            {"escapes of JSON", escapes_of_json},
                            {"strings in a row", strings_in_a_row},
                            {"bytes of UTF-8", bytes_of_utf8},
                            {"numbers for people", numbers_for_people},
                            {"the nearest name", nearest_name},
                            {"real numbers", real_numbers},
                            CU_TEST_INFO_NULL};
