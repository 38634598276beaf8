#include "evaluate/calibration.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/statistics.h"
#include "base/text.h"
#include "evaluate/evaluator.h"

/* calibration configurations of a device in flight: one being measured, and one being compiled meanwhile */
enum { IN_FLIGHT_MAX = 2, WHY_BYTES = 128 };

/* A device's duty to measure a calibration configuration. */
enum duty { DUTY_NONE, DUTY_WANTED, DUTY_IN_FLIGHT };

struct point {
    bool used, leaving; /* leaving: no longer a calibration configuration, but still in flight */
    uint64_t index;
    size_t in_flight;
    size_t astray;   /* of them: by an excluded device, so that another device measures it */
    size_t searched; /* in flight for the search */
};

struct member {
    bool out, checking; /* checking: all its calibration configurations are being measured again */
    bool queued;        /* in calibration configurations->queue */
    size_t in_flight, failures, turn;
    struct correction first, now;
    struct correction_time times[CORRECTION_SLOTS];
    enum duty duties[CORRECTION_SLOTS];
    double credit; /* measuring time that calibration configurations may take, in ns, or in evaluations if times are
                      unknown */
    double cost;   /* of a calibration configuration, in the same unit */
    uint64_t observed;
    uint16_t throttled; /* a bit for each of the latest measurements */
    char why[WHY_BYTES];
};

struct calibration {
    size_t device_count, left, first; /* first: device whose times are the unit */
    uint64_t default_index, best;     /* UINT64_MAX: none */
    struct point slots[CORRECTION_SLOTS];
    double references[CORRECTION_SLOTS]; /* logarithms of times; NaN: not used, or unknown */
    struct member *members;
    size_t *queue, queue_begin, queue_count; /* devices with calibration configurations to measure; a ring */
    uint64_t changes, revisits; /* revisits: repeated measurements of calibration configurations since the last
                                   calibration configuration joined */
    size_t trusted;             /* first candidate of the next calibration_trusted */
    double *logs;               /* by device: scratch memory for medians */
};

int calibration_open(struct calibration **opened, size_t devices, uint64_t default_index, struct error *error)
{
    struct calibration *calibration = *opened = calloc(1, sizeof *calibration);
    if (!calibration)
        return error_memory(error);
    calibration->device_count = calibration->left = devices;
    calibration->default_index = default_index;
    calibration->best = UINT64_MAX;
    calibration->members = calloc(devices, sizeof *calibration->members);
    calibration->queue = calloc(devices, sizeof *calibration->queue);
    calibration->logs = calloc(devices, sizeof *calibration->logs);
    for (size_t a = 0; a < CORRECTION_SLOTS; a++)
        calibration->references[a] = NAN;
    if (!calibration->members || !calibration->queue || !calibration->logs)
        return error_memory(error);
    for (size_t d = 0; d < devices; d++)
        calibration->members[d].first = calibration->members[d].now = d ? correction_unknown : correction_identity;
    return 0;
}

void calibration_close(struct calibration *calibration)
{
    if (!calibration)
        return;
    free(calibration->members);
    free(calibration->queue);
    free(calibration->logs);
    free(calibration);
}

/* ---- Slots ---- */

static size_t find(const struct calibration *calibration, uint64_t index)
{
    size_t a = 0;
    while (a < CORRECTION_SLOTS && !(calibration->slots[a].used && calibration->slots[a].index == index))
        a++;
    return a;
}

static size_t used(const struct calibration *calibration)
{
    size_t count = 0;
    for (size_t a = 0; a < CORRECTION_SLOTS; a++)
        count += calibration->slots[a].used && !calibration->slots[a].leaving;
    return count;
}

bool calibration_wanted(const struct calibration *calibration)
{
    return used(calibration) < CORRECTION_CALIBRATIONS;
}

bool calibration_has(const struct calibration *calibration, uint64_t index)
{
    return find(calibration, index) < CORRECTION_SLOTS;
}

/* ---- Duties ---- */

static bool has_wanted(const struct member *member)
{
    for (size_t a = 0; a < CORRECTION_SLOTS; a++)
        if (member->duties[a] == DUTY_WANTED)
            return true;
    return false;
}

static void enqueue(struct calibration *calibration, size_t device)
{
    struct member *member = &calibration->members[device];
    if (member->queued || member->out || member->in_flight >= IN_FLIGHT_MAX || !has_wanted(member))
        return;
    member->queued = true;
    calibration->queue[(calibration->queue_begin + calibration->queue_count++) % calibration->device_count] = device;
}

static void want(struct calibration *calibration, size_t device, size_t slot)
{
    struct member *member = &calibration->members[device];
    if (member->out || member->duties[slot] != DUTY_NONE)
        return;
    member->duties[slot] = DUTY_WANTED;
    enqueue(calibration, device);
}

static bool idle(const struct member *member)
{
    for (size_t a = 0; a < CORRECTION_SLOTS; a++)
        if (member->duties[a] != DUTY_NONE)
            return false;
    return true;
}

size_t calibration_waiting(const struct calibration *calibration)
{
    return calibration->queue_count;
}

bool calibration_next(struct calibration *calibration, size_t *device, uint64_t *index)
{
    while (calibration->queue_count) {
        size_t d = calibration->queue[calibration->queue_begin], a = 0;
        struct member *member = &calibration->members[d];
        calibration->queue_begin = (calibration->queue_begin + 1) % calibration->device_count;
        calibration->queue_count--;
        member->queued = false;
        while (a < CORRECTION_SLOTS && member->duties[a] != DUTY_WANTED)
            a++;
        if (member->out || a == CORRECTION_SLOTS)
            continue;
        member->duties[a] = DUTY_IN_FLIGHT;
        member->in_flight++;
        calibration->slots[a].in_flight++;
        enqueue(calibration, d);
        *device = d;
        *index = calibration->slots[a].index;
        return true;
    }
    return false;
}

/* ---- Corrections ---- */

const struct correction *calibration_correction(const struct calibration *calibration, size_t device)
{
    const struct member *member = &calibration->members[device];
    return member->now.calibration && !member->checking ? &member->now : NULL;
}

/* Updates a device's correction from its times. `few`: accepts fewer than CORRECTION_CALIBRATIONS. */
static void correct(struct calibration *calibration, size_t device, bool few)
{
    struct member *member = &calibration->members[device];
    struct correction now = correction_from(member->times, calibration->references, CORRECTION_SLOTS);
    bool begun = member->now.calibration > 0;
    if (!now.calibration || (member->checking && !idle(member)))
        return;
    if (now.calibration < CORRECTION_CALIBRATIONS && (device == calibration->first || (!few && !begun)))
        return;
    calibration->changes += !begun || member->checking;
    member->checking = false;
    member->now = now;
    if (!begun || member->first.calibration < CORRECTION_CALIBRATIONS)
        member->first = now;
}

const struct correction *calibration_settle(struct calibration *calibration, size_t device)
{
    correct(calibration, device, true);
    return calibration_correction(calibration, device);
}

/* Frees a slot without measurements in flight. */
static void release(struct calibration *calibration, size_t slot)
{
    if (calibration->slots[slot].leaving && !calibration->slots[slot].in_flight)
        calibration->slots[slot] = (struct point){0};
}

static void dismiss(struct calibration *calibration, size_t slot)
{
    calibration->slots[slot].leaving = true;
    calibration->references[slot] = NAN;
    for (size_t d = 0; d < calibration->device_count; d++) {
        struct member *member = &calibration->members[d];
        member->times[slot] = (struct correction_time){0};
        if (member->duties[slot] == DUTY_WANTED)
            member->duties[slot] = DUTY_NONE;
        if (member->checking)
            correct(calibration, d, true);
    }
    release(calibration, slot);
}

/* Sets a calibration configuration's reference to the median of the corrected times of all devices with a correction.
 * At the start, that is the time of the first device. */
static void refer(struct calibration *calibration, size_t slot)
{
    size_t count = 0;
    for (size_t d = 0; d < calibration->device_count; d++) {
        const struct member *member = &calibration->members[d];
        if (member->out || !member->now.calibration)
            continue;
        if (!member->times[slot].measured)
            return;
        calibration->logs[count++] = member->times[slot].log_value + log(member->now.factor);
    }
    statistics_sort(calibration->logs, count);
    calibration->references[slot] = statistics_median(calibration->logs, count);
    for (size_t d = 0; d < calibration->device_count && count; d++)
        if (!calibration->members[d].out && calibration->members[d].times[slot].measured)
            correct(calibration, d, false);
}

/* Dismisses a calibration configuration if all slots are used. */
static void make_room(struct calibration *calibration)
{
    size_t kept = find(calibration, calibration->default_index);
    for (size_t a = 0; a < CORRECTION_SLOTS; a++)
        if (isnan(calibration->references[a]))
            return;
    size_t gone = correction_superfluous(calibration->references, CORRECTION_SLOTS, kept);
    if (gone < CORRECTION_SLOTS)
        dismiss(calibration, gone);
}

/* Makes the device measure all calibration configurations again, except in slot `but`. */
static void check(struct calibration *calibration, size_t device, size_t but)
{
    struct member *member = &calibration->members[device];
    member->checking = true;
    for (size_t a = 0; a < CORRECTION_SLOTS; a++)
        if (a != but && calibration->slots[a].used && !calibration->slots[a].leaving)
            want(calibration, device, a);
}

static void set_time(struct calibration *calibration, size_t slot, size_t device, const struct measurement *measurement)
{
    struct member *member = &calibration->members[device];
    struct correction_time before = member->times[slot];
    member->times[slot] = correction_time(measurement);
    if (member->now.calibration && !member->checking && before.measured && !isnan(calibration->references[slot]) &&
        correction_alarms(&before, &member->times[slot]))
        check(calibration, device, slot);
    if (isnan(calibration->references[slot]))
        refer(calibration, slot);
    correct(calibration, device, false);
    make_room(calibration);
}

/* ---- Evaluations ---- */

static double cost_of(const struct measurement *measurement)
{
    return measurement->measure_ns < 0 ? 1 : (double)measurement->measure_ns;
}

/* Adds a calibration configuration, which all devices `but` one must measure. */
static void join(struct calibration *calibration, uint64_t index, size_t but)
{
    size_t slot = 0;
    while (slot < CORRECTION_SLOTS && calibration->slots[slot].used)
        slot++;
    if (slot == CORRECTION_SLOTS)
        return;
    calibration->slots[slot] = (struct point){.used = true, .index = index};
    for (size_t d = 0; d < calibration->device_count; d++) {
        calibration->members[d].times[slot] = (struct correction_time){0};
        if (d != but)
            want(calibration, d, slot);
    }
}

/* Makes the device measure its next calibration configuration again. */
static void revisit(struct calibration *calibration, size_t device)
{
    struct member *member = &calibration->members[device];
    for (size_t i = 0; i < CORRECTION_SLOTS; i++) {
        size_t a = member->turn++ % CORRECTION_SLOTS;
        if (isnan(calibration->references[a]))
            continue;
        want(calibration, device, a);
        calibration->revisits++;
        return;
    }
}

/* True if the fastest configuration may join. A new calibration configuration knows no earlier times, so repeated
 * measurements of old ones get most of the share. */
static bool is_due(const struct calibration *calibration)
{
    return calibration->best != UINT64_MAX && !calibration_has(calibration, calibration->best) &&
           used(calibration) <= CORRECTION_CALIBRATIONS &&
           calibration->revisits >= calibration->left * CORRECTION_CALIBRATIONS;
}

/* Spends the device's credit: the fastest configuration joins, or the device measures a calibration configuration
 * again. */
static void spend(struct calibration *calibration, size_t device)
{
    struct member *member = &calibration->members[device];
    if (member->now.calibration < CORRECTION_CALIBRATIONS || member->checking || member->credit < member->cost ||
        !idle(member))
        return;
    if (is_due(calibration)) {
        join(calibration, calibration->best, SIZE_MAX);
        calibration->revisits = 0;
    }
    if (idle(member))
        revisit(calibration, device);
}

static void observe(struct member *member, const struct measurement *measurement)
{
    member->observed++;
    member->throttled = (uint16_t)(member->throttled << 1 | (measurement->discarded > 0));
}

void calibration_note(struct calibration *calibration, uint64_t index, size_t device,
                      const struct measurement *measurement)
{
    struct member *member = &calibration->members[device];
    member->credit += CORRECTION_SHARE * cost_of(measurement);
    if (member->out || measurement->status == STATUS_DUPLICATE)
        return;
    observe(member, measurement);
    if (measurement->status == STATUS_OK && measurement_timed(measurement) && calibration_wanted(calibration) &&
        !calibration_has(calibration, index)) {
        join(calibration, index, device);
        size_t slot = find(calibration, index);
        if (slot < CORRECTION_SLOTS)
            set_time(calibration, slot, device, measurement);
    }
    spend(calibration, device);
}

void calibration_best(struct calibration *calibration, uint64_t index)
{
    calibration->best = index;
}

/* Counts a failure against the device if another one has measured the calibration configuration. */
static void fail(struct calibration *calibration, size_t slot, size_t device)
{
    for (size_t d = 0; d < calibration->device_count; d++)
        if (d != device && calibration->members[d].times[slot].measured) {
            calibration->members[device].failures++;
            break;
        }
    if (calibration->best == calibration->slots[slot].index) /* it must not join again */
        calibration->best = UINT64_MAX;
    dismiss(calibration, slot);
}

/* Returns the device whose measurement of the calibration configuration has ended; SIZE_MAX: an excluded one. */
static size_t ended(const struct calibration *calibration, size_t slot, size_t device)
{
    if (device < calibration->device_count)
        return calibration->members[device].duties[slot] == DUTY_IN_FLIGHT ? device : SIZE_MAX;
    for (size_t d = 0; d < calibration->device_count; d++)
        if (calibration->members[d].duties[slot] == DUTY_IN_FLIGHT)
            return d;
    return SIZE_MAX;
}

void calibration_search(struct calibration *calibration, uint64_t index)
{
    size_t slot = find(calibration, index);
    if (slot < CORRECTION_SLOTS)
        calibration->slots[slot].searched++;
}

/* True if the outcome belongs to the search. Calibration configurations are never stopped early; if both want the
 * configuration and the device has measured it, either may have the outcome. */
static bool is_searched(const struct point *point, size_t by, size_t device, const struct measurement *measurement)
{
    bool own = by != SIZE_MAX && by == device && measurement->status != STATUS_SLOWER;
    return !own && (point->searched || (by == SIZE_MAX && !point->astray));
}

/* Records a calibration configuration's time on a device that owes it. */
static void take_time(struct calibration *calibration, size_t slot, size_t by, const struct measurement *measurement)
{
    struct point *point = &calibration->slots[slot];
    struct member *member = &calibration->members[by];
    member->duties[slot] = DUTY_NONE;
    member->in_flight--;
    enqueue(calibration, by);
    if (point->leaving) {
        release(calibration, slot);
        correct(calibration, by, member->checking);
        return;
    }
    member->cost = cost_of(measurement);
    if (member->now.calibration >= CORRECTION_CALIBRATIONS) /* the first times are not part of the share */
        member->credit -= member->cost;
    observe(member, measurement);
    if (measurement->status == STATUS_OK && measurement_timed(measurement))
        set_time(calibration, slot, by, measurement);
    else
        fail(calibration, slot, by);
}

bool calibration_take(struct calibration *calibration, uint64_t index, size_t device,
                      const struct measurement *measurement)
{
    size_t slot = find(calibration, index);
    if (slot == CORRECTION_SLOTS)
        return false;
    struct point *point = &calibration->slots[slot];
    size_t by = point->in_flight ? ended(calibration, slot, device) : SIZE_MAX;
    if (is_searched(point, by, device, measurement)) {
        point->searched -= point->searched > 0;
        return false;
    }
    point->in_flight--;
    if (by != SIZE_MAX) {
        take_time(calibration, slot, by, measurement);
        return true;
    }
    point->astray--;
    release(calibration, slot);
    return true;
}

bool calibration_withdraw(struct calibration *calibration, uint64_t index)
{
    size_t slot = find(calibration, index);
    if (slot == CORRECTION_SLOTS)
        return false;
    struct point *point = &calibration->slots[slot];
    if (point->searched || !point->in_flight) {
        point->searched -= point->searched > 0;
        return false;
    }
    size_t by = ended(calibration, slot, EVALUATOR_ANY_DEVICE);
    point->in_flight--;
    if (by == SIZE_MAX) {
        point->astray--;
    } else {
        calibration->members[by].duties[slot] = DUTY_NONE;
        calibration->members[by].in_flight--;
    }
    release(calibration, slot);
    return true;
}

/* ---- Excluding devices ---- */

/* True if the device is throttled and another one is not. Devices that are all throttled are alike. */
static bool is_throttled(const struct calibration *calibration, size_t device)
{
    bool other = false;
    if (__builtin_popcount(calibration->members[device].throttled) < CORRECTION_THROTTLED)
        return false;
    for (size_t d = 0; d < calibration->device_count; d++) {
        const struct member *member = &calibration->members[d];
        other |= !member->out && member->observed >= CORRECTION_LATEST &&
                 __builtin_popcount(member->throttled) <= CORRECTION_LATEST - CORRECTION_THROTTLED;
    }
    return other;
}

const char *calibration_verdict(struct calibration *calibration, size_t device)
{
    struct member *member = &calibration->members[device];
    double drift = correction_drift(&member->first, &member->now);
    bool known = member->now.calibration >= CORRECTION_CALIBRATIONS && !member->checking;
    if (member->out || calibration->left < 2)
        return NULL;
    if (known && fabs(drift) > CORRECTION_DRIFT)
        text_format(member->why, sizeof member->why, "has become %.1f%% %s since the start", 100 * fabs(drift),
                    drift > 0 ? "slower" : "faster");
    else if (known && member->now.spread > CORRECTION_SPREAD)
        text_format(member->why, sizeof member->why, "differs from the first device by %.1f%% from kernel to kernel",
                    100 * member->now.spread);
    else if (is_throttled(calibration, device))
        text_format(member->why, sizeof member->why, "is throttled persistently");
    else if (member->failures >= CORRECTION_FAILURES)
        text_format(member->why, sizeof member->why, "fails to measure what another device measures");
    else
        return NULL;
    return member->why;
}

/* Makes another device the first if no remaining one has a correction. */
static void succeed(struct calibration *calibration)
{
    size_t d = 0;
    for (d = 0; d < calibration->device_count; d++)
        if (!calibration->members[d].out && calibration->members[d].now.calibration)
            return;
    for (d = 0; calibration->members[d].out;)
        d++;
    calibration->first = d;
    calibration->changes++;
    calibration->members[d].first = calibration->members[d].now = correction_identity;
    for (size_t a = 0; a < CORRECTION_SLOTS; a++) {
        calibration->references[a] = NAN;
        if (calibration->slots[a].used && !calibration->slots[a].leaving)
            refer(calibration, a);
    }
}

void calibration_leave_out(struct calibration *calibration, size_t device)
{
    struct member *member = &calibration->members[device];
    if (calibration->left < 2)
        return;
    member->out = true;
    calibration->left--;
    calibration->changes++;
    for (size_t a = 0; a < CORRECTION_SLOTS; a++) {
        calibration->slots[a].astray += member->duties[a] == DUTY_IN_FLIGHT;
        member->duties[a] = DUTY_NONE;
    }
    succeed(calibration);
    for (size_t a = 0; a < CORRECTION_SLOTS; a++) /* only the excluded device's time may have been missing */
        if (calibration->slots[a].used && !calibration->slots[a].leaving && isnan(calibration->references[a]))
            refer(calibration, a);
    make_room(calibration);
}

uint64_t calibration_changes(const struct calibration *calibration)
{
    return calibration->changes;
}

bool calibration_left_out(const struct calibration *calibration, size_t device)
{
    return calibration->members[device].out;
}

size_t calibration_trusted(struct calibration *calibration)
{
    size_t any = 0; /* at least one device remains */
    for (size_t i = 0; i < calibration->device_count; i++) {
        size_t d = calibration->trusted++ % calibration->device_count;
        if (calibration_correction(calibration, d) && !calibration->members[d].out)
            return d;
        if (!calibration->members[d].out)
            any = d;
    }
    return any;
}
