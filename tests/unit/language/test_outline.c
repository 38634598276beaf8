/* Files, and the beginnings of their statements. */
#include "language/outline.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "base/file.h"
#include "support.h"

/* Some editors write a byte order mark, which does not change the meaning. */
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
    /* alone, it is an empty file */
    struct error empty = {0}, mark = {0};
    CU_ASSERT_NOT_EQUAL(space_parse_text(&space, "m.space", "", 0, "", &empty), 0);
    CU_ASSERT_NOT_EQUAL(space_parse_text(&space, "m.space", marked, 3, "", &mark), 0);
    expect_text("only the mark", mark.message, empty.message);
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
    static const char main_text[] = "space 2\nproblem N = 4\ninclude \"sub/a.space\"\ninclude \"sub/b.space\"\n"
                                    "param T = 1, 2, FROM_B\nargs out\nblock T\ngrid HALF\n"
                                    "reference k block 1 grid 1\n";
    struct files files;
    char hash[HASH_HEX_BYTES] = "", path[128];
    make_folder(&files);
    write_file(&files, "main.space", main_text);
    write_file(
        &files, "sub/a.space",
        "# common\nspace 2\nkernel k \"k.cu\"\ninclude \"b.space\"\nbuffer out float[N] output\nlet HALF = N / 2\n");
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
        CU_ASSERT_EQUAL(space->buffer_count, 2); /* each file counts once */
        expect_text("order", space->buffers[0].name, "data");
        snprintf(path, sizeof path, "%s/sub/b.space", files.folder);
        CU_ASSERT_EQUAL_FATAL(space->constraint_count, 1);
        CU_ASSERT_STRING_EQUAL(strrchr(space->constraints[0].path, '/'), "/b.space");
        CU_ASSERT_EQUAL(space->constraints[0].line, 3);
        CU_ASSERT_TRUE(space->parameters[0].in_source);
        memcpy(hash, space->text_hash, sizeof hash);
    }
    space_free(space);
    /* every file is part of the hash */
    write_file(&files, "sub/b.space", "buffer data int[4] file(\"x.bin\")\ndevice_limits \"h.csv\"\nrequire T > 1");
    space = parse_main(&files);
    if (space)
        CU_ASSERT_STRING_NOT_EQUAL(space->text_hash, hash);
    space_free(space);
    remove_folder(&files);
}

CU_TestInfo tests_outline[] = {
    {"byte order mark", byte_order_mark}, {"included files", included_files}, CU_TEST_INFO_NULL};
