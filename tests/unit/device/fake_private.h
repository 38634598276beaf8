/* Shared by the files of the fake runtime. */
#ifndef CUTUNE_TESTS_FAKE_PRIVATE_H
#define CUTUNE_TESTS_FAKE_PRIVATE_H

#include "fake_cuda.h"

enum { FAKE_SCRIPT_BYTES = 256, FAKE_L2_BYTES = 1 << 16 };

/* Records the runtime's last error and returns it. */
cudaError_t fake_fail(cudaError_t result);
void fake_misuse(const char *what);
extern cudaError_t fake_context; /* error that broke the context */

/* Frees memory that cudaFree (`device`) or cudaFreeHost accepts. */
cudaError_t fake_release(void *memory, bool device);
void fake_release_all(void);
bool fake_is_device(const void *memory, size_t bytes);
bool fake_is_pooled(const void *memory);

/* A parsed script; see fake_cuda.h. */
struct fake_script {
    double time_ns, first_ns, cold_ns, hidden_ns, real_ns, noise, drift;
    double registers, local, shared, power, watts;
    char letter;
    struct fake_strike {
        unsigned first, every; /* numbers of launches, from 1; first 0: never */
    } strikes[FAKE_FAULT_COUNT];
};
/* Returns the size of a cubin; 0: it is not a cubin. */
size_t fake_cubin_bytes(const void *code);
/* Copies the script of a cubin, or the text that stands for one; "": the cubin has no script. */
void fake_script_of(const void *code, size_t room, char *script);
/* Parses a script. Prints any fault of it to standard error and aborts, because the test is wrong. */
struct fake_script fake_parse(const char *script);

/* A loaded kernel. */
struct fake_loaded {
    struct fake_script script;
    struct fake_count *count; /* of script and kernel, shared by all processes */
    bool helper;              /* one of cutune's own kernels */
    struct fake_kept *kept;   /* outputs that a cheat keeps in its variables */
    bool has_code;            /* the driver has loaded its code, when asked for its attributes or when launched */
    unsigned runs;            /* since it was loaded */
    uint64_t flushes;         /* number of flushes at its last run */
};
struct fake_count *fake_count_of(const char *script, const char *kernel);
/* Counts an attempt to load or launch and returns its result. */
cudaError_t fake_loading(const struct fake_loaded *loaded);
cudaError_t fake_launching(const struct fake_loaded *loaded);
/* Runs the kernel with all its faults; returns its cost in ns at the nominal clock. */
double fake_run(const struct fake_kernel *kernel, const uint64_t *arguments, uint64_t flushes);

/* Runs a kernel that cheats in this way; false: it is not a cheat. */
bool fake_cheats(const struct fake_kernel *kernel, const uint64_t *arguments, enum fake_fault cheat);
void fake_forget_kept(struct fake_loaded *loaded);
/* Finds bytes in the device memory of the process, with `room` bytes from there; NULL: they are nowhere. */
const void *fake_find_bytes(const void *bytes, size_t length, size_t room);

/* The power cap of fake.cap_mhz: true while it lowers the clock. */
bool fake_at_cap(int64_t now_ns);
/* Adds a kernel's part of the load. */
void fake_load(int64_t begin_ns, int64_t end_ns, double share);
/* Adds a kernel's power to the board's energy. Returns the energy of the board, as its counter shows it. */
void fake_heat(int64_t begin_ns, int64_t end_ns, double watts);
/* The counter of the board of a device. Only the own device of this process runs kernels. */
unsigned long long fake_millijoules(int board, int64_t now_ns);
void fake_power_forget(void);

/* CUPTI: its library, NULL if it is missing, and its functions; the driver's function that it needs. */
void *fake_cupti_library(void);
void *fake_cupti_function(const char *name);
int fake_context_current(void **context);
/* Notes the launch of a kernel. */
void fake_cupti_launched(unsigned grid);
void fake_cupti_forget(void);

void fake_count_life(void);
void fake_count_mapping(void);
void fake_note(char letter);
/* Resets the state that all processes share. */
void fake_forget(void);

#endif
