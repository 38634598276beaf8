/* A pool of compiler processes. NVRTC holds a lock within a process, so compilations scale over processes, not
 * threads; a process also isolates the run from a crashing or endless compilation. The coordinator loads NVRTC, so
 * that all processes share its pages, and never compiles. */
#ifndef CUTUNE_COMPILE_POOL_H
#define CUTUNE_COMPILE_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bundle.h"
#include "base/error.h"
#include "base/generator.h"
#include "base/measurement.h"
#include "base/worker.h"
#include "compile/answer.h"
#include "compile/cubin.h"

struct compile_cache;
struct compile_pool;

/* Maximum number of kernels of a job. */
enum { COMPILE_KERNELS_MAX = BUNDLE_KERNELS_MAX };

/* A command that compiles instead of NVRTC. */
struct compile_command {
    const char *line;   /* for sh; NULL or "": no command */
    const char *folder; /* its working folder */
    const char
        *identity; /* of the run: the `build` of compile_command_version. A worker with another one ends the run */
    const char *request; /* a JSON object in one line: the members `kernels`, `params`, `sizes`, `defines`, `options`
                            and `architecture` of a request */
};

struct compile_job {
    uint64_t id;        /* chosen by the caller, returned with the result */
    const char *path;   /* of the source: for messages; its folder is searched for includes */
    const char *folder; /* working folder of the compiler: relative paths in options begin there, and messages and the
                           log name files relative to it. It ends in '/', and `path` begins with it or is absolute; NULL
                           or "": the working directory */
    const char *source; /* its text; with a generator, the part behind that text */
    struct generator generator;   /* prints the beginning of the text */
    const char *name_expressions; /* the kernels, "scale" (extern "C" or not) or "scale<TILE>": NUL-terminated strings
                                     one after the other */
    size_t name_count;            /* 1 .. COMPILE_KERNELS_MAX; 0 with `shared` */
    int64_t cc;                   /* 90 for sm_90 */
    bool nvcc;                    /* by nvcc, not NVRTC */
    bool wants_ptx;               /* the result includes the PTX */
    bool shared;                  /* compile to a shared object for the host, with nvcc; it is the result's cubin */
    const char *options;          /* like name_expressions: "-DTILE=32" ... */
    size_t option_count;
    /* Instead of a source: machine code with the kernels, which is only read. NULL: none. */
    const void *module;
    size_t module_bytes;
    bool
        foreign; /* of an author who is not trusted: refuses machine code that does more than a kernel may (screen.h) */
    struct compile_command command; /* with a command, `source`, `generator`, `name_expressions`, `options`, `nvcc` and
                                       `plan` have no effect and may be NULL; the kernels are those of the request */
    /* With several parts, each is compiled with its own part of the options, for its kernels. The result has a bundle
     * of their cubins, and their logs with a line in front of each, but no PTX. */
    struct bundle_plan plan;
    int64_t timeout_ns; /* 0: the pool's */
};

struct compile_result {
    uint64_t id;
    enum status status; /* OK, COMPILE_ERROR, PRUNED_LIMIT (the assembler reports that the kernel needs more than any
                           block may have), TIMEOUT, CRASHED */
    const void *cubin;  /* or a bundle of them (base/bundle.h); borrowed until the next call with this pool, like all
                           that follows; NULL unless OK */
    size_t cubin_bytes;
    const char *lowered_names; /* of the kernels in the cubin, NUL-terminated strings in the job's order */
    struct kernel_resources resources[COMPILE_KERNELS_MAX]; /* in the same order */
    size_t name_count;                                      /* of both; 0 unless OK */
    struct kernel_answer answers[COMPILE_KERNELS_MAX];      /* likewise, of a command; else answer_count is 0 */
    size_t answer_count;
    struct answer_parameter parameters[ANSWER_PARAMETERS_MAX]; /* of all kernels, one after the other */
    size_t parameter_count;
    bool fatal;         /* no worker of the command can answer, or it is another than the run's: the run must end */
    const char *ptx;    /* input of the assembler; "": not requested, or unknown */
    const char *log;    /* the compiler's complete log, never NULL */
    char message[256];  /* the first error of the log, or how the process died; "" if OK */
    int64_t compile_ns; /* time taken by this call: for a cached result, the time to read it */
    bool cached;        /* from the cache */
};

/* Loads NVRTC, if it is there, for up to `jobs` processes (1 .. POOL_JOBS_MAX), each of which starts with its first
 * job. `timeout_ns` limits one compilation. `cache` is open and borrowed: processes look there before they compile and
 * store every result there, including failed compilations; its look-ups are counted at the end. NULL: no cache. */
enum { POOL_JOBS_MAX = 512 };
int compile_pool_open(struct compile_pool **pool, size_t jobs, int64_t timeout_ns, const struct compile_cache *cache,
                      struct error *error);
void compile_pool_close(struct compile_pool *pool); /* accepts NULL; kills running compilations */

size_t compile_pool_jobs(const struct compile_pool *pool);
/* The number of jobs that the pool can take now without waiting. The workers of commands bound it: those of all
 * processes take no more than half of the available memory. */
size_t compile_pool_idle(const struct compile_pool *pool);

/* Submits a job to an idle process. The job's memory may be reused at once. Restarts a dead process. ERROR_WORKER if
 * no process is idle or can be started, ERROR_USAGE for a wrong number of kernels, ERROR_NOT_FOUND if the job needs
 * a missing NVRTC or nvcc. */
int compile_pool_submit(struct compile_pool *pool, const struct compile_job *job, struct error *error);

/* Cancels a submitted job and makes its process idle. False for an unknown job. */
bool compile_pool_abandon(struct compile_pool *pool, uint64_t id);

/* Cancels all submitted jobs; idle processes stay. */
void compile_pool_empty(struct compile_pool *pool);

/* Ends the idle processes; each starts again with its next job. */
void compile_pool_rest(struct compile_pool *pool);

/* Takes the next finished job, without waiting: 1 and a result, 0 if none is finished, -1 and an error if memory for
 * an answer runs out (its job is lost). A job whose process died or was stopped from outside gets a second try in a
 * new one. If that process dies, too, or a job exceeds the limit, the result has that status. */
int compile_pool_next(struct compile_pool *pool, struct compile_result *result, struct error *error);

/* The busy processes, for worker_wait. Returns their number. */
size_t compile_pool_workers(struct compile_pool *pool, struct worker **workers, size_t room);

struct nvrtc_version {
    char number[16]; /* "13.0" */
    char build[64];  /* the library's build identifier, 40 hexadecimal digits; without one, an identity of its file on
                        this machine. "": unknown */
};
/* Identifies the NVRTC that the pool uses: loads it and asks a separate process. ERROR_NOT_FOUND without NVRTC. */
int compile_nvrtc_version(struct nvrtc_version *version, struct error *error);
/* Likewise for nvcc; its `build` begins with "nvcc ". */
int compile_nvcc_version(struct nvrtc_version *version, struct error *error);

#endif
