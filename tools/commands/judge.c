#include "commands/judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/roofline_time.h"
#include "base/text.h"
#include "commands/judge_clock.h"
#include "commands/judge_floor.h"
#include "space/candidate.h"

/* A difference of times below this is a tie. */
static const double margin = 0.01;

const char *judged_verdict_name(enum judged_verdict verdict)
{
    static const char *const names[JUDGED_VERDICTS] = {"right", "suspicious", "failed", "wrong"};
    return names[verdict];
}

const char *judged_base_name(enum judged_base base)
{
    static const char *const names[JUDGED_BASES] = {"default", "library", "best_known"};
    return names[base];
}

void judging_free(struct judging *judging)
{
    arena_free(&judging->arena);
    free(judging->rows);
}

/* ---- Hearing a session ---- */

struct hearing {
    struct judging *judging;
    session_listener *listener;
    void *context;
    size_t first;               /* of this session's rows */
    uint64_t count;             /* of its configurations */
    size_t *rows;               /* by index of the configuration */
    size_t bases[JUDGED_BASES]; /* rows; SIZE_MAX: none */
    struct measurement library;
    bool has_library;
    double beside_library; /* time of the default that the library was compared with */
    struct judge_floor floor;
};

static const char *copy(struct hearing *hearing, const char *text)
{
    return text ? arena_copy(&hearing->judging->arena, text, strlen(text)) : "";
}

/* The row of a configuration, without its outcome. */
static bool describe(struct hearing *hearing, const struct session_subject *subject, const uint32_t *choices,
                     struct judged *row)
{
    const struct space *space = subject->space;
    const struct candidate *candidate = space_candidate(space, choices);
    struct text text = {0};
    space_config_text(space, choices, &text);
    *row = (struct judged){.own = !candidate,
                           .name = copy(hearing, candidate ? candidate->name : CANDIDATE_OWN),
                           .file = copy(hearing, candidate ? candidate->given : space->source_path),
                           .problem = copy(hearing, subject->problem),
                           .configuration = copy(hearing, text_string(&text)),
                           .journal = copy(hearing, subject->journal),
                           .why = "",
                           .measurement = measurement_unknown(STATUS_OK)};
    for (size_t b = 0; b < JUDGED_BASES; b++)
        row->over[b] = (struct verdict_ratio){VERDICT_UNKNOWN, false, NAN, NAN, NAN};
    const bool good = !text.failed && row->name && row->file && row->problem && row->configuration && row->journal;
    text_free(&text);
    return good;
}

/* The place of a configuration among the rows: the default, the best known one unless that is the default, the
 * candidates. */
static size_t place_of(const struct session_subject *subject, const uint32_t *choices, uint64_t index, bool has_known)
{
    const uint32_t candidate = choices[subject->space->candidate_parameter];
    return candidate ? candidate + has_known : has_known && index == subject->best_known;
}

static int begin(struct hearing *hearing, const struct session_subject *subject, struct error *error)
{
    struct judging *judging = hearing->judging;
    uint32_t choices[SPACE_PARAMETERS_MAX];
    uint64_t default_ = UINT64_MAX;
    valid_set_find_default(subject->set, subject->space, &default_);
    const bool has_known = subject->best_known != UINT64_MAX && subject->best_known != default_;
    hearing->count = valid_set_count(subject->set);
    const size_t needed = judging->count + (size_t)hearing->count;
    struct judged *rows = realloc(judging->rows, needed * sizeof *rows);
    hearing->rows = calloc((size_t)hearing->count, sizeof *hearing->rows);
    judging->rows = rows ? rows : judging->rows;
    if (!rows || !hearing->rows)
        return error_memory(error);
    judging->room = needed;
    for (uint64_t i = 0; i < hearing->count; i++) {
        valid_set_get(subject->set, i, choices);
        hearing->rows[i] = hearing->first + place_of(subject, choices, i, has_known);
        if (!describe(hearing, subject, choices, &rows[hearing->rows[i]]))
            return error_memory(error);
    }
    judging->count = needed;
    hearing->bases[BASE_DEFAULT] = hearing->first;
    if (subject->best_known != UINT64_MAX)
        hearing->bases[BASE_BEST_KNOWN] = hearing->first + has_known;
    if (has_known)
        rows[hearing->first + 1].name = "best_known";
    hearing->floor = judge_floor_of(subject->space, subject->provenance);
    return 0;
}

/* The library and the default ran in turn: the library's time is scaled to the time that the default has here. */
static void scale_library(struct hearing *hearing)
{
    const struct measurement *own =
        hearing->first < hearing->judging->count ? &hearing->judging->rows[hearing->first].measurement : NULL;
    hearing->has_library &= own && measurement_timed(own);
    if (!hearing->has_library)
        return;
    const double scale = own->value / hearing->beside_library;
    hearing->library.value *= scale;
    hearing->library.low *= scale;
    hearing->library.high *= scale;
    memcpy(hearing->library.states, own->states, sizeof hearing->library.states);
}

static int take_library(struct hearing *hearing, const struct journal_library *library, struct error *error)
{
    hearing->has_library = true;
    hearing->library = measurement_unknown(STATUS_OK);
    hearing->library.value = library->value;
    hearing->library.low = library->low;
    hearing->library.high = library->high;
    hearing->beside_library = library->winner_value;
    hearing->judging->library = copy(hearing, library->name);
    return hearing->judging->library ? 0 : error_memory(error);
}

static int hear_library(void *context, const struct session_event *event, struct error *error)
{
    struct hearing *hearing = context;
    int code = event->kind == SESSION_RESULT && event->result->library
                   ? take_library(hearing, event->result->library, error)
                   : 0;
    return code ? code : hearing->listener(hearing->context, event, error);
}

/* Without candidates: neither the library nor the default needs guarding. Its journal keeps the time. */
static int measure_library(struct hearing *hearing, const struct session_request *request, struct error *error)
{
    const struct session_judgement alone = {0};
    struct session_request own = *request;
    own.judgement = &alone;
    own.listener = hear_library;
    own.context = hearing;
    int code = session_run(&own, error);
    if (code == ERROR_NOTHING_VALID) { /* the verdict about the default says why */
        error_clear(error);
        code = 0;
    }
    return code;
}

static int hear(void *context, const struct session_event *event, struct error *error)
{
    struct hearing *hearing = context;
    int code = 0;
    if (event->kind == SESSION_STARTED)
        code = begin(hearing, event->subject, error);
    if (event->kind == SESSION_RUN && event->run->kind == RUN_OUTCOME && hearing->rows) {
        struct judged *row = &hearing->judging->rows[hearing->rows[event->run->index]];
        row->measurement = *event->run->measurement;
        row->measured = true;
    }
    return code ? code : hearing->listener(hearing->context, event, error);
}

/* ---- Concluding ---- */

/* A duplicate has the outcome of the configuration that it names, which may have been measured again since. */
static const struct judged *original_of(const struct hearing *hearing, const struct judged *row)
{
    size_t length;
    const char *name = measurement_duplicate(&row->measurement, &length);
    for (size_t i = hearing->first; name && i < hearing->judging->count; i++) {
        const struct judged *other = &hearing->judging->rows[i];
        if (other != row && strlen(other->configuration) == length && memcmp(other->configuration, name, length) == 0)
            return other;
    }
    return NULL;
}

static enum judged_verdict verdict_by_status(enum status status)
{
    if (status == STATUS_WRONG_RESULT)
        return JUDGED_WRONG;
    return status_class(status) == OUTCOME_FAILED ? JUDGED_FAILED : JUDGED_RIGHT;
}

/* The kinds of evidence. Journals of earlier versions have only the first, in its message. */
static uint64_t kinds_of(const struct measurement *measurement)
{
    const char *evidence = measurement_evidence(measurement);
    uint64_t kinds = measurement->suspicions;
    for (int s = 0; s < SUSPICION_COUNT && evidence; s++) {
        const char *description = suspicion_description((enum suspicion)s);
        kinds |= (uint64_t)(strncmp(evidence, description, strlen(description)) == 0) << s;
    }
    return kinds;
}

static void suspect_of(struct judged *row, enum suspicion suspicion, struct text *why)
{
    static const enum judged_verdict verdicts[] = {
        [SUSPICION_REMARK] = JUDGED_RIGHT, [SUSPICION_DOUBT] = JUDGED_SUSPICIOUS, [SUSPICION_WRONG] = JUDGED_WRONG};
    const enum judged_verdict verdict = verdicts[suspicion_weight(suspicion)];
    if (row->verdict < JUDGED_FAILED && verdict > row->verdict)
        row->verdict = verdict;
    if (!strstr(text_string(why), suspicion_description(suspicion)))
        text_printf(why, "%s%s", why->length ? "; " : "", suspicion_description(suspicion));
}

/* Adds the evidence to the reason. It never speaks against the space's own kernels, whose author is trusted. */
static void suspect(struct hearing *hearing, struct judged *row, struct text *why)
{
    const uint64_t kinds = kinds_of(&row->measurement);
    for (int s = 0; s < SUSPICION_COUNT; s++)
        if (kinds >> s & 1u)
            suspect_of(row, (enum suspicion)s, why);
    if (row->verdict == JUDGED_RIGHT && judge_floor_explain(&hearing->floor, &row->measurement, why))
        row->verdict = JUDGED_SUSPICIOUS;
}

/* The reason that the measurement itself has. */
static const char *reason_of(const struct measurement *measurement)
{
    const char *evidence = measurement_evidence(measurement);
    return evidence ? evidence : measurement->message;
}

static int conclude_row(struct hearing *hearing, struct judged *row, struct error *error)
{
    struct text why = {0};
    const struct judged *original = original_of(hearing, row);
    if (!row->measured) {
        row->verdict = JUDGED_FAILED;
        text_printf(&why, "it was not measured");
    } else if (original) {
        text_printf(&why, "the same machine code as %s%s%s", original->name, *original->measurement.message ? ": " : "",
                    original->measurement.message);
        row->measurement = original->measurement;
        row->verdict = verdict_by_status(row->measurement.status);
    } else {
        row->verdict = verdict_by_status(row->measurement.status);
        if (row->verdict == JUDGED_FAILED)
            text_printf(&why, "%s: ", status_name(row->measurement.status));
        text_printf(&why, "%s", reason_of(&row->measurement));
    }
    if (row->measured && !row->own)
        suspect(hearing, row, &why);
    row->why = copy(hearing, text_string(&why));
    const bool good = !why.failed && row->why;
    text_free(&why);
    return good ? 0 : error_memory(error);
}

/* Says if the clock was another than that of the default. */
static int remark_clock(struct hearing *hearing, struct judged *row, struct error *error)
{
    const struct measurement *own = &hearing->judging->rows[hearing->first].measurement;
    struct text why = {0};
    if (row->own || !measurement_timed(&row->measurement) || !measurement_timed(own))
        return 0;
    text_printf(&why, "%s", row->why);
    if (judge_clock_explain(&row->measurement, own, CANDIDATE_OWN, &why))
        row->why = copy(hearing, text_string(&why));
    const bool good = !why.failed && row->why;
    text_free(&why);
    return good ? 0 : error_memory(error);
}

static void compare(const struct hearing *hearing, struct judged *row)
{
    for (size_t b = 0; b < JUDGED_BASES && row->verdict == JUDGED_RIGHT; b++) {
        const struct judged *base = hearing->bases[b] == SIZE_MAX ? NULL : &hearing->judging->rows[hearing->bases[b]];
        if (b == BASE_LIBRARY && hearing->has_library)
            row->over[b] = verdict_of(&hearing->library, &row->measurement, margin);
        else if (base && base != row && measurement_timed(&base->measurement))
            row->over[b] = verdict_of(&base->measurement, &row->measurement, margin);
    }
}

int judge_run(struct judging *judging, const struct session_request *request, bool has_library,
              session_listener *listener, void *context, struct error *error)
{
    struct hearing hearing = {.judging = judging,
                              .listener = listener,
                              .context = context,
                              .first = judging->count,
                              .bases = {SIZE_MAX, SIZE_MAX, SIZE_MAX}};
    struct session_request own = *request;
    struct error later = {0};
    own.listener = hear;
    own.context = &hearing;
    int code = has_library ? measure_library(&hearing, request, error) : 0;
    if (!code)
        code = session_run(&own, error);
    scale_library(&hearing);
    for (size_t i = hearing.first; i < judging->count && later.code != ERROR_MEMORY; i++)
        if (!conclude_row(&hearing, &judging->rows[i], &later))
            remark_clock(&hearing, &judging->rows[i], &later);
    for (size_t i = hearing.first; i < judging->count; i++)
        compare(&hearing, &judging->rows[i]);
    free(hearing.rows);
    return code || !later.code ? code : error_memory(error);
}

enum judged_verdict judged_overall(const struct judging *judging, const char *name, const struct judged **where)
{
    enum judged_verdict worst = JUDGED_RIGHT;
    *where = NULL;
    for (size_t i = 0; i < judging->count; i++) {
        const struct judged *row = &judging->rows[i];
        if (strcmp(row->name, name) != 0 || (*where && row->verdict <= worst))
            continue;
        worst = row->verdict;
        *where = row;
    }
    return worst;
}
