#include "analyse/front.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/text.h"
#include "journal/journal.h"

static bool better(struct bounded a, struct bounded b)
{
    return a.high < b.low;
}

static bool dominates(const struct front_point *a, const struct front_point *b)
{
    return (better(a->time, b->time) || better(a->energy, b->energy)) && !better(b->time, a->time) &&
           !better(b->energy, a->energy);
}

static double product(const struct front_point *point)
{
    return point->time.value * point->energy.value;
}

/* The remaining point with the largest product that another remaining one dominates; NULL: none. */
static struct front_point *find_dominated(struct front_point *points, size_t count)
{
    struct front_point *worst = NULL;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count && points[i].on; j++)
            if (points[j].on && dominates(&points[j], &points[i]) && (!worst || product(&points[i]) > product(worst)))
                worst = &points[i];
    return worst;
}

void front_mark(struct front_point *points, size_t count)
{
    struct front_point *dominated;
    for (size_t i = 0; i < count; i++)
        points[i].on = points[i].time.value > 0 && points[i].energy.value > 0;
    while ((dominated = find_dominated(points, count)))
        dominated->on = false;
}

static double value_of(const struct energy *energy, const struct objective *objective, double confidence)
{
    return energy_value(energy, objective, confidence).value;
}

/* The energy with the least value; SIZE_MAX: none has one. */
static size_t find_least(const struct energy *energies, size_t count, const struct objective *objective,
                         double confidence)
{
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        double value = value_of(&energies[i], objective, confidence);
        if (!isnan(value) && (least == SIZE_MAX || value < value_of(&energies[least], objective, confidence)))
            least = i;
    }
    return least;
}

/* A quantity by its ratio to the reference. */
static struct bounded relative(const struct energy *energy, const struct energy *reference,
                               const struct objective *objective, double confidence)
{
    struct bounded ratio = energy_ratio(energy, reference, objective, confidence);
    double own = value_of(reference, objective, confidence);
    return (struct bounded){own * ratio.value, own * ratio.low, own * ratio.high};
}

void front_of(const struct energy *energies, size_t count, double confidence, struct front_point *points)
{
    const size_t least = find_least(energies, count, &objective_row_energy_per_work, confidence);
    const struct bounded none = {NAN, NAN, NAN};
    for (size_t i = 0; i < count; i++)
        points[i] =
            least == SIZE_MAX
                ? (struct front_point){none, none, false}
                : (struct front_point){
                      .time = relative(&energies[i], &energies[least], &objective_row_time_per_work, confidence),
                      .energy = relative(&energies[i], &energies[least], &objective_row_energy_per_work, confidence)};
    front_mark(points, count);
}

size_t front_best(const struct energy *energies, size_t count, const struct objective *objective, double confidence,
                  size_t *tied)
{
    const size_t least = find_least(energies, count, objective, confidence);
    const struct objective *second =
        energy_is_needed(objective) ? &objective_row_time_per_work : &objective_row_energy_per_work;
    size_t best = least, equal = 0;
    for (size_t i = 0; i < count && least != SIZE_MAX; i++) {
        struct bounded ratio = energy_ratio(&energies[i], &energies[least], objective, confidence);
        if (!(ratio.low <= 1))
            continue;
        equal++;
        if (value_of(&energies[i], second, confidence) < value_of(&energies[best], second, confidence))
            best = i;
    }
    if (tied)
        *tied = equal;
    return best;
}

size_t front_weighted(const struct front_point *points, size_t count, double weight)
{
    double time = INFINITY, energy = INFINITY, least = INFINITY;
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < count; i++)
        if (points[i].on) {
            time = fmin(time, points[i].time.value);
            energy = fmin(energy, points[i].energy.value);
        }
    for (size_t i = 0; i < count; i++) {
        const double sum = weight * points[i].energy.value / energy + (1 - weight) * points[i].time.value / time;
        if (!points[i].on || sum > least || (sum == least && points[i].time.value >= points[best].time.value))
            continue;
        best = i;
        least = sum;
    }
    return best;
}

struct energy front_library(const struct front_point *configuration, const struct journal_library *library,
                            bool per_work)
{
    const struct energy *own = library->energy, *other = library->winner_energy;
    struct energy energy = energy_unknown();
    energy.work = per_work ? 1 : NAN;
    for (size_t i = 0; own && other && i < own->round_count && i < other->round_count; i++) {
        energy.joules[i] = configuration->energy.value * own->joules[i] / other->joules[i];
        energy.times_ns[i] = configuration->time.value * own->times_ns[i] / other->times_ns[i];
        energy.round_count++;
    }
    return energy;
}

/* Takes the library that one of the front's configurations was compared with last. */
static void read_library(const struct journal *journal, const struct journal_energy *group, struct front *front)
{
    for (size_t i = 0; i < front->count; i++) {
        const struct journal_library *library = journal_find_library(journal, group[i].values);
        if (!library || !library->energy)
            continue;
        front->library = library->name;
        front->library_energy = front_library(&front->points[i], library, front->per_work);
    }
}

/* "TILE=16 PAD=1" in memory of the arena; NULL when out of memory. */
static const char *name_of(const struct journal *journal, const char *const *values, struct arena *arena)
{
    const struct journal_header *header = journal_get_header(journal);
    struct text text = {0};
    for (size_t p = 0; p < header->parameter_count; p++)
        text_printf(&text, "%s%s=%s", p ? " " : "", header->parameters[p], values[p]);
    const char *copy = text.failed ? NULL : arena_copy(arena, text_string(&text), text.length);
    text_free(&text);
    return copy;
}

int front_read(const struct journal *journal, double confidence, struct arena *arena, struct front *front,
               struct error *error)
{
    const struct journal_energy *group = journal_last_energies(journal, &front->count);
    front->configurations = arena_array(arena, front->count + 1, sizeof *front->configurations);
    front->energies = arena_array(arena, front->count + 1, sizeof *front->energies);
    front->points = arena_array(arena, front->count + 1, sizeof *front->points);
    bool whole = front->configurations && front->energies && front->points;
    for (size_t i = 0; i < front->count && whole; i++) {
        front->energies[i] = group[i].energy;
        front->configurations[i] = name_of(journal, group[i].values, arena);
        whole = front->configurations[i] != NULL;
    }
    if (!whole)
        return error_memory(error);
    front_of(front->energies, front->count, confidence, front->points);
    front->per_work = front->count && !isnan(front->energies[0].work);
    read_library(journal, group, front);
    return 0;
}
