/* tools/bench/lookup: the cost of choosing a configuration, by the functions of a header and by the library. */
#include <stdio.h>
#include <time.h>

#include <cutune.h>

#include "batched_gemm_any_tuned.h"
#include "matmul_tuned.h"
#include "transpose_tuned.h"

enum { SIZES = 4096, LEAST = 64, RANGE = 4096 - LEAST, LOOKUPS = 4000000, QUESTIONS = 400000 };

static const char device[] = "NVIDIA H200", other_device[] = "NVIDIA H100 80GB HBM3";
enum { CC = 90, SM_COUNT = 132, BATCH = 8 };
#define L2_BYTES       62914560LL
#define OTHER_L2_BYTES 52428800LL

static long long rows[SIZES], cols[SIZES], depths[SIZES];
static volatile long long sum; /* keeps the compiler from removing the lookups */

static double now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void say(const char *what, double begin_ns, int count)
{
    printf("%-38s %7.1f ns\n", what, (now_ns() - begin_ns) / count);
}

static void draw_sizes(void)
{
    long long *const numbers[] = {rows, cols, depths};
    unsigned long long state = 1;
    for (int i = 0; i < 3 * SIZES; i++) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        numbers[i % 3][i / 3] = LEAST + (long long)(state >> 33) % RANGE;
    }
}

/* `names`: a format of three sizes. */
static int ask_library(const char *path, const char *kernel, const struct cutune_device *asker, const char *names)
{
    static char problems[SIZES][64];
    char what[64];
    struct cutune_database *database = NULL;
    struct cutune_best best;
    for (int i = 0; i < SIZES; i++)
        snprintf(problems[i], sizeof problems[i], names, rows[i], cols[i], depths[i]);
    snprintf(what, sizeof what, "cutune_database_best %s", kernel);
    int code = asker ? cutune_database_open(&database, path, NULL, NULL) : 1;
    double begin_ns = now_ns();
    for (int i = 0; !code && i < QUESTIONS; i++) {
        code = cutune_database_best(database, kernel, asker, problems[i % SIZES], &best, NULL);
        sum += best.rule;
    }
    if (!code)
        say(what, begin_ns, QUESTIONS);
    cutune_database_close(database);
    return code;
}

static int ask_library_all(const char *path)
{
    struct cutune_device *asker = cutune_device_new(device, CC, SM_COUNT, L2_BYTES);
    struct cutune_device *other = cutune_device_new(other_device, CC, SM_COUNT, OTHER_L2_BYTES);
    int code = asker && other ? ask_library(path, "transpose", asker, "ROWS=%lld COLS=%lld") : 1;
    if (!code)
        code = ask_library(path, "matmul", asker, "M=%lld N=%lld K=%lld");
    if (!code)
        code = ask_library(path, "batched_gemm_any", other, "BATCH=8 M=%lld N=%lld K=%lld");
    cutune_device_free(asker);
    cutune_device_free(other);
    return code;
}

int main(int argument_count, char **arguments)
{
    if (argument_count != 2) {
        fprintf(stderr, "bench_lookup DATABASE\n");
        return 2;
    }
    draw_sizes();
    double begin_ns = now_ns();
    for (int i = 0; i < LOOKUPS; i++)
        sum += transpose_tuned_fit(CC, SM_COUNT, L2_BYTES, rows[i % SIZES], cols[i % SIZES]);
    say("transpose_tuned_fit", begin_ns, LOOKUPS);
    begin_ns = now_ns();
    for (int i = 0; i < LOOKUPS; i++)
        sum += transpose_tuned_select(device, CC, SM_COUNT, L2_BYTES, rows[i % SIZES], cols[i % SIZES], 0)->TILE;
    say("transpose_tuned_select", begin_ns, LOOKUPS);
    begin_ns = now_ns();
    for (int i = 0; i < LOOKUPS; i++)
        sum += matmul_tuned_fit(CC, SM_COUNT, L2_BYTES, rows[i % SIZES], cols[i % SIZES], depths[i % SIZES]);
    say("matmul_tuned_fit", begin_ns, LOOKUPS);
    begin_ns = now_ns();
    for (int i = 0; i < LOOKUPS; i++)
        sum +=
            matmul_tuned_select(device, CC, SM_COUNT, L2_BYTES, rows[i % SIZES], cols[i % SIZES], depths[i % SIZES], 0)
                ->TILE_M;
    say("matmul_tuned_select", begin_ns, LOOKUPS);
    begin_ns = now_ns();
    for (int i = 0; i < LOOKUPS; i++)
        sum += batched_gemm_any_tuned_fit(CC, SM_COUNT, OTHER_L2_BYTES, rows[i % SIZES], cols[i % SIZES],
                                          depths[i % SIZES], BATCH);
    say("batched_gemm_any_tuned_fit", begin_ns, LOOKUPS);
    begin_ns = now_ns();
    for (int i = 0; i < LOOKUPS; i++)
        sum += batched_gemm_any_tuned_select(other_device, CC, SM_COUNT, OTHER_L2_BYTES, rows[i % SIZES],
                                             cols[i % SIZES], depths[i % SIZES], BATCH, 0)
                   ->TILE_M;
    say("batched_gemm_any_tuned_select", begin_ns, LOOKUPS);
    return ask_library_all(arguments[1]);
}
