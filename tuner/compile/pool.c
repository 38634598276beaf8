#include "compile/pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "compile/cache.h"
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
    bool silent;        /* the job has started a worker of its command, which has not said hello */
    uint64_t id;        /* of the job */
    struct text packed; /* the job, kept for a second try */
    int64_t started_ns, timeout_ns;
};

struct compile_pool {
    size_t jobs;
    int64_t timeout_ns;
    const struct compile_cache *cache;
    struct cache_uses uses;
    bool has_nvcc; /* a job has requested nvcc */
    bool has_nvrtc;
    size_t limit;    /* of the slots in use: fewer than `jobs` if the workers of commands need more memory */
    size_t silences; /* workers in a row that did not say hello */
    size_t next;     /* where the next search for a finished job begins, so that every slot has its turn */
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
    struct compile_pool *opened = calloc(1, sizeof *opened + jobs * sizeof *opened->slots);
    if (!opened)
        return error_memory(error);
    opened->jobs = opened->limit = jobs;
    opened->has_nvrtc = !nvrtc_load(&nvrtc, NULL);
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
    if (pool->cache)
        compile_cache_count(pool->cache, &pool->uses);
    free(pool);
}

size_t compile_pool_jobs(const struct compile_pool *pool)
{
    return pool->jobs;
}

size_t compile_pool_idle(const struct compile_pool *pool)
{
    size_t busy = 0;
    for (size_t i = 0; i < pool->jobs; i++)
        busy += pool->slots[i].busy;
    return busy < pool->limit ? pool->limit - busy : 0;
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
    if (!compile_pool_idle(pool))
        return NULL;
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
    slot->silent = false;
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

/* Checks that the job is complete, and that its compiler is there. */
static int check_job(struct compile_pool *pool, const struct compile_job *job, bool commands, struct error *error)
{
    struct nvrtc nvrtc;
    if (!commands && ((job->name_count == 0) != job->shared || job->name_count > COMPILE_KERNELS_MAX))
        return error_set(error, ERROR_USAGE, "%zu kernels of %s to compile: must be 1 to %d", job->name_count,
                         job->path, COMPILE_KERNELS_MAX);
    if (job->module)
        return 0;
    if (!commands && !job->nvcc && !pool->has_nvrtc)
        return nvrtc_load(&nvrtc, error);
    if (job->nvcc && !commands && !pool->has_nvcc) {
        struct text path = {0};
        int missing = nvcc_find(&path, error);
        text_free(&path);
        if (missing)
            return missing;
        pool->has_nvcc = true;
    }
    return 0;
}

/* Packs the job, whose pointers may be NULL where they have no effect. */
static void pack_job(struct slot *slot, const struct compile_job *job)
{
    struct compile_job packed = *job;
    const char **const texts[] = {&packed.path,         &packed.folder,           &packed.source,
                                  &packed.options,      &packed.name_expressions, &packed.command.folder,
                                  &packed.command.line, &packed.command.identity, &packed.command.request};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!*texts[i])
            *texts[i] = "";
    if (!slot->generates)
        packed.generator = (struct generator){"", "", "", 0};
    text_clear(&slot->packed);
    pack_struct(&slot->packed, &compile_job_table, &packed);
}

int compile_pool_submit(struct compile_pool *pool, const struct compile_job *job, struct error *error)
{
    struct slot *slot = idle_slot(pool);
    const bool commands = job->command.line && *job->command.line;
    if (!slot)
        return error_set(error, ERROR_WORKER, "no compiler process is idle");
    int code = check_job(pool, job, commands, error);
    if (code)
        return code;
    slot->generates = !commands && job->generator.command && *job->generator.command;
    pack_job(slot, job);
    slot->timeout_ns = job->timeout_ns > 0 ? job->timeout_ns : pool->timeout_ns;
    if (slot->packed.failed)
        return error_memory(error);
    slot->id = job->id;
    code = hand_out(pool, slot, error);
    if (code)
        return code;
    slot->busy = true;
    slot->again = false;
    slot->started_ns = clock_now_ns();
    return 0;
}

/* The next job, or the end of the pool, waits until the process has died. */
static void rest(struct slot *slot)
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
        rest(slot);
        return true;
    }
    return false;
}

void compile_pool_empty(struct compile_pool *pool)
{
    for (size_t i = 0; i < pool->jobs; i++)
        if (pool->slots[i].busy)
            rest(&pool->slots[i]);
}

void compile_pool_rest(struct compile_pool *pool)
{
    for (size_t i = 0; i < pool->jobs; i++) {
        struct slot *slot = &pool->slots[i];
        if (!slot->busy && is_running(slot))
            rest(slot);
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

/* A worker that never says hello may be an accident; two in a row are the command's fault. */
static void count_silence(struct compile_pool *pool, struct slot *slot, struct compile_result *result)
{
    enum { SILENCES_MAX = 2 };
    result->fatal |= slot->silent && ++pool->silences >= SILENCES_MAX;
    slot->silent = false;
}

/* Makes a result without an answer. Stops the process; its next job restarts it. */
static void give_up(struct compile_pool *pool, struct slot *slot, enum status status, struct compile_result *result)
{
    *result = (struct compile_result){.id = slot->id,
                                      .status = status,
                                      .log = "",
                                      .lowered_names = "",
                                      .compile_ns = clock_now_ns() - slot->started_ns};
    count_silence(pool, slot, result);
    worker_stop(&slot->worker);
    slot->busy = false;
}

static size_t count_running(const struct compile_pool *pool)
{
    size_t running = 0;
    for (size_t i = 0; i < pool->jobs; i++)
        running += is_running(&pool->slots[i]);
    return running;
}

static bool take_notice(struct compile_pool *pool, struct slot *slot, const struct message *message)
{
    struct command_notice notice;
    if (message->id != slot->id || message->kind < NOTICE_STARTED)
        return false;
    slot->silent = message->kind == NOTICE_STARTED;
    if (!slot->silent) {
        pool->silences = 0;
        size_t fit = 0;
        if (unpack_whole(message->bytes, message->length, &command_notice_table, &notice))
            fit = memory_processes(memory_available(""), count_running(pool), notice.resident_bytes);
        if (fit && fit < pool->limit)
            pool->limit = fit;
    }
    return true;
}

static int take_message(struct compile_pool *pool, struct slot *slot, const struct message *message,
                        struct compile_result *result)
{
    if (take_notice(pool, slot, message))
        return 0;
    if (message->id == slot->id && unpack_result(message, result)) {
        slot->busy = false;
        pool->uses.hits += result->cached;
        pool->uses.misses += !result->cached;
        count_silence(pool, slot, result);
        worker_expect(&slot->worker, INT64_MAX);
        if (count_running(pool) > pool->limit)
            rest(slot);
        return 1;
    }
    give_up(pool, slot, STATUS_CRASHED, result);
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

static int take_death(struct compile_pool *pool, struct slot *slot, struct compile_result *result, struct error *error)
{
    char epitaph[128];
    bool starved = slot->worker.channel.received.failed;
    if (worker_check_version(&slot->worker, "compiler", error)) {
        give_up(pool, slot, STATUS_CRASHED, result);
        return -1;
    }
    if (!starved && try_again(pool, slot))
        return 0;
    give_up(pool, slot, STATUS_CRASHED, result);
    if (starved) { /* this process, not the worker, has no memory for the answer */
        error_memory(error);
        return -1;
    }
    snprintf(result->message, sizeof result->message, "the compiler process was lost: %s",
             worker_epitaph(&slot->worker, epitaph, sizeof epitaph));
    return 1;
}

/* Names what took too long. */
static const char *late_task(const struct slot *slot)
{
    return slot->silent      ? "starting the compiler command"
           : slot->generates ? GENERATOR_SUBJECT "and compiling"
                             : "compiling";
}

static int take_timeout(struct compile_pool *pool, struct slot *slot, struct compile_result *result)
{
    char limit[32];
    const char *task = late_task(slot);
    bool stopped = worker_is_stopped(&slot->worker);
    if (stopped && try_again(pool, slot))
        return 0;
    give_up(pool, slot, STATUS_TIMEOUT, result);
    if (stopped)
        snprintf(result->message, sizeof result->message, "the compiler process was stopped, twice in a row");
    else
        snprintf(result->message, sizeof result->message, "%s took longer than %s", task,
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
            taken = take_message(pool, slot, &message, result);
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
