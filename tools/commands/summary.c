#include "commands/summary.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/pairs.h"
#include "base/power.h"
#include "base/statistics.h"
#include "commands/summary_energy.h"
#include "terminal/output.h"
#include "terminal/output_format.h"
#include "terminal/prose.h"

static const struct objective *objective_of(const struct best *best)
{
    return objective_find(best->objective);
}

/* Returns the row with the fastest winner of the warm start; NULL: none was timed completely. */
static const struct best *fastest_first(const struct session_result *result)
{
    const struct run_progress *run = result->run;
    bool timed = run->first_count && !isnan(run->first.value);
    return timed ? warm_start_row(result->warm_start, run->first_index) : NULL;
}

/* ---- For programs ---- */

/* Adds the cost of the run in seconds; null if unknown. */
static void add_usage(cJSON *row, const struct session_result *result)
{
    static const struct evaluator_usage none;
    const struct evaluator_usage *usage = result->usage ? result->usage : &none;
    const struct run_progress *run = result->run;
    const struct {
        const char *name;
        int64_t ns;
    } costs[] = {{"search_s", run->search_ns},
                 {"coordinator_s", run->coordinator_ns},
                 {"compile_s", usage->compile_ns},
                 {"compile_wall_s", usage->compile_wall_ns},
                 {"measuring_s", usage->phase_ns},
                 {"measuring_device_s", usage->phase_measure_ns},
                 {"measuring_compile_s", usage->phase_compile_ns}};
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++)
        output_add_real(row, costs[i].name, result->usage ? (double)costs[i].ns * 1e-9 : NAN);
    output_add_int(row, "compiled", (long long)usage->compiled);
    output_add_int(row, "compilers", (long long)usage->compilers);
}

/* Adds the warm start's configurations and the value of the best of them. */
static void add_warm_start(cJSON *row, const struct session_result *result)
{
    const struct run_progress *run = result->run;
    const struct best *from = fastest_first(result);
    output_add_int(row, "warm_started", (long long)run->first_count);
    output_add_int(row, "warm_left_out", (long long)result->warm_start->left_out);
    cJSON_AddStringToObject(row, "warm_device", from ? from->provenance.device.name : "");
    cJSON_AddStringToObject(row, "warm_problem", from ? from->provenance.problem : "");
    cJSON_AddStringToObject(row, "warm_configuration", from ? from->configuration : "");
    output_add_real(row, "warm_time_ns",
                    !from                                          ? NAN
                    : measurement_objective(&run->first)->per_work ? run->first.run_ns
                                                                   : run->first.value);
}

/* Adds the prior runs that the strategy learned from, with their relevance: "NVIDIA A100, N=10 (200 configurations,
 * weight 0.41)". */
static void describe_learned(const struct session_result *result, struct text *text)
{
    const struct learned *learned = result->learned;
    if (!result->run->plan.strategy->weigh)
        return;
    for (size_t i = 0; i < learned->count; i++)
        text_printf(text, "%s%s%s%s (%zu configurations, weight %.2f)", i ? "; " : "", learned->runs[i].device.name,
                    *learned->runs[i].problem ? ", " : "", learned->runs[i].problem, learned->prior_runs[i].count,
                    result->run->weights[i]);
}

/* Adds the number of configurations that may be as fast, and the best of them. */
static void add_unsettled(cJSON *row, const struct session_result *result)
{
    const struct run_progress *run = result->run;
    output_add_int(row, "unsettled", (long long)run->unsettled);
    cJSON_AddStringToObject(row, "censored_configuration", result->censored);
    output_add_real(row, "censored_time_ns",
                    !run->unsettled                                   ? NAN
                    : measurement_objective(&run->censored)->per_work ? run->censored.run_ns
                                                                      : run->censored.value);
}

static void add_learned(cJSON *row, const struct session_result *result)
{
    struct text text = {0};
    describe_learned(result, &text);
    cJSON_AddStringToObject(row, "learned_from", text_string(&text));
    text_free(&text);
}

/* Adds the power state and the median clock; "" and null if unknown. */
static void add_state(cJSON *row, const char *prefix, const char *states)
{
    char name[64];
    struct power power = power_of(states);
    snprintf(name, sizeof name, "%spower_state", prefix);
    cJSON_AddStringToObject(row, name, power_state_name(power.state));
    snprintf(name, sizeof name, "%sclock_mhz", prefix);
    output_add_real(row, name, power.mhz);
}

cJSON *summary_record(const struct session_subject *subject, const struct session_result *result, const char *format)
{
    cJSON *row = cJSON_CreateObject();
    output_add_best(row, result->best);
    for (int status = 0; status < STATUS_COUNT; status++) {
        char name[64];
        snprintf(name, sizeof name, "count_%s", status_name((enum status)status));
        output_add_int(row, name, (long long)result->run->counts[status]);
    }
    add_state(row, "", result->best->states);
    add_state(row, "library_", result->best->library_states);
    add_unsettled(row, result);
    output_add_int(row, "measured_now", result->replayed ? 0 : (long long)result->run->fresh);
    output_add_int(row, "finalists", (long long)result->run->finalists);
    output_add_int(row, "tied", (long long)result->run->tied);
    output_add_real(row, "processes", result->run->best.processes < 0 ? NAN : (double)result->run->best.processes);
    output_add_real(row, "efficiency_other_devices", result->run->best.efficiency_other_devices);
    output_add_real(row, "efficiency_other_sizes", result->run->best.efficiency_other_sizes);
    cJSON_AddStringToObject(row, "incumbent", incumbent_verdict_name(result->run->verdict));
    cJSON_AddStringToObject(row, "incumbent_configuration", result->incumbent);
    output_add_real(row, "incumbent_ratio", result->run->incumbent_ratio);
    output_add_int(row, "withdrawn", (long long)result->run->withdrawn);
    output_add_int(row, "discarded", (long long)result->run->discarded);
    cJSON_AddStringToObject(row, "why", result->why);
    output_add_real(row, "explain_s", result->usage ? (double)result->explain_ns * 1e-9 : NAN);
    add_learned(row, result);
    add_warm_start(row, result);
    add_usage(row, result);
    cJSON_AddStringToObject(row, "journal",
                            result->replayed  ? result->replayed
                            : result->journal ? result->journal
                                              : "");
    if (output_format(format)->nested)
        cJSON_AddItemToObject(row, "energies", summary_energies(subject, result, format));
    output_add_real(row, "elapsed_s", (double)result->run->elapsed_ns * 1e-9);
    cJSON_AddBoolToObject(row, "replayed", result->replayed != NULL);
    cJSON_AddBoolToObject(row, "interrupted", result->interrupted);
    return row;
}

/* ---- For people ---- */

/* Facts of another kind than most. */
static const struct {
    const char *name;
    enum mark mark;
} marked[] = {{"winner", MARK_STRONG}, {"best timed", MARK_STRONG}, {"speed-up", MARK_STRONG}, {"next", MARK_COMMAND}};

/* Prints a line. */
static void fact(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void fact(const char *name, const char *format, ...)
{
    enum { COLUMN = 12 };
    const struct prose prose = prose_of(STDOUT_FILENO, COLUMN);
    enum mark mark = MARK_NONE;
    struct text line = {0};
    va_list arguments;
    for (size_t i = 0; i < sizeof marked / sizeof *marked; i++)
        if (strcmp(name, marked[i].name) == 0)
            mark = marked[i].mark;
    va_start(arguments, format);
    prose_vfact(&prose, &line, name, mark, format, arguments);
    va_end(arguments);
    fwrite(text_string(&line), 1, line.length, stdout);
    text_free(&line);
}

/* Reports a pipeline's transfers in both directions together. `bytes`: on the scale of the value. */
static void print_transfers(const struct best *best, double bytes)
{
    char rate[32], limit[32];
    format_rate(rate, sizeof rate, objective_rate(objective_of(best), bytes, best->value));
    if (isnan(best->provenance.roofline_ns))
        fact("transfers", "%s over the link to the host", rate);
    else
        fact("transfers", "%s over the link to the host, %.1f%% of its ceiling, %s", rate, best->ceiling_percent,
             format_rate(limit, sizeof limit, bytes / best->provenance.roofline_ns * 1e9));
}

static void print_work(const struct best *best, const struct measurement *measured)
{
    char rate[32], run[32];
    format_work_rate(rate, sizeof rate, objective_rate(objective_of(best), 1, best->value));
    if (measured->work > 0)
        fact("work", "%s, %.10g in a run of %s", rate, measured->work, format_time(run, sizeof run, measured->run_ns));
    else /* from another program's file */
        fact("work", "%s", rate);
}

static void print_rates(const struct session_subject *subject, const struct session_result *result)
{
    const struct best *best = result->best;
    const struct measurement *measured = &result->run->best;
    const struct objective *objective = objective_of(best);
    const struct provenance *provenance = &best->provenance;
    char rate[32], ceiling[32];
    double in_bytes, out_bytes;
    space_transfers(subject->space, &in_bytes, &out_bytes);
    format_rate(rate, sizeof rate, objective_rate(objective, provenance->bytes, best->value));
    if (in_bytes + out_bytes > 0)
        print_transfers(best, (in_bytes + out_bytes) / (objective->per_work ? measured->work : 1));
    else if (!isnan(provenance->bytes) && !isnan(provenance->ceilings.copy))
        fact("traffic", "%s, %.1f%% of the copy ceiling of %s", rate, best->ceiling_percent,
             format_rate(ceiling, sizeof ceiling, provenance->ceilings.copy));
    else if (!isnan(provenance->bytes))
        fact("traffic", "%s", rate);
    if (objective->per_work)
        print_work(best, &result->run->best);
    if (!isnan(provenance->flops))
        fact("compute", "%s",
             format_flops(rate, sizeof rate, objective_rate(objective, provenance->flops, best->value)));
}

/* Writes a space and the power state of a value; "": unknown. */
static void put_state(char state[POWER_TEXT_BYTES + 1], const char *states)
{
    power_text(state + 1, power_of(states));
    state[0] = state[1] ? ' ' : '\0';
}

/* Returns the confidence of the best's interval, which few processes do not reach. */
static double confidence_of(const struct session_result *result)
{
    int64_t processes = result->run->best.processes;
    return processes > 1 ? statistics_median_confidence((size_t)processes, result->confidence) : result->confidence;
}

static const char *in_processes(char *words, size_t room, const struct measurement *best)
{
    *words = '\0';
    if (best->processes > 1)
        snprintf(words, room, " in %lld processes", (long long)best->processes);
    return words;
}

static void print_values(const struct session_subject *subject, const struct session_result *result)
{
    const struct best *best = result->best;
    const struct objective *objective = objective_of(best);
    const char *name = objective->aim ? objective->aim : objective->name; /* the value says the rest */
    char value[32], low[32], high[32], state[POWER_TEXT_BYTES + 1], processes[40];
    objective->print(value, sizeof value, best->value);
    put_state(state, best->states);
    if (isnan(best->low) || isnan(best->high)) /* from another tool's journal */
        fact(name, "%s%s, %u samples, no interval recorded", value, state, best->samples);
    else
        fact(name, "%s%s, %.4g%% interval %s to %s, median of %u samples%s", value, state, 100 * confidence_of(result),
             objective->print(low, sizeof low, best->low), objective->print(high, sizeof high, best->high),
             best->samples, in_processes(processes, sizeof processes, &result->run->best));
    if (objective->seconds != 0)
        print_rates(subject, result);
    if (!*best->provenance.default_)
        return;
    fact("default", "%s", best->provenance.default_);
    if (isnan(best->default_value))
        fact("speed-up", "unknown: there is no time of the default");
    else
        fact("speed-up", "%.2f times the default's %s", best->speedup,
             objective->print(value, sizeof value, best->default_value));
}

/* Ratio over the rounds that both played. A time of another power state has no ratio, and is not the winner's above. */
static void print_library(const struct best *best)
{
    char value[32], state[POWER_TEXT_BYTES + 1];
    bool other = power_differs(power_of(best->library_states).state, power_of(best->states).state);
    if (!*best->library || isnan(best->library_value))
        return;
    objective_of(best)->print(value, sizeof value, best->library_value);
    put_state(state, best->library_states);
    if (isnan(best->library_ratio))
        fact("library", "%s%s (%s); no ratio, as the winner beside it ran in another power state", value, state,
             best->library);
    else
        fact("library", "%s%s (%s); winner %.2f of it%s", value, state, best->library, best->library_ratio,
             other ? " in their common rounds, in another power state than the time above" : "");
}

static void print_energy(const struct session_result *result)
{
    struct summary_line lines[SUMMARY_ENERGY_LINES];
    const size_t count = summary_energy(result, lines);
    for (size_t i = 0; i < count; i++)
        fact(lines[i].name, "%s", lines[i].text);
}

static void print_learned(const struct session_result *result)
{
    struct text text = {0};
    describe_learned(result, &text);
    if (text.length)
        fact("learned", "from %s", text_string(&text));
    text_free(&text);
}

static void print_warm_start(const struct session_result *result)
{
    const struct run_progress *run = result->run;
    const struct best *from = fastest_first(result);
    const struct objective *objective = objective_of(result->best);
    size_t left_out = result->warm_start->left_out;
    struct text worth = {0};
    if (left_out)
        text_printf(&worth, ", %zu not in the set searched here", left_out);
    if (from)
        text_printf(&worth, "; the best, of %s%s%s, has %.1f%% of the winner's speed", from->provenance.device.name,
                    *from->provenance.problem ? ", " : "", from->provenance.problem,
                    100 * objective_gain(objective, run->best.value, run->first.value));
    else if (run->first_count)
        text_printf(&worth, "; none was as fast as others here");
    if (from && run->has_default)
        text_printf(&worth, " and %.2f times the default's",
                    objective_gain(objective, run->default_.value, run->first.value));
    if (run->first_count || left_out)
        fact("warm start", "winners of prior runs: %llu came first%s", (unsigned long long)run->first_count,
             text_string(&worth));
    text_free(&worth);
}

/* Prints what decided between tied configurations. */
static void print_tied(const struct session_result *result)
{
    const struct run_progress *run = result->run;
    double devices = run->best.efficiency_other_devices, sizes = run->best.efficiency_other_sizes;
    struct text why = {0};
    if (run->verdict == INCUMBENT_HOLDS || run->verdict == INCUMBENT_TIED)
        text_printf(&why, "is the incumbent");
    else if (!isnan(devices))
        text_printf(&why, "reaches %.4g%% of the best speed on %s", 100 * devices,
                    *result->other_devices ? result->other_devices : "other devices");
    else if (!isnan(sizes))
        text_printf(&why, "reaches %.4g%% of the best speed at other sizes", 100 * sizes);
    else
        text_printf(&why, "needs the fewest registers and least shared memory");
    fact("play-off", "%llu finalists; %llu are tied, and the winner %s", (unsigned long long)run->finalists,
         (unsigned long long)run->tied, text_string(&why));
    text_free(&why);
}

/* Prints what the play-off says about the configuration that the database had. */
static void print_incumbent(const struct session_result *result)
{
    static const char *const says[INCUMBENT_COUNT] = {
        [INCUMBENT_HOLDS] = "holds", [INCUMBENT_TIED] = "tied, and stays", [INCUMBENT_REPLACED] = "replaced"};
    const struct run_progress *run = result->run;
    if (run->verdict && isnan(run->incumbent_ratio))
        fact("incumbent", "%s; no other finalist played: %s", says[run->verdict], result->incumbent);
    else if (run->verdict)
        fact("incumbent", "%s; its time is %.3f of the fastest other finalist's: %s", says[run->verdict],
             run->incumbent_ratio, result->incumbent);
}

static void print_playoff(const struct session_result *result)
{
    const struct run_progress *run = result->run;
    if (run->finalists && run->tied)
        print_tied(result);
    else if (run->finalists > 1)
        fact("play-off", "%llu finalists, measured again together", (unsigned long long)run->finalists);
    if (run->best.status == STATUS_OK && *run->best.message) {
        bool hurried = strncmp(run->best.message, "the time limit ", 15) == 0;
        fact(hurried ? "play-off" : "note", "%s%s", run->best.message,
             hurried ? "; a larger --timeout or --max-time allows more" : "");
    }
    if (run->best.processes == 1)
        fact("play-off", "in one device process: the interval does not cover the spread between processes%s",
             result->replayed ? "" : "; see --playoff-processes");
    if (*run->unplayed)
        fact("play-off", "none, the search decides: %s", run->unplayed);
    if (run->discarded)
        fact("discarded", "%llu samples, taken while the device was throttled", (unsigned long long)run->discarded);
}

/* Reports the configurations that never ran, with the reason: the constraints that removed them, and the first case of
 * each status. */
static void print_pruned(const struct session_subject *subject, const struct session_result *result)
{
    const struct space *space = subject->space;
    if (!result->replayed)
        for (size_t i = 0; i < space->constraint_count; i++) {
            double removed = valid_set_removed(subject->set, i);
            if (removed > 0)
                fact("removed", "%.0f by %s %s", removed, space->constraints[i].name, space->constraints[i].text);
        }
    for (int status = 0; status < STATUS_COUNT; status++) {
        struct text config = {0};
        uint32_t choices[SPACE_PARAMETERS_MAX];
        if (result->run->counts[status] == 0 || status_class((enum status)status) != OUTCOME_FAILED)
            continue;
        valid_set_get(subject->set, result->first[status].index, choices);
        space_config_text(space, choices, &config);
        const char *message = result->first[status].message;
        fact(status_name((enum status)status), "%llu, the first %s%s%s",
             (unsigned long long)result->run->counts[status], text_string(&config), *message ? ": " : "", message);
        text_free(&config);
    }
}

static void print_saved(const struct session_result *result)
{
    char previous[32];
    objective_of(result->best)->print(previous, sizeof previous, result->previous_value);
    if (result->journal)
        fact("journal", "%s", result->journal);
    if (result->has_log)
        fact("compile log", "%s.log", result->journal);
    if (!result->database) {
        if (result->replayed)
            fact("database", "not changed: a replayed result is not a measurement of this machine");
        return;
    }
    switch (result->outcome) {
    case DATABASE_ADDED:
        fact("database", "%s, a new row", result->database);
        break;
    case DATABASE_REPLACED:
        if (isnan(result->previous_value))
            fact("database", "%s, in place of an earlier result", result->database);
        else
            fact("database", "%s, in place of the earlier %s", result->database, previous);
        break;
    case DATABASE_KEPT_FASTER:
        fact("database", "%s keeps an earlier result of %s, which is faster", result->database, previous);
        break;
    case DATABASE_KEPT_TIED:
        fact("database", "%s keeps an earlier result of %s, which is not measurably slower", result->database,
             previous);
        break;
    case DATABASE_KEPT_LATER:
        fact("database", "%s keeps a result of %s with a later date", result->database, previous);
        break;
    case DATABASE_KEPT_NEWER:
        fact("database", "%s keeps an earlier result of %s, from a newer NVRTC, CUDA version or driver",
             result->database, previous);
        break;
    }
}

/* Appends a word of a command line, quoted where the shell would change it. */
static void put_word(struct text *line, const char *word)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./:=@%+,";
    bool quoted = !*word || word[strspn(word, plain)] != '\0';
    text_append(line, quoted ? "'" : "", quoted);
    for (; *word; word++)
        text_append(line, *word == '\'' ? "'\\''" : word, *word == '\'' ? 4 : 1);
    text_append(line, quoted ? "'" : "", quoted);
}

/* Returns the command that makes a header from the saved results, or from the replayed journal, which needs no GPU.
 * Imported journals may lack data that a header needs. */
static void print_next(const struct session_result *result)
{
    const struct best *best = result->best;
    const char *kernel = best->provenance.kernel, *file = result->replayed ? result->replayed : result->database;
    struct text line = {0};
    if (!file || !pairs_identifier(kernel, strlen(kernel)) ||
        strcmp(objective_aim(best->objective), objective_default()->aim) != 0 || !*best->provenance.device.name ||
        !*best->provenance.default_)
        return;
    text_printf(&line, "cutune emit");
    if (strcmp(file, "cutune.csv") != 0) { /* the default of --db */
        text_printf(&line, " --db ");
        put_word(&line, file);
    }
    if (!result->replayed)
        text_printf(&line, " --kernel %s", kernel);
    fact("next", "%s -o %s_tuned.h", text_string(&line), kernel);
    text_free(&line);
}

/* A replay cannot measure them, and a run may have lacked time. */
static void print_unsettled(const struct session_result *result)
{
    const struct run_progress *run = result->run;
    const struct measurement *bound = &run->censored;
    const struct objective *objective = measurement_objective(bound);
    char value[32], low[32], high[32];
    if (!run->unsettled)
        return;
    fact("unknown", "%llu may be as fast: they were stopped early, as slower than others that are not among these",
         (unsigned long long)run->unsettled);
    fact("best bound", "%s, interval %s to %s, median of %u samples: %s",
         objective->print(value, sizeof value, bound->value), objective->print(low, sizeof low, bound->low),
         objective->print(high, sizeof high, bound->high), bound->samples, result->censored);
}

static void print_idle(const struct space *space, uint64_t idle)
{
    for (size_t p = 0; p < space->parameter_count; p++)
        if (idle >> p & 1u)
            fact("note",
                 "no value of %s changed anything: configurations that differ in it alone have the same machine code "
                 "and launch",
                 space->parameters[p].name);
}

/* A build of the source as it is does not see the winner's value. */
static void print_overrides(const struct space *space)
{
    struct space_overridden overridden;
    for (size_t i = 0; space_overridden(space, i, &overridden); i++) {
        fact("override", "%s replaces `%s`, line %d of %s: a build keeps that value until you change the line",
             overridden.name, overridden.text, overridden.line, overridden.path);
        if (overridden.count > 1)
            fact("", "and %zu more of its lines", overridden.count - 1);
    }
}

static void print_text(const struct session_subject *subject, const struct session_result *result)
{
    const struct best *best = result->best;
    const struct run_progress *run = result->run;
    char phases[96] = "";
    if (run->announced_ns)
        text_format(phases, sizeof phases, ": %.1f s of search, %.1f s of play-off", (double)run->search_ns * 1e-9,
                    (double)(run->elapsed_ns - run->search_ns) * 1e-9);
    fact("kernel", "%s%s%s", best->provenance.kernel, *subject->space->title ? ", " : "", subject->space->title);
    if (*best->provenance.problem)
        fact("problem", "%s", best->provenance.problem);
    if (*best->provenance.device.name)
        fact("device", "%s%s%s", best->provenance.device.name, *best->provenance.device.driver ? ", driver " : "",
             best->provenance.device.driver);
    if (result->replayed)
        fact("replayed", "from %s%s%s: nothing was measured now", result->replayed,
             *result->recorded ? ", recorded " : "", result->recorded);
    fact(run->unsettled ? "best timed" : "winner", "%s", best->configuration);
    if (provenance_unverified(&best->provenance))
        fact("unverified", "outputs were compared with those of the default configuration, which nothing verifies");
    if (result->replayed && run->best.verified != VERIFIED_TIMED)
        fact("verified", "not after timing, as far as the journal says: an earlier version or another tool wrote it");
    print_overrides(subject->space);
    print_values(subject, result);
    print_library(best);
    print_energy(result);
    if (*result->why)
        fact("why", "%s", result->why);
    if (result->replayed)
        fact("evaluated", "%llu of %llu recorded configurations by %s, seed %lld, %.1f recorded seconds",
             (unsigned long long)run->evaluated, (unsigned long long)valid_set_count(subject->set), best->strategy,
             (long long)best->seed, (double)run->elapsed_ns * 1e-9);
    else
        fact("evaluated", "%llu of %llu valid configurations by %s, %llu of them measured now, %.1f s%s",
             (unsigned long long)run->evaluated, (unsigned long long)valid_set_count(subject->set), best->strategy,
             (unsigned long long)run->fresh, (double)run->elapsed_ns * 1e-9, phases);
    if (run->withdrawn)
        fact("dropped", "%llu configuration%s not being measured at the time limit%s",
             (unsigned long long)run->withdrawn, run->withdrawn == 1 ? " that was" : "s that were",
             result->replayed ? "" : ": the same command resumes");
    fact("timed", "%llu to the end, %llu stopped early as slower",
         (unsigned long long)status_class_count(run->counts, OUTCOME_TIMED),
         (unsigned long long)status_class_count(run->counts, OUTCOME_CENSORED));
    print_unsettled(result);
    print_learned(result);
    print_warm_start(result);
    print_playoff(result);
    print_incumbent(result);
    print_pruned(subject, result);
    print_idle(subject->space, run->idle);
    if (result->interrupted)
        fact("interrupted", "%s", result->replayed ? "the search was not finished" : "the same command resumes");
    print_saved(result);
    print_next(result);
}

int summary_print(const struct session_subject *subject, const struct session_result *result, struct error *error)
{
    print_text(subject, result);
    return output_flush(error);
}
