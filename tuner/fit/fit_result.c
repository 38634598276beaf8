/* Turns a fit over sizes into a row of the database. */
#include <math.h>

#include "base/clock.h"
#include "base/text.h"
#include "fit/fit_run.h"
#include "journal/winner.h"

/* Returns the configuration that serves most sizes. */
static const char *most_taken(const struct fit *fit)
{
    size_t most = 0;
    for (size_t i = 1; i < fit->sizes->configuration_count; i++)
        if (fit->rules[i] > fit->rules[most])
            most = i;
    return fit->sizes->configurations[most].text;
}

/* Returns the conditions under which each of the fit's configurations is valid. */
static const char *conditions_of(const struct fit_result *result, struct arena *arena)
{
    struct text text = {0};
    for (size_t i = 0; i < result->fit.sizes->configuration_count; i++)
        text_printf(&text, "%s%s;", i ? " " : "", result->journals.requirements[result->fit.chosen[i]]);
    const char *copy = text.failed ? NULL : arena_copy(arena, text_string(&text), text.length);
    text_free(&text);
    return copy;
}

int fit_result_row(struct fit_result *result, const struct session_request *session, struct best *row,
                   struct error *error)
{
    const struct journal_header *header = journal_get_header(result->journals.items[0]->journal);
    struct arena *arena = &result->journals.arena;
    struct text fit = {0}, quality = {0}, region = {0};
    char *date = arena_alloc(arena, CLOCK_UTC_BYTES);
    size_fit_print(result->fit.sizes, &fit);
    fit_quality_text(&result->fit, &quality);
    fit_region_text(&result->fit, &region);
    struct provenance provenance = header->provenance;
    provenance.problem = arena_copy(arena, text_string(&region), region.length);
    provenance.bytes = provenance.flops = provenance.roofline_ns = NAN; /* they differ by size */
    provenance.date = date;
    const struct winner none = {.measurement = measurement_unknown(STATUS_OK),
                                .default_ = measurement_unknown(STATUS_OK)};
    *row = winner_row(&none, &provenance, most_taken(&result->fit), 0);
    row->objective = header->objective->name;
    row->strategy = session->strategy ? session->strategy : "";
    row->seed = (int64_t)session->seed;
    row->fit = arena_copy(arena, text_string(&fit), fit.length);
    row->fit_quality = arena_copy(arena, text_string(&quality), quality.length);
    row->condition = conditions_of(result, arena);
    int code = fit.failed || quality.failed || region.failed || !date || !provenance.problem || !row->fit ||
                       !row->fit_quality || !row->condition
                   ? error_memory(error)
                   : 0;
    if (date)
        clock_utc(date);
    text_free(&fit);
    text_free(&quality);
    text_free(&region);
    return code;
}

void fit_result_free(struct fit_result *result)
{
    fit_free(&result->fit);
    fit_journals_free(&result->journals);
    fit_region_free(&result->region);
    *result = (struct fit_result){0};
}
