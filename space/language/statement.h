/* The table of the statements of the language: the function that reads each, its limits, and its text in the manual. */
#ifndef CUTUNE_LANGUAGE_STATEMENT_H
#define CUTUNE_LANGUAGE_STATEMENT_H

#include <stddef.h>
#include <stdint.h>

#include "expression/lexer.h"
#include "expression/names.h"

struct parser; /* space/language/parser.h */
struct clause; /* space/language/clauses.h */

/* Statements may come in any order. Earlier phases are read first, because later statements use their names. */
enum phase { PHASE_NAMES, PHASE_BUFFERS, PHASE_VIEWS, PHASE_USES, PHASE_COUNT };

enum {
    STATEMENT_ALONE = 1,    /* allowed without a kernel: not about compiling or launching */
    STATEMENT_BUFFERS = 2,  /* declares or uses buffers */
    STATEMENT_DECLARES = 4, /* declares the name behind the keyword */
    STATEMENT_SINGLE = 8,   /* about the only launch: an error beside `launch` statements */
    STATEMENT_UNHASHED = 16 /* times do not depend on it: not part of the space's text_hash; occurs once at most */
};

/* A name that is part of the language only in spaces with such a statement. */
struct language_name {
    const char *text; /* NULL: the end of the list */
    enum name_kind kind;
    uint32_t index;
};

struct statement {
    const char *keyword;
    size_t least, most; /* least and greatest number of occurrences */
    enum phase phase;
    unsigned flags;
    /* Reads the part behind the keyword. The space's arrays have room for the whole file. */
    int (*parse)(struct parser *parser); /* NULL: `include`, which the outline reads */
    const char *usage;                   /* form, for errors and the manual */
    const char *summary;                 /* the declared thing: lower case, no full stop */
    const char *text;                    /* whole sentences; a newline begins a paragraph, and `...` quotes code */
    const char *example;                 /* valid lines beside the space of tests/unit/language/test_statements.c */
    const struct clause *clauses;        /* clauses of clauses_parse, for the manual; NULL: none */
    size_t clause_count;
    const struct language_name *names; /* NULL: none */
};
enum { STATEMENTS_MAX = 64 };
extern const struct statement *const statements[];
extern const size_t statement_count;

/* Index of its row in the table. */
size_t statement_row(const struct statement *statement);
/* Same of a keyword that has a row. */
size_t statement_row_of(const char *keyword);

/* The row of the keyword at the current token, or NULL. */
const struct statement *statement_find(const struct lexer *lexer);

#endif
