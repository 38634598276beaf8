/* A pool of compiler processes. NVRTC holds a lock inside a process, so threads do not scale and processes do; a
 * process also keeps a crashing or endless compilation away from the run. The coordinator never calls NVRTC itself. */
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

struct compile_job {
    uint64_t id;                 /* the caller's, given back with the result */
    const char *path;            /* of the source, for messages, and whose folder is searched for its includes */
    const char *source;          /* its text */
    const char *name_expression; /* the kernel: "scale" (extern "C" or not) or "scale<TILE>" */
    int64_t cc;                  /* 90 for sm_90 */
    const char *options;         /* NUL-terminated strings one after the other: "-DTILE=32" ... */
    size_t option_count;
    int64_t timeout_ns; /* 0: the pool's */
};

struct compile_result {
    uint64_t id;
    enum status status; /* OK, COMPILE_ERROR, PRUNED_LIMIT (the assembler says that the kernel needs more than any block
                           may have), TIMEOUT, CRASHED */
    const void *cubin;  /* borrowed until the next call with this pool, like all that follows; NULL unless OK */
    size_t cubin_bytes;
    const char *lowered_name; /* of the kernel in the cubin */
    struct kernel_resources resources;
    const char *log;    /* NVRTC's, whole; "" when it said nothing. Not NULL */
    char message[256];  /* the first error of the log, or how the process died; "" when OK */
    int64_t compile_ns; /* what it took now: of a cached one, to read it */
    bool cached;        /* from the cache */
};

/* Starts `jobs` processes (1 .. POOL_JOBS_MAX). `timeout_ns` is the limit for one compilation. `cache`, which is open
 * and borrowed, is where the processes look before they compile and keep what they compiled, also what does not
 * compile; NULL: none. */
enum { POOL_JOBS_MAX = 512 };
int compile_pool_open(struct compile_pool **pool, size_t jobs, int64_t timeout_ns, const struct compile_cache *cache,
                      struct error *error);
void compile_pool_close(struct compile_pool *pool); /* NULL is fine; kills what is still compiling */

size_t compile_pool_jobs(const struct compile_pool *pool);
/* How many jobs would be taken now without waiting. */
size_t compile_pool_idle(const struct compile_pool *pool);

/* Hands a job to an idle process. The job's memory may be reused at once. A process that turns out to be dead is
 * restarted first. ERROR_WORKER when no process is idle or none can be started. */
int compile_pool_submit(struct compile_pool *pool, const struct compile_job *job, struct error *error);

/* The next finished job, without waiting: 1 and a result, 0 when there is none yet, -1 and an error when there is no
 * memory for an answer (its job is lost). A job whose process died, or was stopped from outside, is tried once more in
 * a new one; one whose process dies twice or passes the limit is a result with that status. */
int compile_pool_next(struct compile_pool *pool, struct compile_result *result, struct error *error);

/* The busy processes, for worker_wait. Returns how many were written. */
size_t compile_pool_workers(struct compile_pool *pool, struct worker **workers, size_t room);

struct nvrtc_version {
    char number[16]; /* "13.0" */
    char build[64];  /* the linker's identifier of the library, 40 hexadecimal digits; for one without, what tells its
                        file from others on this machine. "": unknown */
};
/* Which NVRTC the pool uses. Asked of a process of its own, so that the caller stays clean. */
int compile_nvrtc_version(struct nvrtc_version *version, struct error *error);

#endif
