/* The machine code of a kernel that a program opens. */
#ifndef CUTUNE_API_API_COMPILE_H
#define CUTUNE_API_API_COMPILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "space/space.h"

/* Zeroed: empty. */
struct api_code {
    struct text cubin; /* or a bundle of several */
    struct text names; /* the kernels' names there, NUL-terminated strings one after the other */
    bool reordered;    /* a compiler command says what the code takes: the launch has its parameters */
};

/* Compiles the kernels of a configuration, whose text is for messages, for a device of compute capability `cc`. `flags`
 * are those of cutune_kernel_open. With a compiler command, the answer completes `launch`. ERROR_COMPILE for an error
 * of the compiler; ERROR_NOT_FOUND with CUTUNE_CACHED. */
int api_compile(const struct space *space, const uint32_t *choices, struct launch *launch, int64_t cc,
                const char *configuration, unsigned flags, struct api_code *code, struct error *error);
void api_code_free(struct api_code *code);

#endif
