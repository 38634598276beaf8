#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../scratch.h"
#include "base/pairs.h"
#include "database/database.h"
#include "database_rows.h"

#define KEYS "schema,kernel,device,problem,objective,configuration"

static void round_trip(void)
{
    struct scratch scratch = scratch_open("d.csv");
    struct database *database = NULL;
    enum database_outcome outcome = DATABASE_KEPT_FASTER;
    double previous = 0;
    static const char *const kernels[] = {"m", "z", "a, \"x\"\n", "m2"};
    static const size_t places[] = {1, 3, 0, 2};
    for (size_t i = 0; i < 4; i++) {
        struct best best = make_best(kernels[i], "d", 100.5 + (double)i);
        CU_ASSERT_EQUAL_FATAL(database_put(scratch.path, &best, NULL, &outcome, &previous, NULL), 0);
        CU_ASSERT_EQUAL(outcome, DATABASE_ADDED);
        CU_ASSERT(isnan(previous));
    }
    CU_ASSERT_EQUAL_FATAL(database_open(&database, scratch.path, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(database_count(database), 4);
    for (size_t i = 0; i < 4; i++) {
        struct best best = make_best(kernels[i], "d", 100.5 + (double)i);
        CU_ASSERT(same_best(database_get(database, places[i]), &best));
        CU_ASSERT_EQUAL(database_get(database, places[i])->schema, DATABASE_SCHEMA_BEST);
    }
    database_close(database);
    scratch_close(&scratch);
}

/* Unknown columns of a later cutune with the same schema keep their order and their cells. */
static void unknown_columns(void)
{
    struct scratch scratch = scratch_open("d.csv");
    struct best best = make_best("m", "d", 100);
    struct text text = {0};
    scratch_write(&scratch, "\xef\xbb\xbf"
                            "later,objective,problem,device,kernel,schema,configuration,time_ns\r\n"
                            "\"x, \"\"y\"\"\r\n z\",time,N=1,d,z,1,A=1,1.50\r\n"
                            "\"  \",time,N=1,d,b,01,A=1,1e3");
    CU_ASSERT_EQUAL_FATAL(database_put(scratch.path, &best, NULL, NULL, NULL, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(file_read(scratch.path, 1 << 20, &text, NULL), 0);
    static const char *const parts[] = {"later,objective,problem,device,kernel,schema,configuration,time_ns,low_ns,",
                                        "\n\"  \",time,N=1,d,b,01,A=1,1e3,,,", "\n,time,N=1,d,m,1,",
                                        "\n\"x, \"\"y\"\"\r\n z\",time,N=1,d,z,1,A=1,1.50,,"};
    const char *at = text.bytes;
    for (size_t i = 0; i < 4; i++) {
        at = strstr(at, parts[i]);
        CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    }
    CU_ASSERT_EQUAL(database_put(scratch.path, &best, NULL, NULL, NULL, NULL), 0);
    CU_ASSERT(scratch_holds(scratch.path, text.bytes)); /* the same row again changes nothing */
    text_free(&text);
    scratch_close(&scratch);
}

static const struct {
    const char *text;
    int code, line;
    size_t count;
} parses[] = {
    {"", 0, 0, 0},
    {KEYS "\n", 0, 0, 0},
    {"schema\n", 0, 0, 0},
    {KEYS "\n1,k,d,,time,", 0, 0, 1},
    {KEYS ",time_ns\r\n1,k,d,,time,A=1,\r\n\r\n1,k,e,,time,A=1,2\r\n", 0, 0, 2},
    {KEYS "\n\n1,k,d,,time,A=1\n1,k,d,,energy,A=1\n", 0, 0, 2},
    {"kernel\n", ERROR_DATA, 1, 0},
    {"schema,x,x\n", ERROR_DATA, 1, 0},
    {KEYS "\n1,k,d,,time\n", ERROR_DATA, 2, 0},
    {KEYS "\n1,k,d,,time,A=1,\n", ERROR_DATA, 2, 0},
    {KEYS "\n,k,d,,time,A=1\n", ERROR_DATA, 2, 0},
    {KEYS "\n0,k,d,,time,A=1\n", ERROR_DATA, 2, 0},
    {KEYS "\nx,k,d,,time,A=1\n", ERROR_DATA, 2, 0},
    {KEYS "\n1,,d,,time,A=1\n", ERROR_DATA, 2, 0},
    {KEYS "\n1,k,,,time,A=1\n", ERROR_DATA, 2, 0},
    {KEYS "\n1,k,d,,,A=1\n", ERROR_DATA, 2, 0},
    {KEYS "\n1,k,d,,time,A=1\n3,k,e,,time,A=1\n", ERROR_SCHEMA, 3, 0},
    {"schema,other\n3,x\n", ERROR_SCHEMA, 2, 0},
    {"schema,kernel\n1,x\n", ERROR_DATA, 2, 0},
    {KEYS ",time_ns\n1,k,d,,time,A=1,fast\n", ERROR_DATA, 2, 0},
    {KEYS ",samples\n1,k,d,,time,A=1,1.5\n", ERROR_DATA, 2, 0},
    {KEYS "\n1,k,e,,time,A=1\n1,k,d,,time,A=1\n1,k,e,,time,A=2\n", ERROR_DATA, 4, 0},
    {KEYS "\n1,k,\"d,,time,A=1\n", ERROR_DATA, 2, 0},
    {KEYS "\n1,k,\"d\"e,,time,A=1\n", ERROR_DATA, 2, 0},
};

/* A file that cannot be parsed is not written to. */
static void parsing(void)
{
    struct scratch scratch = scratch_open("d.csv");
    struct best best = make_best("new", "d", 100);
    for (size_t i = 0; i < sizeof parses / sizeof *parses; i++) {
        struct database *database = NULL;
        struct error error = {0};
        int code = database_parse(&database, "d.csv", parses[i].text, strlen(parses[i].text), &error);
        CU_ASSERT_EQUAL(code, parses[i].code);
        CU_ASSERT_EQUAL(error.line, parses[i].line);
        if (!code) {
            CU_ASSERT_EQUAL(database_count(database), parses[i].count);
            database_close(database);
        }
        scratch_write(&scratch, parses[i].text);
        CU_ASSERT_EQUAL(database_put(scratch.path, &best, NULL, NULL, NULL, NULL), parses[i].code);
        if (parses[i].code)
            CU_ASSERT(scratch_holds(scratch.path, parses[i].text));
    }
    scratch_close(&scratch);
}

static void wrong_rows(void)
{
    static const struct {
        double value, low, speedup;
        const char *kernel, *device, *message;
    } rows[] = {
        {NAN, 99, 2, "k", "d", "a row of the database needs a time"},
        {0, 99, 2, "k", "d", "a row of the database needs a time"},
        {INFINITY, 99, 2, "k", "d", "time_ns"},
        {100, 99, 2, "", "d", "the row has no kernel"},
        {100, 99, 2, "k", "", "the row has no device"},
        {100, 99, -1, "k", "d", "speedup"},
        {100, INFINITY, 2, "k", "d", "low_ns"},
    };
    struct scratch scratch = scratch_open("d.csv");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct best best = make_best(rows[i].kernel, rows[i].device, rows[i].value);
        struct error error = {0};
        best.low = rows[i].low;
        best.speedup = rows[i].speedup;
        CU_ASSERT_NOT_EQUAL(database_put(scratch.path, &best, NULL, NULL, NULL, &error), 0);
        if (!strstr(error.message, rows[i].message))
            fprintf(stderr, "\nrow %zu: %s\n", i, error.message);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.message, rows[i].message));
    }
    CU_ASSERT_NOT_EQUAL(access(scratch.path, F_OK), 0);
    scratch_close(&scratch);
}

static void two_at_once(void)
{
    enum { PROCESSES = 6, ROWS = 15 };
    struct scratch scratch = scratch_open("d.csv");
    struct database *database = NULL;
    pid_t children[PROCESSES];
    for (int i = 0; i < PROCESSES; i++)
        if ((children[i] = fork()) == 0) {
            int code = 0;
            for (int j = 0; j < ROWS && !code; j++) {
                char kernel[32];
                snprintf(kernel, sizeof kernel, "k%d-%d", j, i);
                struct best best = make_best(kernel, "d", 100);
                code = database_put(scratch.path, &best, NULL, NULL, NULL, NULL);
            }
            _exit(code);
        }
    for (int i = 0; i < PROCESSES; i++) {
        int status = -1;
        waitpid(children[i], &status, 0);
        CU_ASSERT_EQUAL(status, 0);
    }
    CU_ASSERT_EQUAL_FATAL(database_open(&database, scratch.path, NULL), 0);
    CU_ASSERT_EQUAL(database_count(database), PROCESSES * ROWS);
    database_close(database);
    scratch_close(&scratch);
}

/* The generation is the hash of the content, and changes with it. */
static void generations(void)
{
    struct scratch scratch = scratch_open("d.csv");
    char seen[3][HASH_HEX_BYTES], hash[HASH_HEX_BYTES];
    for (int i = 0; i < 3; i++) {
        struct best best = make_best(i < 2 ? "k" : "l", "d", 100);
        struct database *database = NULL;
        struct error error = {0};
        CU_ASSERT_EQUAL_FATAL(database_put(scratch.path, &best, NULL, NULL, NULL, NULL), 0);
        CU_ASSERT_EQUAL_FATAL(database_open(&database, scratch.path, NULL), 0);
        CU_ASSERT_EQUAL_FATAL(hash_file(scratch.path, UINT64_MAX, hash, NULL), 0);
        CU_ASSERT_STRING_EQUAL(database_generation(database), hash);
        memcpy(seen[i], hash, sizeof hash);
        CU_ASSERT_EQUAL(database_require_generation(database, seen[0], &error), i < 2 ? 0 : ERROR_DATA);
        if (i == 2)
            CU_ASSERT(strstr(error.message, seen[0]) && strstr(error.message, seen[2]));
        database_close(database);
    }
    CU_ASSERT_STRING_EQUAL(seen[0], seen[1]);
    CU_ASSERT_STRING_NOT_EQUAL(seen[1], seen[2]);
    scratch_close(&scratch);
}

static void full_disk(void)
{
    struct scratch scratch = scratch_open("d.csv");
    struct best best = make_best("k", "d", 100), other = make_best("other", "d", 100);
    struct text before = {0};
    int status = -1;
    CU_ASSERT_EQUAL_FATAL(database_put(scratch.path, &best, NULL, NULL, NULL, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(file_read(scratch.path, 1 << 20, &before, NULL), 0);
    pid_t child = fork();
    if (child == 0) {
        struct rlimit limit = {before.length + 10, before.length + 10};
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &limit);
        _exit(database_put(scratch.path, &other, NULL, NULL, NULL, NULL));
    }
    waitpid(child, &status, 0);
    CU_ASSERT(WIFEXITED(status) && WEXITSTATUS(status) == ERROR_IO);
    CU_ASSERT(scratch_holds(scratch.path, before.bytes));
    CU_ASSERT_EQUAL(database_put(scratch.path, &other, NULL, NULL, NULL, NULL), 0);
    text_free(&before);
    scratch_close(&scratch);
}

static void no_place(void)
{
    struct scratch scratch = scratch_open("d.csv");
    struct best best = make_best("k", "d", 100);
    struct database *database = NULL;
    struct error error = {0};
    char lock[160];
    CU_ASSERT_EQUAL(database_put(scratch.folder, &best, NULL, NULL, NULL, &error), ERROR_IO);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "is a directory"));
    snprintf(lock, sizeof lock, "%s.lock", scratch.folder);
    CU_ASSERT_NOT_EQUAL(access(lock, F_OK), 0);
    CU_ASSERT_EQUAL(database_put("/dev/full", &best, NULL, NULL, NULL, NULL), ERROR_IO);
    CU_ASSERT_EQUAL(database_put("/nowhere/at/all.csv", &best, NULL, NULL, NULL, NULL), ERROR_IO);
    CU_ASSERT_EQUAL(database_open(&database, scratch.folder, NULL), ERROR_IO);
    CU_ASSERT_EQUAL(database_open(&database, "/dev/zero", NULL), ERROR_IO);
    CU_ASSERT_EQUAL_FATAL(database_open(&database, scratch.path, NULL), 0); /* missing: empty */
    CU_ASSERT_EQUAL(database_count(database), 0);
    database_close(database);
    if (geteuid() != 0) { /* root can write everywhere */
        chmod(scratch.folder, 0500);
        CU_ASSERT_EQUAL(database_put(scratch.path, &best, NULL, NULL, NULL, NULL), ERROR_IO);
        chmod(scratch.folder, 0700);
    }
    scratch_close(&scratch);
}

static void through_link(void)
{
    struct scratch scratch = scratch_open("d.csv");
    struct best best = make_best("k", "d", 100), other = make_best("other", "d", 100);
    struct database *database = NULL;
    struct stat status;
    char link_path[160];
    snprintf(link_path, sizeof link_path, "%s/link.csv", scratch.folder);
    CU_ASSERT_EQUAL_FATAL(database_put(scratch.path, &best, NULL, NULL, NULL, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(symlink("d.csv", link_path), 0);
    CU_ASSERT_EQUAL_FATAL(database_put(link_path, &other, NULL, NULL, NULL, NULL), 0);
    CU_ASSERT(lstat(link_path, &status) == 0 && S_ISLNK(status.st_mode));
    CU_ASSERT_EQUAL_FATAL(database_open(&database, scratch.path, NULL), 0);
    CU_ASSERT_EQUAL(database_count(database), 2);
    database_close(database);
    scratch_close(&scratch);
}

static void sample(void)
{
    struct database *database = NULL;
    CU_ASSERT_EQUAL_FATAL(database_open(&database, TEST_FOLDER "/unit/formats/database-1.csv", NULL), 0);
    CU_ASSERT_EQUAL_FATAL(database_count(database), 6);
    const struct best *best = database_get(database, 1);
    CU_ASSERT_STRING_EQUAL(best->provenance.device.name, "Sample 80, \"old\" */");
    CU_ASSERT_STRING_EQUAL(best->configuration, "ORDER=cols TILE=8 BLOCK_ROWS=1 HIT=0.5");
    CU_ASSERT_EQUAL(best->value, 300000);
    CU_ASSERT_EQUAL(best->provenance.device.l2_bytes, 41943040);
    CU_ASSERT(isnan(database_get(database, 0)->speedup));
    database_close(database);
}

/* A row of time per unit of work replaces a row of time, and the other way round: the space's version decides
 * between them. Its columns appear with the first such row. */
static void one_row_per_aim(void)
{
    struct scratch scratch = scratch_open("d.csv");
    struct best old = make_best("k", "d", 100.5), fresh = make_best("k", "d", 0.25);
    struct database *database = NULL;
    enum database_outcome outcome = DATABASE_ADDED;
    double previous = 0;
    size_t before, after;
    fresh.objective = "time_per_work";
    fresh.provenance.space_hash = "other";
    CU_ASSERT_EQUAL_FATAL(database_put(scratch.path, &old, NULL, &outcome, &previous, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(database_open(&database, scratch.path, NULL), 0);
    database_names(database, &before);
    database_close(database);
    CU_ASSERT_EQUAL_FATAL(database_put(scratch.path, &fresh, NULL, &outcome, &previous, NULL), 0);
    CU_ASSERT_EQUAL(outcome, DATABASE_REPLACED);
    CU_ASSERT(isnan(previous)); /* of another quantity */
    CU_ASSERT_EQUAL_FATAL(database_open(&database, scratch.path, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(database_count(database), 1);
    CU_ASSERT(same_best(database_get(database, 0), &fresh));
    database_names(database, &after);
    CU_ASSERT_EQUAL(after, before + 4);
    database_close(database);
    scratch_close(&scratch);
}

/* The order of a problem's sizes does not matter: earlier versions wrote one row for each order; the newest counts. */
static void sizes_in_any_order(void)
{
    static const struct {
        const char *a, *b;
        int order;
    } rows[] = {{"N=1 M=2", "M=2 N=1", 0},
                {"N=1 M=2", " M=2   N=1 ", 0},
                {"", "", 0},
                {"", "N=1", -1},
                {"N=1", "", 1},
                {"N=1", "N=10", -1},
                {"N=1 M=2", "M=2", 1},
                {"M=2", "N=1 M=2", -1},
                {"N=1 M=2", "M=3 N=1", -1},
                {"A=1 B=2 C=3", "C=3 A=1 B=2", 0},
                {"A=1 B=2 C=3", "C=3 A=1 B=1", 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int order = pairs_compare(rows[i].a, rows[i].b), back = pairs_compare(rows[i].b, rows[i].a);
        CU_ASSERT_EQUAL((order > 0) - (order < 0), rows[i].order);
        CU_ASSERT_EQUAL((back > 0) - (back < 0), -rows[i].order);
    }
    static const char header[] = "schema,kernel,device,problem,objective,configuration,time_ns,date\n";
    static const char old[] = "1,k,GPU,N=1 M=2,time,A=1,5,2026-01-01T00:00:00Z\n";
    static const char newer[] = "1,k,GPU,M=2 N=1,time,A=2,6,2026-01-02T00:00:00Z\n";
    for (int turn = 0; turn < 2; turn++) {
        char text[1024];
        struct database *database = NULL;
        struct error error = {0};
        snprintf(text, sizeof text, "%s%s%s", header, turn ? old : newer, turn ? newer : old);
        CU_ASSERT_EQUAL_FATAL(database_parse(&database, "d.csv", text, strlen(text), &error), 0);
        CU_ASSERT_EQUAL_FATAL(database_count(database), 1);
        CU_ASSERT_STRING_EQUAL(database_get(database, 0)->configuration, "A=2");
        database_close(database);
    }
}

/* One fit per device, kernel and aim, over any region, beside the row of a problem; only a fit's schema is new. */
static void fits(void)
{
    struct scratch scratch = scratch_open("database.csv");
    struct database *database = NULL;
    struct best best = make_best("k", "d", 100), fit = make_best("k", "d", NAN);
    enum database_outcome outcome;
    struct error error = {0};
    size_t columns;
    CU_ASSERT_EQUAL_FATAL(database_put(scratch.path, &best, NULL, NULL, NULL, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(database_open(&database, scratch.path, NULL), 0);
    const char *const *names = database_names(database, &columns);
    for (size_t i = 0; i < columns; i++)
        CU_ASSERT(strncmp(names[i], "fit", 3) != 0); /* no column without a row that needs it */
    database_close(database);
    CU_ASSERT_EQUAL(database_put(scratch.path, &fit, NULL, NULL, NULL, NULL),
                    ERROR_VALUE); /* neither a value nor a fit */
    fit.fit = "fit 1; order;";
    fit.fit_quality = "sizes=40";
    fit.provenance.problem = "N=1..8";
    CU_ASSERT_EQUAL_FATAL(database_put(scratch.path, &fit, NULL, &outcome, NULL, NULL), 0);
    CU_ASSERT_EQUAL(outcome, DATABASE_ADDED);
    fit.provenance.problem = "N=1..64";
    fit.fit_quality = "sizes=50";
    CU_ASSERT_EQUAL_FATAL(database_put(scratch.path, &fit, NULL, &outcome, NULL, NULL), 0);
    CU_ASSERT_EQUAL(outcome, DATABASE_REPLACED);
    best.provenance.problem = "N=9";
    CU_ASSERT_EQUAL_FATAL(database_put(scratch.path, &best, NULL, &outcome, NULL, NULL), 0);
    CU_ASSERT_EQUAL(outcome, DATABASE_ADDED);
    CU_ASSERT_EQUAL_FATAL(database_open(&database, scratch.path, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(database_count(database), 3);
    for (size_t i = 0; i < 3; i++) {
        const struct best *row = database_get(database, i);
        CU_ASSERT_EQUAL(database_is_fit(row), i == 2);
        CU_ASSERT_EQUAL(row->schema, i == 2 ? DATABASE_SCHEMA_FIT : DATABASE_SCHEMA_BEST);
    }
    CU_ASSERT_STRING_EQUAL(database_get(database, 2)->provenance.problem, "N=1..64");
    CU_ASSERT_STRING_EQUAL(database_get(database, 2)->fit_quality, "sizes=50");
    database_close(database);
    scratch_close(&scratch);
    static const char old[] = KEYS ",fit\n1,k,d,N=1..2,time,,fit 1;\n";
    CU_ASSERT_EQUAL(database_parse(&database, "old", old, sizeof old - 1, &error), ERROR_DATA);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "schema 2"));
}

CU_TestInfo tests_database[] = {{"fits", fits},
                                {"sizes in any order", sizes_in_any_order},
                                {"one row per aim", one_row_per_aim},
                                {"put and read", round_trip},
                                {"generations", generations},
                                {"unknown columns stay", unknown_columns},
                                {"parsing; unreadable files are not overwritten", parsing},
                                {"rows that no file should hold", wrong_rows},
                                {"several processes lose nothing", two_at_once},
                                {"a full disk", full_disk},
                                {"no place for a file", no_place},
                                {"through a symbolic link", through_link},
                                {"the sample of schema 1", sample},
                                CU_TEST_INFO_NULL};
