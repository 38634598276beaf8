/* Outcomes pass once the measuring device has a correction, and are held until then. Another device repeats the held
 * measurements of an excluded device. Calibration measurements run beside the search and are not returned to it, except
 * those that the search has requested itself. */
#include "evaluate/eval_corrected.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "evaluate/calibration.h"
#include "evaluate/submissions.h"
#include "journal/outcomes.h"

enum { AT_ONCE = 64 };

struct evaluations {
    struct evaluation *items;
    size_t count, room;
};

/* State of a device. */
struct corrected_device {
    char uuid[sizeof((struct measurement *)0)->uuid];
    double limit; /* limit for stopping early that the inner evaluator has; 0: none */
    bool known;   /* the device has had a correction, so that the limit is no guess */
};

struct corrected {
    const struct corrected_setup *setup;
    const struct evaluator *inner;
    struct evaluator_ops ops;        /* the inner evaluator's abilities: stopping early, device operations */
    struct calibration *calibration; /* NULL: there is only one device */
    struct corrected_device *devices;
    size_t device_count;
    struct submissions waiting; /* no room yet in the inner evaluator */
    struct submissions exact;   /* in flight in the inner evaluator, not to be stopped early */
    size_t in_flight;           /* in the inner evaluator, calibration included */
    bool withdrawing;           /* nothing begins until the next submission */
    struct evaluations held;    /* outcomes of devices without a correction */
    uint64_t changes;           /* value of calibration_changes at the last release */
    uint64_t judged;            /* value of calibration_changes when all devices were last judged */
    struct evaluations ready;
    double incumbent; /* NaN: none */
    bool has_best;
    struct measurement best;
    uint64_t best_index;
    char line[384];
};

/* ---- Lists ---- */

static int add_evaluation(struct evaluations *list, const struct evaluation *item, struct error *error)
{
    struct evaluation *items = array_grow(list->items, &list->room, list->count + 1, sizeof *items);
    if (!items)
        return error_memory(error);
    list->items = items;
    list->items[list->count] = *item;
    list->items[list->count++].log = NULL; /* measured configurations have none */
    return 0;
}

/* ---- Submitting ---- */

static int submit_inner(struct corrected *corrected, const struct submission *item, struct error *error)
{
    corrected->in_flight++;
    return corrected->inner->ops->submit(corrected->inner->state, item->index, item->exact, item->device, error);
}

static size_t inner_room(const struct corrected *corrected, bool learns_at_once)
{
    return corrected->inner->ops->room(corrected->inner->state, learns_at_once);
}

/* Submits waiting configurations of the search, then calibrations. */
static int submit_waiting(struct corrected *corrected, struct error *error)
{
    struct submissions *waiting = &corrected->waiting;
    struct submission anchor = {.exact = true};
    int code = 0;
    while (!code && waiting->count && inner_room(corrected, false)) {
        const struct submission *item = &waiting->items[waiting->begin];
        if (item->exact)
            code = submissions_add(&corrected->exact, *item, error);
        calibration_search(corrected->calibration, item->index);
        if (!code)
            code = submit_inner(corrected, item, error);
        waiting->begin++;
        waiting->count--;
    }
    while (!code && !corrected->withdrawing && inner_room(corrected, false) &&
           calibration_next(corrected->calibration, &anchor.device, &anchor.index))
        code = submit_inner(corrected, &anchor, error);
    return code;
}

/* Discards an outcome: another device measures the configuration, unless it is withdrawn. */
static int submit_again(struct corrected *corrected, uint64_t index, bool exact, struct error *error)
{
    if (corrected->withdrawing)
        return add_evaluation(&corrected->ready, &(struct evaluation){.index = index, .withdrawn = true}, error);
    const struct submission item = {index, exact, calibration_trusted(corrected->calibration)};
    return submissions_add(&corrected->waiting, item, error);
}

/* ---- Outcomes ---- */

/* Records the fastest configuration, which becomes a calibration configuration. */
static void rank(struct corrected *corrected, const struct evaluation *done)
{
    const struct measurement *measurement = &done->measurement;
    if (measurement->status != STATUS_OK || !measurement_timed(measurement) ||
        (corrected->has_best && !measurement_better(measurement, done->index, &corrected->best, corrected->best_index)))
        return;
    corrected->has_best = true;
    corrected->best = *measurement;
    corrected->best_index = done->index;
    calibration_best(corrected->calibration, done->index);
}

static int tell(struct corrected *corrected, const struct evaluation *done, struct error *error)
{
    struct evaluation told = *done;
    correction_apply(calibration_correction(corrected->calibration, done->device), &told.measurement);
    rank(corrected, &told);
    return add_evaluation(&corrected->ready, &told, error);
}

/* True if a held result must be discarded: its device is excluded, or a guessed limit stopped it too early. */
static bool is_void(const struct corrected *corrected, const struct evaluation *held)
{
    const struct correction *correction = calibration_correction(corrected->calibration, held->device);
    struct measurement measurement = held->measurement;
    if (correction)
        correction_apply(correction, &measurement);
    return calibration_left_out(corrected->calibration, held->device) ||
           (correction && measurement.status == STATUS_SLOWER && !isnan(corrected->incumbent) &&
            !outcomes_censored_counts(&measurement, corrected->incumbent));
}

/* Returns held outcomes of devices that now have a correction. Discarded ones are measured again. */
static int release(struct corrected *corrected, struct error *error)
{
    struct evaluations *held = &corrected->held;
    size_t kept = 0;
    int code = 0;
    if (!held->count || corrected->changes == calibration_changes(corrected->calibration))
        return 0;
    corrected->changes = calibration_changes(corrected->calibration);
    for (size_t i = 0; i < held->count && !code; i++) {
        const struct evaluation *item = &held->items[i];
        if (is_void(corrected, item))
            code = submit_again(corrected, item->index, submissions_take(&corrected->exact, item->index), error);
        else if (calibration_correction(corrected->calibration, item->device))
            code = tell(corrected, item, error), submissions_take(&corrected->exact, item->index);
        else if (kept++ < i) /* avoids copies: items are large, and many are held at the start */
            held->items[kept - 1] = *item;
    }
    held->count = kept;
    return code;
}

/* Passes the limit for stopping early to a device. A guess replaces a missing correction once all calibration
 * configurations are chosen, because they must have been measured to the end. */
static void pass_limit(struct corrected *corrected, size_t device)
{
    const struct correction *correction = calibration_correction(corrected->calibration, device);
    struct corrected_device *own = &corrected->devices[device];
    own->known |= correction != NULL;
    if (!correction && !own->known && !calibration_wanted(corrected->calibration))
        correction = &correction_guess;
    if (!correction || isnan(corrected->incumbent) || calibration_left_out(corrected->calibration, device))
        return;
    double limit = correction_limit(correction, corrected->incumbent);
    if (limit == own->limit)
        return;
    own->limit = limit;
    corrected->inner->ops->incumbent(corrected->inner->state, device, limit);
}

static void say(struct corrected *corrected, size_t device, const char *why)
{
    const char *uuid = corrected->devices[device].uuid;
    snprintf(corrected->line, sizeof corrected->line, "device %zu%s%s%s %s: it is left out", device, *uuid ? " (" : "",
             uuid, *uuid ? ")" : "", why);
    if (corrected->setup->note)
        corrected->setup->note(corrected->setup->context, corrected->line);
}

static void judge_one(struct corrected *corrected, size_t device)
{
    const char *why = calibration_verdict(corrected->calibration, device);
    if (why) {
        calibration_leave_out(corrected->calibration, device);
        corrected->inner->ops->leave_out(corrected->inner->state, device);
        say(corrected, device, why);
    }
    pass_limit(corrected, device);
}

/* Judges a device after its measurement, and the others if their corrections may have changed. */
static int judge(struct corrected *corrected, size_t device, struct error *error)
{
    judge_one(corrected, device);
    for (size_t d = 0; d < corrected->device_count && corrected->judged != calibration_changes(corrected->calibration);
         d++)
        judge_one(corrected, d);
    corrected->judged = calibration_changes(corrected->calibration);
    return release(corrected, error);
}

/* Replaces a held outcome by the first device's calibration time of the same configuration. */
static void replace_held(struct corrected *corrected, const struct evaluation *done)
{
    if (!measurement_timed(&done->measurement) || !calibration_correction(corrected->calibration, done->device))
        return;
    for (size_t i = 0; i < corrected->held.count; i++)
        if (corrected->held.items[i].index == done->index) {
            corrected->held.items[i] = *done;
            corrected->changes = UINT64_MAX; /* makes release() return it */
        }
}

/* Returns, holds or repeats an outcome of the search that has a time. */
static int take_timed(struct corrected *corrected, const struct evaluation *done, struct error *error)
{
    if (calibration_left_out(corrected->calibration, done->device))
        return submit_again(corrected, done->index, submissions_take(&corrected->exact, done->index), error);
    calibration_note(corrected->calibration, done->index, done->device, &done->measurement);
    if (!calibration_correction(corrected->calibration, done->device))
        return add_evaluation(&corrected->held, done, error);
    submissions_take(&corrected->exact, done->index);
    return tell(corrected, done, error);
}

/* Returns failures unchanged at once: `done` has room for as many outcomes as the inner evaluator returns. */
static int take(struct corrected *corrected, const struct evaluation *got, struct evaluation *done, size_t *count,
                struct error *error)
{
    bool measured = !got->withdrawn && got->device < corrected->device_count;
    int code = 0;
    corrected->in_flight--;
    if (got->withdrawn) {
        if (!calibration_withdraw(corrected->calibration, got->index)) {
            submissions_take(&corrected->exact, got->index);
            done[(*count)++] = *got;
        }
        return 0;
    }
    if (measured && *got->measurement.uuid)
        memcpy(corrected->devices[got->device].uuid, got->measurement.uuid, sizeof got->measurement.uuid);
    if (calibration_take(corrected->calibration, got->index, got->device, &got->measurement)) {
        if (measured)
            replace_held(corrected, got);
    } else if (measured && measurement_has_value(&got->measurement)) {
        code = take_timed(corrected, got, error);
    } else {
        submissions_take(&corrected->exact, got->index);
        done[(*count)++] = *got;
        if (measured)
            calibration_note(corrected->calibration, got->index, got->device, &got->measurement);
    }
    return code || !measured ? code : judge(corrected, got->device, error);
}

/* Ends the hold if nothing is in flight, because no calibration will come. */
static int settle(struct corrected *corrected, struct error *error)
{
    size_t held = corrected->held.count;
    int code = 0;
    for (size_t i = 0; i < held && !code; i++) {
        const struct evaluation item = corrected->held.items[i];
        if (!calibration_settle(corrected->calibration,
                                item.device)) /* the device has measured no calibration configuration */
            code = submit_again(corrected, item.index, submissions_take(&corrected->exact, item.index), error);
        if (!calibration_correction(corrected->calibration, item.device))
            corrected->held.items[i].device = SIZE_MAX;
        pass_limit(corrected, item.device);
    }
    size_t kept = 0;
    for (size_t i = 0; i < held; i++)
        if (corrected->held.items[i].device != SIZE_MAX)
            corrected->held.items[kept++] = corrected->held.items[i];
    corrected->held.count = kept;
    return code ? code : release(corrected, error);
}

static int advance(struct corrected *corrected, struct error *error)
{
    int code = submit_waiting(corrected, error);
    if (!code && !corrected->in_flight && corrected->held.count)
        code = settle(corrected, error);
    return code ? code : submit_waiting(corrected, error);
}

static void hand_over(struct corrected *corrected, struct evaluation *done, size_t space, size_t *count)
{
    struct evaluations *ready = &corrected->ready;
    size_t given = space - *count < ready->count ? space - *count : ready->count;
    if (!given)
        return;
    memcpy(done + *count, ready->items, given * sizeof *done);
    memmove(ready->items, ready->items + given, (ready->count - given) * sizeof *done);
    ready->count -= given;
    *count += given;
}

/* Gives the work of lost devices, and their held outcomes, to the others. */
static int leave_lost(struct corrected *corrected, struct error *error)
{
    const struct evaluator *inner = corrected->inner;
    int code = 0;
    for (size_t d = 0; d < corrected->device_count && !code; d++) {
        if (calibration_left_out(corrected->calibration, d) || !inner->ops->lost(inner->state, d))
            continue;
        calibration_leave_out(corrected->calibration, d);
        code = judge(corrected, d, error);
    }
    return code;
}

/* Waits for the inner evaluator once. */
static int wait_inner(struct corrected *corrected, int64_t until_ns, struct evaluation *done, size_t space,
                      size_t *count, size_t *got_count, struct error *error)
{
    struct evaluation got[AT_ONCE];
    int taken = 0, code = corrected->inner->ops->wait(corrected->inner->state, until_ns, got,
                                                      space < AT_ONCE ? space : AT_ONCE, got_count, error);
    for (size_t i = 0; i < *got_count && !taken; i++)
        taken = take(corrected, &got[i], done, count, error);
    if (!code && !taken)
        taken = leave_lost(corrected, error);
    return code ? code : taken;
}

static int wait(void *state, int64_t until_ns, struct evaluation *done, size_t space, size_t *count,
                struct error *error)
{
    struct corrected *corrected = state;
    *count = 0;
    if (!corrected->calibration)
        return corrected->inner->ops->wait(corrected->inner->state, until_ns, done, space, count, error);
    for (;;) {
        size_t got = 0;
        int code = advance(corrected, error);
        hand_over(corrected, done, space, count);
        if (code || *count || !corrected->in_flight)
            return code;
        code = wait_inner(corrected, until_ns, done, space, count, &got, error);
        hand_over(corrected, done, space, count);
        if (code || *count || !got || clock_now_ns() >= until_ns)
            return code;
    }
}

/* ---- The search ---- */

/* Held outcomes count as in flight for a strategy that learns, unless calibration configurations are still needed,
 * without which they stay held. */
static size_t room(void *state, bool learns_at_once)
{
    struct corrected *corrected = state;
    size_t inner = inner_room(corrected, learns_at_once);
    if (!corrected->calibration)
        return inner;
    bool waits = learns_at_once && !calibration_wanted(corrected->calibration);
    size_t taken =
        corrected->waiting.count + calibration_waiting(corrected->calibration) + (waits ? corrected->held.count : 0);
    return inner > taken ? inner - taken : 0;
}

static int submit(void *state, uint64_t index, bool exact, size_t device, struct error *error)
{
    struct corrected *corrected = state;
    if (!corrected->calibration)
        return corrected->inner->ops->submit(corrected->inner->state, index, exact, device, error);
    corrected->withdrawing = false;
    int code = submissions_add(&corrected->waiting, (struct submission){index, exact, device}, error);
    return code ? code : submit_waiting(corrected, error);
}

static int withdraw(void *state, enum evaluation_stage stage, struct error *error)
{
    struct corrected *corrected = state;
    int code = 0;
    corrected->withdrawing = true;
    for (struct submissions *waiting = &corrected->waiting; waiting->count && !code; waiting->count--)
        code = submit_again(corrected, waiting->items[waiting->begin++].index, false, error);
    return code ? code : corrected->inner->ops->withdraw(corrected->inner->state, stage, error);
}

static void limit(void *state, int64_t at_ns)
{
    const struct evaluator *inner = ((struct corrected *)state)->inner;
    inner->ops->limit(inner->state, at_ns);
}

static size_t devices(const void *state)
{
    return ((const struct corrected *)state)->device_count;
}

static void incumbent(void *state, size_t device, double value)
{
    struct corrected *corrected = state;
    if (!corrected->calibration) {
        corrected->inner->ops->incumbent(corrected->inner->state, device, value);
        return;
    }
    corrected->incumbent = value;
    for (size_t d = 0; d < corrected->device_count; d++)
        if (device == d || device == EVALUATOR_ANY_DEVICE)
            pass_limit(corrected, d);
}

static void leave_out(void *state, size_t device)
{
    struct corrected *corrected = state;
    if (corrected->calibration)
        calibration_leave_out(corrected->calibration, device);
    corrected->inner->ops->leave_out(corrected->inner->state, device);
}

/* ---- Operations that pass through ---- */

/* Waits for the calibrations in flight, before an operation that needs idle devices. */
static int drain(struct corrected *corrected, struct error *error)
{
    const volatile sig_atomic_t *stop = corrected->setup->stop;
    int code = 0;
    while (!code && corrected->calibration && corrected->in_flight && !(stop && *stop >= 2)) {
        struct evaluation done[AT_ONCE];
        size_t count = 0, got = 0;
        code = wait_inner(corrected, INT64_MAX, done, AT_ONCE, &count, &got, error);
        for (size_t i = 0; i < count && !code; i++) /* only after a stop: otherwise the search has none in flight */
            code = add_evaluation(&corrected->ready, &done[i], error);
    }
    return code;
}

/* Adds the share of calibration. */
static double busy_s(const void *state, double compile_s, double measure_s)
{
    const struct corrected *corrected = state;
    const struct evaluator *inner = corrected->inner;
    return inner->ops->busy_s(inner->state, compile_s, measure_s * (corrected->calibration ? 1 + CORRECTION_SHARE : 1));
}

static int64_t now(void *state)
{
    const struct evaluator *inner = ((struct corrected *)state)->inner;
    return inner->ops->now(inner->state);
}

static int playoff(void *state, const uint64_t *indices, size_t count, struct measurement *finals, bool *played,
                   struct error *error)
{
    struct corrected *corrected = state;
    int code = drain(corrected, error);
    *played = false;
    return code ? code : corrected->inner->ops->playoff(corrected->inner->state, indices, count, finals, played, error);
}

static int library(void *state, uint64_t index, struct evaluator_library *measured, struct error *error)
{
    struct corrected *corrected = state;
    int code = drain(corrected, error);
    return code ? code : corrected->inner->ops->device->library(corrected->inner->state, index, measured, error);
}

static int energy(void *state, struct evaluator_energy *asked, struct error *error)
{
    struct corrected *corrected = state;
    int code = drain(corrected, error);
    return code ? code : corrected->inner->ops->device->energy(corrected->inner->state, asked, error);
}

static int ceilings(void *state, struct ceilings *ceilings, struct event_timer *timer, struct error *error)
{
    const struct evaluator *inner = ((struct corrected *)state)->inner;
    return inner->ops->device->ceilings(inner->state, ceilings, timer, error);
}

static int evidence(void *state, const uint64_t *indices, size_t count, int64_t until_ns,
                    evaluator_take_evidence *take_evidence, void *context, struct error *error)
{
    struct corrected *corrected = state;
    const struct evaluator *inner = corrected->inner;
    int code = drain(corrected, error);
    return code ? code
                : inner->ops->device->evidence(inner->state, indices, count, until_ns, take_evidence, context, error);
}

static void usage(const void *state, struct evaluator_usage *used)
{
    const struct evaluator *inner = ((const struct corrected *)state)->inner;
    inner->ops->usage(inner->state, used);
}

/* ---- Opening ---- */

static void close_corrected(void *state)
{
    struct corrected *corrected = state;
    calibration_close(corrected->calibration);
    free(corrected->devices);
    free(corrected->waiting.items);
    free(corrected->exact.items);
    free(corrected->held.items);
    free(corrected->ready.items);
}

static int open_corrected(void *state, const void *given, struct error *error)
{
    struct corrected *corrected = state;
    const struct corrected_setup *setup = corrected->setup = given;
    const struct evaluator *inner = corrected->inner = setup->inner;
    corrected->device_count = inner->ops->devices(inner->state);
    corrected->incumbent = NAN;
    if (corrected->device_count < 2)
        return 0;
    corrected->devices = calloc(corrected->device_count, sizeof *corrected->devices);
    if (!corrected->devices)
        return error_memory(error);
    return calibration_open(&corrected->calibration, corrected->device_count, setup->default_index, error);
}

static const struct evaluator_device_ops device_ops = {
    .library = library, .energy = energy, .ceilings = ceilings, .evidence = evidence};

static const struct evaluator_ops all_ops = {.state_size = sizeof(struct corrected),
                                             .open = open_corrected,
                                             .room = room,
                                             .devices = devices,
                                             .submit = submit,
                                             .wait = wait,
                                             .withdraw = withdraw,
                                             .limit = limit,
                                             .watch = evaluator_watch_nothing,
                                             .busy_s = busy_s,
                                             .incumbent = incumbent,
                                             .leave_out = leave_out,
                                             .lost = evaluator_lose_none,
                                             .now = now,
                                             .playoff = playoff,
                                             .usage = usage,
                                             .close = close_corrected};

int evaluator_open_corrected(struct evaluator *evaluator, const struct corrected_setup *setup, struct error *error)
{
    int code = evaluator_open(evaluator, &all_ops, setup, error);
    if (code)
        return code;
    struct corrected *corrected = evaluator->state;
    corrected->ops = all_ops;
    corrected->ops.stops_early = setup->inner->ops->stops_early;
    corrected->ops.device = setup->inner->ops->device ? &device_ops : NULL;
    evaluator->ops = &corrected->ops;
    return 0;
}

const struct correction *evaluator_corrected(const struct evaluator *evaluator, size_t device)
{
    const struct corrected *corrected = evaluator->state;
    return corrected->calibration ? calibration_correction(corrected->calibration, device) : NULL;
}
