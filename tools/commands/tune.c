#include "commands/tune.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/provenance.h"
#include "commands/find.h"
#include "commands/limit.h"
#include "commands/part.h"
#include "commands/summary.h"
#include "compile/cache.h"
#include "compile/pool.h"
#include "db/database.h"
#include "db/journal.h"
#include "device/device.h"
#include "evaluate/rows.h"
#include "terminal/output.h"
#include "terminal/stop.h"
#include "tuner/warm_start.h"

/* Buffers hold the same random numbers in every run, whatever the seed of the search: a journal stays usable. */
enum { BUFFER_SEED = 1 };

struct tune {
    const struct tune_setup *setup;
    const struct tune_values *values;
    struct arena arena;
    struct space *space;
    struct valid_set *set;
    struct device *device;
    struct journal *recorded; /* --replay */
    struct journal *journal;  /* that this run appends to */
    const struct device_limits *limits;
    struct strategy_choice strategy;
    struct compile_cache cache;
    struct evaluator_setup evaluation;
    struct evaluator evaluator;
    struct progress progress;
    struct run_progress run;
    struct warm_start warm_start;
    struct text problem, options;
    struct nvrtc_version nvrtc;
    char data_hash[HASH_HEX_BYTES], fingerprint[HASH_HEX_BYTES];
    bool has_log;
};

static void note(const struct tune *tune, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void note(const struct tune *tune, const char *format, ...)
{
    va_list arguments;
    if (tune->values->quiet)
        return;
    va_start(arguments, format);
    output_note_list(format, arguments);
    va_end(arguments);
}

/* ---- What is tuned, and on what ---- */

/* A result that could not be saved is found out before the first measurement, not after the last. */
static int check_database(const struct tune *tune, struct error *error)
{
    struct database *database = NULL;
    int code = tune->values->replay || tune->setup->list ? 0 : database_open(&database, tune->values->database, error);
    database_close(database);
    return code;
}

/* Without a space file a replay searches what was recorded, all of it. */
static bool replay_alone(const struct tune *tune)
{
    return tune->values->replay && !tune->values->space;
}

static int open_space(struct tune *tune, struct error *error)
{
    if (strategy_choose(&tune->strategy, tune->values->strategy, 0, 0, error)) /* before anything is started for it */
        return (int)error->code;
    if (replay_alone(tune))
        return 0;
    struct space_file own = {0};
    const struct space_file *file = tune->setup->space ? tune->setup->space : &own;
    int code = tune->setup->space ? 0 : find_space_file(&tune->arena, tune->values->space, &own, error);
    const char *path = file->path;
    if (!code)
        code = space_file_parse(file, &tune->space, error);
    if (!code && !tune->space->kernel) {
        code = error_set(error, ERROR_DATA, "%s has no kernel: there is nothing to compile", path);
        error_hint(error, "`cutune check %s` counts its configurations", path);
    }
    if (!code && !tune->values->replay && !tune->values->quiet)
        find_note_unknown(tune->space);
    return code ? code : check_database(tune, error);
}

static int open_device(struct tune *tune, struct error *error)
{
    if (tune->values->replay) {
        int code = journal_read(&tune->recorded, tune->values->replay, error);
        if (!code)
            tune->limits = &journal_get_header(tune->recorded)->limits;
        return code;
    }
    int code = device_open(&tune->device, (int)tune->values->device, error);
    if (code == ERROR_NO_DEVICE)
        error_hint(error,
                   "--replay FILE runs the same search on a journal that was recorded on a GPU; db/recorded/ has some");
    if (!code)
        tune->limits = device_limits(tune->device);
    return code;
}

static int bind_space(struct tune *tune, struct error *error)
{
    const struct option_list *sets = &tune->values->sets;
    int code = 0;
    if (replay_alone(tune)) {
        code = rows_space(&tune->space, tune->recorded, error);
        text_printf(&tune->problem, "%s", journal_get_header(tune->recorded)->problem);
        return code ? code : tune->problem.failed ? error_memory(error) : 0;
    }
    for (size_t i = 0; i < sets->count && !code; i++)
        code = space_narrow(tune->space, sets->items[i], error);
    if (!code)
        code = space_bind(tune->space, tune->setup->defines, tune->values->defines.count, tune->limits, error);
    if (code)
        return code;
    space_problem_text(tune->space, &tune->problem);
    if (tune->problem.failed)
        return error_memory(error);
    if (tune->setup->count > 1 && tune->limits)
        note(tune, "run %zu of %zu: %s", tune->setup->number + 1, tune->setup->count, text_string(&tune->problem));
    return 0;
}

/* ---- The valid set ---- */

/* What a replay searches, and whether it can. */
static int open_recorded(struct tune *tune, struct error *error)
{
    const char *path = tune->values->replay;
    bool same_version = true;
    uint64_t missing = 0;
    int line, code = tune->values->max_time_s != 0 ? replayed_check_seconds(tune->recorded, error) : 0;
    if (!code && journal_torn(tune->recorded, &line))
        note(tune, "%s:%d: the last line is torn and left out", path, line);
    if (!code && !replay_alone(tune))
        code = replayed_check_space(tune->recorded, tune->space, text_string(&tune->problem), &same_version, error);
    if (!code && !replay_alone(tune))
        code = valid_set_build(&tune->set, tune->space, (size_t)tune->values->space_memory_mib << 20, error);
    if (!code)
        code = replayed_set(&tune->set, tune->space, tune->recorded, &missing, error);
    if (code)
        return code;
    if (!same_version)
        note(tune, "%s was recorded from another version of %s or of its kernel", path, tune->space->path);
    if (missing)
        note(tune, "%llu of %llu valid configurations are not in %s and are left out", (unsigned long long)missing,
             (unsigned long long)(missing + valid_set_count(tune->set)), path);
    return 0;
}

static int build_set(struct tune *tune, struct error *error)
{
    int code = tune->recorded
                   ? open_recorded(tune, error)
                   : valid_set_build(&tune->set, tune->space, (size_t)tune->values->space_memory_mib << 20, error);
    if (!code && tune->values->configs.count)
        code = listed_set(&tune->set, tune->space, tune->values->configs.items, tune->values->configs.count, error);
    uint64_t default_;
    bool said = !tune->space->no_default || (tune->recorded && *journal_get_header(tune->recorded)->default_);
    if (!code && valid_set_count(tune->set) > 0 && said && !valid_set_find_default(tune->set, tune->space, &default_))
        note(tune, "the default configuration of %s is not valid here: there is no speed-up over it",
             tune->space->path);
    if (!code && valid_set_count(tune->set) == 0) {
        code = error_set(error, ERROR_NOTHING_VALID, "no configuration of %s is valid", tune->space->path);
        error_hint(error, "`cutune check %s` says what removes how many", tune->space->path);
    }
    if (code)
        return code;
    return strategy_choose(&tune->strategy, tune->values->strategy, valid_set_count(tune->set),
                           (uint64_t)tune->values->max_evals, error);
}

/* ---- Evaluator and journal ---- */

/* A replay is the same on every machine. */
static size_t compiler_jobs(const struct tune *tune)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (tune->values->jobs)
        return (size_t)tune->values->jobs;
    if (tune->recorded)
        return 1;
    return cores <= 2 ? 1 : cores > POOL_JOBS_MAX ? POOL_JOBS_MAX : (size_t)cores - 1;
}

/* NULL when it is not wanted, or cannot be used: that costs time and nothing else. */
static const struct compile_cache *open_cache(struct tune *tune)
{
    struct error error = {0};
    if (tune->recorded || tune->values->no_cache)
        return NULL;
    if (!compile_cache_find(&tune->cache, &error) && !compile_cache_open(&tune->cache, &error))
        return &tune->cache;
    note(tune, "nothing is cached: %s", error.message);
    return NULL;
}

/* A flush would undo what an L2 window is for: then it is never done, for windows of no size either. */
static bool is_warm(const struct tune *tune)
{
    return tune->space->window || strcmp(tune->values->cache, "warm") == 0;
}

static struct sampling sampling_of(const struct tune *tune)
{
    const struct tune_values *values = tune->values;
    return (struct sampling){.warm = is_warm(tune),
                             .samples = (uint32_t)values->samples,
                             .confidence = values->confidence,
                             .target_interval = values->target_interval_percent / 100};
}

static int open_evaluator(struct tune *tune, struct error *error)
{
    tune->evaluation = (struct evaluator_setup){.space = tune->space,
                                                .set = tune->set,
                                                .device = tune->device,
                                                .journal = tune->recorded,
                                                .cache = open_cache(tune),
                                                .jobs = compiler_jobs(tune),
                                                .timeout_ns = (int64_t)(tune->values->timeout_s * 1e9),
                                                .min_occupancy = tune->values->min_occupancy,
                                                .seed = BUFFER_SEED,
                                                .sampling = sampling_of(tune),
                                                .stop = tune->setup->stop};
    return evaluator_open(&tune->evaluator, tune->recorded ? "replay" : "cuda", &tune->evaluation, error);
}

static int make_fingerprint(struct tune *tune, struct error *error)
{
    char schema[16], cc[16];
    snprintf(schema, sizeof schema, "%d", JOURNAL_SCHEMA);
    snprintf(cc, sizeof cc, "%d", (int)tune->limits->cc);
    text_printf(&tune->options,
                "cache=%s samples=%lld confidence=%.9g target-interval=%.9g timeout=%.9g "
                "min-occupancy=%.9g",
                is_warm(tune) ? "warm" : "cold", (long long)tune->values->samples, tune->values->confidence,
                tune->values->target_interval_percent, tune->values->timeout_s, tune->values->min_occupancy);
    int code = tune->options.failed ? error_memory(error) : compile_nvrtc_version(&tune->nvrtc, error);
    if (!code)
        code = space_data_hash(tune->space, tune->data_hash, error);
    if (code)
        return code;
    return provenance_fingerprint(&(struct provenance){.schema = schema,
                                                       .kernel = tune->space->kernel,
                                                       .problem = text_string(&tune->problem),
                                                       .options = text_string(&tune->options),
                                                       .source = tune->space->source_hash,
                                                       .space = tune->space->text_hash,
                                                       .toolkit = tune->space->toolkit_hash,
                                                       .data = tune->data_hash,
                                                       .device = tune->limits->name,
                                                       .cc = cc,
                                                       .driver = tune->limits->driver,
                                                       .nvrtc = tune->nvrtc.number,
                                                       .nvrtc_build = tune->nvrtc.build,
                                                       .cutune = CUTUNE_VERSION},
                                  tune->fingerprint, error);
}

static int ask_ceilings(struct tune *tune, struct journal_header *header, struct error *error)
{
    struct ceilings ceilings;
    int code = tune->evaluator.ops->ceilings(tune->evaluator.state, &ceilings, error);
    header->copy_ceiling = ceilings.copy;
    header->link_to_device = ceilings.link_to_device;
    header->link_to_host = ceilings.link_to_host;
    header->link_both = ceilings.link_both;
    header->floor_ns = floor_of_space(tune->space, &ceilings);
    return code;
}

static const char *config_string(struct tune *tune, uint64_t index)
{
    struct text text = {0};
    uint32_t choices[SPACE_PARAMETERS_MAX];
    if (index == UINT64_MAX && tune->space->no_default)
        return "";
    if (index == UINT64_MAX)
        space_default(tune->space, choices);
    else
        valid_set_get(tune->set, index, choices);
    space_config_text(tune->space, choices, &text);
    const char *copy = arena_copy(&tune->arena, text_string(&text), text.length);
    text_free(&text);
    return copy ? copy : "";
}

static int open_journal(struct tune *tune, struct error *error)
{
    const char *names[SPACE_PARAMETERS_MAX];
    char created[CLOCK_UTC_BYTES];
    int line, code = make_fingerprint(tune, error);
    clock_utc(created);
    for (size_t p = 0; p < tune->space->parameter_count; p++)
        names[p] = tune->space->parameters[p].name;
    struct journal_header header = {.kernel = tune->space->name,
                                    .title = tune->space->title,
                                    .problem = text_string(&tune->problem),
                                    .fingerprint = tune->fingerprint,
                                    .source_hash = tune->space->source_hash,
                                    .space_hash = tune->space->text_hash,
                                    .options = text_string(&tune->options),
                                    .nvrtc = tune->nvrtc.number,
                                    .nvrtc_build = tune->nvrtc.build,
                                    .toolkit_hash = tune->space->toolkit_hash,
                                    .data_hash = tune->data_hash,
                                    .created = created,
                                    .version = CUTUNE_VERSION,
                                    .default_ = config_string(tune, UINT64_MAX),
                                    .bytes = tune->space->bytes,
                                    .flops = tune->space->flops,
                                    .copy_ceiling = NAN,
                                    .link_to_device = NAN,
                                    .link_to_host = NAN,
                                    .link_both = NAN,
                                    .floor_ns = NAN,
                                    .limits = *tune->limits,
                                    .parameter_count = tune->space->parameter_count,
                                    .parameters = names};
    const struct tune_list *list = tune->setup->list;
    if (!code && list)
        code = list_check(list->journal, list->fingerprint, tune->fingerprint, error);
    const char *path = code ? NULL : list ? list->journal : journal_path(&tune->arena, tune->values->journal, &header);
    if (!code && !path)
        code = error_memory(error);
    /* A journal that is there knows the ceilings; the header of a new one has to be told. */
    if (!code && !journal_begun(path))
        code = ask_ceilings(tune, &header, error);
    if (!code)
        code = journal_open(&tune->journal, path, &header, error);
    if (!code && journal_torn(tune->journal, &line))
        note(tune, "%s:%d: the last line was torn by an earlier end and is cut off", path, line);
    if (!code && journal_row_count(tune->journal))
        note(tune, "%zu evaluations are in %s already", journal_row_count(tune->journal), path);
    return code;
}

/* ---- The run and its result ---- */

/* The compiler's whole log of a configuration that does not compile, beside the journal, which has the first error
 * only. */
static int keep_log(void *context, uint64_t index, const char *log, struct error *error)
{
    struct tune *tune = context;
    const char *path = arena_printf(&tune->arena, "%s.log", journal_file(tune->journal));
    int code = path ? output_append(path, config_string(tune, index), log, error) : error_memory(error);
    tune->has_log |= code == 0;
    return code;
}

/* The time at which the target is reached; 0 without one. */
static int find_target(const struct tune *tune, double floor_ns, double *target_ns, struct error *error)
{
    *target_ns = 0;
    if (tune->values->target_percent == 0)
        return 0;
    if (isnan(tune->space->bytes))
        return error_set(error, ERROR_USAGE, "--target: %s has no `bytes` statement to count traffic by",
                         tune->space->path);
    if (isnan(floor_ns))
        return error_set(error, ERROR_DATA, "--target: what %s reaches at best is not known", tune->limits->name);
    *target_ns = floor_ns / (tune->values->target_percent / 100);
    return 0;
}

/* As the database has it; before the run, without its outcome. */
static struct best best_row(struct tune *tune, char date[CLOCK_UTC_BYTES])
{
    const struct journal_header *header = journal_get_header(tune->recorded ? tune->recorded : tune->journal);
    const struct measurement *best = &tune->run.best;
    double bytes = tune->space->bytes, default_ns = tune->run.has_default ? tune->run.default_.time_ns : NAN;
    clock_utc(date);
    return (struct best){.schema = DATABASE_SCHEMA,
                         .kernel = tune->space->name,
                         .device = tune->limits->name,
                         .problem = text_string(&tune->problem),
                         .objective = "time",
                         .configuration = config_string(tune, tune->run.best_index),
                         .time_ns = best->time_ns,
                         .low_ns = best->low_ns,
                         .high_ns = best->high_ns,
                         .samples = best->samples,
                         .default_configuration = config_string(tune, UINT64_MAX),
                         .default_time_ns = default_ns,
                         .speedup = default_ns / best->time_ns,
                         .bytes = bytes,
                         .flops = tune->space->flops,
                         .copy_ceiling = header->copy_ceiling,
                         .link_to_device = header->link_to_device,
                         .link_to_host = header->link_to_host,
                         .link_both = header->link_both,
                         .floor_ns = floor_of_journal(header),
                         .ceiling_percent = 100 * floor_of_journal(header) / best->time_ns,
                         .valid = (int64_t)valid_set_count(tune->set),
                         .evaluated = (int64_t)tune->run.evaluated,
                         .strategy =
                             strchr(tune->values->strategy, ':') ? tune->values->strategy : tune->strategy.ops->name,
                         .seed = tune->values->seed,
                         .options = header->options,
                         .cc = tune->limits->cc,
                         .sm_count = tune->limits->sm_count,
                         .l2_bytes = tune->limits->l2_bytes,
                         .memory_bytes = tune->limits->memory_bytes,
                         .driver = tune->limits->driver,
                         .cuda = tune->limits->cuda,
                         .nvrtc = header->nvrtc,
                         .nvrtc_build = header->nvrtc_build,
                         .toolkit_hash = header->toolkit_hash,
                         .data_hash = header->data_hash,
                         .uuid = tune->limits->uuid,
                         .source_hash = tune->space->source_hash,
                         .space_hash = tune->space->text_hash,
                         .date = tune->recorded ? header->created : date,
                         .version = CUTUNE_VERSION};
}

static int find_warm_start(struct tune *tune, struct error *error)
{
    char date[CLOCK_UTC_BYTES];
    const struct best now = best_row(tune, date);
    const struct warm_start_setup setup = {tune->space, tune->set, &now, (size_t)tune->values->warm_start};
    return setup.most ? warm_start_find(&tune->warm_start, tune->values->database, &setup, error) : 0;
}

static int run(struct tune *tune, struct error *error)
{
    const struct tune_values *values = tune->values;
    const struct journal *journal = tune->recorded ? tune->recorded : tune->journal;
    tune->progress = (struct progress){.space = tune->space,
                                       .set = tune->set,
                                       .floor_ns = floor_of_journal(journal_get_header(journal)),
                                       .line = !values->quiet && output_terminal(STDERR_FILENO),
                                       .verbose = values->verbose};
    double target_ns;
    int code = find_target(tune, tune->progress.floor_ns, &target_ns, error);
    if (!code)
        code = find_warm_start(tune, error);
    if (code)
        return code;
    stop_in_order();
    code = run_tune(&(struct run_setup){.space = tune->space,
                                        .set = tune->set,
                                        .strategy = tune->strategy.ops,
                                        .strategy_options = tune->strategy.options,
                                        .evaluator = &tune->evaluator,
                                        .journal = tune->journal,
                                        .first = tune->warm_start.indices,
                                        .first_count = tune->warm_start.count,
                                        .seed = (uint64_t)values->seed,
                                        .max_evals = (uint64_t)values->max_evals,
                                        .max_time_ns = (int64_t)(values->max_time_s * 1e9),
                                        .target_ns = target_ns,
                                        .patience = (uint64_t)values->patience,
                                        .finalists = (size_t)values->finalists,
                                        .stop = tune->setup->stop,
                                        .observe = progress_observe,
                                        .context = &tune->progress,
                                        .keep_log = tune->journal ? keep_log : NULL,
                                        .log_context = tune},
                    &tune->run, error);
    progress_end(&tune->progress);
    return code;
}

/* No configuration worked: the reasons are the result. */
static int report_failure(struct tune *tune, struct error *error)
{
    for (int status = 0; status < STATUS_COUNT; status++)
        if (tune->run.counts[status])
            note(tune, "%s: %llu, the first %s%s%s", status_name((enum status)status),
                 (unsigned long long)tune->run.counts[status], config_string(tune, tune->progress.first[status].index),
                 *tune->progress.first[status].message ? ": " : "", tune->progress.first[status].message);
    return error_set(error, ERROR_NOTHING_VALID, "none of %llu evaluated configurations of %s worked",
                     (unsigned long long)tune->run.evaluated, tune->space->path);
}

static int report(const struct tune *tune, const struct summary *summary, struct error *error)
{
    if (tune->setup->rows)
        return cJSON_AddItemToArray(tune->setup->rows, summary_record(summary)) ? 0 : error_memory(error);
    if (tune->setup->number)
        putchar('\n');
    return summary_print(summary, error);
}

/* Saves and prints the best so far, also when the run ended early. */
static int finish(struct tune *tune, struct error *error)
{
    char date[CLOCK_UTC_BYTES];
    int code = 0;
    if (!tune->run.has_best)
        return *tune->setup->stop ? 0 : report_failure(tune, error);
    struct best best = best_row(tune, date);
    struct evaluator_usage usage;
    bool has_usage = tune->evaluator.ops->usage != NULL;
    if (has_usage)
        tune->evaluator.ops->usage(tune->evaluator.state, &usage);
    struct summary summary = {.space = tune->space,
                              .set = tune->set,
                              .run = &tune->run,
                              .progress = &tune->progress,
                              .best = &best,
                              .journal = tune->journal ? journal_file(tune->journal) : NULL,
                              .has_log = tune->has_log,
                              .replayed = tune->values->replay,
                              .recorded = best.date,
                              .previous_time_ns = NAN,
                              .confidence = tune->values->confidence,
                              .usage = has_usage ? &usage : NULL,
                              .warm_start = &tune->warm_start,
                              .interrupted = *tune->setup->stop > 0};
    if (!tune->recorded) {
        code = database_put(tune->values->database, &best, &summary.outcome, &summary.previous_time_ns, error);
        summary.database = code ? NULL : tune->values->database;
    }
    int reported = report(tune, &summary, error);
    return code ? code : reported;
}

static void close_all(struct tune *tune)
{
    journal_close(tune->recorded, NULL);
    evaluator_close(&tune->evaluator);
    device_close(tune->device);
    strategy_choice_free(&tune->strategy);
    warm_start_free(&tune->warm_start);
    valid_set_free(tune->set);
    space_free(tune->space);
    text_free(&tune->problem);
    text_free(&tune->options);
    arena_free(&tune->arena);
}

int tune_once(const struct tune_setup *setup, struct error *error)
{
    struct tune tune = {.setup = setup, .values = setup->values};
    int code = open_space(&tune, error);
    if (!code)
        code = open_device(&tune, error);
    if (!code)
        code = bind_space(&tune, error);
    if (!code)
        code = build_set(&tune, error);
    if (!code)
        code = open_evaluator(&tune, error);
    if (!code && !tune.recorded)
        code = open_journal(&tune, error);
    if (!code && setup->list) {
        stop_in_order();
        code = list_measure(&(struct list_setup){tune.space, tune.set, &tune.evaluator, tune.journal, setup->stop},
                            &setup->list->work, error);
    } else if (!code) {
        code = run(&tune, error);
        int finished = finish(&tune, error);
        if (!code)
            code = finished;
    }
    int closed = journal_close(tune.journal, error);
    if (!code)
        code = closed;
    if (!code && *setup->stop)
        code = error_set(error, ERROR_INTERRUPTED, "interrupted; what was measured is saved, the same command goes on");
    close_all(&tune);
    return code;
}
