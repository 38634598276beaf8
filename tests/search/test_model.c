#include "search/model.h"

#include <math.h>

#include "set.h"

/* After each outcome, the predictions for all candidates are those of the process; failures and the slowest count with
 * one time. */
static void follows_the_archive(void)
{
    struct strategy_setup setup = set_open("param A = 0..7\nparam B = 0..7\n", 3);
    struct archive archive;
    struct encoding encoding = {0};
    struct candidates candidates = {0};
    struct model model = {0};
    struct random random;
    struct error error = {0};
    random_seed(&random, 3);
    CU_ASSERT_EQUAL_FATAL(archive_open(&archive, &setup, &error), 0);
    CU_ASSERT_EQUAL_FATAL(encoding_make(&encoding, setup.space, ENCODE_LOG2, &error), 0);
    const struct candidates_setup of = {
        .archive = &archive, .encoding = &encoding, .whole = 100, .incumbents = 1, .random = &random};
    CU_ASSERT_EQUAL_FATAL(candidates_open(&candidates, &of, &error), 0);
    const struct model_setup with = {.archive = &archive,
                                     .candidates = &candidates,
                                     .encoding = &encoding,
                                     .start = &setup,
                                     .observations = 400,
                                     .growth = 1.5};
    CU_ASSERT_EQUAL_FATAL(model_open(&model, &with, &error), 0);
    double best = INFINITY;
    for (size_t i = 0; i < 24; i++) {
        uint64_t index = i * 19 % 64;
        const struct cost cost = {.ok = i % 7 != 3, .value = 1 + (double)(index % 8) + (double)(index / 8)};
        archive_tell(&archive, index, &cost);
        if (cost.ok)
            best = fmin(best, log(cost.value));
        if (i < 3)
            continue;
        CU_ASSERT_FATAL(model_keep_up(&model, i + 1));
        CU_ASSERT_EQUAL(model.gp.count, i + 1);
        CU_ASSERT_DOUBLE_EQUAL(model.best, best, 1e-12);
        for (size_t row = 0; row < model.gp.count; row++) {
            const struct archive_entry *entry = &archive.entries[model.row_entry[row]];
            CU_ASSERT_EQUAL(model.failed[row], !entry->ok);
            CU_ASSERT_DOUBLE_EQUAL(model.gp.y[row], entry->ok ? fmin(log(entry->value), model.clip) : model.clip,
                                   1e-12);
        }
        for (size_t c = 0; c < 64; c += 5) {
            uint32_t choices[ENCODE_DIMENSIONS_MAX];
            double mean, variance;
            posterior_catch_up(&candidates.posterior, &model.gp, c / POSTERIOR_BLOCK);
            candidates_choices(&candidates, candidates_index(&candidates, c), choices);
            gp_predict(&model.gp, choices, &mean, &variance);
            CU_ASSERT_DOUBLE_EQUAL(model.gp.mean + candidates.posterior.mean[c], mean, 2e-3);
            CU_ASSERT_DOUBLE_EQUAL(model.gp.variance * candidates.posterior.variance[c], variance, 2e-3);
        }
    }
    model_close(&model);
    candidates_close(&candidates);
    encoding_free(&encoding);
    archive_close(&archive);
    set_close(&setup);
}

CU_TestInfo tests_model[] = {{"follows the archive", follows_the_archive}, CU_TEST_INFO_NULL};
