/* Within a compiler process: which NVRTC this is, to the build. */
#ifndef CUTUNE_COMPILE_BUILD_H
#define CUTUNE_COMPILE_BUILD_H

#include "compile/pool.h"

/* `number` is "" when NVRTC does not tell it. */
void nvrtc_identify(struct nvrtc_version *version);

#endif
