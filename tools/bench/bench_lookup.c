/* tools/bench/lookup: what choosing a configuration costs, by the functions of a header and by the library. */
#include <stdio.h>
#include <time.h>

#include <cutune.h>

#include "transpose_tuned.h"

enum { SIZES = 4096, LEAST = 64, RANGE = 16384 - LEAST, LOOKUPS = 4000000, QUESTIONS = 400000 };

static const char device[] = "NVIDIA H200";
enum { CC = 90, SM_COUNT = 132 };
#define L2_BYTES 62914560LL

static long long rows[SIZES], cols[SIZES];
static char problems[SIZES][64];
static volatile long long sum; /* keeps the lookups */

static double now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void say(const char *what, double begin_ns, int count)
{
    printf("%-28s %7.1f ns\n", what, (now_ns() - begin_ns) / count);
}

static void draw_sizes(void)
{
    unsigned long long state = 1;
    for (int i = 0; i < SIZES; i++) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        rows[i] = LEAST + (long long)(state >> 33) % RANGE;
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        cols[i] = LEAST + (long long)(state >> 33) % RANGE;
        snprintf(problems[i], sizeof problems[i], "ROWS=%lld COLS=%lld", rows[i], cols[i]);
    }
}

static int ask_library(const char *path)
{
    struct cutune_database *database = NULL;
    struct cutune_device *asker = cutune_device_new(device, CC, SM_COUNT, L2_BYTES);
    struct cutune_best best;
    int code = asker ? cutune_database_open(&database, path, NULL, NULL) : 1;
    double begin_ns = now_ns();
    for (int i = 0; !code && i < QUESTIONS; i++) {
        code = cutune_database_best(database, "transpose", asker, problems[i % SIZES], &best, NULL);
        sum += best.rule;
    }
    if (!code)
        say("cutune_database_best", begin_ns, QUESTIONS);
    cutune_database_close(database);
    cutune_device_free(asker);
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
    return ask_library(arguments[1]);
}
