/* The other side of the pool: what runs in a compiler process. nvrtc.c is the only file that knows NVRTC. */
#ifndef CUTUNE_COMPILE_NVRTC_H
#define CUTUNE_COMPILE_NVRTC_H

#include "base/worker.h"

/* Answers until the coordinator is gone or talks nonsense. The context is a const struct compile_cache, or NULL. */
worker_main compile_worker;

#endif
