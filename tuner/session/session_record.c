#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/provenance.h"
#include "base/roofline_time.h"
#include "base/timeline.h"
#include "journal/journal_outcomes.h"
#include "language/condition.h"
#include "prior/prior_runs.h"
#include "session/session_state.h"

/* ---- The journal ---- */

const char *session_config(struct session *session, uint64_t index)
{
    struct text text = {0};
    uint32_t choices[SPACE_PARAMETERS_MAX];
    if (index == UINT64_MAX && session->space->no_default)
        return "";
    if (index == UINT64_MAX)
        space_default(session->space, choices);
    else
        valid_set_get(session->set, index, choices);
    space_config_text(session->space, choices, &text);
    const char *copy = arena_copy(&session->arena, text_string(&text), text.length);
    text_free(&text);
    return copy ? copy : "";
}

void session_describe_replay(struct session *session)
{
    struct provenance *provenance = &session->provenance;
    *provenance = journal_get_header(session->recorded)->provenance;
    space_describe(session->space, provenance);
    provenance->problem = text_string(&session->problem);
    provenance->default_ = session_config(session, UINT64_MAX);
    provenance->version = CUTUNE_VERSION;
    provenance->roofline_ns = roofline_time_of_record(provenance);
}

int session_ask_compiler(struct session *session, struct error *error)
{
    return process_pool_ask_compiler(session->process_pool, session->space, session->setup.cache != NULL, error);
}

/* Fills all but roofline time and ceilings, which an existing journal has. */
static int describe(struct session *session, struct error *error)
{
    struct provenance *provenance = &session->provenance;
    conditions_text(&session->conditions, &session->options);
    if (session->space->reference_kind == REFERENCE_DEFAULT)
        text_printf(&session->options, " " PROVENANCE_UNVERIFIED);
    if (session->setup.sampling.guarding.on)
        text_printf(&session->options, " guarded=%s", session->setup.sampling.guarding.shared ? "shared" : "own");
    if (session->setup.sampling.special)
        text_printf(&session->options, " special");
    clock_utc(session->date);
    int code = session->options.failed ? error_memory(error) : session_ask_compiler(session, error);
    if (!code)
        code = space_open_files(session->space, error);
    if (!code)
        code = space_data_hash(session->space, session->data_hash, error);
    *provenance = provenance_unknown();
    space_describe(session->space, provenance);
    provenance->problem = text_string(&session->problem);
    provenance->fingerprint = session->fingerprint;
    provenance->options = text_string(&session->options);
    provenance->nvrtc = session->process_pool->compiler.number;
    provenance->nvrtc_build = session->process_pool->compiler.build;
    provenance->toolkit_hash = session->space->toolkit_hash;
    provenance->data_hash = session->data_hash;
    provenance->date = session->date;
    provenance->version = CUTUNE_VERSION;
    provenance->default_ = session_config(session, UINT64_MAX);
    provenance->device = *session->limits;
    timeline("coordinator", "provenance complete");
    return code ? code : provenance_fingerprint(provenance, JOURNAL_SCHEMA, session->fingerprint, error);
}

static int ask_ceilings(struct session *session, struct provenance *provenance, struct error *error)
{
    const struct evaluator *evaluator = &session->evaluator;
    if (evaluator->ops->device)
        session_wait(session, "the reference, and the ceilings of the device");
    int code = evaluator->ops->device ? evaluator->ops->device->ceilings(evaluator->state, &provenance->ceilings,
                                                                         &provenance->timer, error)
                                      : 0;
    struct traffic traffic = {.bytes = session->space->bytes};
    space_transfers(session->space, &traffic.in_bytes, &traffic.out_bytes);
    provenance->roofline_ns = roofline_time_of_traffic(&traffic, &provenance->ceilings);
    return code;
}

int session_open_journal(struct session *session, struct error *error)
{
    const char *names[SPACE_PARAMETERS_MAX];
    int line, code = describe(session, error);
    for (size_t p = 0; p < session->space->parameter_count; p++)
        names[p] = session->space->parameters[p].name;
    struct journal_header header = {.provenance = session->provenance,
                                    .objective = session->objective,
                                    .parameter_count = session->space->parameter_count,
                                    .parameters = names,
                                    .extra_count = session->request->keep_samples,
                                    .extras = journal_samples_column};
    const struct session_list *list = session->request->list;
    struct journal *read = list ? list->journal : NULL;
    if (!code && read)
        code = list_check(read, session->fingerprint, error);
    const char *path = code   ? NULL
                       : read ? journal_file(read)
                              : journal_path(&session->arena, session->request->journal, &header);
    if (!code && !path)
        code = error_memory(error);
    /* An existing journal has the ceilings; the header of a new one needs them. */
    if (!code && !read && !journal_begun(path))
        code = ask_ceilings(session, &header.provenance, error);
    if (!code)
        code = read ? journal_resume(read, &header, error) : journal_open(&session->journal, path, &header, error);
    if (!code && read)
        session->journal = read;
    if (!code && journal_torn(session->journal, &line))
        session_note(session, "%s:%d: the last line, left incomplete by an earlier run, is removed", path, line);
    if (!code && !list && journal_row_count(session->journal))
        session_note(session, "%zu evaluations are already in %s", journal_row_count(session->journal), path);
    if (!code) {
        session->subject.journal = path;
        const struct provenance *recorded = &journal_get_header(session->journal)->provenance;
        session->provenance.ceilings = recorded->ceilings;
        session->provenance.roofline_ns = roofline_time_of_record(recorded);
    }
    return code;
}

/* ---- Logs of compilations ---- */

static int append_log(const char *path, const char *title, const char *log, struct error *error)
{
    FILE *file = fopen(path, "a");
    if (!file)
        return error_errno(error, ERROR_IO, "cannot open %s", path);
    bool written = fprintf(file, "---- %s\n%s\n", title, log) >= 0;
    return fclose(file) || !written ? error_errno(error, ERROR_IO, "cannot write %s", path) : 0;
}

int session_keep_log(struct session *session, const struct run_event *event, struct error *error)
{
    if (!session->journal)
        return 0;
    const char *path = arena_printf(&session->arena, "%s.log", journal_file(session->journal));
    int code = path ? append_log(path, session_config(session, event->index), event->log, error) : error_memory(error);
    session->has_log |= code == 0;
    return code;
}

/* ---- Other devices and sizes ---- */

static void skip_journal(void *context, const char *path, const char *reason)
{
    session_note(context, "%s is left out of the choice between tied configurations: %s", path, reason);
}

/* Ignores an unreadable journal, which is reported at the beginning and at the end. */
static void skip_quietly(void *context, const char *path, const char *reason)
{
    (void)context, (void)path, (void)reason;
}

/* The kinds of journals that decide between tied configurations. */
static const struct elsewhere {
    enum prior_runs_of of;
    int column;    /* of the journal: without it, readers would not know how the winner was chosen */
    size_t offset; /* of the efficiency in struct measurement */
} elsewheres[] = {
    {PRIOR_RUNS_OTHER_DEVICES, JOURNAL_COLUMN_efficiency_other_devices,
     offsetof(struct measurement, efficiency_other_devices)},
    {PRIOR_RUNS_OTHER_SIZES, JOURNAL_COLUMN_efficiency_other_sizes,
     offsetof(struct measurement, efficiency_other_sizes)},
};

int session_ask_elsewhere(void *context, const uint64_t *indices, size_t count, struct measurement *finals,
                          struct error *error)
{
    struct session *session = context;
    const char **configurations = arena_array(&session->arena, count, sizeof *configurations);
    double *efficiencies = arena_array(&session->arena, count, sizeof *efficiencies);
    int code = configurations && efficiencies ? 0 : error_memory(error);
    text_clear(&session->other_devices);
    for (size_t i = 0; i < count && !code; i++)
        configurations[i] = session_config(session, indices[i]);
    for (size_t k = 0; k < sizeof elsewheres / sizeof *elsewheres && !code; k++) {
        const struct elsewhere *kind = &elsewheres[k];
        const struct prior_runs_setup setup = {.journal = journal_file(session->journal),
                                               .header = journal_get_header(session->journal),
                                               .devices = k == 0 ? &session->other_devices : NULL,
                                               .skipped = k == 0 ? skip_journal : skip_quietly,
                                               .context = session};
        if (!journal_has_column(session->journal, kind->column))
            continue;
        code = prior_runs_efficiencies(&setup, kind->of, configurations, count, efficiencies, error);
        for (size_t i = 0; i < count && !code; i++)
            *(double *)(void *)((char *)&finals[i] + kind->offset) = efficiencies[i];
    }
    return code;
}

bool session_exchanges(const struct session *session)
{
    const struct session_request *request = session->request;
    return request->together && session->journal && !(request->learn_from && strcmp(request->learn_from, "none") == 0);
}

int session_exchange(void *context, uint64_t *indices, size_t room, size_t *count, struct error *error)
{
    struct session *session = context;
    const struct prior_runs_setup setup = {.journal = journal_file(session->journal),
                                           .header = journal_get_header(session->journal),
                                           .skipped = skip_quietly};
    return prior_runs_best(&setup, session->space, session->set, indices, room, count, error);
}

static void skip_lesson(void *context, const char *path, const char *reason)
{
    session_note(context, "nothing is learned from %s: %s", path, reason);
}

/* True for a search among many configurations: only it gains from other journals. */
static bool gains(const struct session *session)
{
    return !session->recorded &&
           !(session->strategy.automatic && run_will_exhaust(session->set, session->request->max_evals));
}

/* Reads prior runs. In the run's own folder, journals of this kernel are named after it; in a named folder, any name
 * counts. A replay, which is the same on every machine, learns only from named journals. */
static int learn(struct session *session, struct error *error)
{
    const struct session_request *request = session->request;
    bool none = request->learn_from && strcmp(request->learn_from, "none") == 0;
    const char *own = arena_printf(&session->arena, "%s.", session->provenance.kernel);
    struct learn_setup setup = {.space = session->space,
                                .now = &session->provenance,
                                .objective = session->objective,
                                .from = request->learn_from ? request->learn_from : request->journal,
                                .named = request->learn_from,
                                .prefix = request->learn_from ? "" : own,
                                .skipped = skip_lesson,
                                .context = session};
    if (none || (!setup.named && !gains(session)))
        return 0;
    if (!own)
        return error_memory(error);
    if (!session->strategy.ops->weigh && setup.named)
        session_note(session, "--learn-from: %s does not learn from other journals", session->strategy.ops->name);
    if (!session->strategy.ops->weigh)
        return 0;
    int code = learn_read(&session->learned, &setup, error);
    if (!code && session->learned.left_out)
        session_note(session,
                     "nothing is learned from %zu configuration%s of other journals, with values that the space lacks",
                     session->learned.left_out, session->learned.left_out == 1 ? "" : "s");
    return code;
}

/* Finds the incumbent of a recorded play-off. */
static int find_recorded_incumbent(struct session *session, struct error *error)
{
    struct journal_outcomes read = {0};
    struct text text = {0};
    struct error unread = {0};
    uint32_t choices[SPACE_PARAMETERS_MAX];
    size_t row = 0, count = journal_row_count(session->recorded);
    while (row < count && journal_get_row(session->recorded, row).measurement.proposer != PROPOSER_INCUMBENT)
        row++;
    int code = row < count ? journal_outcomes_read(&read, session->recorded, error) : 0;
    if (!code && read.outcomes.has_incumbent) {
        const struct outcome *incumbent = outcomes_find(&read.outcomes, read.outcomes.incumbent);
        journal_outcomes_text(session->recorded, read.rows[incumbent - read.outcomes.items], &text);
        session->has_incumbent = space_config_parse(session->space, text_string(&text), choices, &unread) == 0 &&
                                 valid_set_find(session->set, choices, &session->incumbent) &&
                                 session->incumbent != UINT64_MAX;
    }
    text_free(&text);
    journal_outcomes_free(&read);
    return code;
}

/* Fails if the database has no row to confirm. */
static int check_confirmed(const struct session *session, struct error *error)
{
    const struct provenance *now = &session->provenance;
    if (!session->request->confirm || session->has_incumbent)
        return 0;
    error_set(error, ERROR_NOT_FOUND,
              "--confirm: %s has no row of %s on %s%s%s for this source, space, data and options",
              session->request->database, now->kernel, now->device.name, *now->problem ? ", " : "", now->problem);
    error_hint(error, "the same command without --confirm tunes and adds the row");
    return ERROR_NOT_FOUND;
}

/* Reads the database. Without `most`, finds only the incumbent. */
static int read_database(struct session *session, size_t most, struct warm_start *found, struct error *error)
{
    const struct warm_start_setup setup = {.space = session->space,
                                           .set = session->set,
                                           .now = &session->provenance,
                                           .objective = session->objective->name,
                                           .known = session->learned.runs,
                                           .known_count = session->learned.count,
                                           .most = most};
    return warm_start_find(found, session->request->database, &setup, error);
}

static void take_incumbent(struct session *session, const struct warm_start *found)
{
    session->has_incumbent = found->incumbent != NULL;
    session->incumbent = found->incumbent_index;
    session->incumbent_row = found->incumbent;
}

int session_start_warm(struct session *session, struct error *error)
{
    const size_t most = session->request->warm_start;
    int code = learn(session, error);
    if (!code && (most || !session->recorded))
        code = read_database(session, most, &session->warm_start, error);
    if (!code && session->recorded)
        code = find_recorded_incumbent(session, error);
    if (!code && !session->recorded)
        take_incumbent(session, &session->warm_start);
    return code ? code : check_confirmed(session, error);
}

int session_find_incumbent(struct session *session, struct error *error)
{
    struct warm_start found = {0};
    int code = read_database(session, 0, &found, error);
    take_incumbent(session, &found);
    warm_start_free(&session->newcomer);
    session->newcomer = found;
    return code;
}

/* ---- The best row ---- */

/* Returns the condition under which the best configuration is valid; "": unknown, as the space has no kernel. */
static const char *condition_of(struct session *session, uint64_t index)
{
    struct text text = {0};
    uint32_t choices[SPACE_PARAMETERS_MAX];
    const char *copy = "";
    if (!session->space->kernel || index == UINT64_MAX)
        return "";
    valid_set_get(session->set, index, choices);
    space_requirement(session->space, choices, false, &text);
    if (!text.length)
        text_printf(&text, "1");
    copy = text.failed ? NULL : arena_copy(&session->arena, text_string(&text), text.length);
    text_free(&text);
    return copy ? copy : "";
}

struct best session_best_row(struct session *session, const struct winner *winner, uint64_t index)
{
    const char *strategy = session->request->strategy;
    if (!session->recorded)
        clock_utc(session->date);
    struct best best = winner_row(winner, &session->provenance, session_config(session, index), session->run.evaluated);
    best.valid = (int64_t)valid_set_count(session->set);
    best.strategy = strategy && strchr(strategy, ':') ? strategy : session->run.plan.strategy->name;
    best.seed = (int64_t)session->request->seed;
    best.condition = condition_of(session, index);
    return best;
}

struct best session_best(struct session *session)
{
    const struct run_progress *run = &session->run;
    const struct winner winner = {.measurement = run->best,
                                  .default_ = run->has_default ? run->default_ : measurement_unknown(STATUS_OK)};
    struct best best = session_best_row(session, &winner, run->best_index);
    best.states = run->best.states;
    winner_row_library(&best, session->library.name ? &session->library : NULL);
    return best;
}
