#include "base/energy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/pairs.h"
#include "base/range.h"

const struct energy_row energy_rows[] = {
#define ENERGY(name, unit, range, meaning) {#name, unit, meaning, offsetof(struct energy, name)},
#include "base/energy.def"
#undef ENERGY
};
const size_t energy_count = sizeof energy_rows / sizeof *energy_rows;

static const enum range ranges[] = {
#define ENERGY(name, unit, range, meaning) RANGE_##range,
#include "base/energy.def"
#undef ENERGY
};

#define ENERGY(name, unit, range, meaning) PACK_NUMBER(struct energy, name),
static const struct pack_field fields[] = {
    PACK_BELOW(struct energy, round_count, ENERGY_ROUNDS_MAX + 1),
    PACK_NUMBERS(struct energy, joules),
    PACK_NUMBERS(struct energy, times_ns),
    PACK_TEXT(struct energy, states),
#include "base/energy.def"
};
#undef ENERGY
const struct pack_table energy_table = {sizeof(struct energy), sizeof fields / sizeof *fields, fields};

static double *number_at(struct energy *energy, size_t row)
{
    return (double *)(void *)((char *)energy + energy_rows[row].offset);
}

struct energy energy_unknown(void)
{
    struct energy energy = {0};
    for (size_t i = 0; i < energy_count; i++)
        *number_at(&energy, i) = NAN;
    return energy;
}

/* ---- Quantities ---- */

/* A quantity is joules^j * seconds^s / work^w. */
static const struct quantity {
    int joules, seconds, work;
    double unit; /* of the objective, in these units */
} quantities[OBJECTIVE_COUNT] = {
    [OBJECTIVE_time] = {0, 1, 0, 1e-9}, [OBJECTIVE_time_per_work] = {0, 1, 1, 1e-9},
    [OBJECTIVE_energy] = {1, 0, 0, 1},  [OBJECTIVE_energy_per_work] = {1, 0, 1, 1},
    [OBJECTIVE_power] = {1, -1, 0, 1},  [OBJECTIVE_energy_delay] = {1, 1, 2, 1},
};

bool energy_is_needed(const struct objective *objective)
{
    return quantities[objective_number(objective)].joules != 0;
}

static bool is_measured(const struct objective *objective)
{
    return objective == objective_default() || (energy_is_needed(objective) && !objective->per_work);
}

/* Reads a name; NULL: no objective that can be measured has it. */
static const struct objective *read_name(const char *name, size_t length)
{
    for (size_t i = 0; i < OBJECTIVE_COUNT; i++)
        if (is_measured(objective_rows[i]) && strlen(objective_rows[i]->name) == length &&
            memcmp(objective_rows[i]->name, name, length) == 0)
            return objective_rows[i];
    return NULL;
}

const char *energy_add_objective(const char *name, size_t length, const struct objective **list, size_t *count)
{
    const struct objective *objective = read_name(name, length);
    if (!objective)
        return "is not an objective";
    for (size_t i = 0; i < *count; i++)
        if (list[i] == objective)
            return "is given twice";
    list[(*count)++] = objective;
    return NULL;
}

void energy_hint_objective(const char *name, size_t length, struct error *error)
{
    const char *names[OBJECTIVE_COUNT];
    char given[64];
    struct text all = {0};
    size_t count = 0;
    for (size_t i = 0; i < OBJECTIVE_COUNT; i++)
        if (is_measured(objective_rows[i]))
            names[count++] = objective_rows[i]->name;
    for (size_t i = 0; i < count; i++)
        text_printf(&all, "%s%s", i == 0 ? "" : i + 1 < count ? ", " : " and ", names[i]);
    snprintf(given, sizeof given, "%.*s", (int)(length < sizeof given ? length : sizeof given - 1), name);
    const char *near = read_name(name, length) ? NULL : text_nearest(given, names, count);
    if (near)
        error_hint(error, "did you mean '%s'?", near);
    else
        error_hint(error, "expected one or several of %s, separated by commas", text_string(&all));
    text_free(&all);
}

int energy_read_objectives(const char *text, const struct objective **list, size_t *count, struct error *error)
{
    const char *at = text;
    for (*count = 0;; at++) {
        const size_t length = strcspn(at, ",");
        const char *wrong = energy_add_objective(at, length, list, count);
        if (wrong) {
            error_set(error, ERROR_USAGE, "--objective: '%.*s' %s", length < 60 ? (int)length : 60, at, wrong);
            energy_hint_objective(at, length, error);
            return ERROR_USAGE;
        }
        at += length;
        if (!*at)
            return 0;
    }
}

const struct objective *energy_objective(const struct objective *objective, bool per_work)
{
    for (size_t i = 0; i < OBJECTIVE_COUNT; i++)
        if (objective->aim && objective_rows[i]->aim && strcmp(objective_rows[i]->aim, objective->aim) == 0 &&
            objective_rows[i]->per_work == per_work)
            return objective_rows[i];
    return objective;
}

static double of_round(const struct energy *energy, const struct quantity *quantity, size_t round)
{
    double work = isnan(energy->work) ? 1 : energy->work;
    return pow(energy->joules[round], quantity->joules) * pow(energy->times_ns[round] * 1e-9, quantity->seconds) /
           pow(work, quantity->work) / quantity->unit;
}

static bool has_round(const struct energy *energy, size_t round)
{
    return round < energy->round_count && energy->joules[round] > 0 && energy->times_ns[round] > 0;
}

struct bounded energy_value(const struct energy *energy, const struct objective *objective, double confidence)
{
    double samples[ENERGY_ROUNDS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < energy->round_count; i++)
        if (has_round(energy, i))
            samples[count++] = of_round(energy, &quantities[objective_number(objective)], i);
    return statistics_geometric(samples, count, confidence);
}

struct measurement energy_measurement(const struct energy *energy, const struct objective *objective, double confidence)
{
    struct measurement measurement = measurement_unknown(STATUS_OK);
    const struct bounded value = energy_value(energy, objective, confidence);
    measurement.objective = objective_number(objective);
    measurement.value = value.value;
    measurement.low = value.low;
    measurement.high = value.high;
    measurement.samples = energy->round_count;
    measurement.work = energy->work;
    measurement.run_ns = energy_value(energy, &objective_row_time, confidence).value;
    return measurement;
}

struct bounded energy_ratio(const struct energy *a, const struct energy *b, const struct objective *objective,
                            double confidence)
{
    const struct quantity *quantity = &quantities[objective_number(objective)];
    double samples[ENERGY_ROUNDS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < a->round_count; i++)
        if (has_round(a, i) && has_round(b, i))
            samples[count++] = of_round(a, quantity, i) / of_round(b, quantity, i);
    return statistics_geometric(samples, count, confidence);
}

double energy_above_idle(const struct energy *energy)
{
    double joules = energy_value(energy, &objective_row_energy, 0.95).value;
    return joules - energy->idle_w * 1e-9 * energy_value(energy, &objective_row_time, 0.95).value;
}

bool energy_dominates(const struct energy *a, const struct energy *b, double confidence)
{
    struct bounded time = energy_ratio(a, b, &objective_row_time_per_work, confidence);
    struct bounded joules = energy_ratio(a, b, &objective_row_energy_per_work, confidence);
    return (time.high < 1 || joules.high < 1) && !(time.low > 1) && !(joules.low > 1);
}

/* ---- The text ---- */

void energy_append_rounds(struct text *text, const struct energy *energy)
{
    char joules[TEXT_REAL_BYTES], time[TEXT_REAL_BYTES];
    for (size_t i = 0; i < energy->round_count; i++)
        if (has_round(energy, i))
            text_printf(text, "%s%s:%s", i ? "/" : "", text_real(energy->joules[i], joules),
                        text_real(energy->times_ns[i], time));
        else
            text_printf(text, "%s-", i ? "/" : "");
}

void energy_append(struct text *text, const struct energy *energy)
{
    char number[TEXT_REAL_BYTES];
    text_printf(text, "rounds=");
    energy_append_rounds(text, energy);
    for (size_t i = 0; i < energy_count; i++) {
        double value = *number_at((struct energy *)energy, i);
        if (!isnan(value))
            text_printf(text, " %s=%s", energy_rows[i].name, text_real(value, number));
    }
}

static int refuse(const char *what, struct error *error)
{
    error_set(error, ERROR_DATA, "the energy row's '%.60s' is impossible", what);
    error_hint(error,
               "expected rounds=JOULES:NANOSECONDS/..., at most %d, or '-' for a round without a result; delete "
               "this line, and the energy is unknown",
               ENERGY_ROUNDS_MAX);
    return ERROR_DATA;
}

int energy_read_rounds(const char *text, struct energy *energy, struct error *error)
{
    const char *at = text;
    while (*at) {
        double joules = NAN, time_ns = NAN;
        char *end = (char *)at + 1;
        if (energy->round_count == ENERGY_ROUNDS_MAX)
            return refuse(text, error);
        if (*at != '-') {
            joules = text_number(at, &end);
            if (end == at || *end != ':')
                return refuse(text, error);
            at = end + 1;
            time_ns = text_number(at, &end);
            if (end == at || !objective_is_value(&objective_row_energy, joules) ||
                !objective_is_value(&objective_row_time, time_ns))
                return refuse(text, error);
        }
        if (*end && (*end != '/' || !end[1]))
            return refuse(text, error);
        energy->joules[energy->round_count] = joules;
        energy->times_ns[energy->round_count++] = time_ns;
        at = end + (*end != '\0');
    }
    return 0;
}

int energy_parse(const char *text, struct energy *energy, struct error *error)
{
    struct arena arena = {0};
    struct pairs pairs;
    *energy = energy_unknown();
    int code = pairs_read(&arena, text, &pairs, error);
    const char *rounds = code ? NULL : pairs_find(&pairs, "rounds");
    if (!code)
        code = rounds ? energy_read_rounds(rounds, energy, error) : refuse("rounds", error);
    for (size_t i = 0; i < energy_count && !code; i++) {
        const char *value = pairs_find(&pairs, energy_rows[i].name);
        if (value && (!pairs_number(value, number_at(energy, i)) || !range_has(ranges[i], *number_at(energy, i))))
            code = refuse(energy_rows[i].name, error);
    }
    arena_free(&arena);
    return code;
}
