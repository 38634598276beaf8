#include "evaluate/anchors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/statistics.h"
#include "base/text.h"
#include "evaluate/evaluator.h"

/* anchors of a device in flight: one being measured, and one being compiled meanwhile */
enum { IN_FLIGHT_MAX = 2, WHY_BYTES = 128 };

/* A device's duty to measure an anchor. */
enum duty { DUTY_NONE, DUTY_WANTED, DUTY_IN_FLIGHT };

struct anchor {
    bool used, leaving; /* leaving: no longer an anchor, but still in flight */
    uint64_t index;
    size_t in_flight;
    size_t astray;   /* of them: by an excluded device, so that another device measures it */
    size_t searched; /* in flight for the search */
};

struct member {
    bool out, checking; /* checking: all its anchors are being measured again */
    bool queued;        /* in anchors->queue */
    size_t in_flight, failures, turn;
    struct correction first, now;
    struct correction_time times[CORRECTION_SLOTS];
    enum duty duties[CORRECTION_SLOTS];
    double credit; /* measuring time that anchors may take, in ns, or in evaluations if times are unknown */
    double cost;   /* of an anchor, in the same unit */
    uint64_t observed;
    uint16_t throttled; /* a bit for each of the latest measurements */
    char why[WHY_BYTES];
};

struct anchors {
    size_t device_count, left, first; /* first: device whose times are the unit */
    uint64_t default_index, best;     /* UINT64_MAX: none */
    struct anchor slots[CORRECTION_SLOTS];
    double references[CORRECTION_SLOTS]; /* logarithms of times; NaN: not used, or unknown */
    struct member *members;
    size_t *queue, queue_begin, queue_count; /* devices with anchors to measure; a ring */
    uint64_t changes, revisits;              /* revisits: repeated measurements of anchors since the last anchor
                                                joined */
    size_t trusted;                          /* first candidate of the next anchors_trusted */
    double *logs;                            /* by device: scratch memory for medians */
};

int anchors_open(struct anchors **opened, size_t devices, uint64_t default_index, struct error *error)
{
    struct anchors *anchors = *opened = calloc(1, sizeof *anchors);
    if (!anchors)
        return error_memory(error);
    anchors->device_count = anchors->left = devices;
    anchors->default_index = default_index;
    anchors->best = UINT64_MAX;
    anchors->members = calloc(devices, sizeof *anchors->members);
    anchors->queue = calloc(devices, sizeof *anchors->queue);
    anchors->logs = calloc(devices, sizeof *anchors->logs);
    for (size_t a = 0; a < CORRECTION_SLOTS; a++)
        anchors->references[a] = NAN;
    if (!anchors->members || !anchors->queue || !anchors->logs)
        return error_memory(error);
    for (size_t d = 0; d < devices; d++)
        anchors->members[d].first = anchors->members[d].now = d ? correction_unknown : correction_identity;
    return 0;
}

void anchors_close(struct anchors *anchors)
{
    if (!anchors)
        return;
    free(anchors->members);
    free(anchors->queue);
    free(anchors->logs);
    free(anchors);
}

/* ---- Slots ---- */

static size_t find(const struct anchors *anchors, uint64_t index)
{
    size_t a = 0;
    while (a < CORRECTION_SLOTS && !(anchors->slots[a].used && anchors->slots[a].index == index))
        a++;
    return a;
}

static size_t used(const struct anchors *anchors)
{
    size_t count = 0;
    for (size_t a = 0; a < CORRECTION_SLOTS; a++)
        count += anchors->slots[a].used && !anchors->slots[a].leaving;
    return count;
}

bool anchors_wanted(const struct anchors *anchors)
{
    return used(anchors) < CORRECTION_ANCHORS;
}

bool anchors_has(const struct anchors *anchors, uint64_t index)
{
    return find(anchors, index) < CORRECTION_SLOTS;
}

/* ---- Duties ---- */

static bool has_wanted(const struct member *member)
{
    for (size_t a = 0; a < CORRECTION_SLOTS; a++)
        if (member->duties[a] == DUTY_WANTED)
            return true;
    return false;
}

static void enqueue(struct anchors *anchors, size_t device)
{
    struct member *member = &anchors->members[device];
    if (member->queued || member->out || member->in_flight >= IN_FLIGHT_MAX || !has_wanted(member))
        return;
    member->queued = true;
    anchors->queue[(anchors->queue_begin + anchors->queue_count++) % anchors->device_count] = device;
}

static void want(struct anchors *anchors, size_t device, size_t slot)
{
    struct member *member = &anchors->members[device];
    if (member->out || member->duties[slot] != DUTY_NONE)
        return;
    member->duties[slot] = DUTY_WANTED;
    enqueue(anchors, device);
}

static bool idle(const struct member *member)
{
    for (size_t a = 0; a < CORRECTION_SLOTS; a++)
        if (member->duties[a] != DUTY_NONE)
            return false;
    return true;
}

size_t anchors_waiting(const struct anchors *anchors)
{
    return anchors->queue_count;
}

bool anchors_next(struct anchors *anchors, size_t *device, uint64_t *index)
{
    while (anchors->queue_count) {
        size_t d = anchors->queue[anchors->queue_begin], a = 0;
        struct member *member = &anchors->members[d];
        anchors->queue_begin = (anchors->queue_begin + 1) % anchors->device_count;
        anchors->queue_count--;
        member->queued = false;
        while (a < CORRECTION_SLOTS && member->duties[a] != DUTY_WANTED)
            a++;
        if (member->out || a == CORRECTION_SLOTS)
            continue;
        member->duties[a] = DUTY_IN_FLIGHT;
        member->in_flight++;
        anchors->slots[a].in_flight++;
        enqueue(anchors, d);
        *device = d;
        *index = anchors->slots[a].index;
        return true;
    }
    return false;
}

/* ---- Corrections ---- */

const struct correction *anchors_correction(const struct anchors *anchors, size_t device)
{
    const struct member *member = &anchors->members[device];
    return member->now.anchors && !member->checking ? &member->now : NULL;
}

/* Updates a device's correction from its times. `few`: accepts fewer than CORRECTION_ANCHORS. */
static void correct(struct anchors *anchors, size_t device, bool few)
{
    struct member *member = &anchors->members[device];
    struct correction now = correction_from(member->times, anchors->references, CORRECTION_SLOTS);
    bool begun = member->now.anchors > 0;
    if (!now.anchors || (member->checking && !idle(member)))
        return;
    if (now.anchors < CORRECTION_ANCHORS && (device == anchors->first || (!few && !begun)))
        return;
    anchors->changes += !begun || member->checking;
    member->checking = false;
    member->now = now;
    if (!begun || member->first.anchors < CORRECTION_ANCHORS)
        member->first = now;
}

const struct correction *anchors_settle(struct anchors *anchors, size_t device)
{
    correct(anchors, device, true);
    return anchors_correction(anchors, device);
}

/* Frees a slot without measurements in flight. */
static void release(struct anchors *anchors, size_t slot)
{
    if (anchors->slots[slot].leaving && !anchors->slots[slot].in_flight)
        anchors->slots[slot] = (struct anchor){0};
}

static void dismiss(struct anchors *anchors, size_t slot)
{
    anchors->slots[slot].leaving = true;
    anchors->references[slot] = NAN;
    for (size_t d = 0; d < anchors->device_count; d++) {
        struct member *member = &anchors->members[d];
        member->times[slot] = (struct correction_time){0};
        if (member->duties[slot] == DUTY_WANTED)
            member->duties[slot] = DUTY_NONE;
        if (member->checking)
            correct(anchors, d, true);
    }
    release(anchors, slot);
}

/* Sets an anchor's reference to the median of the corrected times of all devices with a correction. At the start, that
 * is the time of the first device. */
static void refer(struct anchors *anchors, size_t slot)
{
    size_t count = 0;
    for (size_t d = 0; d < anchors->device_count; d++) {
        const struct member *member = &anchors->members[d];
        if (member->out || !member->now.anchors)
            continue;
        if (!member->times[slot].measured)
            return;
        anchors->logs[count++] = member->times[slot].log_value + log(member->now.factor);
    }
    statistics_sort(anchors->logs, count);
    anchors->references[slot] = statistics_median(anchors->logs, count);
    for (size_t d = 0; d < anchors->device_count && count; d++)
        if (!anchors->members[d].out && anchors->members[d].times[slot].measured)
            correct(anchors, d, false);
}

/* Dismisses an anchor if all slots are used. */
static void make_room(struct anchors *anchors)
{
    size_t kept = find(anchors, anchors->default_index);
    for (size_t a = 0; a < CORRECTION_SLOTS; a++)
        if (isnan(anchors->references[a]))
            return;
    size_t gone = correction_superfluous(anchors->references, CORRECTION_SLOTS, kept);
    if (gone < CORRECTION_SLOTS)
        dismiss(anchors, gone);
}

/* Makes the device measure all anchors again, except in slot `but`. */
static void check(struct anchors *anchors, size_t device, size_t but)
{
    struct member *member = &anchors->members[device];
    member->checking = true;
    for (size_t a = 0; a < CORRECTION_SLOTS; a++)
        if (a != but && anchors->slots[a].used && !anchors->slots[a].leaving)
            want(anchors, device, a);
}

static void set_time(struct anchors *anchors, size_t slot, size_t device, const struct measurement *measurement)
{
    struct member *member = &anchors->members[device];
    struct correction_time before = member->times[slot];
    member->times[slot] = correction_time(measurement);
    if (member->now.anchors && !member->checking && before.measured && !isnan(anchors->references[slot]) &&
        correction_alarms(&before, &member->times[slot]))
        check(anchors, device, slot);
    if (isnan(anchors->references[slot]))
        refer(anchors, slot);
    correct(anchors, device, false);
    make_room(anchors);
}

/* ---- Evaluations ---- */

static double cost_of(const struct measurement *measurement)
{
    return measurement->measure_ns < 0 ? 1 : (double)measurement->measure_ns;
}

/* Adds an anchor, which all devices `but` one must measure. */
static void join(struct anchors *anchors, uint64_t index, size_t but)
{
    size_t slot = 0;
    while (slot < CORRECTION_SLOTS && anchors->slots[slot].used)
        slot++;
    if (slot == CORRECTION_SLOTS)
        return;
    anchors->slots[slot] = (struct anchor){.used = true, .index = index};
    for (size_t d = 0; d < anchors->device_count; d++) {
        anchors->members[d].times[slot] = (struct correction_time){0};
        if (d != but)
            want(anchors, d, slot);
    }
}

/* Makes the device measure its next anchor again. */
static void revisit(struct anchors *anchors, size_t device)
{
    struct member *member = &anchors->members[device];
    for (size_t i = 0; i < CORRECTION_SLOTS; i++) {
        size_t a = member->turn++ % CORRECTION_SLOTS;
        if (isnan(anchors->references[a]))
            continue;
        want(anchors, device, a);
        anchors->revisits++;
        return;
    }
}

/* True if the fastest configuration may join. A new anchor knows no earlier times, so repeated measurements of old ones
 * get most of the share. */
static bool is_due(const struct anchors *anchors)
{
    return anchors->best != UINT64_MAX && !anchors_has(anchors, anchors->best) && used(anchors) <= CORRECTION_ANCHORS &&
           anchors->revisits >= anchors->left * CORRECTION_ANCHORS;
}

/* Spends the device's credit: the fastest configuration joins, or the device measures an anchor again. */
static void spend(struct anchors *anchors, size_t device)
{
    struct member *member = &anchors->members[device];
    if (member->now.anchors < CORRECTION_ANCHORS || member->checking || member->credit < member->cost || !idle(member))
        return;
    if (is_due(anchors)) {
        join(anchors, anchors->best, SIZE_MAX);
        anchors->revisits = 0;
    }
    if (idle(member))
        revisit(anchors, device);
}

static void observe(struct member *member, const struct measurement *measurement)
{
    member->observed++;
    member->throttled = (uint16_t)(member->throttled << 1 | (measurement->discarded > 0));
}

void anchors_note(struct anchors *anchors, uint64_t index, size_t device, const struct measurement *measurement)
{
    struct member *member = &anchors->members[device];
    member->credit += CORRECTION_SHARE * cost_of(measurement);
    if (member->out || measurement->status == STATUS_DUPLICATE)
        return;
    observe(member, measurement);
    if (measurement->status == STATUS_OK && measurement_timed(measurement) && anchors_wanted(anchors) &&
        !anchors_has(anchors, index)) {
        join(anchors, index, device);
        size_t slot = find(anchors, index);
        if (slot < CORRECTION_SLOTS)
            set_time(anchors, slot, device, measurement);
    }
    spend(anchors, device);
}

void anchors_best(struct anchors *anchors, uint64_t index)
{
    anchors->best = index;
}

/* Counts a failure against the device if another one has measured the anchor. */
static void fail(struct anchors *anchors, size_t slot, size_t device)
{
    for (size_t d = 0; d < anchors->device_count; d++)
        if (d != device && anchors->members[d].times[slot].measured) {
            anchors->members[device].failures++;
            break;
        }
    if (anchors->best == anchors->slots[slot].index) /* so that it does not join again */
        anchors->best = UINT64_MAX;
    dismiss(anchors, slot);
}

/* Returns the device whose measurement of the anchor has ended; SIZE_MAX: an excluded one. */
static size_t ended(const struct anchors *anchors, size_t slot, size_t device)
{
    if (device < anchors->device_count)
        return anchors->members[device].duties[slot] == DUTY_IN_FLIGHT ? device : SIZE_MAX;
    for (size_t d = 0; d < anchors->device_count; d++)
        if (anchors->members[d].duties[slot] == DUTY_IN_FLIGHT)
            return d;
    return SIZE_MAX;
}

void anchors_search(struct anchors *anchors, uint64_t index)
{
    size_t slot = find(anchors, index);
    if (slot < CORRECTION_SLOTS)
        anchors->slots[slot].searched++;
}

/* True if the outcome belongs to the search. Anchors are never stopped early; if both want the configuration and the
 * device has measured it, either may have the outcome. */
static bool is_searched(const struct anchor *anchor, size_t by, size_t device, const struct measurement *measurement)
{
    bool own = by != SIZE_MAX && by == device && measurement->status != STATUS_SLOWER;
    return !own && (anchor->searched || (by == SIZE_MAX && !anchor->astray));
}

/* Records an anchor's time on a device that owes it. */
static void take_time(struct anchors *anchors, size_t slot, size_t by, const struct measurement *measurement)
{
    struct anchor *anchor = &anchors->slots[slot];
    struct member *member = &anchors->members[by];
    member->duties[slot] = DUTY_NONE;
    member->in_flight--;
    enqueue(anchors, by);
    if (anchor->leaving) {
        release(anchors, slot);
        correct(anchors, by, member->checking);
        return;
    }
    member->cost = cost_of(measurement);
    if (member->now.anchors >= CORRECTION_ANCHORS) /* the first times are not part of the share */
        member->credit -= member->cost;
    observe(member, measurement);
    if (measurement->status == STATUS_OK && measurement_timed(measurement))
        set_time(anchors, slot, by, measurement);
    else
        fail(anchors, slot, by);
}

bool anchors_take(struct anchors *anchors, uint64_t index, size_t device, const struct measurement *measurement)
{
    size_t slot = find(anchors, index);
    if (slot == CORRECTION_SLOTS)
        return false;
    struct anchor *anchor = &anchors->slots[slot];
    size_t by = anchor->in_flight ? ended(anchors, slot, device) : SIZE_MAX;
    if (is_searched(anchor, by, device, measurement)) {
        anchor->searched -= anchor->searched > 0;
        return false;
    }
    anchor->in_flight--;
    if (by != SIZE_MAX) {
        take_time(anchors, slot, by, measurement);
        return true;
    }
    anchor->astray--;
    release(anchors, slot);
    return true;
}

/* ---- Excluding devices ---- */

/* True if the device is throttled and another one is not. Devices that are all throttled are alike. */
static bool is_throttled(const struct anchors *anchors, size_t device)
{
    bool other = false;
    if (__builtin_popcount(anchors->members[device].throttled) < CORRECTION_THROTTLED)
        return false;
    for (size_t d = 0; d < anchors->device_count; d++) {
        const struct member *member = &anchors->members[d];
        other |= !member->out && member->observed >= CORRECTION_LATEST &&
                 __builtin_popcount(member->throttled) <= CORRECTION_LATEST - CORRECTION_THROTTLED;
    }
    return other;
}

const char *anchors_verdict(struct anchors *anchors, size_t device)
{
    struct member *member = &anchors->members[device];
    double drift = correction_drift(&member->first, &member->now);
    bool known = member->now.anchors >= CORRECTION_ANCHORS && !member->checking;
    if (member->out || anchors->left < 2)
        return NULL;
    if (known && fabs(drift) > CORRECTION_DRIFT)
        text_format(member->why, sizeof member->why, "has become %.1f%% %s since the start", 100 * fabs(drift),
                    drift > 0 ? "slower" : "faster");
    else if (known && member->now.spread > CORRECTION_SPREAD)
        text_format(member->why, sizeof member->why, "differs from the first device by %.1f%% from kernel to kernel",
                    100 * member->now.spread);
    else if (is_throttled(anchors, device))
        text_format(member->why, sizeof member->why, "is throttled persistently");
    else if (member->failures >= CORRECTION_FAILURES)
        text_format(member->why, sizeof member->why, "fails to measure what another device measures");
    else
        return NULL;
    return member->why;
}

/* Makes another device the first if no remaining one has a correction. */
static void succeed(struct anchors *anchors)
{
    size_t d = 0;
    for (d = 0; d < anchors->device_count; d++)
        if (!anchors->members[d].out && anchors->members[d].now.anchors)
            return;
    for (d = 0; anchors->members[d].out;)
        d++;
    anchors->first = d;
    anchors->changes++;
    anchors->members[d].first = anchors->members[d].now = correction_identity;
    for (size_t a = 0; a < CORRECTION_SLOTS; a++) {
        anchors->references[a] = NAN;
        if (anchors->slots[a].used && !anchors->slots[a].leaving)
            refer(anchors, a);
    }
}

void anchors_leave_out(struct anchors *anchors, size_t device)
{
    struct member *member = &anchors->members[device];
    if (anchors->left < 2)
        return;
    member->out = true;
    anchors->left--;
    anchors->changes++;
    for (size_t a = 0; a < CORRECTION_SLOTS; a++) {
        anchors->slots[a].astray += member->duties[a] == DUTY_IN_FLIGHT;
        member->duties[a] = DUTY_NONE;
    }
    succeed(anchors);
    for (size_t a = 0; a < CORRECTION_SLOTS; a++) /* only the excluded device's time may have been missing */
        if (anchors->slots[a].used && !anchors->slots[a].leaving && isnan(anchors->references[a]))
            refer(anchors, a);
    make_room(anchors);
}

uint64_t anchors_changes(const struct anchors *anchors)
{
    return anchors->changes;
}

bool anchors_left_out(const struct anchors *anchors, size_t device)
{
    return anchors->members[device].out;
}

size_t anchors_trusted(struct anchors *anchors)
{
    size_t any = 0; /* at least one device remains */
    for (size_t i = 0; i < anchors->device_count; i++) {
        size_t d = anchors->trusted++ % anchors->device_count;
        if (anchors_correction(anchors, d) && !anchors->members[d].out)
            return d;
        if (!anchors->members[d].out)
            any = d;
    }
    return any;
}
