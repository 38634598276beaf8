/* The set of valid configurations of a space: what every constraint allows, numbered 0 .. count - 1. Strategies work on
 * these indices alone. The order of the numbers is the engine's and the same for the same space.
 *
 * It is a product of decision diagrams, one for each group of parameters that constraints tie together (space/build.h),
 * and is never listed: everything below is in O(parameters x log values) unless it says otherwise. */
#ifndef CUTUNE_SPACE_VALID_SET_H
#define CUTUNE_SPACE_VALID_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/random.h"
#include "space/space.h"

struct valid_set;

enum { VALID_SET_DEFAULT_BYTES = 1 << 30 };

/* From a bound space. ERROR_MEMORY when it would need more than `max_bytes` (the work is bounded by the same number),
 * with the constraints to blame; ERROR_VALUE for a constraint that has no value (division by zero, overflow) at a
 * configuration that no other constraint excludes. An empty set is no error. The space must outlive the set. */
int valid_set_build(struct valid_set **set, const struct space *space, size_t max_bytes, struct error *error);

/* From an explicit list: `count` rows of one choice per parameter (for a journal that is replayed). Equal rows count
 * once. O(count x log count). */
int valid_set_from_list(struct valid_set **set, const struct space *space, const uint32_t *choices, size_t count,
                        struct error *error);

void valid_set_free(struct valid_set *set); /* may be NULL */

/* UINT64_MAX: that many or more; then only the configurations that have a number below it can be named by an index. */
uint64_t valid_set_count(const struct valid_set *set);
/* The count as a float, right beyond 64 bits as well. */
double valid_set_count_real(const struct valid_set *set);
size_t valid_set_parameter_count(const struct valid_set *set);
/* How many values a parameter has (in the space, whether or not they occur in the set). */
uint32_t valid_set_value_count(const struct valid_set *set, size_t parameter);
/* Of all combinations of values, valid or not; saturates at UINT64_MAX. */
uint64_t valid_set_cartesian(const struct valid_set *set);
/* Size of the diagram. */
size_t valid_set_nodes(const struct valid_set *set);
size_t valid_set_bytes(const struct valid_set *set);
/* How many combinations the space's constraint number `constraint` removes of those that the constraints before it
 * leave: for all constraints together the combinations that are not valid. NaN when that is not known: it would need
 * too much memory, or the set is a list. Builds up to two smaller sets on the first call for a constraint; not for two
 * threads at once. */
double valid_set_removed(const struct valid_set *set, size_t constraint);

/* index < count. */
void valid_set_get(const struct valid_set *set, uint64_t index, uint32_t *choices);
/* False when the configuration is not valid. `index` may be NULL; it is UINT64_MAX for one that has no number. */
bool valid_set_find(const struct valid_set *set, const uint32_t *choices, uint64_t *index);
/* The same for the configuration of the `default` statement; false, too, where there is none, and `index` is
 * UINT64_MAX then. `space` is that of the set. */
bool valid_set_find_default(const struct valid_set *set, const struct space *space, uint64_t *index);
/* Uniform over the indices; the set is not empty. */
uint64_t valid_set_sample(const struct valid_set *set, struct random *random);
/* Uniform over the set also where it has more configurations than indices. */
void valid_set_draw(const struct valid_set *set, struct random *random, uint32_t *choices);
/* Makes `choices`, of any values whatever, the valid configuration that differs from it in the fewest parameters, and
 * among these the one whose values are fewest positions away in sum. The set is not empty. O(size of the diagram).
 * ERROR_MEMORY or 0. */
int valid_set_nearest(const struct valid_set *set, uint32_t *choices, struct error *error);

enum neighbourhood {
    NEIGHBOURS_ANY,     /* one parameter has any other value */
    NEIGHBOURS_ADJACENT /* one parameter has the next or previous value of its list */
};
/* Writes the first `room` valid neighbours of a configuration, by parameter and value, and returns how many there are.
 * O(all values x parameters of a diagram). */
size_t valid_set_neighbours(const struct valid_set *set, uint64_t index, enum neighbourhood neighbourhood,
                            uint64_t *neighbours, size_t room);

/* All configurations in the order of their indices, each from the one before in O(1) on average. */
struct valid_walk {
    const struct valid_set *set;
    bool started;
    uint32_t choices[SPACE_PARAMETERS_MAX];
    uint32_t nodes[SPACE_PARAMETERS_MAX], arcs[SPACE_PARAMETERS_MAX]; /* by level of all components in a row */
};
void valid_walk_start(const struct valid_set *set, struct valid_walk *walk);
/* False at the end. Else *choices is the next configuration, valid until the next call, and *first_changed (may be
 * NULL) the lowest parameter whose choice is another than before (0 at the first). */
bool valid_walk_next(struct valid_walk *walk, const uint32_t **choices, size_t *first_changed);

#endif
