#include "search/candidates.h"

#include <math.h>

#include "search/acquisition.h"
#include "search/gp.h"
#include "set.h"

/* A set with its archive and candidates. */
struct world {
    struct strategy_setup setup;
    struct archive archive;
    struct encoding encoding;
    struct candidates candidates;
    struct random random;
    struct gp gp;
    bool failed[64];
};

static void world_open(struct world *world, const char *statements, uint64_t whole)
{
    struct error error = {0};
    memset(world, 0, sizeof *world);
    world->setup = set_open(statements, 3);
    random_seed(&world->random, 3);
    CU_ASSERT_EQUAL_FATAL(archive_open(&world->archive, &world->setup, &error), 0);
    CU_ASSERT_EQUAL_FATAL(encoding_make(&world->encoding, world->setup.space, &error), 0);
    CU_ASSERT_EQUAL_FATAL(gp_open(&world->gp, &world->encoding, &error), 0);
    const struct candidates_setup of = {.archive = &world->archive,
                                        .encoding = &world->encoding,
                                        .whole = whole,
                                        .sample = 4000,
                                        .random = &world->random};
    CU_ASSERT_EQUAL_FATAL(candidates_open(&world->candidates, &of, &error), 0);
}

static void world_close(struct world *world)
{
    candidates_close(&world->candidates);
    gp_close(&world->gp);
    encoding_free(&world->encoding);
    archive_close(&world->archive);
    set_close(&world->setup);
}

static void tell(struct world *world, uint64_t index, double value)
{
    archive_tell(&world->archive, index, &(struct cost){.ok = true, .value = value});
    candidates_take(&world->candidates, index);
}

/* Number of candidates near the best `most`. */
static size_t near_best(struct world *world, size_t most)
{
    size_t best[CANDIDATES_INCUMBENTS_MAX];
    return candidates_near(&world->candidates, best, archive_best_few(&world->archive, best, most));
}

/* From all configurations or from a pool, the candidates near the best are its neighbours, except known ones. In a
 * pool, they stay when others are expanded, and follow a new best. */
static void near_the_best(void)
{
    static const struct {
        uint64_t whole;
        bool pool;
    } rows[] = {{1000, false}, {100, true}};
    static const uint64_t bests[] = {444, 124};
    enum { NEIGHBOURS = 27 };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct world world;
        world_open(&world, "param A = 0..9\nparam B = 0..9\nparam C = 0..9\n", rows[r].whole);
        CU_ASSERT_EQUAL(world.candidates.pool != NULL, rows[r].pool);
        CU_ASSERT_EQUAL(world.candidates.count, rows[r].pool ? 4096 : 1000);
        tell(&world, 0, 9);
        candidates_draw(&world.candidates);
        for (size_t b = 0; b < 2; b++) {
            uint64_t best = bests[b];
            tell(&world, best + 1, 8);
            tell(&world, best, 2 - (double)b);
            for (int again = 0; again < 2; again++) {
                size_t near = near_best(&world, 1);
                CU_ASSERT_EQUAL(near, NEIGHBOURS - 1);
                for (size_t i = 0; i < near; i++) {
                    uint64_t index = candidates_index(&world.candidates, world.candidates.near[i]);
                    CU_ASSERT(index < 1000 && index != best + 1);
                    CU_ASSERT_EQUAL(set_differences(world.setup.set, index, best), 1);
                }
                for (int i = 0; i < 50; i++)
                    CU_ASSERT(rows[r].pool || !candidates_expand(&world.candidates));
            }
        }
        world_close(&world);
    }
}

/* A family has room for all neighbours of a configuration and a quarter more, up to four blocks; a pool has at least 16
 * families, and is drawn once. */
static void pool_sizes(void)
{
    static const struct {
        const char *statements;
        size_t blocks, families;                               /* blocks of a family */
    } rows[] = {{"param A = 1..52\nparam B = 1..52\n", 1, 32}, /* 103 with its neighbours: 128 with a quarter more */
                {"param A = 1..52\nparam B = 1..52\nparam C = 1, 2\n", 2, 16},   /* 104: 130 */
                {"param A = 1..103\nparam B = 1..103\n", 2, 16},                 /* 205: 256 */
                {"param A = 1..103\nparam B = 1..103\nparam C = 1, 2\n", 3, 16}, /* 206: 257 */
                {"param A = 1..500\nparam B = 1..500\n", 4, 16}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct world world;
        world_open(&world, rows[r].statements, 100);
        struct candidates *candidates = &world.candidates;
        CU_ASSERT_EQUAL(candidates->family_blocks, rows[r].blocks);
        CU_ASSERT_EQUAL(candidates->family_count, rows[r].families);
        CU_ASSERT_EQUAL(candidates->count, rows[r].families * rows[r].blocks * POSTERIOR_BLOCK);
        candidates_draw(candidates);
        uint64_t first = candidates_index(candidates, 0), last = candidates_index(candidates, candidates->count - 1);
        candidates_draw(candidates);
        CU_ASSERT_EQUAL(candidates_index(candidates, 0), first);
        CU_ASSERT_EQUAL(candidates_index(candidates, candidates->count - 1), last);
        world_close(&world);
    }
}

static size_t count_of(const struct candidates *candidates, uint64_t index)
{
    size_t count = 0;
    for (size_t c = 0; c < candidates->count; c++)
        count += candidates_index(candidates, c) == index;
    return count;
}

#define LARGE                                                                                                          \
    "param A = 1..64\nparam B = 1..64\nparam C = 1..40\nparam D = 1..40\nparam E = x, y, z\n"                          \
    "require A % B == 0\nrequire C * D <= 300\n"

static double time_of(const struct world *world, uint64_t index)
{
    uint32_t choices[SPACE_PARAMETERS_MAX];
    double sum = 0;
    valid_set_get(world->setup.set, index, choices);
    for (size_t p = 0; p < 5; p++)
        sum += fabs((double)choices[p] - 2.0 * (double)(p + 1));
    return 1 + sum;
}

/* Adds 30 outcomes and builds the predictions. */
static void world_learn(struct world *world)
{
    uint32_t choices[ENCODE_DIMENSIONS_MAX];
    for (size_t i = 0; i < 30; i++) {
        uint64_t index = valid_set_sample(world->setup.set, &world->random);
        tell(world, index, time_of(world, index));
    }
    for (size_t i = 0; i < world->archive.count; i++) {
        candidates_choices(&world->candidates, world->archive.entries[i].index, choices);
        CU_ASSERT_TRUE_FATAL(gp_add(&world->gp, choices));
        world->gp.y[i] = log(world->archive.entries[i].value);
        world->gp.pending[i] = false;
    }
    CU_ASSERT_TRUE_FATAL(gp_fit(&world->gp, 20) && gp_refactor(&world->gp));
    candidates_draw(&world->candidates);
    CU_ASSERT_TRUE_FATAL(posterior_rebuild(&world->candidates.posterior, &world->gp, world->failed));
}

static size_t acquire(struct world *world)
{
    return acquisition_best(&world->candidates.posterior, &world->gp, world->candidates.taken, log(world->gp.y[0]));
}

/* Every second time, expanding adds the neighbours of the most promising candidate, which stays a candidate. All
 * candidates are valid, predicted as the process does, and marked if known. The best acquisition never falls and ends
 * above all of its neighbours. */
static void climbing(void)
{
    struct world world;
    world_open(&world, LARGE, 100);
    world_learn(&world);
    struct candidates *candidates = &world.candidates;
    float before = -1;
    uint64_t last = UINT64_MAX;
    for (int step = 0; step < 40; step++) {
        size_t best = acquire(&world);
        uint64_t index = candidates_index(candidates, best);
        float score = candidates->posterior.tops[best / POSTERIOR_BLOCK].score;
        CU_ASSERT(score >= before);
        before = score;
        bool exploits = candidates->exploit, again = index == last;
        CU_ASSERT_EQUAL(exploits, step % 2);
        CU_ASSERT_TRUE(candidates_expand(candidates));
        if (exploits || again)
            continue;
        last = index;
        size_t around = archive_around(&world.archive, index, NEIGHBOURS_ANY);
        CU_ASSERT(count_of(candidates, index) > 0);
        for (size_t a = 0; a < around; a++)
            CU_ASSERT(count_of(candidates, world.archive.around[a]) > 0 ||
                      archive_find(&world.archive, world.archive.around[a]));
    }
    for (size_t c = 0; c < candidates->count; c++) {
        uint32_t choices[ENCODE_DIMENSIONS_MAX];
        double mean, variance;
        uint64_t index = candidates_index(candidates, c);
        CU_ASSERT_FATAL(index < valid_set_count(world.setup.set));
        CU_ASSERT_EQUAL(candidates->taken[c], archive_find(&world.archive, index) != NULL);
        if (c % 16)
            continue;
        posterior_update_block(&candidates->posterior, &world.gp, c / POSTERIOR_BLOCK);
        candidates_choices(candidates, index, choices);
        gp_predict(&world.gp, choices, &mean, &variance);
        CU_ASSERT_DOUBLE_EQUAL(world.gp.mean + candidates->posterior.mean[c], mean, 2e-3);
        CU_ASSERT_DOUBLE_EQUAL(world.gp.variance * candidates->posterior.variance[c], variance, 2e-3);
    }
    world_close(&world);
}

/* Expands the most promising candidate, whether of the first block or the last. */
static void most_promising_of_a_block(void)
{
    struct world world;
    world_open(&world, LARGE, 100);
    world_learn(&world);
    struct candidates *candidates = &world.candidates;
    for (size_t block = 0; block < candidates->posterior.blocks; block += candidates->posterior.blocks - 1) {
        acquire(&world);
        struct posterior_top *top = &candidates->posterior.tops[block];
        CU_ASSERT_FATAL(top->candidate < candidates->count);
        uint64_t index = candidates_index(candidates, top->candidate);
        size_t centres = 0;
        top->score = 1e9f;
        candidates->exploit = false;
        CU_ASSERT_TRUE(candidates_expand(candidates));
        for (size_t f = 0; f < candidates->family_count; f++)
            centres += candidates->families[f].centre == index;
        CU_ASSERT_EQUAL(centres, 1);
    }
    world_close(&world);
}

/* Every second expansion is that of the candidate with the least predicted time, unless it is likely to fail. */
static void likely_failures(void)
{
    for (int fails = 0; fails < 2; fails++) {
        struct world world;
        world_open(&world, LARGE, 100);
        world_learn(&world);
        struct candidates *candidates = &world.candidates;
        struct posterior *posterior = &candidates->posterior;
        size_t fastest = 0;
        for (size_t c = 1; c < candidates->count; c++)
            fastest = posterior->mean[c] < posterior->mean[fastest] ? c : fastest;
        size_t faster = (fastest + POSTERIOR_BLOCK / 2) % candidates->count;
        const uint64_t expected[] = {candidates_index(candidates, faster), candidates_index(candidates, fastest)};
        posterior->mean[faster] = posterior->mean[fastest] - 3;
        posterior->near[faster] = 1000;
        posterior->near_failed[faster] = fails ? 1000 : 0;
        CU_ASSERT_FALSE_FATAL(candidates->taken[faster]);
        candidates->exploit = true;
        CU_ASSERT_TRUE(candidates_expand(candidates));
        size_t centres = 0;
        for (size_t f = 0; f < candidates->family_count; f++)
            centres += candidates->families[f].centre == expected[fails];
        CU_ASSERT_EQUAL(centres, 1);
        world_close(&world);
    }
}

/* The same seed gives the same pool. */
static void the_same_again(void)
{
    struct world worlds[2];
    for (size_t w = 0; w < 2; w++) {
        world_open(&worlds[w], LARGE, 100);
        world_learn(&worlds[w]);
        for (int step = 0; step < 10; step++) {
            acquire(&worlds[w]);
            near_best(&worlds[w], 3);
            candidates_expand(&worlds[w].candidates);
        }
    }
    CU_ASSERT_EQUAL_FATAL(worlds[0].candidates.count, worlds[1].candidates.count);
    for (size_t c = 0; c < worlds[0].candidates.count; c++)
        CU_ASSERT_EQUAL(worlds[0].candidates.pool[c], worlds[1].candidates.pool[c]);
    for (size_t w = 0; w < 2; w++)
        world_close(&worlds[w]);
}

/* More neighbours than a family holds, and more configurations than indices. */
static void extremes(void)
{
    static const char *const statements[] = {
        "param A = 1..5000\nparam B = 1..3\n",
        "param A = 1..512\nparam B = 1..512\nparam C = 1..512\nparam D = 1..512\nparam E = 1..512\nparam F = 1..512\n"
        "param G = 1..512\nparam H = 1..512\nrequire A + B + C + D + E + F + G + H > 8\n"};
    for (size_t s = 0; s < 2; s++) {
        struct world world;
        world_open(&world, statements[s], 100);
        world_learn(&world);
        for (int step = 0; step < 10; step++) {
            acquire(&world);
            size_t near = near_best(&world, 3);
            CU_ASSERT(near > 0 && near <= world.candidates.count);
            CU_ASSERT_TRUE(candidates_expand(&world.candidates));
        }
        for (size_t c = 0; c < world.candidates.count; c++)
            CU_ASSERT(world.candidates.pool[c] < valid_set_count(world.setup.set));
        world_close(&world);
    }
}

/* Two parameters of 65,536 values do not share a group of the posterior. */
static void long_lists(void)
{
    struct world world;
    world_open(&world, "param A = 1..65536\nparam B = 1..65536\n", 100);
    CU_ASSERT_EQUAL(world.candidates.posterior.group_count, 2);
    CU_ASSERT_EQUAL(world.candidates.posterior.code_count, 2 * 65536);
    candidates_draw(&world.candidates);
    world_close(&world);
}

/* True if each value of a configuration is that of one of three others; notes the parameters in which it differs from
 * the first. */
static bool crosses(const struct world *world, uint64_t index, const uint64_t *others, bool *later)
{
    uint32_t here[SPACE_PARAMETERS_MAX], there[3][SPACE_PARAMETERS_MAX];
    bool all = true;
    valid_set_get(world->setup.set, index, here);
    for (size_t o = 0; o < 3; o++)
        valid_set_get(world->setup.set, others[o], there[o]);
    for (size_t p = 0; p < valid_set_parameter_count(world->setup.set); p++) {
        bool first = here[p] == there[0][p], other = here[p] == there[1][p] || here[p] == there[2][p];
        later[p] |= !first && other;
        all &= first || other;
    }
    return all;
}

/* A family of a best configuration has its neighbours and itself. Then come, in turns, crossovers with another of the
 * best, changes of up to two of its parameters, and random configurations, which differ in nearly all parameters. */
static void families(void)
{
    enum { PARAMETERS = 5, TURNS = 4 };
    static const uint64_t best[] = {1234567, 54321, 90000001};
    struct world world;
    bool exchanged[PARAMETERS] = {false};
    world_open(&world, "param A = 1..40\nparam B = 1..40\nparam C = 1..40\nparam D = 1..40\nparam E = 1..40\n", 100);
    struct candidates *candidates = &world.candidates;
    for (size_t b = 0; b < 3; b++)
        tell(&world, best[b], 1 + (double)b);
    candidates_draw(candidates);
    near_best(&world, 3);
    size_t family = 0, size = candidates->family_blocks * POSTERIOR_BLOCK, alike = 0, drawn = 0;
    while (family < candidates->family_count && candidates->families[family].centre != best[0])
        family++;
    CU_ASSERT_FATAL(family < candidates->family_count && candidates->families[family].held);
    const uint64_t *pool = candidates->pool + family * size;
    for (size_t at = candidates->families[family].near; at + TURNS <= size; at += TURNS, drawn++) {
        for (size_t turn = 0; turn < TURNS; turn += 2)
            CU_ASSERT(crosses(&world, pool[at + turn], best, exchanged));
        CU_ASSERT(set_differences(world.setup.set, pool[at + 1], best[0]) <= 2);
        alike += PARAMETERS - set_differences(world.setup.set, pool[at + 3], best[0]);
    }
    CU_ASSERT(drawn > 8 && alike < drawn);
    for (size_t p = 0; p < PARAMETERS; p++)
        CU_ASSERT(exchanged[p]);
    world_close(&world);
}

/* If conditions forbid a change of two parameters, the replacement is still near the centre. */
static void changes_follow_conditions(void)
{
    static const char statements[] = "param A = 1..40\nparam B = 1..40\nparam C = 1..40\nparam D = 1..40\n"
                                     "param E = 1..40\nrequire A + B + C + D + E <= 60\n";
    struct world world;
    const uint32_t centre[] = {10, 11, 12, 9, 8};
    uint64_t index = 0;
    size_t family = 0, changed = 0, differences = 0;
    world_open(&world, statements, 100);
    struct candidates *candidates = &world.candidates;
    CU_ASSERT_FATAL(valid_set_find(world.setup.set, centre, &index));
    tell(&world, index, 1);
    candidates_draw(candidates);
    near_best(&world, 1);
    while (family < candidates->family_count && candidates->families[family].centre != index)
        family++;
    CU_ASSERT_FATAL(family < candidates->family_count);
    size_t size = candidates->family_blocks * POSTERIOR_BLOCK;
    for (size_t at = candidates->families[family].near + 1; at < size; at += 4, changed++)
        differences += set_differences(world.setup.set, candidates->pool[family * size + at], index);
    CU_ASSERT(changed > 8);
    CU_ASSERT(differences < 3 * changed); /* random configurations differ in more than four */
    world_close(&world);
}

CU_TestInfo tests_candidates[] = {{"neighbours of the best", near_the_best},
                                  {"sizes of pools", pool_sizes},
                                  {"climbing towards the best acquisition", climbing},
                                  {"the most promising of the first block and the last", most_promising_of_a_block},
                                  {"the same seed, the same pool", the_same_again},
                                  {"more neighbours than room", extremes},
                                  {"what families have", families},
                                  {"changes follow conditions", changes_follow_conditions},
                                  {"likely failures", likely_failures},
                                  {"parameters of many values", long_lists},
                                  CU_TEST_INFO_NULL};
