/* A failing disk and a killed process, at each single operation on the journal and the database. Acknowledged rows
 * exist, existing ones are complete, nothing else is left, and repeating the work completes it. */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../scratch.h"
#include "database/database.h"
#include "disk.h"
#include "journal/journal.h"

enum { ROWS = 6 };
static const char *const names[] = {"TILE"};

/* Work acknowledged so far; shared with a process that is killed. */
struct acknowledged {
    int rows;
    bool closed, saved;
    struct error error;
};

static struct journal_header make_header(void)
{
    struct journal_header header = journal_header_unknown();
    header.provenance.kernel = "k";
    header.provenance.problem = "N=1";
    header.provenance.fingerprint = "f";
    header.provenance.ceilings.copy = 1e12;
    header.parameter_count = 1;
    header.parameters = names;
    return header;
}

static struct best make_best(const char *kernel)
{
    return (struct best){.provenance.kernel = kernel,
                         .provenance.device.name = "d",
                         .provenance.problem = "N=1",
                         .objective = "time",
                         .configuration = "TILE=1",
                         .value = 10,
                         .low = 9,
                         .high = 11,
                         .samples = 7,
                         .provenance.default_ = "TILE=0",
                         .default_value = NAN,
                         .speedup = NAN,
                         .library_value = NAN,
                         .library_ratio = NAN,
                         .provenance.bytes = NAN,
                         .provenance.ceilings = {NAN, NAN, NAN, NAN},
                         .ceiling_percent = NAN,
                         .strategy = "random",
                         .provenance.options = "",
                         .provenance.device.driver = "",
                         .provenance.nvrtc = "",
                         .provenance.source_hash = "",
                         .provenance.space_hash = "",
                         .provenance.date = "",
                         .provenance.version = ""};
}

/* Works like a run: continues behind existing rows, saves the best, closes. */
static void work(const struct scratch *scratch, struct acknowledged *done)
{
    char path[192];
    struct journal *journal = NULL;
    struct journal_header header = make_header();
    struct best best = make_best("b");
    snprintf(path, sizeof path, "%s/d/j.csv", scratch->folder);
    if (journal_open(&journal, path, &header, &done->error))
        return;
    for (int i = (int)journal_row_count(journal); i < ROWS; i++) {
        char tile[16];
        const char *values[] = {tile};
        struct journal_row row = {.values = values, .measurement = measurement_unknown(STATUS_OK)};
        snprintf(tile, sizeof tile, "%d", i);
        row.measurement.value = i + 0.5;
        if (journal_append(journal, &row, &done->error))
            break;
        done->rows = i + 1;
    }
    done->saved = database_put(scratch->path, &best, NULL, NULL, NULL, &done->error) == 0;
    done->closed = journal_close(journal, &done->error) == 0;
}

/* Counts the rows in the journal; each must be as written. */
static int check_journal(const struct scratch *scratch)
{
    char path[192];
    struct journal *journal = NULL;
    struct journal_header header = make_header();
    struct error error = {0};
    snprintf(path, sizeof path, "%s/d/j.csv", scratch->folder);
    int code = journal_open(&journal, path, &header, &error), rows = 0;
    if (code)
        fprintf(stderr, "%s\n", error.message);
    CU_ASSERT_EQUAL(code, 0);
    for (; journal && rows < (int)journal_row_count(journal); rows++) {
        const struct journal_row got = journal_get_row(journal, (size_t)rows), *row = &got;
        CU_ASSERT_EQUAL(atoi(row->values[0]), rows);
        CU_ASSERT_EQUAL(row->measurement.value, rows + 0.5);
    }
    if (journal)
        CU_ASSERT_EQUAL(journal_get_header(journal)->provenance.ceilings.copy, 1e12);
    journal_close(journal, NULL);
    return rows;
}

static bool database_has(const struct scratch *scratch, const char *kernel)
{
    bool found = false;
    struct database *database = NULL;
    CU_ASSERT_EQUAL(database_open(&database, scratch->path, NULL), 0);
    for (size_t i = 0; database && i < database_count(database); i++)
        found |= strcmp(database_get(database, i)->provenance.kernel, kernel) == 0;
    database_close(database);
    return found;
}

/* Temporary files in the folder, left by a killed process. */
static int leftovers(const struct scratch *scratch)
{
    static const char *const known[] = {".", "..", "db.csv", "db.csv.lock", "d"};
    int count = 0;
    DIR *folder = opendir(scratch->folder);
    CU_ASSERT_PTR_NOT_NULL_FATAL(folder);
    for (struct dirent *item; (item = readdir(folder));) {
        bool found = false;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            found |= strcmp(item->d_name, known[i]) == 0;
        count += !found;
    }
    closedir(folder);
    return count;
}

static struct scratch begin(void)
{
    struct scratch scratch = scratch_open("db.csv");
    struct best old = make_best("a");
    CU_ASSERT_EQUAL_FATAL(database_put(scratch.path, &old, NULL, NULL, NULL, NULL), 0);
    return scratch;
}

/* Repeats the work on a healthy disk. `left`: maximum number of temporary files that a kill may leave. */
static void finish(const struct scratch *scratch, int left)
{
    struct acknowledged done = {0};
    work(scratch, &done);
    CU_ASSERT(done.closed && done.saved);
    CU_ASSERT_EQUAL(check_journal(scratch), ROWS);
    CU_ASSERT(database_has(scratch, "a") && database_has(scratch, "b"));
    CU_ASSERT(leftovers(scratch) <= left);
    scratch_close(scratch);
}

static long count_operations(void)
{
    struct scratch scratch = begin();
    struct acknowledged done = {0};
    disk_plan(&(struct disk_plan){.path = scratch.folder, .at = -1});
    work(&scratch, &done);
    long count = disk_operations();
    disk_plan(&(struct disk_plan){.path = NULL});
    CU_ASSERT(done.closed && done.saved);
    CU_ASSERT_EQUAL(done.rows, ROWS);
    CU_ASSERT(count > ROWS + 8);
    scratch_close(&scratch);
    return count;
}

static const struct {
    enum disk_fault fault;
    int number;
    bool sticky;
} failures[] = {{DISK_FAILS, ENOSPC, false}, {DISK_FAILS, ENOSPC, true}, {DISK_HALF, ENOSPC, true},
                {DISK_HALF, ENOSPC, false},  {DISK_FAILS, EIO, false},   {DISK_FAILS, EIO, true}};

static void failing_disks_lose_nothing(void)
{
    long count = count_operations();
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++)
        for (long at = 0; at < count; at++) {
            struct scratch scratch = begin();
            struct acknowledged done = {0};
            disk_plan(
                &(struct disk_plan){scratch.folder, at, failures[i].fault, failures[i].number, failures[i].sticky});
            work(&scratch, &done);
            disk_plan(&(struct disk_plan){.path = NULL});
            /* No failure may be ignored, not even of the last fsync. */
            CU_ASSERT(!(done.closed && done.saved && done.rows == ROWS));
            CU_ASSERT_PTR_NOT_NULL(strstr(done.error.message, strerror(failures[i].number)));
            CU_ASSERT_EQUAL(check_journal(&scratch), done.rows);
            CU_ASSERT(database_has(&scratch, "a"));
            CU_ASSERT(!done.saved || database_has(&scratch, "b"));
            CU_ASSERT(failures[i].sticky || leftovers(&scratch) == 0);
            finish(&scratch, 0);
        }
}

/* Signals and short writes are not failures. */
static void interrupted_operations_go_on(void)
{
    long count = count_operations();
    for (long at = 0; at < count; at++) {
        struct scratch scratch = begin();
        struct acknowledged done = {0};
        disk_plan(&(struct disk_plan){scratch.folder, at, DISK_HALF, EINTR, false});
        work(&scratch, &done);
        disk_plan(&(struct disk_plan){.path = NULL});
        /* Only writes are interrupted by signals, and then continue. */
        CU_ASSERT(done.error.code == ERROR_NONE || strstr(done.error.message, strerror(EINTR)));
        CU_ASSERT_EQUAL(check_journal(&scratch), done.rows);
        finish(&scratch, 0);
    }
}

static void a_kill_at_any_moment_loses_nothing(void)
{
    long count = count_operations();
    struct acknowledged *done = mmap(NULL, sizeof *done, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CU_ASSERT_FATAL(done != MAP_FAILED);
    for (int half = 0; half < 2; half++)
        for (long at = 0; at < count; at++) {
            struct scratch scratch = begin();
            int status = 0;
            *done = (struct acknowledged){0};
            pid_t child = fork();
            if (child == 0) {
                disk_plan(&(struct disk_plan){scratch.folder, at, half ? DISK_KILLS_HALF : DISK_KILLS, 0, false});
                work(&scratch, done);
                _exit(0);
            }
            waitpid(child, &status, 0);
            CU_ASSERT(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
            CU_ASSERT_EQUAL(check_journal(&scratch), done->rows);
            CU_ASSERT(database_has(&scratch, "a"));
            CU_ASSERT(!done->saved || database_has(&scratch, "b"));
            finish(&scratch, 1);
        }
    munmap(done, sizeof *done);
}

/* A signal other than SIGKILL ends the process before or after the replacement of the database and leaves no files. */
static void a_signal_leaves_nothing_behind(void)
{
    static const int signals[] = {SIGHUP, SIGINT, SIGTERM};
    static const long steps = 6; /* operations of replacing a database: see below */
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        for (long at = 0; at < steps; at++) {
            struct scratch scratch = begin();
            const struct best best = make_best("b");
            int status = 0;
            pid_t child = fork();
            if (child == 0) {
                disk_plan(&(struct disk_plan){scratch.folder, at, DISK_SIGNALS, signals[i], false});
                database_put(scratch.path, &best, NULL, NULL, NULL, NULL);
                _exit(0);
            }
            waitpid(child, &status, 0);
            CU_ASSERT(WIFSIGNALED(status) && WTERMSIG(status) == signals[i]);
            CU_ASSERT_EQUAL(database_has(&scratch, "b"), at > 0);
            CU_ASSERT_EQUAL(leftovers(&scratch), 0);
            scratch_close(&scratch);
        }
}

/* Nothing counts as saved before it is on disk: all steps in order. */
static void what_is_saved_reaches_the_disk(void)
{
    struct scratch scratch = begin();
    struct journal *journal = NULL;
    struct journal_header header = make_header();
    const struct journal_row row = {.values = (const char *[]){"1"},
                                    .measurement = measurement_unknown(STATUS_CRASHED)};
    const struct best best = make_best("b");
    char path[192];
    snprintf(path, sizeof path, "%s/d/j.csv", scratch.folder);
    const struct disk_plan plan = {.path = scratch.folder, .at = -1};
    disk_plan(&plan);
    CU_ASSERT_EQUAL(database_put(scratch.path, &best, NULL, NULL, NULL, NULL), 0);
    CU_ASSERT_STRING_EQUAL(disk_history(), "OOWSRF"); /* the lock; the temporary file, fsync, rename, the folder */
    disk_plan(&plan);
    CU_ASSERT_EQUAL_FATAL(journal_open(&journal, path, &header, NULL), 0);
    CU_ASSERT_EQUAL(journal_append(journal, &row, NULL), 0);
    CU_ASSERT_EQUAL(journal_append(journal, &row, NULL), 0);
    CU_ASSERT_EQUAL(journal_close(journal, NULL), 0);
    CU_ASSERT_STRING_EQUAL(disk_history(), "MMMOTWWWD"); /* the header, two rows, and one sync */
    disk_plan(&(struct disk_plan){.path = NULL});
    scratch_close(&scratch);
}

CU_TestInfo tests_faults[] = {{"saved rows reach the disk", what_is_saved_reaches_the_disk},
                              {"a signal leaves nothing behind", a_signal_leaves_nothing_behind},
                              {"failing disks lose nothing", failing_disks_lose_nothing},
                              {"interrupted operations continue", interrupted_operations_go_on},
                              {"a kill at any moment loses nothing", a_kill_at_any_moment_loses_nothing},
                              CU_TEST_INFO_NULL};
