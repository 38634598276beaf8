/* The compiler process's side of the pool. Only nvrtc.c compiles with NVRTC. */
#ifndef CUTUNE_COMPILE_NVRTC_H
#define CUTUNE_COMPILE_NVRTC_H

#include "base/worker.h"

/* Answers until the coordinator is gone or sends an invalid message. The context is a const struct compile_cache, or
 * NULL. */
worker_main compile_worker;

#endif
