/* Measures what standard headers add to a compilation: a line per source. tools/bench/headers runs it. The processor
 * time of the compiler process is less noisy than the time that passes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "compile/headers.h"
#include "compile/nvcc.h"
#include "compile/pool.h"

#define KERNEL "extern \"C\" __global__ void k(float *o, const float *i) { o[threadIdx.x] = i[threadIdx.x]; }\n"

enum { ROUNDS_MAX = 1000, CC = 90 };

/* A source, compiled again and again by a process of its own: it remembers what suits the source. */
static struct source {
    const char *name, *header; /* NULL: none; "": all of cutune's */
    bool nvcc;
    struct text text;
    struct compile_pool *pool;
    double ms[ROUNDS_MAX], processor_ms[ROUNDS_MAX];
} sources[] = {{.name = "nothing"},
               {.name = "all of cutune's", .header = ""},
               {.name = "cmath", .header = "cmath"},
               {.name = "type_traits", .header = "type_traits"},
               {.name = "limits", .header = "limits"},
               {.name = "algorithm, utility", .header = "algorithm"},
               {.name = "cuda.h", .header = "cuda.h"},
               {.name = "cuda/std/cmath", .header = "cuda/std/cmath"},
               {.name = "cuda/std/type_traits", .header = "cuda/std/type_traits"},
               {.name = "cuda/std/limits", .header = "cuda/std/limits"},
               {.name = "cuda_fp16.h", .header = "cuda_fp16.h"},
               {.name = "cooperative_groups.h", .header = "cooperative_groups.h"},
               {.name = "cuda/barrier", .header = "cuda/barrier"},
               {.name = "cub/block/block_reduce.cuh", .header = "cub/block/block_reduce.cuh"},
               {.name = "nvcc: nothing", .nvcc = true},
               {.name = "nvcc: vector", .header = "vector", .nvcc = true}};

enum { SOURCES = sizeof sources / sizeof *sources };

static int stop(const struct error *error)
{
    char message[2048];
    fprintf(stderr, "%s", error_format(error, message, sizeof message));
    return 1;
}

static int prepare(struct source *source, struct error *error)
{
    if (source->header && *source->header)
        text_printf(&source->text, "#include <%s>\n", source->header);
    else if (source->header)
        headers_source(&source->text);
    text_printf(&source->text, KERNEL);
    return source->text.failed ? error_memory(error)
                               : compile_pool_open(&source->pool, 1, (int64_t)120 * 1000000000, NULL, error);
}

/* Of a process, without its children. */
static double processor_ms(pid_t pid)
{
    clockid_t clock;
    struct timespec used;
    if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &used))
        return NAN;
    return (double)used.tv_sec * 1e3 + (double)used.tv_nsec * 1e-6;
}

static int measure(struct source *source, int round, struct error *error)
{
    const struct compile_job job = {.path = "kernel.cu",
                                    .source = text_string(&source->text),
                                    .name_expressions = "k",
                                    .name_count = 1,
                                    .cc = CC,
                                    .nvcc = source->nvcc,
                                    .options = ""};
    struct compile_result result;
    struct worker *worker = NULL;
    double before = NAN;
    int got = 0, code = compile_pool_submit(source->pool, &job, error);
    if (!code && compile_pool_workers(source->pool, &worker, 1))
        before = processor_ms(worker->pid);
    while (!code && (got = compile_pool_next(source->pool, &result, error)) == 0)
        worker_wait(&worker, 1, INT64_MAX);
    if (!code && got > 0 && result.status != STATUS_OK)
        return error_set(error, ERROR_COMPILE, "%s: %s", source->name, result.message);
    if (code || got < 0)
        return code ? code : ERROR_WORKER;
    source->ms[round] = (double)result.compile_ns * 1e-6;
    source->processor_ms[round] = processor_ms(worker->pid) - before;
    return 0;
}

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The rounds of a source come one after the other, so that what else the machine does is spread over all. */
static int measure_all(int rounds, struct error *error)
{
    int code = 0;
    for (int s = 0; s < SOURCES && !code; s++) {
        code = prepare(&sources[s], error);
        if (!code)
            code = measure(&sources[s], 0, error);
    }
    for (int round = 0; round < rounds; round++)
        for (int s = 0; s < SOURCES && !code; s++)
            code = measure(&sources[s], round, error);
    return code;
}

static void print_row(struct source *source, const struct source *nothing, int rounds)
{
    double ms = source->ms[rounds / 2], processor = source->processor_ms[rounds / 2];
    char own[32] = "-"; /* nvcc's time is that of its children */
    if (!source->nvcc)
        snprintf(own, sizeof own, "%.1f", processor);
    printf("| %s | %.1f | %s | %.1f |\n", source->name, ms, own,
           source->nvcc ? ms - nothing->ms[rounds / 2] : processor - nothing->processor_ms[rounds / 2]);
}

int main(int argc, char **argv)
{
    const struct source *nothing = NULL;
    struct error error = {0};
    int rounds = argc > 1 ? atoi(argv[1]) : 20;
    if (argc > 2 || rounds < 1 || rounds > ROUNDS_MAX) {
        fprintf(stderr, "usage: bench_headers [ROUNDS], 1 to %d\n", ROUNDS_MAX);
        return 2;
    }
    if (measure_all(rounds, &error))
        return stop(&error);
    printf("%ld processors, %d rounds, sm_%da\n\n| include | time, ms | processor, ms | more than nothing, ms |\n"
           "| --- | --- | --- | --- |\n",
           sysconf(_SC_NPROCESSORS_ONLN), rounds, CC);
    for (int s = 0; s < SOURCES; s++) {
        struct source *source = &sources[s];
        qsort(source->ms, (size_t)rounds, sizeof *source->ms, ascending);
        qsort(source->processor_ms, (size_t)rounds, sizeof *source->processor_ms, ascending);
        if (!source->header)
            nothing = source;
        print_row(source, nothing, rounds);
        compile_pool_close(source->pool);
        text_free(&source->text);
    }
    return 0;
}
