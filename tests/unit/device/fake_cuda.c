/* Streams, events, their virtual time, and queued work. */
#include "fake_private.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* bytes per ns, of the device's memory and of the link to the host */
enum { MEMORY_RATE = 1000, LINK_RATE = 25 };
struct fake_cuda fake;
cudaError_t fake_context; /* error that broke the context */
static cudaError_t last;  /* for cudaGetLastError */
static uint64_t flushes, timed_records;

void fake_misuse(const char *what)
{
    if (!fake.misuse)
        fake.misuse = what;
}

cudaError_t fake_fail(cudaError_t result)
{
    if (result)
        last = result;
    return result;
}

/* ---- Work ---- */

enum operation { OP_COPY, OP_SET, OP_KERNEL, OP_RECORD, OP_WAIT, OP_FREE };
enum engine { ENGINE_COMPUTE, ENGINE_TO_DEVICE, ENGINE_TO_HOST, ENGINES, ENGINE_NONE = ENGINES };
struct work {
    enum operation operation;
    enum engine engine;
    int64_t queued_ns, cost_ns;
    void *to;
    const void *from;
    size_t bytes;
    int value;
    const struct fake_kernel *kernel;
    uint64_t arguments[16];
    struct CUevent_st *event;
    unsigned long generation; /* of the event */
};
struct CUevent_st {
    unsigned long recorded, done;
    int64_t done_ns;
    bool timed;
};
struct CUstream_st {
    struct work *work;
    size_t count, at, room;
    int64_t now_ns;
};
static struct CUstream_st legacy; /* never waits: all other streams are created non-blocking */
static struct CUstream_st *streams[256] = {&legacy};
static struct CUevent_st *events[4096];
static size_t stream_count = 1, event_count;
static int64_t engines_ns[ENGINES + 1];               /* time at which each is free; ENGINE_NONE is always free */
static int64_t kernel_ns, kernel_begin_ns, hidden_ns; /* hidden_ns: of the last kernel, until an event is recorded */

static bool is_idle(void)
{
    size_t count = 0;
    for (size_t i = 0; i < stream_count; i++)
        count += streams[i]->count;
    return !count;
}

static struct work *queue(cudaStream_t stream, enum operation operation)
{
    if (fake.alike && is_idle())
        fake.seed = 1;
    if (stream->count == stream->room) {
        stream->room = stream->room ? stream->room * 2 : 64;
        stream->work = realloc(stream->work, stream->room * sizeof *stream->work);
        if (!stream->work)
            abort();
    }
    struct work *work = &stream->work[stream->count++];
    memset(work, 0, sizeof *work);
    work->operation = operation;
    work->engine = ENGINE_NONE;
    work->queued_ns = fake.now_ns;
    return work;
}

static bool ready(const struct CUstream_st *stream)
{
    if (stream->at >= stream->count)
        return false;
    const struct work *work = &stream->work[stream->at];
    return work->operation != OP_WAIT || work->event->done >= work->generation;
}

static bool is_slow(int64_t now_ns)
{
    return fake.slow_mhz > 0 && now_ns >= fake.slow_from_ns && now_ns < fake.slow_until_ns;
}

static double mhz_at(int64_t now_ns)
{
    if (fake.restless && now_ns / 50000 % 2)
        return fake.mhz / 2;
    if (fake_at_cap(now_ns))
        return fake.cap_mhz;
    return is_slow(now_ns) ? fake.slow_mhz : fake.mhz;
}

unsigned long long fake_kernel_time(void)
{
    return (unsigned long long)(kernel_ns += 1000);
}

long long fake_kernel_cycles(void)
{
    return (long long)((double)(kernel_ns - kernel_begin_ns) * mhz_at(kernel_begin_ns) * 1e-3);
}

/* cutune's own kernels advance the time themselves. */
static void run_kernel(const struct work *work, int64_t start_ns)
{
    const struct fake_loaded *loaded = work->kernel->loaded;
    kernel_ns = kernel_begin_ns = start_ns;
    if (!loaded || loaded->helper)
        work->kernel->run(work->arguments);
    else
        kernel_ns += llround(fake_run(work->kernel, work->arguments, flushes) * fake.mhz / mhz_at(start_ns));
    if (loaded && !loaded->helper)
        fake_load(start_ns, kernel_ns, loaded->script.power);
    hidden_ns = loaded && !loaded->helper ? (int64_t)loaded->script.hidden_ns : hidden_ns;
    if (loaded && loaded->script.watts > 0)
        fake_heat(start_ns, kernel_ns, loaded->script.watts);
    fake_note(loaded ? loaded->script.letter : 'k');
}

static void run_set(const struct work *work)
{
    memset(work->to, work->value, work->bytes);
    flushes += work->bytes >= FAKE_L2_BYTES;
    fake_note(work->bytes >= FAKE_L2_BYTES ? 'F' : 's');
}

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* True if a hold is not released yet. Queued work runs when the host waits, by which time it has released its holds. */
static bool holds(const struct work *work)
{
    const struct fake_row *row = fake_rows;
    while (strcmp(row->name, "cutune_stream_gate") != 0)
        row++;
    return work->operation == OP_KERNEL && work->kernel->run == row->kernel.run;
}

static void run(struct CUstream_st *stream)
{
    const struct work work = stream->work[stream->at++];
    int64_t start_ns = later(later(stream->now_ns, work.queued_ns), engines_ns[work.engine]);
    if (holds(&work))
        start_ns = later(start_ns, fake.now_ns);
    int64_t end_ns = start_ns + work.cost_ns;
    switch (work.operation) {
    case OP_COPY:
        memcpy(work.to, work.from, work.bytes);
        fake_note("CIO"[work.engine]);
        break;
    case OP_SET:
        run_set(&work);
        break;
    case OP_KERNEL:
        run_kernel(&work, start_ns);
        end_ns = kernel_ns;
        break;
    case OP_RECORD:
        work.event->done = work.generation;
        work.event->done_ns = end_ns - hidden_ns;
        hidden_ns = 0;
        if (work.event->timed) {
            fake_note('E');
            end_ns += fake.event_ns + fake_lives() * fake.event_more_ns + timed_records++ % 3 * fake.tick_ns;
        }
        break;
    case OP_FREE:
        fake_release(work.to, true);
        break;
    case OP_WAIT:
        end_ns = later(start_ns, work.event->done_ns);
        break;
    }
    stream->now_ns = end_ns;
    if (work.engine != ENGINE_NONE)
        engines_ns[work.engine] = end_ns;
    if (stream->at == stream->count)
        stream->at = stream->count = 0;
}

/* Executes one work item that may run next; false if no item may. */
static bool step(void)
{
    struct CUstream_st *able[256];
    size_t count = 0;
    for (size_t i = 0; i < stream_count; i++)
        if (ready(streams[i]))
            able[count++] = streams[i];
    if (!count)
        return false;
    fake.seed = fake.seed * 1664525u + 1013904223u;
    run(able[(fake.seed >> 16) % count]);
    return true;
}

void fake_finish(void)
{
    while (step())
        ;
}

void fake_reset(void)
{
    fake_finish();
    fake_release_all();
    for (size_t i = 0; i < stream_count; i++) {
        free(streams[i]->work);
        if (streams[i] != &legacy)
            free(streams[i]);
    }
    for (size_t i = 0; i < event_count; i++)
        free(events[i]);
    legacy = (struct CUstream_st){0};
    event_count = 0;
    timed_records = 0;
    stream_count = 1;
    memset(engines_ns, 0, sizeof engines_ns);
    fake_context = last = cudaSuccess;
    fake = (struct fake_cuda){.seed = 1,
                              .devices = 1,
                              .driver = 13000,
                              .device_room = 24 << 20,
                              .host_room = SIZE_MAX,
                              .mhz = 1000,
                              .celsius = 40,
                              .clusters = 1,
                              .blocks_sm = 2,
                              .cupti_passes = 3};
    fake_cupti_forget();
    fake_power_forget();
    fake_forget();
}

/* ---- Waiting ---- */

/* Advances the host to this time, with a real wait if requested. */
static cudaError_t arrive(int64_t ns)
{
    if (ns > fake.now_ns) {
        struct timespec time = {.tv_sec = (ns - fake.now_ns) / 1000000000, .tv_nsec = (ns - fake.now_ns) % 1000000000};
        if (fake.real_time)
            clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
        fake.now_ns = ns;
    }
    if (fake.broken)
        fake_context = fake.broken;
    return fake_fail(fake_context);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    while (stream->at < stream->count)
        if (!step()) {
            fake_misuse("waits for ever");
            break;
        }
    return arrive(stream->now_ns);
}

cudaError_t cudaDeviceSynchronize(void)
{
    int64_t now_ns = 0;
    fake_finish();
    for (size_t i = 0; i < stream_count; i++)
        now_ns = later(now_ns, streams[i]->now_ns);
    return arrive(now_ns);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    while (event->done < event->recorded)
        if (!step()) {
            fake_misuse("waits for ever");
            break;
        }
    return arrive(event->done_ns);
}

/* Executes the work up to the event, which comes at its time. */
cudaError_t cudaEventQuery(cudaEvent_t event)
{
    while (event->done < event->recorded && step())
        ;
    bool came = event->done == event->recorded && event->done_ns <= fake.now_ns;
    return came ? fake_fail(fake_context) : cudaErrorNotReady;
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t begin, cudaEvent_t end)
{
    if (!begin->timed || !end->timed || !begin->recorded || !end->recorded)
        return fake_fail(cudaErrorInvalidResourceHandle);
    if (begin->done < begin->recorded || end->done < end->recorded)
        return fake_fail(cudaErrorNotReady);
    int64_t elapsed_ns = end->done_ns - begin->done_ns;
    if (fake.tick_ns)
        elapsed_ns = elapsed_ns / fake.tick_ns * fake.tick_ns;
    *ms = (float)((double)elapsed_ns * 1e-6);
    return fake_context;
}

/* ---- Streams and events ---- */

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    (void)flags;
    *stream = calloc(1, sizeof **stream);
    if (!*stream || stream_count == sizeof streams / sizeof *streams)
        abort();
    streams[stream_count++] = *stream;
    return fake_context;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    if (stream->at < stream->count)
        fake_misuse("destroys a stream that has work");
    return fake_context;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    *event = calloc(1, sizeof **event);
    if (!*event || event_count == sizeof events / sizeof *events)
        abort();
    (*event)->timed = !(flags & cudaEventDisableTiming);
    events[event_count++] = *event;
    return fake_context;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    if (event->done < event->recorded)
        fake_misuse("destroys an event that has not come");
    return fake_context;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    struct work *work = queue(stream, OP_RECORD);
    work->event = event;
    work->generation = ++event->recorded;
    return fake_context;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    (void)flags;
    struct work *work = queue(stream, OP_WAIT);
    work->event = event;
    work->generation = event->recorded;
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    bool to_device = fake_is_device(to, bytes), from_device = fake_is_device(from, bytes);
    if ((kind == cudaMemcpyHostToDevice && (!to_device || from_device)) ||
        (kind == cudaMemcpyDeviceToHost && (to_device || !from_device)) ||
        (kind == cudaMemcpyDeviceToDevice && !(to_device && from_device)))
        fake_misuse("a copy between other memories than it says");
    if ((uintptr_t)to < (uintptr_t)from + bytes && (uintptr_t)from < (uintptr_t)to + bytes)
        fake_misuse("a copy over its source");
    if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToHost) {
        fake.copies++;
        fake.packed = bytes > fake.packed ? bytes : fake.packed;
    }
    struct work *work = queue(stream, OP_COPY);
    work->to = to;
    work->from = from;
    work->bytes = bytes;
    work->engine = to_device == from_device ? ENGINE_COMPUTE : to_device ? ENGINE_TO_DEVICE : ENGINE_TO_HOST;
    work->cost_ns = work->engine == ENGINE_COMPUTE ? (int64_t)(2 * bytes / MEMORY_RATE) + fake.copy_ns
                                                   : (int64_t)(bytes / LINK_RATE);
    return fake_context;
}

static struct work *queue_set(void *to, int value, size_t bytes, cudaStream_t stream)
{
    struct work *work = queue(stream, OP_SET);
    work->to = to;
    work->bytes = bytes;
    work->value = value;
    work->engine = ENGINE_COMPUTE;
    work->cost_ns = (int64_t)(bytes / MEMORY_RATE);
    if (!fake_is_device(to, bytes))
        fake_misuse("sets memory of the host");
    return work;
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream)
{
    if (!fake_context)
        queue_set(to, value, bytes, stream);
    return fake_fail(fake_context);
}

/* Runs as late as on a device, so that callers must wait for its end. */
cudaError_t cudaMemset(void *to, int value, size_t bytes)
{
    return cudaMemsetAsync(to, value, bytes, &legacy);
}

cudaError_t cudaGetLastError(void)
{
    cudaError_t result = last;
    last = fake_context;
    return result;
}

/* ---- Launches, alone and in graphs ---- */

enum { NODES_MAX = 64 };
struct graph {
    struct node {
        const struct fake_kernel *kernel;
        uint64_t arguments[16];
    } nodes[NODES_MAX];
    size_t count;
};
static struct graph *capture; /* NULL: launches are queued */
static cudaStream_t capture_stream;

/* True if queued work waits for the host to release the stream. */
static bool is_held(const struct CUstream_st *stream)
{
    bool held = false;
    for (size_t i = stream->at; i < stream->count; i++) {
        const struct work *work = &stream->work[i];
        held |= holds(work) && *(const unsigned *)work->arguments[0] < (unsigned)work->arguments[1];
    }
    return held;
}

/* Loads the code of a kernel when it is first launched. If the stream is held, this waits for the end of the hold. */
static void load_code(const struct fake_kernel *kernel, cudaStream_t stream)
{
    if (!kernel->loaded || kernel->loaded->has_code)
        return;
    kernel->loaded->has_code = true;
    if (is_held(stream))
        cudaStreamSynchronize(stream);
}

static cudaError_t launch_node(const struct node *node, cudaStream_t stream)
{
    cudaError_t result = fake_context ? fake_context : fake.next_launch;
    fake.next_launch = cudaSuccess;
    if (!result && node->kernel->loaded && !node->kernel->loaded->helper)
        result = fake_launching(node->kernel->loaded);
    if (result)
        return fake_fail(result);
    load_code(node->kernel, stream);
    fake.now_ns += fake.launch_ns;
    struct work *work = queue(stream, OP_KERNEL);
    work->kernel = node->kernel;
    work->engine = ENGINE_COMPUTE;
    memcpy(work->arguments, node->arguments, sizeof work->arguments);
    fake.launches++;
    fake_cupti_launched(fake.grid);
    return cudaSuccess;
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function, void **arguments)
{
    struct node node = {.kernel = function};
    for (size_t i = 0, at = 0; node.kernel->arguments[i]; i++) {
        char letter = node.kernel->arguments[i];
        size_t bytes = letter == 's' ? 32 : letter == 'p' ? 8 : 4;
        memcpy(&node.arguments[at], arguments[i], bytes);
        at += (bytes + 7) / 8;
    }
    fake.grid = config->gridDim.x;
    fake.cooperative = false;
    for (unsigned i = 0; i < config->numAttrs; i++)
        fake.cooperative |= config->attrs[i].id == cudaLaunchAttributeCooperative && config->attrs[i].val.cooperative;
    if (!capture || config->stream != capture_stream)
        return launch_node(&node, config->stream);
    if (capture->count == NODES_MAX)
        abort();
    capture->nodes[capture->count++] = node;
    return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    (void)mode;
    if (fake.graph_error)
        return fake_fail(fake.graph_error);
    if (capture || !(capture = calloc(1, sizeof *capture)))
        abort();
    capture_stream = stream;
    return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    if (!capture || stream != capture_stream)
        fake_misuse("ends a capture that has not begun");
    *graph = (cudaGraph_t)capture;
    capture = NULL;
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags)
{
    (void)flags;
    struct graph *copy = malloc(sizeof *copy);
    if (!copy)
        abort();
    memcpy(copy, graph, sizeof *copy);
    *exec = (cudaGraphExec_t)copy;
    fake.graphs++;
    return cudaSuccess;
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream)
{
    (void)exec, (void)stream;
    fake_note('G');
    return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    const struct graph *graph = (const struct graph *)exec;
    cudaError_t result = cudaSuccess;
    fake.graph_launches++;
    for (size_t i = 0; i < graph->count && !result; i++)
        result = launch_node(&graph->nodes[i], stream);
    return result;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    free(graph);
    return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    free(exec);
    fake.graphs--;
    return cudaSuccess;
}

cudaError_t cudaFreeAsync(void *memory, cudaStream_t stream)
{
    if (!fake_is_pooled(memory))
        fake_misuse("freed by the wrong function");
    queue(stream, OP_FREE)->to = memory;
    return fake_context;
}
