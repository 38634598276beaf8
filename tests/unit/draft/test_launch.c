/* Launches of host code, and their expressions in the space language. */
#include "draft/launch.h"
#include "scanned.h"

/* In a function, behind the definitions: "grid | block", "?" where a part has no translation. */
static void launches(void)
{
    static const struct {
        const char *code, *expected;
    } rows[] = {
        {"k<<<16, 256>>>(a);", "16 | 256"},
        {"k<<<16u, 0x20>>>(a);", "16 | 0x20"},
        {"k<<<dim3(4, 5), dim3(6, 7, 8), 9, stream>>>(a);", "4, 5 | 6, 7, 8"},
        {"int t = 128; int b = (1000 + t - 1) / t; k<<<b, t>>>(a);", "(1000 + 128 - 1) / 128 | 128"},
        {"dim3 t(16, 8), g((N + t.x - 1) / 2); k<<<g, t>>>(a);", "? | 16, 8"},
        {"dim3 g = dim3(3, 2); dim3 t{32}; k<<<g, t>>>(a);", "3, 2 | 32"},
        {"const int t = 64, n = 10; k<<<ceil_div(n, t), t>>>(a);", "ceildiv(10, 64) | 64"},
        {"int t = 64; t = 32; k<<<1, t>>>(a);", "1 | ?"},
        {"int t = 64; t *= 2; k<<<1, t>>>(a);", "1 | ?"},
        {"int t = 64; f(1, t = 32); k<<<1, t>>>(a);", "1 | ?"},
        {"int t = 64; if (t == 3) return t; k<<<1, t>>>(a);", "1 | 64"},
        {"int t = argc > 1 ? atoi(argv[1]) : 3; k<<<1, t>>>(a);", "1 | ?"},
        {"int t = t; k<<<1, t>>>(a);", "1 | ?"},
        {"k<<<FIXED / 2, TILE>>>(a);", "64 / 2 | TILE"},
        {"k<<<1.5, \"x\">>>(a);", "1.5 | ?"},
        {"k<<<dim3(1e-8f, .5f, 2.F), 1.e+3>>>(a);", "1e-8, 0.5, 2.0 | 1.0e+3"},
        {"k<<<0b11, 1'000>>>(a);", "? | ?"},
        {"k<<<sizeof(float) * 2, sizeof(struct s)>>>(a);", "sizeof(float) * 2 | ?"},
        {"k<3, f<int>(1)><<<1, 2>>>(a); k<<<5, 6>>>(b);", "1 | 2"},
        {"k(1); k < 3; k<<<7, 8>>>(a);", "7 | 8"},
        {"k<<<1, 2", ""},
        {"k<<<1, 2>>>;", ""},
        {"k<<<(((", ""},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[512], actual[256] = "";
        struct scanned scanned;
        struct host_launch launch;
        struct error error = {0};
        struct macros macros = {.count = 0};
        snprintf(text, sizeof text, "#define FIXED 64\nint main(int argc, char **argv) { %s }", rows[i].code);
        scan_it(&scanned, text, NULL);
        launch_find(&launch, &scanned.scan, &scanned.arena, "k");
        CU_ASSERT_EQUAL(macros_add(&macros, &scanned.arena, &(struct macro){.name = "TILE"}, NULL, 1, &error), 0);
        launch.macros = &macros;
        const struct scan_range both[] = {launch.grid, launch.block};
        for (size_t b = 0; b < COUNT(both) && launch.line; b++) {
            struct scan_range parts[3];
            const char *name;
            size_t count = launch_dimensions(&launch, both[b], parts, &name), length = strlen(actual);
            snprintf(actual + length, sizeof actual - length, "%s", b ? " | " : "");
            for (size_t p = 0; p < count; p++) {
                const char *part = launch_translate(&launch, parts[p]);
                length = strlen(actual);
                snprintf(actual + length, sizeof actual - length, "%s%s", p ? ", " : "", part ? part : "?");
            }
        }
        expect_text(rows[i].code, actual, rows[i].expected);
        arena_free(&scanned.arena);
    }
}

static void arguments(void)
{
    static const char text[] =
        "void f(int n, dim3 d) { int m = 1 << 20; k<16, float><<<n, d.x>>>(a, m, d.y, 2.5f, g(1)); }";
    struct scanned scanned;
    struct host_launch launch;
    scan_it(&scanned, text, NULL);
    launch_find(&launch, &scanned.scan, &scanned.arena, "k");
    CU_ASSERT_EQUAL(launch.argument_count, 5);
    expect_text("name", launch_argument_name(&launch, 1), "m");
    expect_text("member", launch_argument_name(&launch, 2), "d.y");
    CU_ASSERT_PTR_NULL(launch_argument_name(&launch, 3));
    CU_ASSERT_PTR_NULL(launch_argument_name(&launch, 99));
    expect_text("definition", launch_definition(&launch, "m"), "1 << 20");
    CU_ASSERT_PTR_NULL(launch_definition(&launch, "n"));
    expect_text("number", launch_number(&launch, 3), "2.5");
    CU_ASSERT_PTR_NULL(launch_number(&launch, 4));
    expect_text("template", scan_range_text(&scanned.scan, &scanned.arena, launch_template(&launch, 1)), "float");
    CU_ASSERT_EQUAL(launch_template(&launch, 2).end, 0);
    CU_ASSERT_PTR_NULL(launch_translate(&launch, launch.grid));
    launch_alias(&launch, "n", "LENGTH");
    launch_alias(&launch, "d.x", "BLOCK");
    expect_text("alias", launch_translate(&launch, launch.grid), "LENGTH");
    expect_text("alias of a member", launch_translate(&launch, launch.block), "BLOCK");
    arena_free(&scanned.arena);
}

CU_TestInfo tests_launch[] = {{"grid and block", launches}, {"arguments and names", arguments}, CU_TEST_INFO_NULL};
