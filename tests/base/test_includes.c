/* What NVRTC cannot be asked: limits, odd files, and what cannot be determined. The order of the search is held against
 * NVRTC in tests/compile/test_includes.c. */
#include "base/includes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CUnit/Basic.h>

static char folder[64];

static const char *inside(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(inside(name), "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT(fputs(text, file) >= 0);
    CU_ASSERT_EQUAL(fclose(file), 0);
}

static void make_folder(void)
{
    strcpy(folder, "/tmp/cutune includes XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    CU_ASSERT_EQUAL(mkdir(inside("sub"), 0700), 0);
}

static void remove_folder(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    CU_ASSERT_EQUAL(system(command), 0);
}

struct found {
    struct text names; /* as the directives have them, each with a blank behind it */
    size_t count, limit;
};

static int take_file(void *context, const struct included *file, struct error *error)
{
    struct found *found = context;
    if (++found->count == found->limit)
        return error_set(error, ERROR_DATA, "enough");
    CU_ASSERT_FALSE(file->toolkit);
    text_printf(&found->names, "%s ", file->name);
    return 0;
}

static int scan(const char *source, const char *options, size_t count, struct found *found, struct text *unknown)
{
    char path[128];
    struct error error = {0};
    snprintf(path, sizeof path, "%s/k.cu", folder);
    struct includes includes = {.path = path,
                                .source = source,
                                .length = strlen(source),
                                .options = options,
                                .option_count = count,
                                .take = take_file,
                                .context = found};
    text_clear(&found->names);
    found->count = 0;
    int code = includes_scan(&includes, &error);
    CU_ASSERT_EQUAL(code, (int)error.code);
    *unknown = includes.unknown;
    return code;
}

static void expect_scan(const char *source, const char *options, size_t count, const char *names, const char *unknown)
{
    struct found found = {0};
    struct text why = {0};
    CU_ASSERT_EQUAL(scan(source, options, count, &found, &why), 0);
    const char *said = text_string(&why);
    if (strncmp(said, folder, strlen(folder)) == 0)
        said += strlen(folder) + 1;
    if (strcmp(text_string(&found.names), names) != 0 || strcmp(said, unknown) != 0)
        fprintf(stderr, "%s -> '%s' '%s', expected '%s' '%s'\n", source, text_string(&found.names), said, names,
                unknown);
    CU_ASSERT_STRING_EQUAL(text_string(&found.names), names);
    CU_ASSERT_STRING_EQUAL(said, unknown);
    text_free(&why);
    text_free(&found.names);
}

static void files_are_taken_once(void)
{
    static const struct {
        const char *source, *names;
    } rows[] = {
        {"", " "},
        {"#include \"a.h\"\n#include \"a.h\"", " a.h "},
        {"#include \"b.h\"", " b.h a.h "}, /* each before those that it includes */
        {"#include \"a.h\"\n#include \"b.h\"", " a.h b.h "},
        {"#include \"self.h\"", " self.h "},
        {"#include \"round.h\"", " round.h sub/about.h "},
        {"#include \"none.h\"\n#include <none.h>\n#include \"a.h\"", " a.h "},
        {"#include \"sub\"", " "},
        {"#include \"duplicate.h\"\n#include \"a.h\"", " duplicate.h "}, /* links to one file */
        {"#embed \"a.bin\"", " a.bin "},                                 /* and what looks like source in it is none */
        {"#include \"long.h\"", " long.h "},
    };
    char name[5000];
    make_folder();
    write_file("a.h", "int a;\n");
    write_file("b.h", "#include \"a.h\"\n");
    write_file("self.h", "#include \"self.h\"\n#include \"./self.h\"\n#include \"sub/../self.h\"\n");
    write_file("round.h", "#include \"sub/about.h\"\n");
    write_file("sub/about.h", "#include \"../round.h\"\n#include \"../sub/../sub/about.h\"\n");
    write_file("a.bin", "#include \"a.h\"\n#include NAME\n");
    snprintf(name, sizeof name, "%s/duplicate.h", folder);
    CU_ASSERT_EQUAL(link(inside("a.h"), name), 0);
    memset(name, 'x', sizeof name);
    memcpy(name, "#include \"", 10);
    memcpy(name + sizeof name - 3, "\"\n", 3);
    write_file("long.h", name); /* a name that no file can have */
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_scan(rows[i].source, "", 0, rows[i].names, "");
    remove_folder();
}

static void what_is_unknown_is_named(void)
{
    static const struct {
        const char *source, *options;
        size_t count;
        const char *names, *unknown;
    } rows[] = {
        {"int x;\n\n#include NAME\n#include \"a.h\"", "", 0, " a.h ",
         "k.cu:3: a macro names the file that is included"},
        {"#include \"macro.h\"", "", 0, " macro.h ", "macro.h:2: a macro names the file that is included"},
        {"#if __has_include(NAME)", "", 0, " ", "k.cu:1: a macro names the file that __has_include asks for"},
        {"\\\n\\\n#include \"\"", "", 0, " ", "k.cu:3: a macro names the file that is included"},
        {"#include \"macro.h\"\n#include OTHER", "", 0, " macro.h ",
         "macro.h:2: a macro names the file that is included"}, /* the first */
        {"", "-pch", 1, " ", "k.cu: NVRTC reads or writes files of its own because of the option -pch"},
        {"", "--create-pch=a", 1, " ",
         "k.cu: NVRTC reads or writes files of its own because of the option --create-pch=a"},
        {"", "-DA\0--options-file=a", 2, " ",
         "k.cu: NVRTC reads or writes files of its own because of the option --options-file=a"},
        {"", "-optf=a", 1, " ", "k.cu: NVRTC reads or writes files of its own because of the option -optf=a"},
        {"", "-I\0-pch", 2, " ", ""}, /* a folder of that name */
        {"", "-include", 1, " ", ""}, /* an error that NVRTC reports */
    };
    make_folder();
    write_file("a.h", "");
    write_file("macro.h", "\n#include NAME\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_scan(rows[i].source, rows[i].options, rows[i].count, rows[i].names, rows[i].unknown);
    remove_folder();
}

/* A pipe is not waited for. */
static void odd_files_are_unknown(void)
{
    char expected[256];
    make_folder();
    CU_ASSERT_EQUAL(mkfifo(inside("pipe"), 0600), 0);
    snprintf(expected, sizeof expected, "k.cu:1: no regular file: %s/pipe", folder);
    expect_scan("#include \"pipe\"", "", 0, " ", expected);
    write_file("huge.h", "");
    CU_ASSERT_EQUAL(truncate(inside("huge.h"), INCLUDES_BYTES_MAX + 1), 0);
    snprintf(expected, sizeof expected, "k.cu:1: a file that cannot be read, or too large: %s/huge.h", folder);
    expect_scan("#include \"huge.h\"", "", 0, " ", expected);
    /* The limit is of all files together. */
    write_file("large.bin", "");
    CU_ASSERT_EQUAL(truncate(inside("large.bin"), INCLUDES_BYTES_MAX), 0);
    write_file("small.h", "x");
    snprintf(expected, sizeof expected, "k.cu:2: a file that cannot be read, or too large: %s/small.h", folder);
    struct found found = {0};
    struct text unknown = {0};
    CU_ASSERT_EQUAL(scan("#embed \"large.bin\"\n#include \"small.h\"", "", 0, &found, &unknown), 0);
    CU_ASSERT_EQUAL(found.count, 2);
    CU_ASSERT_STRING_EQUAL(text_string(&unknown) + strlen(folder) + 1, expected);
    text_free(&unknown);
    text_free(&found.names);
    remove_folder();
}

/* A chain of headers, each in the one before, up to the limit and past it. */
static void deep_chains_end(void)
{
    char name[32], text[64];
    make_folder();
    for (int i = 1; i <= INCLUDES_DEPTH_MAX + 1; i++) {
        snprintf(name, sizeof name, "h%d.h", i);
        snprintf(text, sizeof text, "#include \"h%d.h\"\n", i + 1);
        write_file(name, text);
    }
    for (int past = 0; past < 2; past++) {
        struct found found = {0};
        struct text unknown = {0};
        if (!past)
            unlink(inside(name));
        else
            write_file(name, "");
        CU_ASSERT_EQUAL(scan("#include \"h1.h\"", "", 0, &found, &unknown), 0);
        CU_ASSERT_EQUAL(found.count, INCLUDES_DEPTH_MAX + 1);
        CU_ASSERT_EQUAL(unknown.length > 0, past == 1);
        text_free(&unknown);
        text_free(&found.names);
    }
    remove_folder();
}

static void errors_end_the_scan(void)
{
    make_folder();
    write_file("a.h", "#include \"b.h\"\n");
    write_file("b.h", "");
    for (size_t limit = 1; limit <= 4; limit++) {
        struct found found = {.limit = limit};
        struct text unknown = {0};
        CU_ASSERT_EQUAL(scan("#include \"a.h\"", "", 0, &found, &unknown), limit <= 3 ? ERROR_DATA : 0);
        CU_ASSERT_EQUAL(found.count, limit <= 3 ? limit : 3);
        text_free(&unknown);
        text_free(&found.names);
    }
    remove_folder();
}

static void options_that_matter(void)
{
    static const struct {
        const char *option;
        bool matters;
    } rows[] = {{"-I", true},
                {"-Ia", true},
                {"-I=a", true},
                {" -Ia", true},
                {"-include", true},
                {"-include=a", true},
                {"-includea", false},
                {"--include-path=a", true},
                {"--include-path", true},
                {"--include-patha", false},
                {"--pre-include", true},
                {"--pre-include=a", true},
                {"-pch", true},
                {"--use-pch=a", true},
                {"-DTILE=3", false},
                {"--maxrregcount=3", false},
                {"", false},
                {"-i", false},
                {"I", false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CU_ASSERT_EQUAL(includes_option(rows[i].option), rows[i].matters);
}

CU_TestInfo tests_includes[] = {
    {"files are taken once", files_are_taken_once},
    {"what is unknown is named", what_is_unknown_is_named},
    {"odd files are unknown", odd_files_are_unknown},
    {"deep chains end", deep_chains_end},
    {"errors end the scan", errors_end_the_scan},
    {"options that matter", options_that_matter},
    CU_TEST_INFO_NULL,
};
