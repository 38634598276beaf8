/* The processes of sessions: one for each device, and the compilers. A session has a workshop of its own, or borrows
 * one that several sessions use in turn: processes, contexts and ceilings stay, the state of a session does not. */
#ifndef CUTUNE_SESSION_WORKSHOP_H
#define CUTUNE_SESSION_WORKSHOP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "compile/cache.h"
#include "compile/pool.h"
#include "device/choice.h"
#include "device/device.h"

/* Zeroed: empty. */
struct workshop {
    struct device_choice chosen;
    struct device *devices[DEVICES_MAX]; /* of one kind; the first gives the limits and runs the play-off */
    size_t device_count;                 /* 0: a replay */
    struct compile_cache cache;          /* of the compilers, if they use one */
    struct compile_pool *pool;           /* for all sessions that borrow the workshop; NULL: not opened yet */
    struct nvrtc_version compiler;
    bool knows_compiler, nvcc; /* nvcc: `compiler` is nvcc, not NVRTC */
};

/* Makes the devices ready for the set-up of a session: starts them (device_start, which explains `streams`), or renews
 * running ones (device_renew), which must be of the same choice. */
int workshop_take(struct workshop *workshop, const char *device, const struct device_share *share, bool streams,
                  struct error *error);

/* Takes one device, named as for device_choose_one, before its session is known, and waits for its limits. Errors are
 * also those of device_open; then the workshop is empty. */
int workshop_open_device(struct workshop *workshop, const char *device, struct error *error);

/* Asks for the version of the compiler, NVRTC or nvcc, unless it is known. */
int workshop_ask_compiler(struct workshop *workshop, bool nvcc, struct error *error);

/* Ends the use after the last session, as device_leave. */
void workshop_leave(struct workshop *workshop);

/* Ends all processes and zeroes the workshop. */
void workshop_close(struct workshop *workshop);

#endif
