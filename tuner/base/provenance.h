/* The identity of a run and of the system that it was measured on: part of a journal's header, of a row of the
 * database and of a run in a comparison. Each field's name in files, and the meaning of a difference in it, are in
 * provenance.def. */
#ifndef CUTUNE_BASE_PROVENANCE_H
#define CUTUNE_BASE_PROVENANCE_H

#include <stdbool.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/limits.h"

/* Texts are borrowed; "" is unknown, as is NULL in a provenance to be written. NaN: unknown. */
struct provenance {
    const char *kernel; /* name of the space */
    const char *title;
    const char *problem;                  /* "ROWS=8192 COLS=8192" */
    const char *fingerprint;              /* provenance_fingerprint; of imported runs: hash of their rows */
    const char *source_hash, *space_hash; /* of the source with its headers; of the text of the space */
    const char *options;         /* "cache=cold min-occupancy=0": options that change the meaning of a measurement */
    const char *nvrtc;           /* "13.0": version of the compiler */
    const char *nvrtc_build;     /* its exact build; "nvcc ..." if it is nvcc */
    const char *toolkit_hash;    /* of the toolkit headers that the source includes */
    const char *data_hash;       /* of the contents of files that fill buffers */
    const char *date;            /* UTC */
    const char *version;         /* of cutune */
    const char *default_;        /* the space's default configuration, "TILE=32 PAD=0" */
    double bytes;                /* least memory traffic of the kernel */
    double flops;                /* its floating-point operations */
    struct ceilings ceilings;    /* measured on this device */
    struct event_timer timer;    /* of this device */
    double roofline_ns;          /* roofline time by the copy ceiling or, of a pipeline, by the link */
    struct device_limits device; /* `uuid` identifies the GPU and is not part of a run's identity */
};

/* Respects in which two runs can differ. */
enum provenance_part {
    PROVENANCE_FREE = 0,
    PROVENANCE_KEY = 1,        /* kernel, problem and device: the validity of a result */
    PROVENANCE_VERSION = 2,    /* of the source and the space */
    PROVENANCE_CONDITIONS = 4, /* data and options */
    PROVENANCE_TOOLS = 8,      /* exact versions of NVRTC, toolkit, driver and CUDA */
    PROVENANCE_PROGRAM = 16,   /* cutune */
    PROVENANCE_QUESTION = PROVENANCE_VERSION | PROVENANCE_CONDITIONS
};

enum provenance_kind {
    PROVENANCE_TEXT,
    PROVENANCE_NAME,
    PROVENANCE_PAIRS,
    PROVENANCE_CHARS,
    PROVENANCE_REAL,
    PROVENANCE_ABOVE_ZERO,
    PROVENANCE_INTEGER
};

/* A row of provenance.def. */
struct provenance_field {
    const char *key;
    const char *meaning; /* with the unit, for the manual */
    enum provenance_kind kind;
    enum provenance_part part;
    size_t offset, size; /* of the field in struct provenance */
};
extern const struct provenance_field provenance_fields[];
extern const size_t provenance_field_count;

/* In `options`: the default configuration was the reference, so nothing else verified the results. */
#define PROVENANCE_UNVERIFIED "reference=unverified"
bool provenance_unverified(const struct provenance *provenance);

/* A provenance with all fields unknown. */
struct provenance provenance_unknown(void);

/* Orders two runs by the fields of some parts (an OR of enum provenance_part). 0: all of them agree. */
int provenance_compare(const struct provenance *a, const struct provenance *b, unsigned parts);
bool provenance_same(const struct provenance *a, const struct provenance *b, unsigned parts);

/* Describes the first of some parts in which two runs differ: "another version of the source or space"; NULL: they
 * agree. */
const char *provenance_difference(const struct provenance *a, const struct provenance *b, unsigned parts);

/* The name of the compiler: "NVRTC", "nvcc" or "command". */
const char *provenance_compiler(const struct provenance *provenance);

/* Negative: `a` has the newer NVRTC, else CUDA version, else driver, and *reason names it. 0: neither is newer. */
int provenance_newer_tools(const struct provenance *a, const struct provenance *b, const char **reason);

/* Computes the identity of a run from everything its numbers depend on: all parts, the device's compute capability and
 * the journal's schema. One journal holds numbers of one fingerprint only. Fails with ERROR_MEMORY. */
int provenance_fingerprint(const struct provenance *provenance, int schema, char fingerprint[HASH_HEX_BYTES],
                           struct error *error);

#endif
