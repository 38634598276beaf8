/* Reads the instructions of a kernel in nvdisasm's listing of machine code. */
#ifndef CUTUNE_COMPILE_LISTING_H
#define CUTUNE_COMPILE_LISTING_H

#include <stdbool.h>
#include <stddef.h>

/* A place in a listing. Borrows both texts. */
struct listing {
    const char *at;
    const char *kernel; /* lowered name */
    bool inside;        /* the kernel's section */
};

/* A part of the listing's text. */
struct listing_part {
    const char *text;
    size_t length;
};

/* A label, or an instruction such as "@!P0 LDG.E.128 R4, desc[UR4][R2.64+0x10]". */
struct listing_line {
    struct listing_part label;     /* ".L_x_1"; of length 0: an instruction */
    struct listing_part predicate; /* "!P0"; of length 0: none */
    struct listing_part operation; /* "LDG.E.128" */
    struct listing_part operands;  /* "R4, desc[UR4][R2.64+0x10]" */
};

/* Reads the next label or instruction of the kernel; false at the end. */
bool listing_next(struct listing *listing, struct listing_line *line);

bool listing_part_is(struct listing_part part, const char *text);

/* The operation up to the first point: LDG. */
struct listing_part listing_name(const struct listing_line *line);

/* True if the word ("128") follows the name. */
bool listing_has(const struct listing_line *line, const char *word);

/* The bits that a load or store moves for a thread: 8, 16, 32, 64, 128 or 256. */
unsigned listing_bits(const struct listing_line *line);

#endif
