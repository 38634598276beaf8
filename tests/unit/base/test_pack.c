/* Packs and unpacks values and structs; refuses everything else. */
#include "pack_check.h"

#include <math.h>

#include "base/limits.h"
#include "base/measurement.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- Single values ---- */

static void values_come_back(void)
{
    struct text packed = {0};
    pack_u64(&packed, UINT64_MAX - 1);
    pack_string(&packed, "");
    pack_f64(&packed, -0.1);
    pack_bytes(&packed, "a\0b", 3);
    pack_string(&packed, "word");
    struct unpack unpack = unpack_start(packed.bytes, packed.length);
    size_t length;
    CU_ASSERT_EQUAL(unpack_u64(&unpack), UINT64_MAX - 1);
    CU_ASSERT_STRING_EQUAL(unpack_string(&unpack), "");
    CU_ASSERT_EQUAL(unpack_f64(&unpack), -0.1);
    CU_ASSERT_EQUAL(memcmp(unpack_bytes(&unpack, &length), "a\0b", 3), 0);
    CU_ASSERT_EQUAL(length, 3);
    CU_ASSERT(!unpack_finished(&unpack));
    CU_ASSERT_STRING_EQUAL(unpack_string(&unpack), "word");
    CU_ASSERT(unpack_finished(&unpack));
    CU_ASSERT_EQUAL(unpack_u64(&unpack), 0);
    CU_ASSERT(unpack.failed && !unpack_finished(&unpack));
    /* Truncated anywhere, unpacking fails without reading beyond an allocation of that size. */
    for (size_t cut = 0; cut < packed.length; cut++) {
        char *bytes = malloc(cut + 1);
        CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
        memcpy(bytes + 1, packed.bytes, cut);
        unpack = unpack_start(bytes + 1, cut);
        unpack_u64(&unpack);
        unpack_string(&unpack);
        unpack_f64(&unpack);
        unpack_bytes(&unpack, &length);
        CU_ASSERT_STRING_EQUAL(unpack_string(&unpack), "");
        CU_ASSERT(unpack.failed);
        free(bytes);
    }
    text_free(&packed);
    unpack = unpack_start(NULL, 0);
    CU_ASSERT(unpack_finished(&unpack));
}

/* The byte order is the same on every host. */
static void the_lowest_byte_is_first(void)
{
    static const unsigned char expected[] = {8, 7, 6, 5, 4, 3, 2,    1,    /* the integer */
                                             0, 0, 0, 0, 0, 0, 0xf8, 0xbf, /* -1.5 */
                                             2, 0, 0, 0, 0, 0, 0,    0,    'x', 0 /* "x" */};
    unsigned char bytes[8];
    struct text packed = {0};
    pack_u64(&packed, 0x0102030405060708);
    pack_f64(&packed, -1.5);
    pack_string(&packed, "x");
    CU_ASSERT_EQUAL_FATAL(packed.length, sizeof expected);
    CU_ASSERT_EQUAL(memcmp(packed.bytes, expected, sizeof expected), 0);
    pack_store(bytes, 0x0102030405060708);
    CU_ASSERT_EQUAL(memcmp(bytes, expected, sizeof bytes), 0);
    CU_ASSERT_EQUAL(pack_load(bytes), 0x0102030405060708);
    text_free(&packed);
}

/* A failure is permanent: nothing behind it is read. */
static void failures_stay(void)
{
    static const struct {
        const char *bytes;
        size_t length;
    } strings[] = {
        {"\0\0\0\0\0\0\0\0", 8},                     /* empty: the NUL is missing */
        {"\2\0\0\0\0\0\0\0ab", 10},                  /* the final NUL is missing */
        {"\3\0\0\0\0\0\0\0a\0\0", 11},               /* an earlier NUL */
        {"\3\0\0\0\0\0\0\0a\0", 10},                 /* too short */
        {"\377\377\377\377\377\377\377\377a\0", 10}, /* longer than possible */
    };
    for (size_t i = 0; i < COUNT(strings); i++) {
        struct unpack unpack = unpack_start(strings[i].bytes, strings[i].length);
        CU_ASSERT_STRING_EQUAL(unpack_string(&unpack), "");
        CU_ASSERT(unpack.failed);
        unpack.at = "12345678";
        unpack.end = unpack.at + 8;
        CU_ASSERT_EQUAL(unpack_u64(&unpack), 0);
        CU_ASSERT(unpack.failed);
    }
}

/* ---- Structs ---- */

struct inner {
    int8_t small;
    uint16_t medium;
};
enum colour { RED, GREEN, COLOURS };
struct outer {
    bool yes;
    enum colour colour;
    int32_t index;
    int64_t wide;
    double real, reals[2];
    uint32_t triple[3];
    char text[6];
    unsigned char raw[5];
    const char *string, *strings;
    size_t string_count;
    const void *range;
    size_t range_bytes;
    struct inner inner;
    uint16_t row_count;
    struct inner rows[3];
    int local; /* not packed */
};
PACK_OWN_TABLE(inner_table, struct inner, PACK_NUMBER(struct inner, small), PACK_NUMBER(struct inner, medium));
PACK_OWN_TABLE(outer_table, struct outer, PACK_NUMBER(struct outer, yes), PACK_BELOW(struct outer, colour, COLOURS),
               PACK_BELOW(struct outer, index, 7), PACK_NUMBER(struct outer, wide), PACK_NUMBER(struct outer, real),
               PACK_NUMBERS(struct outer, reals), PACK_NUMBERS(struct outer, triple), PACK_TEXT(struct outer, text),
               PACK_RAW(struct outer, raw), PACK_STRING(struct outer, string),
               PACK_STRINGS(struct outer, strings, string_count), PACK_RANGE(struct outer, range, range_bytes),
               PACK_STRUCT(struct outer, inner, inner_table), PACK_ROWS(struct outer, rows, row_count, inner_table));

static const struct outer example = {.yes = true,
                                     .colour = GREEN,
                                     .index = -1,
                                     .wide = INT64_MIN,
                                     .real = -0.0,
                                     .reals = {1e300, INFINITY},
                                     .triple = {1, 0, UINT32_MAX},
                                     .text = "12345",
                                     .raw = {0, 255, 0, 1, 2},
                                     .string = "a string",
                                     .strings = "one\0two\0",
                                     .string_count = 3, /* the last string is empty */
                                     .range = "\0\1",
                                     .range_bytes = 2,
                                     .inner = {-128, 65535},
                                     .row_count = 2,
                                     .rows = {{1, 2}, {-1, 4}, {9, 9}},
                                     .local = 5};

static void structs_come_back(void)
{
    struct text packed = {0};
    struct outer back;
    pack_struct(&packed, &outer_table, &example);
    CU_ASSERT_FATAL(unpack_whole(packed.bytes, packed.length, &outer_table, &back));
    CU_ASSERT(back.yes && back.colour == GREEN && back.index == -1 && back.wide == INT64_MIN);
    CU_ASSERT(back.real == 0 && signbit(back.real) && back.reals[0] == 1e300 && back.reals[1] == INFINITY);
    CU_ASSERT_EQUAL(memcmp(back.triple, example.triple, sizeof back.triple), 0);
    CU_ASSERT_STRING_EQUAL(back.text, "12345");
    CU_ASSERT_EQUAL(memcmp(back.raw, example.raw, sizeof back.raw), 0);
    CU_ASSERT_STRING_EQUAL(back.string, "a string");
    CU_ASSERT_EQUAL(back.string_count, 3);
    CU_ASSERT_EQUAL(memcmp(back.strings, "one\0two\0", 9), 0);
    CU_ASSERT_EQUAL(back.range_bytes, 2);
    CU_ASSERT_EQUAL(memcmp(back.range, "\0\1", 2), 0);
    CU_ASSERT(back.inner.small == -128 && back.inner.medium == 65535);
    CU_ASSERT_EQUAL(back.row_count, 2);
    CU_ASSERT(back.rows[0].small == 1 && back.rows[0].medium == 2 && back.rows[1].small == -1);
    CU_ASSERT(back.rows[2].small == 0 && back.local == 0); /* not packed */
    text_free(&packed);
    static const struct pack_left_out left[] = {LEFT_OUT(struct outer, local)};
    expect_complete("outer", &outer_table, left, COUNT(left));
    expect_travels("outer", &outer_table, &example);
}

/* Two fields with one count. */
struct named {
    const char *names;
    struct inner rows[3];
    uint16_t count;
};
PACK_OWN_TABLE(named_table, struct named, PACK_STRINGS(struct named, names, count),
               PACK_ROWS(struct named, rows, count, inner_table));

static void counts_agree(void)
{
    enum { ROWS_WORD = 8 + 8 + 4 }; /* behind the number of strings, their size and the strings */
    const struct named from = {"a\0b", {{1, 2}, {3, 4}}, 2};
    struct named back;
    struct text packed = {0};
    pack_struct(&packed, &named_table, &from);
    CU_ASSERT_FATAL(unpack_whole(packed.bytes, packed.length, &named_table, &back));
    CU_ASSERT(back.count == 2 && memcmp(back.names, "a\0b", 4) == 0 && back.rows[1].medium == 4);
    CU_ASSERT_EQUAL_FATAL(packed.bytes[ROWS_WORD], 2);
    packed.bytes[ROWS_WORD] = 1;
    CU_ASSERT(!unpack_whole(packed.bytes, packed.length - 16, &named_table, &back));
    CU_ASSERT_EQUAL(back.count, 0);
    text_free(&packed);
    expect_complete("named", &named_table, NULL, 0);
    expect_travels("named", &named_table, &from);
}

/* Numbers of a struct, changed in its packed bytes. */
static void values_out_of_range_are_refused(void)
{
    static const struct {
        size_t word; /* index of the packed word */
        uint64_t number;
        bool accepted;
    } rows[] = {
        {0, 0, true},
        {0, 2, false}, /* a bool */
        {0, 256, false},
        {1, COLOURS - 1, true},
        {1, COLOURS, false},
        {1, (uint64_t)1 << 32, false}, /* exceeds an enum */
        {2, 6, true},
        {2, 7, false},
        {2, (uint64_t)-1, true},
        {2, (uint64_t)-2, false},
        {2, UINT32_MAX, false}, /* not -1 */
        {3, (uint64_t)INT64_MAX, true},
        {7, UINT32_MAX, true},
        {7, (uint64_t)UINT32_MAX + 1, false},
        {10, 7, false}, /* the text's length */
    };
    struct text packed = {0}, again = {0};
    pack_struct(&packed, &outer_table, &example);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct text changed = {0};
        text_append(&changed, packed.bytes, packed.length);
        pack_store((unsigned char *)changed.bytes + 8 * rows[i].word, rows[i].number);
        bool accepted = pack_again(&outer_table, changed.bytes, changed.length, &again);
        if (accepted != rows[i].accepted)
            fprintf(stderr, "\nrow %zu is %s", i, accepted ? "accepted" : "refused");
        CU_ASSERT_EQUAL(accepted, rows[i].accepted);
        text_free(&changed);
    }
    text_free(&again);
    text_free(&packed);
}

/* Fields of a struct other than numbers. */
static void parts_that_do_not_fit_are_refused(void)
{
    struct text packed = {0};
    struct outer back;
    struct more {
        char text[16];
        const char *strings;
        size_t count;
        struct inner rows[4];
        size_t row_count;
    } more = {.text = "123456", .strings = "one\0two", .count = 2, .row_count = 4};
    struct fewer {
        char text[6];
        const char *strings;
        size_t count;
        struct inner rows[3];
        size_t row_count;
    } fewer;
    static const struct pack_field more_fields[] = {PACK_TEXT(struct more, text),
                                                    PACK_STRINGS(struct more, strings, count),
                                                    PACK_ROWS(struct more, rows, row_count, inner_table)},
                                   fewer_fields[] = {PACK_TEXT(struct fewer, text),
                                                     PACK_STRINGS(struct fewer, strings, count),
                                                     PACK_ROWS(struct fewer, rows, row_count, inner_table)};
    for (size_t i = 0; i < COUNT(more_fields); i++) {
        const struct pack_table from = {sizeof more, 1, &more_fields[i]}, to = {sizeof fewer, 1, &fewer_fields[i]};
        text_clear(&packed);
        pack_struct(&packed, &from, &more);
        if (more_fields[i].kind == PACK_KIND_STRINGS) {
            CU_ASSERT(unpack_whole(packed.bytes, packed.length, &to, &fewer));
            packed.bytes[0] = 3; /* strings that do not exist */
        }
        CU_ASSERT(!unpack_whole(packed.bytes, packed.length, &to, &fewer));
    }
    /* A missing string, and one without an end. */
    const struct pack_table strings = {sizeof fewer, 1, &fewer_fields[1]};
    CU_ASSERT(unpack_whole("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16, &strings, &fewer));
    CU_ASSERT_EQUAL(fewer.count, 0);
    CU_ASSERT(!unpack_whole("\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0a", 17, &strings, &fewer));
    CU_ASSERT(!unpack_whole("\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\0a", 18, &strings, &fewer));
    /* An earlier failure persists and yields a zeroed struct. */
    struct unpack unpack = unpack_start(packed.bytes, packed.length);
    unpack.failed = true;
    memset(&back, 1, sizeof back);
    CU_ASSERT(!unpack_struct(&unpack, &outer_table, &back));
    CU_ASSERT(back.wide == 0 && back.string == NULL);
    text_free(&packed);
}

/* ---- The structs of this layer ---- */

static void measurements_travel(void)
{
    struct measurement measurement = measurement_unknown(STATUS_DUPLICATE);
    measurement.playoff = PLAYOFF_LOST;
    measurement.proposer = PROPOSER_RESUME;
    measurement.value = 1.25;
    measurement.samples = 7;
    measurement.processes = 6;
    measurement_explain(&measurement, "why");
    expect_complete("measurement", &measurement_table, NULL, 0);
    expect_travels("measurement", &measurement_table, &measurement);
}

static void limits_travel(void)
{
    struct device_limits limits = {.name = "NVIDIA H200", .uuid = "GPU-1", .driver = "580", .cuda = 13000};
    struct ceilings ceilings = {1, 2, NAN, 4};
    for (size_t i = 0; i < limit_count; i++)
        limit_put(&limits, &limit_rows[i], (int64_t)i);
    expect_complete("device_limits", &device_limits_table, NULL, 0);
    expect_travels("device_limits", &device_limits_table, &limits);
    expect_complete("ceilings", &ceilings_table, NULL, 0);
    expect_travels("ceilings", &ceilings_table, &ceilings);
}

CU_TestInfo tests_pack[] = {{"values come back", values_come_back},
                            {"the lowest byte is first", the_lowest_byte_is_first},
                            {"failures stay", failures_stay},
                            {"structs come back", structs_come_back},
                            {"counts agree", counts_agree},
                            {"values out of range are refused", values_out_of_range_are_refused},
                            {"parts that do not fit are refused", parts_that_do_not_fit_are_refused},
                            {"measurements travel", measurements_travel},
                            {"limits travel", limits_travel},
                            CU_TEST_INFO_NULL};
