#include "commands/compare_gate.h"

#include <math.h>
#include <string.h>

#include "base/pairs.h"
#include "compare/compare.h"
#include "terminal/output.h"

struct gate {
    const struct compared *compared;
    const char *kernel; /* NULL: all */
    bool strict;        /* ambiguous results fail, too */
    bool paired;        /* there were runs to compare */
    size_t regressions, left, ambiguous;
    bool missing; /* a configuration that --complete can measure */
};

static const struct measured_run *run_of(const struct findings *findings, size_t run)
{
    return findings->comparison->runs[run].measured_run;
}

/* Single file: all runs are both baseline and later runs. */
static bool single(const struct gate *gate)
{
    return gate->compared->measured.source_count == 1;
}

static size_t side_of(const struct gate *gate, const struct measured_run *run)
{
    return single(gate) ? (size_t)(run - gate->compared->measured.items) : run->source;
}

static bool same_folder(const char *a, const char *b)
{
    const char *a_end = strrchr(a, '/'), *b_end = strrchr(b, '/');
    size_t a_length = a_end ? (size_t)(a_end - a) : 0, b_length = b_end ? (size_t)(b_end - b) : 0;
    return a_length == b_length && strncmp(a, b, a_length) == 0;
}

/* True for a file whose new results have no baseline: the last file, or one in the same folder if there are others. */
static bool may_be_new(const struct gate *gate, size_t source, const char *path)
{
    const struct measured_runs *measured = &gate->compared->measured;
    const char *last = "";
    bool others = false;
    if (single(gate) || source + 1 == measured->source_count)
        return !single(gate);
    for (size_t i = 0; i < measured->count; i++)
        if (measured->items[i].source + 1 == measured->source_count)
            last = measured->items[i].path;
    for (size_t i = 0; i < measured->count; i++)
        others |= !same_folder(measured->items[i].path, last);
    return *last && others && same_folder(path, last);
}

/* ---- Regressions ---- */

/* Reports on one line which result of a run is a regression or not judged, and why. */
static void report_result(const struct findings *findings, const struct change *change, enum change_what what)
{
    const struct comparison *comparison = findings->comparison;
    const struct change_row *row = &change->rows[what];
    size_t configuration = row->now != COMPARISON_NONE ? row->now : row->before;
    struct text why = {0};
    if (isnan(row->ratio.ratio) || row->ratio.verdict == VERDICT_UNKNOWN || row->ratio.verdict == VERDICT_OTHER_STATE)
        text_printf(&why, "%s", compare_change_note(comparison, change, what));
    else
        text_printf(&why, "%.4f times", row->ratio.ratio);
    if (configuration != COMPARISON_NONE) {
        text_append(&why, " (", 2);
        comparison_text(comparison, configuration, &why);
        text_append(&why, ")", 1);
    }
    output_note("%s, %s, %s, %s against %s: %s is %s: %s", comparison->kernel, comparison->problem,
                comparison->runs[change->now].measured_run->provenance.device.name,
                comparison->runs[change->now].measured_run->path, comparison->runs[change->before].measured_run->path,
                change_name(what), verdict_name(row->ratio.verdict), text_string(&why));
    text_free(&why);
}

static void judge_change(struct gate *gate, const struct findings *findings, const struct change *change)
{
    bool by_medians = false;
    gate->paired = true;
    for (enum change_what what = 0; what < CHANGE_COUNT; what++) {
        const struct verdict_ratio *ratio = &change->rows[what].ratio;
        by_medians |= ratio->by_medians && !change->apart;
        gate->ambiguous += ratio->verdict == VERDICT_AMBIGUOUS;
        if (ratio->verdict == VERDICT_OTHER_STATE)
            report_result(findings, change, what);
        if (!change_regressed(change, what, gate->strict))
            continue;
        report_result(findings, change, what);
        gate->missing |= ratio->verdict == VERDICT_MISSING;
        *(change->apart ? &gate->left : &gate->regressions) += 1;
    }
    if (by_medians)
        output_note("%s against %s: no intervals: judged by medians",
                    findings->comparison->runs[change->now].measured_run->path,
                    findings->comparison->runs[change->before].measured_run->path);
}

/* ---- Results without a partner ---- */

static bool same_kernel(const struct measured_run *a, const struct measured_run *b)
{
    return strcmp(a->provenance.kernel, b->provenance.kernel) == 0;
}

static bool same_device(const struct measured_run *a, const struct measured_run *b)
{
    return strcmp(a->provenance.device.name, b->provenance.device.name) == 0;
}

static bool same_problem(const struct measured_run *a, const struct measured_run *b)
{
    return pairs_compare(a->provenance.problem, b->provenance.problem) == 0;
}

static bool same_objective(const struct measured_run *a, const struct measured_run *b)
{
    return a->objective == b->objective;
}

static bool crosses(const struct gate *gate, const struct findings *findings, const struct change *change)
{
    return side_of(gate, run_of(findings, change->before)) != side_of(gate, run_of(findings, change->now));
}

/* Returns the change of a later run against this one, or against another run of its file with the same conditions. */
static const struct change *partner_of(const struct gate *gate, const struct findings *findings, size_t run)
{
    const struct measured_run *of = run_of(findings, run), *before;
    const struct change *found = NULL;
    for (size_t c = 0; c < findings->change_count; c++) {
        const struct change *change = &findings->changes[c];
        before = run_of(findings, change->before);
        if (!crosses(gate, findings, change))
            continue;
        if (change->before == run)
            return change;
        if (side_of(gate, before) == side_of(gate, of) && same_device(before, of) && !measured_apart(before, of))
            found = change;
    }
    return found;
}

/* True if the run is the later one of a change. */
static bool is_later(const struct gate *gate, const struct findings *findings, size_t run)
{
    for (size_t c = 0; c < findings->change_count; c++)
        if (findings->changes[c].now == run && crosses(gate, findings, &findings->changes[c]))
            return true;
    return false;
}

/* Respects in which two runs have to agree; the last one applies if all others do. */
static const struct respect {
    bool (*same)(const struct measured_run *a, const struct measured_run *b);
    const char *what;
} respects[] = {{same_kernel, "of the kernel"},
                {same_device, "of the kernel on this device"},
                {same_problem, "of these sizes"},
                {same_objective, "with this objective"},
                {NULL, "with these parameters"}};

/* Returns the first respect in which all later runs differ from this one, or from those that agree in earlier
 * respects. */
static const char *respect_of(const struct gate *gate, const struct measured_run *run)
{
    const struct measured_runs *measured = &gate->compared->measured;
    size_t most = 0;
    for (size_t i = 0; i < measured->count; i++) {
        size_t agrees = 0;
        if (side_of(gate, &measured->items[i]) <= side_of(gate, run))
            continue;
        while (respects[agrees].same && respects[agrees].same(run, &measured->items[i]))
            agrees++;
        most = agrees > most ? agrees : most;
    }
    return respects[most].what;
}

/* Later runs of its device in the same comparison were measured under other conditions. */
static void report_left(struct gate *gate, const struct findings *findings, size_t run)
{
    const struct measured_run *of = run_of(findings, run);
    bool alone = true;
    for (size_t r = 0; r < findings->comparison->run_count; r++)
        alone &= side_of(gate, run_of(findings, r)) <= side_of(gate, of) || !same_device(run_of(findings, r), of);
    output_note("%s, %s, %s, %s: best is missing: no later run %s", of->provenance.kernel, of->provenance.problem,
                of->provenance.device.name, of->path, alone ? respect_of(gate, of) : "was measured in the same way");
    gate->left++;
}

static void judge_runs(struct gate *gate, const struct findings *findings)
{
    for (size_t r = 0; r < findings->comparison->run_count; r++) {
        const struct measured_run *of = run_of(findings, r);
        const struct change *partner = partner_of(gate, findings, r);
        if (is_later(gate, findings, r))
            continue;
        if (partner && partner->before != r)
            output_note("%s, %s, %s: the baseline is %s, and not %s", of->provenance.kernel, of->provenance.problem,
                        of->provenance.device.name, run_of(findings, partner->before)->path, of->path);
        else if (!partner && may_be_new(gate, of->source, of->path))
            output_note("%s, %s, %s: %s is new, nothing to compare it with", of->provenance.kernel,
                        of->provenance.problem, of->provenance.device.name, of->path);
        else if (!partner)
            report_left(gate, findings, r);
    }
}

/* Fits have no times. */
static void judge_fits(struct gate *gate)
{
    const struct measured_runs *measured = &gate->compared->measured;
    size_t compared = 0;
    for (size_t i = 0; i < measured->fit_count && !single(gate); i++) {
        const struct best *row = measured->fits[i].row;
        size_t source = measured->fits[i].source, later = 0;
        if (gate->kernel && strcmp(gate->kernel, row->provenance.kernel) != 0)
            continue;
        compared++;
        while (later < measured->fit_count &&
               (measured->fits[later].source <= source || database_compare_keys(row, measured->fits[later].row) != 0))
            later++;
        if (later < measured->fit_count || may_be_new(gate, source, measured->fits[i].path))
            continue;
        output_note("%s, %s, %s: the fit over %s is missing later", row->provenance.kernel, row->provenance.device.name,
                    measured->fits[i].path, row->provenance.problem);
        gate->left++;
    }
    if (compared)
        output_note("fits over sizes have no times to judge: %zu", compared);
}

static void judge_others(struct gate *gate)
{
    const struct measured_runs *measured = &gate->compared->measured;
    for (size_t i = 0; i < measured->other_count; i++) {
        const struct best *row = measured->others[i].row;
        if (may_be_new(gate, measured->others[i].source, measured->others[i].path) ||
            (gate->kernel && strcmp(gate->kernel, row->provenance.kernel) != 0))
            continue;
        output_note("%s, %s, %s, %s: not compared: the row has no value of an objective that is known here",
                    row->provenance.kernel, row->provenance.problem, row->provenance.device.name,
                    measured->others[i].path);
        gate->left++;
    }
}

static void judge_files(struct gate *gate)
{
    const struct measured_runs *measured = &gate->compared->measured;
    for (size_t source = 0; source < measured->source_count; source++) {
        bool any = false;
        for (size_t i = 0; i < measured->count; i++)
            any |= measured->items[i].source == source;
        for (size_t i = 0; i < measured->fit_count; i++)
            any |= measured->fits[i].source == source;
        for (size_t i = 0; i < measured->other_count; i++)
            any |= measured->others[i].source == source;
        if (any)
            continue;
        output_note("%s has no results", gate->compared->files[source]);
        gate->left++;
    }
}

/* ---- All together ---- */

static int answer(const struct gate *gate, const char *fail_on, struct error *error)
{
    if (!gate->paired) {
        error_set(error, ERROR_NOT_FOUND, "--fail-on needs two runs of one device, kernel and problem");
        error_hint(error, "name the baseline first, then the later runs");
        return ERROR_NOT_FOUND;
    }
    if (!gate->regressions && !gate->left) {
        if (gate->ambiguous && !gate->strict)
            output_note("ambiguous results, on which only --fail-on ambiguous fails: %zu", gate->ambiguous);
        return 0;
    }
    char regressions[64] = "", left[64] = "";
    if (gate->regressions)
        text_format(regressions, sizeof regressions, " regressions: %zu", gate->regressions);
    if (gate->left)
        text_format(left, sizeof left, " not compared: %zu", gate->left);
    error_set(error, ERROR_REGRESSION, "--fail-on %s:%s%s%s", fail_on, regressions, *regressions && *left ? ";" : "",
              left);
    if (gate->missing)
        error_hint(error, "--complete measures the best configurations that are missing, on their device");
    return ERROR_REGRESSION;
}

int compare_gate(const char *fail_on, const struct compared *compared, const char *kernel, struct error *error)
{
    struct gate gate = {.compared = compared, .kernel = kernel, .strict = strcmp(fail_on, "ambiguous") == 0};
    for (size_t i = 0; i < compared->comparisons.count; i++) {
        const struct findings *findings = &compared->findings[i];
        judge_runs(&gate, findings);
        for (size_t c = 0; c < findings->change_count; c++)
            if (crosses(&gate, findings, &findings->changes[c]))
                judge_change(&gate, findings, &findings->changes[c]);
    }
    judge_fits(&gate);
    judge_others(&gate);
    judge_files(&gate);
    return answer(&gate, fail_on, error);
}
