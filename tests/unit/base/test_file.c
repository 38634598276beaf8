#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "base/file.h"

/* Each test works in its own folder, which is removed afterwards. */
static char folder[] = "/tmp/cutune-test-XXXXXX";
static const char *const leavings[] = {"new",           "file",    "file.part", "link", "lock",
                                       "deep/er/still", "deep/er", "deep",      ""};

static char *in_folder(const char *name, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%s/%s", folder, name);
    return path;
}

static void open_folder(void)
{
    memcpy(folder + sizeof folder - 7, "XXXXXX", 6);
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
}

/* Fails if an unexpected file is left, such as a temporary one. */
static void close_folder(void)
{
    char path[PATH_MAX];
    for (size_t i = 0; i < sizeof leavings / sizeof *leavings; i++) {
        in_folder(leavings[i], path);
        if (unlink(path))
            rmdir(path);
    }
    CU_ASSERT_NOT_EQUAL(access(folder, F_OK), 0);
}

static void replaces_and_reads(void)
{
    char path[PATH_MAX];
    struct text text = {0};
    struct stat status;
    static char large[300000];
    open_folder();
    in_folder("file", path);
    CU_ASSERT_EQUAL(file_replace(path, "one", 3, NULL), 0);
    CU_ASSERT_EQUAL(file_read(path, 3, &text, NULL), 0);
    CU_ASSERT_STRING_EQUAL(text_string(&text), "one");
    CU_ASSERT_EQUAL(chmod(path, 0640), 0);
    memset(large, 'x', sizeof large);
    large[7] = '\0';
    CU_ASSERT_EQUAL(file_replace(path, large, sizeof large, NULL), 0);
    CU_ASSERT_EQUAL(stat(path, &status), 0);
    CU_ASSERT_EQUAL(status.st_mode & 07777, 0640);
    CU_ASSERT_EQUAL(file_read(path, sizeof large, &text, NULL), 0);
    CU_ASSERT_EQUAL(text.length, sizeof large);
    CU_ASSERT_EQUAL(memcmp(text.bytes, large, sizeof large), 0);
    CU_ASSERT_EQUAL(file_replace(path, "", 0, NULL), 0);
    CU_ASSERT_EQUAL(file_read(path, 0, &text, NULL), 0);
    CU_ASSERT_EQUAL(text.length, 0);
    text_free(&text);
    close_folder();
}

static void new_file_obeys_the_umask(void)
{
    char path[PATH_MAX];
    struct stat status;
    open_folder();
    mode_t mask = umask(027);
    CU_ASSERT_EQUAL(file_replace(in_folder("new", path), "x", 1, NULL), 0);
    umask(mask);
    CU_ASSERT_EQUAL(stat(path, &status), 0);
    CU_ASSERT_EQUAL(status.st_mode & 07777, 0640);
    close_folder();
}

static bool holds(const char *path, const char *expected)
{
    struct text text = {0};
    bool same = file_read(path, 1000, &text, NULL) == 0 && strcmp(text_string(&text), expected) == 0;
    text_free(&text);
    return same;
}

/* Files of the user are never overwritten, not even one with the name that earlier versions used for temporary files.
 */
static void other_files_are_left_alone(void)
{
    char path[PATH_MAX], other[PATH_MAX];
    open_folder();
    CU_ASSERT_EQUAL(file_replace(in_folder("file.part", other), "mine", 4, NULL), 0);
    CU_ASSERT_EQUAL(file_replace(in_folder("file", path), "new", 3, NULL), 0);
    CU_ASSERT(holds(path, "new"));
    CU_ASSERT(holds(other, "mine"));
    close_folder();
}

static void links_stay_links(void)
{
    static const struct {
        const char *target; /* of the link; "%s" is the folder */
        bool there;
    } cases[] = {{"file", true}, {"file", false}, {"%s/file", false}, {"deep/../file", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char link[PATH_MAX], file[PATH_MAX], target[PATH_MAX];
        struct stat status;
        open_folder();
        in_folder("deep", file);
        CU_ASSERT_EQUAL(mkdir(file, 0777), 0);
        in_folder("file", file);
        if (cases[i].there)
            CU_ASSERT_EQUAL(file_replace(file, "old", 3, NULL), 0);
        snprintf(target, sizeof target, *cases[i].target == '%' ? "%s/%s" : "%.0s%s", folder,
                 *cases[i].target == '%' ? "file" : cases[i].target);
        CU_ASSERT_EQUAL(symlink(target, in_folder("link", link)), 0);
        CU_ASSERT_EQUAL(file_replace(link, "new", 3, NULL), 0);
        CU_ASSERT(lstat(link, &status) == 0 && S_ISLNK(status.st_mode));
        CU_ASSERT(lstat(file, &status) == 0 && S_ISREG(status.st_mode));
        CU_ASSERT(holds(file, "new"));
        close_folder();
    }
}

static void links_that_lead_nowhere(void)
{
    char link[PATH_MAX], target[PATH_MAX];
    struct error error = {0};
    open_folder();
    CU_ASSERT_EQUAL(symlink("link", in_folder("link", link)), 0);
    CU_ASSERT_EQUAL(file_target(link, target, &error), ERROR_IO);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "too many symbolic links"));
    CU_ASSERT_EQUAL(file_replace(link, "x", 1, NULL), ERROR_IO);
    close_folder();
}

static void expect(int code, int wanted, struct error *error, const char *part)
{
    CU_ASSERT_EQUAL(code, wanted);
    CU_ASSERT_PTR_NOT_NULL(strstr(error->message, part));
    error_clear(error);
}

static void read_says_what_is_wrong(void)
{
    char path[PATH_MAX];
    struct text text = {0};
    struct error error = {0};
    open_folder();
    expect(file_read(folder, 100, &text, &error), ERROR_IO, &error, "is a directory");
    expect(file_read(in_folder("none", path), 100, &text, &error), ERROR_NOT_FOUND, &error, "none: No such file");
    expect(file_read(in_folder("none/x", path), 100, &text, &error), ERROR_NOT_FOUND, &error, "none/x");
    expect(file_read("/dev/zero", 100000, &text, &error), ERROR_DATA, &error, "larger than 100000 bytes");
    CU_ASSERT_EQUAL(file_replace(in_folder("file", path), "four", 4, &error), 0);
    expect(file_read(path, 3, &text, &error), ERROR_DATA, &error, "larger than 3 bytes");
    text_free(&text);
    close_folder();
}

static void write_says_what_is_wrong(void)
{
    char path[PATH_MAX], endless[PATH_MAX + 100];
    struct error error = {0};
    open_folder();
    expect(file_replace(folder, "x", 1, &error), ERROR_IO, &error, "is a directory");
    expect(file_replace(in_folder("none/x", path), "x", 1, &error), ERROR_IO, &error, "No such file or directory");
    memset(endless, 'x', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    expect(file_replace(endless, "x", 1, &error), ERROR_IO, &error, "too long");
    int full = open("/dev/full", O_WRONLY);
    expect(file_write_all(full, "x", 1, "results.csv", &error), ERROR_IO, &error,
           "results.csv: No space left on device");
    close(full);
    expect(file_write_all(-1, "x", 1, "results.csv", &error), ERROR_IO, &error, "results.csv: Bad file descriptor");
    CU_ASSERT_EQUAL(file_write_all(-1, "", 0, "results.csv", &error), 0);
    close_folder();
}

static void lock_excludes(void)
{
    char path[PATH_MAX];
    struct error error = {0};
    int lock = -1, second = -1;
    open_folder();
    in_folder("lock", path);
    CU_ASSERT_EQUAL(file_lock(path, false, &lock, &error), 0);
    expect(file_lock(path, false, &second, &error), ERROR_BUSY, &error, "another process is using");
    close(lock);
    CU_ASSERT_EQUAL(file_lock(path, true, &second, &error), 0);
    close(second);
    CU_ASSERT_EQUAL(access(path, F_OK), 0);
    expect(file_lock(folder, false, &lock, &error), ERROR_IO, &error, "Is a directory");
    close_folder();
}

/* Full disk: the old contents stay, and no other file is left. */
static void failed_replacement_changes_nothing(void)
{
    char path[PATH_MAX];
    struct text text = {0};
    int status = 1;
    static const char large[100000];
    open_folder();
    CU_ASSERT_EQUAL(file_replace(in_folder("file", path), "old", 3, NULL), 0);
    pid_t child = fork();
    if (child == 0) {
        struct rlimit small = {1000, 1000};
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &small);
        _exit(file_replace(path, large, sizeof large, NULL) != ERROR_IO);
    }
    waitpid(child, &status, 0);
    CU_ASSERT_EQUAL(status, 0);
    CU_ASSERT_EQUAL(file_read(path, 100, &text, NULL), 0);
    CU_ASSERT_STRING_EQUAL(text_string(&text), "old");
    text_free(&text);
    close_folder();
}

static void lock_waits(void)
{
    char path[PATH_MAX], byte;
    int lock = -1, ready[2], status = 1;
    open_folder();
    in_folder("lock", path);
    CU_ASSERT_EQUAL_FATAL(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) {
        bool locked = file_lock(path, false, &lock, NULL) == 0 && write(ready[1], "x", 1) == 1;
        usleep(50000); /* long enough to refuse a lock that does not wait */
        _exit(!locked);
    }
    CU_ASSERT_EQUAL(read(ready[0], &byte, 1), 1);
    CU_ASSERT_EQUAL(file_lock(path, true, &lock, NULL), 0);
    close(lock);
    waitpid(child, &status, 0);
    CU_ASSERT_EQUAL(status, 0);
    close(ready[0]);
    close(ready[1]);
    close_folder();
}

static void lock_dies_with_its_process(void)
{
    char path[PATH_MAX], byte;
    int lock = -1, ready[2];
    open_folder();
    in_folder("lock", path);
    CU_ASSERT_EQUAL_FATAL(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) {
        if (file_lock(path, false, &lock, NULL) == 0 && write(ready[1], "x", 1) == 1)
            for (;;)
                pause();
        _exit(1);
    }
    close(ready[1]);
    CU_ASSERT_EQUAL(read(ready[0], &byte, 1), 1);
    CU_ASSERT_EQUAL(file_lock(path, false, &lock, NULL), ERROR_BUSY);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    CU_ASSERT_EQUAL(file_lock(path, false, &lock, NULL), 0);
    close(lock);
    close(ready[0]);
    close_folder();
}

static void makes_folders(void)
{
    char path[PATH_MAX];
    struct stat status;
    struct error error = {0};
    open_folder();
    CU_ASSERT_EQUAL(file_make_folder(in_folder("deep/er//still/", path), &error), 0);
    CU_ASSERT(stat(in_folder("deep/er/still", path), &status) == 0 && S_ISDIR(status.st_mode));
    CU_ASSERT_EQUAL(file_make_folder(path, &error), 0);
    CU_ASSERT_EQUAL(file_make_folder("/", &error), 0);
    CU_ASSERT_EQUAL(file_make_folder(".", &error), 0);
    CU_ASSERT_EQUAL(file_replace(in_folder("file", path), "x", 1, &error), 0);
    expect(file_make_folder(path, &error), ERROR_IO, &error, "is a file, not a directory");
    expect(file_make_folder(in_folder("file/x", path), &error), ERROR_IO, &error, "Not a directory");
    close_folder();
}

static void folder_part(void)
{
    static const struct {
        const char *path;
        size_t length;
    } cases[] = {{"", 0}, {"a", 0}, {"/", 1}, {"/a", 1}, {"a/b", 2}, {"a/b/", 4}, {"./x.csv", 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CU_ASSERT_EQUAL(file_folder_length(cases[i].path), cases[i].length);
}

/* Paths begin with the folder's path as it was given. */
static void lists_csv(void)
{
    static const char *const names[] = {"file", "b.c.csv", "b.csv", "a.csv", ".b.csv", "bb.csv", "b.csv.part"};
    static const struct {
        const char *slash, *prefix, *expected; /* paths without the folder */
    } rows[] = {{"", "", "/a.csv /b.c.csv /b.csv /bb.csv "}, {"/", "b.", "/b.c.csv /b.csv "}, {"", "c", ""}};
    struct arena arena = {0};
    char path[PATH_MAX];
    open_folder();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        CU_ASSERT_EQUAL(file_replace(in_folder(names[i], path), "", 0, NULL), 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *const *paths = NULL;
        size_t count;
        char found[PATH_MAX] = "";
        snprintf(path, sizeof path, "%s%s", folder, rows[i].slash);
        CU_ASSERT_EQUAL(file_list_csv(&arena, path, rows[i].prefix, &paths, &count, NULL), 0);
        for (size_t k = 0; k < count; k++) {
            CU_ASSERT_EQUAL(strncmp(paths[k], folder, strlen(folder)), 0);
            snprintf(found + strlen(found), sizeof found - strlen(found), "%s ", paths[k] + strlen(folder));
        }
        CU_ASSERT_STRING_EQUAL(found, rows[i].expected);
    }
    for (size_t i = 1; i < sizeof names / sizeof *names; i++)
        unlink(in_folder(names[i], path));
    struct error error = {0};
    const char *const *paths;
    size_t count;
    CU_ASSERT_EQUAL(file_list_csv(&arena, in_folder("file", path), "", &paths, &count, &error), ERROR_IO);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "cannot read the directory"));
    arena_free(&arena);
    close_folder();
}

CU_TestInfo tests_file[] = {{"replaces and reads", replaces_and_reads},
                            {"a new file obeys the umask", new_file_obeys_the_umask},
                            {"other files are left alone", other_files_are_left_alone},
                            {"links stay links", links_stay_links},
                            {"links that lead nowhere", links_that_lead_nowhere},
                            {"errors of reading name the cause", read_says_what_is_wrong},
                            {"errors of writing name the cause", write_says_what_is_wrong},
                            {"a lock excludes", lock_excludes},
                            {"a failed replacement changes nothing", failed_replacement_changes_nothing},
                            {"a lock waits", lock_waits},
                            {"a lock dies with its process", lock_dies_with_its_process},
                            {"makes folders", makes_folders},
                            {"the folder part of a path", folder_part},
                            {"lists a folder's .csv files", lists_csv},
                            CU_TEST_INFO_NULL};
