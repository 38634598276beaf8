/* NVML's counter of the board's energy advances evenly, about ten times a second, and a question for it takes
 * milliseconds. So a window asks twice, in the middle between two advances, when the time of the answer does not
 * matter: the power is the growth over the number of advances in between, times their period. The period is known from
 * many advances, each of which is seen milliseconds late. Another thread asks, because a question takes much longer
 * while other processes use the driver, and the device's queue must not run empty meanwhile. */
#include "device/energy_window.h"

#include <cuda_runtime_api.h>
#include <math.h>
#include <pthread.h>

#include "base/clock.h"
#include "device/gpu.h"
#include "device/rest.h"

/* The time between two looks at an idle board; of a batch of runs, so that one is left while the host asks; beyond
 * which a window or the search for advances has failed. */
static const int64_t look_ns = 1000000, batch_ns = 20000000, late_ns = 1000000000, learn_most_ns = 4000000000;
static const int64_t pause_least_ns = 1000;
/* QUEUE_LAUNCHES: of a batch; the device's queue has room for two. LEARN_ADVANCES: before the first window.
 * STALE_PERIODS: without an advance, after which the beat may be a part of a period late */
enum { QUEUE_LAUNCHES = 384, LEARN_ADVANCES = 20, STALE_PERIODS = 100 };
/* Parts of a period: an answer this near to an advance is asked for again; an advance that is seen later than this says
 * nothing. */
static const double margin = 0.1, seen_within = 0.25;
/* Events: two of batches in turn; the begin of the runs that count. */
enum { EVENT_FIRST = 2 };

int64_t gpu_window_limit_ns(int64_t lead_ns, int64_t for_ns)
{
    return lead_ns + for_ns + late_ns;
}

int64_t gpu_learn_limit_ns(void)
{
    return learn_most_ns;
}

int64_t gpu_counter_state(const struct gpu *gpu)
{
    unsigned long long millijoules;
    if (!gpu->nvml.device)
        return GPU_COUNTER_NO_NVML;
    return gpu->nvml.energy ? (int64_t)gpu->nvml.energy(gpu->nvml.device, &millijoules) : GPU_COUNTER_NO_FUNCTION;
}

/* ---- The beat ---- */

/* Fits the line through the times of all advances, whose numbers follow from the line so far. A number that is wrong
 * after a long pause shifts the period by less than its error was. */
static void add_advance(struct gpu_beat *beat, int64_t ns)
{
    if (!beat->count)
        beat->origin_ns = ns;
    const double at = (double)(ns - beat->origin_ns);
    const double number = beat->count < 2 ? (double)beat->count : round((at - beat->phase_ns) / beat->period_ns);
    beat->last_ns = ns;
    beat->count++;
    beat->numbers += number;
    beat->times += at;
    beat->squares += number * number;
    beat->products += number * at;
    if (beat->count < 2)
        return;
    const double count = (double)beat->count;
    beat->period_ns = (count * beat->products - beat->numbers * beat->times) /
                      (count * beat->squares - beat->numbers * beat->numbers);
    beat->phase_ns = (beat->times - beat->period_ns * beat->numbers) / count;
}

/* The advances before this time; the fraction is the part of the period since the last one. */
static double advances_at(const struct gpu_beat *beat, int64_t ns)
{
    return ((double)(ns - beat->origin_ns) - beat->phase_ns) / beat->period_ns;
}

/* The middle between that advance and the next one. */
static int64_t middle_behind(const struct gpu_beat *beat, double advance)
{
    return beat->origin_ns + (int64_t)(beat->phase_ns + (advance + 0.5) * beat->period_ns);
}

/* An advance between two answers is seen at the later one, which says when it was only if both are close. */
static bool is_sharp(const struct gpu_beat *beat, int64_t before_ns, int64_t now_ns)
{
    return beat->count < 2 || (double)(now_ns - before_ns) < seen_within * beat->period_ns;
}

/* Looks at the idle board all the time, until so many advances were seen. */
static void learn(struct gpu *gpu, size_t advances)
{
    unsigned long long last = 0, now = 0;
    const int64_t until_ns = clock_now_ns() + learn_most_ns;
    int64_t seen_ns = 0;
    while (advances && clock_now_ns() < until_ns) {
        if (gpu->nvml.energy(gpu->nvml.device, &now))
            return;
        const int64_t now_ns = clock_now_ns();
        if (seen_ns && now != last && is_sharp(&gpu->beat, seen_ns, now_ns)) {
            add_advance(&gpu->beat, now_ns);
            advances--;
        }
        seen_ns = now_ns;
        last = now;
        gpu_pause(look_ns);
    }
}

/* ---- A window ---- */

/* A question for the counter, which its thread answers before it ends. */
struct question {
    const struct gpu_nvml *nvml;
    pthread_t thread;
    bool threaded; /* else: the system had no thread for it */
    bool asked, failed;
    unsigned long long millijoules;
    int64_t begin_ns, end_ns;
};

static void *answer(void *context)
{
    struct question *question = context;
    question->begin_ns = clock_now_ns();
    question->failed = question->nvml->energy(question->nvml->device, &question->millijoules) != 0;
    question->end_ns = clock_now_ns();
    return NULL;
}

static void ask(struct question *question, const struct gpu_nvml *nvml)
{
    question->nvml = nvml;
    question->asked = true;
    question->threaded = pthread_create(&question->thread, NULL, answer, question) == 0;
    if (!question->threaded)
        answer(question);
}

/* Waits for the end of a question, if one was asked. */
static void end_question(struct question *question)
{
    if (question->asked && question->threaded)
        pthread_join(question->thread, NULL);
    question->asked = false;
}

/* Ends a question that is answered. */
static bool is_answered(struct question *question)
{
    question->asked = question->threaded && pthread_tryjoin_np(question->thread, NULL) != 0;
    return !question->asked;
}

enum stage { STAGE_ADVANCE, STAGE_FIRST, STAGE_LAST, STAGE_OVER };

struct watch {
    struct gpu *gpu;
    enum stage stage;
    int64_t due_ns, until_ns, for_ns; /* the next question, the last one; time between first and last answer */
    int64_t seen_ns;                  /* of the last answer; 0: none yet */
    unsigned long long seen, first;   /* millijoules */
    double first_advance, watts, read_w;
    struct question question;
};

/* Waits for an advance, so that the beat stays known. It may stay away: runs keep the host from looking. */
static void take_advance(struct watch *watch, unsigned long long now, int64_t now_ns)
{
    struct gpu_beat *beat = &watch->gpu->beat;
    const bool advanced = watch->seen_ns && now != watch->seen;
    if (advanced && is_sharp(beat, watch->seen_ns, now_ns))
        add_advance(beat, now_ns);
    if (!watch->seen_ns)
        watch->due_ns = now_ns; /* of the first look */
    if (advanced || (double)(now_ns - watch->due_ns) > 2 * beat->period_ns) {
        watch->stage = STAGE_FIRST;
        watch->due_ns = middle_behind(beat, ceil(advances_at(beat, now_ns) - 0.5));
    }
    watch->seen = now;
    watch->seen_ns = now_ns;
}

/* Takes an answer to a question between two points in time, unless it is too near to an advance. */
static void take_answer(struct watch *watch, unsigned long long now, int64_t begin_ns, int64_t end_ns)
{
    const struct gpu_beat *beat = &watch->gpu->beat;
    const double begin = advances_at(beat, begin_ns), end = advances_at(beat, end_ns), advance = floor(begin);
    if (begin - advance < margin || end - advance > 1 - margin) {
        watch->due_ns = middle_behind(beat, ceil(end - 0.5));
    } else if (watch->stage == STAGE_FIRST) {
        watch->first = now;
        watch->first_advance = advance;
        watch->stage = STAGE_LAST;
        watch->due_ns = middle_behind(beat, advance + ceil((double)watch->for_ns / beat->period_ns));
    } else {
        watch->watts = 1e6 * (double)(now - watch->first) / ((advance - watch->first_advance) * beat->period_ns);
        watch->stage = STAGE_OVER;
    }
}

/* Reads the board's power, while runs are still queued. */
static double read_power(const struct gpu_nvml *nvml)
{
    struct gpu_nvml_field power = {.field = NVML_POWER_INSTANT};
    bool known = nvml->fields && !nvml->fields(nvml->device, 1, &power) && !power.result && power.type == NVML_UNSIGNED;
    return known ? power.value.milliwatts * 1e-3 : NAN;
}

/* Asks for the counter if it is time, and takes the answer once it is there. */
static void look(struct watch *watch)
{
    struct question *question = &watch->question;
    const int64_t now_ns = clock_now_ns();
    const bool due = now_ns >= watch->due_ns || now_ns >= watch->until_ns;
    if (watch->stage == STAGE_OVER || (!question->asked && !due))
        return;
    if (!question->asked)
        ask(question, &watch->gpu->nvml);
    if (!is_answered(question))
        return;
    if (question->failed || question->end_ns >= watch->until_ns || watch->gpu->beat.count < 2)
        watch->stage = STAGE_OVER;
    else if (watch->stage == STAGE_ADVANCE)
        take_advance(watch, question->millijoules, question->end_ns);
    else
        take_answer(watch, question->millijoules, question->begin_ns, question->end_ns);
    if (watch->stage == STAGE_OVER)
        watch->read_w = read_power(&watch->gpu->nvml);
}

/* Returns the runs of a batch: one if a run waits for the device. */
static size_t runs_of(const struct gpu_series *series)
{
    size_t most = series->queued ? (size_t)(QUEUE_LAUNCHES / series->queued) : 1;
    size_t wanted = (size_t)((double)batch_ns / series->run_ns) + 1;
    return wanted < most ? wanted : most ? most : 1;
}

static cudaError_t queue_batch(struct gpu *gpu, const struct gpu_series *series, size_t runs, size_t event)
{
    cudaError_t result = cudaSuccess;
    for (size_t i = 0; i < runs && !result; i++)
        result = series->queue(gpu, series->context);
    return result ? result : cudaEventRecord(gpu->events[event], gpu->stream);
}

/* Waits for a batch and looks at the counter meanwhile. */
static cudaError_t await(struct gpu *gpu, size_t event, int64_t pause_ns, struct watch *watch)
{
    cudaError_t result;
    while ((result = cudaEventQuery(gpu->events[event])) == cudaErrorNotReady) {
        look(watch);
        gpu_pause(pause_ns);
    }
    look(watch);
    return result;
}

/* Runs count from the first answer on, because the questions before it may let the queue run empty. */
static cudaError_t repeat(struct gpu *gpu, const struct gpu_series *series, struct watch *watch,
                          struct gpu_window *window)
{
    const size_t runs = runs_of(series);
    const int64_t part_ns = (int64_t)((double)runs * series->run_ns) / 4; /* so that short batches follow in time */
    const int64_t pause_ns = part_ns < pause_least_ns ? pause_least_ns : part_ns < look_ns ? part_ns : look_ns;
    cudaError_t result = queue_batch(gpu, series, runs, 0);
    bool counts = false;
    float ms = 0;
    size_t batch = 1;
    for (; !result && (watch->stage != STAGE_OVER || (counts && !window->runs)); batch++) {
        if (!counts && watch->stage == STAGE_LAST) {
            counts = true;
            result = cudaEventRecord(gpu->events[EVENT_FIRST], gpu->stream);
        }
        if (!result)
            result = queue_batch(gpu, series, runs, batch % 2);
        window->runs += counts ? runs : 0;
        if (!result)
            result = await(gpu, (batch - 1) % 2, pause_ns, watch);
    }
    if (!result)
        result = gpu_clock_queue(gpu);
    cudaError_t finished = cudaStreamSynchronize(gpu->stream);
    cudaGetLastError(); /* a batch that is not ready is not an error */
    result = result ? result : finished;
    if (!result && counts)
        result = cudaEventElapsedTime(&ms, gpu->events[EVENT_FIRST], gpu->events[(batch - 1) % 2]);
    if (result)
        return result;
    window->run_ns = counts ? 1e6 * (double)ms / (double)window->runs : NAN;
    window->condition = gpu_clock_read(gpu);
    return cudaSuccess;
}

cudaError_t gpu_run_window(struct gpu *gpu, const struct gpu_series *series, struct gpu_window *window)
{
    const double pause_ns = (double)(clock_now_ns() - gpu->beat.last_ns);
    if (gpu->beat.count < LEARN_ADVANCES)
        learn(gpu, LEARN_ADVANCES);
    else if (pause_ns > STALE_PERIODS * gpu->beat.period_ns)
        learn(gpu, 1);
    const int64_t now_ns = clock_now_ns();
    struct watch watch = {.gpu = gpu,
                          .due_ns = now_ns + series->lead_ns,
                          .for_ns = series->for_ns,
                          .until_ns = now_ns + gpu_window_limit_ns(series->lead_ns, series->for_ns),
                          .watts = NAN,
                          .read_w = NAN};
    cudaError_t result = cudaSuccess;
    *window = (struct gpu_window){
        .watts = NAN, .read_w = NAN, .run_ns = NAN, .condition = {.mhz = NAN, .reasons = -1, .celsius = -1}};
    if (series->queue)
        result = repeat(gpu, series, &watch, window);
    while (!series->queue && watch.stage != STAGE_OVER) {
        look(&watch);
        gpu_pause(look_ns);
    }
    end_question(&watch.question);
    window->watts = watch.watts;
    window->read_w = watch.read_w;
    return result;
}
