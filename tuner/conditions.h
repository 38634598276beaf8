/* The conditions under which times are measured. They change what a number means: a journal holds numbers of one set of
 * conditions, which its header notes as text. */
#ifndef CUTUNE_TUNER_CONDITIONS_H
#define CUTUNE_TUNER_CONDITIONS_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/option.h"
#include "base/text.h"
#include "device/device.h"

struct conditions {
    const char *cache; /* "cold": the L2 is flushed before each sample; "warm": it is left alone. Borrowed */
    int64_t samples;   /* of a configuration, at most */
    double confidence; /* of the interval of the median, 0..1 */
    double target_interval_percent, timeout_s;
    double min_occupancy; /* 0..1 */
};

/* The option row of a condition, for a struct conditions at `base` in the values of a command. A table of options has
 * the rows of all by this and conditions.def:
 *     #define CONDITION(...) CONDITIONS_ROW(offsetof(struct my_values, conditions), __VA_ARGS__),
 *     #include "tuner/conditions.def" */
#define CONDITIONS_ROW(base, option, member, kind, shape, least, most, words, usual, text)                             \
    {                                                                                                                  \
        .name = option, .argument = shape, .type = kind, .offset = (base) + offsetof(struct conditions, member),       \
        .min = least, .max = most, .choices = words, .default_ = usual, .help = text                                   \
    }

/* Reads what conditions_text wrote. A name that is missing has its default; a name that is unknown is left out: it came
 * from another version, whose numbers the fingerprint keeps apart. `conditions` borrows from `arena`.
 * ERROR_USAGE for a value that is not allowed. */
int conditions_read(struct conditions *conditions, struct arena *arena, const char *text, struct error *error);

/* ERROR_USAGE when so few samples have no interval of that confidence. */
int conditions_check(const struct conditions *conditions, struct error *error);

/* "cache=cold samples=128 ...", as journals and the database note it; every version writes the same. */
void conditions_text(const struct conditions *conditions, struct text *text);

#endif
