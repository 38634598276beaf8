/* Where the libraries and programs are that compiling uses. Paths are appended. */
#ifndef CUTUNE_COMPILE_LOCATE_H
#define CUTUNE_COMPILE_LOCATE_H

#include "base/error.h"
#include "base/text.h"

/* The file of NVRTC, which stays loaded. Errors of nvrtc_load. */
int locate_nvrtc(struct text *path, struct error *error);

/* The disassembler of the toolkit or on PATH. ERROR_NOT_FOUND. */
int locate_nvdisasm(struct text *path, struct error *error);

#endif
