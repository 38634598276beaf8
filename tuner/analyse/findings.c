#include "analyse/findings.h"

#include <string.h>

const char *change_name(enum change_what what)
{
    static const char *const names[CHANGE_COUNT] = {"best", "best of the first", "default"};
    return names[what];
}

bool change_regressed(const struct change *change, enum change_what what, bool strict)
{
    switch (change->rows[what].ratio.verdict) {
    case VERDICT_SLOWER:
    case VERDICT_BROKEN:
    case VERDICT_MISSING:
        return true;
    case VERDICT_AMBIGUOUS:
        return strict;
    case VERDICT_UNKNOWN:
        return what == CHANGE_BEST;
    default:
        return false;
    }
}

static const struct measurement *measured(const struct comparison_run *run, size_t configuration)
{
    return configuration == COMPARISON_NONE ? NULL : run->of[configuration];
}

static struct change_row change_of(const struct comparison_run *before, size_t before_configuration,
                                   const struct comparison_run *now, size_t now_configuration, double margin)
{
    struct change_row row = {.before = before_configuration, .now = now_configuration};
    row.ratio = verdict_of(measured(before, before_configuration), measured(now, now_configuration), margin);
    /* A database keeps only the best and the default: other configurations may have been measured. */
    if (row.ratio.verdict == VERDICT_MISSING && !now->measured_run->journal)
        row.ratio.verdict = VERDICT_UNKNOWN;
    return row;
}

static struct change find_change(const struct comparison *comparison, size_t before, size_t now, double margin)
{
    const struct comparison_run *first = &comparison->runs[before], *later = &comparison->runs[now];
    struct change change = {.before = before, .now = now};
    size_t default_ = first->default_ != COMPARISON_NONE ? first->default_ : later->default_;
    change.rows[CHANGE_BEST] = change_of(first, first->best, later, later->best, margin);
    change.rows[CHANGE_DEPLOYED] = change_of(first, first->best, later, first->best, margin);
    change.rows[CHANGE_DEFAULT] = change_of(first, default_, later, default_, margin);
    for (size_t c = 0; c < comparison->configuration_count; c++)
        change.counts[change_of(first, c, later, c, margin).ratio.verdict]++;
    return change;
}

/* The first run of the same device, which may be the run itself. */
static size_t first_of_device(const struct comparison *comparison, size_t run)
{
    size_t first = 0;
    while (strcmp(comparison->runs[first].measured_run->provenance.device.name,
                  comparison->runs[run].measured_run->provenance.device.name) != 0)
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
