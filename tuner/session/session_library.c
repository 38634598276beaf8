#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/timeline.h"
#include "evaluate/rows.h"
#include "session/session_state.h"

enum { FILE_BYTES_MAX = 1 << 30 };
static const int64_t energy_least_ns = 10 * (int64_t)1000000000;
static const char no_time[] = "the time limit leaves no time for it";

/* Hashes the file and its compile options: another hash means another library. */
static int hash_library(const struct space *space, char hash[HASH_HEX_BYTES], struct error *error)
{
    struct text text = {0};
    int code = file_read_regular(space->library_path, FILE_BYTES_MAX, &text, error);
    text_append(&text, space->library_options, text_strings_bytes(space->library_options, space->library_option_count));
    if (!code)
        code = text.failed ? error_memory(error) : 0;
    if (!code)
        hash_hex(text.bytes, text.length, hash);
    text_free(&text);
    return code;
}

static void note(struct session *session, const char *why)
{
    session_note(session, "no comparison with the library %s: %s", session->space->library_path, why);
}

static const char *copy(struct session *session, const char *text)
{
    return arena_copy(&session->arena, text, strlen(text));
}

/* Returns the library's own name, or else the name of its file. */
static const char *name_of(struct session *session, const struct measurement *library)
{
    const char *path = session->space->library_path, *slash = strrchr(path, '/');
    const char *name = *library->message ? library->message : slash ? slash + 1 : path;
    return copy(session, name);
}

/* Reports why two measurements cannot be compared; false: they can. */
static bool refuse(struct session *session, const struct evaluator_library *measured)
{
    const struct measurement *library = &measured->library, *winner = &measured->winner;
    char why[sizeof library->message + 64];
    if (library->status == STATUS_WRONG_RESULT)
        snprintf(why, sizeof why, "its output is wrong: %s", library->message);
    else if (library->status != STATUS_OK) /* both have this status if their process ended */
        snprintf(why, sizeof why, "%s", library->message);
    else if (winner->status != STATUS_OK)
        snprintf(why, sizeof why, "beside it, the winner fails: %s", winner->message);
    else if (isnan(library->value) || isnan(winner->value))
        snprintf(why, sizeof why, "it was not timed");
    else
        return false;
    note(session, why);
    return true;
}

static const struct energy *keep(struct session *session, const struct energy *energy)
{
    struct energy *kept = arena_alloc(&session->arena, sizeof *kept);
    if (kept)
        *kept = *energy;
    return kept;
}

static int take(struct session *session, const uint32_t *choices, const struct evaluator_library *measured,
                struct error *error)
{
    struct journal_library *library = &session->library;
    library->value = measured->library.value;
    library->low = measured->library.low;
    library->high = measured->library.high;
    library->samples = measured->library.samples;
    library->winner_value = measured->winner.value;
    library->name = name_of(session, &measured->library);
    library->states = copy(session, measured->library.states);
    library->winner_states = copy(session, measured->winner.states);
    if (measured->library_energy.round_count) {
        library->energy = keep(session, &measured->library_energy);
        library->winner_energy = keep(session, &measured->winner_energy);
    }
    if (!library->name || !library->states || !library->winner_states || !library->energy != !library->winner_energy ||
        (measured->library_energy.round_count && !library->energy))
        return error_memory(error);
    return session->journal ? rows_append_library(session->journal, session->space, choices, library, error) : 0;
}

/* Measures the library's energy beside the winner's if the run has energies and the time for it. */
static bool wants_energy(const struct session *session)
{
    return session->energy && session->energy->run.count && session_left_ns(session) > energy_least_ns;
}

static int compare(struct session *session, const uint32_t *choices, struct error *error)
{
    const struct evaluator *evaluator = &session->evaluator;
    struct evaluator_library measured = {.energy = wants_energy(session)};
    int code = hash_library(session->space, session->library.hash, error);
    if (code)
        return code;
    const struct journal_library *known =
        session->journal ? rows_find_library(session->journal, session->space, choices) : NULL;
    if (known && strcmp(known->hash, session->library.hash) == 0 && (known->energy || !measured.energy)) {
        session->library = *known;
        return 0;
    }
    session_wait(session, "the library that the winner is compared with");
    code = evaluator->ops->device->library(evaluator->state, session->run.best_index, &measured, error);
    if (code || refuse(session, &measured))
        return code;
    return take(session, choices, &measured, error);
}

void session_library(struct session *session)
{
    uint32_t choices[SPACE_PARAMETERS_MAX];
    struct error error = {0};
    if (session->request->judgement && session->request->judgement->path_count)
        return; /* a guarded device has no play-offs */
    valid_set_get(session->set, session->run.best_index, choices);
    if (session->recorded) {
        const struct journal_library *known = rows_find_library(session->recorded, session->space, choices);
        if (known)
            session->library = *known;
        return;
    }
    if (!session->space->library_path || !session->evaluator.ops->device)
        return;
    if (!session->request->finalists && !session->request->judgement)
        note(session, "--playoff 0 leaves it out");
    else if (session_left_ns(session) <= 0)
        note(session, no_time);
    else if (compare(session, choices, &error) && (error.code != ERROR_INTERRUPTED || session_left_ns(session) <= 0))
        note(session, error.code == ERROR_INTERRUPTED ? no_time : error.message);
    timeline("coordinator", "library compared");
}
