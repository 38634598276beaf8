/* A surrogate's proposals, depending on its outcomes. */
#include <math.h>

#include "../unit.h"
#include "base/random.h"
#include "set.h"
#include "steps.h"

/* Half of the set fails, which is learned quickly. */
static void avoids_what_fails(void)
{
    size_t failed = 0, later = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct steps steps;
        steps_open(&steps, "param A = 0..15\nparam B = 0..15\nparam C = x, y\n", "surrogate", seed);
        for (int k = 0; k < 40; k++) {
            uint64_t asked = steps_ask(&steps);
            bool fails = asked % 2;
            later += k >= 20;
            failed += k >= 20 && fails;
            if (fails)
                steps_tell_failed(&steps, asked);
            else
                steps_tell(&steps, asked, 100 + (double)(asked / 2 % 16));
        }
        steps_close(&steps);
    }
    CU_ASSERT(12 * failed < 5 * later);
}

/* Returns the average number of evaluations over seeds that find the best of a smooth valley. */
static double evaluations(const char *strategy)
{
    enum { SEEDS = 8, MOST = 250 };
    double sum = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct steps steps;
        steps_open(&steps, "param A = 0..15\nparam B = 0..15\nparam C = 0..7\n", strategy, seed);
        int k = 1;
        for (; k < MOST; k++) {
            uint64_t asked = steps_ask(&steps);
            double a = (double)(asked / 128) - 11, b = (double)(asked / 8 % 16) - 3, c = (double)(asked % 8) - 5;
            if (a == 0 && b == 0 && c == 0)
                break;
            if (a < -9 && b > 8)
                steps_tell_failed(&steps, asked);
            else
                steps_tell(&steps, asked, 100 * (1 + 0.02 * (a * a + b * b + a * b / 2) + 0.05 * c * c));
        }
        sum += k;
        steps_close(&steps);
    }
    return sum / SEEDS;
}

static void finds_the_best_soon(void)
{
    static const struct {
        const char *strategy;
        double most;
    } cases[] = {{"surrogate", 38}, {"surrogate:candidates=100", 38}, {"surrogate:initial=60", 82}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CU_ASSERT(evaluations(cases[i].strategy) < cases[i].most);
}

/* Average number of evaluations over seeds to find the best if values other than powers of two are slow. */
static double evaluations_of_tiles(void)
{
    enum { SEEDS = 16, MOST = 150 };
    double sum = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct steps steps;
        steps_open(&steps, "param A = 1..12\nparam B = 1..12\nparam C = 1..6\n", "surrogate", seed);
        int k = 1;
        for (; k < MOST; k++) {
            uint64_t asked = steps_ask(&steps), a = asked / 72 + 1, b = asked / 6 % 12 + 1, c = asked % 6 + 1;
            int uneven = ((a & (a - 1)) != 0) + ((b & (b - 1)) != 0) + ((c & (c - 1)) != 0);
            if (a == 8 && b == 2 && c == 4)
                break;
            steps_tell(&steps, asked,
                       100 * (1 + uneven + 0.3 * fabs(log2((double)a) - 3) + 0.3 * fabs(log2((double)b) - 1) +
                              0.1 * fabs(log2((double)c) - 2)));
        }
        sum += k;
        steps_close(&steps);
    }
    return sum / SEEDS;
}

static void powers_of_two_are_alike(void)
{
    CU_ASSERT(evaluations_of_tiles() < 13);
}

/* With a feasible configuration known before the first proposal, a surrogate first looks near it: not only there, and
 * only then. The default does not count, because every run begins with it. */
static void looks_where_it_is_pointed(void)
{
    struct strategy_setup setup =
        set_open("param A = 1..20\nparam B = 1, 2, 4, 8\nparam C = x, y\nrequire A % B == 0\ndefault A=4 B=2 C=x\n", 2);
    const struct valid_set *set = setup.set;
    uint32_t default_[SPACE_PARAMETERS_MAX];
    uint64_t told[] = {30, 30, 0};
    space_default(setup.space, default_);
    CU_ASSERT_FATAL(valid_set_find(set, default_, &told[2]) && told[2] != 30);
    for (int i = 0; i < 3; i++) {
        bool pointed = i == 1;
        struct error error = {0};
        struct strategy_choice choice = {0};
        size_t count, near = 0;
        uint64_t first[5];
        const struct cost cost = {.ok = i > 0, .value = 1};
        CU_ASSERT_EQUAL_FATAL(strategy_choose(&choice, "surrogate", &error), 0);
        void *state = calloc(1, choice.ops->state_size);
        setup.options = choice.options;
        CU_ASSERT_EQUAL_FATAL(choice.ops->start(state, &setup, &error), 0);
        choice.ops->tell(state, told[i], &cost);
        CU_ASSERT_EQUAL_FATAL(choice.ops->ask(state, first, 5, &count, &error), 0);
        CU_ASSERT_EQUAL_FATAL(count, 5);
        for (size_t k = 0; k < count; k++)
            near += set_differences(set, told[i], first[k]) == 1;
        CU_ASSERT(pointed ? near >= 3 : near < 3);
        choice.ops->stop(state);
        free(state);
        strategy_choice_free(&choice);
    }
    set_close(&setup);
}

/* Sum of the efforts of proposals in a set whose cost grows with this power of the effort. A and B, of 16 values each,
 * are the last parameters of the space. */
static double effort_spent(const char *space, const char *surrogate, double power, bool known)
{
    enum { SEEDS = 6, MOST = 30 };
    double sum = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct steps steps;
        steps_open(&steps, space, surrogate, seed);
        for (int k = 0; k < MOST; k++) {
            uint64_t asked = steps_ask(&steps);
            double a = (double)(asked / 16 % 16) - 9, effort = exp((double)(asked % 16) / 4);
            const struct cost cost = {
                .ok = true, .value = (100 + a * a) * pow(effort, power), .effort = known ? effort : NAN};
            steps.choice.ops->tell(steps.state, asked, &cost);
            sum += effort;
        }
        steps_close(&steps);
    }
    return sum;
}

/* Effort is saved, unless speed takes effort. */
static void effort_is_saved(void)
{
    static const char small[] = "param A = 0..15\nparam B = 0..15\n";
    static const struct {
        const char *space, *surrogate;
        double power, least, most; /* share of the effort spent without knowledge of it */
    } rows[] = {{small, "surrogate", 0.02, 0, 0.96}, {small, "surrogate", -0.1, 1, 1}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        double share = effort_spent(rows[r].space, rows[r].surrogate, rows[r].power, true) /
                       effort_spent(rows[r].space, rows[r].surrogate, rows[r].power, false);
        CU_ASSERT(share >= rows[r].least && share <= rows[r].most);
    }
}

/* A valley over 16 x 16 configurations whose bottom is at (9, 4); upside down, its bottom is the worst. */
static double valley(uint64_t index, bool upside_down)
{
    double a = (double)(index / 16) - 9, b = (double)(index % 16) - 4;
    double height = a * a / 20 + fabs(b) / 8;
    return 100 * exp(upside_down ? 6 - height : height);
}

/* Prior run: the same valley, the valley upside down, or a decoy. A decoy has a valley there, hardly any here, and a
 * faster pocket about (2, 13). */
enum prior_runs { VALLEY, UPSIDE_DOWN, DECOY };

static double time_here(enum prior_runs prior_runs, uint64_t index)
{
    double a = (double)(index / 16), b = (double)(index % 16);
    double pocket = 60 * exp(0.12 * ((a - 2) * (a - 2) + (b - 13) * (b - 13)));
    return prior_runs == DECOY ? fmin(100 * exp((fabs(a - 9) + fabs(b - 4)) / 20), pocket) : valley(index, false);
}

/* Gets `count` proposals from a run with that prior run. Proposals come one by one, each after the outcome of the one
 * before, or all at once before the first outcome. */
static void ask_other_devices(uint64_t seed, enum prior_runs prior_runs, bool tells, uint64_t *asked, size_t count)
{
    enum { ROWS = 256 };
    static uint32_t choices[2 * ROWS];
    static double costs[ROWS];
    for (uint32_t i = 0; i < ROWS; i++) {
        choices[2 * i] = i / 16;
        choices[2 * i + 1] = i % 16;
        costs[i] = valley(i, prior_runs == UPSIDE_DOWN);
    }
    const struct prior_run landscape = {ROWS, choices, costs};
    struct steps steps;
    struct error error = {0};
    steps_open_prior(&steps, "param A = 0..15\nparam B = 0..15\n", "surrogate", seed, &landscape, 1);
    for (size_t k = 0, got = 0; k < count; k += got) {
        CU_ASSERT_EQUAL_FATAL(steps.choice.ops->ask(steps.state, &asked[k], tells ? 1 : count, &got, &error), 0);
        CU_ASSERT_EQUAL_FATAL(got, tells ? 1 : count);
        if (tells)
            steps_tell(&steps, asked[k], time_here(prior_runs, asked[k]));
    }
    steps_close(&steps);
}

/* The greatest time over the best one after `most` evaluations, in six runs that learn from that prior run. */
static double worst_after(size_t most, bool upside_down)
{
    enum { SEEDS = 6, MOST = 32 };
    double worst = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        uint64_t asked[MOST];
        double best = INFINITY;
        ask_other_devices(seed, upside_down ? UPSIDE_DOWN : VALLEY, true, asked, most);
        for (size_t k = 0; k < most; k++)
            best = fmin(best, valley(asked[k], false));
        worst = fmax(worst, best / 100);
    }
    return worst;
}

/* Number of proposals `from` to `to` - 1 that differ in both values from all before them. */
static size_t apart_in(const uint64_t *asked, size_t from, size_t to)
{
    size_t apart = 0;
    for (size_t k = from; k < to; k++) {
        bool both = true;
        for (size_t i = 0; i < k; i++)
            both = both && asked[k] / 16 != asked[i] / 16 && asked[k] % 16 != asked[i] % 16;
        apart += both;
    }
    return apart;
}

/* The best of prior runs come first; if they mislead, the best is still found. */
static void learns_from_prior_runs(void)
{
    CU_ASSERT(worst_after(1, false) < 1.01);
    CU_ASSERT(worst_after(1, true) > 50);
    CU_ASSERT(worst_after(25, true) < 1.05);
}

/* A search misled by prior runs leaves their region, although improvements seem possible there, and finds the best
 * elsewhere. */
static void leaves_a_decoy(void)
{
    enum { SEEDS = 40, MOST = 120 };
    double sum = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        uint64_t asked[MOST];
        size_t k = 0;
        ask_other_devices(seed, DECOY, true, asked, MOST);
        while (k < MOST && time_here(DECOY, asked[k]) > 60.01)
            k++;
        sum += (double)k;
    }
    CU_ASSERT(sum / SEEDS < 40);
}

/* Two of three of the five opening proposals are the fastest expected ones that differ from all others in both values,
 * whether outcomes are known or not; not after the opening. */
static void opens_with_what_is_promised(void)
{
    enum { OPENING = 5, MORE = 12 };
    uint64_t asked[MORE];
    for (int told = 0; told < 2; told++) {
        ask_other_devices(1, VALLEY, told, asked, told ? MORE : OPENING);
        CU_ASSERT_EQUAL(asked[0], 9 * 16 + 4);
        CU_ASSERT_EQUAL(valley(asked[1], false), valley(8 * 16 + 3, false));
        CU_ASSERT_EQUAL(apart_in(asked, 3, OPENING), 2);
        CU_ASSERT(!told || apart_in(asked, OPENING, MORE) < MORE - OPENING);
    }
}

/* The winner of each prior run is in the opening, although it is so near the winner of the others that the model would
 * not propose both. */
static void winners_are_tried(void)
{
    enum { ROWS = 256, RUNS = 3, OPENING = 6, ODD = 9 * 16 + 5 };
    static uint32_t choices[2 * ROWS];
    static double costs[2][ROWS];
    for (uint32_t i = 0; i < ROWS; i++) {
        choices[2 * i] = i / 16;
        choices[2 * i + 1] = i % 16;
        costs[0][i] = valley(i, false);
        costs[1][i] = i == ODD ? 99 : valley(i, false);
    }
    const struct prior_run runs[RUNS] = {
        {ROWS, choices, costs[0]}, {ROWS, choices, costs[0]}, {ROWS, choices, costs[1]}};
    struct steps steps;
    size_t found = 0;
    steps_open_prior(&steps, "param A = 0..15\nparam B = 0..15\n", "surrogate:initial=6", 1, runs, RUNS);
    for (int k = 0; k < OPENING; k++) {
        uint64_t asked = steps_ask(&steps);
        found += asked == ODD || asked == 9 * 16 + 4;
        steps_tell(&steps, asked, 100);
    }
    CU_ASSERT_EQUAL(found, 2);
    steps_close(&steps);
}

enum { FLIGHT = 64, OUTCOMES = 3 * FLIGHT, SIZE = 16 * 16 * 16 };

/* With FLIGHT configurations in flight, which end in their own order, no proposal is invalid or repeated. Returns a
 * digest of the sequence; *best is the least cost, of which 1 is the optimum. */
static uint64_t proposed_in_flight(const char *strategy, uint64_t seed, double *best)
{
    static bool asked[SIZE];
    struct steps steps;
    uint64_t flying[FLIGHT], digest = 0;
    size_t in_flight = 0;
    memset(asked, 0, sizeof asked);
    *best = INFINITY;
    steps_open(&steps, "param A = 0..15\nparam B = 0..15\nparam C = 0..15\n", strategy, seed);
    for (size_t told = 0; told < OUTCOMES; told++) {
        while (in_flight < FLIGHT) {
            uint64_t index = steps_ask(&steps);
            if (index == UINT64_MAX && told < 3) /* too few outcomes for more than an opening */
                break;
            CU_ASSERT_FATAL(index < SIZE && !asked[index]);
            flying[in_flight++] = index;
            asked[index] = true;
            digest = random_mix(digest, index);
        }
        CU_ASSERT_FATAL(in_flight > 0);
        size_t ends = random_mix(seed, told) % in_flight;
        uint64_t done = flying[ends];
        flying[ends] = flying[--in_flight];
        double a = (double)(done / 256) - 9, b = (double)(done / 16 % 16) - 4, c = (double)(done % 16) - 11;
        double cost = exp(0.02 * (a * a + b * b + a * b / 2 + c * c));
        if (random_mix(7, done) % 16 == 0) {
            steps_tell_failed(&steps, done);
            continue;
        }
        *best = fmin(*best, cost);
        steps_tell(&steps, done, cost);
    }
    steps_close(&steps);
    return digest;
}

static void many_in_flight(void)
{
    static const char *const strategies_of[] = {"surrogate:candidates=100", "surrogate"};
    for (size_t i = 0; i < sizeof strategies_of / sizeof *strategies_of; i++) {
        double first, again, other;
        uint64_t digest = proposed_in_flight(strategies_of[i], 3, &first);
        CU_ASSERT_EQUAL(proposed_in_flight(strategies_of[i], 3, &again), digest);
        CU_ASSERT_EQUAL(first, again);
        CU_ASSERT(first < 1.05);
        CU_ASSERT_NOT_EQUAL(proposed_in_flight(strategies_of[i], 4, &other), digest);
        CU_ASSERT(other < 1.05);
    }
}

/* Proposes with so many equally fast configurations in flight. Then proposes another, preceded by the outcome of a much
 * faster one if `surprised`. */
static uint64_t proposed_after(size_t flight, size_t proposals, bool surprised)
{
    struct steps steps;
    uint64_t flying[128];
    size_t in_flight = 0;
    steps_open(&steps, "param A = 0..15\nparam B = 0..15\nparam C = 0..15\n", "surrogate:initial=20", 1);
    for (uint64_t i = 0; i < 30; i++)
        steps_tell(&steps, i * 131 % SIZE, 10 + (double)(i % 7));
    while (in_flight < flight)
        flying[in_flight++] = steps_ask(&steps);
    for (size_t k = 0; k < proposals; k++) {
        steps_tell(&steps, flying[k % flight], 20);
        flying[k % flight] = steps_ask(&steps);
    }
    steps_tell(&steps, flying[proposals % flight], surprised ? 1 : 20);
    uint64_t asked = steps_ask(&steps);
    steps_close(&steps);
    return asked;
}

/* The next proposal follows each outcome; with many in flight, it follows one of several, or is a neighbour of the new
 * best. */
static void outcomes_are_followed(void)
{
    static const struct {
        size_t flight;
        bool each;
    } rows[] = {{1, true}, {16, true}, {64, true}, {68, false}, {100, false}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        size_t follow = 0;
        for (size_t k = 0; k < 6; k++)
            follow += proposed_after(rows[r].flight, k, true) != proposed_after(rows[r].flight, k, false);
        CU_ASSERT(rows[r].each ? follow == 6 : follow > 0 && follow < 6);
    }
}

CU_TestInfo tests_strat_surrogate[] = {{OVER_SEEDS "what fails is avoided", avoids_what_fails},
                                       {OVER_SEEDS "the best is found soon", finds_the_best_soon},
                                       {OVER_SEEDS "powers of two are alike", powers_of_two_are_alike},
                                       {OVER_SEEDS "it looks where it is pointed", looks_where_it_is_pointed},
                                       {"many are in flight", many_in_flight},
                                       {"outcomes are followed", outcomes_are_followed},
                                       {"effort is saved where it is known", effort_is_saved},
                                       {"it opens with promising configurations", opens_with_what_is_promised},
                                       {"the winner of each landscape is tried", winners_are_tried},
                                       {OVER_SEEDS "it leaves a decoy", leaves_a_decoy},
                                       {OVER_SEEDS "prior runs lead, unless they mislead", learns_from_prior_runs},
                                       CU_TEST_INFO_NULL};
