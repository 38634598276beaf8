/* The names of a space. One table holds declared names, the language's own names and the words among parameter values,
 * so that a collision cannot be missed; it also interns: equal names are the same pointer. */
#ifndef CUTUNE_SPACE_NAMES_H
#define CUTUNE_SPACE_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/hash_table.h"

enum name_kind {
    NAME_FREE, /* declared as nothing: a word, or only interned */
    NAME_PARAMETER,
    NAME_PROBLEM,
    NAME_BUFFER,
    NAME_LET,
    NAME_LIMIT,
    NAME_FUNCTION,
    NAME_TYPE,
    NAME_TEXTURE,
    NAME_CHUNK,
    NAME_FAULTY /* a statement with an error was to declare it: as good as free */
};

struct source_text; /* space/lexer.h */

struct name {
    const char *text;
    enum name_kind kind;
    uint32_t index; /* of the parameter, problem, buffer, expression of a `let`, row of limit_rows, function, element
                       type or texture; of a chunk its enum argument_role */
    int line;       /* where it was declared; 0: by the language */
    int word_line;  /* where it occurs as the value of a parameter; 0: nowhere */
    const struct source_text *source; /* that `line` or `word_line` is in */
};

struct names {
    struct name *entries; /* in order of submission */
    size_t count, room;
    struct hash_table table;
};

/* The entry of a name, or NULL. Entries move when a name is added. */
struct name *names_find(const struct names *names, const char *bytes, size_t length);
/* The same, added as NAME_FREE when it is not there. NULL: out of memory. */
struct name *names_intern(struct names *names, struct arena *arena, const char *bytes, size_t length);
/* For "did you mean": the nearest of the names whose kind is in `kinds` (bits 1 << kind; 1 << NAME_FREE: words), or
 * NULL. */
const char *names_nearest(const struct names *names, const char *bytes, size_t length, unsigned kinds);
/* "a parameter", "a device limit" */
const char *name_kind_text(enum name_kind kind);
void names_free(struct names *names);

#endif
