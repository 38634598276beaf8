/* Parameters whose macros have other names. */
#include "space/space.h"
#include "support.h"

#define TAIL "buffer out float[64] output\nargs out\nblock 32\ngrid 1\nreference default\n"

static void renames(void)
{
    static const struct {
        const char *parameters, *kernel, *source;
        const char *options, *compiled; /* of the configuration of first values; name expression */
    } rows[] = {
        {"param TX as \"tx\" = 8, 16\n", "k", "template <int TX> void k() { tx; }", "-Dtx=8 ", "k"},
        {"param TX as \"tx\" = 8, 16\n", "k<TX>", "template <int TX> void k() {}", "-Dtx=8 ", "k<tx>"},
        {"param TX as \"tx\" = 8, 16\n", "\"ns::TX<TX + 1, ns::TX, TXT>\"", "void TX();", "-Dtx=8 ",
         "ns::TX<tx + 1, ns::TX, TXT>"},
        {"param TX = 8, 16\n", "k<TX>", "void k() {}", "-DTX=8 ", "k<TX>"},
        {"param WARPS as \"warp\" = 2, 4\n", "k", "void k() { warp; }", "-Dwarp=2 ", "k"},
        {"param WARPS as \"warp\" = 2, 4\n", "k", "void k() {\n#if warp == 2\n#endif\n}", "-Dwarp=2 ", "k"},
        {"param A as \"B\" = 1, 2\nparam B as \"A\" = 3, 4\n", "k<A, B>", "void k() {}", "-DB=1 -DA=3 ", "k<B, A>"},
        {"param N as \"out\" = 1, 2\n", "k", "void k() { out; }", "-Dout=1 ", "k"},
        {"param TX as \"TX\" = 8, 16\n", "k", "void k() { TX; }", "-DTX=8 ", "k"},
        {"param TX as \"tx\" = 8, 16\nhost TX\n", "k", "void k() { TX; }", "", "k"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[1024];
        struct text options = {0};
        struct error error = {0};
        size_t count = 0;
        snprintf(text, sizeof text, "space 2\nkernel %s \"k.cu\"\n%s" TAIL, rows[i].kernel, rows[i].parameters);
        struct space *space = bound(text, rows[i].source, NULL);
        if (!space)
            continue;
        const uint32_t choices[SPACE_PARAMETERS_MAX] = {0};
        CU_ASSERT_EQUAL(space_compile_options(space, choices, &options, &count, &error), 0);
        for (size_t at = 0; at < options.length; at++)
            options.bytes[at] = options.bytes[at] ? options.bytes[at] : ' ';
        expect_text(rows[i].parameters, text_string(&options), rows[i].options);
        expect_text(rows[i].kernel, space->kernels[0], rows[i].compiled);
        CU_ASSERT_EQUAL(space_check_effects(space, &error), 0);
        CU_ASSERT_EQUAL(space_check_kernels(space, &error), 0);
        text_free(&options);
        space_free(space);
    }
}

/* Messages of the checks of the source. */
static void sources(void)
{
    static const struct {
        const char *source, *message, *hint;
    } rows[] = {
        {"void k() { TX; }\n",
         "no value of 'TX' changes anything: its macro 'tx' occurs neither in the source nor in a launch", "host TX"},
        {"void k() { txx; }\n", "no value of 'TX' changes anything: its macro 'tx' occurs neither in the source",
         "did you mean 'txx'"},
        {"void k() { tx; }\n#define tx 3\n", "'tx' is a parameter, whose values this #define replaces",
         "`override TX`"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        static const char text[] = "space 2\nkernel k \"k.cu\"\nparam TX as \"tx\" = 8, 16\n" TAIL;
        struct space *space = NULL;
        struct error error = {0};
        int code = space_parse_text(&space, "t.space", text, sizeof text - 1, rows[i].source, &error);
        if (!code)
            code = space_check_effects(space, &error);
        CU_ASSERT_EQUAL(code, ERROR_DATA);
        if (!strstr(error.message, rows[i].message))
            expect_text(rows[i].source, error.message, rows[i].message);
        if (!strstr(error.hint, rows[i].hint))
            expect_text(rows[i].source, error.hint, rows[i].hint);
        space_free(space);
    }
}

/* A renamed parameter replaces a #define of its macro. */
static void overridden(void)
{
    struct space *space = bound("space 2\nkernel k \"k.cu\"\nparam TX as \"tx\" = 8, 16\noverride TX\n" TAIL,
                                "#define tx 3\nvoid k() { tx; }\n", NULL);
    struct space_overridden found = {0};
    if (!space)
        return;
    expect_text("source", space->source, "            \nvoid k() { tx; }\n");
    CU_ASSERT_TRUE(space_overridden(space, 0, &found));
    expect_text("name", found.name, "TX");
    space_free(space);
}

CU_TestInfo tests_macro[] = {
    {"renamed macros", renames}, {"sources", sources}, {"overridden macros", overridden}, CU_TEST_INFO_NULL};
