/* Limits, odd files and undetermined includes: cases without an NVRTC counterpart. tests/unit/compile/test_includes.c
 * compares the search order with NVRTC. */
#include "../scratch.h"
#include "base/includes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CUnit/Basic.h>

static char folder[64];

static void make_folder(void)
{
    strcpy(folder, "/tmp/cutune includes XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    CU_ASSERT_EQUAL(mkdir(path_inside(folder, "sub"), 0700), 0);
}

static void remove_folder(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    CU_ASSERT_EQUAL(system(command), 0);
}

struct found {
    struct text names; /* as written in the directives, each followed by a blank */
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
        {"#include \"b.h\"", " b.h a.h "}, /* included files before the including one */
        {"#include \"a.h\"\n#include \"b.h\"", " a.h b.h "},
        {"#include \"self.h\"", " self.h "},
        {"#include \"round.h\"", " round.h sub/about.h "},
        {"#include \"none.h\"\n#include <none.h>\n#include \"a.h\"", " a.h "},
        {"#include \"sub\"", " "},
        {"#include \"duplicate.h\"\n#include \"a.h\"", " duplicate.h "}, /* links to one file */
        {"#embed \"a.bin\"", " a.bin "},                                 /* text in it that looks like source is
                                                                            ignored */
        {"#include \"long.h\"", " long.h "},
        /* Files beside it may differ. */
        {"#include \"a.h\"\n#include \"sub/twin.h\"\n#include \"sub/twin.h\"", " a.h sub/twin.h "},
        /* A file read as data may also be source. */
        {"#embed \"b.h\"\n#include \"b.h\"\n#embed \"b.h\"", " b.h b.h a.h "},
        {"#include \"b.h\"\n#embed \"b.h\"", " b.h a.h b.h "},
    };
    char name[5000];
    make_folder();
    write_inside(folder, "a.h", "int a;\n");
    write_inside(folder, "b.h", "#include \"a.h\"\n");
    write_inside(folder, "self.h", "#include \"self.h\"\n#include \"./self.h\"\n#include \"sub/../self.h\"\n");
    write_inside(folder, "round.h", "#include \"sub/about.h\"\n");
    write_inside(folder, "sub/about.h", "#include \"../round.h\"\n#include \"../sub/../sub/about.h\"\n");
    write_inside(folder, "a.bin", "#include \"a.h\"\n#include NAME\n");
    snprintf(name, sizeof name, "%s/duplicate.h", folder);
    CU_ASSERT_EQUAL(link(path_inside(folder, "a.h"), name), 0);
    snprintf(name, sizeof name, "%s/sub/twin.h", folder);
    CU_ASSERT_EQUAL(link(path_inside(folder, "a.h"), name), 0);
    memset(name, 'x', sizeof name);
    memcpy(name, "#include \"", 10);
    memcpy(name + sizeof name - 3, "\"\n", 3);
    write_inside(folder, "long.h", name); /* longer than any file name */
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
         "macro.h:2: a macro names the file that is included"}, /* the first reason */
        {"", "-pch", 1, " ", "k.cu: the compiler reads or writes files of its own because of the option -pch"},
        {"", "--create-pch=a", 1, " ",
         "k.cu: the compiler reads or writes files of its own because of the option --create-pch=a"},
        {"", "-DA\0--options-file=a", 2, " ",
         "k.cu: the compiler reads or writes files of its own because of the option --options-file=a"},
        {"", "-optf=a", 1, " ", "k.cu: the compiler reads or writes files of its own because of the option -optf=a"},
        {"", "-I\0-pch", 2, " ", ""}, /* a folder with this name */
        {"", "-include", 1, " ", ""}, /* an error that NVRTC reports */
    };
    make_folder();
    write_inside(folder, "a.h", "");
    write_inside(folder, "macro.h", "\n#include NAME\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_scan(rows[i].source, rows[i].options, rows[i].count, rows[i].names, rows[i].unknown);
    remove_folder();
}

/* A pipe is not read. */
static void odd_files_are_unknown(void)
{
    char expected[256];
    make_folder();
    CU_ASSERT_EQUAL(mkfifo(path_inside(folder, "pipe"), 0600), 0);
    snprintf(expected, sizeof expected, "k.cu:1: not a regular file: %s/pipe", folder);
    expect_scan("#include \"pipe\"", "", 0, " ", expected);
    write_inside(folder, "huge.h", "");
    CU_ASSERT_EQUAL(truncate(path_inside(folder, "huge.h"), INCLUDES_BYTES_MAX + 1), 0);
    snprintf(expected, sizeof expected, "k.cu:1: a file that cannot be read, or too large: %s/huge.h", folder);
    expect_scan("#include \"huge.h\"", "", 0, " ", expected);
    /* The limit applies to all files together. */
    write_inside(folder, "large.bin", "");
    CU_ASSERT_EQUAL(truncate(path_inside(folder, "large.bin"), INCLUDES_BYTES_MAX), 0);
    write_inside(folder, "small.h", "x");
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

/* A chain of headers, each including the next, up to the limit and beyond. */
static void deep_chains_end(void)
{
    char name[32], text[64];
    make_folder();
    for (int i = 1; i <= INCLUDES_DEPTH_MAX + 1; i++) {
        snprintf(name, sizeof name, "h%d.h", i);
        snprintf(text, sizeof text, "#include \"h%d.h\"\n", i + 1);
        write_inside(folder, name, text);
    }
    for (int past = 0; past < 2; past++) {
        struct found found = {0};
        struct text unknown = {0};
        if (!past)
            unlink(path_inside(folder, name));
        else
            write_inside(folder, name, "");
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
    write_inside(folder, "a.h", "#include \"b.h\"\n");
    write_inside(folder, "b.h", "");
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

/* "ABSOLUTE" stands for the working directory. */
static void append_absolute(struct text *text, const char *from)
{
    static const char mark[] = "ABSOLUTE";
    for (const char *at; (at = strstr(from, mark)); from = at + strlen(mark)) {
        text_append(text, from, (size_t)(at - from));
        text_append(text, folder, strlen(folder));
    }
    text_append(text, from, strlen(from));
}

/* Each path relative to the working directory, with "!" for a toolkit file. */
static int take_path(void *context, const struct included *file, struct error *error)
{
    (void)error;
    text_printf(context, "%s%s ", file->path, file->toolkit ? "!" : "");
    return 0;
}

/* Paths of files found from a working directory with kit/ as the toolkit. */
static void paths_are_as_they_were_found(void)
{
    static const struct {
        const char *path, *source, *options;
        size_t count;
        const char *paths, *unknown, *folder;
    } rows[] = {
        {"k.cu", "#include \"a.h\"", "", 0, "k.cu a.h ", "", ""},
        {"./k.cu", "#include \"a.h\"", "", 0, "./k.cu ./a.h ", "", ""},
        {"sub/k.cu", "#include \"a.h\"\n#include \"../a.h\"", "", 0, "sub/k.cu sub/../a.h ", "", ""},
        {"sub/k.cu", "#include <a.h>", "-I.", 1, "sub/k.cu ./a.h ", "", ""},
        {"sub/k.cu", "#include <a.h>", "-I", 1, "sub/k.cu a.h ", "", ""},
        {"k.cu", "#include <b.h>", "-Isub", 1, "k.cu sub/b.h ", "", ""},
        {"k.cu", "#include <b.h>", "-Isub/", 1, "k.cu sub/b.h ", "", ""},
        {"k.cu", "#include <b.h>", "-Isub//", 1, "k.cu sub//b.h ", "", ""},
        {"k.cu", "#include <b.h>", "-Inone\0-Isub", 2, "k.cu sub/b.h ", "", ""},
        {"sub/k.cu", "", "-include\0a.h", 2, "sub/k.cu a.h ", "", ""},
        {"k.cu", "", "-include=b.h\0-Isub", 2, "k.cu sub/b.h ", "", ""},
        /* Paths in options are relative to the compiler's folder, except for toolkit folders. */
        {"sub/k.cu", "#include <b.h>\n#include <a.h>", "-I.\0-I..", 2, "sub/k.cu sub/./b.h sub/../a.h ", "", "sub/"},
        {"sub/k.cu", "#include <b.h>", "-I", 1, "sub/k.cu sub/b.h ", "", "sub/"},
        {"sub/k.cu", "#include <t.h>", "-Ikit/include", 1, "sub/k.cu kit/include/t.h! ", "", "sub/"},
        {"k.cu", "", "-include=b.h", 1, "k.cu sub/b.h ", "", "sub/"},
        {"k.cu", "", "-include=next.h\0-I../kit", 2, "k.cu sub/next.h sub/../kit/next.h ", "", "sub/"},
        {"k.cu", "", "-include=a.h\0-I..", 2, "k.cu sub/../a.h ", "", "sub/"},
        {"k.cu", "#include \"ABSOLUTE/a.h\"\n#include \"a.h\"", "", 0, "k.cu ABSOLUTE/a.h ", "", ""},
        {"sub/k.cu", "#include <ABSOLUTE/a.h>", "-I.", 1, "sub/k.cu ABSOLUTE/a.h ", "", ""},
        /* With several candidates, a quoted name finds another file than one in angle brackets. */
        {"k.cu", "#include \"b.h\"\n#include <b.h>", "-Isub\0-Ikit", 2, "k.cu sub/b.h ", "", ""},
        {"sub/k.cu", "#include \"b.h\"\n#include <b.h>", "-Isub", 1, "sub/k.cu sub/b.h sub/b.h ", "", ""},
        /* #include_next continues behind the folder of the including file. */
        {"k.cu", "#include <next.h>", "-Isub\0-Ikit", 2, "k.cu sub/next.h kit/next.h ", "", ""},
        {"sub/k.cu", "#include \"next.h\"", "-Isub\0-Ikit", 2, "sub/k.cu sub/next.h sub/next.h kit/next.h ", "", ""},
        {"k.cu", "#include \"ABSOLUTE/sub/next.h\"", "-Isub\0-Ikit", 2,
         "k.cu ABSOLUTE/sub/next.h sub/next.h kit/next.h ", "", ""},
        /* The toolkit does not include a folder whose name merely starts with its own. */
        {"k.cu", "#include <t.h>\n#include <c.h>\n#include <u.h>", "-Ikit/include\0-Ikit/include/cccl\0-Ikit/include2",
         3, "k.cu kit/include/t.h! kit/include/cccl/c.h! kit/include2/u.h ", "", ""},
        {"k.cu", "#include <m.h>\n#include <v.h>", "-Ikit/include\0-Ikit/include2", 2,
         "k.cu kit/include/m.h! kit/include2/v.h ", "kit/include2/v.h:1: a macro names the file that is included", ""},
    };
    static const char *const folders[] = {"kit", "kit/include", "kit/include/cccl", "kit/include2"};
    static const struct {
        const char *name, *text;
    } files[] = {{"a.h", ""},
                 {"sub/b.h", ""},
                 {"sub/next.h", "#include_next <next.h>\n"},
                 {"kit/next.h", ""},
                 {"kit/include/t.h", ""},
                 {"kit/include/cccl/c.h", ""},
                 {"kit/include2/u.h", ""},
                 {"kit/include/m.h", "#include NAME\n"},
                 {"kit/include2/v.h", "#include NAME\n"}};
    char start[4096];
    CU_ASSERT_PTR_NOT_NULL_FATAL(getcwd(start, sizeof start));
    make_folder();
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        CU_ASSERT_EQUAL(mkdir(path_inside(folder, folders[i]), 0700), 0);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        write_inside(folder, files[i].name, files[i].text);
    CU_ASSERT_EQUAL_FATAL(chdir(folder), 0);
    CU_ASSERT_EQUAL(setenv("CUDA_HOME", "kit", 1), 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text source = {0}, expected = {0}, paths = {0};
        struct error error = {0};
        append_absolute(&source, rows[i].source);
        append_absolute(&expected, rows[i].paths);
        struct includes includes = {.path = rows[i].path,
                                    .source = text_string(&source),
                                    .length = source.length,
                                    .folder = rows[i].folder,
                                    .options = rows[i].options,
                                    .option_count = rows[i].count,
                                    .take = take_path,
                                    .context = &paths};
        CU_ASSERT_EQUAL(includes_scan(&includes, &error), 0);
        if (strcmp(text_string(&paths), text_string(&expected)) != 0)
            fprintf(stderr, "row %zu: '%s', expected '%s'\n", i, text_string(&paths), text_string(&expected));
        CU_ASSERT_STRING_EQUAL(text_string(&paths), text_string(&expected));
        CU_ASSERT_STRING_EQUAL(text_string(&includes.unknown), rows[i].unknown);
        text_free(&includes.unknown);
        text_free(&source);
        text_free(&expected);
        text_free(&paths);
    }
    CU_ASSERT_EQUAL(unsetenv("CUDA_HOME"), 0);
    CU_ASSERT_EQUAL(chdir(start), 0);
    remove_folder();
}

/* The same few headers in each of a thousand folders, up to the limit and beyond. */
static void too_many_files_are_unknown(void)
{
    enum { CHAINS = INCLUDES_MAX / INCLUDES_DEPTH_MAX, REST = INCLUDES_MAX % INCLUDES_DEPTH_MAX };
    struct text source = {0}, options = {0};
    char name[32], text[64];
    make_folder();
    write_inside(folder, "one.h", "");
    CU_ASSERT_EQUAL(mkdir(path_inside(folder, "more"), 0700), 0);
    for (int i = 0; i < INCLUDES_DEPTH_MAX; i++)
        text_printf(&options, "-I%s/%s%c", folder, i < REST ? "more" : "sub", 0);
    for (int i = 0; i <= CHAINS; i++) {
        text_printf(&source, "#include <h%d.h>\n", i);
        snprintf(text, sizeof text, "#include_next <h%d.h>\n", i);
        snprintf(name, sizeof name, "more/h%d.h", i);
        write_inside(folder, name, text);
        snprintf(name, sizeof name, "sub/h%d.h", i);
        if (i < CHAINS)
            write_inside(folder, name, text);
    }
    for (int past = 0; past < 2; past++) {
        struct found found = {0};
        struct text unknown = {0};
        if (past)
            text_printf(&source, "#include \"one.h\"\n");
        CU_ASSERT_EQUAL(scan(text_string(&source), text_string(&options), INCLUDES_DEPTH_MAX, &found, &unknown), 0);
        CU_ASSERT_EQUAL(found.count, 1 + INCLUDES_MAX);
        CU_ASSERT_EQUAL(unknown.length > 0, past == 1);
        text_free(&unknown);
        text_free(&found.names);
    }
    text_free(&source);
    text_free(&options);
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
                {"-isystem", true},
                {"-isystem=a", true},
                {"--system-include=a", true},
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

/* "folder:" or "file:" and the path; "": the option has none. */
static void paths_in_options(void)
{
    static const char *const rows[][2] = {{"-Ia/b", "folder:a/b"},
                                          {"-I", "folder:"},
                                          {"-I=a", "folder:a"},
                                          {"-I a", "folder:a"},
                                          {"-isystem=a", "folder:a"},
                                          {"--include-path=", "folder:"},
                                          {"-include=a.h", "file:a.h"},
                                          {"--pre-include", "file:"},
                                          {"-DA=-I", ""},
                                          {"-pch", ""}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char found[32];
        bool is_folder = true;
        const char *path = includes_path(rows[i][0], &is_folder);
        snprintf(found, sizeof found, "%s%s", !path ? "" : is_folder ? "folder:" : "file:", path ? path : "");
        CU_ASSERT_STRING_EQUAL(found, rows[i][1]);
    }
}

CU_TestInfo tests_includes[] = {
    {"paths in options", paths_in_options},
    {"files are taken once", files_are_taken_once},
    {"undetermined files are named", what_is_unknown_is_named},
    {"odd files are unknown", odd_files_are_unknown},
    {"deep chains end", deep_chains_end},
    {"errors end the scan", errors_end_the_scan},
    {"paths are as they were found", paths_are_as_they_were_found},
    {"too many files are unknown", too_many_files_are_unknown},
    {"options that matter", options_that_matter},
    CU_TEST_INFO_NULL,
};
