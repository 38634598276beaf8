/* A section of a cubin: the machine code of kernel k is in ".text.k". */
#ifndef CUTUNE_TESTS_COMPILE_SECTION_H
#define CUTUNE_TESTS_COMPILE_SECTION_H

#include <elf.h>
#include <stdbool.h>
#include <string.h>

#include "compile/pool.h"

/* The section of that name; NULL without one. */
static inline const char *section(const struct compile_result *result, const char *name, size_t *length)
{
    const char *bytes = result->cubin;
    Elf64_Ehdr header;
    Elf64_Shdr names, found;
    memcpy(&header, bytes, sizeof header);
    memcpy(&names, bytes + header.e_shoff + header.e_shstrndx * sizeof names, sizeof names);
    for (size_t i = 0; i < header.e_shnum; i++) {
        memcpy(&found, bytes + header.e_shoff + i * sizeof found, sizeof found);
        if (strcmp(bytes + names.sh_offset + found.sh_name, name) == 0) {
            *length = found.sh_size;
            return bytes + found.sh_offset;
        }
    }
    return NULL;
}

/* True if a section's name begins with `begin`. */
static inline bool has_section(const struct compile_result *result, const char *begin)
{
    const char *bytes = result->cubin;
    Elf64_Ehdr header;
    Elf64_Shdr names, found;
    bool has = false;
    memcpy(&header, bytes, sizeof header);
    memcpy(&names, bytes + header.e_shoff + header.e_shstrndx * sizeof names, sizeof names);
    for (size_t i = 0; i < header.e_shnum; i++) {
        memcpy(&found, bytes + header.e_shoff + i * sizeof found, sizeof found);
        has = has || strncmp(bytes + names.sh_offset + found.sh_name, begin, strlen(begin)) == 0;
    }
    return has;
}

#endif
