#include "analyse/findings.h"

#include <string.h>

const char *change_name(enum change_what what)
{
    static const char *const names[CHANGE_COUNT] = {"best", "best of the first", "default"};
    return names[what];
}

static bool has_time(const struct comparison *comparison, size_t configuration, size_t run)
{
    enum cell cell = comparison_cell(comparison, configuration, run, NULL);
    return cell == CELL_TIMED || cell == CELL_EARLY;
}

static struct change_row change_of(const struct comparison *comparison, size_t before, size_t before_configuration,
                                   size_t now, size_t now_configuration, double margin)
{
    struct change_row row = {0};
    row.known = has_time(comparison, before_configuration, before) && has_time(comparison, now_configuration, now);
    if (row.known)
        row.ratio = verdict_of(comparison->runs[before].of[before_configuration],
                               comparison->runs[now].of[now_configuration], margin);
    return row;
}

static struct change find_change(const struct comparison *comparison, size_t before, size_t now, double margin)
{
    const struct comparison_run *first = &comparison->runs[before], *later = &comparison->runs[now];
    struct change change = {.before = before, .now = now};
    size_t standard = first->standard != COMPARISON_NONE ? first->standard : later->standard;
    change.rows[CHANGE_BEST] = change_of(comparison, before, first->best, now, later->best, margin);
    change.rows[CHANGE_DEPLOYED] = change_of(comparison, before, first->best, now, first->best, margin);
    change.rows[CHANGE_DEFAULT] = change_of(comparison, before, standard, now, standard, margin);
    for (size_t c = 0; c < comparison->configuration_count; c++) {
        struct change_row row = change_of(comparison, before, c, now, c, margin);
        if (row.known)
            change.counts[row.ratio.verdict]++;
    }
    return change;
}

/* The first run of the same device, or the run itself. */
static size_t first_of_device(const struct comparison *comparison, size_t run)
{
    size_t first = 0;
    while (strcmp(comparison->runs[first].landscape->device, comparison->runs[run].landscape->device) != 0)
        first++;
    return first;
}

int findings_make(struct findings *findings, struct arena *arena, const struct comparison *comparison, size_t top,
                  double margin, struct error *error)
{
    int code = 0;
    *findings = (struct findings){.comparison = comparison};
    findings->importance = arena_array(arena, comparison->run_count + 1, sizeof *findings->importance);
    findings->ranking = arena_array(arena, top + 1, sizeof *findings->ranking);
    findings->changes = arena_array(arena, comparison->run_count + 1, sizeof *findings->changes);
    if (!findings->importance || !findings->ranking || !findings->changes)
        return error_memory(error);
    for (size_t r = 0; r < comparison->run_count && !code; r++) {
        size_t first = first_of_device(comparison, r);
        findings->importance[r].shares = arena_array(arena, comparison->parameter_count + 1, sizeof(double));
        if (!findings->importance[r].shares)
            return error_memory(error);
        code = importance_find(comparison, r, &findings->importance[r], error);
        if (first != r)
            findings->changes[findings->change_count++] = find_change(comparison, first, r, margin);
    }
    findings->known = comparison_rank(comparison, findings->ranking, top);
    findings->ranked = findings->known < top ? findings->known : top;
    return code;
}
