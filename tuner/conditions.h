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

/* The option rows of the conditions, with names, bounds, defaults and help, for a struct conditions that begins at
 * `base` in the values of a command. */
#define CONDITIONS_OPTION(base, member) .offset = (base) + offsetof(struct conditions, member)
#define CONDITIONS_OPTIONS(base)                                                                                       \
    {.name = "timeout",                                                                                                \
     .argument = "S",                                                                                                  \
     .type = OPTION_REAL,                                                                                              \
     CONDITIONS_OPTION(base, timeout_s),                                                                               \
     .min = 0.05,                                                                                                      \
     .max = 1e6,                                                                                                       \
     .default_ = "30",                                                                                                 \
     .help = "limit in seconds for compiling, and for verifying and timing, one configuration"},                       \
        {.name = "min-occupancy",                                                                                      \
         .argument = "X",                                                                                              \
         .type = OPTION_REAL,                                                                                          \
         CONDITIONS_OPTION(base, min_occupancy),                                                                       \
         .min = 0,                                                                                                     \
         .max = 1,                                                                                                     \
         .default_ = "0",                                                                                              \
         .help = "prune configurations of less occupancy, from 0 to 1"},                                               \
        {.name = "cache",                                                                                              \
         .argument = "cold|warm",                                                                                      \
         .type = OPTION_CHOICE,                                                                                        \
         .choices = "cold|warm",                                                                                       \
         CONDITIONS_OPTION(base, cache),                                                                               \
         .default_ = "cold",                                                                                           \
         .help = "the L2 cache before each sample: flushed, or as the launch before left it"},                         \
        {.name = "samples",                                                                                            \
         .argument = "N",                                                                                              \
         .type = OPTION_INT,                                                                                           \
         CONDITIONS_OPTION(base, samples),                                                                             \
         .min = 2,                                                                                                     \
         .max = DEVICE_SAMPLES_MAX,                                                                                    \
         .default_ = "128",                                                                                            \
         .help = "time a configuration at most N times before the play-off"},                                          \
        {.name = "confidence",                                                                                         \
         .argument = "X",                                                                                              \
         .type = OPTION_REAL,                                                                                          \
         CONDITIONS_OPTION(base, confidence),                                                                          \
         .min = 0.5,                                                                                                   \
         .max = 0.9999,                                                                                                \
         .default_ = "0.95",                                                                                           \
         .help = "of the interval of the median, from 0.5 to 0.9999"},                                                 \
    {                                                                                                                  \
        .name = "target-interval", .argument = "PCT", .type = OPTION_REAL,                                             \
        CONDITIONS_OPTION(base, target_interval_percent), .min = 0.001, .max = 100, .default_ = "0.5",                 \
        .help = "no more samples than make half of the interval PCT per cent of the median"                            \
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
