/* Parameters that a source offers, and values to try by their names. */
#include "base/text.h"
#include "draft/macros.h"
#include "scanned.h"

/* Each as "NAME: values, default"; the macros of the text. */
static void macros_of_text(void)
{
    static const struct {
        const char *text, *expected;
    } rows[] = {
        {"#ifndef TILE\n#define TILE 32\n#endif\n", "TILE: 8, 16, 32, 64 (32)"},
        {"#if !defined(TILE)\n#define TILE (32)\n#endif\n", "TILE: 8, 16, 32, 64 (32)"},
        {"#ifndef TILE\n#define TILE 256\n#endif\n", "TILE: 128, 256, 512 (256)"},
        {"#ifndef WIDTH\n#define WIDTH 1000\n#endif\n", "WIDTH: 1000 (1000)"},
        {"#ifndef HEADER_H\n#define HEADER_H\n#endif\n", ""},
        {"#ifndef real\n#define real float\n#endif\n", ""},
        {"#ifndef HALF\n#define HALF 0.5\n#endif\n", ""},
        {"#define TILE 32\n", ""},
        {"#ifndef TILE\n#define TILE (1 << BITS)\n#endif\n", ""},
        {"#ifndef TILE\n#define TILE (32) + 1\n#endif\n", ""},
        {"#ifndef OTHER\n#endif\n#define TILE 32\n", ""},
        {"#if MODE == 2\n#endif\n", "MODE: 0, 1, 2 (0)"},
        {"#if USE_A\n#endif\n", "USE_A: 0, 1 (0)"},
        {"#if MODE == 1\n#elif MODE == 2\n#elif MODE == 4\n#endif\n", "MODE: 1, 2, 4 (1)"},
        {"#if MODE == 1\n#elif MODE == 2\n#else\n#endif\n", "MODE: 0, 1, 2 (0)"},
        {"#if MODE == 1\n#elif MODE == 2\n#else\n#error MODE\n#endif\n", "MODE: 1, 2 (1)"},
        {"#if MODE == 2\n#else\n#error MODE\n#endif\n", "MODE: 2 (2)"},
        {"#if MODE == 1\n#elif MODE == 2\n#else\n#define A 1\n#error MODE\n#endif\n", "MODE: 0, 1, 2 (0)"},
        {"#if MODE == 1\n#else", "MODE: 0, 1 (0)"},
        {"#if MODE == 1\n#if A\n#else\n#endif\n#elif MODE == 2\n#endif\n", "MODE: 1, 2 (1) A: 0, 1 (0)"},
        {"#define MODE 3\n#if MODE == 2\n#endif\n", ""},
        {"#if defined(A) && !defined B && __CUDA_ARCH__ >= 800 && CUDA_VERSION > 3 && has(C)\n#endif\n", "C: 0, 1 (0)"},
        {"#ifdef A\n#elif\n#if\n#define\n#ifndef\n#", ""},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct scanned scanned;
        struct macros macros = {.count = 0};
        struct text text = {0};
        struct error error = {0};
        scan_it(&scanned, rows[i].text, NULL);
        CU_ASSERT_EQUAL(macros_scan(&macros, &scanned.arena, &scanned.scan, 1, &error), 0);
        for (size_t m = 0; m < macros.count; m++)
            text_printf(&text, "%s%s: %s (%s)", m ? " " : "", macros.items[m].name, macros.items[m].values,
                        macros.items[m].value);
        expect_text(rows[i].text, text_string(&text), rows[i].expected);
        text_free(&text);
        arena_free(&scanned.arena);
    }
}

static void values_by_name(void)
{
    static const struct {
        const char *name, *value;
        unsigned dimensions;
        const char *values, *default_;
    } rows[] = {
        {"BLOCK", NULL, 1, "64, 128, 256, 512, 1024", "256"},
        {"BLOCK_SIZE", NULL, 1, "64, 128, 256, 512, 1024", "256"},
        {"BLOCK_SIZE", NULL, 3, "8, 16, 32", "16"},
        {"block_size_x", NULL, 3, "8, 16, 32", "16"},
        {"block_size_x", NULL, 1, "64, 128, 256, 512, 1024", "256"},
        {"WORK_GROUP_SIZE", NULL, 1, "64, 128, 256, 512, 1024", "256"},
        {"WORK_GROUP_SIZE_X", NULL, 3, "8, 16, 32", "16"},
        {"WORK_PER_GROUP", NULL, 1, "1, 2, 4, 8", "1"},
        {"BLOCK_ROWS", NULL, 1, "8, 16, 32, 64", "16"},
        {"TILE_K", "8", 1, "8, 16, 32, 64", "8"},
        {"UNROLL", NULL, 1, "1, 2, 4, 8", "1"},
        {"INNER_UNROLL_FACTOR", "3", 1, "3", "3"},
        {"USE_CACHE", NULL, 1, "0, 1", "0"},
        {"PAD", NULL, 1, "0, 1", "0"},
        {"VECTOR_WIDTH", NULL, 1, "1, 2, 4", "1"},
        {"ANYTHING", NULL, 1, "1, 2, 4, 8", "1"},
        {"ANYTHING", "0x40", 1, "32, 64, 128", "64"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct arena arena = {0};
        struct macros macros = {.count = 0};
        struct error error = {0};
        const struct macro macro = {.name = rows[i].name};
        CU_ASSERT_EQUAL(macros_add(&macros, &arena, &macro, rows[i].value, rows[i].dimensions, &error), 0);
        CU_ASSERT_EQUAL(macros_add(&macros, &arena, &macro, "77", 1, &error), 0); /* known: unchanged */
        CU_ASSERT_EQUAL(macros.count, 1);
        expect_text(rows[i].name, macros.items[0].values, rows[i].values);
        expect_text(rows[i].name, macros.items[0].value, rows[i].default_);
        arena_free(&arena);
    }
}

static void elsewhere(void)
{
    static const char text[] = "__global__ void k() { A; B; } __global__ void other() { B; C; }\n"
                               "#define D E\n__device__ int f() { return F; }\n";
    static const struct {
        const char *name;
        bool elsewhere;
    } rows[] = {{"A", false}, {"B", false}, {"C", true}, {"E", false}, {"F", false}, {"unseen", false}};
    struct scanned scanned;
    struct macros macros = {.count = 0};
    struct error error = {0};
    scan_it(&scanned, text, NULL);
    for (size_t i = 0; i < COUNT(rows); i++)
        CU_ASSERT_EQUAL(macros_add(&macros, &scanned.arena, &(struct macro){.name = rows[i].name}, NULL, 1, &error), 0);
    macros_mark_elsewhere(&macros, &scanned.scan, &scanned.kernels, "k");
    for (size_t i = 0; i < COUNT(rows); i++)
        CU_ASSERT_EQUAL(macros_find(&macros, rows[i].name)->elsewhere, rows[i].elsewhere);
    arena_free(&scanned.arena);
}

CU_TestInfo tests_macros[] = {{"macros of a text", macros_of_text},
                              {"values by name", values_by_name},
                              {"macros of other kernels", elsewhere},
                              CU_TEST_INFO_NULL};
