/* Names of a space. One table holds declared names, the language's own names and the words among parameter values, so
 * that every collision is found. It also interns names: equal names are the same pointer. */
#ifndef CUTUNE_EXPRESSION_NAMES_H
#define CUTUNE_EXPRESSION_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/hash_table.h"

enum name_kind {
    NAME_FREE, /* undeclared: a word, or only interned */
    NAME_PARAMETER,
    NAME_PROBLEM,
    NAME_BUFFER,
    NAME_LET,
    NAME_LIMIT,
    NAME_FUNCTION,
    NAME_TYPE,
    NAME_TEXTURE,
    NAME_SURFACE,
    NAME_TENSOR_MAP,
    NAME_CHUNK,
    NAME_COUNTER, /* of a loop, between the loop and its end */
    NAME_TRUTH,   /* `true` and `false`: the numbers 1 and 0 */
    NAME_FAULTY   /* its declaration has an error: treated as free */
};

struct source_text; /* space/expression/lexer.h */

struct name {
    const char *text;
    enum name_kind kind;
    uint32_t index; /* index of the parameter, problem, buffer, `let` expression, row of limit_rows, function, element
                       type, texture, surface or tensor map. A chunk: its enum argument_role; a counter: the depth of
                       its loop; a truth value: the number */
    int line;       /* line of its declaration; 0: part of the language */
    int word_line;  /* line of its use as a value of a parameter; 0: none */
    bool used;      /* an expression of a statement names it */
    const struct source_text *source; /* source of `line` or `word_line` */
};

struct names {
    struct name *entries; /* in order of submission */
    size_t count, room;
    struct hash_table table;
};

/* Returns the entry of a name, or NULL. Entries move when a name is added. */
struct name *names_find(const struct names *names, const char *bytes, size_t length);
/* Same, but adds a missing name as NAME_FREE. NULL when out of memory. */
struct name *names_intern(struct names *names, struct arena *arena, const char *bytes, size_t length);
/* For "did you mean": the most similar name whose kind is in `kinds` (bits 1 << kind; 1 << NAME_FREE: words), or NULL.
 */
const char *names_nearest(const struct names *names, const char *bytes, size_t length, unsigned kinds);
/* "a parameter", "a device limit" */
const char *name_kind_text(enum name_kind kind);
void names_free(struct names *names);

#endif
