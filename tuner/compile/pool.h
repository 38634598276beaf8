/* A pool of compiler processes. NVRTC holds a lock within a process, so compilations scale over processes, not threads;
 * a process also keeps a crashing or endless compilation away from the run. The coordinator loads NVRTC, so
 * that all processes share its pages, and never compiles. */
#ifndef CUTUNE_COMPILE_POOL_H
#define CUTUNE_COMPILE_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/measurement.h"
#include "base/worker.h"
#include "compile/cubin.h"

struct compile_cache;
struct compile_pool;

/* Most kernels of one job. */
enum { COMPILE_KERNELS_MAX = 32 };

struct compile_job {
    uint64_t id;                  /* chosen by the caller, returned with the result */
    const char *path;             /* of the source: for messages, and its folder is searched for includes */
    const char *folder;           /* that the compiler runs in: relative paths in options begin there, and messages and
                                     the log name files as they are called there. It ends in '/', and `path` begins
                                     with it or is absolute; NULL or "": the working directory */
    const char *source;           /* its text */
    const char *name_expressions; /* the kernels, "scale" (extern "C" or not) or "scale<TILE>": NUL-terminated strings
                                     one after the other */
    size_t name_count;            /* 1 .. COMPILE_KERNELS_MAX; 0 with `shared` */
    int64_t cc;                   /* 90 for sm_90 */
    bool nvcc;                    /* by nvcc, not NVRTC */
    bool wants_ptx;               /* the result has the PTX, too */
    bool shared;                  /* to a shared object for the host, by nvcc; it is the result's cubin */
    const char *options;          /* like name_expressions: "-DTILE=32" ... */
    size_t option_count;
    int64_t timeout_ns; /* 0: the pool's */
};

struct compile_result {
    uint64_t id;
    enum status status; /* OK, COMPILE_ERROR, PRUNED_LIMIT (the assembler reports that the kernel needs more than any
                           block may have), TIMEOUT, CRASHED */
    const void *cubin;  /* borrowed until the next call with this pool, like all that follows; NULL unless OK */
    size_t cubin_bytes;
    const char *lowered_names; /* of the kernels in the cubin, NUL-terminated strings in the job's order */
    struct kernel_resources resources[COMPILE_KERNELS_MAX]; /* in the same order */
    size_t name_count;                                      /* of both; 0 unless OK */
    const char *ptx;                                        /* what the assembler got; "": not wanted, or not known */
    const char *log;    /* the compiler's complete log; "" if it is empty, never NULL */
    char message[256];  /* the first error of the log, or how the process died; "" if OK */
    int64_t compile_ns; /* time taken now: for a cached result, the time to read it */
    bool cached;        /* from the cache */
};

/* Loads NVRTC (ERROR_NOT_FOUND: there is none) for up to `jobs` processes (1 .. POOL_JOBS_MAX), each of which starts
 * with its first job. `timeout_ns` limits one compilation. `cache` is open and borrowed: processes look there before
 * they compile and store every result there, including failed compilations. NULL: no cache. */
enum { POOL_JOBS_MAX = 512 };
int compile_pool_open(struct compile_pool **pool, size_t jobs, int64_t timeout_ns, const struct compile_cache *cache,
                      struct error *error);
void compile_pool_close(struct compile_pool *pool); /* accepts NULL; kills running compilations */

size_t compile_pool_jobs(const struct compile_pool *pool);
/* How many jobs the pool can take now without waiting. */
size_t compile_pool_idle(const struct compile_pool *pool);

/* Submits a job to an idle process. The job's memory may be reused at once. Restarts a process that turns out to be
 * dead. ERROR_WORKER if no process is idle or none can be started, ERROR_USAGE for a wrong number of kernels,
 * ERROR_NOT_FOUND if the job needs nvcc and there is none. */
int compile_pool_submit(struct compile_pool *pool, const struct compile_job *job, struct error *error);

/* Ends a submitted job, whose result is no longer wanted, and makes its process idle. False if there is no such job. */
bool compile_pool_abandon(struct compile_pool *pool, uint64_t id);

/* Ends all submitted jobs in this way: the pool is as new, but for the processes that wait for jobs. */
void compile_pool_empty(struct compile_pool *pool);

/* Ends the idle processes while the caller does other things; each starts again with its next job. */
void compile_pool_rest(struct compile_pool *pool);

/* The next finished job, without waiting: 1 and a result, 0 if none is finished, -1 and an error if memory for an
 * answer is out (its job is lost). A job whose process died or was stopped from outside is tried once more in a new
 * one; a job whose process dies twice or exceeds the limit is a result with that status. */
int compile_pool_next(struct compile_pool *pool, struct compile_result *result, struct error *error);

/* The busy processes, for worker_wait. Returns their number. */
size_t compile_pool_workers(struct compile_pool *pool, struct worker **workers, size_t room);

struct nvrtc_version {
    char number[16]; /* "13.0" */
    char build[64];  /* the library's build identifier, 40 hexadecimal digits; without one, what tells its file from
                        others on this machine. "": unknown */
};
/* Which NVRTC the pool uses: loads it and asks a separate process. ERROR_NOT_FOUND: there is none. */
int compile_nvrtc_version(struct nvrtc_version *version, struct error *error);
/* Likewise of nvcc, whose `build` begins with "nvcc ". */
int compile_nvcc_version(struct nvrtc_version *version, struct error *error);

#endif
