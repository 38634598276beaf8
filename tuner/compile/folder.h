/* Within a compiler process: the folder in which it works. Each job has its own, so that the compiler finds relative
 * paths of its options there, whichever compiler it is and whatever option names them. */
#ifndef CUTUNE_COMPILE_FOLDER_H
#define CUTUNE_COMPILE_FOLDER_H

#include "base/error.h"
#include "compile/answer.h"
#include "compile/cache.h"

/* Call once, before the first job: makes the relative paths in the environment's variables that compilations use, and
 * that of the cache, absolute. Returns the folder in which the process started, opened, or -1. */
int folder_settle(struct compile_cache *cache);

/* Enters the folder of the request's job, whose path becomes the source's there. ERROR_IO if that fails. */
int folder_enter(struct request *request, struct error *error);

/* Returns to the folder that folder_settle opened. */
void folder_leave(int home);

#endif
