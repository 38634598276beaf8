/* Compares the include scanner with NVRTC: both must name the same files. */
#include "base/includes.h"

#include <fcntl.h>
#include <stdlib.h>

#include "base/toolkit.h"
#include "cache_scratch.h"
#include "compile/library.h"

/* Every header reports its name, then includes others. */
static const struct {
    const char *path, *body;
} files[] = {
    {"src/x.h", ""},
    {"A/x.h", ""},
    {"B/x.h", ""},
    {"work/x.h", ""},
    {"src/sub/x.h", ""},
    {"A/sub/x.h", ""},
    {"src/beside.h", ""},
    {"A/only.h", ""},
    {"B/only.h", ""},
    {"with space/spaced.h", ""},
    {"src/sub/quotes.h", "#include \"x.h\"\n"},
    {"A/sub/quotes.h", "#include \"x.h\"\n"},
    {"src/sub/brackets.h", "#include <x.h>\n"},
    {"A/sub/brackets.h", "#include <x.h>\n"},
    {"src/sub/up.h", "#include \"../beside.h\"\n"},
    {"src/sub/parent.h", "#include \"beside.h\"\n"},
    {"src/next.h", "#include_next \"next.h\"\n"},
    {"A/next.h", "#include_next <next.h>\n"},
    {"B/next.h", ""},
    {"A/by.h", "#include \"p/other.h\"\n"},
    {"A/p/other.h", "#include_next \"x.h\"\n"},
    {"src/once.h", "#pragma once\n#include \"sub/once2.h\"\n"},
    {"src/sub/once2.h", "#include \"../once.h\"\n#include \"../sub/../once.h\"\n"},
    {"A/target.h", "#include \"x.h\"\n"}, /* target of src/link.h */
    {"A/folder.h", ""},                   /* target of src/folder.h, a folder */
    {"work/pre.h", ""},
    {"A/pre.h", ""},
};

static const struct row {
    const char *source, *options; /* options: each ends with '\n' */
    const char *removed;          /* files to remove, in turn, each followed by a blank */
    bool more;                    /* the scanner may name more files than NVRTC takes: conditions */
    const char *path;             /* of the source; NULL: "../src/main.cu" */
} rows[] = {
    /* The order of folders. */
    {"#include \"x.h\"", "-I../A\n-I../B\n", "", false, NULL},
    {"#include \"x.h\"", "-I../A\n-I../B\n", "src/x.h ", false, NULL},
    {"#include \"x.h\"", "-I../A\n-I../B\n", "src/x.h A/x.h ", false, NULL},
    {"#include <x.h>", "-I../A\n-I../B\n", "", false, NULL},
    {"#include <x.h>", "-I../B\n-I../A\n", "", false, NULL},
    {"#include <x.h>", "-I../A\n-I../B\n", "A/x.h ", false, NULL},
    {"#include \"x.h\"", "", "", false, NULL},
    {"#include \"x.h\"", "-I../A\n", "", false, "main.cu"},
    {"#include <x.h>", "-I../A\n-I.\n", "", false, "main.cu"},
    {"#include <x.h>", "-I.\n-I../A\n", "", false, "main.cu"},
    {"#include \"../A/only.h\"", "", "", false, NULL},
    {"#include <../A/only.h>", "-I../B\n", "", false, NULL},
    {"#include \"folder.h\"", "-I../A\n", "", false, NULL},
    /* From a header in a subfolder. */
    {"#include \"sub/quotes.h\"", "-I../A\n", "", false, NULL},
    {"#include \"sub/quotes.h\"", "-I../A\n", "src/sub/x.h ", false, NULL},
    {"#include \"sub/quotes.h\"", "-I../src\n-I../A\n", "src/sub/x.h ", false, NULL},
    {"#include \"sub/quotes.h\"", "-I../A\n-I../src\n", "src/sub/x.h A/x.h ", false, NULL},
    {"#include <sub/quotes.h>", "-I../A\n", "", false, NULL},
    {"#include <sub/quotes.h>", "-I../A\n-I../src\n", "A/sub/x.h ", false, NULL},
    {"#include \"sub/brackets.h\"", "-I../A\n", "", false, NULL},
    {"#include \"sub/brackets.h\"", "-I../B\n-I../A\n", "", false, NULL},
    {"#include <sub/brackets.h>", "-I../src\n-I../B\n", "", false, NULL},
    {"#include \"sub/up.h\"", "", "", false, NULL},
    {"#include \"sub/parent.h\"", "-I../src\n", "", false, NULL},
    {"#include \"once.h\"", "", "", false, NULL},
    /* Through a link, the folder is that of the link. */
    {"#include \"link.h\"", "-I../A\n", "", false, NULL},
    {"#include <linked/only.h>", "-I..\n", "", false, NULL},
    /* #include_next. */
    {"#include \"next.h\"", "-I../A\n-I../B\n", "", false, NULL},
    {"#include <next.h>", "-I../A\n-I../B\n", "", false, NULL},
    {"#include <next.h>", "-I../src\n-I../A\n-I../B\n", "", false, NULL},
    {"#include_next \"x.h\"", "-I../A\n", "", false, NULL},
    {"#include_next <x.h>", "-I../A\n", "", false, NULL},
    {"#include <by.h>", "-I../B\n-I../A\n", "", false, NULL},
    /* Spellings of options. */
    {"#include <only.h>", "-I\n../A\n", "", false, NULL},
    {"#include <only.h>", "-I\n ../A\n", "", false, NULL},
    {"#include <only.h>", "-I=../A\n", "", false, NULL},
    {"#include <only.h>", "-I  ../A\n", "", false, NULL},
    {"#include <only.h>", " -I../A\n", "", false, NULL},
    {"#include <only.h>", "-I../A \n", "", false, NULL},
    {"#include <only.h>", "-I../A/\n", "", false, NULL},
    {"#include <only.h>", "--include-path=../A\n", "", false, NULL},
    {"#include <only.h>", "--include-path\n../A\n", "", false, NULL},
    {"#include <only.h>", "-I../B\n--include-path=../A\n", "", false, NULL},
    {"#include <only.h>", "-I../none\n-I../A\n", "", false, NULL},
    {"#include <spaced.h>", "-I../with space\n", "", false, NULL},
    {"#if __has_include(<only.h>)\n#include <only.h>\n#endif", "-I../A,../B\n", "", false, NULL},
    {"#if __has_include(<only.h>)\n#include <only.h>\n#endif", "-I=\n", "", false, NULL},
    {"#if __has_include(<x.h>)\n#include <x.h>\n#endif", "-I=\n", "", false, NULL},
    {"#if __has_include(<x.h>)\n#include <x.h>\n#endif", "-I\n\n", "", false, NULL},
    {"#if __has_include(<x.h>)\n#include <x.h>\n#endif", "-I\n", "", false, NULL},
    {"", "-include\npre.h\n", "", false, NULL},
    {"", "-include=pre.h\n", "", false, NULL},
    {"", "--pre-include=pre.h\n", "", false, NULL},
    {"", "--pre-include\npre.h\n", "", false, NULL},
    {"", "-include\npre.h\n-I../A\n", "work/pre.h ", false, NULL},
    {"", "-I../A\n-include=sub/quotes.h\n", "", false, NULL},
    {"", "-I../A\n-include\nonly.h\n-include\nx.h\n", "", false, NULL},
    /* Lexical rules. */
    {"#inc\\\nlude \"x\\\n.h\"", "", "", false, NULL},
    {"# /* */ include /*\n*/ \"x.h\" // \"beside.h\"", "", "", false, NULL},
    {"%:include \"x.h\"", "", "", false, NULL},
    {"// \\\n#include \"x.h\"", "", "", false, NULL},
    {"/* \n#include \"x.h\"\n*/", "", "", false, NULL},
    {"__device__ const char *s = R\"(\n#include \"x.h\"\n)\";", "", "", false, NULL},
    {"__device__ const char *s = u8R\"q(\n)\"\n#include \"x.h\"\n)q\";", "", "", false, NULL},
    {"__device__ const char *s = \"/*\";\n#include \"x.h\"", "", "", false, NULL},
    {"__device__ int n = 1'0; /*\n#include \"x.h\"\n*/", "", "", false, NULL},
    {"__device__ char c = '\"';\n#include \"x.h\"", "", "", false, NULL},
    {"#if 0\n don't /*\n#endif\n#include \"x.h\"", "", "", false, NULL},
    {"__device__ int x;\\\r\n\n#include \"x.h\"", "", "", false, NULL},
    {"\r#include \"x.h\"\r\n", "", "", false, NULL},
    /* Conditions: all branches count; missing files are skipped. */
    {"#if 0\n#include \"x.h\"\n#include \"none.h\"\n#else\n#include \"beside.h\"\n#endif", "", "", true, NULL},
    {"#if __has_include(\"x.h\")\n#endif", "", "", true, NULL},
    {"#if __has_include(\"none.h\")\n#include \"none.h\"\n#endif", "", "", false, NULL},
};

static char root[64];
static int start_folder;

static void make_files(void)
{
    char path[256], text[256];
    static const char *const folders[] = {"work",  "src", "src/sub", "src/folder.h", "A",
                                          "A/sub", "A/p", "B",       "with space"};
    strcpy(root, "/tmp/cutune includes XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(root));
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        snprintf(path, sizeof path, "%s/%s", root, folders[i]);
        CU_ASSERT_EQUAL(mkdir(path, 0700), 0);
    }
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/%s", root, files[i].path);
        snprintf(text, sizeof text, "#warning HERE:%s;\n%s", files[i].path, files[i].body);
        write_bytes(path, text, strlen(text));
    }
    snprintf(path, sizeof path, "%s/src/link.h", root);
    CU_ASSERT_EQUAL(symlink("../A/target.h", path), 0);
    snprintf(path, sizeof path, "%s/linked", root);
    CU_ASSERT_EQUAL(symlink("A", path), 0);
    start_folder = open(".", O_RDONLY | O_DIRECTORY);
    snprintf(path, sizeof path, "%s/work", root);
    CU_ASSERT_EQUAL_FATAL(chdir(path), 0);
}

static void remove_files(void)
{
    CU_ASSERT_EQUAL(fchdir(start_folder), 0);
    close(start_folder);
    remove_folder(root);
}

/* Moves a row's removed files away, or back. */
static void move_removed(const char *removed, bool away)
{
    char path[256], aside[300];
    for (; *removed; removed += strcspn(removed, " ") + 1) {
        snprintf(path, sizeof path, "%s/%.*s", root, (int)strcspn(removed, " "), removed);
        snprintf(aside, sizeof aside, "%s.aside", path);
        CU_ASSERT_EQUAL(away ? rename(path, aside) : rename(aside, path), 0);
    }
}

/* Converts options to the scanner's form and to NVRTC's. */
static size_t pack_options(const char *lines, struct text *packed)
{
    size_t count = 0;
    text_append(packed, lines, strlen(lines));
    for (size_t i = 0; i < packed->length; i++)
        if (packed->bytes[i] == '\n') {
            packed->bytes[i] = '\0';
            count++;
        }
    return count;
}

static void add_name(struct text *list, const char *name, size_t length)
{
    char entry[256];
    snprintf(entry, sizeof entry, "%.*s ", (int)length, name);
    if (!strstr(text_string(list), entry))
        text_append(list, entry, strlen(entry));
}

/* The files that NVRTC included. */
static void ask_nvrtc(const struct row *row, const char *path, struct text *list)
{
    static const char mark[] = "HERE:";
    struct text packed = {0};
    const char *options[8] = {"-arch=sm_90", "-std=c++17"};
    size_t count = pack_options(row->options, &packed), log_bytes = 0;
    const char *at = text_string(&packed);
    nvrtcProgram program = NULL;
    struct nvrtc nvrtc;
    CU_ASSERT_EQUAL_FATAL(nvrtc_load(&nvrtc, NULL), 0);
    for (size_t i = 0; i < count; i++, at += strlen(at) + 1)
        options[i + 2] = at;
    CU_ASSERT_EQUAL_FATAL(nvrtc.nvrtcCreateProgram(&program, row->source, path, 0, NULL, NULL), NVRTC_SUCCESS);
    nvrtcResult code = nvrtc.nvrtcCompileProgram(program, (int)count + 2, options);
    CU_ASSERT_EQUAL_FATAL(nvrtc.nvrtcGetProgramLogSize(program, &log_bytes), NVRTC_SUCCESS);
    char *log = calloc(log_bytes + 1, 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(log);
    nvrtc.nvrtcGetProgramLog(program, log);
    if (code != NVRTC_SUCCESS)
        fprintf(stderr, "%s with %s: %s\n", row->source, row->options, log);
    CU_ASSERT_EQUAL(code, NVRTC_SUCCESS);
    for (const char *found = log; (found = strstr(found, mark));) {
        found += strlen(mark);
        add_name(list, found, strcspn(found, ";"));
    }
    free(log);
    nvrtc.nvrtcDestroyProgram(&program);
    text_free(&packed);
}

/* Identifies files by their text: links have different paths. */
static int add_file(void *context, const struct included *file, struct error *error)
{
    static const char mark[] = "#warning HERE:";
    (void)error;
    if (*file->name && strncmp(file->text, mark, strlen(mark)) == 0)
        add_name(context, file->text + strlen(mark), strcspn(file->text + strlen(mark), ";"));
    return 0;
}

static void ask_scanner(const struct row *row, const char *path, struct text *list)
{
    struct text packed = {0};
    struct error error = {0};
    size_t count = pack_options(row->options, &packed);
    struct includes includes = {.path = path,
                                .source = row->source,
                                .length = strlen(row->source),
                                .option_count = count,
                                .options = text_string(&packed),
                                .take = add_file,
                                .context = list};
    CU_ASSERT_EQUAL(includes_scan(&includes, &error), 0);
    CU_ASSERT_STRING_EQUAL(text_string(&includes.unknown), "");
    text_free(&includes.unknown);
    text_free(&packed);
}

static bool has_all(const struct text *list, const struct text *wanted)
{
    for (const char *at = text_string(wanted); *at; at += strcspn(at, " ") + 1) {
        char entry[256];
        snprintf(entry, sizeof entry, "%.*s ", (int)strcspn(at, " "), at);
        if (!strstr(text_string(list), entry))
            return false;
    }
    return true;
}

static void both_name_the_same_files(void)
{
    make_files();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *path = rows[i].path ? rows[i].path : "../src/main.cu";
        struct text nvrtc = {0}, scanner = {0};
        move_removed(rows[i].removed, true);
        ask_nvrtc(&rows[i], path, &nvrtc);
        ask_scanner(&rows[i], path, &scanner);
        move_removed(rows[i].removed, false);
        bool same = rows[i].more ? has_all(&scanner, &nvrtc) : has_all(&scanner, &nvrtc) && has_all(&nvrtc, &scanner);
        if (!same)
            fprintf(stderr, "%s with %s without %s\nNVRTC:   %s\nscanner: %s\n", rows[i].source, rows[i].options,
                    rows[i].removed, text_string(&nvrtc), text_string(&scanner));
        CU_ASSERT(same);
        text_free(&nvrtc);
        text_free(&scanner);
    }
    remove_files();
}

/* ---- The toolkit's headers ---- */

struct toolkit_files {
    size_t inside, outside;
};

static int count_file(void *context, const struct included *file, struct error *error)
{
    struct toolkit_files *found = context;
    (void)error;
    found->inside += file->toolkit;
    found->outside += !file->toolkit && *file->name;
    return 0;
}

/* Toolkit headers are read like others and marked; macros in them do not matter. A file that shadows a toolkit
 * header counts. */
static void toolkit_headers_are_marked(void)
{
    static const struct {
        const char *source;
        bool inside;
        size_t outside;
    } cases[] = {{"#include \"x.h\"\n", false, 1},
                 {"#include <cuda_pipeline.h>\n", true, 0},
                 {"#include <thrust/sort.h>\n", true, 0},
                 {"#include <cuda_pipeline_helpers.h>\n#include \"x.h\"\n", true, 1}};
    make_files();
    for (int hidden = 0; hidden < 2; hidden++) {
        if (hidden)
            write_bytes("../src/stdint.h", "", 0);
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            struct text options = {0};
            struct error error = {0};
            struct toolkit_files found = {0};
            struct includes includes = {.path = "../src/main.cu",
                                        .source = cases[i].source,
                                        .length = strlen(cases[i].source),
                                        .take = count_file,
                                        .context = &found};
            toolkit_options(includes.path, &options, &includes.option_count);
            includes.options = text_string(&options);
            CU_ASSERT_EQUAL(includes_scan(&includes, &error), 0);
            CU_ASSERT_STRING_EQUAL(text_string(&includes.unknown), "");
            CU_ASSERT_EQUAL(found.inside > 0, cases[i].inside);
            CU_ASSERT_EQUAL(found.outside, cases[i].outside + (hidden && cases[i].inside));
            text_free(&includes.unknown);
            text_free(&options);
        }
    }
    remove_files();
}

CU_TestInfo tests_includes[] = {
    {"both name the same files", both_name_the_same_files},
    {"toolkit headers are marked", toolkit_headers_are_marked},
    CU_TEST_INFO_NULL,
};
