/* Which member a portfolio asks: each member also runs on its own here, told the same, and credit is recomputed. */
#include <math.h>

#include "search/design.h"
#include "steps.h"

#define PARAMETERS "param A = 0..31\nparam B = 0..31\n"
enum { MEMBERS = 5, SEED = 9, EVALUATIONS = 100, FLIGHT_MAX = 4 };

static const char *const members[MEMBERS] = {"surrogate", "local", "anneal", "genetic", "swarm"};

static const struct row {
    const char *strategy;
    size_t window, successes;
    double explore;
    size_t in_flight;
} rows[] = {
    {"portfolio", 60, 5, 0.05, 1},
    {"portfolio", 60, 5, 0.05, FLIGHT_MAX},
    {"portfolio:window=6", 6, 5, 0.05, 1},
    {"portfolio:window=1,explore=0.5", 1, 5, 0.5, 2},
    {"portfolio:window=12,explore=0.5", 12, 5, 0.5, 1},
    {"portfolio:window=12,successes=20,explore=0.5", 12, 20, 0.5, 1},
    {"portfolio:successes=1", 60, 1, 0.05, 1},
    {"portfolio:successes=40,explore=0.3", 60, 40, 0.3, 3},
    {"portfolio:explore=0", 60, 5, 0, 1},
    {"portfolio:explore=100", 60, 5, 100, FLIGHT_MAX},
};

struct model {
    struct steps portfolio, members[MEMBERS];
    struct {
        size_t member;
        bool success;
    } events[EVALUATIONS];
    size_t event_count, asked[MEMBERS];
    double best[EVALUATIONS]; /* told values, in ascending order */
    size_t best_count;
    bool known[32 * 32];
};

/* Area under the curve of successes: the j-th of n uses counts j, of n (n + 1) / 2 in total. */
static size_t expected_member(const struct model *model, const struct row *row, const size_t *flights)
{
    size_t from = model->event_count > row->window ? model->event_count - row->window : 0, chosen = 0;
    double most = -INFINITY;
    for (size_t m = 0; m < MEMBERS; m++) {
        double area = 0, uses = 0;
        for (size_t e = from; e < model->event_count; e++)
            if (model->events[e].member == m) {
                uses++;
                area += model->events[e].success ? uses : 0;
            }
        uses += (double)flights[m];
        double bonus = row->explore * sqrt(2 * log((double)(model->event_count - from) + 1) / uses);
        double score = uses > 0 ? area / (uses * (uses + 1) / 2) + bonus : INFINITY;
        if (score > most) {
            most = score;
            chosen = m;
        }
    }
    return chosen;
}

static struct cost cost_of(uint64_t config)
{
    double a = (double)(config / 32) - 21, b = (double)(config % 32) - 6;
    return (struct cost){.ok = config % 11 != 4, .bound = config % 13 == 5, .value = 100 + a * a + b * b + a * b / 2};
}

static bool is_success(const struct model *model, const struct row *row, const struct cost *cost)
{
    return cost->ok && !cost->bound &&
           (model->best_count < row->successes || cost->value < model->best[row->successes - 1]);
}

static void tell(struct model *model, const struct row *row, uint64_t config, size_t member)
{
    const struct cost cost = cost_of(config);
    if (member < MEMBERS) {
        model->events[model->event_count].member = member;
        model->events[model->event_count++].success = is_success(model, row, &cost);
    }
    if (cost.ok && !cost.bound) {
        size_t at = model->best_count++;
        for (; at > 0 && model->best[at - 1] > cost.value; at--)
            model->best[at] = model->best[at - 1];
        model->best[at] = cost.value;
    }
    model->known[config] = true;
    model->portfolio.choice.ops->tell(model->portfolio.state, config, &cost);
    for (size_t m = 0; m < MEMBERS; m++)
        model->members[m].choice.ops->tell(model->members[m].state, config, &cost);
}

static void open_model(struct model *model, const struct row *row)
{
    struct encoding encoding;
    struct error error = {0};
    memset(model, 0, sizeof *model);
    steps_open(&model->portfolio, PARAMETERS, row->strategy, SEED);
    for (size_t m = 0; m < MEMBERS; m++)
        steps_open(&model->members[m], PARAMETERS, members[m], random_mix(SEED, m + 1));
    CU_ASSERT_EQUAL_FATAL(encoding_make(&encoding, model->portfolio.space, ENCODE_MIXED, &error), 0);
    for (size_t i = 0; i < design_size(&encoding); i++) /* of no member: earn nothing */
        tell(model, row, steps_ask(&model->portfolio), MEMBERS);
    encoding_free(&encoding);
}

/* The portfolio's next proposal and its member; if a member names what another has in flight, a later proposal. */
static uint64_t ask(struct model *model, const struct row *row, size_t *flights, size_t *member)
{
    uint64_t asked = steps_ask(&model->portfolio), expected;
    *member = expected_member(model, row, flights);
    do
        expected = steps_ask(&model->members[*member]);
    while (model->known[expected]);
    CU_ASSERT_EQUAL_FATAL(asked, expected);
    model->known[asked] = true;
    flights[*member]++;
    return asked;
}

static void asks_who_has_earned_it(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct model model;
        size_t flights[MEMBERS] = {0}, count = 0, owners[FLIGHT_MAX], uses[MEMBERS] = {0};
        uint64_t configs[FLIGHT_MAX];
        open_model(&model, &rows[i]);
        for (size_t k = 0; k < EVALUATIONS; k++) {
            if (k % 10 == 9) { /* outcomes from elsewhere belong to no member */
                uint64_t other = 7 * k % (32 * 32);
                if (!model.known[other])
                    tell(&model, &rows[i], other, MEMBERS);
            }
            if (count == rows[i].in_flight) { /* the middle one is told first */
                size_t first = count / 2;
                flights[owners[first]]--;
                uses[owners[first]]++;
                tell(&model, &rows[i], configs[first], owners[first]);
                owners[first] = owners[--count];
                configs[first] = configs[count];
            }
            configs[count] = ask(&model, &rows[i], flights, &owners[count]);
            count++;
        }
        size_t users = 0;
        for (size_t m = 0; m < MEMBERS; m++) {
            users += uses[m] > 2;
            steps_close(&model.members[m]);
        }
        CU_ASSERT(users >= 2);
        steps_close(&model.portfolio);
    }
}

CU_TestInfo tests_strat_portfolio[] = {{"asks who has earned it", asks_who_has_earned_it}, CU_TEST_INFO_NULL};
