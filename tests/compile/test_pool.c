#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/random.h"
#include "compile_one.h"

static const int64_t second_ns = 1000000000;

#define KERNEL "extern \"C\" __global__ void k(float *o) { o[threadIdx.x] = 1; }\n"

static struct compile_pool *open_pool(size_t jobs, int64_t timeout_ns)
{
    struct compile_pool *pool = NULL;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(compile_pool_open(&pool, jobs, timeout_ns, NULL, &error), 0);
    return pool;
}

static struct compile_job job_of(const char *source, const char *name_expression)
{
    return (struct compile_job){
        .id = 7, .path = "kernels.cu", .source = source, .name_expression = name_expression, .cc = 90, .options = ""};
}

static void expect_ok(struct compile_pool *pool, const struct compile_job *job)
{
    struct compile_result result = compile_one(pool, job);
    CU_ASSERT_EQUAL(result.status, STATUS_OK);
    if (result.status != STATUS_OK)
        fprintf(stderr, "%s\n%s\n", result.message, result.log);
}

/* No process of this program is left to be reaped, and `running` tells whether any should be there at all. */
static void expect_no_zombie(bool running)
{
    siginfo_t about = {0};
    int code = waitid(P_ALL, 0, &about, WEXITED | WNOHANG | WNOWAIT);
    CU_ASSERT(running ? code == 0 && about.si_pid == 0 : code == -1 && errno == ECHILD);
}

static void a_kernel_compiles(void)
{
    struct compile_pool *pool = open_pool(1, 120 * second_ns);
    struct compile_job job = job_of("template <int T, typename V> __global__ void scale(V *o) {\n"
                                    "    __shared__ V s[T]; s[threadIdx.x] = o[threadIdx.x]; __syncthreads();\n"
                                    "    o[threadIdx.x] = s[T - 1 - threadIdx.x]; }\n",
                                    "scale<TILE, float>");
    job.id = UINT64_MAX;
    job.options = "-DTILE=64\0--use_fast_math";
    job.option_count = 2;
    struct compile_result result = compile_one(pool, &job);
    CU_ASSERT_EQUAL_FATAL(result.status, STATUS_OK);
    CU_ASSERT_STRING_EQUAL(result.lowered_name, "_Z5scaleILi64EfEvPT0_");
    CU_ASSERT_STRING_EQUAL(result.message, "");
    CU_ASSERT_STRING_EQUAL(result.log, "");
    CU_ASSERT_EQUAL(memcmp(result.cubin, "\177ELF", 4), 0);
    CU_ASSERT_EQUAL(result.resources.shared_bytes, 256);
    CU_ASSERT(result.resources.registers > 0);
    CU_ASSERT(result.compile_ns > 0);
    compile_pool_close(pool);
    expect_no_zombie(false);
}

/* ---- What does not compile ---- */

struct refusal {
    const char *source, *name_expression;
    int64_t cc;
    const char *options;
    size_t option_count;
    enum status status;
    const char *message; /* how it begins */
};

#define SHARED(bytes)                                                                                                  \
    "extern \"C\" __global__ void k(char *o) { __shared__ char s[" bytes "]; s[threadIdx.x] = o[0];\n"                 \
    "  __syncthreads(); o[0] = s[threadIdx.x + 1]; }\n"

static const struct refusal refusals[] = {
    {"extern \"C\" __global__ void k(float *o) { o[0] = x; }", "k", 90, "", 0, STATUS_COMPILE_ERROR,
     "kernels.cu(1): error: identifier \"x\" is undefined"},
    /* A warning comes first, and it speaks of errors. */
    {"extern \"C\" __global__ void k(float *o) { int error; }\n#error \"TILE: is wrong\"", "k", 90, "", 0,
     STATUS_COMPILE_ERROR, "kernels.cu(2): catastrophic error: #error directive: \"TILE: is wrong\""},
    {"extern \"C\" __global__ void k(float *o) { int error;\n o[0] = y; }", "k", 90, "", 0, STATUS_COMPILE_ERROR,
     "kernels.cu(2): error: identifier \"y\" is undefined"},
    {"#include \"missing.h\"", "k", 90, "", 0, STATUS_COMPILE_ERROR,
     "kernels.cu(1): catastrophic error: cannot open source file \"missing.h\""},
    {KERNEL, "other", 90, "", 0, STATUS_COMPILE_ERROR,
     "kernel 'other' in kernels.cu: identifier \"other\" is undefined"},
    {KERNEL, "k<4>", 90, "", 0, STATUS_COMPILE_ERROR, "kernel 'k<4>' in kernels.cu: "},
    {KERNEL "__device__ void f() {}", "f", 90, "", 0, STATUS_COMPILE_ERROR, "kernel 'f' in kernels.cu: "},
    {KERNEL, "", 90, "", 0, STATUS_COMPILE_ERROR, ""},
    {KERNEL, "k; int z", 90, "", 0, STATUS_COMPILE_ERROR, ""},
    {KERNEL, "k\n#error no", 90, "", 0, STATUS_COMPILE_ERROR, ""},
    {"", "k", 90, "", 0, STATUS_COMPILE_ERROR, "kernel 'k' in kernels.cu: "},
    {KERNEL, "k", 90, "-bogus", 1, STATUS_COMPILE_ERROR, "unrecognized option -bogus found"},
    {KERNEL, "k", 90, "", 1, STATUS_COMPILE_ERROR, ""},
    {KERNEL, "k", 90, "--ptxas-options=-bogus", 1, STATUS_COMPILE_ERROR, "Unknown option 'bogus'"},
    {KERNEL, "k", 10000, "", 0, STATUS_COMPILE_ERROR, "this NVRTC ("},
    {KERNEL, "k", 10, "", 0, STATUS_COMPILE_ERROR, "this NVRTC ("},
    {KERNEL, "k", -90, "", 0, STATUS_COMPILE_ERROR, "this NVRTC ("},
    {"extern \"C\" __device__ int away(); extern \"C\" __global__ void k(int *o) { o[0] = away(); }", "k", 90, "", 0,
     STATUS_COMPILE_ERROR, "Unresolved extern function 'away'"},
    {"extern \"C\" __global__ void k(int *o) { asm(\"bogus.u32 %0;\" :: \"r\"(1)); }", "k", 90, "", 0,
     STATUS_COMPILE_ERROR, "ptxas application ptx input, line "},
    {SHARED("80000"), "k", 90, "", 0, STATUS_PRUNED_LIMIT,
     "Entry function 'k' uses too much shared data (0x13880 bytes, 0xc000 max)"},
    {SHARED("50000"), "k", 75, "--ptxas-options=-O1", 1, STATUS_PRUNED_LIMIT,
     "Entry function 'k' uses too much shared data (0xc350 bytes, 0xc000 max)"},
    {SHARED("50000"), "k", 90, "--ptxas-options=-v", 1, STATUS_COMPILE_ERROR, "NVRTC gives no reason (-v among "},
    {"struct S { char b[40000]; }; extern \"C\" __global__ void k(char *o, S s) { o[0] = s.b[threadIdx.x]; }", "k", 90,
     "", 0, STATUS_PRUNED_LIMIT, "kernels.cu(1): Error: Formal parameter space overflowed (40008 bytes required"},
    {"__constant__ char c[80000]; extern \"C\" __global__ void k(char *o) { o[0] = c[threadIdx.x]; }", "k", 90, "", 0,
     STATUS_PRUNED_LIMIT, "File uses too much global constant data (0x13880 bytes, 0x10000 max)"},
    /* Only the assembler's word counts. */
    {KERNEL "#error \"uses too much shared data\"", "k", 90, "", 0, STATUS_COMPILE_ERROR, "kernels.cu(2): "},
};

static void refusals_have_reasons(void)
{
    struct compile_pool *pool = open_pool(1, 120 * second_ns);
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        const struct refusal *row = &refusals[i];
        struct compile_job job = job_of(row->source, row->name_expression);
        job.cc = row->cc;
        job.options = row->options;
        job.option_count = row->option_count;
        struct compile_result result = compile_one(pool, &job);
        bool good = result.status == row->status && strncmp(result.message, row->message, strlen(row->message)) == 0 &&
                    result.message[0] && !strchr(result.message, '\n') && !result.cubin && result.cubin_bytes == 0;
        if (!good)
            fprintf(stderr, "row %zu: status %d, '%s'\n%s\n", i, result.status, result.message, result.log);
        CU_ASSERT(good);
    }
    compile_pool_close(pool);
}

static void an_unknown_device_asks_for_a_newer_toolkit(void)
{
    struct compile_pool *pool = open_pool(1, 120 * second_ns);
    struct compile_job job = job_of(KERNEL, "k");
    job.cc = 999;
    struct compile_result result = compile_one(pool, &job);
    CU_ASSERT_EQUAL(result.status, STATUS_COMPILE_ERROR);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.message, "does not know sm_999"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.message, "a newer CUDA Toolkit"));
    compile_pool_close(pool);
}

static void the_log_is_whole(void)
{
    struct compile_pool *pool = open_pool(1, 120 * second_ns);
    struct text source = {0};
    for (int i = 0; i < 2000; i++)
        text_printf(&source, "#warning \"number %d\"\n", i);
    text_printf(&source, KERNEL);
    struct compile_job job = job_of(text_string(&source), "k");
    struct compile_result result = compile_one(pool, &job);
    CU_ASSERT_EQUAL(result.status, STATUS_OK);
    CU_ASSERT_STRING_EQUAL(result.message, "");
    CU_ASSERT_PTR_NOT_NULL(strstr(result.log, "number 0"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.log, "number 1999"));
    text_free(&source);
    compile_pool_close(pool);
}

/* ---- Options and folders ---- */

static void the_standard_can_be_chosen(void)
{
    static const struct {
        const char *option, *source;
    } rows[] = {
        {"-DNONE", KERNEL "static_assert(__cplusplus == 201703L);"},
        {"-std=c++20", KERNEL "static_assert(__cplusplus == 202002L);"},
        {"--std=c++14", KERNEL "static_assert(__cplusplus == 201402L, \"\");"},
    };
    struct compile_pool *pool = open_pool(1, 120 * second_ns);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct compile_job job = job_of(rows[i].source, "k");
        job.options = rows[i].option;
        job.option_count = 1;
        expect_ok(pool, &job);
    }
    compile_pool_close(pool);
}

static void includes_are_found(void)
{
    char folder[] = "/tmp/cutune compile XXXXXX", path[128], header[128];
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/with space.cu", folder);
    snprintf(header, sizeof header, "%s/tile.h", folder);
    FILE *file = fopen(header, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs("#define TILE 32\n", file);
    fclose(file);
    struct compile_pool *pool = open_pool(1, 120 * second_ns);
    struct compile_job job = job_of("#include \"tile.h\"\n" KERNEL "static_assert(TILE == 32);", "k");
    job.path = path;
    expect_ok(pool, &job);
    /* An error in the header names the header. */
    file = fopen(header, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs("#define TILE 32\nint bad = ;\n", file);
    fclose(file);
    struct compile_result result = compile_one(pool, &job);
    CU_ASSERT_EQUAL(result.status, STATUS_COMPILE_ERROR);
    CU_ASSERT_EQUAL(strncmp(result.message, header, strlen(header)), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.message, "tile.h(2): error: "));
    compile_pool_close(pool);
    unlink(header);
    rmdir(folder);
}

/* Wherever the environment points to, the toolkit of the build is found at last. */
static void toolkit_headers_are_found(void)
{
    static const char *const homes[] = {NULL, "", "/nonexistent"};
    const char *now = getenv("CUDA_HOME");
    char *before = now ? strdup(now) : NULL;
    for (size_t i = 0; i < sizeof homes / sizeof *homes; i++) {
        if (homes[i])
            setenv("CUDA_HOME", homes[i], 1);
        else
            unsetenv("CUDA_HOME");
        struct compile_pool *pool = open_pool(1, 120 * second_ns);
        struct compile_job job = job_of("#include <cuda_pipeline.h>\n#include <cuda/std/array>\n" KERNEL, "k");
        expect_ok(pool, &job);
        compile_pool_close(pool);
    }
    if (before)
        setenv("CUDA_HOME", before, 1);
    else
        unsetenv("CUDA_HOME");
    free(before);
}

/* ---- Processes ---- */

static void many_jobs_each_once(void)
{
    enum { JOBS = 12 };
    struct compile_pool *pool = open_pool(2, 120 * second_ns);
    struct compile_job job = job_of(KERNEL, "k");
    struct compile_result result;
    struct error error = {0};
    size_t seen[JOBS] = {0}, given = 0, taken = 0;
    CU_ASSERT_EQUAL(compile_pool_jobs(pool), 2);
    while (taken < JOBS) {
        char options[64];
        for (; given < JOBS && compile_pool_idle(pool); given++) {
            /* Gone from this memory as soon as it was handed over. */
            snprintf(options, sizeof options, "-DNUMBER=%zu", given);
            job.id = given;
            job.options = options;
            job.option_count = 1;
            CU_ASSERT_EQUAL_FATAL(compile_pool_submit(pool, &job, &error), 0);
            memset(options, 'x', sizeof options);
        }
        if (!compile_pool_idle(pool) && given < JOBS) {
            CU_ASSERT_EQUAL(compile_pool_submit(pool, &job, &error), ERROR_WORKER);
            error_clear(&error);
        }
        CU_ASSERT_EQUAL_FATAL(next_result(pool, &result), 1);
        CU_ASSERT_EQUAL(result.status, STATUS_OK);
        CU_ASSERT_FATAL(result.id < JOBS);
        seen[result.id]++;
        taken++;
    }
    for (size_t i = 0; i < JOBS; i++)
        CU_ASSERT_EQUAL(seen[i], 1);
    CU_ASSERT_EQUAL(compile_pool_next(pool, &result, &error), 0);
    CU_ASSERT_EQUAL(compile_pool_idle(pool), 2);
    compile_pool_close(pool);
}

static void large_sources_travel(void)
{
    struct compile_pool *pool = open_pool(1, 120 * second_ns);
    struct text source = {0};
    for (int i = 0; i < 100000; i++)
        text_printf(&source, "// a line of words that mean nothing, number %d\n", i);
    text_printf(&source, "%s", KERNEL);
    struct compile_job job = job_of(text_string(&source), "k");
    expect_ok(pool, &job);
    text_free(&source);
    compile_pool_close(pool);
}

/* Hands out a job and gives the process that has it. */
static struct worker *submit(struct compile_pool *pool, const struct compile_job *job)
{
    struct worker *workers[8];
    CU_ASSERT_EQUAL_FATAL(compile_pool_submit(pool, job, NULL), 0);
    size_t count = compile_pool_workers(pool, workers, 8);
    CU_ASSERT_FATAL(count > 0);
    return workers[count - 1];
}

/* The only process that is busy. */
static struct worker *busy_worker(struct compile_pool *pool)
{
    struct worker *workers[8];
    CU_ASSERT_EQUAL_FATAL(compile_pool_workers(pool, workers, 8), 1);
    return workers[0];
}

/* Stops the process before it can have finished, and ends it when it is to be killed. */
static void hurt(struct worker *worker, int number)
{
    kill(worker->pid, SIGSTOP);
    if (number != SIGSTOP)
        kill(worker->pid, number);
}

/* Killed or stopped once, by whomever: nothing to do with the job, which another process does. Twice: that is its
 * result.
 */
static void a_lost_compilation_is_tried_once_more(void)
{
    static const struct {
        int number;
        enum status twice;
        const char *message;
    } rows[] = {
        {SIGKILL, STATUS_CRASHED, "the compiler process was lost: killed by signal 9 (Killed)"},
        {SIGSTOP, STATUS_TIMEOUT, "the compiler process was stopped, twice in a row"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct compile_pool *pool = open_pool(1, 120 * second_ns);
        struct compile_job job = job_of(KERNEL, "k");
        struct compile_result result;
        struct error error = {0};
        for (int times = 1; times <= 2; times++) {
            pid_t pid = submit(pool, &job)->pid;
            int64_t until_ns = clock_now_ns() + 60 * second_ns;
            hurt(busy_worker(pool), rows[i].number);
            while (times == 2 && busy_worker(pool)->pid == pid && clock_now_ns() < until_ns) {
                CU_ASSERT_EQUAL_FATAL(compile_pool_next(pool, &result, &error), 0);
                usleep(1000);
            }
            if (times == 2)
                hurt(busy_worker(pool), rows[i].number);
            CU_ASSERT_EQUAL_FATAL(next_result(pool, &result), 1);
            CU_ASSERT_EQUAL(result.id, 7);
            CU_ASSERT_EQUAL(result.status, times == 1 ? STATUS_OK : rows[i].twice);
            CU_ASSERT_EQUAL(compile_pool_idle(pool), 1);
            if (times == 1)
                continue;
            CU_ASSERT_EQUAL(strncmp(result.message, rows[i].message, strlen(rows[i].message)), 0);
            CU_ASSERT_STRING_EQUAL(result.log, "");
            CU_ASSERT_PTR_NULL(result.cubin);
            expect_no_zombie(false);
        }
        expect_ok(pool, &job);
        compile_pool_close(pool);
    }
}

/* When the latest of the jobs was given. */
static int64_t newest(struct worker *const *workers, size_t count)
{
    int64_t newest_ns = 0;
    for (size_t i = 0; i < count; i++)
        newest_ns = workers[i]->looked_ns > newest_ns ? workers[i]->looked_ns : newest_ns;
    return newest_ns;
}

/* Processes are killed and stopped at random while they compile: every job has its result, none has a wrong one. */
static void random_losses_lose_no_job(void)
{
    enum { JOBS = 24 };
    static const int numbers[] = {0, SIGKILL, SIGSTOP, SIGKILL};
    struct compile_pool *pool = open_pool(2, 120 * second_ns);
    struct compile_job job = job_of(KERNEL, "k");
    struct random random;
    size_t seen[JOBS] = {0}, given = 0;
    random_seed(&random, 7);
    for (size_t taken = 0; taken < JOBS; taken++) {
        struct compile_result result;
        for (; given < JOBS && compile_pool_idle(pool); given++) {
            struct worker *workers[8];
            struct error error = {0};
            job.id = given;
            CU_ASSERT_EQUAL_FATAL(compile_pool_submit(pool, &job, &error), 0);
            size_t busy = compile_pool_workers(pool, workers, 8);
            int number = numbers[random_below(&random, 4)];
            usleep((useconds_t)random_below(&random, 40000));
            /* The last job that was given is hurt, so that none is hurt twice. */
            for (size_t i = 0; i < busy && number; i++)
                if (workers[i]->looked_ns == newest(workers, busy))
                    kill(workers[i]->pid, number);
        }
        CU_ASSERT_EQUAL_FATAL(next_result(pool, &result), 1);
        CU_ASSERT_EQUAL(result.status, STATUS_OK);
        CU_ASSERT_FATAL(result.id < JOBS);
        seen[result.id]++;
    }
    for (size_t i = 0; i < JOBS; i++)
        CU_ASSERT_EQUAL(seen[i], 1);
    compile_pool_close(pool);
    expect_no_zombie(false);
}

static void an_idle_process_that_died_is_replaced(void)
{
    struct compile_pool *pool = open_pool(1, 120 * second_ns);
    struct compile_job job = job_of(KERNEL, "k");
    struct compile_result result;
    siginfo_t about;
    pid_t pid = submit(pool, &job)->pid;
    CU_ASSERT_EQUAL_FATAL(next_result(pool, &result), 1);
    kill(pid, SIGKILL);
    CU_ASSERT_EQUAL(waitid(P_PID, (id_t)pid, &about, WEXITED | WNOWAIT), 0);
    expect_ok(pool, &job);
    expect_no_zombie(true);
    compile_pool_close(pool);
    expect_no_zombie(false);
}

/* One process compiles for hours, one is asleep: both get the pool's limit. A job may have its own. */
static void the_time_limit_holds(void)
{
    static const char *const endless = "template <int D, long K> struct tree { static constexpr long v = tree<D - 1, 2 "
                                       "* K>::v + tree<D - 1, 2 * K + 1>::v; };\n"
                                       "template <long K> struct tree<0, K> { static constexpr long v = K; };\n"
                                       "extern \"C\" __global__ void k(long *o) { o[0] = tree<40, 1>::v; }\n";
    struct compile_pool *pool = open_pool(2, 4 * second_ns);
    struct compile_job slow = job_of(endless, "k"), quick = job_of(KERNEL, "k");
    struct compile_result result;
    size_t timeouts = 0;
    submit(pool, &slow);
    kill(submit(pool, &slow)->pid, SIGSTOP);
    for (int i = 0; i < 2; i++) {
        CU_ASSERT_EQUAL_FATAL(next_result(pool, &result), 1);
        timeouts += result.status == STATUS_TIMEOUT;
        CU_ASSERT_STRING_EQUAL(result.message, "compiling took longer than 4.000 s");
        CU_ASSERT(result.compile_ns >= 4 * second_ns);
    }
    CU_ASSERT_EQUAL(timeouts, 2);
    expect_no_zombie(false);
    expect_ok(pool, &quick);
    slow.timeout_ns = second_ns; /* its own */
    submit(pool, &slow);
    CU_ASSERT_EQUAL_FATAL(next_result(pool, &result), 1);
    CU_ASSERT_STRING_EQUAL(result.message, "compiling took longer than 1.000 s");
    compile_pool_close(pool);
    expect_no_zombie(false);
}

static void closing_ends_what_compiles(void)
{
    struct compile_pool *pool = open_pool(2, 120 * second_ns);
    struct compile_job job = job_of(KERNEL, "k");
    submit(pool, &job);
    compile_pool_close(pool);
    compile_pool_close(NULL);
    expect_no_zombie(false);
}

static void bad_sizes_are_refused(void)
{
    static const struct {
        size_t jobs;
        int64_t timeout_ns;
    } rows[] = {{0, 1}, {POOL_JOBS_MAX + 1, 1}, {SIZE_MAX, 1}, {1, 0}, {1, -1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct compile_pool *pool;
        struct error error = {0};
        CU_ASSERT_EQUAL(compile_pool_open(&pool, rows[i].jobs, rows[i].timeout_ns, NULL, &error), ERROR_USAGE);
        CU_ASSERT_PTR_NULL(pool);
    }
    struct compile_pool *patient = open_pool(1, INT64_MAX);
    struct compile_job job = job_of(KERNEL, "k");
    expect_ok(patient, &job);
    compile_pool_close(patient);
}

static void the_version_is_told(void)
{
    struct nvrtc_version version, again;
    int major = 0, minor = -1;
    struct error error = {0};
    CU_ASSERT_EQUAL(compile_nvrtc_version(&version, &error), 0);
    CU_ASSERT_EQUAL(sscanf(version.number, "%d.%d", &major, &minor), 2);
    CU_ASSERT(major >= 12 && minor >= 0);
    /* The build is that of the library, not of the program that asks. */
    CU_ASSERT_EQUAL(strlen(version.build), 40);
    CU_ASSERT_EQUAL(strspn(version.build, "0123456789abcdef"), 40);
    CU_ASSERT_EQUAL(compile_nvrtc_version(&again, &error), 0);
    CU_ASSERT_STRING_EQUAL(version.build, again.build);
    char command[256];
    snprintf(command, sizeof command,
             "readelf -n $(ldd /proc/%d/exe | sed -n 's/.*libnvrtc.so[^ ]* => \\([^ ]*\\).*/\\1/p')"
             " | grep -q 'Build ID: %s'",
             (int)getpid(), version.build);
    CU_ASSERT_EQUAL(system(command), 0);
    expect_no_zombie(false);
}

CU_TestInfo tests_pool[] = {
    {"a kernel compiles", a_kernel_compiles},
    {"refusals have reasons", refusals_have_reasons},
    {"an unknown device asks for a newer toolkit", an_unknown_device_asks_for_a_newer_toolkit},
    {"the log is whole", the_log_is_whole},
    {"the standard can be chosen", the_standard_can_be_chosen},
    {"includes are found", includes_are_found},
    {"toolkit headers are found", toolkit_headers_are_found},
    {"many jobs, each once", many_jobs_each_once},
    {"large sources travel", large_sources_travel},
    {"a lost compilation is tried once more", a_lost_compilation_is_tried_once_more},
    {"random losses lose no job", random_losses_lose_no_job},
    {"an idle process that died is replaced", an_idle_process_that_died_is_replaced},
    {"the time limit holds", the_time_limit_holds},
    {"closing ends what compiles", closing_ends_what_compiles},
    {"bad sizes are refused", bad_sizes_are_refused},
    {"the version is told", the_version_is_told},
    CU_TEST_INFO_NULL,
};
