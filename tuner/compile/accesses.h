/* Counts the load and store instructions of a kernel by width, with the toolkit's nvdisasm. */
#ifndef CUTUNE_COMPILE_ACCESSES_H
#define CUTUNE_COMPILE_ACCESSES_H

#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

/* Lists the instructions of a cubin. ERROR_NOT_FOUND: there is no nvdisasm, neither in the toolkit nor on PATH;
 * ERROR_DATA if it fails. */
int accesses_list(const void *cubin, size_t bytes, struct text *listing, struct error *error);

/* Appends the instructions of the kernel with that lowered name by their bits, most common widths first to last, such
 * as "LDG 32: 4, 128: 2; STS 32: 8". LDG and STG access global, LDS and STS shared, LDL and STL local memory, LD and ST
 * any of them; LDGSTS copies from global to shared memory. Nothing for a kernel without any, or that is not listed. */
void accesses_append(const char *listing, const char *kernel, struct text *text);

#endif
