/* Shared by the suites of this folder: tests/unit/device/scripted.space on the fake runtime, with real compilers. */
#ifndef CUTUNE_TESTS_EVALUATE_WORLD_H
#define CUTUNE_TESTS_EVALUATE_WORLD_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "base/clock.h"
#include "compile/cache.h"
#include "device/device.h"
#include "evaluate/eval_gpu.h"
#include "fake_cuda.h"
#include "set/valid_set.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { WORLD_DEVICES = 2 };

struct world {
    struct space *space;
    struct valid_set *set;
    struct device *devices[WORLD_DEVICES];
    struct compile_cache cache;
    struct evaluator_setup setup;
    struct evaluator evaluator;
    volatile sig_atomic_t stop;
};

static inline void expect_done(const char *what, int code, const struct error *error)
{
    char text[1024];
    if (code)
        fprintf(stderr, "\n%s: %s", what, error_format(error, text, sizeof text));
    CU_ASSERT_EQUAL_FATAL(code, 0);
}

/* Opens devices and the evaluator for scripted.space. default_: another default configuration, with which the reference
 * is compiled; NULL: the file's. Leaves `fake` unchanged. */
static inline void open_world_on(struct world *world, size_t device_count, const char *default_)
{
    static const char path[] = SOURCE_FOLDER "/tests/unit/device/scripted.space";
    struct error error = {0};
    char text[4096];
    memset(world, 0, sizeof *world);
    FILE *file = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    size_t length = fread(text, 1, sizeof text - 256, file);
    fclose(file);
    text[length] = '\0';
    if (default_)
        sprintf(strstr(text, "default "), "default %s\n", default_);
    if (default_ && strstr(default_, "\naccept"))
        *strstr(text, "reference twice") = '#';
    fake.devices = device_count > 1 ? (int)device_count : 1;
    for (size_t d = 0; d < device_count; d++) {
        char name[32];
        snprintf(name, sizeof name, "%zu", d);
        expect_done("device", device_open(&world->devices[d], name, &error), &error);
    }
    expect_done("space", space_parse_text(&world->space, path, text, strlen(text), NULL, &error), &error);
    expect_done("bind", space_bind(world->space, NULL, 0, device_limits(world->devices[0]), &error), &error);
    expect_done("set", valid_set_build(&world->set, world->space, VALID_SET_DEFAULT_BYTES, &error), &error);
    expect_done("cache", compile_cache_find(&world->cache, &error), &error);
    expect_done("cache", compile_cache_open(&world->cache, &error), &error);
    world->setup = (struct evaluator_setup){
        .space = world->space,
        .set = world->set,
        .cache = &world->cache,
        .devices = world->devices,
        .device_count = device_count,
        .jobs = 2,
        .timeout_ns = 20000000000,
        .seed = 1,
        .sampling = {.samples = 40, .confidence = 0.95, .target_interval = 0.005},
        .stop = &world->stop,
    };
    expect_done("evaluator", evaluator_open_gpu(&world->evaluator, &world->setup, &error), &error);
}

/* A default for open_world, and a statement `work`. TIME=5000, 6000 and 20000 take 5000, 3000 and 1250 ns per work, and
 * twins do different work. */
#define WORLD_WORK "TIME=6000 FAULT=none FROM=1 ASIDE=0 SHARED=0\nwork (TIME - 4000) / 1000 * (1 + ASIDE)"

/* Likewise with `accept` instead of the reference. */
#define WORLD_ACCEPT(fault)                                                                                            \
    "TIME=6000 FAULT=" fault " FROM=1 ASIDE=0 SHARED=0\n"                                                              \
    "accept count_wrong args in, out, int N, int N, int -1 block 32 grid 1"

static inline void open_world(struct world *world, const char *default_)
{
    open_world_on(world, 1, default_);
}

static inline void close_world(struct world *world)
{
    evaluator_close(&world->evaluator);
    for (size_t d = 0; d < WORLD_DEVICES; d++)
        device_close(world->devices[d]);
    valid_set_free(world->set);
    space_free(world->space);
}

/* Returns the index of "TIME=5000 ..."; missing parameters have their default values. */
static inline uint64_t index_of(const struct world *world, const char *configuration)
{
    uint32_t choices[SPACE_PARAMETERS_MAX];
    char words[256], *rest = words, *word;
    uint64_t index = UINT64_MAX;
    space_default(world->space, choices);
    snprintf(words, sizeof words, "%s", configuration);
    while ((word = strtok_r(rest, " ", &rest))) {
        char *value = strchr(word, '=');
        *value++ = '\0';
        for (size_t p = 0; p < world->space->parameter_count; p++)
            if (strcmp(world->space->parameters[p].name, word) == 0)
                CU_ASSERT_FATAL(space_choice_find(&world->space->parameters[p], value, &choices[p]));
    }
    CU_ASSERT_FATAL(valid_set_find(world->set, choices, &index));
    return index;
}

/* Evaluates all configurations and stores the outcomes in their order. Returns the last result of `wait`. */
static inline int evaluate(struct world *world, const uint64_t *indices, size_t count, bool exact,
                           struct evaluation *outcomes, struct error *error)
{
    const struct evaluator_ops *ops = world->evaluator.ops;
    size_t submitted = 0, finished = 0;
    int code = 0;
    while (!code && finished < count) {
        struct evaluation done[64];
        size_t got = 0;
        while (!code && submitted < count && ops->room(world->evaluator.state, false))
            code = ops->submit(world->evaluator.state, indices[submitted++], exact, EVALUATOR_ANY_DEVICE, error);
        if (!code)
            code = ops->wait(world->evaluator.state, INT64_MAX, done, COUNT(done), &got, error);
        for (size_t i = 0; i < got; i++)
            for (size_t k = 0; k < count; k++)
                if (indices[k] == done[i].index) {
                    outcomes[k] = done[i];
                    finished++;
                }
    }
    return code;
}

static inline struct measurement evaluate_one(struct world *world, const char *configuration, bool exact)
{
    struct evaluation outcome = {.measurement = measurement_unknown(STATUS_COUNT)};
    struct error error = {0};
    uint64_t index = index_of(world, configuration);
    expect_done(configuration, evaluate(world, &index, 1, exact, &outcome, &error), &error);
    return outcome.measurement;
}

static inline bool begins(const char *text, const char *start)
{
    bool good = strncmp(text, start, strlen(start)) == 0;
    if (!good)
        fprintf(stderr, "\n'%s', expected '%s...'\n", text, start);
    return good;
}

#endif
