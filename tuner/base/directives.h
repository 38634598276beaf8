/* Finds the preprocessor directives of a C++ source that name files. */
#ifndef CUTUNE_BASE_DIRECTIVES_H
#define CUTUNE_BASE_DIRECTIVES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* The state of reading. Initially, `at` equals `start` and `fresh` is true. */
struct directives {
    const char *start, *at, *end;
    bool fresh; /* only blanks and comments since the line began */
};

struct directive {
    char form;        /* '"' or '<'; 0: no file name, or one that comes from a macro */
    bool next;        /* #include_next or __has_include_next: the search continues behind the including file's folder */
    bool data;        /* #embed or __has_embed: the file is data, not source */
    bool asks;        /* __has_include or similar, not a directive */
    const char *at;   /* where the name begins in the text */
    struct text name; /* between the quotes or brackets; owned, overwritten by the next call */
};

/* Reads up to the next #include, #include_next, #embed, or question such as __has_include(...). Returns false at the
 * end of the text. Reads comments, literals, raw strings and continued lines as a C++17 compiler does. Ignores
 * conditions: finds the directives of all branches. Must be fast: toolkits have megabytes of headers. */
bool directives_next(struct directives *directives, struct directive *found);

#endif
