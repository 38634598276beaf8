#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "../scratch.h"
#include "base/random.h"
#include "base/text.h"
#include "database/csv.h"
#include "database/database.h"

/* Records as "line:cell|cell;" for comparison. */
static int join(void *context, const struct csv_record *record, struct error *error)
{
    struct text *text = context;
    (void)error;
    text_printf(text, "%d:", record->line);
    for (size_t i = 0; i < record->count; i++)
        text_printf(text, "%s%s", i ? "|" : "", record->cells[i]);
    text_printf(text, ";");
    return 0;
}

#define TEXT(literal) literal, sizeof(literal) - 1

static const struct {
    const char *text;
    size_t length;
    const char *records; /* NULL: an error on `line` */
    int line, column;
} readings[] = {
    {TEXT(""), "", 0, 0},
    {TEXT("\n\r\n  \n"), "", 0, 0},
    {TEXT("a,b\n1,2\n"), "1:a|b;2:1|2;", 0, 0},
    {TEXT("a,b\r\n1,2\r\n"), "1:a|b;2:1|2;", 0, 0},
    {TEXT("a,b\n1,2"), "1:a|b;2:1|2;", 0, 0},
    {TEXT("a,,\n,b,\n"), "1:a||;2:|b|;", 0, 0},
    {TEXT("\n\na\n\nb\n"), "3:a;5:b;", 0, 0},
    {TEXT("\"a,\"\"b\"\"\nc\",d\ne\n"), "1:a,\"b\"\nc|d;3:e;", 0, 0},
    {TEXT("\"\"\n"), "1:;", 0, 0},
    {TEXT(" a , \" b \" \n"), "1:a| b ;", 0, 0},
    {TEXT("a\rb\n"), "1:a;1:b;", 0, 0},
    {TEXT("a\r\"b\nc\rd\n\"\ne\n"), "1:a;1:b\nc\rd\n;4:e;", 0, 0},
    {TEXT("\r\"b\n\n \"\re,\"f\"\r\n"), "1:b\n\n ;3:e|f;", 0, 0},
    {TEXT("a\r\"b\nc\"d\n"), NULL, 2, 3},
    {TEXT("\xc3\xa4,\xff\n"), "1:\xc3\xa4|\xff;", 0, 0},
    {TEXT("a,b\nc\"d,e\n"), NULL, 2, 2},
    {TEXT("a\n\"b\"c\n"), NULL, 2, 4},
    {TEXT("a\n\"b\nc\n"), NULL, 2, 0},
    {TEXT("a\n\"b"), NULL, 2, 0},
    {TEXT("a\nb,c\0d\n"), NULL, 2, 0},
};

static void reading(void)
{
    for (size_t i = 0; i < sizeof readings / sizeof *readings; i++) {
        struct text found = {0};
        struct error error = {0};
        int code = csv_records("f.csv", readings[i].text, readings[i].length, 1, join, &found, &error);
        if (readings[i].records) {
            CU_ASSERT_EQUAL(code, 0);
            CU_ASSERT_STRING_EQUAL(text_string(&found), readings[i].records);
        } else {
            CU_ASSERT_EQUAL(code, ERROR_DATA);
            CU_ASSERT_EQUAL(error.line, readings[i].line);
            CU_ASSERT_EQUAL(error.column, readings[i].column);
            CU_ASSERT_STRING_EQUAL(error.source, "f.csv");
        }
        text_free(&found);
    }
}

/* Lines without quotes have a fast path, which must agree with libcsv, used for quoted cells. */
static void plain_lines(void)
{
    static const char letters[] = "ab,, \t\r.#=";
    uint64_t state = 7;
    for (int round = 0; round < 20000; round++) {
        struct text line = {0}, plain = {0}, quoted = {0};
        size_t length = random_mix(state, 1) % 12;
        for (size_t i = 0; i < length; i++)
            text_append(&line, &letters[(state = random_mix(state, i)) % (sizeof letters - 1)], 1);
        text_printf(&plain, "%s,\n%s", text_string(&line), text_string(&line));
        text_printf(&quoted, "%s,\"\"\n%s", text_string(&line), text_string(&line));
        struct text left = {0}, right = {0};
        CU_ASSERT_EQUAL(csv_records("f.csv", plain.bytes, plain.length, 1, join, &left, NULL), 0);
        CU_ASSERT_EQUAL(csv_records("f.csv", quoted.bytes, quoted.length, 1, join, &right, NULL), 0);
        if (strcmp(text_string(&left), text_string(&right)) != 0)
            fprintf(stderr, "\n'%s': %s, not %s", text_string(&line), text_string(&left), text_string(&right));
        CU_ASSERT_STRING_EQUAL(text_string(&left), text_string(&right));
        text_free(&line), text_free(&plain), text_free(&quoted);
        text_free(&left), text_free(&right);
    }
}

/* Short numbers also have a fast path. */
static void short_numbers(void)
{
    static const struct csv_column column = {"x", NULL, CSV_REAL, 0, sizeof(double), NULL, 0};
    uint64_t state = 3;
    for (int round = 0; round < 20000; round++) {
        char cell[32];
        double number = -1;
        size_t digits = 1 + (state = random_mix(state, 5)) % 18, point = state / 64 % 20;
        size_t at = 0;
        for (size_t i = 0; i < digits; i++) {
            if (i == point)
                cell[at++] = '.';
            cell[at++] = (char)('0' + (state = random_mix(state, i)) % 10);
        }
        cell[at] = '\0';
        CU_ASSERT_EQUAL(csv_cell_read(&column, cell, &number, NULL), 0);
        CU_ASSERT_EQUAL(number, text_number(cell, NULL));
    }
}

static void too_many_cells(void)
{
    struct text text = {0}, found = {0};
    struct error error = {0};
    for (int i = 1; i < CSV_CELLS_MAX; i++)
        text_append(&text, "a,", 2);
    text_append(&text, "a", 1);
    CU_ASSERT_EQUAL(csv_records("f.csv", text.bytes, text.length, 1, join, &found, NULL), 0);
    text_append(&text, ",a", 2);
    CU_ASSERT_EQUAL(csv_records("f.csv", text.bytes, text.length, 1, join, &found, &error), ERROR_DATA);
    text_free(&text);
    text_free(&found);
}

static int stop(void *context, const struct csv_record *record, struct error *error)
{
    (void)record;
    ++*(int *)context;
    return error_set(error, ERROR_VALUE, "enough");
}

static void stopping(void)
{
    struct error error = {0};
    int calls = 0;
    CU_ASSERT_EQUAL(csv_records("f.csv", TEXT("\n\"a\nb\",c\nd\n\"x"), 10, stop, &calls, &error), ERROR_VALUE);
    CU_ASSERT_EQUAL(calls, 1);
    CU_ASSERT_EQUAL(error.line, 11);
}

static void appending(void)
{
    static const char *const cells[] = {"a",    "",     "a,b", "a\"b\"",   "\"",  "#a", " a", "a ",
                                        "a\nb", "a\r",  "\t",  "\xc3\xa4", "a b", "=",  "=a", "-1.5",
                                        "-x",   "@a,b", "'=",  "''+x",     "'x",  "\t@"};
    enum { COUNT = sizeof cells / sizeof *cells };
    for (size_t i = 0; i < COUNT; i++)
        for (size_t j = 0; j <= COUNT; j++) {
            struct text text = {0}, found = {0}, wanted = {0};
            csv_append(&text, cells[i], j == COUNT);
            if (j < COUNT)
                csv_append(&text, cells[j], true);
            CU_ASSERT_PTR_NULL(strchr("#=@\t", text.bytes[0]));
            CU_ASSERT_PTR_NULL(strstr(text.bytes, ",="));
            CU_ASSERT_PTR_NULL(strstr(text.bytes, "\"@"));
            csv_records("f.csv", text.bytes, text.length, 1, join, &found, NULL);
            text_printf(&wanted, "1:%s%s%s;", cells[i], j < COUNT ? "|" : "", j < COUNT ? cells[j] : "");
            CU_ASSERT_STRING_EQUAL(text_string(&found), text_string(&wanted));
            text_free(&text);
            text_free(&found);
            text_free(&wanted);
        }
}

struct fields {
    double real;
    int64_t natural, integer;
    uint32_t count;
    char chars[4];
    double time;
    uint64_t suspicions;
};

static const struct csv_column columns[] = {
    CSV_COLUMN("real", CSV_REAL, struct fields, real, NULL),
    CSV_COLUMN("natural", CSV_NATURAL, struct fields, natural, NULL),
    CSV_COLUMN("integer", CSV_INTEGER, struct fields, integer, NULL),
    CSV_COLUMN("count", CSV_COUNT, struct fields, count, NULL),
    CSV_COLUMN("chars", CSV_CHARS, struct fields, chars, NULL),
    {"time", NULL, CSV_VALUE, offsetof(struct fields, time), sizeof(double), &objective_row_time, 0},
    CSV_COLUMN("above zero", CSV_ABOVE_ZERO, struct fields, real, NULL),
    CSV_COLUMN("share", CSV_SHARE, struct fields, real, NULL),
    CSV_COLUMN("whole", CSV_WHOLE, struct fields, integer, NULL),
    CSV_COLUMN("suspicions", CSV_SUSPICIONS, struct fields, suspicions, NULL),
};

static const struct {
    int column;
    const char *cell;
    int good;
} cells[] = {
    {0, "", 1},
    {0, "1.5", 1},
    {0, "1e30", 1},
    {0, "1.1e30", 0},
    {0, "0", 1},
    {0, "1e999", 0},
    {0, "-1", 0},
    {0, "nan", 0},
    {0, "inf", 0},
    {0, "0x10", 0},
    {0, "1.5x", 0},
    {0, " 1", 0},
    {0, "1e", 0},
    {0, "1,5", 0},
    {1, "", 1},
    {1, "7", 1},
    {1, "-1", 0},
    {1, "1.0", 0},
    {1, "9223372036854775808", 0},
    {2, "-7", 1},
    {2, "", 1},
    {2, "x", 0},
    {2, "--1", 0},
    {2, "-9223372036854775808", 1},
    {3, "", 1},
    {3, "4294967295", 1},
    {3, "4294967296", 0},
    {3, "-1", 0},
    {4, "abc", 1},
    {4, "abcd", 0},
    {5, "", 1},
    {5, "1e-9", 1},
    {5, "139052.5", 1},
    {5, "1e18", 1},
    {5, "0", 0},
    {5, "1e-10", 0},
    {5, "1.1e18", 0},
    {5, "-1", 0},
    {6, "", 1},
    {6, "0", 0},
    {6, "1e-30", 1},
    {7, "", 1},
    {7, "0", 1},
    {7, "1", 1},
    {7, "1.01", 0},
    {8, "", 1},
    {8, "0", 1},
    {8, "9223372036854775807", 1},
    {8, "-1", 0},
};

static void reading_cells(void)
{
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        struct fields fields = {0};
        struct error error = {0};
        int code = csv_cell_read(&columns[cells[i].column], cells[i].cell, &fields, &error);
        CU_ASSERT_EQUAL(code, cells[i].good ? 0 : ERROR_DATA);
        CU_ASSERT_EQUAL(error.hint[0] != '\0', !cells[i].good);
        if (cells[i].good && *cells[i].cell && cells[i].column != 4)
            CU_ASSERT_EQUAL(csv_cell_number(&columns[cells[i].column], &fields), text_number(cells[i].cell, NULL));
    }
}

/* Evidence is kept as names, in the order of the bits. */
static void evidence_in_cells(void)
{
    static const struct {
        const char *cell, *written;
        uint64_t bits;
        bool good;
    } rows[] = {{"", "", 0, true},
                {"clock", "clock", 1u << SUSPICION_clock, true},
                {"clock/wall", "wall/clock", 1u << SUSPICION_clock | 1u << SUSPICION_wall, true},
                {"later_launch/input_changed/variables/wall/clock", "later_launch/input_changed/variables/wall/clock",
                 (1u << SUSPICION_COUNT) - 1, true},
                {"cloc", "", 0, false},
                {"clock,wall", "", 0, false},
                {"/clock", "", 0, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fields fields = {0};
        struct error error = {0};
        char buffer[CSV_BUFFER_BYTES];
        const char *cell;
        CU_ASSERT_EQUAL(csv_cell_read(&columns[9], rows[i].cell, &fields, &error) == 0, rows[i].good);
        if (!rows[i].good)
            continue;
        CU_ASSERT_EQUAL(fields.suspicions, rows[i].bits);
        CU_ASSERT_EQUAL(csv_cell_text(&columns[9], &fields, buffer, &cell, &error), 0);
        CU_ASSERT_STRING_EQUAL(cell, rows[i].written);
    }
}

/* A refusal lists the allowed names. */
static void names_in_cells(void)
{
    static const struct {
        enum csv_kind kind;
        const char *good[5], *hint;
    } cases[] = {
        {CSV_PLAYOFF, {"", "leader", "tied", "lost", "unsteady"}, "expected leader, tied, lost, unsteady, or empty"},
        {CSV_PROPOSER,
         {"", "default", "warm_start", "strategy", "resume"},
         "expected default, warm_start, strategy, resume, fit, incumbent, or empty"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct csv_column column = {.name = "who", .kind = cases[i].kind};
        struct error error = {0};
        int field;
        for (size_t g = 0; g < 5 && cases[i].good[g]; g++)
            CU_ASSERT_EQUAL(csv_cell_read(&column, cases[i].good[g], &field, NULL), 0);
        CU_ASSERT_EQUAL(csv_cell_read(&column, "nobody", &field, &error), ERROR_DATA);
        CU_ASSERT_STRING_EQUAL(error.message, "who cannot be 'nobody'");
        CU_ASSERT_STRING_EQUAL(error.hint, cases[i].hint);
    }
}

static void numbers_survive(void)
{
    uint64_t state = 88172645463325252u;
    for (int i = 0; i < 20000; i++) {
        struct fields before = {0}, after = {0};
        char buffer[CSV_BUFFER_BYTES];
        const char *cell;
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        uint64_t bits = state >> 1; /* not negative */
        memcpy(&before.real, &bits, sizeof bits);
        if (!(before.real <= 1e30))
            continue;
        before.integer = (int64_t)state;
        CU_ASSERT_EQUAL_FATAL(csv_cell_text(&columns[0], &before, buffer, &cell, NULL), 0);
        CU_ASSERT_EQUAL_FATAL(csv_cell_read(&columns[0], cell, &after, NULL), 0);
        CU_ASSERT_EQUAL_FATAL(memcmp(&before.real, &after.real, sizeof after.real), 0);
        CU_ASSERT_EQUAL_FATAL(csv_cell_text(&columns[2], &before, buffer, &cell, NULL), 0);
        CU_ASSERT_EQUAL_FATAL(csv_cell_read(&columns[2], cell, &after, NULL), 0);
        CU_ASSERT_EQUAL_FATAL(before.integer, after.integer);
    }
    struct fields wrong = {.real = INFINITY, .natural = -2};
    char buffer[CSV_BUFFER_BYTES];
    const char *cell;
    CU_ASSERT_EQUAL(csv_cell_text(&columns[0], &wrong, buffer, &cell, NULL), ERROR_VALUE);
    CU_ASSERT_EQUAL(csv_cell_text(&columns[1], &wrong, buffer, &cell, NULL), ERROR_VALUE);
    wrong = (struct fields){.real = 1.5, .integer = -1};
    CU_ASSERT_EQUAL(csv_cell_text(&columns[7], &wrong, buffer, &cell, NULL), ERROR_VALUE);
    CU_ASSERT_EQUAL(csv_cell_text(&columns[8], &wrong, buffer, &cell, NULL), ERROR_VALUE);
    wrong.real = 0;
    CU_ASSERT_EQUAL(csv_cell_text(&columns[6], &wrong, buffer, &cell, NULL), ERROR_VALUE);
    CU_ASSERT_EQUAL(csv_cell_text(&columns[7], &wrong, buffer, &cell, NULL), 0);
}

static void no_file(void)
{
    struct text text = {0};
    CU_ASSERT_EQUAL(csv_load("/dev/zero", &text, NULL), ERROR_IO);
    CU_ASSERT_EQUAL(csv_load("/tmp", &text, NULL), ERROR_IO);
    CU_ASSERT_EQUAL(csv_load("/nowhere/at/all", &text, NULL), ERROR_NOT_FOUND);
    text_free(&text);
}

CU_TestInfo tests_csv[] = {{"records and malformed ones", reading},
                           {"plain lines", plain_lines},
                           {"short numbers", short_numbers},
                           {"too many cells", too_many_cells},
                           {"csv_take stops the reading", stopping},
                           {"appended fields read back", appending},
                           {"cells", reading_cells},
                           {"names in cells", names_in_cells},
                           {"evidence in cells", evidence_in_cells},
                           {"numbers read back as themselves", numbers_survive},
                           {"only regular files are read", no_file},
                           CU_TEST_INFO_NULL};
