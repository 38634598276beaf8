/* The preprocessor's directives of a C++ source text that name files. */
#ifndef CUTUNE_BASE_DIRECTIVES_H
#define CUTUNE_BASE_DIRECTIVES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* Where reading is. To begin, `at` is `start` and `fresh` is true. */
struct directives {
    const char *start, *at, *end;
    bool fresh; /* nothing but blanks and comments since the line began */
};

struct directive {
    char form;        /* '"' or '<'; 0: the name is none, or a macro makes it */
    bool next;        /* #include_next or __has_include_next: the search goes on behind the file that has it */
    bool data;        /* #embed or __has_embed: the file is not source text */
    bool asks;        /* __has_include and the like, not a directive */
    const char *at;   /* the beginning of its name in the text */
    struct text name; /* between the quotes or brackets; owned, reused by the next call */
};

/* Reads on to the next #include, #include_next, #embed, or question such as __has_include(...). False at the end of the
 * text. Comments, literals, raw strings and lines that continue are read as a C++17 compiler does; conditions are not
 * evaluated, so that the directives of all branches are found. Fast: toolkits have megabytes of headers. */
bool directives_next(struct directives *directives, struct directive *found);

#endif
