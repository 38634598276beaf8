/* Architectures for `cutune check --compile`. */
#ifndef CUTUNE_COMMANDS_CHECK_ARCHITECTURE_H
#define CUTUNE_COMMANDS_CHECK_ARCHITECTURE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/limits.h"

enum { ARCHITECTURES_MAX = 32 };

/* Parses "sm_90a,sm_80" into compute capabilities, each once: sm_90 and sm_90a are both 90. ERROR_USAGE for any other
 * text. */
int architectures_parse(const char *text, int64_t capabilities[ARCHITECTURES_MAX], size_t *count, struct error *error);

/* Writes "sm_80" or, for devices with architecture-specific features, "sm_90a". */
enum { ARCHITECTURE_BYTES = 24 };
const char *architecture_name(int64_t cc, char name[ARCHITECTURE_BYTES]);

/* Reads the limits of the first device file with that compute capability; without one, of the next lower, else of the
 * next higher, as a stand-in with that compute capability. ERROR_NOT_FOUND if there are no device files. */
int architecture_limits(struct arena *arena, int64_t cc, struct device_limits *limits, bool *stand_in,
                        struct error *error);

#endif
