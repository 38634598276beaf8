/* Random expressions of the space language. */
#ifndef CUTUNE_TESTS_SPACE_RANDOM_EXPRESSION_H
#define CUTUNE_TESTS_SPACE_RANDOM_EXPRESSION_H

#include "../language/support.h"
#include "base/random.h"
#include "base/text.h"
#include "expression/lexer.h"

/* Appends an expression over these leaves (names and numbers); `red` must be a word of the space. Adds parentheses
 * where the expression would be misleading (space/expression/precedence.h). */
static inline void put_expression(struct random *random, const char *const *leaves, size_t leaf_count, int depth,
                                  struct text *text)
{
    static const char *const binary[] = {"+",  "-", "*",  "/",  "%",  "<<", ">>", "&",  "|", "^",
                                         "==", "<", ">=", "!=", "&&", "||", "=>", "&&", "||"};
    static const char *const functions[] = {"min", "max", "gcd", "lcm", "ceildiv"};
    static const char *const unary[] = {"!", "-", "~", "abs", "log2", "is_pow2"};
    static const char *const sets[] = {"{1, 8}", "{red, 0}", "{-3..8 step 11}", "{0.5, 1..64 times 2}"};
    uint64_t kind = depth > 0 ? random_below(random, 10) : 0;
    if (kind < 2) {
        const char *leaf = leaves[random_below(random, leaf_count)];
        text_printf(text, lexer_is_name_start(*leaf) ? "%s" : "(%s)", leaf);
    } else if (kind < 6) {
        const char *sign = binary[random_below(random, COUNT(binary))];
        bool implies = strcmp(sign, "=>") == 0;
        text_printf(text, implies ? "(!(" : "(");
        put_expression(random, leaves, leaf_count, depth - 1, text);
        text_printf(text, implies ? ") %s " : " %s ", sign);
        put_expression(random, leaves, leaf_count, depth - 1, text);
        text_printf(text, ")");
    } else if (kind == 6) {
        text_printf(text, "(");
        put_expression(random, leaves, leaf_count, depth - 1, text);
        text_printf(text, " ? ");
        put_expression(random, leaves, leaf_count, depth - 1, text);
        text_printf(text, " : ");
        put_expression(random, leaves, leaf_count, depth - 1, text);
        text_printf(text, ")");
    } else if (kind == 7) {
        text_printf(text, "%s(", functions[random_below(random, COUNT(functions))]);
        put_expression(random, leaves, leaf_count, depth - 1, text);
        text_printf(text, ", ");
        put_expression(random, leaves, leaf_count, depth - 1, text);
        text_printf(text, ")");
    } else if (kind == 8) {
        const char *sign = unary[random_below(random, COUNT(unary))];
        text_printf(text, "(%s(", sign);
        put_expression(random, leaves, leaf_count, depth - 1, text);
        text_printf(text, strcmp(sign, "~") == 0 ? " + 0))" : "))");
    } else {
        text_printf(text, "(");
        put_expression(random, leaves, leaf_count, depth - 1, text);
        text_printf(text, " in %s)", sets[random_below(random, COUNT(sets))]);
    }
}

#endif
