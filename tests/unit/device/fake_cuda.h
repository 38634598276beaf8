/* A CUDA runtime without a device: programs that link the library `fake_cuda` with layer_device run on every CPU.
 *
 * Time is virtual and reproducible: each stream has its own time, which work on it advances by its cost, and
 * cudaEventElapsedTime returns differences of these times. With `virtual_time`, clock_now_ns and nanosleep follow it,
 * too (reading the clock takes 10 ns); cudaSetDevice sets it in the device process. The coordinator's clock is always
 * real. Queued work is executed as late and in as mixed an order as streams and events allow (`seed`), so that a
 * missing wait shows.
 *
 * The kernels are those of tuner/device/kernels.cu and tests/unit/device/fake_kernels.cu, translated to C by
 * host_kernels.py; add new ones there. A kernel's script, a text that begins with "fake:", sets its time and
 * faults. A cubin is either that text itself (device_kernel.cubin = "fake: time_ns=5000"), or real machine code that
 * contains it: compile fake_kernels.cu with -DFAKE="\"fake: time_ns=5000\"". Contents of a script, times in ns:
 *
 *     time_ns=10000    time of each launch
 *     first_ns=0       added to the first launch after loading
 *     cold_ns=0        added when as many bytes as the L2 holds were set since the previous launch
 *     noise=0 drift=0  relative: deviation (uniform, by the number of the launch); growth from launch to launch
 *     power=1          part of the device's load while it runs: see cap_mhz
 *     hidden_ns=0      part of its time that no event shows, only the device's global timer
 *     real_ns=0        real time that each launch takes besides
 *     watts=0          power that the kernel adds to the board's, see `watts` below
 *     registers=32 local=0 shared=0    results of cudaFuncGetAttributes
 *     letter=k         the kernel's letter in the trace
 *     id=...           ignored: makes two scripts of one
 *     wrong nan unwritten ...          faults: see FAKE_FAULTS
 *
 * A kernel's code is loaded when its attributes are asked for, or at its first launch, which then waits for the end of
 * a hold of its stream.
 *
 * A fault strikes from a launch on: kill=3 the third and all later ones, kill=3/0 only the third, kill=3/5 the third
 * and every fifth one after it. Unless the list of faults says otherwise, launches of a script and kernel (and loads of
 * a script) are counted over all processes since fake_reset.
 *
 * The fields of `fake` configure the device; forked device processes inherit them. The environment configures a whole
 * program: CUTUNE_FAKE="devices=2 device_room=67108864". */
#ifndef CUTUNE_TESTS_FAKE_CUDA_H
#define CUTUNE_TESTS_FAKE_CUDA_H

#include <stdbool.h>
#include <stdint.h>

#include <cuda_runtime_api.h>

/* FAULT(name, effect). Faults that return an error count attempts. */
#define FAKE_FAULTS                                                                                                    \
    FAULT(none, "nothing")                                                                                             \
    FAULT(wrong, "the first float of the first argument is off by one")                                                \
    FAULT(nan, "the first float of the first argument is a NaN")                                                       \
    FAULT(unwritten, "nothing is written")                                                                             \
    FAULT(stale, "nothing is written; counts the launches since the kernel was loaded")                                \
    FAULT(beside, "writes the four bytes before the first argument")                                                   \
    FAULT(input, "writes the second argument")                                                                         \
    FAULT(output_kept, "does nothing if most of its output is right already")                                          \
    FAULT(replay, "writes the output of the first launch since it was loaded")                                         \
    FAULT(place_cache, "writes an earlier output, if there was one for an input at the same place")                    \
    FAULT(data_cache, "writes an earlier output, if there was one for an input that begins alike")                     \
    FAULT(steal, "copies the right output from elsewhere in device memory; if it is nowhere, writes nothing")          \
    FAULT(jitter, "the first float of the first argument is off by a millionth, up and down in turn")                  \
    FAULT(count_launches, "adds 1 to the variable fake.symbol")                                                        \
    FAULT(refuse, "the launch returns cudaErrorLaunchOutOfResources")                                                  \
    FAULT(nomemory, "the launch returns cudaErrorMemoryAllocation")                                                    \
    FAULT(sticky, "an illegal address: the context is broken from then on")                                            \
    FAULT(spin, "never ends, for a minute of real time")                                                               \
    FAULT(kill, "the process is killed by SIGSEGV")                                                                    \
    FAULT(load, "cudaLibraryLoadData returns cudaErrorMemoryAllocation; counts loads")                                 \
    FAULT(invalid, "cudaLibraryLoadData returns cudaErrorInvalidKernelImage; counts loads")

enum fake_fault {
#define FAULT(name, text) FAKE_##name,
    FAKE_FAULTS
#undef FAULT
        FAKE_FAULT_COUNT
};

/* A kernel: receives its arguments as 8-byte values. */
struct fake_kernel {
    void (*run)(const uint64_t *arguments);
    const char *arguments; /* one letter each: p for 8 bytes, i for 4; s for a struct of 32, received as 4 values */
    struct fake_loaded *loaded; /* NULL: not loaded from a cubin, without a script */
};

/* The kernels that can be loaded, by name; the last row is empty. */
struct fake_row {
    const char *name;
    struct fake_kernel kernel;
};
extern const struct fake_row fake_rows[];

enum { FAKE_CUPTI_STARTS, FAKE_CUPTI_CRASHES, FAKE_CUPTI_HANGS };

struct fake_cuda {
    /* The device, in CUDA's units. fake_reset sets the values in the comments. */
    unsigned seed;                 /* seed of the order of execution: 1 */
    bool alike;                    /* the order does not depend on earlier work: false */
    int devices;                   /* 1; CUDA_VISIBLE_DEVICES hides them as with CUDA */
    int unlike;                    /* number of the first device with another name, from 1: 0, none */
    unsigned slower;               /* thousandths by which each device is slower than the one before it: 0 */
    cudaError_t no_devices;        /* result of cudaGetDeviceCount */
    int driver;                    /* version: 13000; 0: no driver */
    unsigned start_ms;             /* real duration of the driver's start: 0 */
    int64_t launch_ns;             /* virtual time of the host for a launch: 0 */
    size_t device_room, host_room; /* limits on allocated bytes: 24 MiB, SIZE_MAX */
    size_t device_taken;           /* device memory taken by other processes: 0 */
    double mhz;                    /* of the multiprocessors: 1000 */
    double slow_mhz;               /* ... from slow_from_ns to slow_until_ns of virtual time: none */
    int64_t slow_from_ns, slow_until_ns;
    uint64_t reasons, slow_reasons; /* NVML's clock event reasons; also in the slow time */
    /* The clock at the power cap, which NVML reports then, unless cap_silent; 0: none. Kernels that run for cap_load_ns
     * bring it, and a rest of cap_rest_ns takes it away. */
    unsigned cap_mhz;
    bool cap_silent;
    int64_t cap_load_ns, cap_rest_ns;
    unsigned copy_ns;        /* added to the time of a copy on the device: 0 */
    unsigned event_ns;       /* time between an event and the work behind it: 0 */
    unsigned event_more_ns;  /* that this time is longer in each further device process: 0 */
    unsigned tick_ns;        /* resolution of events, by which that time varies: 0, unlimited */
    unsigned celsius;        /* of the device: 40 */
    unsigned watts;          /* power of the idle board, which NVML's counter of energy sums up: 0, no counter */
    unsigned watts_each;     /* that the board of each further device draws more: 0 */
    unsigned watts_noise;    /* deviation of the power between steps of the counter, in thousandths: 0 */
    unsigned watts_seed;     /* of that deviation: 0 */
    unsigned energy_ns;      /* that a question for it takes; four times as long every seventh time: 0 */
    unsigned counter_error;  /* NVML's answer to the question for the counter: 0 */
    bool restless;           /* the clock halves at each reading */
    bool any_kernel;         /* kernels of unknown names load, and do nothing */
    bool nvml;               /* NVML exists: false */
    bool cupti;              /* CUPTI exists: false. Its metrics: fake_cupti.c */
    int cupti_result;        /* result of enabling it */
    unsigned cupti_passes;   /* 3 */
    int cupti_start;         /* effect of starting to count: FAKE_CUPTI_STARTS */
    bool virtual_time;       /* applies to clock_now_ns and nanosleep of this process: false */
    bool real_time;          /* waiting for the device takes real time: false */
    unsigned dies;           /* device processes from this number on are killed by SIGSEGV at their fifth launch
                                of a kernel with a script; 0: none */
    unsigned faults_from;    /* number of the first device process with faults of kernels: 0 */
    unsigned places;         /* largest effect on times of the places in memory, which differ with the allocated
                                bytes, in thousandths: 0 */
    bool no_export;          /* no other process can map device memory: false */
    bool no_mapping;         /* this process cannot map that of others: false */
    unsigned malloc_fails;   /* number of the allocation that fails, on device and host; 0: none */
    int clusters;            /* 1 */
    int blocks_sm;           /* of any kernel that run at once on a multiprocessor: 2 */
    cudaError_t graph_error; /* result of capturing a graph */
    cudaError_t next_launch; /* result of the next launch */
    cudaError_t broken;      /* result of all calls once queued work is executed */
    void *symbol;            /* address of the variable COEFF, and of MANAGED in managed memory */
    const char *symbol_name; /* instead of COEFF; NULL: none */
    const char *symbol_in;   /* script of the only libraries with it; NULL: all */
    size_t symbol_bytes;

    /* Events in this process. */
    int device;                       /* number of the device in use */
    int64_t now_ns;                   /* virtual time */
    const char *misuse;               /* first call that a real runtime would reject; NULL: none */
    unsigned long copies;             /* between host and device, queued */
    unsigned long packed;             /* bytes of the largest copy */
    unsigned long to_device, to_host; /* prefetches of managed memory, which count as copies */
    unsigned long launches;
    unsigned graphs; /* alive */
    unsigned graph_launches;
    unsigned grid;                       /* of the last launch, in x */
    bool cooperative;                    /* of the last launch */
    unsigned long mallocs, pool_mallocs; /* of device memory */
    unsigned allocations;                /* of all kinds */
    long live;                           /* allocations not freed */
    size_t host_used, device_used;
    size_t set_aside, window_bytes; /* of the L2 */
    unsigned windows, resets;
    int attributes[cudaFuncAttributeMax]; /* latest attributes of the kernels */
    cudaError_t texture_error;            /* result of creating a texture or a surface */
    unsigned textures, surfaces;          /* alive */
    struct cudaResourceDesc texture;
    struct cudaTextureDesc texture_description;
    unsigned arrays;              /* alive */
    cudaError_t no_copy;          /* result of filling an array */
    cudaError_t tensor_map_error; /* result of encoding a tensor map */
    bool no_tensor_maps;          /* the driver has no such function */
    struct fake_tensor_map {      /* the last one encoded; the first byte of a map is its number */
        unsigned number, rank;
        int type, interleave, swizzle, l2_promotion, out_of_bounds;
        void *address;
        uint64_t sizes[5], strides[4];
        uint32_t box[5], element_strides[5];
    } tensor_map;
};
extern struct fake_cuda fake;

/* ---- Events in all processes since fake_reset ---- */

/* Number of device processes started. */
unsigned fake_lives(void);
/* Number of times that a process mapped memory of another one. */
unsigned fake_mappings(void);
/* CUDA_DEVICE_MAX_CONNECTIONS of the last process; 0: not set. */
int fake_connections(void);
/* Launches of the kernels with this script. */
unsigned fake_launches(const char *script);
/* The devices' actions in order, one letter each. F: L2 flushed. s: other bytes set. C: copied. I, O: copied in from
 * the host, copied out to it. E: event recorded. c: clock read. t: work behind a batch. h: other kernel of cutune's
 * own. k or its letter: other kernel. L, U: library loaded, unloaded. G: graph uploaded. */
const char *fake_trace(void);
void fake_trace_clear(void);

/* An array with the values that it was made with, and its contents, dense. */
struct fake_array {
    struct cudaChannelFormatDesc format;
    struct cudaExtent extent;
    unsigned flags;
    size_t bytes;
    unsigned char data[];
};

/* ---- For kernels ---- */

/* Checks that kernels may use this memory: device, mapped or managed memory. */
void fake_check_kernel_memory(const void *memory, size_t bytes);
/* The virtual time in a running kernel, which each query advances by 1 us, and the cycles since the kernel began. */
unsigned long long fake_kernel_time(void);
long long fake_kernel_cycles(void);

/* Executes all queued work. */
void fake_finish(void);
/* Frees and resets everything. The coordinator calls it before it starts processes. */
void fake_reset(void);

#endif
