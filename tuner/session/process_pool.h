/* The processes of sessions: one for each device, and the compilers. A session has a process pool of its own, or
 * borrows one that several sessions use in turn: processes, contexts and ceilings stay, the state of a session does
 * not. */
#ifndef CUTUNE_SESSION_PROCESS_POOL_H
#define CUTUNE_SESSION_PROCESS_POOL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"
#include "compile/cache.h"
#include "compile/pool.h"
#include "device/choice.h"
#include "device/device.h"
#include "space/space.h"

/* Zeroed: empty. */
struct process_pool {
    struct device_choice chosen;
    struct device *devices[DEVICES_MAX]; /* of one kind; the first gives the limits and runs the play-off */
    size_t device_count;                 /* 0: a replay */
    struct compile_cache cache;          /* of the compilers, if they use one */
    struct compile_pool *pool;           /* for all sessions that borrow the process pool; NULL: not opened yet */
    struct nvrtc_version compiler;
    bool knows_compiler, nvcc; /* nvcc: `compiler` is nvcc, not NVRTC */
    struct text command;       /* `compiler` is this command, its line and folder; empty: none */
    struct text command_files; /* paths of the files that its hello lists, NUL-terminated */
};

/* Makes the devices ready for the set-up of a session: starts them (device_start, which explains `streams`), or renews
 * running ones (device_renew), which must be of the same choice. */
int process_pool_take(struct process_pool *process_pool, const char *device, const struct device_share *share,
                      bool streams, struct error *error);

/* Takes one device, named as for device_choose_one, before its session is known, and waits for its limits. Errors are
 * also those of device_open; then the process pool is empty. */
int process_pool_open_device(struct process_pool *process_pool, const char *device, struct error *error);

/* Asks for the version of the space's compiler, NVRTC, nvcc or a command, unless it is known. `cached`: a command's may
 * come from the cache. The error of a command has the place of its statement. */
int process_pool_ask_compiler(struct process_pool *process_pool, const struct space *space, bool cached,
                              struct error *error);

/* Ends the use after the last session, as device_leave. */
void process_pool_leave(struct process_pool *process_pool);

/* Ends all processes and zeroes the process pool. */
void process_pool_close(struct process_pool *process_pool);

#endif
