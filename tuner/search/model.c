#include "search/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/statistics.h"
#include "search/constants.h"
#include "search/effects.h"

/* ---- Prior runs ---- */

/* Sets the prior of a block's candidates by their scores. */
static void set_prior(struct model *model, size_t block)
{
    const struct transfer *transfer = &model->transfer;
    struct posterior *posterior = &model->setup.candidates->posterior;
    for (size_t c = block * POSTERIOR_BLOCK; c < (block + 1) * POSTERIOR_BLOCK; c++) {
        posterior->prior[c] = 0;
        for (size_t t = 0; t < transfer->terms; t++)
            posterior->prior[c] += (float)transfer->weights[t] * model->terms[t * posterior->padded + c];
        posterior->doubt[c] =
            (float)(transfer_doubt(transfer, model->terms + c, posterior->padded) / model->gp.variance);
    }
}

static void score_block(struct model *model, size_t block)
{
    const struct candidates *candidates = model->setup.candidates;
    const struct posterior *posterior = &candidates->posterior;
    uint64_t indices[POSTERIOR_BLOCK];
    uint32_t choices[POSTERIOR_BLOCK * ENCODE_DIMENSIONS_MAX];
    size_t at = block * POSTERIOR_BLOCK;
    for (size_t c = 0; c < POSTERIOR_BLOCK && at + c < candidates->count; c++) {
        indices[c] = candidates_index(candidates, at + c);
        candidates_choices(candidates, indices[c], choices + c * ENCODE_DIMENSIONS_MAX);
    }
    transfer_score_block(&model->transfer, posterior, block, indices, choices, model->terms + at, posterior->padded);
}

void model_replaced(void *context, size_t block)
{
    struct model *model = context;
    if (!model->transfer.count)
        return;
    score_block(model, block);
    set_prior(model, block);
}

/* Returns the part of the logarithm of a row's time that prior runs explain. */
static double expected(const struct model *model, size_t row)
{
    size_t width = model->transfer.terms;
    return width ? transfer_expect(&model->transfer, model->entry_terms + model->row_entry[row] * width) : 0;
}

/* Rebuilds the posterior: the explanation by prior runs plus the process. */
static bool rebuild(struct model *model)
{
    struct posterior *posterior = &model->setup.candidates->posterior;
    candidates_draw(model->setup.candidates);
    for (size_t b = 0; b < posterior->blocks && model->transfer.count; b++)
        set_prior(model, b);
    return posterior_rebuild(posterior, &model->gp, model->failed);
}

/* Weighs the prior runs by the observations, and subtracts their explanation from these. */
static bool explain(struct model *model)
{
    struct gp *gp = &model->gp;
    size_t width = model->transfer.terms;
    if (!gp_refactor(gp))
        return false;
    for (size_t row = 0; row < gp->count; row++)
        memcpy(model->row_terms + row * width, model->entry_terms + model->row_entry[row] * width,
               width * sizeof *model->row_terms);
    if (!transfer_weigh(&model->transfer, gp, gp->y, model->row_terms))
        return false;
    for (size_t row = 0; row < gp->count; row++)
        gp->y[row] -= expected(model, row);
    gp->mean = model->transfer.mean;
    return true;
}

int model_open(struct model *model, const struct model_setup *setup, struct error *error)
{
    const struct posterior *posterior = &setup->candidates->posterior;
    struct transfer *transfer = &model->transfer;
    *model = (struct model){.setup = *setup};
    int code = gp_open(&model->gp, setup->encoding, error);
    if (!code && setup->prior_runs)
        code = transfer_open(transfer, setup->prior_runs, setup->encoding, error);
    if (!code && setup->length > 0)
        gp_expect_lengths(&model->gp, setup->length, setup->length_stddev);
    if (!code && !transfer->count && setup->additive > 0)
        gp_expect_part(&model->gp, GP_ADDITIVE, setup->additive);
    if (code || !transfer->count)
        return code;
    transfer_shape(transfer, &model->gp);
    model->terms = calloc(transfer->terms * posterior->padded + 1, sizeof *model->terms);
    if (!model->terms)
        return error_memory(error);
    for (size_t b = 0; b < posterior->blocks && !setup->candidates->pool; b++)
        score_block(model, b);
    return 0;
}

void model_close(struct model *model)
{
    gp_close(&model->gp);
    transfer_close(&model->transfer);
    free(model->terms);
    free(model->entry_terms);
    free(model->row_terms);
    free(model->row_entry);
    free(model->failed);
}

/* ---- Observations ---- */

/* A time for the process to learn, and its uncertainty. */
struct observation {
    double value, stddev;
};

/* Returns the clipped logarithm of a time. */
static double clipped(const struct model *model, double value)
{
    return fmin(gp_log(value), model->clip);
}

/* Makes an observation. A censored one is as uncertain as its interval is wide, up to the clip. */
static struct observation observation(const struct model *model, const struct archive_entry *entry)
{
    if (!entry->ok)
        return (struct observation){model->clip, 0};
    struct observation found = {clipped(model, entry->value), 0};
    if (entry->censored)
        found.stddev = fmax((found.value - clipped(model, entry->least)) / DEVIATIONS, STOPPED);
    return found;
}

/* Sets the clip: the slowest decile and the failures count as equally bad, since how bad they are does not show where
 * the best is. */
static bool set_scale(struct model *model)
{
    const struct archive *archive = model->setup.archive;
    double *times = malloc((archive->count + 1) * sizeof *times), best = INFINITY;
    size_t count = 0;
    if (!times)
        return false;
    for (size_t i = 0; i < archive->count; i++) {
        const struct archive_entry *entry = &archive->entries[i];
        if (!entry->told || !entry->ok)
            continue;
        times[count++] = entry->value;
        if (!entry->censored)
            best = fmin(best, entry->value);
    }
    model->best = isinf(best) ? INFINITY : gp_log(best);
    model->clip = count ? gp_log(statistics_select(times, count, (size_t)((double)(count - 1) * CLIP))) : 0;
    free(times);
    return true;
}

static bool reserve_terms(struct model *model, size_t room)
{
    size_t bytes = room * model->transfer.terms * sizeof *model->entry_terms;
    if (!bytes)
        return true;
    float *entry_terms = realloc(model->entry_terms, bytes);
    model->entry_terms = entry_terms ? entry_terms : model->entry_terms;
    float *row_terms = realloc(model->row_terms, bytes);
    model->row_terms = row_terms ? row_terms : model->row_terms;
    return entry_terms && row_terms;
}

static bool reserve_rows(struct model *model)
{
    size_t room = model->setup.archive->room;
    if (model->setup.archive->count <= model->row_room)
        return true;
    bool *failed = realloc(model->failed, room * sizeof *failed);
    model->failed = failed ? failed : model->failed;
    size_t *row_entry = realloc(model->row_entry, room * sizeof *row_entry);
    model->row_entry = row_entry ? row_entry : model->row_entry;
    if (!failed || !row_entry || !reserve_terms(model, room))
        return false;
    model->row_room = room;
    return true;
}

static bool add_row(struct model *model, size_t entry)
{
    uint32_t choices[ENCODE_DIMENSIONS_MAX];
    size_t row = model->gp.count;
    candidates_choices(model->setup.candidates, model->setup.archive->entries[entry].index, choices);
    model->failed[row] = false;
    model->row_entry[row] = entry;
    return gp_append(&model->gp, choices);
}

static void score_entry(struct model *model, size_t entry)
{
    uint64_t index = model->setup.archive->entries[entry].index;
    uint32_t choices[ENCODE_DIMENSIONS_MAX];
    if (!model->transfer.count)
        return;
    candidates_choices(model->setup.candidates, index, choices);
    transfer_score(&model->transfer, index, choices, model->entry_terms + entry * model->transfer.terms);
}

/* Adds rows for new entries. False if memory is out. */
static bool add_rows(struct model *model)
{
    const struct archive *archive = model->setup.archive;
    size_t first = model->gp.count;
    if (!reserve_rows(model))
        return false;
    for (; model->followed < archive->count; model->followed++) {
        score_entry(model, model->followed);
        if (!add_row(model, model->followed))
            return false;
    }
    if (model->fitted)
        gp_extend(&model->gp, first);
    return true;
}

/* Updates the process and the posterior to all known results, with the current length scales. False if memory is
 * out. */
static bool follow(struct model *model)
{
    struct gp *gp = &model->gp;
    size_t first = SIZE_MAX;
    if (!add_rows(model))
        return false;
    for (size_t row = 0; row < gp->count; row++) {
        const struct archive_entry *entry = &model->setup.archive->entries[model->row_entry[row]];
        if (!entry->told || !gp->pending[row])
            continue;
        const struct observation found = observation(model, entry);
        gp_note(gp, row, found.value - expected(model, row), found.stddev);
        first = row < first ? row : first;
        model->failed[row] = !entry->ok;
        if (entry->ok && !entry->censored)
            model->best = fmin(model->best, gp_log(entry->value));
    }
    gp_update(gp, first);
    return posterior_update(&model->setup.candidates->posterior, gp, model->failed);
}

/* ---- Fitting ---- */

/* Returns the first entry of the latest `most` in flight, which get rows. */
static size_t latest_in_flight(const struct archive *archive, size_t most)
{
    size_t from = archive->count;
    for (; from > 0 && most > 0; from--)
        most -= !archive->entries[from - 1].told;
    return from;
}

/* Returns the maximum of outcomes with rows. With many in flight, outcomes arrive fast, and the time of a proposal
 * grows with the square of the rows: configurations in flight take up to half of the rows. */
static size_t most_told(const struct model *model, size_t told)
{
    size_t most = model->setup.observations, in_flight = model->setup.archive->count - told;
    size_t take = in_flight > FEW ? TAKES * (in_flight - FEW) : 0;
    return most - (take < most / 2 ? take : most / 2);
}

/* Chooses the rows of a long run: the best, the latest, and then configurations in flight, as transfer_weigh expects.
 */
static bool choose_rows(struct model *model, size_t told)
{
    const struct archive *archive = model->setup.archive;
    size_t most = most_told(model, told), from = 0;
    size_t flying = latest_in_flight(archive, model->setup.observations / 2);
    double limit = INFINITY;
    if (told > most) {
        double *values = malloc(archive->count * sizeof *values);
        size_t count = 0;
        if (!values)
            return false;
        for (size_t i = 0; i < archive->count; i++)
            if (archive->entries[i].told && archive->entries[i].ok)
                values[count++] = archive->entries[i].value;
        limit = count > most / 2 ? statistics_select(values, count, most / 2) : INFINITY;
        from = archive->count - most / 2;
        free(values);
    }
    model->gp.count = 0;
    for (int pending = 0; pending < 2; pending++)
        for (size_t i = 0; i < archive->count; i++) {
            const struct archive_entry *entry = &archive->entries[i];
            bool chosen = entry->told ? i >= from || (entry->ok && entry->value < limit) : i >= flying;
            if (chosen && entry->told == !pending && !add_row(model, i))
                return false;
        }
    return true;
}

/* Returns the growth of `count` after which work is due again. */
static size_t grown(const struct model *model, size_t count)
{
    return (size_t)ceil((model->setup.growth - 1) * (double)count);
}

/* Fits the length scales; in a long run, less often than rows are chosen, as similar rows change them little. */
static bool fit(struct model *model, size_t told)
{
    struct gp *gp = &model->gp;
    size_t evaluations = gp->count < 60 ? 40 : gp->count < 120 ? 20 : gp->count < 300 ? 8 : 4;
    size_t known = told > gp->count ? told : gp->count;
    model->fit_at = told + grown(model, known);
    return gp_fit(gp, evaluations);
}

/* Returns the least predicted logarithm: the value to improve on before anything is feasible. */
static double least_mean(const struct model *model)
{
    const struct posterior *posterior = &model->setup.candidates->posterior;
    float least = INFINITY;
    for (size_t c = 0; c < posterior->count; c++)
        if (!model->setup.candidates->taken[c])
            least = fminf(least, posterior->mean[c]);
    return model->gp.mean + (double)least;
}

static bool learn_effects(struct model *model)
{
    const struct archive *archive = model->setup.archive;
    struct posterior *posterior = &model->setup.candidates->posterior;
    return effects_learn_failures(archive, posterior) && effects_learn_effort(archive, posterior);
}

/* True while there are few observations: weighing prior runs is then cheap and changes most. */
static bool weighs(const struct model *model, size_t told)
{
    return model->transfer.count && told < WEIGHED;
}

static bool refit(struct model *model, size_t told)
{
    struct gp *gp = &model->gp;
    if (!set_scale(model) || !add_rows(model) || !choose_rows(model, told))
        return false;
    for (size_t row = 0; row < gp->count; row++) {
        const struct archive_entry *entry = &model->setup.archive->entries[model->row_entry[row]];
        gp->pending[row] = !entry->told;
        const struct observation found = entry->told ? observation(model, entry) : (struct observation){0};
        gp->y[row] = found.value;
        gp->blur[row] = gp_blur(gp, found.stddev);
        model->failed[row] = entry->told && !entry->ok;
    }
    if (model->transfer.count && !explain(model))
        return false;
    bool learns = !model->transfer.count || told >= LEARNABLE;
    if (learns && (weighs(model, told) || told >= model->fit_at) && !fit(model, told))
        return false;
    if (learns)
        model->choose_at = told + grown(model, gp->count);
    if (!gp_refactor(gp))
        return false;
    if (!learn_effects(model))
        return false;
    model->fitted = true;
    model->seen = told;
    if (!rebuild(model))
        return false;
    if (isinf(model->best))
        model->best = least_mean(model);
    return true;
}

static bool due(const struct model *model, size_t told)
{
    return !model->fitted || told >= model->choose_at || model->gp.count >= CROWDED * model->setup.observations ||
           (weighs(model, told) && told != model->seen);
}

bool model_keep_up(struct model *model, size_t told)
{
    if (due(model, told))
        return refit(model, told);
    return follow(model);
}
