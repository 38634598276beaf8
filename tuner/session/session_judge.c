/* Judging candidates: a run over the candidates instead of the space's configurations. */
#include <stdlib.h>
#include <string.h>

#include "base/pairs.h"
#include "session/session_state.h"
#include "session/subset.h"
#include "space/candidate.h"

/* Refuses special values where no input has them, or the expected results are those of other inputs. */
static int check_special(const struct space *space, struct error *error)
{
    const struct buffer *expected = NULL;
    bool any = false;
    for (size_t i = 0; i < space->buffer_count; i++) {
        const struct buffer *buffer = &space->buffers[i];
        any |= buffer->fill == FILL_RANDOM && !buffer->low && buffer->type->family == FAMILY_FLOAT;
        if (buffer->expected_path)
            expected = buffer;
    }
    if (!any) {
        error_set(error, ERROR_USAGE,
                  "--special has no effect: no buffer has random floating-point numbers without bounds");
        error_hint(error,
                   "special values are outside of bounds, as in `random 0..1`, and files and kernels have their own");
    } else if (expected || space->reference_kind == REFERENCE_COMMAND) {
        error_set(error, ERROR_USAGE,
                  "--special: the expected results of %s are those of inputs without special values",
                  expected ? expected->name : "the reference command");
        error_hint(error, "a reference kernel computes those of other inputs: reference NAME");
    }
    return error->code;
}

int session_admit(struct session *session, struct error *error)
{
    const struct session_judgement *judgement = session->request->judgement;
    int code = judgement ? space_admit(session->space, judgement->paths, judgement->path_count, error) : 0;
    return !code && judgement && judgement->special ? check_special(session->space, error) : code;
}

/* ---- The configurations ---- */

/* The configuration of the space's own parameters for the candidates. */
static int read_common(struct session *session, uint32_t *choices, struct error *error)
{
    const struct session_judgement *judgement = session->request->judgement;
    space_default(session->space, choices);
    if (!judgement->configuration)
        return 0;
    const char *whole =
        arena_printf(&session->arena, "%s " CANDIDATE_PARAMETER "=" CANDIDATE_OWN, judgement->configuration);
    if (!whole)
        return error_memory(error);
    if (!space_config_parse(session->space, whole, choices, error))
        return 0;
    error->code = ERROR_USAGE;
    return ERROR_USAGE;
}

static bool of_these_sizes(const struct session *session, const struct best *best)
{
    return strcmp(best->provenance.kernel, session->space->name) == 0 && !database_is_fit(best) &&
           strcmp(best->provenance.device.name, session->limits->name) == 0 &&
           pairs_compare(best->provenance.problem, text_string(&session->problem)) == 0;
}

/* Finds the configuration that the database has for this device and these sizes; false: it has none that is valid
 * here. */
static bool find_known(struct session *session, const struct database *database, uint32_t *choices)
{
    for (size_t row = 0; row < database_count(database); row++) {
        const struct best *best = database_get(database, row);
        struct error unfit = {0};
        const char *whole =
            arena_printf(&session->arena, "%s " CANDIDATE_PARAMETER "=" CANDIDATE_OWN, best->configuration);
        if (whole && of_these_sizes(session, best) && !space_config_parse(session->space, whole, choices, &unfit) &&
            valid_set_find(session->set, choices, NULL))
            return true;
    }
    return false;
}

static int add(const struct session *session, const uint32_t *choices, struct text *lines, size_t *count)
{
    space_config_text(session->space, choices, lines);
    text_append(lines, "", 1);
    ++*count;
    return 0;
}

/* The own kernels with the default, and perhaps the best known configuration, then the candidates with theirs. */
static int list_configurations(struct session *session, const uint32_t *known, struct text *lines, size_t *count,
                               struct error *error)
{
    const struct space *space = session->space;
    uint32_t own[SPACE_PARAMETERS_MAX], common[SPACE_PARAMETERS_MAX];
    int code = read_common(session, common, error);
    if (code)
        return code;
    space_default(space, own);
    add(session, own, lines, count);
    if (known && space->candidate_count && memcmp(known, own, space->parameter_count * sizeof *own) != 0)
        add(session, known, lines, count);
    for (size_t i = 0; i < space->candidate_count; i++) {
        common[space->candidate_parameter] = (uint32_t)i + 1;
        add(session, common, lines, count);
    }
    return lines->failed ? error_memory(error) : 0;
}

int session_judged_set(struct session *session, struct error *error)
{
    struct database *database = NULL;
    struct text lines = {0};
    uint32_t known[SPACE_PARAMETERS_MAX];
    size_t count = 0;
    int code = database_open(&database, session->request->database, error);
    bool has_known = !code && find_known(session, database, known);
    if (!code)
        code = list_configurations(session, has_known ? known : NULL, &lines, &count, error);
    const char **configurations = code ? NULL : calloc(count, sizeof *configurations);
    if (!code && !configurations)
        code = error_memory(error);
    const char *at = text_string(&lines);
    for (size_t i = 0; i < count && !code; i++, at += strlen(at) + 1)
        configurations[i] = at;
    if (!code)
        code = listed_set(&session->set, session->space, configurations, count, error);
    session->subject.best_known = UINT64_MAX;
    if (!code && has_known)
        valid_set_find(session->set, known, &session->subject.best_known);
    free(configurations);
    text_free(&lines);
    database_close(database);
    return code;
}
