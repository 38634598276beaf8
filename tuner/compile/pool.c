#include "compile/pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "compile/library.h"
#include "compile/messages.h"
#include "compile/nvcc.h"
#include "compile/nvrtc.h"

struct slot {
    struct worker worker;
    bool busy;
    bool resting;       /* idle and killed, but not waited for */
    bool again;         /* the job is on its second try */
    bool generates;     /* the job runs a command for its source */
    uint64_t id;        /* of the job */
    struct text packed; /* the job, kept for a second try */
    int64_t started_ns, timeout_ns;
};

struct compile_pool {
    size_t jobs;
    int64_t timeout_ns;
    const struct compile_cache *cache;
    bool has_nvcc; /* a job has requested nvcc */
    size_t next;   /* where the next search for a finished job begins, so that every slot has its turn */
    struct slot slots[];
};

/* An idle process reads at once; a slower one has hung. */
static const int64_t send_timeout_ns = 5 * (int64_t)1000000000;
static const int64_t version_timeout_ns = 30 * (int64_t)1000000000;

static int64_t deadline(int64_t timeout_ns)
{
    int64_t now_ns = clock_now_ns();
    return timeout_ns > INT64_MAX - now_ns ? INT64_MAX : now_ns + timeout_ns;
}

/* ---- The pool ---- */

int compile_pool_open(struct compile_pool **pool, size_t jobs, int64_t timeout_ns, const struct compile_cache *cache,
                      struct error *error)
{
    *pool = NULL;
    if (jobs == 0 || jobs > POOL_JOBS_MAX)
        return error_set(error, ERROR_USAGE, "%zu compiler processes: must be 1 to %d", jobs, POOL_JOBS_MAX);
    if (timeout_ns <= 0)
        return error_set(error, ERROR_USAGE, "the time limit of a compilation must be above zero");
    struct nvrtc nvrtc;
    int code = nvrtc_load(&nvrtc, error);
    if (code)
        return code;
    struct compile_pool *opened = calloc(1, sizeof *opened + jobs * sizeof *opened->slots);
    if (!opened)
        return error_memory(error);
    opened->jobs = jobs;
    opened->timeout_ns = timeout_ns;
    opened->cache = cache;
    *pool = opened;
    return 0;
}

void compile_pool_close(struct compile_pool *pool)
{
    if (!pool)
        return;
    for (size_t i = 0; i < pool->jobs; i++) /* all at once */
        worker_kill(&pool->slots[i].worker);
    for (size_t i = 0; i < pool->jobs; i++) {
        worker_stop(&pool->slots[i].worker);
        text_free(&pool->slots[i].packed);
    }
    free(pool);
}

size_t compile_pool_jobs(const struct compile_pool *pool)
{
    return pool->jobs;
}

size_t compile_pool_idle(const struct compile_pool *pool)
{
    size_t idle = 0;
    for (size_t i = 0; i < pool->jobs; i++)
        idle += !pool->slots[i].busy;
    return idle;
}

size_t compile_pool_workers(struct compile_pool *pool, struct worker **workers, size_t room)
{
    size_t count = 0;
    for (size_t i = 0; i < pool->jobs && count < room; i++)
        if (pool->slots[i].busy)
            workers[count++] = &pool->slots[i].worker;
    return count;
}

/* ---- Submitting jobs ---- */

static bool is_running(const struct slot *slot)
{
    return slot->worker.pid && !slot->resting;
}

/* Prefers a running idle process to one that must be started first. */
static struct slot *idle_slot(struct compile_pool *pool)
{
    struct slot *found = NULL;
    for (size_t i = 0; i < pool->jobs; i++) {
        struct slot *slot = &pool->slots[i];
        if (!slot->busy && (!found || (!is_running(found) && is_running(slot))))
            found = slot;
    }
    return found;
}

/* Sends the slot's packed job. The process may have died since its last job: on the first failure, starts a new
 * process. */
static int hand_out(const struct compile_pool *pool, struct slot *slot, struct error *error)
{
    if (slot->resting)
        worker_stop(&slot->worker);
    slot->resting = false;
    for (int attempt = 0;; attempt++) {
        if (!slot->worker.pid) {
            int code = worker_start(&slot->worker, compile_worker, (void *)pool->cache, error);
            if (code)
                return code;
        }
        if (!worker_send(&slot->worker, QUESTION_COMPILE, slot->id, slot->packed.bytes, slot->packed.length,
                         deadline(send_timeout_ns), attempt ? error : NULL))
            break;
        worker_stop(&slot->worker);
        if (attempt)
            return ERROR_WORKER;
    }
    worker_expect(&slot->worker, slot->timeout_ns);
    return 0;
}

int compile_pool_submit(struct compile_pool *pool, const struct compile_job *job, struct error *error)
{
    struct slot *slot = idle_slot(pool);
    if (!slot)
        return error_set(error, ERROR_WORKER, "no compiler process is idle");
    if ((job->name_count == 0) != job->shared || job->name_count > COMPILE_KERNELS_MAX)
        return error_set(error, ERROR_USAGE, "%zu kernels of %s to compile: must be 1 to %d", job->name_count,
                         job->path, COMPILE_KERNELS_MAX);
    if (job->nvcc && !pool->has_nvcc) {
        struct text path = {0};
        int missing = nvcc_find(&path, error);
        text_free(&path);
        if (missing)
            return missing;
        pool->has_nvcc = true;
    }
    text_clear(&slot->packed);
    struct compile_job packed = *job;
    packed.folder = job->folder ? job->folder : "";
    slot->generates = job->generator.command && *job->generator.command;
    if (!slot->generates)
        packed.generator = (struct generator){"", "", "", 0};
    pack_struct(&slot->packed, &compile_job_table, &packed);
    slot->timeout_ns = job->timeout_ns > 0 ? job->timeout_ns : pool->timeout_ns;
    if (slot->packed.failed)
        return error_memory(error);
    slot->id = job->id;
    int code = hand_out(pool, slot, error);
    if (code)
        return code;
    slot->busy = true;
    slot->again = false;
    slot->started_ns = clock_now_ns();
    return 0;
}

/* The next job, or the end of the pool, waits until the process has died. */
static void abandon(struct slot *slot)
{
    worker_kill(&slot->worker);
    slot->resting = true;
    slot->busy = false;
}

bool compile_pool_abandon(struct compile_pool *pool, uint64_t id)
{
    for (size_t i = 0; i < pool->jobs; i++) {
        struct slot *slot = &pool->slots[i];
        if (!slot->busy || slot->id != id)
            continue;
        abandon(slot);
        return true;
    }
    return false;
}

void compile_pool_empty(struct compile_pool *pool)
{
    for (size_t i = 0; i < pool->jobs; i++)
        if (pool->slots[i].busy)
            abandon(&pool->slots[i]);
}

void compile_pool_rest(struct compile_pool *pool)
{
    for (size_t i = 0; i < pool->jobs; i++) {
        struct slot *slot = &pool->slots[i];
        if (slot->busy || slot->resting || !slot->worker.pid)
            continue;
        worker_kill(&slot->worker);
        slot->resting = true;
    }
}

/* ---- Collecting results ---- */

static bool unpack_result(const struct message *message, struct compile_result *result)
{
    if (message->kind != QUESTION_COMPILE ||
        !unpack_whole(message->bytes, message->length, &compile_result_table, result))
        return false;
    result->id = message->id;
    if (result->status != STATUS_OK)
        result->cubin = NULL;
    return true;
}

/* Makes a result without an answer. Stops the process; its next job restarts it. */
static void give_up(struct slot *slot, enum status status, struct compile_result *result)
{
    *result = (struct compile_result){.id = slot->id,
                                      .status = status,
                                      .log = "",
                                      .lowered_names = "",
                                      .compile_ns = clock_now_ns() - slot->started_ns};
    worker_stop(&slot->worker);
    slot->busy = false;
}

static int take_message(struct slot *slot, const struct message *message, struct compile_result *result)
{
    if (message->id == slot->id && unpack_result(message, result)) {
        slot->busy = false;
        worker_expect(&slot->worker, INT64_MAX);
        return 1;
    }
    give_up(slot, STATUS_CRASHED, result);
    snprintf(result->message, sizeof result->message, "the compiler process gave a garbled answer");
    return 1;
}

/* The end of a process killed or stopped from outside says nothing about its job, which gets a second try in a new
 * process. If that one ends the same way, the job is the cause. */
static bool try_again(const struct compile_pool *pool, struct slot *slot)
{
    if (slot->again)
        return false;
    slot->again = true;
    worker_stop(&slot->worker);
    return hand_out(pool, slot, NULL) == 0;
}

static int take_death(const struct compile_pool *pool, struct slot *slot, struct compile_result *result,
                      struct error *error)
{
    char epitaph[128];
    bool starved = slot->worker.channel.received.failed;
    if (worker_check_version(&slot->worker, "compiler", error)) {
        give_up(slot, STATUS_CRASHED, result);
        return -1;
    }
    if (!starved && try_again(pool, slot))
        return 0;
    give_up(slot, STATUS_CRASHED, result);
    if (starved) { /* this process, not the worker, has no memory for the answer */
        error_memory(error);
        return -1;
    }
    snprintf(result->message, sizeof result->message, "the compiler process was lost: %s",
             worker_epitaph(&slot->worker, epitaph, sizeof epitaph));
    return 1;
}

static int take_timeout(const struct compile_pool *pool, struct slot *slot, struct compile_result *result)
{
    char limit[32];
    bool stopped = worker_is_stopped(&slot->worker);
    if (stopped && try_again(pool, slot))
        return 0;
    give_up(slot, STATUS_TIMEOUT, result);
    if (stopped)
        snprintf(result->message, sizeof result->message, "the compiler process was stopped, twice in a row");
    else
        snprintf(result->message, sizeof result->message, "%s took longer than %s",
                 slot->generates ? GENERATOR_SUBJECT "and compiling" : "compiling",
                 format_time(limit, sizeof limit, (double)slot->timeout_ns));
    return 1;
}

int compile_pool_next(struct compile_pool *pool, struct compile_result *result, struct error *error)
{
    for (size_t i = 0; i < pool->jobs; i++) {
        struct slot *slot = &pool->slots[pool->next];
        struct message message;
        int received, taken = 0;
        pool->next = (pool->next + 1) % pool->jobs;
        if (!slot->busy)
            continue;
        if ((received = worker_receive(&slot->worker, &message)) > 0)
            taken = take_message(slot, &message, result);
        else if (received < 0)
            taken = take_death(pool, slot, result, error);
        else if (worker_late(&slot->worker))
            taken = take_timeout(pool, slot, result);
        if (taken)
            return taken;
    }
    return 0;
}

/* ---- The version ---- */

/* 1: `version` has the answer; 0: the answer is invalid; -1: the process was lost. */
static int ask_version(struct worker *worker, struct nvrtc_version *version)
{
    struct worker *waiting[] = {worker};
    struct message message;
    int received;
    if (worker_send(worker, QUESTION_VERSION, 0, "", 0, deadline(version_timeout_ns), NULL))
        return -1;
    worker_expect(worker, version_timeout_ns);
    while ((received = worker_receive(worker, &message)) == 0 && !worker_late(worker))
        worker_wait(waiting, 1, INT64_MAX);
    if (received <= 0)
        return -1;
    return unpack_whole(message.bytes, message.length, &nvrtc_version_table, version) && *version->number;
}

int compile_nvrtc_version(struct nvrtc_version *version, struct error *error)
{
    struct nvrtc nvrtc;
    int answered = -1, code = nvrtc_load(&nvrtc, error);
    if (code)
        return code;
    /* Like a job, the question gets a second try if the process is lost. */
    for (int attempt = 0; attempt < 2 && answered < 0; attempt++) {
        struct worker worker = {0};
        code = worker_start(&worker, compile_worker, NULL, error);
        if (code)
            return code;
        answered = ask_version(&worker, version);
        code = worker_check_version(&worker, "compiler", error);
        worker_stop(&worker);
        if (code)
            return code;
    }
    return answered > 0 ? 0 : error_set(error, ERROR_WORKER, "NVRTC does not tell its version");
}

int compile_nvcc_version(struct nvrtc_version *version, struct error *error)
{
    return nvcc_identify(version, error);
}
