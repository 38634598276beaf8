/* Evidence about one launch of a configuration, besides its time: resources, machine code, counters, the stages of a
 * pipeline, and the ceilings to compare with. Numbers only; none of them decides which configuration is faster. */
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

/* Takes unknown values of `evidence` from `other`. */
void evidence_add(struct evidence *evidence, const struct evidence *other);

/* True if a number of that source is known. */
bool evidence_has(const struct evidence *evidence, enum evidence_source source);
/* True if the profiler measures that source on the device. */
bool evidence_is_measured(enum evidence_source source);
/* True if a number of such a source is known. */
bool evidence_has_measured(const struct evidence *evidence);

/* "launch", "code", "counter", "stage", "ceiling". */
const char *evidence_source_name(enum evidence_source source);

/* True if the number is possible for that row. An impossible number counts as unknown when measured, and as damage
 * when read from a file. */
bool evidence_may_be(const struct evidence_row *row, double value);

/* Appends the known values as "kernel=NAME name=value name=value ...". */
void evidence_append(struct text *text, const struct evidence *evidence);

/* Reads such a text. Skips unknown names: a later cutune may have written them. ERROR_DATA for a word without
 * NAME=VALUE, a repeated name, a value that is not a number or impossible for its row, or too long a kernel name. */
int evidence_parse(const char *text, struct evidence *evidence, struct error *error);

#endif
