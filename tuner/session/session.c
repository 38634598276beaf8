#include "session/session.h"
#include "base/timeline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "journal/outcomes.h"
#include "session/session_state.h"
#include "session/subset.h"

/* ---- Events ---- */

int session_hear_run(void *context, const struct run_event *event, struct error *error)
{
    struct session *session = context;
    const struct measurement *measurement = event->measurement;
    const bool late = session->searched && event->kind != RUN_LOG && event->kind != RUN_WAIT;
    if (late) /* the listener has heard of the search's end */
        return 0;
    if (event->kind == RUN_LOG)
        return session_keep_log(session, event, error);
    if (event->kind == RUN_WAIT) {
        session_wait(session, event->waits);
        return 0;
    }
    if (measurement && measurement->playoff == PLAYOFF_NONE && event->progress->counts[measurement->status] == 1) {
        struct session_first *first = &session->first[measurement->status];
        first->index = event->index;
        snprintf(first->message, sizeof first->message, "%s", measurement->message);
    }
    session_tell(session, (struct session_event){.kind = SESSION_RUN, .run = event});
    return 0; /* the search continues without a listener */
}

/* ---- The search ---- */

/* Computes the time that reaches the target; 0: no target. */
static int find_target(const struct session *session, double *target, struct error *error)
{
    double percent = session->request->target_percent;
    *target = 0;
    if (percent == 0)
        return 0;
    if (session->objective->seconds == 0)
        return error_set(error, ERROR_USAGE, "--target: the objective %s is not a duration", session->objective->name);
    if (session->objective->per_work)
        return error_set(error, ERROR_USAGE,
                         "--target: configurations of %s do different amounts of work, and their limits differ, too",
                         session->space->path);
    if (isnan(session->space->bytes))
        return error_set(error, ERROR_USAGE, "--target: %s has no `bytes` statement to count traffic by",
                         session->space->path);
    if (isnan(session->provenance.roofline_ns))
        return error_set(error, ERROR_DATA, "--target: the ceilings of %s are unknown", session->limits->name);
    *target = session->provenance.roofline_ns / (percent / 100);
    return 0;
}

/* True if a fit has measured here. Its configurations, which the search passed over, may be faster, but are no reason
 * to continue the search. */
static bool is_fitted(const struct session *session)
{
    bool fitted = false;
    for (size_t i = 0; session->request->fitted && session->journal && i < journal_row_count(session->journal); i++)
        fitted |= journal_get_row(session->journal, i).measurement.proposer == PROPOSER_FIT;
    return fitted;
}

static int search(struct session *session, struct error *error)
{
    const struct session_request *request = session->request;
    const bool fitted = is_fitted(session);
    double target;
    session->subject.provenance = &session->provenance;
    int code = find_target(session, &target, error);
    if (!code)
        code = session_start_warm(session, error);
    if (code)
        return code;
    session_tell(session, (struct session_event){.kind = SESSION_STARTED});
    timeline("coordinator", "search begins");
    struct run_setup setup = {.space = session->space,
                              .set = session->set,
                              .strategy = session->strategy.ops,
                              .strategy_options = session->strategy.options,
                              .automatic = session->strategy.automatic,
                              .evaluator = &session->evaluator,
                              .journal = session->journal,
                              .kept = request->keep_samples ? &session->kept : NULL,
                              .first = session->warm_start.indices,
                              .first_count = session->warm_start.count,
                              .incumbent = session->has_incumbent && !fitted ? &session->incumbent : NULL,
                              .replays = session->recorded != NULL,
                              .confirms = request->confirm,
                              .prior_runs = session->learned.prior_runs,
                              .prior_run_count = session->learned.count,
                              .seed = request->seed,
                              .max_evals = fitted ? 1 : request->max_evals,
                              .max_time_ns = (int64_t)(request->max_time_s * 1e9),
                              .objective = session->objective,
                              .target = target,
                              .patience = request->patience,
                              .finalists = fitted ? 0 : request->finalists,
                              .playoff_processes = request->playoff_processes,
                              .sustained = conditions_sustained(&session->conditions),
                              .energy = session->energy ? &session->energy->run : NULL,
                              .exact = request->exact || request->configuration_count > 0 || request->judgement,
                              .stop = request->stop,
                              .on = session_hear_run,
                              .elsewhere = session->journal ? session_ask_elsewhere : NULL,
                              .exchange = session_exchanges(session) ? session_exchange : NULL,
                              .context = session};
    code = session_share_time(session, &setup, error);
    if (!code)
        code = run_open(&session->opened, &setup, &session->run, error);
    session->searched = true;
    session_tell(session, (struct session_event){.kind = SESSION_SEARCHED});
    return code;
}

/* ---- The result ---- */

static bool is_stopped(const struct session *session)
{
    return session->request->stop && *session->request->stop;
}

/* Reports that no configuration is known to be slower than another one here. */
static int report_unsettled(struct session *session, struct error *error)
{
    const struct run_progress *run = &session->run;
    const struct objective *objective = measurement_objective(&run->censored);
    char value[32], least[32];
    error_set(
        error, ERROR_NOTHING_VALID,
        "no configuration of %s was timed to its end: %llu of %llu were stopped early, as slower than others that "
        "are not among them",
        session->space->path, (unsigned long long)run->unsettled, (unsigned long long)run->evaluated);
    error_hint(error, "the best of them took about %s, at least %s: %s",
               objective->print(value, sizeof value, run->censored.value),
               objective->print(least, sizeof least, outcomes_censored_end(&run->censored)),
               session_config(session, run->censored_index));
    return ERROR_NOTHING_VALID;
}

/* Reports why no configuration worked. */
static int report_failure(struct session *session, struct error *error)
{
    for (int status = 0; status < STATUS_COUNT; status++) {
        const struct session_first *first = &session->first[status];
        if (session->run.counts[status] && status_class((enum status)status) == OUTCOME_FAILED)
            session_note(session, "%s: %llu, the first %s%s%s", status_name((enum status)status),
                         (unsigned long long)session->run.counts[status], session_config(session, first->index),
                         *first->message ? ": " : "", first->message);
    }
    if (session->run.unsettled)
        return report_unsettled(session, error);
    if (!session->run.evaluated && (session->run.withdrawn || session_left_ns(session) <= 0))
        return session_report_time(session, error);
    return error_set(error, ERROR_NOTHING_VALID, "none of %llu evaluated configurations of %s worked",
                     (unsigned long long)session->run.evaluated, session->space->path);
}

/* ---- Saving ---- */

/* Further play-offs with rows of other processes, at most. */
enum { NEWCOMERS = 4 };

/* Another process has changed the row since this one read it. Lets its configuration defend it in a further play-off.
 * *again: there is a verdict on that row, by which the best may replace it now. */
static int meet_newcomer(struct session *session, bool *again, struct error *error)
{
    const uint64_t known = session->run.verdict ? session->incumbent : UINT64_MAX;
    int code = session_find_incumbent(session, error);
    *again = !code && session->has_incumbent && session->incumbent == known; /* it has fresh figures */
    if (code || !session->has_incumbent || *again)
        return code;
    session_note(session, "another run has saved %s meanwhile: it takes part in a further play-off",
                 session_config(session, session->incumbent));
    code = run_play_again(session->opened, session->incumbent, error);
    *again = !code && session->run.verdict != INCUMBENT_NONE;
    return code;
}

/* Compares the best with a library (`whole`: after a search to its end) and saves it. Where the database keeps the row
 * of another process that has not played, the winner of a play-off with it is the best, so that processes that tune at
 * the same time give one answer. */
static int save(struct session *session, bool whole, struct best *best, struct session_result *result,
                struct error *error)
{
    const struct session_request *request = session->request;
    const bool saves = !session->recorded && !request->judgement;
    bool again = true;
    int code = 0;
    for (int left = NEWCOMERS; !code && again; left--) {
        if (whole && !is_stopped(session) && !request->fitted)
            session_library(session);
        *best = session_best(session);
        if (!saves)
            return 0;
        code = database_put(request->database, best, session->run.verdict ? session->incumbent_row : NULL,
                            &result->outcome, &result->previous_value, error);
        again = !code && left && whole && !is_stopped(session) && !request->fitted && request->finalists &&
                (result->outcome == DATABASE_KEPT_TIED || result->outcome == DATABASE_KEPT_FASTER);
        if (again)
            code = meet_newcomer(session, &again, error);
    }
    result->database = code ? NULL : request->database;
    return code;
}

/* Saves, explains (after a search to its end, `whole`) and reports the best so far. */
static int finish(struct session *session, bool whole, struct error *error)
{
    const struct session_request *request = session->request;
    if (!session->run.has_best) {
        process_pool_leave(&session->own);
        return is_stopped(session) ? 0 : report_failure(session, error);
    }
    struct best best;
    struct evaluator_usage usage;
    struct session_result result = {.previous_value = NAN};
    int code = save(session, whole, &best, &result, error);
    session->evaluator.ops->usage(session->evaluator.state, &usage);
    result.best = &best;
    result.run = &session->run;
    result.first = session->first;
    result.journal = session->journal ? journal_file(session->journal) : NULL;
    result.has_log = session->has_log;
    result.replayed = request->replay;
    result.recorded = best.provenance.date;
    result.confidence = session->conditions.confidence;
    result.usage = usage.compilers ? &usage : NULL;
    result.learned = &session->learned;
    result.warm_start = &session->warm_start;
    result.incumbent = session->run.verdict ? session_config(session, session->incumbent) : "";
    result.library = session->library.name ? &session->library : NULL;
    result.other_devices = text_string(&session->other_devices);
    result.censored = session->run.unsettled ? session_config(session, session->run.censored_index) : "";
    result.interrupted = is_stopped(session);
    if (!code && session->energy)
        code = session_energy_save(session, error);
    result.energy = session->energy && session->energy->best_count ? session->energy : NULL;
    if (whole && !is_stopped(session))
        session_explain(session);
    process_pool_leave(&session->own);
    result.why = session->why ? session->why : "";
    result.explain_ns = session->explain_ns;
    session_tell(session, (struct session_event){.kind = SESSION_RESULT, .result = &result});
    return code;
}

/* ---- A session ---- */

static int measure_list(struct session *session, struct error *error)
{
    if (session->request->list->evidence)
        return session_explain_list(session, error);
    const struct run_setup setup = {.space = session->space,
                                    .set = session->set,
                                    .evaluator = &session->evaluator,
                                    .journal = session->journal,
                                    .stop = session->request->stop,
                                    .on = session_hear_run,
                                    .context = session};
    struct list_work work = session->request->list->work;
    int code = session->request->list->journal ? 0 : list_missing(session->journal, &session->arena, &work, error);
    session_tell(session, (struct session_event){.kind = SESSION_STARTED});
    if (!code)
        code = list_measure(&setup, &work, error);
    session_tell(session, (struct session_event){.kind = SESSION_SEARCHED});
    return code;
}

void session_close(struct session *session)
{
    run_close(session->opened);
    if (!session->request->list || !session->request->list->evidence)
        journal_close(session->recorded, NULL);
    evaluator_close(&session->evaluator);
    evaluator_close(&session->measuring);
    session_end_team(session);
    evaluator_close(&session->alone);
    process_pool_close(&session->own);
    strategy_choice_free(&session->strategy);
    learned_free(&session->learned);
    warm_start_free(&session->warm_start);
    warm_start_free(&session->newcomer);
    valid_set_free(session->set);
    space_free(session->space);
    kept_samples_free(&session->kept);
    text_free(&session->problem);
    text_free(&session->files);
    text_free(&session->other_devices);
    text_free(&session->options);
    arena_free(&session->arena);
}

int session_check(const struct session_request *request, struct error *error)
{
    struct part part;
    const struct objective *objectives[OBJECTIVE_COUNT];
    size_t count;
    if (!request->space_path && !request->replay) {
        int code = error_set(error, ERROR_USAGE, "nothing to tune: --space FILE is missing");
        error_hint(error, "`cutune --help` lists the options, README.md has an example");
        return code;
    }
    if (!request->space_path && (request->define_count || request->set_count))
        return error_set(error, ERROR_USAGE, "%s needs --space FILE: a journal alone has neither sizes nor limits",
                         request->define_count ? "-D" : "--set");
    int code = request->part ? part_read(request->part, &part, error) : 0;
    if (!code)
        code = session_energy_read(request, objectives, &count, error);
    return code ? code : conditions_check(&request->conditions, error);
}

int session_run(const struct session_request *request, struct error *error)
{
    struct session session = {
        .request = request, .error = error, .objective = objective_default(), .begin_ns = clock_now_ns()};
    int code = session_check(request, error);
    if (!code)
        code = session_open(&session, error);
    if (!code && session.recorded)
        session_describe_replay(&session);
    else if (!code)
        code = session_open_journal(&session, error);
    if (!code)
        code = session_energy_begin(&session, error);
    if (!code && request->list) {
        code = measure_list(&session, error);
    } else if (!code) {
        code = search(&session, error);
        int finished = finish(&session, code == 0, error);
        if (!code)
            code = finished;
    }
    if (code == ERROR_INTERRUPTED && !is_stopped(&session) && session_left_ns(&session) <= 0) {
        error_clear(error);
        code = session_report_time(&session, error);
    }
    timeline("coordinator", "results saved");
    bool lent = request->list && request->list->journal;
    int closed = lent ? journal_pause(request->list->journal, error) : journal_close(session.journal, error);
    if (!code)
        code = closed;
    if (!code)
        code = session.told;
    if (!code && is_stopped(&session))
        code = error_set(error, ERROR_INTERRUPTED, "interrupted; %s",
                         session.recorded ? "a replay saves nothing"
                                          : "all measurements are saved, and the same command resumes");
    session_close(&session);
    timeline("coordinator", "processes ended");
    return code;
}
