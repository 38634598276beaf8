/* Counts the load and store instructions of a kernel by width, with the toolkit's nvdisasm. */
#ifndef CUTUNE_COMPILE_ACCESSES_H
#define CUTUNE_COMPILE_ACCESSES_H

#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

/* Lists the instructions of a cubin. ERROR_NOT_FOUND without an nvdisasm in the toolkit or on PATH; ERROR_DATA if it
 * fails. */
int accesses_list(const void *cubin, size_t bytes, struct text *listing, struct error *error);

/* Appends the counts of a kernel's load and store instructions by their bits, such as "LDG 32: 4, 128: 2; STS 32:
 * 8". `kernel`: lowered name. LDG and STG access global, LDS and STS shared, LDL and STL local memory, LD and ST any
 * of them; LDGSTS copies from global to shared memory. Appends nothing for a kernel without such instructions, or
 * not in the listing. */
void accesses_append(const char *listing, const char *kernel, struct text *text);

#endif
