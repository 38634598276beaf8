#include "base/measurement.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

static const struct {
    const char *name, *t4, *description;
    enum outcome_class class;
} statuses[] = {
#define STATUS(code, name, class, t4, description) {name, t4, description, OUTCOME_##class},
#include "base/statuses.def"
#undef STATUS
};

#define NUMBER(member) PACK_NUMBER(struct measurement, member)
PACK_TABLE(measurement_table, struct measurement, PACK_BELOW(struct measurement, status, STATUS_COUNT),
           PACK_BELOW(struct measurement, playoff, PLAYOFF_COUNT),
           PACK_BELOW(struct measurement, proposer, PROPOSER_COUNT),
           PACK_BELOW(struct measurement, objective, OBJECTIVE_COUNT), NUMBER(samples), NUMBER(discarded),
           NUMBER(value), NUMBER(low), NUMBER(high), NUMBER(mean_ns), NUMBER(power_w), NUMBER(work), NUMBER(run_ns),
           NUMBER(bytes), NUMBER(flops), NUMBER(occupancy), NUMBER(efficiency_other_devices),
           NUMBER(efficiency_other_sizes), NUMBER(registers), NUMBER(shared_bytes), NUMBER(local_bytes),
           NUMBER(compile_ns), NUMBER(measure_ns), NUMBER(clock_mhz), NUMBER(throttle_reasons), NUMBER(verified),
           NUMBER(suspicions), NUMBER(launches), NUMBER(compared), NUMBER(guarding_ns), NUMBER(guard_times.reload_ns),
           NUMBER(guard_times.inputs_ns), NUMBER(guard_times.reference_ns), NUMBER(guard_times.compare_ns),
           NUMBER(guard_times.row_ns), NUMBER(processes), NUMBER(results_checksum), NUMBER(correction),
           PACK_TEXT(struct measurement, uuid), PACK_TEXT(struct measurement, kernel),
           PACK_TEXT(struct measurement, states), PACK_TEXT(struct measurement, message));
#undef NUMBER

const struct guard_times guard_times_unknown = {
#define GUARD_TIME(name, meaning) .name##_ns = -1,
#include "base/guard_times.def"
#undef GUARD_TIME
};

struct measurement measurement_unknown(enum status status)
{
    return (struct measurement){.status = status,
                                .value = NAN,
                                .low = NAN,
                                .high = NAN,
                                .mean_ns = NAN,
                                .power_w = NAN,
                                .work = NAN,
                                .run_ns = NAN,
                                .bytes = NAN,
                                .flops = NAN,
                                .occupancy = NAN,
                                .efficiency_other_devices = NAN,
                                .efficiency_other_sizes = NAN,
                                .registers = -1,
                                .shared_bytes = -1,
                                .local_bytes = -1,
                                .compile_ns = -1,
                                .measure_ns = -1,
                                .clock_mhz = -1,
                                .throttle_reasons = -1,
                                .verified = VERIFIED_UNKNOWN,
                                .guarding_ns = -1,
                                .guard_times = guard_times_unknown,
                                .processes = -1,
                                .correction = NAN};
}

void measurement_forget_states(struct measurement *measurement)
{
    measurement->clock_mhz = measurement->throttle_reasons = -1;
    measurement->states[0] = '\0';
}

void measurement_per_work(struct measurement *measurement, const struct work_amounts *amounts)
{
    if (isnan(amounts->work))
        return;
    measurement->objective = OBJECTIVE_time_per_work;
    if (isnan(measurement->value))
        return;
    measurement->work = amounts->work;
    measurement->bytes = amounts->bytes;
    measurement->flops = amounts->flops;
    measurement->run_ns = measurement->value;
    measurement->value /= amounts->work;
    measurement->low /= amounts->work;
    measurement->high /= amounts->work;
}

double measurement_reach(const struct measurement *measurement)
{
    const struct objective *objective = measurement_objective(measurement);
    if (!objective->per_work)
        return objective->reach;
    return measurement->work > 0 ? objective->reach / measurement->work : 0; /* unknown: only the interval counts */
}

enum outcome_class measurement_class(const struct measurement *measurement)
{
    return isnan(measurement->value) ? OUTCOME_FAILED : statuses[measurement->status].class;
}

bool measurement_timed(const struct measurement *measurement)
{
    return measurement_class(measurement) == OUTCOME_TIMED;
}

bool measurement_has_value(const struct measurement *measurement)
{
    return measurement_class(measurement) != OUTCOME_FAILED;
}

const struct objective *measurement_objective(const struct measurement *measurement)
{
    return objective_rows[measurement->objective];
}

double measurement_cost(const struct measurement *measurement)
{
    return objective_cost(measurement_objective(measurement), measurement->value);
}

double measurement_better_end(const struct measurement *measurement)
{
    return objective_better_end(measurement_objective(measurement), measurement->low, measurement->high);
}

double measurement_worse_end(const struct measurement *measurement)
{
    return objective_worse_end(measurement_objective(measurement), measurement->low, measurement->high);
}

/* Larger is better. In whole per cents, since the times of a search are no more precise. */
static double efficiency_rank(double efficiency)
{
    return isnan(efficiency) ? 0 : efficiency > 0 ? 1 + round(100 * efficiency) : -1;
}

int measurement_compare_tied(const struct measurement *a, const struct measurement *b)
{
    const double ranks[][2] = {
        {efficiency_rank(a->efficiency_other_devices), efficiency_rank(b->efficiency_other_devices)},
        {efficiency_rank(a->efficiency_other_sizes), efficiency_rank(b->efficiency_other_sizes)}};
    for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++)
        if (ranks[i][0] != ranks[i][1])
            return ranks[i][0] > ranks[i][1] ? -1 : 1;
    if (a->registers != b->registers)
        return a->registers < b->registers ? -1 : 1;
    return (a->shared_bytes > b->shared_bytes) - (a->shared_bytes < b->shared_bytes);
}

bool measurement_better(const struct measurement *a, uint64_t a_index, const struct measurement *b, uint64_t b_index)
{
    if (a->value != b->value)
        return objective_better(measurement_objective(a), a->value, b->value);
    if (playoff_beaten(a->playoff) != playoff_beaten(b->playoff))
        return playoff_beaten(b->playoff);
    int order = measurement_compare_tied(a, b);
    return order ? order < 0 : a_index < b_index;
}

void measurement_explain(struct measurement *measurement, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text_vformat(measurement->message, sizeof measurement->message, format, arguments);
    va_end(arguments);
    text_clean(measurement->message, "", ' ');
}

static const char same_code[] = "the same machine code and launch as ", reason_mark[] = ": ";

void measurement_explain_duplicate(struct measurement *measurement, const char *configuration, const char *reason)
{
    size_t prefix = strlen(same_code);
    /* The original may itself be a duplicate: takes over the name and reason of its message. */
    const char *mark = strncmp(reason, same_code, prefix) == 0 ? strstr(reason, reason_mark) : NULL;
    if (strncmp(reason, same_code, prefix) == 0)
        reason = mark ? mark + strlen(reason_mark) : "";
    measurement_explain(measurement, "%s%s%s%s", same_code, configuration, *reason ? reason_mark : "", reason);
}

const char *measurement_duplicate(const struct measurement *measurement, size_t *length)
{
    size_t prefix = strlen(same_code), whole = strlen(measurement->message);
    if (strncmp(measurement->message, same_code, prefix) != 0)
        return NULL;
    const char *name = measurement->message + prefix, *end = strstr(name, reason_mark);
    *length = end ? (size_t)(end - name) : whole - prefix;
    return end || whole + 1 < sizeof measurement->message ? name : NULL; /* otherwise the name may be cut off */
}

static const struct {
    const char *name, *description;
    enum suspicion_weight weight;
} suspicions[] = {
#define SUSPICION(name, weight, meaning) {#name, meaning, SUSPICION_##weight},
#include "base/suspicions.def"
#undef SUSPICION
};

const char *suspicion_name(enum suspicion suspicion)
{
    return suspicions[suspicion].name;
}

const char *suspicion_description(enum suspicion suspicion)
{
    return suspicions[suspicion].description;
}

enum suspicion_weight suspicion_weight(enum suspicion suspicion)
{
    return suspicions[suspicion].weight;
}

_Static_assert(sizeof(""
#define SUSPICION(name, weight, meaning) #name "/"
#include "base/suspicions.def"
#undef SUSPICION
                      ) <= SUSPICIONS_BYTES,
               "SUSPICIONS_BYTES is too small");

void suspicions_print(uint64_t kinds, char text[SUSPICIONS_BYTES])
{
    size_t length = 0;
    *text = '\0';
    for (int s = 0; s < SUSPICION_COUNT; s++)
        if (kinds >> s & 1u)
            length += (size_t)snprintf(text + length, SUSPICIONS_BYTES - length, "%s%s", length ? "/" : "",
                                       suspicions[s].name);
}

bool suspicions_find(const char *text, uint64_t *found)
{
    for (*found = 0; *text;) {
        const size_t length = strcspn(text, "/");
        int s = 0;
        while (s < SUSPICION_COUNT &&
               (strlen(suspicions[s].name) != length || memcmp(suspicions[s].name, text, length) != 0))
            s++;
        if (s == SUSPICION_COUNT)
            return false;
        *found |= (uint64_t)1 << s;
        text += length;
        text += *text == '/';
    }
    return true;
}

/* How the message about evidence begins. */
static const char evident[] = "evidence: ";

void measurement_suspect(struct measurement *measurement, enum suspicion suspicion, const char *detail)
{
    measurement->suspicions |= (uint64_t)1 << suspicion;
    if (!*measurement->message)
        measurement_explain(measurement, "%s%s%s%s", evident, suspicion_description(suspicion), *detail ? ": " : "",
                            detail);
}

const char *measurement_evidence(const struct measurement *measurement)
{
    const size_t length = strlen(evident);
    return strncmp(measurement->message, evident, length) == 0 ? measurement->message + length : NULL;
}

const char *status_name(enum status status)
{
    return statuses[status].name;
}

const char *status_description(enum status status)
{
    return statuses[status].description;
}

enum outcome_class status_class(enum status status)
{
    return statuses[status].class;
}

uint64_t status_class_count(const uint64_t counts[STATUS_COUNT], enum outcome_class class)
{
    uint64_t sum = 0;
    for (int i = 0; i < STATUS_COUNT; i++)
        sum += statuses[i].class == class ? counts[i] : 0;
    return sum;
}

const char *status_t4(enum status status)
{
    return statuses[status].t4;
}

bool status_find_t4(const char *word, enum status *status)
{
    for (int i = 0; i < STATUS_COUNT; i++)
        if (text_compare_letters(statuses[i].t4, word, SIZE_MAX) == 0) {
            *status = (enum status)i;
            return true;
        }
    return false;
}

bool status_find(const char *name, enum status *status)
{
    for (int i = 0; i < STATUS_COUNT; i++)
        if (strcmp(statuses[i].name, name) == 0) {
            *status = (enum status)i;
            return true;
        }
    return false;
}

struct word {
    const char *name, *description;
};

/* Finds the index of a name; false if it is not in the list. */
static bool find_name(const struct word *words, int count, const char *name, int *at)
{
    for (*at = 0; *at < count; ++*at)
        if (strcmp(words[*at].name, name) == 0)
            return true;
    return false;
}

static const struct word playoffs[PLAYOFF_COUNT] = {{"", "an ordinary evaluation"},
                                                    {"leader", "the fastest of the play-off"},
                                                    {"tied", "not measurably slower than the leader"},
                                                    {"lost", "slower than the leader"},
                                                    {"unsteady",
                                                     "not measurably slower than the leader, but its times vary "
                                                     "measurably more: it is not tied"}};

const char *playoff_name(enum playoff playoff)
{
    return playoffs[playoff].name;
}

const char *playoff_description(enum playoff playoff)
{
    return playoffs[playoff].description;
}

bool playoff_find(const char *name, enum playoff *playoff)
{
    int at;
    bool found = find_name(playoffs, PLAYOFF_COUNT, name, &at);
    if (found)
        *playoff = (enum playoff)at;
    return found;
}

bool playoff_beaten(enum playoff playoff)
{
    return playoff == PLAYOFF_LOST || playoff == PLAYOFF_UNSTEADY;
}

static const struct word proposers[PROPOSER_COUNT] = {
    {"", "unknown"},
    {"default", "it is the space's default"},
    {"warm_start", "it is the winner for another device, other sizes or another version, or the best there so far"},
    {"strategy", "the strategy"},
    {"resume",
     "a run that continues the journal, which measures its best configuration again: if the device is faster or "
     "slower than before, all earlier times count as multiplied by the ratio"},
    {"fit", "a fit over sizes (`cutune fit`), which measures the same configurations at all sizes"},
    {"incumbent", "it is the configuration of the database's row. In a play-off, it stays the winner unless another "
                  "one is measurably "
                  "faster"}};

const char *proposer_name(enum proposer proposer)
{
    return proposers[proposer].name;
}

const char *proposer_description(enum proposer proposer)
{
    return proposers[proposer].description;
}

bool proposer_find(const char *name, enum proposer *proposer)
{
    int at;
    bool found = find_name(proposers, PROPOSER_COUNT, name, &at);
    if (found)
        *proposer = (enum proposer)at;
    return found;
}
