/* Statements made of clauses, KEYWORD VALUE KEYWORD VALUE ...: a table lists them; each occurs at most once, in any
 * order. */
#ifndef CUTUNE_LANGUAGE_CLAUSES_H
#define CUTUNE_LANGUAGE_CLAUSES_H

#include "expression/expr.h"

struct parser; /* space/language/parser.h */

/* Words of a clause in the order of their enum, from 0. */
struct word_list {
    const char *what; /* "a kind of host memory" */
    size_t count;
    const char *words[16];
};

/* Value of a clause: an expression or a literal word. The space owns the memory. */
struct setting {
    const struct expr *value; /* NULL: `word`, the literal or the clause's default, counts */
    int word;
};

struct clause {
    const char *keyword;
    bool required;
    /* Reads the part behind the keyword into the statement's struct. NULL: reads a word or an expression with one as
     * value; without words, an expression. */
    int (*parse)(struct parser *parser, void *statement);
    size_t offset; /* offset of the struct setting in the statement's struct */
    const struct word_list *words;
    const char *meaning; /* with its default, for the manual */
};

enum { CLAUSES_MAX = 16 };

/* Reads clauses up to the end of the statement. */
int clauses_parse(struct parser *parser, const struct clause *clauses, size_t count, void *statement);

/* Reads one of the words, or an expression with such a value. */
int setting_parse_word(struct parser *parser, const struct word_list *words, struct setting *setting);
/* Evaluates a number in [least, most]; `thing` begins the error message. */
int setting_number(const struct setting *setting, const struct expr_inputs *inputs, const char *thing, int64_t least,
                   int64_t most, uint64_t *result, struct error *error);
/* Evaluates a word to its index in the list. */
int setting_word(const struct setting *setting, const struct expr_inputs *inputs, const struct word_list *words,
                 uint16_t *result, struct error *error);

#endif
