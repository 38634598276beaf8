/* Between the files of the fake runtime. */
#ifndef CUTUNE_TESTS_FAKE_PRIVATE_H
#define CUTUNE_TESTS_FAKE_PRIVATE_H

#include "fake_cuda.h"

enum { FAKE_SCRIPT_BYTES = 256, FAKE_L2_BYTES = 1 << 16 };

/* The runtime remembers its last error. */
cudaError_t fake_fail(cudaError_t result);
void fake_misuse(const char *what);
extern cudaError_t fake_context; /* what broke it */

/* Frees what cudaFree (`device`) or cudaFreeHost may. */
cudaError_t fake_release(void *memory, bool device);
void fake_release_all(void);
bool fake_is_device(const void *memory, size_t bytes);
bool fake_is_pooled(const void *memory);

/* What a script says; see fake_cuda.h. */
struct fake_script {
    double time_ns, first_ns, cold_ns, noise, drift;
    double registers, local, shared;
    char letter;
    struct fake_strike {
        unsigned first, every; /* numbers of launches, from 1; first 0: never */
    } strikes[FAKE_FAULT_COUNT];
};
/* The script in a cubin's bytes, or in the text that stands for one; "" when it has none. */
void fake_script_of(const void *code, size_t room, char *script);
/* Says on standard error what is wrong with a script, and aborts: a test is wrong. */
struct fake_script fake_parse(const char *script);

/* A loaded kernel. */
struct fake_loaded {
    struct fake_script script;
    struct fake_count *count; /* of the script and kernel, shared by all processes */
    bool helper;              /* a kernel of cutune's own */
    bool warm;                /* it ran since it was loaded */
    uint64_t flushes;         /* when it ran last */
};
struct fake_count *fake_count_of(const char *script, const char *kernel);
/* Counts a try to load or launch; what comes of it. */
cudaError_t fake_loading(const struct fake_loaded *loaded);
cudaError_t fake_launching(const struct fake_loaded *loaded);
/* Runs it with all its faults; what it costs, in ns of the nominal clock. */
double fake_run(const struct fake_kernel *kernel, const uint64_t *arguments, uint64_t flushes);

void fake_count_life(void);
void fake_note(char letter);
/* All that the processes share. */
void fake_forget(void);

#endif
