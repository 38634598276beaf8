/* Within a compiler process: a question as it was read, and its answer. */
#ifndef CUTUNE_COMPILE_ANSWER_H
#define CUTUNE_COMPILE_ANSWER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/measurement.h"
#include "base/text.h"
#include "compile/cubin.h"

struct request {
    const char *path, *source, *name_expression;
    int cc;
    const char *options; /* NUL-terminated, one after the other */
    size_t options_bytes, option_count;
    struct text all_options; /* owned: these with the ones that every compilation has, in the same form */
    size_t all_option_count;
};

struct answer {
    enum status status;
    char message[256];
    bool cached;       /* `log` and the like are in `recalled`, else the first two are owned */
    bool lasting;      /* the same question will always have this answer */
    char *log, *cubin; /* NULL: none */
    size_t cubin_bytes;
    const char *lowered_name; /* of a fresh one: lives as long as the program */
    struct kernel_resources resources;
    struct text recalled; /* owned */
};

#endif
