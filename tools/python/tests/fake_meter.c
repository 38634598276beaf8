/* A CUDA driver and NVML without a GPU, for tests of measuring: streams whose work takes set durations, on a clock of
 * its own. Host and device advance as a real pair does. A call costs host time, and work begins when it is queued and
 * the stream is free. A holding kernel keeps the stream until its number is released or its limit ends. Tests queue
 * work and read the counts by the functions fake_*. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPERATIONS_MAX = 4096, STREAMS_MAX = 8, NOT_READY = 600 };
enum kind { WORK, STORES, FLUSH, RECORD, HOLD };

struct event {
    int recorded;
    int64_t at_ns;
};
struct operation {
    enum kind kind;
    int64_t queued_ns, cold_ns, warm_ns;
    struct event *event;
    volatile uint32_t *released;
    uint32_t number;
    uint64_t limit_ns;
};
struct stream {
    void *handle;
    struct operation operations[OPERATIONS_MAX];
    size_t first, count;
    int64_t end_ns, hold_begin_ns;
    int holding, flushed;
};

/* Times of the device and of the host, in ns. */
enum { LATENCY_NS = 1500, STORE_NS = 1000, FLUSH_NS = 20011, RECORD_NS = 250, TICK_NS = 32, CALL_NS = 1000 };

static struct stream streams[STREAMS_MAX];
static int64_t now_ns;
static size_t stream_count, depth, objects, flushes, holds, timeouts, captured;
static unsigned throttled, random_state;
static double noise;
static int context, failure;
static char failing[64];

void fake_reset(void);
void fake_context(int current);
void fake_noise(double part);
void fake_depth(size_t entries);
void fake_throttle(unsigned queries);
void fake_fail(const char *function, int result);
void fake_host(int64_t ns);
int fake_work(void *stream, int64_t cold_ns, int64_t warm_ns);
int64_t fake_now(void);
size_t fake_objects(void), fake_flushes(void), fake_holds(void), fake_timeouts(void);

void fake_reset(void)
{
    memset(streams, 0, sizeof streams);
    stream_count = objects = flushes = holds = timeouts = 0;
    throttled = 0;
    random_state = 1;
    depth = 1024;
    noise = 0;
    now_ns = context = 1;
    failing[0] = '\0';
}

void fake_context(int current)
{
    context = current;
}

/* Work takes longer by a random part of its time, up to that. */
void fake_noise(double part)
{
    noise = part;
}

/* The entries of a stream's queue. */
void fake_depth(size_t entries)
{
    depth = entries;
}

/* So many queries say that the device is throttled. */
void fake_throttle(unsigned queries)
{
    throttled = queries;
}

void fake_fail(const char *function, int result)
{
    snprintf(failing, sizeof failing, "%s", function);
    failure = result;
}

/* The host is busy. */
void fake_host(int64_t ns)
{
    now_ns += ns;
}

int64_t fake_now(void)
{
    return now_ns;
}

size_t fake_objects(void)
{
    return objects;
}

size_t fake_flushes(void)
{
    return flushes;
}

size_t fake_holds(void)
{
    return holds;
}

size_t fake_timeouts(void)
{
    return timeouts;
}

static int entered(const char *function)
{
    now_ns += CALL_NS;
    return strcmp(failing, function) ? 0 : failure;
}

static struct stream *stream_of(void *handle)
{
    for (size_t i = 0; i < stream_count; i++)
        if (streams[i].handle == handle)
            return &streams[i];
    size_t at = 0; /* the place of a destroyed one, or another */
    while (at < stream_count && streams[at].handle != &streams)
        at++;
    if (at == STREAMS_MAX)
        abort();
    stream_count += at == stream_count;
    memset(&streams[at], 0, sizeof streams[at]);
    streams[at].handle = handle;
    return &streams[at];
}

static int64_t varied(int64_t ns)
{
    random_state = random_state * 1664525u + 1013904223u;
    return ns + (int64_t)(noise * (double)ns * (double)(random_state >> 8) / (1 << 24));
}

/* Ends a hold if it was released or its limit has passed; 0: it continues. */
static int end_hold(struct stream *stream, const struct operation *operation)
{
    int64_t limit_ns = stream->hold_begin_ns + (int64_t)operation->limit_ns;
    int released = (int32_t)(*operation->released - operation->number) >= 0;
    if (!released && now_ns < limit_ns)
        return 0;
    timeouts += now_ns >= limit_ns;
    stream->end_ns = now_ns < limit_ns ? now_ns : limit_ns;
    stream->holding = 0;
    return 1;
}

/* Runs one operation; 0: the stream is held. */
static int run(struct stream *stream, const struct operation *operation)
{
    if (!stream->holding && stream->end_ns < operation->queued_ns)
        stream->end_ns = operation->queued_ns;
    switch (operation->kind) {
    case WORK:
        stream->end_ns += LATENCY_NS + varied(stream->flushed ? operation->cold_ns : operation->warm_ns);
        stream->flushed = 0;
        return 1;
    case STORES:
        stream->end_ns += LATENCY_NS + operation->cold_ns * STORE_NS;
        return 1;
    case FLUSH:
        stream->end_ns += FLUSH_NS;
        stream->flushed = 1;
        return 1;
    case RECORD:
        stream->end_ns += RECORD_NS;
        operation->event->at_ns = stream->end_ns / TICK_NS * TICK_NS;
        operation->event->recorded = 1;
        return 1;
    case HOLD:
        if (!stream->holding)
            stream->hold_begin_ns = stream->end_ns;
        stream->holding = 1;
        return end_hold(stream, operation);
    }
    abort();
}

static void advance(struct stream *stream)
{
    while (stream->count && run(stream, &stream->operations[stream->first % OPERATIONS_MAX])) {
        stream->first++;
        stream->count--;
    }
}

/* The host waits for the stream. */
static void wait(struct stream *stream)
{
    advance(stream);
    if (stream->count) {
        now_ns = stream->hold_begin_ns + (int64_t)stream->operations[stream->first % OPERATIONS_MAX].limit_ns;
        advance(stream);
    }
    if (stream->count)
        abort(); /* a second hold behind the first */
    if (now_ns < stream->end_ns)
        now_ns = stream->end_ns;
}

static int push(void *handle, struct operation operation)
{
    struct stream *stream = stream_of(handle);
    advance(stream);
    if (stream->count >= depth)
        wait(stream);
    operation.queued_ns = now_ns;
    stream->operations[(stream->first + stream->count++) % OPERATIONS_MAX] = operation;
    return 0;
}

int fake_work(void *stream, int64_t cold_ns, int64_t warm_ns)
{
    now_ns += CALL_NS;
    return push(stream, (struct operation){.kind = WORK, .cold_ns = cold_ns, .warm_ns = warm_ns});
}

/* ---- The driver ---- */

static int create(const char *function, void **object, size_t bytes)
{
    int result = entered(function);
    if (!result && !(*object = calloc(1, bytes)))
        abort();
    objects += !result;
    return result;
}

static int destroy(void *object)
{
    free(object);
    objects--;
    return 0;
}

#define API __attribute__((visibility("default")))
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

API int cuInit(unsigned flags)
{
    return entered(__func__) + (int)flags;
}
API int cuCtxGetDevice(int *device)
{
    return *device = 0, entered(__func__);
}
API int cuMemAlloc_v2(void **at, size_t bytes)
{
    return create(__func__, at, bytes);
}
API int cuMemFree_v2(void *at)
{
    return destroy(at);
}
API int cuMemFreeHost(void *at)
{
    return destroy(at);
}
API int cuModuleUnload(void *module)
{
    return destroy(module);
}
API int cuEventCreate(void **event, unsigned flags)
{
    return (void)flags, create(__func__, event, sizeof(struct event));
}
API int cuEventDestroy_v2(void *event)
{
    return destroy(event);
}
API int cuStreamCreate(void **stream, unsigned flags)
{
    return (void)flags, create(__func__, stream, 1);
}
API int cuGraphExecDestroy(void *graph)
{
    return destroy(graph);
}
API int cuGraphDestroy(void *graph)
{
    return destroy(graph);
}

API int cuCtxGetCurrent(void **current)
{
    *current = context ? &context : NULL;
    return entered(__func__);
}

API int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    *value = attribute == 38 && !device ? 50 << 20 : 0;
    return entered(__func__);
}

API int cuDeviceGetPCIBusId(char *text, int room, int device)
{
    snprintf(text, (size_t)room, "0000:%02x:00.0", device);
    return entered(__func__);
}

API int cuGetErrorName(int result, const char **name)
{
    *name = result == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS" : NULL;
    return *name ? 0 : 1;
}

API int cuMemHostAlloc(void **at, size_t bytes, unsigned flags)
{
    (void)flags;
    return create(__func__, at, bytes);
}

API int cuMemHostGetDevicePointer_v2(void **device, void *host, unsigned flags)
{
    *device = host;
    return entered(__func__) + (int)flags;
}

API int cuMemsetD8Async(void *at, unsigned char value, size_t bytes, void *stream)
{
    (void)at, (void)value;
    flushes++;
    return bytes == 50 << 20 ? entered(__func__) + push(stream, (struct operation){.kind = FLUSH}) : 1;
}

API int cuModuleLoadData(void **module, const char *image)
{
    return strncmp(image, ".version", 8) ? 218 : create(__func__, module, 1);
}

/* The functions are their first letters. */
API int cuModuleGetFunction(void **function, void *module, const char *name)
{
    int known = module && (!strcmp(name, "cutune_hold") || !strcmp(name, "cutune_store"));
    *function = (void *)(uintptr_t)(known ? name[7] : 0);
    return known ? entered(__func__) : 500;
}

API int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                       unsigned shared, void *stream, void **arguments, void **extra)
{
    if (gx * gy * gz * bx * by * bz != 1 || shared || extra)
        return 1;
    if ((uintptr_t)function == 's' && captured) {
        captured++;
        return entered(__func__);
    }
    if ((uintptr_t)function == 's')
        return entered(__func__) + push(stream, (struct operation){.kind = STORES, .cold_ns = 1});
    holds++;
    return entered(__func__) + push(stream, (struct operation){.kind = HOLD,
                                                               .released = *(volatile uint32_t **)arguments[0],
                                                               .number = *(uint32_t *)arguments[1],
                                                               .limit_ns = *(uint64_t *)arguments[2]});
}

API int cuEventRecord(void *event, void *stream)
{
    ((struct event *)event)->recorded = 0;
    return entered(__func__) + push(stream, (struct operation){.kind = RECORD, .event = event});
}

API int cuEventQuery(void *event)
{
    struct event *asked = event;
    int result = entered(__func__);
    for (size_t i = 0; i < stream_count; i++)
        advance(&streams[i]);
    return result ? result : asked->recorded && asked->at_ns <= now_ns ? 0 : NOT_READY;
}

API int cuEventElapsedTime(float *ms, void *begin, void *end)
{
    struct event *a = begin, *b = end;
    *ms = (float)((double)(b->at_ns - a->at_ns) * 1e-6);
    return a->recorded && b->recorded ? entered(__func__) : NOT_READY;
}

API int cuStreamDestroy_v2(void *stream)
{
    stream_of(stream)->handle = &streams;
    return destroy(stream);
}

API int cuStreamSynchronize(void *stream)
{
    int result = entered(__func__);
    wait(stream_of(stream));
    return result;
}

API int cuStreamBeginCapture_v2(void *stream, int mode)
{
    captured = 1;
    return stream && mode == 1 ? entered(__func__) : 900;
}

/* A graph is the number of its kernels. */
API int cuStreamEndCapture(void *stream, void **graph)
{
    int result = create(__func__, graph, sizeof(size_t));
    if (!result)
        *(size_t *)*graph = captured - 1;
    captured = 0;
    return stream ? result : 900;
}

API int cuGraphInstantiateWithFlags(void **executable, void *graph, unsigned long long flags)
{
    int result = create(__func__, executable, sizeof(size_t));
    if (!result)
        *(size_t *)*executable = *(size_t *)graph;
    return flags ? 1 : result;
}

API int cuGraphLaunch(void *executable, void *stream)
{
    int64_t kernels = (int64_t) * (size_t *)executable;
    return entered(__func__) + push(stream, (struct operation){.kind = STORES, .cold_ns = kernels});
}

/* ---- NVML ---- */

API int nvmlInit_v2(void)
{
    return 0;
}

API int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **device)
{
    *device = &context;
    return strcmp(bus, "0000:00:00.0") != 0;
}

API int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, unsigned long long *reasons)
{
    (void)device;
    *reasons = throttled ? 0x40 : 0x4;
    throttled -= throttled > 0;
    return 0;
}

API int nvmlDeviceGetClockInfo(void *device, int clock, unsigned *mhz)
{
    (void)device;
    *mhz = 1980;
    return clock != 1;
}
