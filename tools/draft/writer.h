/* Writes a space file section by section. */
#ifndef CUTUNE_DRAFT_WRITER_H
#define CUTUNE_DRAFT_WRITER_H

#include "draft/draft.h"

enum { WRITER_LINES_MAX = 256 };

struct writer {
    struct draft *draft;
    struct text *out;
    struct text args;
    const char *size; /* a problem size for examples; "": none */
    struct line {
        const char *left, *comment;
    } lines[WRITER_LINES_MAX], numbers[WRITER_LINES_MAX]; /* of the section; `numbers` come first */
    size_t count, number_count;
    const char *args_comment;
    bool inout, failed, full; /* full: too many lines */
};

/* Formats a text that lives as long as the draft; "" when out of memory, which `failed` notes. */
const char *writer_say(struct writer *writer, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds a line to the section; "": no comment. */
void writer_put(struct writer *writer, const char *comment, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* True for the types of textures and surfaces. */
bool writer_is_view(const char *type);
/* Add a problem size, a texture or surface with its buffer, or a buffer. Return the name. `type`: of the parameter;
 * `own`: the name in the source. */
const char *writer_number(struct writer *writer, const char *base, const char *own);
const char *writer_view(struct writer *writer, const char *type, const char *name);
const char *writer_buffer(struct writer *writer, const struct argument_answer *answer, bool written, const char *base,
                          const char *own);

/* Adds parameter `number` of the kernel: its buffer or numbers, and its argument. */
void writer_argument(struct writer *writer, size_t number);
/* Adds constant `number` of the code, with its value, or a buffer with its elements. */
void writer_constant(struct writer *writer, size_t number);

#endif
