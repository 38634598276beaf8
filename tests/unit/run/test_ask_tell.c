/* The public ask and tell proposes what a run evaluates, given the same answers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include <cutune.h>

#include "evaluate/eval_replay.h"
#include "evaluate/rows.h"
#include "run/run.h"

enum { SEED = 5, EVALUATIONS = 120, STEPS_MAX = 4096, ROOM_MAX = 64 };

/* ---- A run whose strategy is listened to ---- */

struct heard_step {
    size_t room; /* of a request; 0: an answer */
    size_t count;
    uint64_t configs[ROOM_MAX];
    struct cost cost;
};

/* The strategy has no place for it in its state. */
static struct {
    const struct strategy_ops *strategy;
    size_t count;
    struct heard_step steps[STEPS_MAX];
} heard;

static int ask(void *state, uint64_t *configs, size_t room, size_t *count, struct error *error)
{
    int code = heard.strategy->ask(state, configs, room, count, error);
    if (*count) {
        struct heard_step *step = &heard.steps[heard.count++];
        *step = (struct heard_step){.room = room, .count = *count};
        memcpy(step->configs, configs, *count * sizeof *configs);
    }
    return code;
}

static void tell(void *state, uint64_t config, const struct cost *cost)
{
    heard.steps[heard.count++] = (struct heard_step){.count = 1, .configs = {config}, .cost = *cost};
    heard.strategy->tell(state, config, cost);
}

struct world {
    struct journal *journal;
    struct space *space;
    struct valid_set *set;
    uint32_t *choices;
    struct evaluator evaluator;
    uint64_t order[EVALUATIONS]; /* evaluated configurations in the order of their outcomes */
    size_t count;
    uint64_t default_;
};

static int hear(void *context, const struct run_event *event, struct error *error)
{
    struct world *world = context;
    (void)error;
    if (event->kind == RUN_OUTCOME && world->count < EVALUATIONS)
        world->order[world->count++] = event->index;
    return 0;
}

/* Replays a search of a recorded journal. `jobs` 0: one configuration at a time. */
static void open_world(struct world *world, const char *journal, const char *strategy, size_t jobs)
{
    char path[512];
    struct error error = {0};
    struct run_progress progress;
    memset(world, 0, sizeof *world);
    snprintf(path, sizeof path, "%s/db/recorded/%s", SOURCE_FOLDER, journal);
    CU_ASSERT_EQUAL_FATAL(journal_read(&world->journal, path, &error), 0);
    CU_ASSERT_EQUAL_FATAL(rows_space(&world->space, world->journal, &error), 0);
    CU_ASSERT_EQUAL_FATAL(rows_choices(world->space, world->journal, &world->choices, &error), 0);
    CU_ASSERT_EQUAL_FATAL(
        valid_set_from_list(&world->set, world->space, world->choices, journal_row_count(world->journal), &error), 0);
    struct evaluator_setup replay = {.space = world->space, .set = world->set, .journal = world->journal, .jobs = jobs};
    CU_ASSERT_EQUAL_FATAL(evaluator_open_replay(&world->evaluator, &replay, &error), 0);
    heard.strategy = strategy_find(strategy, &error);
    heard.count = 0;
    struct strategy_ops listened = *heard.strategy;
    listened.ask = ask;
    listened.tell = heard.strategy->tell ? tell : NULL;
    const struct run_setup setup = {.space = world->space,
                                    .set = world->set,
                                    .strategy = &listened,
                                    .evaluator = &world->evaluator,
                                    .seed = SEED,
                                    .max_evals = EVALUATIONS,
                                    .on = hear,
                                    .context = world};
    CU_ASSERT_EQUAL_FATAL(run_tune(&setup, &progress, &error), 0);
    world->default_ = progress.default_index;
    CU_ASSERT_EQUAL(world->count, EVALUATIONS);
}

static void close_world(struct world *world)
{
    evaluator_close(&world->evaluator);
    valid_set_free(world->set);
    space_free(world->space);
    free(world->choices);
    journal_close(world->journal, NULL);
}

/* ---- The same search by ask and tell ---- */

static struct cutune_search *open_search(const struct world *world, const char *strategy)
{
    const struct space *space = world->space;
    struct cutune_search_parameter parameters[SPACE_PARAMETERS_MAX];
    struct arena arena = {0};
    struct text text = {0};
    struct cutune_error error = {0};
    struct cutune_search *search = NULL;
    uint32_t default_[SPACE_PARAMETERS_MAX];
    char buffer[VALUE_TEXT_BYTES];
    for (size_t p = 0; p < space->parameter_count; p++) {
        const struct parameter *from = &space->parameters[p];
        const char **values = arena_array(&arena, from->value_count, sizeof *values);
        for (size_t v = 0; v < from->value_count; v++)
            values[v] = arena_printf(&arena, "%s", value_text(&from->values[v], buffer, sizeof buffer));
        parameters[p] = (struct cutune_search_parameter){from->name, from->value_count, values};
    }
    valid_set_get(world->set, world->default_, default_);
    space_config_text(space, default_, &text);
    const struct cutune_search_space from = {.parameter_count = space->parameter_count,
                                             .parameters = parameters,
                                             .configuration_count = journal_row_count(world->journal),
                                             .configurations = world->choices,
                                             .default_ = text_string(&text)};
    CU_ASSERT_EQUAL_FATAL(cutune_search_open(&search, &from, strategy, SEED, &error), 0);
    CU_ASSERT_EQUAL(cutune_search_count(search), valid_set_count(world->set));
    text_free(&text);
    arena_free(&arena);
    return search;
}

static void answer(struct cutune_search *search, uint64_t config, const struct cost *cost)
{
    const struct cutune_answer answer = {.kind = !cost->ok        ? CUTUNE_ANSWER_FAILURE
                                                 : cost->censored ? CUTUNE_ANSWER_STOPPED
                                                                  : CUTUNE_ANSWER_VALUE,
                                         .cause = cost->cause,
                                         .value = cost->value,
                                         .least = cost->ok ? cost->least : 0,
                                         .effort_s = cost->effort};
    struct cutune_error error = {0};
    if (cutune_search_tell(search, config, &answer, &error))
        printf("%s\n", error.message);
    CU_ASSERT_EQUAL_FATAL(error.code, 0);
}

/* The answer that the strategy heard; any, if it does not listen. */
static struct cost heard_of(uint64_t config)
{
    for (size_t i = 0; i < heard.count; i++)
        if (!heard.steps[i].room && heard.steps[i].configs[0] == config)
            return heard.steps[i].cost;
    return (struct cost){.ok = true, .value = 1, .effort = 1};
}

static const struct {
    const char *journal, *strategy;
} runs[] = {
    {"matmul.NVIDIA-H200.a01a3c9ae06e9322.csv", "surrogate"},
    {"matmul.NVIDIA-H200.a01a3c9ae06e9322.csv", "random"},
    {"matmul.NVIDIA-H200.a01a3c9ae06e9322.csv", "exhaustive"},
    {"softmax.NVIDIA-H100-80GB-HBM3.42f7b29b2b4ce7f6.csv", "surrogate"},
    {"transpose.NVIDIA-H200.232fd4d233f17d8e.csv", "surrogate"},
};
enum { RUNS = sizeof runs / sizeof *runs };

static void proposes_what_a_run_evaluates(void)
{
    for (size_t r = 0; r < RUNS; r++) {
        struct world world;
        open_world(&world, runs[r].journal, runs[r].strategy, 0);
        struct cutune_search *search = open_search(&world, runs[r].strategy);
        for (size_t i = 0; i < EVALUATIONS; i++) {
            unsigned long long config = ~0ULL;
            size_t count = 0;
            CU_ASSERT_EQUAL_FATAL(cutune_search_ask(search, &config, 1, &count, NULL), 0);
            if (count != 1 || config != world.order[i])
                printf("%s of %s: proposal %zu differs\n", runs[r].strategy, runs[r].journal, i);
            CU_ASSERT_EQUAL_FATAL(config, world.order[i]);
            const struct cost cost = heard_of(config);
            answer(search, config, &cost);
        }
        cutune_search_close(search);
        close_world(&world);
    }
}

/* 15 compilers work ahead: several are in flight, and answers come in another order. */
static void proposes_the_same_with_many_in_flight(void)
{
    for (size_t r = 0; r < RUNS; r++) {
        struct world world;
        size_t longest = 0;
        if (!strategy_find(runs[r].strategy, NULL)->tell)
            continue; /* its answers are not heard */
        open_world(&world, runs[r].journal, runs[r].strategy, 15);
        struct cutune_search *search = open_search(&world, runs[r].strategy);
        unsigned long long configs[ROOM_MAX];
        size_t count = 0;
        CU_ASSERT_EQUAL_FATAL(cutune_search_ask(search, configs, 1, &count, NULL), 0);
        CU_ASSERT_EQUAL(configs[0], world.default_);
        for (size_t i = 0; i < heard.count; i++) {
            const struct heard_step *step = &heard.steps[i];
            if (!step->room) {
                answer(search, step->configs[0], &step->cost);
                continue;
            }
            CU_ASSERT_EQUAL_FATAL(cutune_search_ask(search, configs, step->room, &count, NULL), 0);
            CU_ASSERT_EQUAL_FATAL(count, step->count);
            for (size_t c = 0; c < count; c++)
                CU_ASSERT_EQUAL_FATAL(configs[c], step->configs[c]);
            longest =
                cutune_search_in_flight(search, NULL, 0) > longest ? cutune_search_in_flight(search, NULL, 0) : longest;
        }
        CU_ASSERT(longest > 4);
        cutune_search_close(search);
        close_world(&world);
    }
}

CU_TestInfo tests_ask_tell[] = {{"proposes what a run evaluates", proposes_what_a_run_evaluates},
                                {"proposes the same with many in flight", proposes_the_same_with_many_in_flight},
                                CU_TEST_INFO_NULL};
