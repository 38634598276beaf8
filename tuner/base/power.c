#include "base/power.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* Readings that differ less in the clock are one run: twice the step of a clock. */
static const double same_clock = 0.01;

struct run {
    int64_t count, mhz, reasons, celsius;
};

/* The largest numbers that a text has room for. */
static const struct run most = {999999, 99999, UINT32_MAX, 999};

/* ---- The text ---- */

/* Reads a number up to `limit`, or '-' for -1, and the character after it; false: neither. */
static bool read_number(const char **text, int64_t limit, char after, int64_t *number)
{
    char *end;
    *number = -1;
    if (**text == '-') {
        end = (char *)*text + 1;
    } else {
        if (**text < '0' || **text > '9')
            return false;
        *number = strtoll(*text, &end, 10);
        if (*number > limit)
            return false;
    }
    if (*end != after)
        return false;
    *text = end + (after != '\0');
    return true;
}

/* Returns the number of runs; 0: the text is empty or malformed. */
static size_t read_runs(const char *text, struct run runs[POWER_RUNS_MAX])
{
    size_t count = 0;
    while (*text) {
        struct run *run = &runs[count];
        if (count++ == POWER_RUNS_MAX || !read_number(&text, most.count, 'x', &run->count) || run->count < 1 ||
            !read_number(&text, most.mhz, ':', &run->mhz) || !read_number(&text, most.reasons, ':', &run->reasons))
            return 0;
        if (!read_number(&text, most.celsius, strchr(text, '/') ? '/' : '\0', &run->celsius))
            return 0;
    }
    return count;
}

static void append_number(char **text, int64_t number, char before)
{
    if (before)
        *(*text)++ = before;
    if (number < 0)
        *(*text)++ = '-';
    else
        *text += sprintf(*text, "%" PRId64, number);
    **text = '\0';
}

static void write_runs(const struct run *runs, size_t count, char text[POWER_STATES_BYTES])
{
    *text = '\0';
    for (size_t i = 0; i < count; i++) {
        append_number(&text, runs[i].count, i ? '/' : '\0');
        append_number(&text, runs[i].mhz, 'x');
        append_number(&text, runs[i].reasons, ':');
        append_number(&text, runs[i].celsius, ':');
    }
}

/* ---- Adding ---- */

static bool at_cap(const struct run *run)
{
    return run->reasons >= 0 && (run->reasons & POWER_CAP_REASON);
}

/* True if the runs count alike for the state. */
static bool alike(const struct run *a, const struct run *b)
{
    return (a->reasons < 0) == (b->reasons < 0) && at_cap(a) == at_cap(b);
}

static bool same(const struct run *run, const struct run *reading)
{
    return run->reasons == reading->reasons && (run->mhz < 0) == (reading->mhz < 0) &&
           (double)llabs(run->mhz - reading->mhz) <= same_clock * (double)run->mhz + (run->mhz < 0);
}

static void join(struct run *run, const struct run *other)
{
    run->count = run->count + other->count < most.count ? run->count + other->count : most.count;
    run->celsius = other->celsius > run->celsius ? other->celsius : run->celsius;
}

/* Returns the run with the nearest clock among those that count alike; NULL: none. */
static struct run *nearest(struct run *runs, size_t count, const struct run *reading)
{
    struct run *found = NULL;
    for (size_t i = 0; i < count; i++)
        if (alike(&runs[i], reading) &&
            (!found || llabs(runs[i].mhz - reading->mhz) < llabs(found->mhz - reading->mhz)))
            found = &runs[i];
    return found;
}

/* Makes room in full runs by joining two that count alike: there are fewer ways to count than runs. */
static size_t make_room(struct run *runs, size_t count)
{
    for (size_t i = count - 1; i > 0; i--) {
        struct run *earlier = nearest(runs, i, &runs[i]);
        if (!earlier)
            continue;
        join(earlier, &runs[i]);
        memmove(&runs[i], &runs[i + 1], (count - 1 - i) * sizeof *runs);
        return count - 1;
    }
    return count - 1;
}

static int64_t clamp(int64_t number, int64_t limit)
{
    return number < 0 ? -1 : number > limit ? limit : number;
}

static size_t add_run(struct run *runs, size_t count, const struct run *fresh)
{
    struct run *into = count && same(&runs[count - 1], fresh) ? &runs[count - 1] : NULL;
    if (!into && count == POWER_RUNS_MAX && !(into = nearest(runs, count, fresh)))
        count = make_room(runs, count);
    if (into)
        join(into, fresh);
    else
        runs[count++] = *fresh;
    return count;
}

void power_states_add(char states[POWER_STATES_BYTES], const struct power_reading *reading)
{
    struct run runs[POWER_RUNS_MAX];
    const struct run fresh = {1, isnan(reading->mhz) ? -1 : clamp(llround(fmin(reading->mhz, 1e6)), most.mhz),
                              reading->reasons < 0 ? -1 : reading->reasons & most.reasons,
                              clamp(reading->celsius, most.celsius)};
    write_runs(runs, add_run(runs, read_runs(states, runs), &fresh), states);
}

void power_states_join(char states[POWER_STATES_BYTES], const char *other)
{
    struct run runs[POWER_RUNS_MAX], added[POWER_RUNS_MAX];
    size_t count = read_runs(states, runs), added_count = read_runs(other, added);
    for (size_t i = 0; i < added_count; i++)
        count = add_run(runs, count, &added[i]);
    write_runs(runs, count, states);
}

/* ---- The state ---- */

static int by_clock(const void *a, const void *b)
{
    const struct run *x = a, *y = b;
    return (x->mhz > y->mhz) - (x->mhz < y->mhz);
}

/* Returns the lower median over all readings with a known clock. */
static double median_mhz(struct run *runs, size_t count)
{
    int64_t known = 0, before = 0;
    qsort(runs, count, sizeof *runs, by_clock);
    for (size_t i = 0; i < count; i++)
        known += runs[i].mhz >= 0 ? runs[i].count : 0;
    for (size_t i = 0; i < count; i++) {
        before += runs[i].mhz >= 0 ? runs[i].count : 0;
        if (2 * before >= known && known)
            return (double)runs[i].mhz;
    }
    return NAN;
}

struct power power_of(const char *states)
{
    struct run runs[POWER_RUNS_MAX];
    size_t count = read_runs(states, runs);
    int64_t known = 0, capped = 0;
    for (size_t i = 0; i < count; i++) {
        known += runs[i].reasons >= 0 ? runs[i].count : 0;
        capped += at_cap(&runs[i]) ? runs[i].count : 0;
    }
    return (struct power){known == 0           ? POWER_UNKNOWN
                          : capped == 0        ? POWER_BURST
                          : 2 * capped > known ? POWER_CAP
                                               : POWER_MIXED,
                          median_mhz(runs, count)};
}

const char *power_state_name(enum power_state state)
{
    static const char *const names[POWER_STATE_COUNT] = {"", "burst", "cap", "mixed"};
    return names[state];
}

bool power_differs(enum power_state a, enum power_state b)
{
    return (a == POWER_BURST && b == POWER_CAP) || (a == POWER_CAP && b == POWER_BURST);
}

double power_least_factor(struct power from, enum power_state to, double settled_mhz)
{
    if (to != POWER_BURST || (from.state != POWER_CAP && from.state != POWER_MIXED))
        return 1;
    return isnan(from.mhz) || isnan(settled_mhz) ? 0 : fmin(1, from.mhz / settled_mhz);
}

const char *power_text(char text[POWER_TEXT_BYTES], struct power power)
{
    static const char *const words[POWER_STATE_COUNT] = {"", "", "the power cap", "the power cap"};
    const char *word = words[power.state], *partly = power.state == POWER_MIXED ? "partly " : "";
    *text = '\0';
    if (isnan(power.mhz) && *word)
        text_format(text, POWER_TEXT_BYTES, "%sat %s", partly, word);
    else if (!isnan(power.mhz))
        text_format(text, POWER_TEXT_BYTES, "%sat %s%s%.2f GHz", partly, word, *word ? ", " : "", power.mhz / 1000);
    return text;
}
