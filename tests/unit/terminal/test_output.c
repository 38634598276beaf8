#include "terminal/output.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "../scratch.h"
#include "capture.h"
#include "terminal/output_format.h"

static void expect_file(const char *path, const char *bytes)
{
    char found[256] = "";
    FILE *file = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    found[fread(found, 1, sizeof found - 1, file)] = '\0';
    fclose(file);
    CU_ASSERT_STRING_EQUAL(found, bytes);
}

static void enter_scratch(char folder[64])
{
    strcpy(folder, "/tmp/cutune-output-XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
}

static void rows_to_stdout(void)
{
    char buffer[128];
    struct error error = {0};
    cJSON *rows = cJSON_Parse("[{\"a\": 1}]");
    struct capture capture = capture_begin(stdout);
    int code = output_rows(rows, "csv", false, &error);
    CU_ASSERT_STRING_EQUAL(capture_end(&capture, buffer, sizeof buffer), "a\n1\n");
    CU_ASSERT_EQUAL(code, 0);
    CU_ASSERT_EQUAL(output_rows(NULL, "csv", false, &error), ERROR_MEMORY);
    cJSON_Delete(rows);
}

/* An output must not be an input, nor destroy a journal or a database. */
static void checks(void)
{
    static const struct {
        const char *path;
        enum file_kind made;
        const char *message; /* end of the message; NULL: allowed */
    } rows[] = {{NULL, FILE_KIND_OTHER, NULL},
                {"-", FILE_KIND_OTHER, NULL},
                {"new", FILE_KIND_OTHER, NULL},
                {"plain", FILE_KIND_OTHER, NULL},
                {"journal", FILE_KIND_JOURNAL, NULL},
                {"input", FILE_KIND_OTHER, "input is also an input"},
                {"link", FILE_KIND_OTHER, "link is also an input"},
                {"journal", FILE_KIND_OTHER, "journal is a journal, which this would overwrite"},
                {"journal", FILE_KIND_DATABASE, "journal is a journal, which this would overwrite"}};
    char folder[64], back[4096];
    const char *const inputs[] = {NULL, "input"};
    enter_scratch(folder);
    CU_ASSERT_FATAL(getcwd(back, sizeof back) && chdir(folder) == 0);
    write_file("plain", "x");
    write_file("input", "x");
    write_file("journal", "# cutune journal 1\n");
    CU_ASSERT_EQUAL(symlink("input", "link"), 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error error = {0};
        int code = output_check(rows[i].path, rows[i].made, inputs, 2, &error);
        CU_ASSERT_EQUAL(code, rows[i].message ? ERROR_USAGE : 0);
        if (rows[i].message)
            CU_ASSERT_PTR_NOT_NULL(strstr(error.message, rows[i].message));
    }
    const char *const made[] = {"plain", "input", "journal", "link"};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        unlink(made[i]);
    CU_ASSERT_EQUAL(chdir(back), 0);
    CU_ASSERT_EQUAL(rmdir(folder), 0);
}

/* A file with the same bytes is left alone, a different one is replaced, and a pipe is written to. */
static void files(void)
{
    char folder[64], path[96], buffer[16] = "";
    struct text text = {0};
    struct error error = {0};
    struct stat before, after;
    const struct timespec old[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    enter_scratch(folder);
    snprintf(path, sizeof path, "%s/file", folder);
    text_printf(&text, "new");
    write_file(path, "new");
    CU_ASSERT_EQUAL(utimensat(AT_FDCWD, path, old, 0), 0);
    CU_ASSERT_EQUAL(stat(path, &before), 0);
    CU_ASSERT_EQUAL(output_file(path, &text, &error), 0);
    CU_ASSERT_EQUAL(stat(path, &after), 0);
    CU_ASSERT(before.st_ino == after.st_ino && after.st_mtim.tv_sec == 1000);
    text_printf(&text, "er");
    CU_ASSERT_EQUAL(output_file(path, &text, &error), 0);
    expect_file(path, "newer");
    unlink(path);
    CU_ASSERT_EQUAL(mkfifo(path, 0600), 0);
    int reader = open(path, O_RDONLY | O_NONBLOCK);
    CU_ASSERT_EQUAL(output_file(path, &text, &error), 0);
    CU_ASSERT_EQUAL(read(reader, buffer, sizeof buffer), 5);
    CU_ASSERT_STRING_EQUAL(buffer, "newer");
    close(reader);
    unlink(path);
    CU_ASSERT_EQUAL(output_file("/dev/full", &text, &error), ERROR_IO);
    error_clear(&error);
    text.failed = true; /* a part is missing */
    CU_ASSERT_EQUAL(output_file(path, &text, &error), ERROR_MEMORY);
    CU_ASSERT_NOT_EQUAL(access(path, F_OK), 0);
    CU_ASSERT_EQUAL(rmdir(folder), 0);
    text_free(&text);
}

static void readers_that_have_gone(void)
{
    int ends[2];
    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
    CU_ASSERT_FALSE(output_reader_gone(ends[1]));
    close(ends[0]);
    CU_ASSERT_TRUE(output_reader_gone(ends[1]));
    close(ends[1]);
}

/* Errors and notes are cleaned: quoted text must not control the terminal. */
static void messages(void)
{
    char buffer[512];
    struct error error = {0};
    error_set(&error, ERROR_DATA, "no \033[31mcolumn");
    error_hint(&error, "look");
    struct capture capture = capture_begin(stderr);
    output_error(&error);
    output_note("a\nb \x9b%d", 5);
    CU_ASSERT_STRING_EQUAL(capture_end(&capture, buffer, sizeof buffer),
                           "cutune: error: no ?[31mcolumn\n  look\ncutune: a b  5\n");
}

static void colours(void)
{
    int ends[2];
    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
    CU_ASSERT_FALSE(output_terminal(ends[1]) || output_colour(ends[1]));
    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    char *term = getenv("TERM");
    char *kept = term ? strdup(term) : NULL;
    static const struct {
        const char *term, *no_color;
        bool terminal, colour;
    } rows[] = {{"xterm", NULL, true, true},
                {"xterm", "", true, true},
                {"xterm", "1", true, false},
                {"dumb", NULL, false, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows && terminal >= 0; i++) {
        setenv("TERM", rows[i].term, 1);
        rows[i].no_color ? setenv("NO_COLOR", rows[i].no_color, 1) : unsetenv("NO_COLOR");
        CU_ASSERT_EQUAL(output_terminal(terminal), rows[i].terminal);
        CU_ASSERT_EQUAL(output_colour(terminal), rows[i].colour);
    }
    kept ? setenv("TERM", kept, 1) : unsetenv("TERM");
    unsetenv("NO_COLOR");
    free(kept);
    if (terminal >= 0)
        close(terminal);
    close(ends[0]);
    close(ends[1]);
}

CU_TestInfo tests_output[] = {{"rows to standard output", rows_to_stdout},
                              {"outputs that are inputs", checks},
                              {"files", files},
                              {"readers that have gone", readers_that_have_gone},
                              {"messages", messages},
                              {"terminals and colours", colours},
                              CU_TEST_INFO_NULL};
