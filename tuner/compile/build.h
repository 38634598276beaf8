/* Within a compiler process: identifies the build of the loaded NVRTC. */
#ifndef CUTUNE_COMPILE_BUILD_H
#define CUTUNE_COMPILE_BUILD_H

#include "compile/library.h"
#include "compile/pool.h"

/* `number` is "" if NVRTC does not report it. */
void nvrtc_identify(const struct nvrtc *nvrtc, struct nvrtc_version *version);

#endif
