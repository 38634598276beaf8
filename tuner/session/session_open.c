#include <math.h>
#include <string.h>

#include "base/cores.h"
#include "base/timeline.h"
#include "compile/pool.h"
#include "evaluate/eval_gpu.h"
#include "evaluate/rows.h"
#include "search/search.h"
#include "session/limits_cache.h"
#include "session/session_state.h"
#include "session/subset.h"

/* Fills buffers with the same random numbers in every session, whatever the seed of the search: journals stay valid. */
enum { BUFFER_SEED = 1 };

/* ---- The space ---- */

/* Checks the database: an unwritable one must end the session before the first measurement, not after the last. */
static int check_database(const struct session *session, struct error *error)
{
    const struct session_request *request = session->request;
    struct database *database = NULL;
    int code =
        request->replay || request->list || !request->database ? 0 : database_open(&database, request->database, error);
    database_close(database);
    return code;
}

/* True for a replay without a space, which searches all recorded configurations. */
static bool replays_alone(const struct session *session)
{
    return session->request->replay && !session->request->space_path;
}

static const char *strategy_text(const struct session *session)
{
    return session->request->strategy ? session->request->strategy : "auto";
}

/* Refuses an invalid strategy before anything is started for it. */
static int check_strategy(struct session *session, struct error *error)
{
    return strategy_choose(&session->strategy, strategy_text(session), error);
}

static int parse_space(struct session *session, struct error *error)
{
    const struct session_request *request = session->request;
    int code =
        space_parse_text(&session->space, request->space_path, request->space_text, request->space_length, NULL, error);
    return code ? code : session_admit(session, error);
}

static int open_space(struct session *session, struct error *error)
{
    const struct session_request *request = session->request;
    if (replays_alone(session))
        return 0;
    int code = parse_space(session, error);
    if (code)
        return code;
    if (!session->space->kernel) {
        code = error_set(error, ERROR_DATA, "%s has no kernel: there is nothing to compile", request->space_path);
        error_hint(error, "`cutune check %s` counts its configurations", request->space_path);
        return code;
    }
    if (!request->replay && (code = space_check_effects(session->space, error)))
        return code;
    if (!request->replay && session->space->source_unknown)
        session_note(session, SPACE_UNKNOWN_NOTE, session->space->source_unknown);
    return check_database(session, error);
}

/* ---- The device ---- */

/* Starts the device once the space has chosen its mode, before other work: the driver is the slowest to start. */
static int start_device(struct session *session, struct error *error)
{
    const struct session_request *request = session->request;
    session->process_pool = request->process_pool ? request->process_pool : &session->own;
    return request->replay || request->synthetic
               ? 0
               : process_pool_take(session->process_pool, request->device, &request->device_share,
                                   space_uses_streams(session->space), error);
}

/* The evaluator `synth` simulates a device without limits. */
static const struct device_limits *synthetic_limits(struct session *session)
{
    struct device_limits *limits = &session->synthetic;
    *limits = (struct device_limits){.name = "synthetic device", .driver = "unknown"};
    for (size_t i = 0; i < limit_count; i++)
        limit_put(limits, &limit_rows[i], INT32_MAX);
    return limits;
}

/* Refuses devices of several kinds: times differ between them, and the space has the limits of one kind. */
static int check_alike(const struct session *session, struct error *error)
{
    struct text list = {0};
    bool alike = true;
    for (size_t d = 0; d < session->process_pool->device_count; d++) {
        const struct device_limits *limits = device_limits(session->process_pool->devices[d]);
        alike &= limits_cache_matches(limits, session->limits);
        text_printf(&list, "%s%s (%s)", d ? ", " : "", session->process_pool->chosen.names[d], limits->name);
    }
    if (!alike) {
        error_set(error, ERROR_USAGE, "the devices cannot share a run: %s", text_string(&list));
        error_hint(error, "--device takes devices of one kind; --each tunes for each kind at the same time");
    }
    text_free(&list);
    return alike ? 0 : ERROR_USAGE;
}

static int open_device(struct session *session, struct error *error)
{
    const struct session_request *request = session->request;
    if (request->replay) {
        bool lent = request->list && request->list->evidence;
        int code = lent ? 0 : journal_read(&session->recorded, request->replay, error);
        if (code)
            return code;
        if (lent)
            session->recorded = request->list->journal;
        session->limits = &journal_get_header(session->recorded)->provenance.device;
        session->objective = journal_get_header(session->recorded)->objective;
        return 0;
    }
    if (request->synthetic) {
        session->limits = synthetic_limits(session);
        return 0;
    }
    int code = session->rehearsed ? evaluator_gpu_await(&session->evaluator, error) : 0;
    for (size_t d = 0; d < session->process_pool->device_count && !code; d++)
        code = device_await(session->process_pool->devices[d], error);
    if (code == ERROR_NO_DEVICE)
        error_hint(error,
                   "--replay FILE runs the same search on a journal that was recorded on a GPU; db/recorded/ has some");
    if (code)
        return code;
    session->limits = device_limits(session->process_pool->devices[0]);
    limits_cache_store(session->process_pool->chosen.names[0], session->limits);
    return check_alike(session, error);
}

static int bind_space(struct session *session, struct error *error)
{
    const struct session_request *request = session->request;
    int code = 0;
    if (replays_alone(session)) {
        code = rows_space(&session->space, session->recorded, error);
        text_printf(&session->problem, "%s", journal_get_header(session->recorded)->provenance.problem);
    } else {
        for (size_t i = 0; i < request->set_count && !code; i++)
            code = space_narrow(session->space, request->sets[i], error);
        if (!code)
            code = space_bind(session->space, request->defines, request->define_count, session->limits, error);
        if (!code)
            space_problem_text(session->space, &session->problem);
    }
    if (!code && session->problem.failed)
        code = error_memory(error);
    if (code)
        return code;
    if (!session->recorded && session->space->work_expr)
        session->objective = &objective_row_time_per_work;
    session->conditions = request->conditions;
    if (session->recorded)
        code = conditions_read(&session->conditions, &session->arena,
                               journal_get_header(session->recorded)->provenance.options, error);
    if (code)
        return code;
    if (space_keeps_l2(session->space)) /* a flush would defeat the window */
        session->conditions.cache = "warm";
    session->subject = (struct session_subject){.space = session->space, .problem = text_string(&session->problem)};
    return 0;
}

/* True for evidence about a recorded device, collected without one. */
static bool compiles_only(const struct session *session)
{
    return session->recorded && session->request->list && session->request->list->evidence;
}

/* ---- The valid set ---- */

static int build_valid_set(struct session *session, struct error *error)
{
    size_t bytes = session->request->space_memory_bytes;
    return valid_set_build(&session->set, session->space, bytes ? bytes : VALID_SET_DEFAULT_BYTES, error);
}

/* Builds the set that a replay searches. Fails if the journal cannot answer the request. */
static int build_recorded_set(struct session *session, struct error *error)
{
    const char *path = session->request->replay;
    bool alone = replays_alone(session), same_version = true;
    uint64_t missing = 0;
    int line, code = session->request->max_time_s != 0 ? replayed_check_seconds(session->recorded, error) : 0;
    if (!code && journal_torn(session->recorded, &line))
        session_note(session, "%s:%d: the last line is incomplete and ignored", path, line);
    if (!code && !alone)
        code = replayed_check_space(session->recorded, session->space, text_string(&session->problem), &same_version,
                                    error);
    if (!code && !alone)
        code = build_valid_set(session, error);
    if (!code)
        code = replayed_set(&session->set, session->space, session->recorded, &missing, error);
    if (code)
        return code;
    if (!same_version && compiles_only(session))
        return error_set(error, ERROR_DATA, "%s was recorded from another version of %s or of its kernel", path,
                         session->space->path);
    if (!same_version)
        session_note(session, "%s was recorded from another version of %s or of its kernel", path,
                     session->space->path);
    if (missing && !compiles_only(session))
        session_note(session, "%llu of %llu valid configurations are not in %s and are left out",
                     (unsigned long long)missing, (unsigned long long)(missing + valid_set_count(session->set)), path);
    return 0;
}

static int restrict_to_part(struct session *session, struct error *error)
{
    struct part part;
    size_t bytes = session->request->space_memory_bytes;
    uint64_t all = valid_set_count(session->set);
    int code = part_read(session->request->part, &part, error);
    if (!code && all > 0 && part.number > all)
        return error_set(error, ERROR_USAGE, "--part: %llu valid configurations have no part %llu",
                         (unsigned long long)all, (unsigned long long)part.number);
    return code ? code : part_set(&session->set, session->space, &part, bytes ? bytes : VALID_SET_DEFAULT_BYTES, error);
}

static int build_set(struct session *session, struct error *error)
{
    const struct session_request *request = session->request;
    const struct space *space = session->space;
    int code = session->recorded ? build_recorded_set(session, error) : build_valid_set(session, error);
    if (!code && request->judgement)
        code = session_judged_set(session, error);
    if (!code && request->configuration_count)
        code = listed_set(&session->set, space, request->configurations, request->configuration_count, error);
    if (!code && request->part)
        code = restrict_to_part(session, error);
    if (code)
        return code;
    uint64_t default_, count = valid_set_count(session->set);
    bool named =
        !space->no_default || (session->recorded && *journal_get_header(session->recorded)->provenance.default_);
    if (count > 0 && named && !request->list && !request->part &&
        !valid_set_find_default(session->set, space, &default_))
        session_note(session, "the default configuration of %s is not valid here: speed-ups over it are unknown",
                     space->path);
    if (count == 0) {
        code = error_set(error, ERROR_NOTHING_VALID, "no configuration of %s is valid", space->path);
        error_hint(error, "`cutune check %s` shows how many configurations each constraint removes", space->path);
        return code;
    }
    session->subject.set = session->set;
    return 0;
}

/* ---- The evaluator ---- */

/* Returns the number of compiler processes; 1 in a replay, which is the same on every machine. */
static size_t compiler_jobs(const struct session *session)
{
    size_t cores, devices = session->process_pool->device_count > 1 ? session->process_pool->device_count : 1;
    if (session->request->jobs)
        return session->request->jobs;
    if (session->recorded && !compiles_only(session))
        return 0;
    cores = cores_usable("");
    if (session->request->core_sharers > 1)
        cores /= session->request->core_sharers;
    cores = cores <= devices + 1 ? 1 : cores - devices;
    return cores > POOL_JOBS_MAX ? POOL_JOBS_MAX : cores;
}

/* Opens the cache. NULL if not wanted or unusable: compiling then takes longer, without an error. */
static const struct compile_cache *open_cache(struct session *session)
{
    struct error error = {0};
    if (session->request->no_cache)
        return NULL;
    if (!compile_cache_find(&session->process_pool->cache, &error) &&
        !compile_cache_open(&session->process_pool->cache, &error))
        return &session->process_pool->cache;
    session_note(session, "compilations are not cached: %s", error.message);
    return NULL;
}

static struct sampling sampling_of(const struct session *session)
{
    const struct conditions *conditions = &session->conditions;
    const struct session_judgement *judgement = session->request->judgement;
    struct guarding guarding = {0};
    if (judgement && judgement->path_count) {
        guarding = device_guarding;
        guarding.shared = judgement->shares_process;
    }
    return (struct sampling){.warm = strcmp(conditions->cache, "warm") == 0,
                             .sustained = conditions_sustained(conditions),
                             .samples = (uint32_t)conditions->samples,
                             .confidence = conditions->confidence,
                             .target_interval = conditions->target_interval_percent / 100,
                             .power_ns = (int64_t)(conditions->power_s * 1e9),
                             .kept = session->request->keep_samples,
                             .special = guarding.on && judgement->special,
                             .guarding = guarding};
}

static int open_evaluator(struct session *session, struct error *error)
{
    const struct session_request *request = session->request;
    const struct journal *replayed = compiles_only(session) ? NULL : session->recorded;
    session->setup = (struct evaluator_setup){.space = session->space,
                                              .set = session->set,
                                              .journal = replayed,
                                              .synthetic = request->synthetic,
                                              .limits = session->limits,
                                              .devices = session->process_pool->devices,
                                              .device_count = session->process_pool->device_count,
                                              .compiler_build = session->process_pool->compiler.build,
                                              .cache = replayed || request->synthetic ? NULL : open_cache(session),
                                              .jobs = compiler_jobs(session),
                                              .pool = request->process_pool ? &session->process_pool->pool : NULL,
                                              .timeout_ns = (int64_t)(session->conditions.timeout_s * 1e9),
                                              .min_occupancy = session->conditions.min_occupancy,
                                              .seed = BUFFER_SEED,
                                              .sampling = sampling_of(session),
                                              .kept = request->keep_samples ? &session->kept : NULL,
                                              .playoff_processes = request->playoff_processes,
                                              .playoff_extends = request->playoff_extends,
                                              .stop = request->stop,
                                              .end_ns = request->end_ns ? request->end_ns - SESSION_CLOSING_NS : 0};
    /* The first compilations need the identity of a command. */
    int code =
        session->space->compiler_command && !replayed && !request->synthetic ? session_ask_compiler(session, error) : 0;
    return code ? code : evaluators_open(&session->evaluator, &session->setup, error);
}

static void note_left_out(void *context, const char *line)
{
    session_note(context, "%s", line);
}

/* Makes several devices, including those of a team, measure as one. An agent, which has no database, leaves this to its
 * session. */
static int correct_devices(struct session *session, struct error *error)
{
    const struct evaluator *evaluator = &session->evaluator;
    if (!session->request->database || evaluator->ops->devices(evaluator->state) < 2)
        return 0;
    session->measuring = session->evaluator;
    session->corrected = (struct corrected_setup){.inner = &session->measuring,
                                                  .default_index = UINT64_MAX,
                                                  .stop = session->request->stop,
                                                  .note = note_left_out,
                                                  .context = session};
    valid_set_find_default(session->set, session->space, &session->corrected.default_index);
    return evaluator_open_corrected(&session->evaluator, &session->corrected, error);
}

/* ---- The rehearsal: open everything for the limits of the last run while the device starts ---- */

enum { FORESEEN_MAX = 256 };

/* Collects the first proposals of a strategy that does not learn. */
static int first_proposals(const struct session *session, const struct strategy_ops *ops, uint64_t *indices,
                           size_t room, size_t *count, struct error *error)
{
    const struct strategy_setup setup = {.space = session->space,
                                         .set = session->set,
                                         .seed = session->request->seed,
                                         .options = session->strategy.options};
    struct search search = {0};
    *count = 0;
    if (ops->tell)
        return 0;
    int code = search_begin(&search, ops, &setup, error);
    if (!code)
        code = search_ask(&search, 0, false, indices, room, count, error);
    search_end(&search);
    return code;
}

/* Collects the list's configurations, except invalid ones, which the list reports later. Evidence needs other
 * compilations. */
static size_t first_of_list(const struct session *session, uint64_t *indices, size_t room)
{
    const struct session_list *list = session->request->list;
    size_t count = 0;
    for (size_t i = 0; i < list->work.count && count < room && !list->evidence; i++) {
        uint32_t choices[SPACE_PARAMETERS_MAX];
        struct error unknown = {0};
        if (!space_config_parse(session->space, list->work.configurations[i], choices, &unknown) &&
            valid_set_find(session->set, choices, &indices[count]))
            count++;
    }
    return count;
}

/* Submits the first configurations to the compilers. An automatic run probably evaluates everything. */
static int foresee(struct session *session, struct error *error)
{
    const struct session_request *request = session->request;
    const struct strategy_ops *ops = session->strategy.ops;
    uint64_t indices[1 + RUN_SAMPLE + FORESEEN_MAX], most = request->max_evals ? request->max_evals : FORESEEN_MAX;
    size_t count = 0, proposed = 0;
    int code = 0;
    if (request->list)
        count = first_of_list(session, indices, FORESEEN_MAX);
    if (!request->list && valid_set_find_default(session->set, session->space, &indices[0]))
        count = 1;
    if (!request->list && session->strategy.automatic && run_may_exhaust(session->set, request->max_evals)) {
        run_sample(session->set, request->seed, indices + count);
        count += RUN_SAMPLE;
        ops = &strategy_exhaustive;
    }
    if (!request->list)
        code = first_proposals(session, ops, indices + count, most < FORESEEN_MAX ? (size_t)most : FORESEEN_MAX,
                               &proposed, error);
    return code ? code : evaluator_gpu_foresee(&session->evaluator, indices, count + proposed, error);
}

static void close_rehearsal(struct session *session)
{
    evaluator_close(&session->evaluator);
    valid_set_free(session->set);
    space_free(session->space);
    session->set = NULL;
    session->space = NULL;
    text_clear(&session->problem);
    session->rehearsed = false;
}

/* Takes the limits of the last run or, in a borrowed process pool, of the device itself. */
static bool assume_limits(struct session *session)
{
    const struct process_pool *process_pool = session->process_pool;
    if (!device_answered(process_pool->devices[0]))
        return limits_cache_load(process_pool->chosen.names[0], &session->assumed);
    session->assumed = *device_limits(process_pool->devices[0]);
    return true;
}

/* Opens everything for the assumed limits. On error or an event, reopens with the device's limits; that attempt
 * reports. */
static int rehearse(struct session *session, struct error *error)
{
    static int (*const steps[])(struct session *, struct error *) = {bind_space, build_set, open_evaluator, foresee,
                                                                     session_ask_compiler};
    struct error amiss = {0};
    if (!session->process_pool->device_count || !session->request->database || !assume_limits(session))
        return 0;
    session->limits = &session->assumed;
    session->rehearsing = true;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && !session->amiss; i++)
        session->amiss |= steps[i](session, &amiss) != 0;
    session->rehearsing = false;
    session->rehearsed = !session->amiss;
    if (session->rehearsed)
        return 0;
    close_rehearsal(session);
    return parse_space(session, error);
}

/* Discards the rehearsal if the device has other limits than assumed. */
static int judge_rehearsal(struct session *session, struct error *error)
{
    if (!session->rehearsed || limits_cache_matches(&session->assumed, session->limits))
        return 0;
    close_rehearsal(session);
    return parse_space(session, error);
}

/* ---- All steps ---- */

static int open_rest(struct session *session, struct error *error)
{
    int code = session->rehearsed ? 0 : bind_space(session, error);
    if (!code)
        session_tell(session, (struct session_event){.kind = SESSION_SIZES});
    if (!code && !session->rehearsed)
        code = build_set(session, error);
    if (!code && !session->rehearsed)
        code = open_evaluator(session, error);
    if (!code)
        code = session_join_team(session, error);
    return code ? code : correct_devices(session, error);
}

int session_open(struct session *session, struct error *error)
{
    static const struct {
        int (*take)(struct session *, struct error *);
        const char *name;  /* on the time line */
        const char *waits; /* NULL: it is fast */
    } steps[] = {{check_strategy, "strategy chosen", NULL},
                 {open_space, "space parsed", NULL},
                 {session_energy_choose, "objectives chosen", NULL},
                 {start_device, "device process started", NULL},
                 {session_ask_team, "agents asked", NULL},
                 {rehearse, "rehearsal finished", NULL},
                 {open_device, "device answered", "the device"},
                 {judge_rehearsal, "rehearsal judged", NULL},
                 {open_rest, "all opened", "the valid configurations"}};
    int code = 0;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && !code; i++) {
        if (steps[i].waits && !session->request->replay)
            session_wait(session, steps[i].waits);
        code = steps[i].take(session, error);
        timeline("coordinator", steps[i].name);
        if (!code && session_left_ns(session) <= 0)
            code = session_report_time(session, error);
    }
    return code;
}
