/* Reads C++ sources: tokens without comments, and directives with the certainty that they are compiled. Expands
 * nothing. */
#ifndef CUTUNE_LANGUAGE_CODE_H
#define CUTUNE_LANGUAGE_CODE_H

#include "expression/space_internal.h"

enum code_kind {
    CODE_END,
    CODE_WORD,
    CODE_NUMBER,
    CODE_STRING,  /* or a character literal */
    CODE_SIGN,    /* one character */
    CODE_HASH,    /* beginning of a directive */
    CODE_LINE_END /* end of a directive */
};

struct code_token {
    enum code_kind kind;
    const char *start; /* points into the text */
    size_t length;
    int line, column; /* from 1 */
};

/* Position in a source; a copy saves the place. */
struct code {
    const char *at, *end, *line_start;
    int line;
    bool inside; /* the line has earlier tokens */
    bool directive;
};

struct code code_start(const struct source_text *source);
/* Reads the next token. Within a directive, CODE_LINE_END ends the line. */
struct code_token code_next(struct code *code);
bool code_is(const struct code_token *token, const char *word);
bool code_is_sign(const struct code_token *token, char sign);

/* How certain it is that a line is compiled. */
enum code_certainty { CODE_NEVER, CODE_MAYBE, CODE_SURELY };

enum code_item_kind {
    ITEM_END,
    ITEM_TOKEN, /* outside directives */
    ITEM_DEFINE,
    ITEM_UNDEF,
    ITEM_INCLUDE,
    ITEM_CONDITION, /* of #if or #elif */
    ITEM_OTHER      /* any other directive except conditional ones */
};

struct code_item {
    enum code_item_kind kind;
    enum code_certainty certainty;
    const char *start;       /* of a directive: its # */
    struct code_token token; /* ITEM_TOKEN; ITEM_DEFINE, ITEM_UNDEF: the macro's name; others: the directive's word */
    struct code rest;        /* of a directive: behind `token`, up to CODE_LINE_END */
};

enum { CODE_CONDITIONS_MAX = 64, CODE_MACROS_WORDS = 8 };

/* Walks over a source that is compiled with the macros of a space. */
struct code_walk {
    const struct space *space;
    struct code code;
    size_t depth; /* number of open conditions; those beyond CODE_CONDITIONS_MAX may be true or false */
    struct code_condition {
        enum code_certainty now, before; /* certainty of this branch; of any earlier one, within the enclosing code */
    } conditions[CODE_CONDITIONS_MAX];
    uint64_t undefined[CODE_MACROS_WORDS]; /* bit set: the macro of the space is surely undefined */
};

void code_walk_start(struct code_walk *walk, const struct space *space, const struct source_text *source);
void code_walk_next(struct code_walk *walk, struct code_item *item);

/* Sets *number, below 64 * CODE_MACROS_WORDS, for a macro that the compiler gets for the space: a parameter or the name
 * of a `define` statement. Returns false for other words. */
bool code_macro(const struct space *space, const struct code_token *word, size_t *number);
bool code_macro_text(const struct space *space, const char *text, size_t length, size_t *number);
/* The same for a name of the space, whose macro may have another. */
bool code_macro_named(const struct space *space, const char *name, size_t length, size_t *number);
/* The name in the space, and in the source, of the macro with that number. */
const char *code_macro_name(const struct space *space, size_t number);
const char *code_macro_word(const struct space *space, size_t number);

#endif
