/* The facts of a configuration for a compiler command: the arguments of its kernels, their macros and options. All need
 * a bound space. */
#ifndef CUTUNE_SPACE_FACTS_H
#define CUTUNE_SPACE_FACTS_H

#include "space/space.h"

/* Facts of an argument of a kernel: what all its launches in a run share. */
enum argument_fact_kind {
    FACT_BUFFER,
    FACT_SCALAR,
    FACT_STRUCT, /* or an array */
    FACT_TENSOR_MAP,
    FACT_TEXTURE,
    FACT_SURFACE,
    FACT_NULL
};
struct argument_facts {
    const char *name; /* of the buffer, texture or tensor map, or the expression's text; "": none */
    enum argument_fact_kind kind;
    const struct element_type *type; /* of the elements or the scalar; NULL: none */
    bool has_value;                  /* of a scalar of one component: the same in all launches */
    int64_t integer;                 /* or its bits as uint64_t, by the type's family */
    double real;
    uint32_t alignment; /* of an address, in bytes: a power of two up to 256 */
    uint32_t bytes;     /* of the value */
    uint32_t extent_count;
    int64_t extents[SPACE_EXTENTS_MAX], strides[SPACE_EXTENTS_MAX]; /* of a buffer or tensor map, in elements */
    const struct launch_tensor_map *map; /* borrowed from the launch; NULL: none, or it differs between launches */
};
/* Finds the facts of kernel `k` < launch->kernel_count with a configuration; there is room for SPACE_ARGUMENTS_MAX.
 * Names borrow from the space. Errors of expressions without a value. */
int space_argument_facts(const struct space *space, const uint32_t *choices, const struct launch *launch, size_t k,
                         struct argument_facts *facts, size_t *count, struct error *error);
/* Passes the value of each `define` statement, or of each macro that the launches of kernel `k` have of their own. */
typedef void space_take_value(void *context, const char *name, const struct value *value);
int space_each_define(const struct space *space, const uint32_t *choices, space_take_value *take, void *context,
                      struct error *error);
int space_each_macro(const struct space *space, const uint32_t *choices, const struct launch *launch, size_t k,
                     space_take_value *take, void *context, struct error *error);
/* Appends the texts of the `option` statements, as consecutive NUL-terminated strings, and stores their number. */
int space_option_texts(const struct space *space, const uint32_t *choices, struct text *options, size_t *count,
                       struct error *error);

#endif
