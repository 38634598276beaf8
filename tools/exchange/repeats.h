/* Configurations in several rows of an imported file, because another tool has measured them repeatedly. All rows of a
 * configuration count as one measurement, the median. */
#ifndef CUTUNE_EXCHANGE_REPEATS_H
#define CUTUNE_EXCHANGE_REPEATS_H

#include "base/text.h"
#include "base/text_set.h"
#include "journal/journal.h"

struct repeats {
    struct text_set configurations;
    struct arena texts; /* owns the texts of the set */
    struct repeats_row {
        uint32_t configuration; /* index in the set */
        double value;           /* NaN: failed */
    } * rows;
    struct repeats_group {
        size_t first, count, failed; /* rows; rows without a value */
        enum status failure;         /* of the last failed row */
        uint32_t samples;            /* sums */
        int64_t measure_ns;
        bool taken;
    } * groups;
    size_t row_count, row_room, group_room;
    size_t repeated; /* configurations with more than one row; set by repeats_ready */
};

/* Appends a text that is the same for equal configurations: 1 equals 1.0. */
void repeats_key(struct text *key, const char *const *values, size_t count);

/* Adds a row of the first pass through a file. ERROR_MEMORY. */
int repeats_add(struct repeats *repeats, const struct journal_row *row, size_t parameter_count, struct error *error);
/* Ends the first pass. */
void repeats_ready(struct repeats *repeats);
/* Replaces the measurement of a row, in the second pass, by that of its configuration. That is the median if at least
 * half of its rows have a value, else the last failure. `*again`: an earlier row had the same configuration. */
void repeats_merge(struct repeats *repeats, struct journal_row *row, size_t parameter_count, bool *again);
/* Gives a merged measurement the samples and the measuring time of all its rows, for files in which each configuration
 * becomes one row. */
void repeats_sum(const struct repeats *repeats, struct journal_row *row, size_t parameter_count);
void repeats_free(struct repeats *repeats);

#endif
