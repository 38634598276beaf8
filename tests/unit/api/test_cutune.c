#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include <cutune.h>

#define FORMATS SOURCE_FOLDER "/tests/unit/formats/"
#define SPACE   SOURCE_FOLDER "/templates/transpose.space"

static struct cutune_database *open_sample(void)
{
    struct cutune_database *database = NULL;
    struct cutune_error error;
    CU_ASSERT_EQUAL_FATAL(cutune_database_open(&database, FORMATS "database-1.csv", NULL, &error), 0);
    return database;
}

/* ---- Choosing ---- */

static const struct {
    const char *device;
    int cc, sm_count;
    long long l2_bytes;
    const char *problem;
    enum cutune_rule rule;
    const char *configuration;
} questions[] = {
    {"Sample 90 Big", 0, 0, 0, "ROWS=1024 COLS=512", CUTUNE_RULE_PROBLEM, "TILE=16 BLOCK_ROWS=4 HIT=1.0 ORDER=cols"},
    {"Sample 90 Big", 0, 0, 0, "COLS=512 ROWS=1024", CUTUNE_RULE_PROBLEM, "TILE=16 BLOCK_ROWS=4 HIT=1.0 ORDER=cols"},
    {"Sample 90 Big", 90, 132, 62914560, "ROWS=9000 COLS=9000", CUTUNE_RULE_DEVICE,
     "TILE=64 BLOCK_ROWS=8 HIT=0.8 ORDER=rows"},
    {"Another", 90, 66, 31457280, "ROWS=1024 COLS=512", CUTUNE_RULE_CC, "TILE=128 BLOCK_ROWS=2 HIT=0.25 ORDER=rows"},
    {NULL, 87, 16, 4194304, "ROWS=8192 COLS=8192", CUTUNE_RULE_MAJOR, "TILE=24 BLOCK_ROWS=1 HIT=1e-05 ORDER=rows"},
    {"Another", 120, 16, 4194304, "ROWS=8192 COLS=8192", CUTUNE_RULE_COMMON, "TILE=32 BLOCK_ROWS=8 HIT=0.5 ORDER=rows"},
};
enum { QUESTIONS = sizeof questions / sizeof *questions };

static void ask(const struct cutune_database *database, size_t i, struct cutune_best *best)
{
    struct cutune_device *device =
        cutune_device_new(questions[i].device, questions[i].cc, questions[i].sm_count, questions[i].l2_bytes);
    memset(best, 0, sizeof *best);
    cutune_database_best(database, "transpose", device, questions[i].problem, best, NULL);
    cutune_device_free(device);
}

static bool answers(const struct cutune_best *best, size_t i)
{
    return best->rule == questions[i].rule && best->configuration &&
           strcmp(best->configuration, questions[i].configuration) == 0;
}

static void chooses(void)
{
    struct cutune_database *database = open_sample();
    struct cutune_best best;
    for (size_t i = 0; i < QUESTIONS; i++) {
        ask(database, i, &best);
        if (!answers(&best, i))
            printf("question %zu: %s by %s\n", i, best.configuration, cutune_rule_name(best.rule));
        CU_ASSERT(answers(&best, i));
    }
    ask(database, 0, &best);
    CU_ASSERT_STRING_EQUAL(best.device, "Sample 90 Big");
    CU_ASSERT_STRING_EQUAL(best.problem, "ROWS=1024 COLS=512");
    CU_ASSERT_EQUAL(best.time_ns, 5120);
    CU_ASSERT_EQUAL(best.speedup, 1.5);
    ask(database, QUESTIONS - 1, &best);
    CU_ASSERT_STRING_EQUAL(best.device, "");
    CU_ASSERT(isnan(best.time_ns));
    cutune_database_close(database);
}

/* Times of a space with `work` are per unit of work, and the answer says so. */
static void says_what_times_are_of(void)
{
    static const struct {
        const char *file, *kernel, *device, *problem;
        double time_ns;
        int per_work;
    } rows[] = {{FORMATS "database-1.csv", "transpose", "Sample 90 Big", "ROWS=1024 COLS=512", 5120, 0},
                {FORMATS "database-1-work.csv", "twice", "Fake GPU", "N=1000", 1.25, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct cutune_database *database = NULL;
        struct cutune_device *device = cutune_device_new(rows[i].device, 0, 0, 0);
        struct cutune_best best = {.per_work = 7};
        CU_ASSERT_EQUAL_FATAL(cutune_database_open(&database, rows[i].file, NULL, NULL), 0);
        CU_ASSERT_EQUAL(cutune_database_best(database, rows[i].kernel, device, rows[i].problem, &best, NULL), 0);
        CU_ASSERT(best.time_ns == rows[i].time_ns && best.per_work == rows[i].per_work);
        cutune_device_free(device);
        cutune_database_close(database);
    }
}

/* Answers carry the hash of the file, and a program can insist on it. */
static void pins_a_generation(void)
{
    struct cutune_database *database = open_sample();
    struct cutune_best best;
    struct cutune_error error;
    const char *generation = cutune_database_generation(database);
    char changed[64];
    CU_ASSERT_EQUAL_FATAL(strlen(generation), 32);
    ask(database, 0, &best);
    CU_ASSERT_STRING_EQUAL(best.generation, generation);
    CU_ASSERT_EQUAL(cutune_database_require(database, generation, &error), 0);
    snprintf(changed, sizeof changed, "%s", generation);
    changed[31] = changed[31] == '0' ? '1' : '0';
    const char *const others[] = {changed, "", "1"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        CU_ASSERT_EQUAL(cutune_database_require(database, others[i], &error), CUTUNE_ERROR_DATA);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.message, generation));
    }
    CU_ASSERT_EQUAL(cutune_database_require(database, NULL, &error), CUTUNE_ERROR_USAGE);
    CU_ASSERT_EQUAL(cutune_database_require(NULL, generation, &error), CUTUNE_ERROR_USAGE);
    CU_ASSERT_STRING_EQUAL(cutune_database_generation(NULL), "");
    cutune_database_close(database);
}

static void refuses(void)
{
    static const struct {
        const char *kernel, *problem;
        int code;
        const char *message;
    } calls[] = {
        {"none", "N=1", CUTUNE_ERROR_NOT_FOUND, "there is no row of the kernel 'none'"},
        {"copy", "", CUTUNE_ERROR_USAGE, "'' does not give each problem size of copy once"},
        {"copy", "N=1 M=2", CUTUNE_ERROR_USAGE, "'N=1 M=2' does not give each problem size of copy once"},
        {"copy", "M=2", CUTUNE_ERROR_USAGE, "'M=2' does not give each problem size of copy once"},
        {"copy", "N=x", CUTUNE_ERROR_USAGE, "the problem size N is not a number: 'x'"},
        {"copy", "N=-1", CUTUNE_ERROR_USAGE, "the problem size N cannot be negative: -1"},
        {"copy", "N=-0.5", CUTUNE_ERROR_USAGE, "the problem size N cannot be negative: -0.5"},
        {"copy", "N=9223372036854775808", CUTUNE_ERROR_USAGE,
         "the problem size N is not a number: '9223372036854775808'"},
        {"copy", "N", CUTUNE_ERROR_DATA, "'N' is not NAME=VALUE"},
    };
    struct cutune_database *database = open_sample();
    struct cutune_device *device = cutune_device_new("A", 90, 1, 1);
    struct cutune_error error;
    struct cutune_best best;
    char text[256];
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        CU_ASSERT_EQUAL(cutune_database_best(database, calls[i].kernel, device, calls[i].problem, &best, &error),
                        calls[i].code);
        CU_ASSERT_STRING_EQUAL(error.message, calls[i].message);
    }
    CU_ASSERT_STRING_EQUAL(cutune_error_format(&error, text, sizeof text), "error: 'N' is not NAME=VALUE\n");
    CU_ASSERT_EQUAL(cutune_device_set(device, "warps", 1, &error), CUTUNE_ERROR_NOT_FOUND);
    CU_ASSERT_EQUAL(cutune_device_set(device, "max_threads", 1024, &error), 0);
    CU_ASSERT_EQUAL(cutune_device_get(device, "max_threads"), 1024);
    cutune_device_free(device);
    cutune_database_close(database);
    CU_ASSERT_EQUAL(cutune_database_open(&database, "/nonexistent/db.csv", NULL, &error), CUTUNE_ERROR_NOT_FOUND);
    CU_ASSERT_PTR_NULL(database);
    CU_ASSERT_EQUAL(cutune_database_open(&database, SPACE, NULL, &error), CUTUNE_ERROR_DATA);
    CU_ASSERT_EQUAL(cutune_database_open(&database, FORMATS "database-1.csv", "/nonexistent", &error),
                    CUTUNE_ERROR_NOT_FOUND);
    cutune_database_close(NULL);
    cutune_kernel_close(NULL);
    cutune_device_free(NULL);
}

static void configurations(void)
{
    static const char text[] = "TILE=64 HIT=0.5 ORDER=rows BIG=99999999999999999999 EMPTY=";
    long long number = 7;
    char word[8];
    struct cutune_error error;
    CU_ASSERT_EQUAL(cutune_configuration_int(text, "TILE", &number, &error), 0);
    CU_ASSERT_EQUAL(number, 64);
    CU_ASSERT_EQUAL(cutune_configuration_int(text, "ILE", &number, &error), CUTUNE_ERROR_NOT_FOUND);
    CU_ASSERT_EQUAL(cutune_configuration_int(text, "HIT", &number, &error), CUTUNE_ERROR_VALUE);
    CU_ASSERT_EQUAL(cutune_configuration_int(text, "BIG", &number, &error), CUTUNE_ERROR_VALUE);
    CU_ASSERT_EQUAL(cutune_configuration_int(text, "EMPTY", &number, &error), CUTUNE_ERROR_VALUE);
    CU_ASSERT_EQUAL(cutune_configuration_text(text, "ORDER", word, sizeof word, &error), 0);
    CU_ASSERT_STRING_EQUAL(word, "rows");
    CU_ASSERT_EQUAL(cutune_configuration_text(text, "ORDER", word, 4, NULL), CUTUNE_ERROR_VALUE);
    CU_ASSERT_EQUAL(number, 64);
}

/* ---- Threads ---- */

enum { THREADS = 4, ROUNDS = 2000 };

static void *read_on(void *context)
{
    const struct cutune_database *database = context;
    static char wrong;
    struct cutune_best best;
    for (size_t i = 0; i < ROUNDS; i++) {
        ask(database, i % QUESTIONS, &best);
        if (!answers(&best, i % QUESTIONS))
            return &wrong;
    }
    return NULL;
}

static void threads_read(void)
{
    struct cutune_database *database = open_sample();
    pthread_t threads[THREADS];
    for (size_t i = 0; i < THREADS; i++)
        CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, read_on, database), 0);
    for (size_t i = 0; i < THREADS; i++) {
        void *outcome;
        pthread_join(threads[i], &outcome);
        CU_ASSERT_PTR_NULL(outcome);
    }
    cutune_database_close(database);
}

/* ---- Arguments ---- */

static void null_arguments(void)
{
    struct cutune_database *database = open_sample(), *no_database = database;
    struct cutune_device *device = cutune_device_new(NULL, 0, 0, 0);
    struct cutune_kernel *kernel = (struct cutune_kernel *)device;
    struct cutune_best best;
    struct cutune_error error;
    long long number;
    char text[64];
    size_t bytes = 1;
    CU_ASSERT_PTR_NOT_NULL_FATAL(device);
#define REFUSED(call)                                                                                                  \
    do {                                                                                                               \
        memset(&error, 0, sizeof error);                                                                               \
        CU_ASSERT_EQUAL(call, CUTUNE_ERROR_USAGE);                                                                     \
        CU_ASSERT_EQUAL(error.code, CUTUNE_ERROR_USAGE);                                                               \
        CU_ASSERT_EQUAL(strncmp(error.message, #call, strcspn(#call, "(")), 0);                                        \
        CU_ASSERT_PTR_NOT_NULL(strstr(error.message, ": an argument is NULL"));                                        \
    } while (0)
    REFUSED(cutune_device_set(NULL, "cc", 1, &error));
    REFUSED(cutune_device_set(device, NULL, 1, &error));
    REFUSED(cutune_database_open(NULL, FORMATS "database-1.csv", NULL, &error));
    REFUSED(cutune_database_open(&no_database, NULL, NULL, &error));
    CU_ASSERT_PTR_NULL(no_database);
    REFUSED(cutune_database_row(NULL, "copy", device, "N=1", &best, &error));
    REFUSED(cutune_database_row(database, "copy", device, "N=1", NULL, &error));
    REFUSED(cutune_database_best(NULL, "copy", device, "N=1", &best, &error));
    REFUSED(cutune_database_best(database, NULL, device, "N=1", &best, &error));
    REFUSED(cutune_database_best(database, "copy", NULL, "N=1", &best, &error));
    REFUSED(cutune_database_best(database, "copy", device, NULL, &best, &error));
    REFUSED(cutune_database_best(database, "copy", device, "N=1", NULL, &error));
    REFUSED(cutune_configuration_int(NULL, "A", &number, &error));
    REFUSED(cutune_configuration_int("A=1", NULL, &number, &error));
    REFUSED(cutune_configuration_int("A=1", "A", NULL, &error));
    REFUSED(cutune_configuration_text(NULL, "A", text, sizeof text, &error));
    REFUSED(cutune_configuration_text("A=1", NULL, text, sizeof text, &error));
    REFUSED(cutune_configuration_text("A=1", "A", NULL, sizeof text, &error));
    REFUSED(cutune_kernel_open(NULL, database, SPACE, device, NULL, 0, &error));
    REFUSED(cutune_kernel_open(&kernel, NULL, SPACE, device, NULL, 0, &error));
    CU_ASSERT_PTR_NULL(kernel);
    REFUSED(cutune_kernel_open(&kernel, database, NULL, device, NULL, 0, &error));
    REFUSED(cutune_kernel_open(&kernel, database, SPACE, NULL, NULL, 0, &error));
    REFUSED(cutune_tune(NULL, NULL, NULL, NULL, &error));
#undef REFUSED
    CU_ASSERT_EQUAL(cutune_device_set(NULL, NULL, 1, NULL), CUTUNE_ERROR_USAGE);
    CU_ASSERT_EQUAL(cutune_configuration_text("A=1", "A", text, 0, NULL), CUTUNE_ERROR_VALUE);
    CU_ASSERT_EQUAL(cutune_device_get(NULL, "cc"), 0);
    CU_ASSERT_EQUAL(cutune_device_get(device, NULL), 0);
    CU_ASSERT_PTR_NULL(cutune_kernel_best(NULL));
    CU_ASSERT_PTR_NULL(cutune_kernel_sequence(NULL));
    CU_ASSERT_PTR_NULL(cutune_kernel_cubin(NULL, NULL));
    CU_ASSERT_PTR_NULL(cutune_kernel_cubin(NULL, &bytes));
    CU_ASSERT_EQUAL(bytes, 0);
    CU_ASSERT_PTR_NULL(cutune_error_format(NULL, text, sizeof text));
    CU_ASSERT_PTR_NULL(cutune_error_format(&error, NULL, 8));
    CU_ASSERT_PTR_NULL(cutune_error_format(&error, text, 0));
    cutune_device_free(device);
    cutune_database_close(database);
}

static void numbers_of_devices(void)
{
    static const struct {
        int cc, sm_count;
        long long l2_bytes;
        bool valid;
    } devices[] = {{0, 0, 0, true},   {9999, 2147483647, 9223372036854775807, true},
                   {-1, 0, 0, false}, {10000, 0, 0, false},
                   {0, -1, 0, false}, {0, 0, -1, false}};
    static const struct {
        const char *limit;
        long long value;
        int code;
    } limits[] = {{"cc", 0, 0},
                  {"cc", 9999, 0},
                  {"cc", 10000, CUTUNE_ERROR_VALUE},
                  {"cc", -1, CUTUNE_ERROR_VALUE},
                  {"sm_count", 2147483647, 0},
                  {"sm_count", 2147483648, CUTUNE_ERROR_VALUE},
                  {"max_threads", 9223372036854775807, 0},
                  {"max_threads", -1, CUTUNE_ERROR_VALUE}};
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        struct cutune_device *device = cutune_device_new("A", devices[i].cc, devices[i].sm_count, devices[i].l2_bytes);
        CU_ASSERT_EQUAL(device != NULL, devices[i].valid);
        cutune_device_free(device);
    }
    struct cutune_device *device = cutune_device_new("A", 1, 1, 1);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct cutune_error error;
        CU_ASSERT_EQUAL(cutune_device_set(device, limits[i].limit, limits[i].value, &error), limits[i].code);
        if (!limits[i].code)
            CU_ASSERT_EQUAL(cutune_device_get(device, limits[i].limit), limits[i].value);
    }
    cutune_device_free(device);
}

/* The name of a known GPU sets its limits, unless a given number is another's. */
static void known_devices(void)
{
    static const struct {
        const char *name;
        int cc, sm_count;
        long long l2_bytes;
        long long expected[4]; /* cc, sm_count, l2_bytes, shared_limit */
    } cases[] = {
        {"NVIDIA A100-SXM4-40GB", 0, 0, 0, {80, 108, 41943040, 166912}},
        {"NVIDIA A100-SXM4-40GB", 80, 0, 41943040, {80, 108, 41943040, 166912}},
        {"NVIDIA A100-SXM4-40GB", 86, 0, 0, {86, 0, 0, 0}},
        {"NVIDIA A100-SXM4-40GB", 0, 98, 0, {0, 98, 0, 0}},
        {"NVIDIA A100", 0, 0, 0, {0, 0, 0, 0}}, /* no such name */
        {NULL, 0, 0, 0, {0, 0, 0, 0}},
    };
    static const char *const limits[] = {"cc", "sm_count", "l2_bytes", "shared_limit"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cutune_device *device =
            cutune_device_new(cases[i].name, cases[i].cc, cases[i].sm_count, cases[i].l2_bytes);
        for (size_t l = 0; l < sizeof limits / sizeof *limits; l++)
            CU_ASSERT_EQUAL(cutune_device_get(device, limits[l]), cases[i].expected[l]);
        cutune_device_free(device);
    }
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs(text, file);
    fclose(file);
}

/* A double cannot distinguish these sizes. */
static void large_sizes(void)
{
    static const char text[] = "schema,kernel,device,problem,objective,configuration,time_ns,default_configuration\n"
                               "1,k,A,N=9007199254740992,time,T=1,5,T=0\n"
                               "1,k,A,N=9007199254740993,time,T=2,5,T=0\n"
                               "1,k,A,N=-3,time,T=3,5,T=0\n";
    static const struct {
        const char *problem, *configuration;
        enum cutune_rule rule;
    } asked[] = {{"N=9007199254740992", "T=1", CUTUNE_RULE_PROBLEM},
                 {"N=9007199254740993", "T=2", CUTUNE_RULE_PROBLEM},
                 {"N=9007199254740994", "T=2", CUTUNE_RULE_DEVICE},
                 {"N=9007199254740991", "T=1", CUTUNE_RULE_DEVICE},
                 {"N=-3", "T=3", CUTUNE_RULE_PROBLEM}}; /* a row shows that it may be negative */
    struct cutune_database *database = NULL;
    struct cutune_device *device = cutune_device_new("A", 90, 1, 1);
    char path[] = "/tmp/cutune-sizes-XXXXXX";
    close(mkstemp(path));
    write_file(path, text);
    CU_ASSERT_EQUAL_FATAL(cutune_database_open(&database, path, NULL, NULL), 0);
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        struct cutune_best best;
        CU_ASSERT_EQUAL_FATAL(cutune_database_best(database, "k", device, asked[i].problem, &best, NULL), 0);
        CU_ASSERT_EQUAL(best.rule, asked[i].rule);
        CU_ASSERT_STRING_EQUAL(best.configuration, asked[i].configuration);
    }
    cutune_device_free(device);
    cutune_database_close(database);
    unlink(path);
}

/* Answers say what they lose, where it is known. */
static void expected_losses(void)
{
    static const char text[] =
        "schema,kernel,device,problem,objective,configuration,time_ns,default_configuration,default_time_ns,cc,date,"
        "fit,"
        "fit_quality\n"
        "1,k,A,N=64,time,T=2,100,T=1,150,80,2026,,\n"
        "1,k,B,N=64,time,T=3,100,T=1,110,90,2026,,\n"
        "2,k,A,N=16..1024,time,,,T=1,,80,2026,fit 1; size N 16 1024; take T=4; order 0;,sizes=9 mean=0.9 "
        "held_mean=0.8\n"
        "2,k,B,N=16..1024,time,,,T=1,,90,2026,fit 1; size N 16 1024; take T=5; order 0;,sizes=9 mean=0.5\n";
    static const struct {
        const char *device, *problem;
        enum cutune_rule rule;
        double loss_percent;
    } cases[] = {
        {"A", "N=64", CUTUNE_RULE_PROBLEM, 0}, {"A", "N=128", CUTUNE_RULE_FIT, 25},
        {"B", "N=128", CUTUNE_RULE_FIT, 100},  {"A", "N=2048", CUTUNE_RULE_FIT, NAN},
        {"X", "N=64", CUTUNE_RULE_COMMON, 30}, {"X", "N=128", CUTUNE_RULE_COMMON, NAN},
    };
    struct cutune_database *database = NULL;
    char path[] = "/tmp/cutune-losses-XXXXXX";
    close(mkstemp(path));
    write_file(path, text);
    CU_ASSERT_EQUAL_FATAL(cutune_database_open(&database, path, NULL, NULL), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cutune_device *device = cutune_device_new(cases[i].device, 0, 0, 0);
        struct cutune_best best;
        CU_ASSERT_EQUAL_FATAL(cutune_database_best(database, "k", device, cases[i].problem, &best, NULL), 0);
        CU_ASSERT_EQUAL(best.rule, cases[i].rule);
        if (isnan(cases[i].loss_percent))
            CU_ASSERT(isnan(best.expected_loss_percent))
        else
            CU_ASSERT_DOUBLE_EQUAL(best.expected_loss_percent, cases[i].loss_percent, 1e-9)
        cutune_device_free(device);
    }
    cutune_database_close(database);
    unlink(path);
}

/* A journal counts as the row of its winner. */
static void opens_a_journal(void)
{
    struct cutune_database *database = NULL;
    struct cutune_device *device = cutune_device_new("Fake GPU", 0, 0, 0);
    struct cutune_best best;
    CU_ASSERT_EQUAL_FATAL(cutune_database_open(&database, FORMATS "journal-1-work.csv", NULL, NULL), 0);
    CU_ASSERT_EQUAL(cutune_database_best(database, "twice", device, "N=1000", &best, NULL), 0);
    CU_ASSERT_STRING_EQUAL(best.configuration, "TIME=20000 FAULT=none FROM=1 ASIDE=0 SHARED=0");
    cutune_device_free(device);
    cutune_database_close(database);
}

/* Rows have conditions of their validity; missing limits follow from the compute capability. */
static void conditions(void)
{
    static const struct {
        const char *device;
        int cc;
        long long shared_limit; /* 0: not set */
        enum cutune_rule rule;
    } cases[] = {
        {"A", 80, 0, CUTUNE_RULE_PROBLEM}, {"A", 80, 1000, CUTUNE_RULE_PROBLEM},
        {"X", 80, 0, CUTUNE_RULE_CC},      {"X", 80, 149999, CUTUNE_RULE_DEFAULT},
        {"X", 86, 0, CUTUNE_RULE_DEFAULT}, {"X", 86, 150000, CUTUNE_RULE_MAJOR},
        {"X", 87, 0, CUTUNE_RULE_MAJOR},   {"X", 88, 0, CUTUNE_RULE_DEFAULT},
    };
    char path[] = "/tmp/cutune-api-XXXXXX";
    struct cutune_database *database = NULL;
    close(mkstemp(path));
    write_file(path,
               "schema,kernel,device,problem,objective,configuration,time_ns,default_configuration,cc,date,condition\n"
               "1,k,A,N=1,time,T=2,1,T=1,80,2026,(150000 <= shared_limit)\n");
    CU_ASSERT_EQUAL_FATAL(cutune_database_open(&database, path, NULL, NULL), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cutune_device *device = cutune_device_new(cases[i].device, cases[i].cc, 0, 0);
        struct cutune_best best;
        if (cases[i].shared_limit)
            CU_ASSERT_EQUAL(cutune_device_set(device, "shared_limit", cases[i].shared_limit, NULL), 0);
        CU_ASSERT_EQUAL(cutune_database_best(database, "k", device, "N=1", &best, NULL), 0);
        CU_ASSERT_EQUAL(best.rule, cases[i].rule);
        CU_ASSERT_STRING_EQUAL(best.configuration, best.rule == CUTUNE_RULE_DEFAULT ? "T=1" : "T=2");
        cutune_device_free(device);
    }
    cutune_database_close(database);
    unlink(path);
}

/* The row of the very sizes, also if it is of another version than the newest row, which alone counts for a choice. */
static void finds_a_row(void)
{
    static const struct {
        const char *kernel, *device, *problem, *configuration; /* NULL: none */
        enum cutune_rule chosen;
    } cases[] = {
        {"k", "A", "N=1 M=2", "T=1", CUTUNE_RULE_DEVICE},  {"k", "A", "M=2 N=1", "T=1", CUTUNE_RULE_DEVICE},
        {"k", "A", "N=2 M=2", "T=2", CUTUNE_RULE_PROBLEM}, {"k", "A", "N=3 M=2", NULL, CUTUNE_RULE_DEVICE},
        {"k", "B", "N=2 M=2", NULL, CUTUNE_RULE_DEFAULT},  {"j", "A", "N=1 M=2", NULL, CUTUNE_RULE_COMMON},
    };
    char path[] = "/tmp/cutune-api-XXXXXX";
    struct cutune_database *database = NULL;
    close(mkstemp(path));
    write_file(path,
               "schema,kernel,device,problem,objective,configuration,time_ns,default_configuration,cc,date,space_hash\n"
               "1,k,A,N=1 M=2,time,T=1,5,T=1,80,2026-01-01,aaaa\n1,k,A,N=2 M=2,time,T=2,7,T=1,80,2026-01-02,bbbb\n");
    CU_ASSERT_EQUAL_FATAL(cutune_database_open(&database, path, NULL, NULL), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cutune_device *device = cutune_device_new(cases[i].device, 0, 0, 0);
        struct cutune_best best, chosen = {.rule = CUTUNE_RULE_COMMON};
        struct cutune_error error;
        int code = cutune_database_row(database, cases[i].kernel, device, cases[i].problem, &best, &error);
        cutune_database_best(database, cases[i].kernel, device, cases[i].problem, &chosen, NULL);
        CU_ASSERT_EQUAL(code, cases[i].configuration ? 0 : CUTUNE_ERROR_NOT_FOUND);
        CU_ASSERT_EQUAL(chosen.rule, cases[i].chosen);
        if (!code) {
            CU_ASSERT_STRING_EQUAL(best.configuration, cases[i].configuration);
            CU_ASSERT_EQUAL(best.rule, CUTUNE_RULE_PROBLEM);
            CU_ASSERT(best.time_ns == (strcmp(best.configuration, "T=1") == 0 ? 5 : 7));
            CU_ASSERT_EQUAL(best.expected_loss_percent, 0);
        }
        cutune_device_free(device);
    }
    cutune_database_close(database);
    unlink(path);
}

static void versions(void)
{
    CU_ASSERT_STRING_EQUAL(cutune_version(), CUTUNE_VERSION);
    CU_ASSERT_STRING_EQUAL(cutune_rule_name(CUTUNE_RULE_DEFAULT), "default");
    CU_ASSERT_STRING_EQUAL(cutune_rule_name((enum cutune_rule)99), "none");
}

CU_TestInfo tests_cutune[] = {{"version and rules", versions},
                              {"where rows are valid", conditions},
                              {"chooses by every rule", chooses},
                              {"names the unit of times", says_what_times_are_of},
                              {"pins a generation", pins_a_generation},
                              {"refuses invalid queries", refuses},
                              {"values of configurations", configurations},
                              {"threads read one database", threads_read},
                              {"NULL arguments", null_arguments},
                              {"numbers of devices", numbers_of_devices},
                              {"known devices", known_devices},
                              {"expected losses", expected_losses},
                              {"opens a journal", opens_a_journal},
                              {"finds a row of any version", finds_a_row},
                              {"large sizes", large_sizes},
                              CU_TEST_INFO_NULL};
