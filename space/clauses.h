/* Statements made of clauses: KEYWORD VALUE KEYWORD VALUE ..., in any order, each at most once, as a table defines
 * them. */
#ifndef CUTUNE_SPACE_CLAUSES_H
#define CUTUNE_SPACE_CLAUSES_H

#include "space/parser.h"

/* The words of a clause in the order of their enum, from 0. */
struct word_list {
    const char *what; /* "a kind of host memory" */
    size_t count;
    const char *words[16];
};

/* A clause's value: an expression, or a literal word. Memory belongs to the space. */
struct setting {
    const struct expr *value; /* NULL: see `word`, the literal or the clause's default */
    int word;
};

struct clause {
    const char *keyword;
    bool required;
    /* Reads what follows the keyword into the statement's struct. NULL: a word or an expression whose value is one;
     * without words, an expression. */
    int (*parse)(struct parser *parser, void *statement);
    size_t offset; /* offset of the struct setting in the statement's struct */
    const struct word_list *words;
    const char *meaning; /* with its default, for the manual */
};

enum { CLAUSES_MAX = 16 };

/* Reads the clauses up to the end of the statement. */
int clauses_parse(struct parser *parser, const struct clause *clauses, size_t count, void *statement);

/* Reads one of the words, or an expression whose value is one. */
int setting_parse_word(struct parser *parser, const struct word_list *words, struct setting *setting);
/* Evaluates a number from `least` to `most`; `thing` begins the message of an error. */
int setting_number(const struct setting *setting, const struct expr_inputs *inputs, const char *thing, int64_t least,
                   int64_t most, uint64_t *result, struct error *error);
/* Evaluates a word to its index in the list. */
int setting_word(const struct setting *setting, const struct expr_inputs *inputs, const struct word_list *words,
                 uint16_t *result, struct error *error);

#endif
