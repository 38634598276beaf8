#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/random.h"
#include "pool_kit.h"

/* No child process is a zombie; `running`: some processes should exist. */
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
    CU_ASSERT_STRING_EQUAL(result.lowered_names, "_Z5scaleILi64EfEvPT0_");
    CU_ASSERT_STRING_EQUAL(result.message, "");
    CU_ASSERT_STRING_EQUAL(result.log, "");
    CU_ASSERT_EQUAL(memcmp(result.cubin, "\177ELF", 4), 0);
    CU_ASSERT_EQUAL(result.resources[0].shared_bytes, 256);
    CU_ASSERT(result.resources[0].registers > 0);
    CU_ASSERT(result.compile_ns > 0);
    compile_pool_close(pool);
    expect_no_zombie(false);
}

/* Kernels and template instances of one source share a cubin; each has its own name and resources, in the job's order.
 * An expression may occur twice, or be a macro. */
static void several_kernels_compile(void)
{
    static const struct {
        const char *lowered_name;
        int64_t shared_bytes;
    } rows[] = {{"_Z4tileILi64EEvPf", 256},
                {"zero", 0},
                {"_Z4tileILi32EEvPf", 128},
                {"_Z4tileILi64EEvPf", 256},
                {"_ZN1n4lastEPf", 0}};
    enum { NAMES = sizeof rows / sizeof *rows };
    struct compile_pool *pool = open_pool(1, 120 * second_ns);
    struct compile_job job = job_of("template <int T> __global__ void tile(float *o) {\n"
                                    "    __shared__ float s[T]; s[threadIdx.x] = o[threadIdx.x]; __syncthreads();\n"
                                    "    o[threadIdx.x] = s[T - 1 - threadIdx.x]; }\n"
                                    "extern \"C\" __global__ void zero(float *o) { o[threadIdx.x] = 0; }\n"
                                    "namespace n { __global__ void last(float *o) { o[threadIdx.x] = sinf(o[0]); } }\n",
                                    "tile<64>\0zero\0tile<32>\0tile<TILE>\0n::last");
    job.name_count = NAMES;
    job.options = "-DTILE=64";
    job.option_count = 1;
    struct compile_result result = compile_one(pool, &job);
    CU_ASSERT_EQUAL_FATAL(result.status, STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(result.name_count, NAMES);
    const char *name = result.lowered_names;
    for (size_t i = 0; i < NAMES; i++, name += strlen(name) + 1) {
        CU_ASSERT_STRING_EQUAL(name, rows[i].lowered_name);
        CU_ASSERT_EQUAL(result.resources[i].shared_bytes, rows[i].shared_bytes);
    }
    CU_ASSERT(result.resources[4].registers > result.resources[1].registers);
    compile_pool_close(pool);
}

/* Kernels of the same name, compiled with different options: the result has a cubin for each part, and names and
 * resources in the job's order. */
static void parts_have_options(void)
{
    static const int64_t shared_bytes[] = {256, 128, 64, 128};
    enum { NAMES = sizeof shared_bytes / sizeof *shared_bytes };
    struct compile_pool *pool = open_pool(1, 120 * second_ns);
    struct compile_job job = job_of("extern \"C\" __global__ void tile(float *o) {\n"
                                    "    __shared__ float s[TILE]; s[threadIdx.x] = o[threadIdx.x]; __syncthreads();\n"
                                    "    o[threadIdx.x] = s[TILE - 1 - threadIdx.x]; }\n"
                                    "#ifdef OTHER\n"
                                    "extern \"C\" __global__ void other(float *o) {\n"
                                    "    __shared__ float s[TILE]; s[threadIdx.x] = o[threadIdx.x]; __syncthreads();\n"
                                    "    o[threadIdx.x] = s[TILE - 1 - threadIdx.x]; }\n"
                                    "#endif\n",
                                    "tile\0tile\0tile\0other");
    job.name_count = NAMES;
    job.options = "-DTILE=64\0-DTILE=32\0-DOTHER\0-DTILE=16";
    job.option_count = 4;
    job.plan = (struct bundle_plan){.part_count = 3, .option_counts = {1, 2, 1}, .of = {0, 1, 2, 1}};
    struct compile_result result = compile_one(pool, &job);
    struct bundle bundle;
    CU_ASSERT_EQUAL_FATAL(result.status, STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(result.name_count, NAMES);
    CU_ASSERT_EQUAL(memcmp(result.lowered_names, "tile\0tile\0tile\0other", 21), 0);
    CU_ASSERT(bundle_read(result.cubin, result.cubin_bytes, &bundle));
    CU_ASSERT_EQUAL(bundle.part_count, 3);
    for (size_t i = 0; i < NAMES; i++) {
        struct kernel_resources resources;
        const struct bundle_part part = bundle_part_of(result.cubin, result.cubin_bytes, i);
        CU_ASSERT_EQUAL(result.resources[i].shared_bytes, shared_bytes[i]);
        CU_ASSERT_EQUAL(cubin_resources(part.bytes, part.length, i < 3 ? "tile" : "other", &resources, NULL), 0);
        CU_ASSERT_EQUAL(resources.shared_bytes, shared_bytes[i]);
    }
    /* a part that does not compile */
    job.options = "-DTILE=64\0-DTILE=32\0-DOTHER\0-DTOLE=16";
    result = compile_one(pool, &job);
    CU_ASSERT_EQUAL(result.status, STATUS_COMPILE_ERROR);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.message, "\"TILE\" is undefined"));
    CU_ASSERT_PTR_NOT_NULL(strstr(bundle_log(result.log, 2), "\"TILE\" is undefined"));
    compile_pool_close(pool);
}

static void a_job_has_kernels(void)
{
    static const size_t counts[] = {0, COMPILE_KERNELS_MAX + 1};
    char names[2 * (COMPILE_KERNELS_MAX + 1)];
    struct compile_pool *pool = open_pool(1, 120 * second_ns);
    struct compile_job job = job_of(KERNEL, names);
    for (size_t i = 0; i <= COMPILE_KERNELS_MAX; i++)
        memcpy(names + 2 * i, "k", 2);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        struct error error = {0};
        job.name_count = counts[i];
        CU_ASSERT_EQUAL(compile_pool_submit(pool, &job, &error), ERROR_USAGE);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "kernels of kernels.cu to compile: must be 1 to 96"));
        CU_ASSERT_EQUAL(compile_pool_idle(pool), 1);
    }
    job.name_count = COMPILE_KERNELS_MAX;
    expect_ok(pool, &job);
    compile_pool_close(pool);
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
            /* Overwritten right after submission. */
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

/* Submits a job and returns its process. */
static struct worker *submit(struct compile_pool *pool, const struct compile_job *job)
{
    struct worker *workers[8];
    CU_ASSERT_EQUAL_FATAL(compile_pool_submit(pool, job, NULL), 0);
    size_t count = compile_pool_workers(pool, workers, 8);
    CU_ASSERT_FATAL(count > 0);
    return workers[count - 1];
}

/* The only busy process. */
static struct worker *busy_worker(struct compile_pool *pool)
{
    struct worker *workers[8];
    CU_ASSERT_EQUAL_FATAL(compile_pool_workers(pool, workers, 8), 1);
    return workers[0];
}

/* Stops the process before it can finish, and kills it if requested. */
static void hurt(struct worker *worker, int number)
{
    kill(worker->pid, SIGSTOP);
    if (number != SIGSTOP)
        kill(worker->pid, number);
}

/* After one kill or stop, another process does the job; after the second, that is the job's result. */
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

/* The submission time of the newest job. */
static int64_t newest(struct worker *const *workers, size_t count)
{
    int64_t newest_ns = 0;
    for (size_t i = 0; i < count; i++)
        newest_ns = workers[i]->looked_ns > newest_ns ? workers[i]->looked_ns : newest_ns;
    return newest_ns;
}

/* Processes are killed and stopped at random while they compile: every job gets its correct result. */
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
            /* The last submitted job is hurt, so that no job is hurt twice. */
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

/* One process compiles for hours, another sleeps: both get the pool's limit. A job may have its own. */
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

static void an_abandoned_job_has_no_result(void)
{
    struct compile_pool *pool = open_pool(1, 120 * second_ns);
    struct compile_job job = job_of(KERNEL, "k");
    struct compile_result result;
    job.id = 7;
    CU_ASSERT_FALSE(compile_pool_abandon(pool, 7));
    submit(pool, &job);
    CU_ASSERT_FALSE(compile_pool_abandon(pool, 8));
    CU_ASSERT(compile_pool_abandon(pool, 7));
    CU_ASSERT_EQUAL(compile_pool_idle(pool), 1);
    CU_ASSERT_EQUAL(compile_pool_next(pool, &result, NULL), 0);
    job.id = 9;
    CU_ASSERT_EQUAL(compile_one(pool, &job).id, 9);
    compile_pool_close(pool);
    expect_no_zombie(false);
}

/* The process that has finished its job stays, and the others end. */
static void an_emptied_pool_works_on(void)
{
    struct compile_pool *pool = open_pool(3, 120 * second_ns);
    struct worker *before[1], *workers[3];
    struct compile_job job = job_of(KERNEL, "k");
    struct compile_result result;
    compile_pool_empty(pool); /* nothing was submitted */
    submit(pool, &job);
    CU_ASSERT_EQUAL_FATAL(compile_pool_workers(pool, before, 1), 1);
    pid_t pid = before[0]->pid;
    CU_ASSERT_EQUAL_FATAL(next_result(pool, &result), 1);
    submit(pool, &job);
    submit(pool, &job);
    CU_ASSERT_EQUAL(compile_pool_workers(pool, workers, 3), 2);
    compile_pool_empty(pool);
    CU_ASSERT_EQUAL(compile_pool_idle(pool), 3);
    CU_ASSERT_EQUAL(compile_pool_next(pool, &result, NULL), 0);
    CU_ASSERT_EQUAL(waitid(P_PID, (id_t)pid, &(siginfo_t){0}, WEXITED | WNOWAIT), 0);
    expect_ok(pool, &job);
    CU_ASSERT_NOT_EQUAL(before[0]->pid, pid);
    pid = before[0]->pid;
    compile_pool_empty(pool);
    CU_ASSERT_EQUAL(before[0]->pid, pid);
    compile_pool_close(pool);
    expect_no_zombie(false);
}

/* Idle processes end; the busy one does not, and all work again. */
static void idle_processes_rest(void)
{
    struct compile_pool *pool = open_pool(2, 120 * second_ns);
    struct compile_job job = job_of(KERNEL, "k");
    struct compile_result result;
    siginfo_t about = {0};
    compile_pool_rest(pool); /* none has started */
    expect_ok(pool, &job);
    compile_pool_rest(pool);
    compile_pool_rest(pool);
    CU_ASSERT_EQUAL(waitid(P_ALL, 0, &about, WEXITED | WNOWAIT), 0); /* it ends */
    CU_ASSERT_EQUAL(compile_pool_idle(pool), 2);
    expect_ok(pool, &job);
    submit(pool, &job);
    compile_pool_rest(pool);
    CU_ASSERT_EQUAL_FATAL(next_result(pool, &result), 1);
    CU_ASSERT_EQUAL(result.status, STATUS_OK);
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

CU_TestInfo tests_pool[] = {
    {"idle processes rest", idle_processes_rest},
    {"an abandoned job has no result", an_abandoned_job_has_no_result},
    {"an emptied pool works on", an_emptied_pool_works_on},
    {"a kernel compiles", a_kernel_compiles},
    {"several kernels compile", several_kernels_compile},
    {"parts have options", parts_have_options},
    {"a job has kernels", a_job_has_kernels},
    {"many jobs, each once", many_jobs_each_once},
    {"large sources travel", large_sources_travel},
    {"a lost compilation gets a second try", a_lost_compilation_is_tried_once_more},
    {"random losses lose no job", random_losses_lose_no_job},
    {"an idle process that died is replaced", an_idle_process_that_died_is_replaced},
    {"the time limit holds", the_time_limit_holds},
    {"closing ends compilations", closing_ends_what_compiles},
    {"bad sizes are refused", bad_sizes_are_refused},
    CU_TEST_INFO_NULL,
};
