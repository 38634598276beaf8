/* Within a compiler process: identifies the NVRTC in use, down to the build. */
#ifndef CUTUNE_COMPILE_BUILD_H
#define CUTUNE_COMPILE_BUILD_H

#include "compile/pool.h"

/* `number` is "" if NVRTC does not report it. */
void nvrtc_identify(struct nvrtc_version *version);

#endif
