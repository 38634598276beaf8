/* What is known about how one launch of a configuration runs, besides its time: resources, machine code, counters, the
 * stages of a pipeline, and the ceilings that it is held against. Numbers only; none of them decides which
 * configuration is faster. */
#ifndef CUTUNE_BASE_EVIDENCE_H
#define CUTUNE_BASE_EVIDENCE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/pack.h"
#include "base/range.h"
#include "base/text.h"

enum evidence_source {
    EVIDENCE_LAUNCH,
    EVIDENCE_CODE,
    EVIDENCE_COUNTER,
    EVIDENCE_STAGE,
    EVIDENCE_CEILING,
    EVIDENCE_SOURCES
};

struct evidence {
    char kernel[64]; /* in the space file, perhaps cut off */
    /* NaN: unknown. Meanings and units are in evidence.def. */
#define EVIDENCE(name, unit, source, range, meaning) double name;
#include "base/evidence.def"
#undef EVIDENCE
};

extern const struct pack_table evidence_table;

struct evidence_row {
    const char *name, *unit, *meaning;
    enum evidence_source source;
    enum range range;
    size_t offset; /* of the double in struct evidence */
};

extern const struct evidence_row evidence_rows[];
extern const size_t evidence_count;

/* All unknown, of no kernel. */
struct evidence evidence_unknown(void);

double evidence_get(const struct evidence *evidence, const struct evidence_row *row);
void evidence_put(struct evidence *evidence, const struct evidence_row *row, double value);
/* Returns the row of that name, or NULL. */
const struct evidence_row *evidence_find(const char *name);

/* Takes from `other` what `evidence` does not know. */
void evidence_add(struct evidence *evidence, const struct evidence *other);

/* Is a number of that source known? */
bool evidence_has(const struct evidence *evidence, enum evidence_source source);
/* Does the profiler measure items of that source, on the device? */
bool evidence_is_measured(enum evidence_source source);
/* Is such an item known? */
bool evidence_has_measured(const struct evidence *evidence);

/* "launch", "code", "counter", "stage", "ceiling". */
const char *evidence_source_name(enum evidence_source source);

/* Can the number be of that row? Otherwise it counts as unknown where it is measured, and as damage where it is read.
 */
bool evidence_may_be(const struct evidence_row *row, double value);

/* Appends "kernel=NAME name=value name=value ...", without what is unknown. */
void evidence_append(struct text *text, const struct evidence *evidence);

/* Reads such a text. Skips names that it does not know, which a later cutune wrote. ERROR_DATA for a word without
 * NAME=VALUE, a repeated name, a value that is no number or cannot be one of its row, or too long a kernel name. */
int evidence_parse(const char *text, struct evidence *evidence, struct error *error);

#endif
