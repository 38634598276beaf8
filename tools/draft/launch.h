/* A launch of a kernel in the host code of its own file, as `scale<TILE><<<grid, block>>>(out, in, n)`, and its
 * expressions in the space language. Only what the text says for certain is translated: numbers, names with one visible
 * definition, and operators that both languages have. */
#ifndef CUTUNE_DRAFT_LAUNCH_H
#define CUTUNE_DRAFT_LAUNCH_H

#include "draft/macros.h"
#include "draft/scan.h"

enum { LAUNCH_ARGUMENTS_MAX = 64, LAUNCH_ALIASES_MAX = 96 };

struct host_launch {
    const struct scan *scan;
    struct arena *arena;
    const struct macros *macros;
    size_t at; /* token of the kernel's name; definitions stand above it */
    int line;  /* 0: the file has no launch of the kernel */
    struct scan_range templates, grid, block, shared;
    struct scan_range arguments[LAUNCH_ARGUMENTS_MAX];
    size_t argument_count;
    struct {
        const char *name, *text; /* a name of the host code, such as "n" or "block.x", and its text in the space */
    } aliases[LAUNCH_ALIASES_MAX];
    size_t alias_count;
};

void launch_find(struct host_launch *launch, const struct scan *scan, struct arena *arena, const char *kernel);

/* The part of the template arguments; an empty range: none. */
struct scan_range launch_template(const struct host_launch *launch, size_t number);

/* The name if the argument is a name or a member, as in "n" and "size.x"; else NULL. */
const char *launch_argument_name(const struct host_launch *launch, size_t number);

void launch_alias(struct host_launch *launch, const char *name, const char *text);

/* Translates a part of the host code; NULL: that is impossible. */
const char *launch_translate(struct host_launch *launch, struct scan_range range);
/* Translates an argument of numbers alone, such as 2.5f. */
const char *launch_number(struct host_launch *launch, size_t number);
/* Translates the definition of a name: "1 << 20" for `int n = 1 << 20;`. */
const char *launch_definition(struct host_launch *launch, const char *name);

/* Splits a grid or block into up to three parts. *name: the dim3 variable, "" without. Returns their number; 0:
 * unknown. */
size_t launch_dimensions(struct host_launch *launch, struct scan_range range, struct scan_range parts[3],
                         const char **name);

#endif
