/* What statements mean: `let`, `when`, `include`, `device_limits`, and what the command line says of a space. */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "space/expr.h"
#include "space/valid_set.h"
#include "support.h"

/* All valid configurations, one a line, in the order of the declared values. */
static void valid_text(const struct space *space, struct text *text)
{
    struct valid_set *set = NULL;
    struct error error = {0};
    uint32_t choices[SPACE_PARAMETERS_MAX] = {0};
    uint64_t index;
    CU_ASSERT_EQUAL_FATAL(valid_set_build(&set, space, 1 << 20, &error), 0);
    for (size_t left = 1; left > 0;) {
        if (valid_set_find(set, choices, &index)) {
            space_config_text(space, choices, text);
            text_append(text, "\n", 1);
        }
        for (left = space->parameter_count; left > 0 && ++choices[left - 1] == space->parameters[left - 1].value_count;)
            choices[--left] = 0;
    }
    valid_set_free(set);
}

/* Two spaces, given by what follows the head, have the same valid configurations. */
static void expect_same(const char *one, const char *other)
{
    const char *const parts[] = {one, other};
    struct text texts[2] = {0};
    struct device_limits limits = h200_limits();
    for (int i = 0; i < 2; i++) {
        char file[2048];
        snprintf(file, sizeof file, SPACE_HEAD SPACE_SHAPE "%s\n", parts[i]);
        struct space *space = bound(file, "", &limits);
        if (space)
            valid_text(space, &texts[i]);
        space_free(space);
    }
    CU_ASSERT(texts[0].length > 0);
    expect_text(one, text_string(&texts[0]), text_string(&texts[1]));
    text_free(&texts[0]);
    text_free(&texts[1]);
}

/* "Is in the list" is what == says, wherever a list is asked. */
static void one_equality(void)
{
    expect_same("param A = 1.0, 2 when B == 1 else 1\nparam B = 1, 2",
                "param A = 1.0, 2\nparam B = 1, 2\nrequire B == 1 || A == 1");
    expect_same("param A = 1.0, 2\nrequire A in {1}", "param A = 1.0, 2\nrequire A == 1");
    expect_same(
        "param A = 9007199254740992.0, 9007199254740994.0\nrequire A == 9007199254740993 || A > 9007199254740993",
        "param A = 9007199254740992.0, 9007199254740994.0\nrequire A != 9007199254740992");
    expect_same("param A = 9007199254740993, 3\nrequire A in {9007199254740992.0, 3}", "param A = 9007199254740993, 3\n"
                                                                                       "require A == 3.0");
    expect_same(
        "param A = -3, -2, 2, 3, 9223372036854775807\nrequire A > -2.5 && A < 2.5 || A >= 9223372036854775808.0",
        "param A = -3, -2, 2, 3, 9223372036854775807\nrequire A == -2 || A == 2");
    expect_same("param A = -3, -2, 2, 3\nrequire -2.5 < A && 2.5 < A || A < -1e300",
                "param A = -3, -2, 2, 3\nrequire A == 3");

    static const char text[] = SPACE_HEAD SPACE_SHAPE "param A = 1.0, 2\ndefault A=1\n";
    struct error error = {0};
    struct space *space = parsed(text, "A");
    struct text valid = {0};
    uint32_t choices[1] = {7};
    if (!space)
        return;
    CU_ASSERT_EQUAL(space->parameters[0].default_, 0);
    CU_ASSERT_EQUAL(space_config_parse(space, "A=2.0", choices, &error), 0);
    CU_ASSERT_EQUAL(choices[0], 1);
    CU_ASSERT_EQUAL(space_narrow(space, "A=1", &error), 0);
    CU_ASSERT_EQUAL(space_bind(space, NULL, 0, NULL, &error), 0);
    valid_text(space, &valid);
    expect_text("narrowed", text_string(&valid), "A=1.0\n");
    text_free(&valid);
    space_free(space);
}

/* Editors of other systems put a mark in front; the text is the same without it. */
static void byte_order_mark(void)
{
    static const char marked[] = "\xEF\xBB\xBF" SPACE_HEAD SPACE_SHAPE "param A = 1, 2\n";
    struct space *with = parsed(marked, "A"), *without = parsed(marked + 3, "A");
    if (with && without)
        CU_ASSERT_STRING_EQUAL(with->text_hash, without->text_hash);
    space_free(with);
    space_free(without);
    struct space *space = NULL;
    struct error error = {0};
    CU_ASSERT_EQUAL(space_parse_text(&space, "m.space", "\xEF\xBB\xBFspac 1\n", 10, "", &error), ERROR_SYNTAX);
    CU_ASSERT(error.line == 1 && error.column == 1);
    expect_text("excerpt", error.excerpt, "spac 1");
    CU_ASSERT_EQUAL(space_parse_text(&space, "m.space", "\xEF\xBB", 2, "", &error), ERROR_SYNTAX);
}

static void named_expressions(void)
{
    expect_same("param A = 1..8\nparam B = 1..8\nlet QUOTIENT = A / B\nrequire QUOTIENT in {2, 3} && A % B == 0",
                "param A = 1..8\nparam B = 1..8\nrequire (A / B == 2 || A / B == 3) && A % B == 0");
    /* an operand, whatever it is made of */
    expect_same("param A = 1..8\nlet SUM = A + 1\nrequire SUM * 2 > 9 && -SUM < -5",
                "param A = 1..8\nrequire (A + 1) * 2 > 9 && -(A + 1) < -5");
    expect_same("param A = 1..8\nlet PICK = A > 3 ? 10 : 20\nrequire 1 + PICK == 21 || PICK + A > 17",
                "param A = 1..8\nrequire 1 + (A > 3 ? 10 : 20) == 21 || (A > 3 ? 10 : 20) + A > 17");
    expect_same("param A = 1..8\nlet BOTH = A > 2 && A < 7\nlet ODD = A % 2 == 1\nrequire BOTH => ODD",
                "param A = 1..8\nrequire !(A > 2 && A < 7) || A % 2 == 1");
    expect_same("param W = red, blue\nparam A = 1..3\nlet WANTED = A == 2 ? blue : red\nrequire W == WANTED",
                "param W = red, blue\nparam A = 1..3\nrequire A == 2 ? W == blue : W == red");
    expect_same("let KILO = 1024\nproblem N = 4 * KILO\nlet HALF = N / 2\nparam A = 512, 2048, 4096\n"
                "require A <= HALF && A <= 2 * warp * warp",
                "param A = 512, 2048, 4096\nrequire A <= 2048");
    /* made of names, used where those are known */
    const char *text =
        SPACE_HEAD "let KILO = 1024\nproblem N = KILO\nlet BYTES = N * sizeof(float)\nparam T = 32, 64\n"
                   "let THREADS = T * 2\nbuffer b float[BYTES] zero\nblock THREADS\ngrid 1\nshared BYTES\n"
                   "bytes BYTES * 2\ntolerance rel 1.0 / KILO\n";
    const char *const given[] = {"N=2048"};
    struct space *space = parsed(text, "THREADS KILO");
    struct device_limits limits = h200_limits();
    struct error error = {0};
    if (!space)
        return;
    CU_ASSERT_EQUAL(space_bind(space, given, 1, &limits, &error), 0);
    CU_ASSERT_EQUAL(space->buffers[1].count, 8192);
    CU_ASSERT_EQUAL(space->bytes, 16384);
    CU_ASSERT_EQUAL(space->tolerance_relative, 1.0 / 1024);
    struct launch launch;
    const uint32_t choices[] = {1};
    CU_ASSERT_EQUAL(space_launch(space, choices, &launch, &error), 0);
    CU_ASSERT_EQUAL(launch.block[0], 128);
    CU_ASSERT_EQUAL(launch.shared_bytes, 8192);
    /* and no macro of the source */
    struct text options = {0};
    size_t count = 7;
    CU_ASSERT_EQUAL(space_compile_options(space, choices, &options, &count, &error), 0);
    CU_ASSERT_EQUAL(count, 0);
    text_free(&options);
    space_free(space);
}

static void when(void)
{
    expect_same("param T = 1..4\nparam A = 1, 2, 3 when T > 2 else 1",
                "param T = 1..4\nparam A = 1, 2, 3\nrequire T > 2 || A == 1");
    /* the other value is added last, and is none of the list */
    expect_same("param T = 1..4\nparam A = 8, 2..6 step 2 when T > 2 else 0",
                "param T = 1..4\nparam A = 8, 2, 4, 6, 0\nrequire T > 2 ? A != 0 : A == 0");
    /* names from below, words, sizes */
    expect_same("param A = red, blue when N > 4 && B == 1 else none\nproblem N = 8\nparam B = 1, 2",
                "param A = red, blue, none\nparam B = 1, 2\nrequire B == 1 ? A != none : A == none");
    expect_same("problem N = 2\nparam A = red, blue when N > 4 else none",
                "param A = red, blue, none\nrequire A == none");
    expect_same("param A = 1, 2 when B == 2 else 1\nparam B = 2, 3 when C => 1 else 3\nparam C = 0, 1",
                "param A = 1, 2\nparam B = 2, 3\nparam C = 0, 1\nrequire B == 2 || A == 1");
    struct space *space = parsed(SPACE_HEAD SPACE_SHAPE "param A = 4, 2 \\\n  when T <  2 else -1\nparam T = 1, 2\n"
                                                        "require T > 0\ndefault A=-1 T=2\n",
                                 "");
    if (!space)
        return;
    CU_ASSERT_EQUAL(space->parameters[0].value_count, 3);
    CU_ASSERT_EQUAL(space->parameters[0].values[2].integer, -1);
    CU_ASSERT_EQUAL(space->parameters[0].default_, 2);
    CU_ASSERT_EQUAL_FATAL(space->constraint_count, 2);
    expect_text("name", space->constraints[0].name, "when");
    expect_text("text", space->constraints[0].text, "A = 4, 2 when T < 2 else -1");
    CU_ASSERT_EQUAL(space->constraints[0].line, 8);
    CU_ASSERT_EQUAL(space->constraints[0].condition->parameters, 3);
    expect_text("path", space->constraints[0].path, "test.space");
    space_free(space);
}

/* A folder of files, by name and text. */
struct files {
    char folder[64];
};

static void make_folder(struct files *files)
{
    char path[128];
    snprintf(files->folder, sizeof files->folder, "/tmp/cutune-language-XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(files->folder));
    snprintf(path, sizeof path, "%s/sub", files->folder);
    CU_ASSERT_EQUAL(mkdir(path, 0777), 0);
}

static void write_file(const struct files *files, const char *name, const char *text)
{
    char path[128];
    struct error error = {0};
    snprintf(path, sizeof path, "%s/%s", files->folder, name);
    CU_ASSERT_EQUAL(file_replace(path, text, strlen(text), &error), 0);
}

static void remove_folder(const struct files *files)
{
    static const char *const names[] = {"main.space", "sub/a.space", "sub/b.space", "sub/k.cu", "sub", ""};
    char path[128];
    for (size_t i = 0; i < COUNT(names); i++) {
        snprintf(path, sizeof path, "%s/%s", files->folder, names[i]);
        remove(path);
    }
}

static struct space *parse_main(const struct files *files)
{
    struct space *space = NULL;
    struct error error = {0};
    char path[128], message[4096];
    snprintf(path, sizeof path, "%s/main.space", files->folder);
    if (space_parse(&space, path, &error))
        fprintf(stderr, "%s", error_format(&error, message, sizeof message));
    CU_ASSERT_PTR_NOT_NULL(space);
    return space;
}

static void included_files(void)
{
    static const char main_text[] = "space 1\nproblem N = 4\ninclude \"sub/a.space\"\ninclude \"sub/b.space\"\n"
                                    "param T = 1, 2, FROM_B\nargs out\nblock T\ngrid HALF\n"
                                    "reference k block 1 grid 1\n";
    struct files files;
    char hash[HASH_HEX_BYTES] = "", path[128];
    make_folder(&files);
    write_file(&files, "main.space", main_text);
    write_file(
        &files, "sub/a.space",
        "# common\nspace 1\nkernel k \"k.cu\"\ninclude \"b.space\"\nbuffer out float[N] output\nlet HALF = N / 2\n");
    write_file(&files, "sub/b.space", "buffer data int[4] file(\"x.bin\")\ndevice_limits \"h.csv\"\nrequire T > 0");
    write_file(&files, "sub/k.cu", "int T;");
    struct space *space = parse_main(&files);
    if (space) {
        snprintf(path, sizeof path, "%s/sub/k.cu", files.folder);
        expect_text("source", space->source_path, path);
        snprintf(path, sizeof path, "%s/sub/x.bin", files.folder);
        expect_text("buffer", space->buffers[0].path, path);
        snprintf(path, sizeof path, "%s/sub/h.csv", files.folder);
        expect_text("device", space->device_file, path);
        CU_ASSERT_EQUAL(space->buffer_count, 2); /* a file counts once */
        expect_text("order", space->buffers[0].name, "data");
        snprintf(path, sizeof path, "%s/sub/b.space", files.folder);
        CU_ASSERT_EQUAL_FATAL(space->constraint_count, 1);
        CU_ASSERT_STRING_EQUAL(strrchr(space->constraints[0].path, '/'), "/b.space");
        CU_ASSERT_EQUAL(space->constraints[0].line, 3);
        CU_ASSERT_TRUE(space->parameters[0].in_source);
        memcpy(hash, space->text_hash, sizeof hash);
    }
    space_free(space);
    /* every file counts for the hash */
    write_file(&files, "sub/b.space", "buffer data int[4] file(\"x.bin\")\ndevice_limits \"h.csv\"\nrequire T > 1");
    space = parse_main(&files);
    if (space)
        CU_ASSERT_STRING_NOT_EQUAL(space->text_hash, hash);
    space_free(space);
    remove_folder(&files);
}

static const char narrowed[] = SPACE_HEAD SPACE_SHAPE "problem N = 8\nparam TILE = 16, 32, 64\nparam F = 0.5, 1.5\n"
                                                      "param W = red, blue\nrequire TILE < 64 || W == red\n"
                                                      "default TILE=16 F=0.5 W=red\n";

static void narrow(void)
{
    static const char *const sets[] = {"TILE=64,32", "W=red", "F=1.5"};
    struct device_limits limits = h200_limits();
    struct space *space = parsed(narrowed, "");
    struct error error = {0};
    struct text text = {0};
    if (!space)
        return;
    for (size_t i = 0; i < COUNT(sets); i++)
        CU_ASSERT_EQUAL(space_narrow(space, sets[i], &error), 0);
    CU_ASSERT_EQUAL(space_bind(space, NULL, 0, &limits, &error), 0);
    valid_text(space, &text);
    expect_text("valid", text_string(&text), "TILE=32 F=1.5 W=red\nTILE=64 F=1.5 W=red\n");
    CU_ASSERT_EQUAL(space->parameters[0].value_count, 3); /* a journal of all values fits */
    expect_text("name", space->constraints[1].name, "--set");
    expect_text("text", space->constraints[1].text, "TILE in {64, 32}");
    expect_text("text", space->constraints[3].text, "F in {1.5}");
    CU_ASSERT_FALSE(space->constraints[1].device);
    CU_ASSERT_EQUAL(space->constraints[1].line, 0);
    CU_ASSERT_PTR_NULL(space->constraints[1].path);
    CU_ASSERT_EQUAL(space_narrow(space, "TILE=16", &error), ERROR_USAGE);
    text_free(&text);
    space_free(space);
}

static void wrong_narrow(void)
{
    static const struct {
        const char *set, *message, *hint;
    } rows[] = {
        {"TILE", "--set TILE: expected NAME=VALUE,VALUE", "for example: --set TILE=16,32"},
        {"=16", "--set =16: expected NAME=VALUE,VALUE", "for example: --set TILE=16,32"},
        {"TILES=16", "--set TILES=16: the space has no parameter of that name", "did you mean 'TILE'?"},
        {"zzzz=16", "--set zzzz=16: the space has no parameter of that name",
         "a parameter of test.space is narrowed as: --set TILE=VALUE,VALUE"},
        {"N=8", "--set N=8: the space has no parameter of that name", "N is a problem size: -D N=VALUE"},
        {"TILE=17", "--set TILE=17: TILE has no such value", "its values are 16, 32, 64"},
        {"TILE=", "--set TILE=: TILE has no such value", "its values are 16, 32, 64"},
        {"TILE=16,", "--set TILE=16,: TILE has no such value", "its values are 16, 32, 64"},
        {"TILE=16..32", "--set TILE=16..32: TILE has no such value", "its values are 16, 32, 64"},
        {"TILE=16.5", "--set TILE=16.5: TILE has no such value", "its values are 16, 32, 64"},
        {"W=Red", "--set W=Red: W has no such value", "its values are red, blue"},
        {"W=red}", "--set W=red}: W has no such value", "its values are red, blue"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct space *space = parsed(narrowed, "");
        struct error error = {0};
        if (!space)
            continue;
        CU_ASSERT_EQUAL(space_narrow(space, rows[i].set, &error), ERROR_USAGE);
        expect_text(rows[i].set, error.message, rows[i].message);
        expect_text(rows[i].set, error.hint, rows[i].hint);
        CU_ASSERT_EQUAL(space->constraint_count, 1);
        space_free(space);
    }
    struct space *space = parsed(narrowed, "");
    struct error error = {0};
    CU_ASSERT_EQUAL(space_narrow(space, "TILE=16,16,016", &error), 0);
    CU_ASSERT_EQUAL(space_narrow(space, "TILE=16", &error), ERROR_USAGE);
    expect_text("twice", error.message, "--set TILE=16: TILE is narrowed twice");
    space_free(space);
}

CU_TestInfo tests_language[] = {{"one equality", one_equality},       {"named expressions", named_expressions},
                                {"byte order mark", byte_order_mark}, {"when", when},
                                {"included files", included_files},   {"narrowing", narrow},
                                {"wrong narrowing", wrong_narrow},    CU_TEST_INFO_NULL};
