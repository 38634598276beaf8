/* NVRTC, loaded on first use. Without it the program still reads journals and databases, replays searches and writes
 * headers. */
#ifndef CUTUNE_COMPILE_LIBRARY_H
#define CUTUNE_COMPILE_LIBRARY_H

#include <nvrtc.h>

#include "base/error.h"

/* The loaded library's functions, under their names in nvrtc.h. */
struct nvrtc {
#define FUNCTION(result, name, parameters) result(*name) parameters;
#include "compile/nvrtc_functions.def"
#undef FUNCTION
};

/* Loads NVRTC: the library of $CUTUNE_NVRTC, or that of the toolkit (toolkit_libraries), else from the dynamic linker's
 * places. It stays loaded, also in forked processes, so loading it again is quick. ERROR_NOT_FOUND if it is missing or
 * lacks a function. */
int nvrtc_load(struct nvrtc *nvrtc, struct error *error);

#endif
