/* Candidates: code of other authors for the kernels of a space's launches. They are values of one more parameter, so
 * that a run compares them like configurations. */
#ifndef CUTUNE_SPACE_CANDIDATE_H
#define CUTUNE_SPACE_CANDIDATE_H

#include "space/space.h"

#define CANDIDATE_PARAMETER "CANDIDATE"
#define CANDIDATE_OWN       "default" /* its value for the space's own kernels */

enum candidate_kind {
    CANDIDATE_SOURCE,  /* CUDA C++ */
    CANDIDATE_CUBIN,   /* machine code */
    CANDIDATE_ARGUMENT /* for the space's compiler command */
};

struct candidate {
    const char *name;  /* its value of the parameter */
    const char *given; /* the file, as named by the user */
    const char *path;  /* the same for a compiler, which runs in the space's folder */
    enum candidate_kind kind;
    const char *code; /* contents of the file, NUL-terminated */
    size_t bytes;
    char hash[HASH_HEX_BYTES]; /* of the code with all that it includes, without toolkit headers */
    const char *refused;       /* why it is never compiled; NULL: it is compiled */
};

/* Adds the parameter to a space: behind the value for the space's own kernels, the names of the candidates in these
 * files, which are those without their suffix, made unique. Call it before space_bind, once. `source_hash` then
 * includes the candidates. ERROR_USAGE for a file that cannot be read, ERROR_DATA for a space without room for the
 * parameter. */
int space_admit(struct space *space, const char *const *paths, size_t count, struct error *error);

/* The candidate of a configuration; NULL: the space's own kernels. */
const struct candidate *space_candidate(const struct space *space, const uint32_t *choices);

#endif
