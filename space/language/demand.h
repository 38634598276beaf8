/* Demands of launches on the device and the buffers, beside the file's constraints: a row for each rule that excludes
 * configurations before compilation. A row is a condition in the language, so that valid sets, runs, checks, fits over
 * sizes, headers and the library share it (space/language/condition.h). */
#ifndef CUTUNE_LANGUAGE_DEMAND_H
#define CUTUNE_LANGUAGE_DEMAND_H

#include "expression/expr.h"

enum { DEMAND_NUMBERS_MAX = 4 };

struct demand {
    const char *name;                     /* the device limit ("max_grid_x"), or the statement ("cluster") */
    const char *text;                     /* the condition in the language */
    const struct expr *condition, *bound; /* as written; bound to sizes and device limits */
    int line;                             /* of the statement */
    unsigned of;                          /* launches with the demand: bits 1 << enum launch_of */
    bool constraint; /* part of the valid set; a configuration that violates another demand becomes `pruned_limit` */
    bool run_only;   /* known only in a run: free device memory depends on other processes */
    const char *why; /* message, with each $ replaced by a number; NULL for a constraint */
    const struct expr *numbers[DEMAND_NUMBERS_MAX]; /* NULL: the number overflows */
};

/* ---- demands.c: those of a space ---- */

/* Lists the demands of the space, once all statements are read. */
int demands_make(struct space *space, struct error *error);
/* Prepares the demands of a bound space and adds the constraints among them to the space's. */
int demands_bind(struct space *space, struct error *error);

/* ---- demand.c: appending one, for demands.c and the techniques ---- */

struct demand_list {
    struct space *space;
    const struct expr *place; /* for errors: an expression of the statement */
    const char *name;         /* of the statement */
    int line;                 /* of the statement */
    unsigned of;              /* bits 1 << enum launch_of */
    const char *when;         /* condition under which the demands apply; NULL: always */
    bool run_only;            /* as in struct demand */
    struct error *error;
};

/* Appends a demand without a message; NULL after an error, which the list's error reports. The condition is in the
 * language; NULL means out of memory. */
struct demand *demand_append(struct demand_list *list, const char *condition);
/* Appends a demand: its condition, its message, and the numbers in the message. Condition and numbers are in the
 * language. A NULL text means out of memory. */
int demand_add(struct demand_list *list, const char *condition, const char *const *message, size_t count);
#define DEMAND(list, condition, ...)                                                                                   \
    TRY(demand_add(list, condition, (const char *const[]){__VA_ARGS__},                                                \
                   sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *)))
/* Returns the text of an expression for use in another, such as "(ROWS * 2)"; `otherwise` if `expr` is NULL. NULL: out
 * of memory. */
const char *demand_part(const struct demand_list *list, const struct expr *expr, const char *otherwise);
/* Formats a text in the space's arena; NULL: out of memory, or a part is NULL. */
const char *demand_text(const struct demand_list *list, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* True if the launch's shape, or whether there is one, differs in the rounds of a loop, so that no condition limits
 * it. */
bool demand_varies(const struct step *step);
/* Sets list->when to the condition under which a run has the launch, as far as it is the same in all rounds. */
int demand_launched(struct demand_list *list, const struct step *step);
/* Returns the size of a buffer in bytes, as the text of an expression. */
const char *demand_buffer_bytes(const struct demand_list *list, uint32_t buffer);

#endif
