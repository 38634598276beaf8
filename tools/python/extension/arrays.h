/* Arrays of any framework as addresses: by DLPack's C exchange table where their type has it, else by `data_ptr()`,
 * else by `__cuda_array_interface__`. */
#ifndef CUTUNE_PYTHON_ARRAYS_H
#define CUTUNE_PYTHON_ARRAYS_H

#include <stddef.h>
#include <stdint.h>

#include "dlpack.h"
#include "extension.h"

/* An array as the driver sees it. */
struct array {
    char *address;
    int64_t count; /* of elements */
    int device;    /* ordinal; -1: unknown */
    uint8_t code;  /* enum dlpack_code */
    uint8_t bits;  /* of an element's lane */
    uint16_t lanes;
    uint8_t contiguous, readonly;
    const struct dlpack_table *table; /* NULL: read by another route */
};

enum route { ROUTE_NONE, ROUTE_TABLE, ROUTE_DATA_PTR, ROUTE_INTERFACE };

/* Knowledge of the types of arrays seen last. Zeroed: none. */
struct arrays {
    struct known_type {
        PyObject *type; /* owned */
        enum route route;
        const struct dlpack_table *table;
    } known[4];
    unsigned next;
    PyObject *dtype; /* owned: of the last `data_ptr()` */
    uint8_t dtype_code, dtype_bits;
    PyObject *typestr; /* owned: of the last interface */
    uint8_t typestr_code, typestr_bits;
};

/* Called once, before the other functions. Returns 0, or -1 with an exception. */
int arrays_start(void);

/* The name of a type of elements, "float32". */
const char *array_type_name(const struct array *array, char text[32]);

/* Names an argument in messages, "smooth: out". */
struct label {
    const char *kernel, *argument;
};

/* Reads an argument; `label` names it in messages. Returns 0, or -1 with an exception. A stream that the array itself
 * names, as `__cuda_array_interface__` does, is written to *stream, otherwise NULL. Routes other than the table run
 * Python code. */
int array_read(struct arrays *arrays, PyObject *object, const struct label *label, struct array *array, void **stream);

void arrays_free(struct arrays *arrays);

#endif
