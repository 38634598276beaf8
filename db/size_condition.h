/* Conditions on a problem's sizes: what a space requires, with a configuration's values in place of its parameters.
 * Integers only, with the arithmetic of db/choose_fit.h.
 *
 *     condition  := NUMBER | SIZE | "(" condition OPERATOR condition ")" | "(" condition "?" condition ":" condition
 * ")" | "!" condition | FUNCTION "(" condition "," condition ")"
 *
 * OPERATOR is one of + - * / % << >> & | ^ == != < <= > >= && ||, FUNCTION one of min max ceildiv gcd lcm log2, where
 * log2(a, b) is the binary logarithm of a in b-ths. */
#ifndef CUTUNE_DB_SIZE_CONDITION_H
#define CUTUNE_DB_SIZE_CONDITION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "db/size_simplify.h"

struct size_condition; /* NULL: holds for all sizes */

/* As many different parts as a condition may have, with those that it shares: their values lie on the stack. */
enum { SIZE_CONDITION_PARTS_MAX = 2048 };

/* Parses a text; "" is the condition that always holds. ERROR_SYNTAX names the place. */
int size_condition_parse(struct arena *arena, const char *text, const char *const *names, size_t name_count,
                         const struct size_condition **condition, struct error *error);
/* Conditions that are parsed together. */
struct size_conditions {
    const char *const *texts;
    const char *const *names; /* of the sizes */
    size_t name_count;
    /* By size: the conditions are of sizes between these alone, and as simple as they are there. NULL: of any. */
    const struct size_range *ranges;
    /* By condition: the number of an earlier one whose values, and those of the ones before it, this one takes for what
     * they have in common. An evaluation must have found its value before. SIZE_MAX: none, it stands alone. NULL: all
     * do. */
    const size_t *after;
};
/* Parses `count` of them; what `conditions` get belongs to the arena, and is NULL for "" and after an error.
 * ERROR_SYNTAX names the place, or the condition with too many parts. */
int size_conditions_parse(struct arena *arena, const struct size_conditions *of, size_t count,
                          const struct size_condition **conditions, struct error *error);

/* Parses a conjunction as two conditions: of its parts that have one of the first `first` names, and of those that have
 * none. Otherwise as size_condition_parse. */
int size_condition_split(struct arena *arena, const char *text, const char *const *names, size_t name_count,
                         size_t first, const struct size_condition **with, const struct size_condition **without,
                         struct error *error);

/* Whether it is known to hold for all sizes (in the ranges that it is of). */
bool size_condition_always(const struct size_condition *condition);

/* Returns whether the condition depends on the name with that number. */
bool size_condition_asks(const struct size_condition *condition, size_t name);

/* Its value; any number but 0 is true. */
int64_t size_condition_value(const struct size_condition *condition, const int64_t *sizes);
bool size_condition_holds(const struct size_condition *condition, const int64_t *sizes);

/* Several conditions for the same sizes. Large: zeroing it takes longer than most evaluations. */
struct size_evaluation {
    const int64_t *sizes;
    int64_t values[SIZE_CONDITION_PARTS_MAX];
};
/* The sizes must outlive the evaluation. */
void size_evaluation_begin(struct size_evaluation *evaluation, const int64_t *sizes);
int64_t size_evaluation_value(struct size_evaluation *evaluation, const struct size_condition *condition);

/* What is written as C: calls of PREFIXplus, PREFIXless ... of choose_fit.h, and constants part_0, part_1 ... */
struct size_printer {
    const char *prefix;
    const char *const *names; /* the variables with the sizes */
    struct text *parts;       /* gets the constants, as statements; NULL: none, the text repeats what they would have */
    int indent;               /* of these */
    size_t count;             /* of constants until now */
    struct size_node *last;   /* the constant in scope that was made last */
};

/* Appends a condition to `text`, "1" for NULL. It marks the conditions, so two printers cannot have constants of one in
 * scope at the same time. Constants are what it has more than once, or what `later` conditions have, too, which
 * may take them: those that `condition` needs are made, unless they are in scope. */
void size_printer_put(struct size_printer *printer, const struct size_condition *condition,
                      const struct size_condition *const *later, size_t later_count, struct text *text);
/* The end of a block: constants made behind `last` are in scope no more. */
void size_printer_leave(struct size_printer *printer, struct size_node *last);

#endif
