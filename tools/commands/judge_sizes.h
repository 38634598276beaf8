/* Sizes that the author of a candidate has not seen. */
#ifndef CUTUNE_COMMANDS_JUDGE_SIZES_H
#define CUTUNE_COMMANDS_JUDGE_SIZES_H

#include "base/arena.h"
#include "commands/find.h"

enum { JUDGE_SIZES_MAX = 64 };

/* Draws sizes near those that the space has with these defines: each large integer becomes one of half to all of it.
 * Most are odd if the configuration (NULL: the default) is valid there, without a device's limits. Otherwise, they are
 * multiples of 2, 8, 32, 128 or 512. *sizes gets "NAME=VALUE" texts in the arena, and *count their number; 0: no other
 * size was found. */
int judge_draw_sizes(struct arena *arena, const struct space_file *file, const char *const *defines,
                     size_t define_count, const char *configuration, uint64_t seed, const char *const **sizes,
                     size_t *count, struct error *error);

#endif
