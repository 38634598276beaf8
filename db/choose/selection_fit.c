#include "choose/selection_fit.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

/* ---- Reading ---- */

const char *selection_fit_mean(const struct best *best, bool *held, size_t *length)
{
    const char *quality = best->fit_quality ? best->fit_quality : "", *mean = pairs_value(quality, "held_mean", length);
    *held = mean != NULL;
    return mean ? mean : pairs_value(quality, "mean", length);
}

static double read_quality(const struct best *best)
{
    char text[64];
    bool held;
    double quality;
    size_t length;
    const char *mean = selection_fit_mean(best, &held, &length);
    if (!mean)
        return NAN;
    text_format(text, sizeof text, "%.*s", (int)length, mean);
    return pairs_number(text, &quality) && quality > 0 ? quality : NAN;
}

static int read_fit(struct selection *selection, struct selection_row *rows, const struct best *best,
                    struct error *error)
{
    struct selection_fit *fit = arena_alloc(&selection->arena, sizeof *fit);
    if (!fit)
        return error_memory(error);
    int code = size_fit_parse(&selection->arena, best->fit, &fit->fit, error);
    if (code) {
        error_hint(error, "in the fit of %.80s, %.80s: fit it again, or delete its row", best->provenance.device.name,
                   best->provenance.problem);
        return code;
    }
    fit->quality = read_quality(best);
    fit->first = selection->row_count;
    selection->fits[selection->fit_count++] = fit;
    for (size_t i = 0; i < fit->fit.configuration_count; i++)
        rows[selection->row_count++] = (struct selection_row){.best = best, .kind = CHOOSE_IS_FIT, .fit = fit};
    return 0;
}

int selection_fits_read(struct selection *selection, struct selection_row *rows, const struct best *const *bests,
                        size_t count, const struct best *newest, struct error *error)
{
    int code = 0;
    if (!(selection->fits = arena_array(&selection->arena, count, sizeof(struct selection_fit *))))
        return error_memory(error);
    for (size_t i = 0; i < count && !code; i++) {
        if (!database_is_fit(bests[i]))
            continue;
        if (bests[i] == newest)
            selection->newest = selection->row_count;
        code = read_fit(selection, rows, bests[i], error);
    }
    return code;
}

static int order_sizes(const struct selection *selection, struct selection_fit *fit, struct error *error)
{
    const struct best *best = selection->rows[fit->first].best;
    const struct size_fit *of = &fit->fit;
    size_t found = 0;
    for (size_t i = 0; i < of->size_count; i++)
        for (size_t s = 0; s < selection->sizes->count; s++)
            if (strcmp(of->sizes[i].name, selection->sizes->items[s].name) == 0) {
                fit->sizes[i] = (unsigned)s;
                found++;
            }
    if (found == of->size_count && found == selection->sizes->count)
        return 0;
    error_set(error, ERROR_DATA, "the fit of %.60s on %.80s has other problem sizes than its region '%.100s'",
              best->provenance.kernel, best->provenance.device.name, best->provenance.problem);
    error_hint(error, "fit it again, or delete its row");
    return ERROR_DATA;
}

int selection_fits_order(struct selection *selection, struct error *error)
{
    int code = 0;
    for (size_t i = 0; i < selection->fit_count && !code; i++)
        code = order_sizes(selection, selection->fits[i], error);
    return code;
}

/* ---- Choosing ---- */

/* Reads the sizes in the fit's order. False if one is not a 64-bit integer. */
static bool read_sizes(const struct selection_fit *fit, const long double *sizes, int64_t *integers)
{
    for (size_t i = 0; i < fit->fit.size_count; i++) {
        long double size = sizes[fit->sizes[i]];
        if (!(size >= -0x1p63L && size < 0x1p63L))
            return false;
        integers[i] = (int64_t)size;
        if (size < (long double)integers[i] || size > (long double)integers[i])
            return false;
    }
    return true;
}

size_t selection_fit_choose(const struct selection *selection, const struct selection_fit *fit,
                            const long double *sizes, int sm_count, int64_t l2_bytes, uint32_t allowed)
{
    const struct selection_row *first = &selection->rows[fit->first];
    int64_t integers[SIZE_FIT_SIZES_MAX];
    if (!read_sizes(fit, sizes, integers))
        return SIZE_MAX;
    size_t chosen = size_fit_choose(&fit->fit, integers, sm_count > 0 ? sm_count : first->sm_count,
                                    l2_bytes > 0 ? l2_bytes : first->l2_bytes, allowed);
    return chosen == SIZE_MAX ? SIZE_MAX : fit->first + chosen;
}

bool selection_fit_extrapolates(const struct selection_row *row, const long double *sizes)
{
    int64_t integers[SIZE_FIT_SIZES_MAX];
    return row->fit && read_sizes(row->fit, sizes, integers) && size_fit_extrapolates(&row->fit->fit, integers);
}
