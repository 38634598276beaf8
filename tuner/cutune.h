/* The public C API of libcutune: read what was tuned. Everything else of the library is internal and may change.
 *
 * Thread-safe: no global state. Nothing is printed, nothing exits. */
#ifndef CUTUNE_H
#define CUTUNE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* "0.1.0" */
const char *cutune_version(void);

enum { CUTUNE_TEXT_BYTES = 4096 };

/* The best configuration of a kernel, as the database has it. */
struct cutune_best {
    char configuration[CUTUNE_TEXT_BYTES]; /* "TILE=64 BLOCK_ROWS=8" */
    double time_ns;                        /* median; low_ns to high_ns is its 95% interval */
    double low_ns, high_ns;
    double speedup; /* over the space's default configuration; NaN: unknown */
};

/* Looks up kernel, device ("NVIDIA H200") and problem ("ROWS=8192 COLS=8192") in the database file. Returns 0 and fills
 * *best; 1 when there is no such row; -1 when the file cannot be read. `message` (may be NULL) of `room` bytes gets the
 * reason in one or more lines. */
int cutune_find(const char *database, const char *kernel, const char *device, const char *problem,
                struct cutune_best *best, char *message, size_t room);

#ifdef __cplusplus
}
#endif

#endif
