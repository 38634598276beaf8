/* The files that a compiler process remembers, and the changes that make it read them again. */
#include "compile/include_cache.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/root.h"

#include "../scratch.h"
#include "base/hash.h"

#define SOURCE "#include \"probe.h\"\n#include \"sub/inner.h\"\n"

/* The root is the working directory of each case. */
static const char *const root_folders[] = {"src", "src/sub", "include", "other", "cuda", "cuda/include"};

static void set_time(const char *path, long seconds, long nanoseconds)
{
    const struct timespec times[2] = {{seconds, nanoseconds}, {seconds, nanoseconds}};
    CU_ASSERT_EQUAL(utimensat(AT_FDCWD, path, times, 0), 0);
}

/* ---- Requests ---- */

struct question {
    const char *path, *source, *options; /* options: each ends with '\n' */
};

static bool ask(struct include_cache *include_cache, const struct question *question, bool anew, struct text *digest)
{
    struct request request = {.job = {.path = question->path, .source = question->source}};
    text_append(&request.all_options, question->options, strlen(question->options));
    for (size_t i = 0; i < request.all_options.length; i++)
        if (request.all_options.bytes[i] == '\n') {
            request.all_options.bytes[i] = '\0';
            request.all_option_count++;
        }
    text_clear(digest);
    bool known = include_cache_append(include_cache, &request, anew, digest);
    text_free(&request.all_options);
    return known;
}

static bool same(const struct text *a, const struct text *b)
{
    return a->length == b->length && memcmp(text_string(a), text_string(b), a->length) == 0;
}

/* The answer without remembered files. */
static bool ask_afresh(const struct question *question, struct text *digest)
{
    struct include_cache include_cache = {0};
    bool known = ask(&include_cache, question, false, digest);
    include_cache_free(&include_cache);
    return known;
}

/* ---- Cases ---- */

/* Appends path and hash of the source and of every file. */
static void digests_name_path_and_hash(void)
{
    static const struct {
        const char *path, *text;
    } files[] = {{"src/k.cu", SOURCE}, {"src/probe.h", "int a;\n"}, {"src/sub/inner.h", ""}};
    struct text expected = {0}, digest = {0};
    struct include_cache include_cache = {0};
    struct request request = {.job = {.path = "src/k.cu", .source = SOURCE}};
    char hash[HASH_HEX_BYTES];
    root_enter(root_folders, sizeof root_folders / sizeof *root_folders);
    write_file("src/probe.h", files[1].text);
    write_file("src/sub/inner.h", files[2].text);
    text_append(&expected, "before", 6);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        hash_hex(files[i].text, strlen(files[i].text), hash);
        text_append(&expected, files[i].path, strlen(files[i].path) + 1);
        text_append(&expected, hash, sizeof hash);
    }
    text_append(&digest, "before", 6);
    CU_ASSERT(include_cache_append(&include_cache, &request, false, &digest));
    CU_ASSERT(same(&digest, &expected));
    include_cache_free(&include_cache);
    CU_ASSERT_PTR_NULL(include_cache.digest.bytes);
    CU_ASSERT_FALSE(include_cache.known);
    text_free(&digest);
    text_free(&expected);
    root_leave();
}

/* Each function makes a change; src/probe.h is then read again or not. */
static void change_nothing(void)
{
}

static void touch_header(void)
{
    set_time("src/sub/inner.h", 1000, 1);
}

static void touch_header_whole_seconds(void)
{
    set_time("src/sub/inner.h", 1001, 0);
}

/* Same size and age. */
static void replace_header(void)
{
    write_file("other/new.h", "int b;\n");
    set_time("other/new.h", 1000, 0);
    CU_ASSERT_EQUAL(rename("other/new.h", "src/sub/inner.h"), 0);
    set_time("src/sub", 1000, 0);
}

static void enlarge_header(void)
{
    write_file("src/sub/inner.h", "int bb;\n");
    set_time("src/sub/inner.h", 1000, 0);
}

static void remove_header(void)
{
    CU_ASSERT_EQUAL(unlink("src/sub/inner.h"), 0);
    set_time("src/sub", 1000, 0);
}

static void add_beside_source(void)
{
    write_file("src/new.h", "");
}

static void add_beside_header(void)
{
    write_file("src/sub/new.h", "");
}

static void add_beside_found(void)
{
    write_file("include/new.h", "");
}

static void add_prior_run(void)
{
    write_file("other/new.h", "");
}

/* The source's text is part of the request. */
static void change_source_file(void)
{
    write_file("src/k.cu", "int other;\n");
}

static void change_toolkit_header(void)
{
    write_file("cuda/include/kit.h", "int more;\n");
    write_file("cuda/include/new.h", "");
}

/* src/probe.h gets another text of the same length and age, which is undetectable: its hash in the digest shows
 * whether the files were read again. */
static void what_is_noticed(void)
{
#define ALL     SOURCE "#include <found.h>\n#include <kit.h>\n"
#define FOLDERS "-Iinclude\n-Icuda/include\n-std=c++17\n"
#define OPTIONS "-DTILE=1\n" FOLDERS
    static const struct question first = {"src/k.cu", ALL, OPTIONS};
    static const struct {
        void (*change)(void);
        struct question second;
        bool anew, again;
    } rows[] = {
        {change_nothing, {"src/k.cu", ALL, OPTIONS}, false, false},
        {change_nothing, {"src/k.cu", ALL, OPTIONS}, true, true},
        {touch_header, {"src/k.cu", ALL, OPTIONS}, false, true},
        {touch_header_whole_seconds, {"src/k.cu", ALL, OPTIONS}, false, true},
        {replace_header, {"src/k.cu", ALL, OPTIONS}, false, true},
        {enlarge_header, {"src/k.cu", ALL, OPTIONS}, false, true},
        {remove_header, {"src/k.cu", ALL, OPTIONS}, false, true},
        {add_beside_source, {"src/k.cu", ALL, OPTIONS}, false, true},
        {add_beside_header, {"src/k.cu", ALL, OPTIONS}, false, true},
        {add_beside_found, {"src/k.cu", ALL, OPTIONS}, false, true},
        {add_prior_run, {"src/k.cu", ALL, OPTIONS}, false, false},
        {change_source_file, {"src/k.cu", ALL, OPTIONS}, false, false},
        {change_toolkit_header, {"src/k.cu", ALL, OPTIONS}, false, false},
        /* The request. */
        {change_nothing, {"src/k.cu", ALL, "-DTILE=2\n" FOLDERS}, false, false},
        {change_nothing, {"src/k.cu", ALL, FOLDERS "--fmad=false\n-DA\n"}, false, false},
        {change_nothing, {"src/l.cu", ALL, OPTIONS}, false, true},
        {change_nothing, {"src/k.cu", ALL " ", OPTIONS}, false, true},
        {change_nothing, {"src/k.cu", ALL, "-DTILE=1\n-Icuda/include\n-Iinclude\n-std=c++17\n"}, false, true},
        {change_nothing, {"src/k.cu", ALL, OPTIONS "-Iother\n"}, false, true},
        {change_nothing, {"src/k.cu", ALL, OPTIONS "-I\nother\n"}, false, true},
        {change_nothing, {"src/k.cu", ALL, OPTIONS "-include=probe.h\n"}, false, true},
    };
    char new_hash[HASH_HEX_BYTES];
    hash_hex("int b;\n", 7, new_hash);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct include_cache include_cache = {0};
        struct text before = {0}, after = {0}, afresh = {0};
        root_enter(root_folders, sizeof root_folders / sizeof *root_folders);
        CU_ASSERT_EQUAL(setenv("CUDA_HOME", "cuda", 1), 0);
        write_file("src/k.cu", ALL);
        write_file("src/probe.h", "int a;\n");
        write_file("src/sub/inner.h", "int c;\n");
        write_file("include/found.h", "");
        write_file("cuda/include/kit.h", "");
        set_time("src/probe.h", 1000, 0);
        set_time("src/sub/inner.h", 1000, 0);
        set_time("src/sub", 1000, 0);
        set_time("src", 1000, 0);
        set_time("include", 1000, 0);
        CU_ASSERT(ask(&include_cache, &first, false, &before));
        write_file("src/probe.h", "int b;\n");
        set_time("src/probe.h", 1000, 0);
        rows[i].change();
        CU_ASSERT(ask(&include_cache, &rows[i].second, rows[i].anew, &after));
        bool again = memmem(after.bytes, after.length, new_hash, sizeof new_hash) != NULL;
        if (again != rows[i].again)
            fprintf(stderr, "row %zu: files were %sread again\n", i, again ? "" : "not ");
        CU_ASSERT_EQUAL(again, rows[i].again);
        /* The second answer has no trace of the first. */
        CU_ASSERT(ask_afresh(&rows[i].second, &afresh));
        CU_ASSERT(same(&after, again ? &afresh : &before));
        CU_ASSERT(ask(&include_cache, &rows[i].second, false, &before));
        CU_ASSERT(same(&after, &before));
        include_cache_free(&include_cache);
        text_free(&before);
        text_free(&after);
        text_free(&afresh);
        CU_ASSERT_EQUAL(unsetenv("CUDA_HOME"), 0);
        root_leave();
    }
}

/* The value of an option in two words is part of the request, and so are the boundaries of values. */
static void values_count(void)
{
    static const struct {
        const char *first, *second;
        bool again;
    } rows[] = {{"-I\nsub\n", "-I\nsub\n", false},
                {"-I\nsub\n", "-I\nother\n", true},
                {"-I\nsub\n-DA\n", "-I\nsub\n-DB\n", false}, /* the option behind the value is not a value */
                {"-I\n-DA\n", "-I\n-DB\n", true},            /* folders with these names */
                {"-Ia\n-Ib\n", "-Ia-Ib\n", true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct include_cache include_cache = {0};
        struct text before = {0}, after = {0};
        root_enter(root_folders, sizeof root_folders / sizeof *root_folders);
        write_file("src/probe.h", "int a;\n");
        set_time("src/probe.h", 1000, 0);
        const struct question first = {"src/k.cu", "#include \"probe.h\"", rows[i].first},
                              second = {"src/k.cu", "#include \"probe.h\"", rows[i].second};
        CU_ASSERT(ask(&include_cache, &first, false, &before));
        write_file("src/probe.h", "int b;\n");
        set_time("src/probe.h", 1000, 0);
        CU_ASSERT(ask(&include_cache, &second, false, &after));
        CU_ASSERT_EQUAL(same(&before, &after), !rows[i].again);
        include_cache_free(&include_cache);
        text_free(&before);
        text_free(&after);
        root_leave();
    }
}

/* A source without a folder: its folder is the working directory. */
static void the_working_folder_is_watched(void)
{
    struct include_cache include_cache = {0};
    struct text before = {0}, after = {0};
    static const struct question question = {"k.cu", "#include \"new.h\"\n#include <new.h>\n", "-Iother\n"};
    root_enter(root_folders, sizeof root_folders / sizeof *root_folders);
    write_file("other/new.h", "int a;\n");
    set_time(".", 1000, 0);
    CU_ASSERT(ask(&include_cache, &question, false, &before));
    write_file("new.h", "int b;\n");
    CU_ASSERT(ask(&include_cache, &question, false, &after));
    CU_ASSERT_FALSE(same(&before, &after));
    include_cache_free(&include_cache);
    text_free(&before);
    text_free(&after);
    root_leave();
}

/* Appends nothing while a file is unknown; searches again when a file has changed. */
static void what_is_unknown_may_become_known(void)
{
    struct include_cache include_cache = {0};
    struct text digest = {0};
    static const struct question question = {"src/k.cu", "#include \"probe.h\"\n", ""};
    root_enter(root_folders, sizeof root_folders / sizeof *root_folders);
    write_file("src/probe.h", "#include NAME\n");
    for (int i = 0; i < 2; i++) {
        CU_ASSERT_FALSE(ask(&include_cache, &question, false, &digest));
        CU_ASSERT_EQUAL(digest.length, 0);
    }
    write_file("src/probe.h", "int a;\n");
    CU_ASSERT(ask(&include_cache, &question, false, &digest));
    CU_ASSERT(digest.length > 0);
    write_file("src/probe.h", "#include OTHER\n");
    CU_ASSERT_FALSE(ask(&include_cache, &question, false, &digest));
    CU_ASSERT_EQUAL(digest.length, 0);
    include_cache_free(&include_cache);
    text_free(&digest);
    root_leave();
}

/* The texts of the user's files without the source; a NUL in a file splits it. None is known if a file is unknown. */
static void included_texts(void)
{
    static const struct {
        const char *source, *texts;
        size_t count;
        bool unknown;
    } rows[] = {
        {"", "", 0, false},
        {"#include \"a.h\"\n", "int a;|", 1, false},
        {"#include \"b.h\"\n#include <theirs.h>\n", "#include \"a.h\"\n|int a;|", 2, false},
        {"#include \"none.h\"\n", "", 0, false},
        {"#include \"nul.h\"\n", "x|y|", 2, false},
        {"#include \"a.h\"\n", "int a;|", 1, false},
        {"#define H \"a.h\"\n#include H\n", "", 0, true},
    };
    struct include_cache include_cache = {0};
    root_enter(root_folders, sizeof root_folders / sizeof *root_folders);
    write_file("src/a.h", "int a;");
    write_file("src/b.h", "#include \"a.h\"\n");
    write_file("src/nul.h", "x");
    FILE *file = fopen("src/nul.h", "ab");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT_EQUAL(fwrite("\0y", 1, 2, file), 2);
    CU_ASSERT_EQUAL(fclose(file), 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct request request = {.job = {.path = "src/k.cu", .source = rows[i].source}};
        struct text texts = {0};
        size_t count = 0;
        const char *at = include_cache_included(&include_cache, &request, &count);
        CU_ASSERT_EQUAL(at == NULL, rows[i].unknown);
        for (size_t k = 0; at && k < count; k++, at += strlen(at) + 1)
            text_printf(&texts, "%s|", at);
        CU_ASSERT_STRING_EQUAL(text_string(&texts), rows[i].texts);
        CU_ASSERT(rows[i].unknown || count == rows[i].count);
        text_free(&texts);
    }
    include_cache_free(&include_cache);
    root_leave();
}

CU_TestInfo tests_include_cache[] = {{"included texts", included_texts},
                                     {"a digest names path and hash of each file", digests_name_path_and_hash},
                                     {"noticed changes", what_is_noticed},
                                     {"values of options count", values_count},
                                     {"the working folder is watched", the_working_folder_is_watched},
                                     {"unknown files may become known", what_is_unknown_may_become_known},
                                     CU_TEST_INFO_NULL};
