/* Within a compiler process: its working folder. Each job has its own, so that any compiler finds the relative paths
 * of any option there. */
#ifndef CUTUNE_COMPILE_FOLDER_H
#define CUTUNE_COMPILE_FOLDER_H

#include "base/error.h"
#include "compile/cache.h"
#include "compile/compile_reply.h"

/* Call once, before the first job. Makes the cache's path and the relative paths in environment variables that
 * compilations use absolute. Returns the initial working folder, opened, or -1. */
int folder_settle(struct compile_cache *cache);

/* Enters the folder of the request's job, and makes the source's path relative to it. ERROR_IO on failure. */
int folder_enter(struct request *request, struct error *error);

/* Returns to the folder that folder_settle opened. */
void folder_leave(int home);

#endif
