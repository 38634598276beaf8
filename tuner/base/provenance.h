/* What identifies a run and what it was measured on: part of a journal's header, of a row of the database and of a run
 * in a comparison. provenance.def says of each field how files name it and what a difference in it means. */
#ifndef CUTUNE_BASE_PROVENANCE_H
#define CUTUNE_BASE_PROVENANCE_H

#include <stdbool.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/limits.h"

/* Texts are borrowed; "" is unknown, and NULL, in one that is to be written, too. NaN: unknown. */
struct provenance {
    const char *kernel; /* struct space's name */
    const char *title;
    const char *problem;                  /* "ROWS=8192 COLS=8192" */
    const char *fingerprint;              /* provenance_fingerprint; of what an importer read: of its rows */
    const char *source_hash, *space_hash; /* of the source with its headers; of the space's text */
    const char *options;                  /* "cache=cold min-occupancy=0": those that change what a measurement means */
    const char *nvrtc;                    /* "13.0" */
    const char *nvrtc_build;              /* its exact build */
    const char *toolkit_hash;             /* of the toolkit's headers that the source includes */
    const char *data_hash;                /* of the contents of files that fill buffers */
    const char *date;                     /* UTC */
    const char *version;                  /* of cutune */
    const char *default_;                 /* the space's default configuration, "TILE=32 PAD=0" */
    double bytes;                         /* least traffic of the kernel */
    double flops;                         /* its floating-point operations */
    struct ceilings ceilings;             /* measured on this device */
    double floor_ns;             /* what it takes at least, by the copy ceiling or, of a pipeline, by the link */
    struct device_limits device; /* `uuid` tells which GPU of this model measured: no part of a run's identity */
};

/* In which respect two runs differ. */
enum provenance_part {
    PROVENANCE_FREE = 0,
    PROVENANCE_KEY = 1,        /* kernel, problem and device: what a result is for */
    PROVENANCE_VERSION = 2,    /* of the source and the space */
    PROVENANCE_CONDITIONS = 4, /* data and options */
    PROVENANCE_TOOLS = 8,      /* NVRTC, toolkit, driver and CUDA, to the build */
    PROVENANCE_PROGRAM = 16,   /* cutune */
    PROVENANCE_QUESTION = PROVENANCE_VERSION | PROVENANCE_CONDITIONS
};

enum provenance_kind { PROVENANCE_TEXT, PROVENANCE_PAIRS, PROVENANCE_CHARS, PROVENANCE_REAL, PROVENANCE_INTEGER };

/* A row of provenance.def. */
struct provenance_field {
    const char *key;
    enum provenance_kind kind;
    enum provenance_part part;
    size_t offset, size; /* in struct provenance */
};
extern const struct provenance_field provenance_fields[];
extern const size_t provenance_field_count;

/* Nothing is known. */
struct provenance provenance_unknown(void);

/* Orders two runs by the fields of some parts (an OR of enum provenance_part); 0: they agree in all of them. */
int provenance_compare(const struct provenance *a, const struct provenance *b, unsigned parts);
bool provenance_same(const struct provenance *a, const struct provenance *b, unsigned parts);

/* Negative: `a` has the newer NVRTC, else CUDA version, else driver; then *reason says which. 0: neither is newer. */
int provenance_newer_tools(const struct provenance *a, const struct provenance *b, const char **reason);

/* The identity of a run: all that a recorded number depends on, which is every part, the device's compute capability
 * and the schema of the journal. Numbers may stand in one journal only when their fingerprints are equal. ERROR_MEMORY.
 */
int provenance_fingerprint(const struct provenance *provenance, int schema, char fingerprint[HASH_HEX_BYTES],
                           struct error *error);

#endif
