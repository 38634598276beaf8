/* What identifies a run: all that a recorded number depends on. A number may stand beside another in one journal only
 * when all of it is the same. Which GPU of a model measured is no part of it. */
#ifndef CUTUNE_BASE_PROVENANCE_H
#define CUTUNE_BASE_PROVENANCE_H

#include "base/error.h"
#include "base/hash.h"

/* All borrowed; "" is none. */
struct provenance {
    const char *schema;                          /* of the journal */
    const char *kernel;                          /* its name expression */
    const char *problem;                         /* "ROWS=8192 COLS=8192" */
    const char *options;                         /* those that change what a measurement means */
    const char *source, *space, *toolkit, *data; /* hashes: of the source with its headers, of the space, of the
                                                    toolkit's headers, of the files that fill buffers */
    const char *device, *cc, *driver;
    const char *nvrtc, *nvrtc_build;
    const char *cutune; /* its version */
};

/* The fingerprint of all fields. ERROR_MEMORY. */
int provenance_fingerprint(const struct provenance *provenance, char fingerprint[HASH_HEX_BYTES], struct error *error);

#endif
