/* Reads and writes the header of NumPy's .npy files (numpy.lib.format, versions 1 to 3). */
#ifndef CUTUNE_BASE_NPY_H
#define CUTUNE_BASE_NPY_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

enum { NPY_AXES_MAX = 32, NPY_HEAD_MAX = 65536 };

struct npy {
    char kind;      /* 'b' boolean, 'i' or 'u' integer, 'f' float */
    uint32_t bytes; /* of an element */
    size_t axes;
    uint64_t shape[NPY_AXES_MAX]; /* C order */
    uint64_t count;               /* elements; 1 without an axis */
    uint64_t offset;              /* bytes in front of the data */
};

/* Parses the beginning of a file: `length` bytes, the whole file or NPY_HEAD_MAX. ERROR_DATA, with the path, for
 * everything except a little-endian array of plain numbers in C order. */
int npy_parse(const char *path, const char *bytes, size_t length, struct npy *npy, struct error *error);

/* Parses a file in the same way; its size must be that of header and data. */
int npy_open(const char *path, struct npy *npy, struct error *error);

/* Appends the header of a file: `count` elements of `components` numbers each; the axis of components is omitted if
 * it is 1. */
void npy_head(struct text *text, char kind, uint32_t bytes, uint64_t count, uint32_t components);

#endif
