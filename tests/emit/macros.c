/* A file that uses nothing but the macros gets no warning of unused things. */
#include "tuned.h"

#if T_TILE < 1
#error "the preprocessor reads integer parameters"
#endif

extern const int tile;
const int tile = T_TILE;
