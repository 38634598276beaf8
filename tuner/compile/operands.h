/* The registers that an instruction of machine code reads and writes, as far as dependences need them. */
#ifndef CUTUNE_COMPILE_OPERANDS_H
#define CUTUNE_COMPILE_OPERANDS_H

#include <stdbool.h>
#include <stddef.h>

#include "compile/listing.h"

/* Numbers of registers: R0, R1, ..., then UR0, ..., P0, ..., UP0, ... RZ, PT and the like have no number. */
enum {
    REGISTERS_GENERAL = 256,
    REGISTERS_UNIFORM = 256,
    REGISTERS_PREDICATE = 8,
    REGISTERS = REGISTERS_GENERAL + REGISTERS_UNIFORM + 2 * REGISTERS_PREDICATE,
    REGISTERS_READ_MOST = 12,
    REGISTERS_WRITTEN_MOST = 8
};

struct operands {
    unsigned short read[REGISTERS_READ_MOST], written[REGISTERS_WRITTEN_MOST];
    size_t read_count, written_count;
    bool kept;       /* predicated: written registers may keep their values */
    bool has_number; /* the instruction has a whole number as an operand; the last one is `number` */
    long long number;
};

/* Omits registers beyond the maxima. */
struct operands operands_of(const struct listing_line *line);

/* The register named by "R4", "UR4", "P0" or "!UP0"; -1: none. */
int operands_register(struct listing_part part);

#endif
