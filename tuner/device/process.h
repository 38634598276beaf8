/* The device process's main functions. */
#ifndef CUTUNE_DEVICE_PROCESS_H
#define CUTUNE_DEVICE_PROCESS_H

#include "base/worker.h"

/* `context`: a struct device_opening. */
worker_main device_process;
worker_main device_count_process;

#endif
