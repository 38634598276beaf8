/* The conditions of measuring. They change the meaning of a time: one journal holds times of one set of conditions,
 * noted as text in its header. */
#ifndef CUTUNE_SESSION_CONDITIONS_H
#define CUTUNE_SESSION_CONDITIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/option.h"
#include "base/text.h"
#include "device/device.h"

struct conditions {
    const char *cache; /* "cold": the L2 cache is flushed before each sample; "warm": it is not. Borrowed */
    const char *state; /* "burst": play-offs rest where the power cap lowers the clock; "sustained": they run under
                          continuous load. Borrowed */
    int64_t samples;   /* maximum for each configuration */
    double confidence; /* of the median's interval, 0..1 */
    double target_interval_percent, timeout_s;
    double min_occupancy; /* 0..1 */
    double power_s;       /* for which a configuration is repeated to measure the power; 0: it is not */
};

/* The option row of a condition, for a struct conditions at offset `base` in a command's values. A table of options
 * includes all rows with:
 *     #define CONDITION(...) CONDITIONS_ROW(offsetof(struct my_values, conditions), __VA_ARGS__),
 *     #include "session/conditions.def"
 */
#define CONDITIONS_ROW(base, option, member, kind, shape, least, most, words, usual, text)                             \
    {                                                                                                                  \
        .name = option, .argument = shape, .type = kind, .offset = (base) + offsetof(struct conditions, member),       \
        .min = least, .max = most, .choices = words, .default_ = usual, .help = text                                   \
    }

/* Reads the text that conditions_text writes. A missing name gets its default. Unknown names, of another version, are
 * ignored: its fingerprint keeps the runs apart. `conditions` borrows from `arena`. ERROR_USAGE for an invalid
 * value. */
int conditions_read(struct conditions *conditions, struct arena *arena, const char *text, struct error *error);

/* ERROR_USAGE if the samples are too few for the confidence. */
int conditions_check(const struct conditions *conditions, struct error *error);

/* True for the state "sustained". */
bool conditions_sustained(const struct conditions *conditions);

/* Part of the text: times are without the time of the events that measure them. Those of earlier versions contain it.
 */
#define CONDITIONS_EVENTS "events=excluded"

/* Writes "cache=cold samples=128 ..." for journals and the database; the same text in every version that measures in
 * the same way. */
void conditions_text(const struct conditions *conditions, struct text *text);

#endif
