/* The public C API of libcutune: what was tuned, chosen for a device and sizes, and compiled for them.
 *
 * Handles are opaque. Whoever opens closes; closing NULL does nothing. Functions that can fail return 0 or an error
 * code, and fill *error where it is not NULL. A NULL argument that is not said to be allowed is CUTUNE_ERROR_USAGE, or
 * NULL or 0 as the result; what would be handed out is NULL after an error. No global state, no output; the process is
 * never ended. An open database and an open kernel do not change: any number of threads may use them at once.
 * cutune_cuda.h has what needs the CUDA runtime: asking a device what it is, loading and launching a kernel. */
#ifndef CUTUNE_H
#define CUTUNE_H

#include <stddef.h>

#if defined __GNUC__
#define CUTUNE_API __attribute__((visibility("default")))
#else
#define CUTUNE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Version and errors ---- */

/* "0.1.0", of the library. */
CUTUNE_API const char *cutune_version(void);

/* Numbers stay; there may be more. */
enum cutune_error_code {
    CUTUNE_OK = 0,
    CUTUNE_ERROR_USAGE = 1,          /* an argument is wrong */
    CUTUNE_ERROR_SYNTAX = 10,        /* a space file does not parse */
    CUTUNE_ERROR_VALUE = 11,         /* an expression has no value: overflow, division by zero, wrong kind */
    CUTUNE_ERROR_DATA = 12,          /* a CSV file does not hold what it should */
    CUTUNE_ERROR_SCHEMA = 13,        /* a file of a newer cutune */
    CUTUNE_ERROR_NOT_FOUND = 14,     /* no such file, kernel or limit */
    CUTUNE_ERROR_IO = 20,            /* the file system refuses */
    CUTUNE_ERROR_BUSY = 21,          /* another process holds the file */
    CUTUNE_ERROR_MEMORY = 22,        /* out of host memory */
    CUTUNE_ERROR_COMPILE = 30,       /* the kernel does not compile */
    CUTUNE_ERROR_DEVICE = 31,        /* a CUDA call failed */
    CUTUNE_ERROR_WORKER = 32,        /* a process of cutune's own died, or the engine failed */
    CUTUNE_ERROR_NO_DEVICE = 40,     /* no usable GPU */
    CUTUNE_ERROR_NOTHING_VALID = 41, /* no configuration is valid, or none worked */
    CUTUNE_ERROR_REGRESSION = 42,    /* of the program only: a later run is slower */
    CUTUNE_ERROR_INTERRUPTED = 50    /* as was asked for */
};

struct cutune_error {
    int code;           /* enum cutune_error_code */
    int line, column;   /* place in `source`, both from 1; 0: unknown */
    char source[512];   /* file that the message is about; "": none */
    char message[1024]; /* what is wrong */
    char excerpt[256];  /* the offending line of `source`; "": none */
    char hint[512];     /* what was expected, or what to do; "": none */
};

/* The whole error as people read it, in lines; writes at most `room` bytes with the NUL. Returns `buffer`. */
CUTUNE_API const char *cutune_error_format(const struct cutune_error *error, char *buffer, size_t room);

/* ---- A device ---- */

struct cutune_device;

/* A device as CUDA names it ("NVIDIA H200"), its compute capability (90), multiprocessors and L2 cache; 0 is unknown.
 * `name` NULL: unknown. NULL when memory is out and for a number below 0 or a compute capability above 9999.
 * cutune_cuda_device makes one of a GPU that is there. */
CUTUNE_API struct cutune_device *cutune_device_new(const char *name, int cc, int sm_count, long long l2_bytes);
CUTUNE_API void cutune_device_free(struct cutune_device *device);

/* Another limit, by its name in a space file ("max_threads"; `cutune devices` lists them). Opening a kernel needs those
 * that its space names, and leaves out what the others say when none is set. CUTUNE_ERROR_VALUE for a number that the
 * limit cannot be. */
CUTUNE_API int cutune_device_set(struct cutune_device *device, const char *limit, long long value,
                                 struct cutune_error *error);
/* 0: unknown. */
CUTUNE_API long long cutune_device_get(const struct cutune_device *device, const char *limit);

/* ---- The database ---- */

struct cutune_database;

/* Reads the whole file. `journals`, a journal or a directory of journals (NULL: none), also tells what is fast on all
 * devices, as `cutune emit --journal` does. */
CUTUNE_API int cutune_database_open(struct cutune_database **database, const char *path, const char *journals,
                                    struct cutune_error *error);
CUTUNE_API void cutune_database_close(struct cutune_database *database);

/* By which rule a configuration was found, the best first. */
enum cutune_rule {
    CUTUNE_RULE_PROBLEM, /* this device and these sizes */
    CUTUNE_RULE_DEVICE,  /* this device, the nearest sizes */
    CUTUNE_RULE_CC,      /* a device of the same compute capability: the nearest SM count and L2, then sizes */
    CUTUNE_RULE_MAJOR,   /* the same of the same major compute capability */
    CUTUNE_RULE_COMMON,  /* what is fastest over all devices that have measured it, for the nearest sizes */
    CUTUNE_RULE_DEFAULT  /* what the kernel's author calls the default */
};
/* "problem", "device", "cc", "major", "common" or "default". */
CUTUNE_API const char *cutune_rule_name(enum cutune_rule rule);

/* Texts belong to what the answer was asked of, and live as long. */
struct cutune_best {
    enum cutune_rule rule;
    const char *configuration; /* "TILE=64 BLOCK_ROWS=8" */
    const char *device;        /* whose row it is; "": of no device (common, default), like all that follow */
    const char *problem;       /* "ROWS=8192 COLS=8192" */
    const char *date;          /* "2026-01-02T03:04:05Z" */
    double time_ns;            /* median on that device; low_ns to high_ns is its 95% interval. NaN: unknown */
    double low_ns, high_ns;
    double speedup; /* over the default configuration */
};

/* The best configuration that is known of a kernel for a device and sizes ("ROWS=8192 COLS=4096": each size of the
 * kernel once, in any order; integers of 64 bits are exact, larger ones and those below 0 where no row's is are
 * CUTUNE_ERROR_USAGE). Rows of another version of the space or its source than the newest row's do not count.
 * CUTUNE_ERROR_NOT_FOUND when the database has no row of the kernel. */
CUTUNE_API int cutune_database_best(const struct cutune_database *database, const char *kernel,
                                    const struct cutune_device *device, const char *problem, struct cutune_best *best,
                                    struct cutune_error *error);

/* The value of a parameter in such a text: an integer, or a word or other number as text, of at most `room` bytes with
 * the NUL. CUTUNE_ERROR_NOT_FOUND for a name that is not there, CUTUNE_ERROR_VALUE for a value that is no such integer
 * or does not fit. */
CUTUNE_API int cutune_configuration_int(const char *configuration, const char *name, long long *value,
                                        struct cutune_error *error);
CUTUNE_API int cutune_configuration_text(const char *configuration, const char *name, char *value, size_t room,
                                         struct cutune_error *error);

/* ---- A tuned kernel ---- */

struct cutune_kernel;

enum cutune_kernel_flags {
    CUTUNE_STALE = 1,   /* rows count that are of another version of the space or its source */
    CUTUNE_NO_CACHE = 2 /* compile anew, and leave the cache of compiled kernels alone */
};

/* Compiles the kernel of a space file for a device and sizes ("ROWS=4096"; those not given, or all with NULL, are as in
 * the file): the best configuration for them that is valid there, by the rules above; what the space calls its default
 * when the database has no row of the kernel. Compiled in a process of its own, with NVRTC, unless the user's cache has
 * it. CUTUNE_ERROR_NOTHING_VALID when not even the default is valid. */
CUTUNE_API int cutune_kernel_open(struct cutune_kernel **kernel, const struct cutune_database *database,
                                  const char *space, const struct cutune_device *device, const char *problem,
                                  unsigned flags, struct cutune_error *error);
CUTUNE_API void cutune_kernel_close(struct cutune_kernel *kernel);

/* cutune_cuda_load and cutune_cuda_launch do all of it. What the space says of L2 windows, pipelines, constants and
 * textures is the caller's to do: the configuration has their values, and the grid of a pipeline is that of a chunk. */
struct cutune_launch {
    unsigned block[3], grid[3];
    size_t shared_bytes; /* dynamic */
    unsigned cluster[3]; /* blocks of a cluster; 0: no clusters */
    int carveout;        /* preferred shared memory, percent; -1: the device's choice */
};

CUTUNE_API const struct cutune_best *cutune_kernel_best(const struct cutune_kernel *kernel);
CUTUNE_API const struct cutune_launch *cutune_kernel_launch(const struct cutune_kernel *kernel);
/* Machine code for cudaLibraryLoadData, and the kernel's name in it. */
CUTUNE_API const void *cutune_kernel_cubin(const struct cutune_kernel *kernel, size_t *bytes);
CUTUNE_API const char *cutune_kernel_name(const struct cutune_kernel *kernel);

/* ---- Tuning ---- */

/* Called with each line that the engine says and, with NULL, at least ten times a second. Not 0: the engine is to stop;
 * what it has measured is kept. */
typedef int cutune_watch(void *context, const char *line);

/* Tunes a space file: runs the engine, the program `cutune`, as a process of its own, since nothing that a kernel does
 * may hurt the caller and a CUDA context does not survive a fork, and waits for its end. `options` are the program's,
 * "--db=results.csv", "-DROWS=4096" (NULL-terminated; NULL: none); the best configurations are in the database
 * afterwards. An error of the engine is passed on with its code, place and hint; CUTUNE_ERROR_NOT_FOUND also when there
 * is no program. `watch` may be NULL. The program is $CUTUNE_PROGRAM, else the one installed with this library, else the
 * first on PATH. A caller that ignores SIGCHLD, or waits for any child, loses the outcome. */
CUTUNE_API int cutune_tune(const char *space, const char *const *options, cutune_watch *watch, void *context,
                           struct cutune_error *error);

#ifdef __cplusplus
}
#endif

#endif
