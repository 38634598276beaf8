/* What launches demand of a device and of the buffers, beside the constraints of the file: one row for each rule by
 * which a run leaves configurations out before it compiles them. A row is a condition in the language, so that valid
 * sets, runs, checks, fits over sizes, headers and the library all know it (space/condition.h). */
#ifndef CUTUNE_SPACE_DEMAND_H
#define CUTUNE_SPACE_DEMAND_H

#include "space/expr.h"

enum { DEMAND_NUMBERS_MAX = 4 };

struct demand {
    const char *name;                     /* the device limit ("max_grid_x"), or the statement ("cluster") */
    const char *text;                     /* the condition in the language */
    const struct expr *condition, *bound; /* as written; and for the sizes and the device of a bound space */
    int line;                             /* of the statement */
    unsigned of;                          /* what asks for it: bits 1 << enum launch_of */
    bool constraint; /* valid configurations satisfy it; where another does not hold, one becomes `pruned_limit` */
    bool run_only;   /* only a run knows: device memory, which others may use as well */
    const char *why; /* unless it is a constraint: the message, in which each $ stands for a number */
    const struct expr *numbers[DEMAND_NUMBERS_MAX]; /* NULL: it overflows */
};

/* Lists those of the space, after all statements were read. */
int demands_make(struct space *space, struct error *error);
/* Prepares them for a bound space, and adds the constraints among them to the space's. */
int demands_bind(struct space *space, struct error *error);

/* ---- For the techniques, which append their own ---- */

struct demand_list {
    struct space *space;
    const struct expr *place; /* for errors: an expression of the statement */
    const char *name;         /* of the statement */
    int line;                 /* of the statement */
    unsigned of;              /* bits 1 << enum launch_of */
    const char *when;         /* the condition under which they are asked; NULL: always */
    bool run_only;            /* as in struct demand */
    struct error *error;
};

/* Appends a demand: its condition, then its message and what the numbers of it are, all but the message in the
 * language. A text that is NULL stands for out of memory. */
int demand_add(struct demand_list *list, const char *condition, const char *const *message, size_t count);
#define DEMAND(list, condition, ...)                                                                                   \
    TRY(demand_add(list, condition, (const char *const[]){__VA_ARGS__},                                                \
                   sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *)))
/* "(ROWS * 2)": an expression to be part of another; `otherwise` for none. NULL: out of memory. */
const char *demand_part(const struct demand_list *list, const struct expr *expr, const char *otherwise);
/* A text of the space's arena; NULL: out of memory, also of a part that is NULL. */
const char *demand_text(const struct demand_list *list, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The bytes of a buffer. */
const char *demand_buffer_bytes(const struct demand_list *list, uint32_t buffer);

#endif
