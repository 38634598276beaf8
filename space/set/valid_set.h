/* The valid set of a space: the configurations that satisfy all constraints, numbered 0 .. count - 1. Strategies use
 * only these indices. The order is implementation-defined, and the same for the same space.
 *
 * The set is a product of decision diagrams, one for each group of parameters that constraints connect
 * (space/set/build.h), and is never listed: all functions take O(parameters x log values) unless documented otherwise.
 */
#ifndef CUTUNE_SET_VALID_SET_H
#define CUTUNE_SET_VALID_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/random.h"
#include "space/space.h"

struct valid_set;

enum { VALID_SET_DEFAULT_BYTES = 1 << 30 };

/* Builds the set of a bound space. ERROR_MEMORY, naming the responsible constraints, if it needs more than `max_bytes`
 * (which limits the work as well). ERROR_VALUE for a constraint without a value (division by zero, overflow) at a
 * configuration that no other constraint excludes. An empty set is not an error. The space must outlive the set. */
int valid_set_build(struct valid_set **set, const struct space *space, size_t max_bytes, struct error *error);

/* Builds the set from a list: `count` rows of one choice per parameter (for replaying a journal). Equal rows count
 * once. O(count x log count). */
int valid_set_from_list(struct valid_set **set, const struct space *space, const uint32_t *choices, size_t count,
                        struct error *error);

void valid_set_free(struct valid_set *set); /* may be NULL */

/* Number of configurations. UINT64_MAX: that many or more, and only the first UINT64_MAX have an index. */
uint64_t valid_set_count(const struct valid_set *set);
/* The count as a float, correct beyond 64 bits as well. */
double valid_set_count_real(const struct valid_set *set);
size_t valid_set_parameter_count(const struct valid_set *set);
/* Number of values of a parameter in the space, including values that no valid configuration has. */
uint32_t valid_set_value_count(const struct valid_set *set, size_t parameter);
/* Number of all combinations of values, valid or not; saturates at UINT64_MAX. */
uint64_t valid_set_cartesian(const struct valid_set *set);
/* Size of the diagram. */
size_t valid_set_nodes(const struct valid_set *set);
size_t valid_set_bytes(const struct valid_set *set);
/* Number of combinations that constraint `constraint` removes from those that all earlier constraints allow. The sum
 * over all constraints is the number of invalid combinations. NaN if unknown: too little memory, or the set is a list.
 * Builds up to two smaller sets on the first call for a constraint; not thread-safe. */
double valid_set_removed(const struct valid_set *set, size_t constraint);

/* `index` must be below the count. */
void valid_set_get(const struct valid_set *set, uint64_t index, uint32_t *choices);
/* Finds a configuration's index; false: invalid. `index` may be NULL; UINT64_MAX for a configuration without an
 * index. */
bool valid_set_find(const struct valid_set *set, const uint32_t *choices, uint64_t *index);
/* Same for the configuration of the `default` statement; without one, returns false and sets `index` to UINT64_MAX.
 * `space` must be the set's. */
bool valid_set_find_default(const struct valid_set *set, const struct space *space, uint64_t *index);
/* Uniform over the indices. The set must not be empty. */
uint64_t valid_set_sample(const struct valid_set *set, struct random *random);
/* Uniform over the set, even if it has more configurations than indices. */
void valid_set_draw(const struct valid_set *set, struct random *random, uint32_t *choices);
/* Replaces any `choices` by a close valid configuration. Goes parameter by parameter in the order of the diagram, and
 * keeps the wanted value if a valid configuration continues there, else the nearest such value. The set must not be
 * empty. O(parameters x values), without allocation, however large the diagram is. */
void valid_set_follow(const struct valid_set *set, uint32_t *choices);

enum neighbourhood {
    NEIGHBOURS_ANY,     /* one parameter has any other value */
    NEIGHBOURS_ADJACENT /* one parameter has the next or previous value of its list */
};
/* Writes the first `room` valid neighbours of a configuration, by parameter and value, and returns their total number.
 * O(all values x parameters of a diagram). */
size_t valid_set_neighbours(const struct valid_set *set, uint64_t index, enum neighbourhood neighbourhood,
                            uint64_t *neighbours, size_t room);

/* Visits all configurations in the order of their indices, in O(1) each on average. */
struct valid_walk {
    const struct valid_set *set;
    bool started;
    uint32_t choices[SPACE_PARAMETERS_MAX];
    uint32_t nodes[SPACE_PARAMETERS_MAX], arcs[SPACE_PARAMETERS_MAX]; /* by level, over all components in sequence */
};
void valid_walk_start(const struct valid_set *set, struct valid_walk *walk);
/* Returns false at the end. Otherwise sets *choices to the next configuration, valid until the next call, and
 * *first_changed (may be NULL) to the lowest parameter whose choice changed (0 at the first). */
bool valid_walk_next(struct valid_walk *walk, const uint32_t **choices, size_t *first_changed);

#endif
