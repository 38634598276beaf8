#include "search/model.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/statistics.h"
#include "search/effort.h"

/* Configurations slower than this quantile count as failed. */
static const double CLIP = 0.9;

int model_open(struct model *model, const struct model_setup *setup, struct error *error)
{
    *model = (struct model){.setup = *setup};
    return gp_open(&model->gp, setup->encoding, error);
}

void model_close(struct model *model)
{
    gp_close(&model->gp);
    free(model->row_entry);
    free(model->failed);
}

/* ---- Observations ---- */

/* A clock too coarse for a kernel gives a time of 0, which needs a logarithm too. */
static double log_of(double value)
{
    return log(fmax(value, DBL_MIN));
}

static double observation(const struct model *model, const struct archive_entry *entry)
{
    return entry->ok ? fmin(log_of(entry->value), model->clip) : model->clip;
}

/* The slowest decile and the failures count as equally bad: how bad they are says nothing about where the best is. */
static bool set_clip(struct model *model)
{
    const struct archive *archive = model->setup.archive;
    double *logs = malloc((archive->count + 1) * sizeof *logs);
    size_t count = 0;
    if (!logs)
        return false;
    for (size_t i = 0; i < archive->count; i++)
        if (archive->entries[i].told && archive->entries[i].ok)
            logs[count++] = log_of(archive->entries[i].value);
    statistics_sort(logs, count);
    model->clip = count ? logs[(size_t)((double)(count - 1) * CLIP)] : 0;
    model->best = count ? logs[0] : INFINITY;
    free(logs);
    return true;
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
    if (failed && row_entry)
        model->row_room = room;
    return failed && row_entry;
}

static bool add_row(struct model *model, size_t entry)
{
    uint32_t choices[ENCODE_DIMENSIONS_MAX];
    size_t row = model->gp.count;
    candidates_choices(model->setup.candidates, model->setup.archive->entries[entry].index, choices);
    model->failed[row] = false;
    model->row_entry[row] = entry;
    return gp_add(&model->gp, choices);
}

/* Adds rows for new entries. False if memory is out. */
static bool add_rows(struct model *model)
{
    const struct archive *archive = model->setup.archive;
    if (!reserve_rows(model))
        return false;
    for (; model->followed < archive->count; model->followed++) {
        candidates_take(model->setup.candidates, archive->entries[model->followed].index);
        if (!add_row(model, model->followed))
            return false;
    }
    return true;
}

/* Updates the process and the posterior to all known results, with the current length scales. False if memory is
 * out. */
static bool follow(struct model *model)
{
    struct gp *gp = &model->gp;
    if (!add_rows(model))
        return false;
    for (size_t row = 0; row < gp->count; row++) {
        const struct archive_entry *entry = &model->setup.archive->entries[model->row_entry[row]];
        if (!entry->told || !gp->pending[row])
            continue;
        gp_observe(gp, row, observation(model, entry));
        model->failed[row] = !entry->ok;
        if (entry->ok && !entry->bound)
            model->best = fmin(model->best, log_of(entry->value));
    }
    return posterior_update(&model->setup.candidates->posterior, gp, model->failed);
}

/* ---- Fitting ---- */

/* Chooses the rows of a long run: configurations in flight, the best, and the latest. */
static bool choose_rows(struct model *model, size_t told)
{
    const struct archive *archive = model->setup.archive;
    size_t most = model->setup.observations, from = 0;
    double limit = INFINITY;
    if (told > most) {
        double *values = malloc(archive->count * sizeof *values);
        size_t count = 0;
        if (!values)
            return false;
        for (size_t i = 0; i < archive->count; i++)
            if (archive->entries[i].told && archive->entries[i].ok)
                values[count++] = archive->entries[i].value;
        statistics_sort(values, count);
        limit = count > most / 2 ? values[most / 2] : INFINITY;
        from = archive->count - most / 2;
        free(values);
    }
    model->gp.count = 0;
    for (size_t i = 0; i < archive->count; i++) {
        const struct archive_entry *entry = &archive->entries[i];
        if ((!entry->told || i >= from || (entry->ok && entry->value < limit)) && !add_row(model, i))
            return false;
    }
    return true;
}

static bool refit(struct model *model, size_t told)
{
    struct gp *gp = &model->gp;
    size_t evaluations;
    if (!set_clip(model) || !add_rows(model) || !choose_rows(model, told))
        return false;
    for (size_t row = 0; row < gp->count; row++) {
        const struct archive_entry *entry = &model->setup.archive->entries[model->row_entry[row]];
        gp->pending[row] = !entry->told;
        gp->y[row] = entry->told ? observation(model, entry) : 0;
        model->failed[row] = entry->told && !entry->ok;
    }
    evaluations = gp->count < 60 ? 40 : gp->count < 120 ? 20 : gp->count < 300 ? 8 : 4;
    if (!gp_fit(gp, evaluations) || !gp_refactor(gp))
        return false;
    if (model->setup.spends_effort && !effort_learn(model->setup.archive, &model->setup.candidates->posterior))
        return false;
    model->fitted = true;
    model->fit_at = told + (size_t)ceil((model->setup.growth - 1) * (double)gp->count);
    candidates_draw(model->setup.candidates);
    return posterior_rebuild(&model->setup.candidates->posterior, gp, model->failed);
}

bool model_keep_up(struct model *model, size_t told)
{
    if (!model->fitted || told >= model->fit_at)
        return refit(model, told);
    return follow(model);
}
