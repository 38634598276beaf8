/* A file that uses only the macros, for a device of its choice, gets no warnings about unused code. */
#define T_TUNED_FOR T_TUNED_FOR_SAMPLE_86
#define BLOCK_ROWS  3 /* as the tuner does */
#include "plain.h"

#if TILE != T_TILE || BLOCK_ROWS != 3
#error "plain macros are those of the device, unless they were defined before"
#endif

#if T_TILE != 24
#error "T_TUNED_FOR chooses the device, and the preprocessor reads integer parameters"
#endif

extern const int tile;
const int tile = T_TILE;
