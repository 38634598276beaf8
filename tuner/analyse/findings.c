#include "analyse/findings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/pairs.h"

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
    /* A database keeps only the best and the default: the configuration may have been measured. */
    if (row.ratio.verdict == VERDICT_MISSING && !now->measured_run->journal)
        row.ratio.verdict = VERDICT_UNKNOWN;
    if (row.ratio.verdict == VERDICT_OTHER_STATE) {
        char then[POWER_TEXT_BYTES], later[POWER_TEXT_BYTES];
        power_text(then, power_of(measured(before, before_configuration)->states));
        power_text(later, power_of(measured(now, now_configuration)->states));
        snprintf(row.states, sizeof row.states, "%s before, %s now", then, later);
    }
    return row;
}

/* ---- Runs that cannot be compared ---- */

static bool differ(const char *a, size_t a_length, const char *b, size_t b_length)
{
    return a_length && b_length && (a_length != b_length || memcmp(a, b, a_length) != 0);
}

const char *measured_apart(const struct measured_run *a, const struct measured_run *b)
{
    size_t a_length = 0, b_length = 0;
    const char *a_cache = pairs_value(a->provenance.options, "cache", &a_length);
    const char *b_cache = pairs_value(b->provenance.options, "cache", &b_length);
    if (differ(a_cache, a_length, b_cache, b_length))
        return "measured with the L2 cache in another state (--cache)";
    if (differ(a->provenance.data_hash, strlen(a->provenance.data_hash), b->provenance.data_hash,
               strlen(b->provenance.data_hash)))
        return "measured with other data";
    return NULL;
}

/* True if the amounts of work differ. A row of a database does not have them. */
static bool other_work(const struct comparison *comparison, const struct comparison_run *a,
                       const struct comparison_run *b)
{
    bool other = false;
    for (size_t c = 0; c < comparison->configuration_count && comparison->objective->per_work; c++)
        if (a->of[c] && b->of[c] && a->measured_run->journal && b->measured_run->journal)
            other |= fabs(a->of[c]->work - b->of[c]->work) > 1e-9 * fabs(a->of[c]->work);
    return other;
}

static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static bool same_measurement(const struct measurement *a, const struct measurement *b)
{
    return a == b || (a && b && a->status == b->status && a->samples == b->samples && same_number(a->value, b->value) &&
                      same_number(a->low, b->low) && same_number(a->high, b->high));
}

/* True for the same results twice: a file and its copy, or a row of a database that a slower run did not replace. */
static bool same_results(const struct comparison *comparison, const struct comparison_run *a,
                         const struct comparison_run *b)
{
    bool same = strcmp(a->measured_run->provenance.date, b->measured_run->provenance.date) == 0;
    for (size_t c = 0; c < comparison->configuration_count && same; c++)
        same = same_measurement(a->of[c], b->of[c]);
    return same;
}

static const char *apart(const struct comparison *comparison, const struct comparison_run *a,
                         const struct comparison_run *b)
{
    const char *reason = measured_apart(a->measured_run, b->measured_run);
    if (!reason && other_work(comparison, a, b))
        reason = "their amounts of work differ (work)";
    if (!reason && same_results(comparison, a, b))
        reason = "these are the same results, not measured again";
    return reason;
}

static struct change find_change(const struct comparison *comparison, size_t before, size_t now, double margin)
{
    const struct comparison_run *first = &comparison->runs[before], *later = &comparison->runs[now];
    struct change change = {.before = before, .now = now};
    size_t default_ = first->default_ != COMPARISON_NONE ? first->default_ : later->default_;
    change.rows[CHANGE_BEST] = change_of(first, first->best, later, later->best, margin);
    change.rows[CHANGE_DEPLOYED] = change_of(first, first->best, later, first->best, margin);
    change.rows[CHANGE_DEFAULT] = change_of(first, default_, later, default_, margin);
    change.apart = apart(comparison, first, later);
    for (int what = 0; what < CHANGE_COUNT && change.apart; what++)
        change.rows[what].ratio.verdict = VERDICT_UNKNOWN;
    for (size_t c = 0; c < comparison->configuration_count; c++)
        change.counts[change.apart ? VERDICT_UNKNOWN : change_of(first, c, later, c, margin).ratio.verdict]++;
    return change;
}

/* Returns the first run of the same device, possibly the run itself; `alike`: only runs measured under the same
 * conditions. */
static size_t first_of_device(const struct comparison *comparison, size_t run, bool alike)
{
    const struct measured_run *of = comparison->runs[run].measured_run, *first;
    for (size_t r = 0; r < run; r++) {
        first = comparison->runs[r].measured_run;
        if (strcmp(first->provenance.device.name, of->provenance.device.name) == 0 &&
            (!alike || !measured_apart(first, of)))
            return r;
    }
    return run;
}

static size_t baseline_of(const struct comparison *comparison, size_t run)
{
    size_t alike = first_of_device(comparison, run, true);
    return alike != run ? alike : first_of_device(comparison, run, false);
}

int findings_make(struct findings *findings, struct arena *arena, const struct comparison *comparison, size_t top,
                  double margin, struct work *work, struct error *error)
{
    int code = 0;
    *findings = (struct findings){.comparison = comparison};
    findings->importance = arena_array(arena, comparison->run_count + 1, sizeof *findings->importance);
    findings->ranking = arena_array(arena, top + 1, sizeof *findings->ranking);
    findings->changes = arena_array(arena, comparison->run_count + 1, sizeof *findings->changes);
    if (!findings->importance || !findings->ranking || !findings->changes)
        return error_memory(error);
    for (size_t r = 0; r < comparison->run_count && !code; r++) {
        size_t first = baseline_of(comparison, r);
        findings->importance[r].shares = arena_array(arena, comparison->parameter_count + 1, sizeof(double));
        if (!findings->importance[r].shares)
            return error_memory(error);
        code = importance_find(comparison, r, &findings->importance[r], work, error);
        if (first != r)
            findings->changes[findings->change_count++] = find_change(comparison, first, r, margin);
    }
    findings->known = comparison_rank(comparison, findings->ranking, top);
    findings->ranked = findings->known < top ? findings->known : top;
    return code;
}
