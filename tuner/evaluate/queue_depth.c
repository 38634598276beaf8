#include "evaluate/queue_depth.h"

#include <math.h>
#include <string.h>

/* AHEAD: compiled configurations that may wait for each device in a deep queue */
enum { AHEAD = 4 };
/* Reserve: compilations and replacements up to this many times the mean do not idle a device. */
static const double margin = 1.5;

static double taken_ns(int64_t ns)
{
    return ns > 0 ? (double)ns : 0;
}

/* Adds a time to a mean of `count` times. */
static void count_in(double *mean_ns, uint64_t count, double ns)
{
    double weight = 1.0 / (double)(count < QUEUE_DEPTH_LATEST ? count + 1 : QUEUE_DEPTH_LATEST);
    *mean_ns += weight * (ns - *mean_ns);
}

void queue_depth_note(struct queue_depth *queue, const struct measurement *measurement)
{
    count_in(&queue->compile_ns, queue->count, taken_ns(measurement->compile_ns));
    count_in(&queue->measure_ns, queue->count, taken_ns(measurement->measure_ns));
    queue->count++;
}

void queue_depth_vacate(struct queue_depth *queue, int64_t now_ns)
{
    if (queue->vacant == QUEUE_DEPTH_LATEST)
        memmove(queue->vacated_ns, queue->vacated_ns + 1, --queue->vacant * sizeof *queue->vacated_ns);
    queue->vacated_ns[queue->vacant++] = now_ns;
}

/* Replaces the latest vacancy first, so that the oldest stays vacant when the depth falls. A replacement counts at most
 * as an evaluation: a longer pause was not the search's. */
void queue_depth_replace(struct queue_depth *queue, int64_t now_ns)
{
    if (!queue->vacant)
        return;
    double took_ns = (double)(now_ns - queue->vacated_ns[--queue->vacant]);
    count_in(&queue->replace_ns, queue->replaced++, fmin(took_ns, queue->measure_ns));
}

size_t queue_depth_deepest(const struct queue_depth *queue)
{
    return 2 * queue->compilers + AHEAD * queue->devices;
}

size_t queue_depth_wanted(const struct queue_depth *queue, bool learns_at_once)
{
    double devices = (double)queue->devices, compilers = (double)queue->compilers;
    if (!learns_at_once)
        return queue_depth_deepest(queue);
    double compiling = devices * margin * queue->compile_ns, replacing = devices * margin * queue->replace_ns;
    if (!queue->count || compiling >= compilers * queue->measure_ns)
        return queue->compilers + queue->devices;
    size_t depth = queue->devices + (size_t)ceil(fmax((compiling + replacing) / queue->measure_ns, 1));
    return depth < queue_depth_deepest(queue) ? depth : queue_depth_deepest(queue);
}

double queue_depth_busy_s(const struct queue_depth *queue, double compile_s, double measure_s)
{
    return fmax(compile_s / (double)queue->compilers, measure_s / (double)queue->devices);
}
