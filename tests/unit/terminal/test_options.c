#include "terminal/options.h"

#include "capture.h"
#include "command_kit.h"

enum { WORDS_MAX = 8 };

static int parse(const struct command *command, const char *const *words, struct kit_values *values,
                 struct options_result *result, struct error *error)
{
    char *argv[WORDS_MAX + 2] = {(char *)"cutune make"};
    int argc = 1;
    for (; words[argc - 1]; argc++)
        argv[argc] = (char *)words[argc - 1];
    return options_parse(command, "", argc, argv, values, result, error);
}

static void values(void)
{
    static const char *const words[WORDS_MAX + 1] = {"-qo", "x",     "--count=5", "--share",
                                                     "0.5", "-DN=1", "dir",       "-DM=2"};
    const char *arguments[WORDS_MAX + 1];
    struct options_result result = {.arguments = arguments};
    struct kit_values values = {0};
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(parse(&kit_commands[0], words, &values, &result, &error), 0);
    CU_ASSERT(values.quiet && values.count == 5 && values.share == 0.5);
    CU_ASSERT_STRING_EQUAL(values.file, "x");
    CU_ASSERT_STRING_EQUAL(values.cache, "cold");
    CU_ASSERT_EQUAL_FATAL(values.defines.count, 2);
    CU_ASSERT_STRING_EQUAL(values.defines.items[1], "M=2");
    CU_ASSERT_EQUAL_FATAL(result.argument_count, 1);
    CU_ASSERT_STRING_EQUAL(arguments[0], "dir");
    CU_ASSERT_FALSE(result.printed);
}

static void wrong_lines(void)
{
    static const struct {
        const char *words[4], *message, *hint;
        size_t command;
    } rows[] = {{{"--cuont=5"}, "unknown option --cuont", "did you mean --count?", 0},
                {{"--coun=5"}, "unknown option --coun", "did you mean --count?", 0}, /* no abbreviations */
                {{"--xyzzy"}, "unknown option --xyzzy", "--help lists the options", 0},
                {{"-qx"}, "unknown option -x", "--help lists the options", 0},
                {{"--quiet=yes"}, "--quiet takes no value", "", 0},
                {{"--count"}, "--count needs a value", "", 0},
                {{"-o"}, "-o needs a value", "", 0},
                {{"--count=10"}, "--count: '10' is not allowed", "expected a whole number from 1 to 9", 0},
                {{"--cache=hot"}, "--cache: 'hot' is not allowed", "expected one of cold|warm", 0},
                {{"--count=1", "--count=2"}, "--count is given twice", "", 0},
                {{"a", "b"}, "unexpected argument 'b'", "", 0},
                {{"--", "-q", "b"}, "unexpected argument 'b'", "", 0},
                {{NULL}, "choose needs red|blue", "see cutune choose --help", 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *arguments[WORDS_MAX];
        struct options_result result = {.arguments = arguments};
        struct kit_values values = {0};
        struct error error = {0};
        CU_ASSERT_EQUAL(parse(&kit_commands[rows[i].command], rows[i].words, &values, &result, &error), ERROR_USAGE);
        CU_ASSERT_STRING_EQUAL(error.message, rows[i].message);
        CU_ASSERT_STRING_EQUAL(error.hint, rows[i].hint);
    }
}

/* Prints help, usage and version, whatever follows them. */
static void own_options(void)
{
    static const struct {
        const char *words[4], *has;
    } rows[] = {{{"--version", "a", "b"}, "cutune " CUTUNE_VERSION "\n"},
                {{"--usage"}, "[--count=N]"},
                {{"-h"}, "make it - all of it\n"},
                {{"--help"}, "--cache=cold|warm      the cache (default: cold)\n"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *arguments[WORDS_MAX];
        char buffer[4096];
        struct options_result result = {.arguments = arguments};
        struct kit_values values = {0};
        struct error error = {0};
        struct capture capture = capture_begin(stdout);
        int code = parse(&kit_commands[0], rows[i].words, &values, &result, &error);
        capture_end(&capture, buffer, sizeof buffer);
        CU_ASSERT_EQUAL(code, 0);
        CU_ASSERT_TRUE(result.printed);
        CU_ASSERT_PTR_NOT_NULL(strstr(buffer, rows[i].has));
    }
}

static void help(void)
{
    static const struct {
        struct option_row row;
        const char *help;
    } rows[] = {
        {{.help = "do it"}, "do it"},
        {{.help = "do it", .default_ = "3"}, "do it (default: 3)"},
        {{.help = "do it", .choices = "a|b", .argument = "a|b"}, "do it"}, /* the usage shows the choices */
        {{.help = "do it", .choices = "a|b", .argument = "WAY", .default_ = "a"}, "do it; one of a, b (default: a)"}};
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CU_ASSERT_STRING_EQUAL(options_help(&arena, &rows[i].row), rows[i].help);
    arena_free(&arena);
}

/* Options without effect beside others. */
static void modes(void)
{
    static const struct option_mode modes[] = {{.beside = "quiet", .unused = "count share"},
                                               {.beside = "cache=warm", .unused = "output"},
                                               {.unless = "output", .unused = "define"}};
    static const struct {
        const char *words[4], *message; /* message "": they go together */
    } rows[] = {{{"-q"}, ""},
                {{"--count=3", "--share=1"}, ""},
                {{"-q", "--count=3"}, "--count does not apply to --quiet"},
                {{"--share=1", "-q"}, "--share does not apply to --quiet"},
                {{"--cache=cold", "-ox"}, ""},
                {{"--cache=warm"}, ""},
                {{"--cache=warm", "-ox"}, "--output does not apply to --cache=warm"},
                {{"-DM=2"}, "--define is for --output"},
                {{"-DM=2", "-ox"}, ""}};
    struct command command = kit_commands[0];
    command.modes = modes;
    command.mode_count = sizeof modes / sizeof *modes;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *arguments[WORDS_MAX];
        struct options_result result = {.arguments = arguments};
        struct kit_values values = {0};
        struct error error = {0};
        CU_ASSERT_EQUAL(parse(&command, rows[i].words, &values, &result, &error), *rows[i].message ? ERROR_USAGE : 0);
        CU_ASSERT_STRING_EQUAL(error.message, rows[i].message);
    }
}

CU_TestInfo tests_options[] = {{"values", values},
                               {"wrong lines", wrong_lines},
                               {"options that have no effect", modes},
                               {"help, usage and version", own_options},
                               {"the help of an option", help},
                               CU_TEST_INFO_NULL};
