#include <math.h>
#include <string.h>

#include "base/timeline.h"
#include "session/session_state.h"

static bool is_needed(const struct objective *const *objectives, size_t count)
{
    bool needed = false;
    for (size_t i = 0; i < count; i++)
        needed |= energy_is_needed(objectives[i]);
    return needed;
}

int session_energy_read(const struct session_request *request, const struct objective **objectives, size_t *count,
                        struct error *error)
{
    const char *text = request->objectives ? request->objectives : objective_default()->name;
    int code = energy_read_objectives(text, objectives, count, error);
    if (code || !is_needed(objectives, *count) || !(request->replay || request->synthetic))
        return code;
    error_set(error, ERROR_USAGE, "--objective %.60s needs a device, and --replay measures nothing", text);
    error_hint(error, "cutune show --front JOURNAL shows the energies of a journal");
    return ERROR_USAGE;
}

/* Replays have no device; the others are about times. */
static bool takes_space_objectives(const struct session_request *request)
{
    return !request->objectives && !request->list && !request->judgement && !request->fitted;
}

int session_energy_choose(struct session *session, struct error *error)
{
    const struct session_request *request = session->request;
    const struct space *space = session->space;
    int code = session_energy_read(request, session->objectives, &session->objective_count, error);
    if (!code && space && takes_space_objectives(request) && is_needed(space->objectives, space->objective_count)) {
        if (request->replay || request->synthetic) {
            session_note(session, "%s asks for energies, which a replay does not have: it compares times", space->path);
            return 0;
        }
        memcpy(session->objectives, space->objectives, sizeof session->objectives);
        session->objective_count = space->objective_count;
    }
    if (!code && request->front_percent && !is_needed(session->objectives, session->objective_count)) {
        code = error_set(error, ERROR_USAGE, "--front is for objectives of energy, and the time is the only one");
        error_hint(error, "--objective time,energy measures energies, as does the statement `objective` of a space");
    }
    return code;
}

int session_energy_begin(struct session *session, struct error *error)
{
    const struct evaluator *evaluator = &session->evaluator;
    const double *percent = session->request->front_percent;
    struct evaluator_energy asked = {.count = 0};
    if (session->request->list || !is_needed(session->objectives, session->objective_count))
        return 0;
    session_wait(session, "the device");
    int code = evaluator->ops->device->energy(evaluator->state, &asked, error);
    if (!code && asked.missing) {
        error_set(error, ERROR_NO_DEVICE, "the energy counter of %s cannot be used: %s", session->limits->name,
                  asked.missing);
        error_hint(error, "--objective time measures without it");
        return ERROR_NO_DEVICE;
    }
    if (!code && !(session->energy = arena_alloc(&session->arena, sizeof *session->energy)))
        return error_memory(error);
    if (!code)
        *session->energy = (struct session_energy){.run.front = (percent ? *percent : SESSION_FRONT_PERCENT) / 100};
    return code;
}

static struct measurement measurement_of(const struct session *session, size_t number,
                                         const struct objective *objective)
{
    return energy_measurement(&session->energy->run.energies[number], objective, session->conditions.confidence);
}

/* The default's number among the candidates, or that of the configuration with its machine code; SIZE_MAX: none. */
static size_t find_default(const struct session *session)
{
    const struct run_progress *run = &session->run;
    for (size_t i = 0; i < session->energy->run.count; i++)
        if (run->has_default && session->energy->run.indices[i] == run->default_index)
            return i;
    return SIZE_MAX;
}

static int save_best(struct session *session, struct session_energy_best *best, struct error *error)
{
    const struct run_energy *run = &session->energy->run;
    const size_t standard = find_default(session);
    const uint64_t index = run->indices[best->number];
    const struct winner winner = {.measurement = measurement_of(session, best->number, best->objective),
                                  .default_ = standard == SIZE_MAX
                                                  ? measurement_unknown(STATUS_OK)
                                                  : measurement_of(session, standard, best->objective)};
    best->row = session_best_row(session, &winner, index);
    best->row.states = run->energies[best->number].states;
    best->previous_value = NAN;
    return database_put(session->request->database, &best->row, NULL, &best->outcome, &best->previous_value, error);
}

/* Reports the first of the configurations whose energy comes with a message. */
static void explain_doubts(struct session *session)
{
    const struct run_energy *run = &session->energy->run;
    size_t count = 0, first = 0;
    for (size_t i = run->count; i-- > 0;)
        if (run->measured && run->energies[i].round_count && *run->measurements[i].message) {
            first = i;
            count++;
        }
    if (count)
        session_note(session, "energy of %zu of %zu configurations, the first %s: %s", count, run->count,
                     session_config(session, run->indices[first]), run->measurements[first].message);
}

static void explain_missing(struct session *session)
{
    const struct run_energy *run = &session->energy->run;
    if (run->late)
        session_note(session, "no energy: the time limit left no time for it");
    if (run->left_out)
        session_note(session, "the energy of %zu slower configurations is not measured: --front is too wide",
                     run->left_out);
    for (size_t i = 0; i < run->count && run->measured; i++)
        if (!run->energies[i].round_count)
            session_note(session, "no energy of %s: %s", session_config(session, run->indices[i]),
                         run->measurements[i].message);
}

int session_energy_save(struct session *session, struct error *error)
{
    struct session_energy *energy = session->energy;
    const double confidence = session->conditions.confidence;
    int code = 0;
    front_of(energy->run.energies, energy->run.count, confidence, energy->front);
    explain_missing(session);
    explain_doubts(session);
    for (size_t i = 0; i < session->objective_count && !code; i++) {
        const struct objective *asked = session->objectives[i];
        struct session_energy_best *best = &energy->best[energy->best_count];
        best->objective = energy_objective(asked, session->space->work_expr != NULL);
        best->number = front_best(energy->run.energies, energy->run.count, best->objective, confidence, &best->tied);
        if (best->number == SIZE_MAX || !energy_is_needed(best->objective))
            continue;
        code = save_best(session, best, error);
        energy->best_count += code == 0;
    }
    timeline("coordinator", "energies saved");
    return code;
}
