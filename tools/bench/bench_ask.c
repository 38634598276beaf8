/* tools/bench/ask: the time of a proposal and its answer, by ask and tell, in sets of several sizes. */
#include <math.h>
#include <stdio.h>
#include <time.h>

#include <cutune.h>

enum { PARAMETERS = 10, ANSWERS_MAX = 1000, BLOCK = 50, SEEDS = 5 };

static const char *const names[PARAMETERS] = {"A", "B", "C", "D", "E", "F", "G", "H", "I", "J"};
static const char *const values[] = {"1", "2", "4", "8", "16", "32", "64", "128", "256", "512"};
static const struct {
    const char *name;
    size_t parameters, values;
} sets[] = {{"4,096 configurations", 4, 8}, {"15,625 configurations", 6, 5}, {"10^9 configurations", 9, 10}};

static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/* Terms of all pairs of neighbouring parameters; every seventh configuration fails. */
static struct cutune_answer answer_of(const struct cutune_search *search, unsigned long long configuration)
{
    unsigned choices[PARAMETERS];
    double value = 1;
    cutune_search_choices(search, configuration, choices, NULL);
    for (size_t p = 1; p < cutune_search_parameter_count(search); p++)
        value += fabs((double)choices[p] - 3.0) + fabs((double)choices[p] - (double)choices[p - 1] - 1);
    if (configuration % 7 == 6)
        return (struct cutune_answer){.kind = CUTUNE_ANSWER_FAILURE, .cause = 1};
    return (struct cutune_answer){.value = value, .effort_s = value};
}

/* Adds the milliseconds of each block of proposals. */
static int search_once(size_t set, unsigned long long seed, double *block_ms)
{
    struct cutune_search_parameter parameters[PARAMETERS];
    struct cutune_search *search = NULL;
    for (size_t p = 0; p < sets[set].parameters; p++)
        parameters[p] = (struct cutune_search_parameter){names[p], sets[set].values, values};
    const struct cutune_search_space space = {.parameter_count = sets[set].parameters, .parameters = parameters};
    int code = cutune_search_open(&search, &space, NULL, seed, NULL);
    for (size_t i = 0; i < ANSWERS_MAX && !code; i++) {
        unsigned long long configuration;
        size_t count = 0;
        double start_ms = now_ms();
        code = cutune_search_ask(search, &configuration, 1, &count, NULL);
        if (!code && count) {
            const struct cutune_answer answer = answer_of(search, configuration);
            code = cutune_search_tell(search, configuration, &answer, NULL);
        }
        block_ms[i / BLOCK] += now_ms() - start_ms;
    }
    cutune_search_close(search);
    return code;
}

int main(void)
{
    for (size_t set = 0; set < sizeof sets / sizeof *sets; set++) {
        double block_ms[ANSWERS_MAX / BLOCK] = {0};
        for (unsigned long long seed = 1; seed <= SEEDS; seed++)
            if (search_once(set, seed, block_ms))
                return 1;
        printf("%s\n", sets[set].name);
        for (size_t b = 0; b < ANSWERS_MAX / BLOCK; b++)
            if ((b + 1) * BLOCK <= 200 || (b + 1) * BLOCK % 200 == 0)
                printf("  answers %4zu to %4zu: %7.3f ms a proposal\n", b * BLOCK, (b + 1) * BLOCK,
                       block_ms[b] / (SEEDS * BLOCK));
    }
    return 0;
}
