/* Reads C++ sources: their tokens without comments, and their directives with what is known of the conditions around
 * them. Nothing is expanded. */
#ifndef CUTUNE_SPACE_CODE_H
#define CUTUNE_SPACE_CODE_H

#include "space/private.h"

enum code_kind {
    CODE_END,
    CODE_WORD,
    CODE_NUMBER,
    CODE_STRING,  /* or a character */
    CODE_SIGN,    /* one character */
    CODE_HASH,    /* that begins a directive */
    CODE_LINE_END /* of a directive */
};

struct code_token {
    enum code_kind kind;
    const char *start; /* in the text */
    size_t length;
    int line, column; /* from 1 */
};

/* A position in a source; copying it keeps the place. */
struct code {
    const char *at, *end, *line_start;
    int line;
    bool inside; /* a line that has tokens before this place */
    bool directive;
};

struct code code_start(const struct source_text *source);
/* Reads the next token. Within a directive, CODE_LINE_END ends the line. */
struct code_token code_next(struct code *code);
bool code_is(const struct code_token *token, const char *word);
bool code_is_sign(const struct code_token *token, char sign);

/* Is a line compiled? */
enum code_certainty { CODE_NEVER, CODE_MAYBE, CODE_SURELY };

enum code_item_kind {
    ITEM_END,
    ITEM_TOKEN, /* outside directives */
    ITEM_DEFINE,
    ITEM_UNDEF,
    ITEM_INCLUDE,
    ITEM_CONDITION, /* of #if or #elif */
    ITEM_OTHER      /* any other directive but those about conditions */
};

struct code_item {
    enum code_item_kind kind;
    enum code_certainty certainty;
    struct code_token token; /* ITEM_TOKEN; of ITEM_DEFINE and ITEM_UNDEF the macro's name; otherwise the directive's */
    struct code rest;        /* of a directive: behind that token, up to CODE_LINE_END */
};

enum { CODE_CONDITIONS_MAX = 64, CODE_MACROS_WORDS = 8 };

/* Walks over a source that is compiled with the macros of a space. */
struct code_walk {
    const struct space *space;
    struct code code;
    size_t depth; /* open conditions; those beyond CODE_CONDITIONS_MAX may be true or not */
    struct code_condition {
        enum code_certainty now, before; /* of this branch, and of one of those before it, in the code around */
    } conditions[CODE_CONDITIONS_MAX];
    uint64_t undefined[CODE_MACROS_WORDS]; /* bit: this macro of the space is surely undefined */
};

void code_walk_start(struct code_walk *walk, const struct space *space, const struct source_text *source);
void code_walk_next(struct code_walk *walk, struct code_item *item);

/* A number below 64 * CODE_MACROS_WORDS for each macro that the compiler gets for the space: a parameter or the name of
 * a `define` statement. False: the word is none. */
bool code_macro(const struct space *space, const struct code_token *word, size_t *number);

#endif
