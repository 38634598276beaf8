/* The set of valid configurations of a space: what every constraint allows, numbered 0 .. count - 1 in the order of the
 * declared parameters and values. Strategies work on these indices alone. */
#ifndef CUTUNE_SPACE_VALID_SET_H
#define CUTUNE_SPACE_VALID_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/random.h"
#include "space/space.h"

struct valid_set;

enum { VALID_SET_DEFAULT_BYTES = 1 << 30 };

/* From a bound space. ERROR_MEMORY, with what to do, when it would need more than `max_bytes`, or more work than fits
 * that limit (2 steps a byte; a step is a combination looked at or an operation of a constraint, so the default allows
 * 2^31). ERROR_VALUE for an expression without a value, with the configuration so far. An empty set is no error. The
 * space must outlive the set. */
int valid_set_build(struct valid_set **set, const struct space *space, size_t max_bytes, struct error *error);

/* From an explicit list: `count` rows of one choice per parameter (for a journal that is replayed). Equal rows count
 * once. */
int valid_set_from_list(struct valid_set **set, const struct space *space, const uint32_t *choices, size_t count,
                        struct error *error);

void valid_set_free(struct valid_set *set); /* NULL is fine */

uint64_t valid_set_count(const struct valid_set *set);
size_t valid_set_parameter_count(const struct valid_set *set);
/* How many values a parameter has (in the space, whether or not they occur in the set). */
uint32_t valid_set_value_count(const struct valid_set *set, size_t parameter);
/* Of all combinations of values, valid or not; saturates at UINT64_MAX. */
uint64_t valid_set_cartesian(const struct valid_set *set);
/* How many combinations the space's constraint number `constraint` removed of those that the constraints before it (by
 * the level at which they are decided, then by their order) had left. A double: it can pass 2^64. */
double valid_set_removed(const struct valid_set *set, size_t constraint);

/* index < count. */
void valid_set_get(const struct valid_set *set, uint64_t index, uint32_t *choices);
/* False when the configuration is not valid. */
bool valid_set_find(const struct valid_set *set, const uint32_t *choices, uint64_t *index);
/* Uniform; the set is not empty. */
uint64_t valid_set_sample(const struct valid_set *set, struct random *random);

enum neighbourhood {
    NEIGHBOURS_ANY,     /* one parameter has any other value */
    NEIGHBOURS_ADJACENT /* one parameter has the next or previous value of its list */
};
/* Writes the first `room` valid neighbours of a configuration and returns how many there are. */
size_t valid_set_neighbours(const struct valid_set *set, uint64_t index, enum neighbourhood neighbourhood,
                            uint64_t *neighbours, size_t room);

#endif
