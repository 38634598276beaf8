/* The public C API of libcutune: finds tuned configurations for a device and problem sizes, compiles kernels with
 * them, searches for configurations that the caller evaluates, and judges samples that the caller takes.
 *
 * Handles are opaque. Close what you open; closing NULL does nothing. Functions that can fail return 0 or an error code
 * and fill *error unless it is NULL. A NULL argument gives CUTUNE_ERROR_USAGE, NULL or 0 unless documented otherwise.
 * Results are NULL after an error. The library has no global state, prints nothing and never ends the process. Open
 * databases and kernels are immutable: several threads may use them at once. cutune_cuda.h has the functions that need
 * the CUDA runtime: querying a device, loading and launching a kernel. */
#ifndef CUTUNE_H
#define CUTUNE_H

#include <stddef.h>

#if defined __GNUC__
#define CUTUNE_API __attribute__((visibility("default")))
#else
#define CUTUNE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Version and errors ---- */

/* Version of the library: "MAJOR.MINOR.PATCH". */
CUTUNE_API const char *cutune_version(void);

/* Values are stable; new ones may be added. */
enum cutune_error_code {
    CUTUNE_OK = 0,
    CUTUNE_ERROR_USAGE = 1,          /* an argument is wrong */
    CUTUNE_ERROR_SYNTAX = 10,        /* a space file does not parse */
    CUTUNE_ERROR_VALUE = 11,         /* an expression has no value: overflow, division by zero, wrong kind */
    CUTUNE_ERROR_DATA = 12,          /* a CSV file has wrong or missing content */
    CUTUNE_ERROR_SCHEMA = 13,        /* the file comes from a newer cutune */
    CUTUNE_ERROR_NOT_FOUND = 14,     /* no such file, kernel or limit */
    CUTUNE_ERROR_IO = 20,            /* the file system refuses */
    CUTUNE_ERROR_BUSY = 21,          /* another process holds the file */
    CUTUNE_ERROR_MEMORY = 22,        /* out of host memory */
    CUTUNE_ERROR_COMPILE = 30,       /* the kernel does not compile */
    CUTUNE_ERROR_DEVICE = 31,        /* a CUDA call failed */
    CUTUNE_ERROR_WORKER = 32,        /* a child process of cutune died, or the engine failed */
    CUTUNE_ERROR_NO_DEVICE = 40,     /* no usable GPU */
    CUTUNE_ERROR_NOTHING_VALID = 41, /* no configuration is valid, or none worked */
    CUTUNE_ERROR_REGRESSION = 42,    /* of the program only: a later run is slower */
    CUTUNE_ERROR_REGRET = 43,        /* of the program only: a fit loses more than asked for at some size */
    CUTUNE_ERROR_CANDIDATE = 44,     /* of the program only: a judged candidate is wrong, failed or suspicious */
    CUTUNE_ERROR_INTERRUPTED = 50    /* on request */
};

struct cutune_error {
    int code;           /* enum cutune_error_code */
    int line, column;   /* position in `source`, from 1; 0: unknown */
    char source[512];   /* file that the message is about; "": none */
    char message[1024]; /* the problem */
    char excerpt[256];  /* the offending line of `source`; "": none */
    char hint[512];     /* expectation or remedy; "": none */
};

/* Formats the whole error for people, in lines; writes at most `room` bytes including the NUL. Returns `buffer`. */
CUTUNE_API const char *cutune_error_format(const struct cutune_error *error, char *buffer, size_t room);

/* ---- A device ---- */

struct cutune_device;

/* Describes a device by its CUDA name ("NVIDIA H200"), compute capability (90), number of multiprocessors and L2
 * size; 0 and `name` NULL mean unknown. The name of a GPU that cutune knows (`cutune check SPACE` lists them) sets all
 * of its limits, unless a given number is not that GPU's. Returns NULL when out of memory, for negative numbers and for
 * a compute capability above 9999. cutune_cuda_device describes a GPU of this machine. */
CUTUNE_API struct cutune_device *cutune_device_new(const char *name, int cc, int sm_count, long long l2_bytes);
CUTUNE_API void cutune_device_free(struct cutune_device *device);

/* Sets another limit by its name in space files ("max_threads"; `cutune devices` lists them). Opening a kernel needs
 * the limits that its space names; constraints on other limits are skipped if none is set. CUTUNE_ERROR_VALUE for an
 * impossible number. */
CUTUNE_API int cutune_device_set(struct cutune_device *device, const char *limit, long long value,
                                 struct cutune_error *error);
/* 0: unknown. */
CUTUNE_API long long cutune_device_get(const struct cutune_device *device, const char *limit);

/* ---- The database ---- */

struct cutune_database;

/* Reads the whole file: a database, or a journal as the row that its run would have saved. `journals`: a journal or a
 * folder of journals (NULL: none), used to find the configurations that are fast on all devices, as by `cutune emit
 * --journal`. */
CUTUNE_API int cutune_database_open(struct cutune_database **database, const char *path, const char *journals,
                                    struct cutune_error *error);
CUTUNE_API void cutune_database_close(struct cutune_database *database);

/* The generation of the file as it was read: a hash of its content, 32 hexadecimal digits. "" for NULL. */
CUTUNE_API const char *cutune_database_generation(const struct cutune_database *database);
/* Pins a snapshot: CUTUNE_ERROR_DATA, with both hashes, unless the database has this generation. */
CUTUNE_API int cutune_database_require(const struct cutune_database *database, const char *generation,
                                       struct cutune_error *error);

/* The rules for choosing a configuration, the best first. */
enum cutune_rule {
    CUTUNE_RULE_PROBLEM, /* this device and these sizes */
    CUTUNE_RULE_FIT,     /* this device, by its fit over sizes */
    CUTUNE_RULE_DEVICE,  /* this device, the nearest sizes */
    CUTUNE_RULE_CC,      /* a device of the same compute capability: the nearest SM count and L2; by its fit, else the
                            nearest sizes */
    CUTUNE_RULE_MAJOR,   /* likewise for the same major compute capability */
    CUTUNE_RULE_COMMON,  /* the fastest over all measured devices, for the nearest sizes */
    CUTUNE_RULE_DEFAULT  /* the default of the kernel's author */
};
/* "problem", "fit", "device", "cc", "major", "common" or "default". */
CUTUNE_API const char *cutune_rule_name(enum cutune_rule rule);

/* Texts belong to the queried object and live as long as it does. */
struct cutune_best {
    enum cutune_rule rule;
    const char *configuration; /* "TILE=64 BLOCK_ROWS=8" */
    const char *device;        /* device of the row; "": none (common, default), likewise below */
    const char *problem;       /* "ROWS=8192 COLS=8192"; of a fit its measured region, "ROWS=64..16384" */
    const char *date;          /* "2026-01-02T03:04:05Z" */
    double time_ns;            /* median on that device, with its 95% interval low_ns to high_ns. NaN: unknown */
    double low_ns, high_ns;
    double speedup;         /* over the default configuration */
    int per_work;           /* 1: the space has a `work` statement, and times are per unit of work; else 0 */
    int extrapolated;       /* 1: chosen by a fit over sizes, for sizes outside of its measured region; else 0 */
    const char *generation; /* of the database that answered, as cutune_database_generation */
    /* How much longer it is expected to take than the best configuration for the device and sizes, in per cent of the
     * best. It is 0 for CUTUNE_RULE_PROBLEM, the mean loss of a fit within its region, and the mean loss of a common
     * configuration on the devices that measured these sizes. NaN: unknown. */
    double expected_loss_percent;
};

/* Finds the best configuration of a kernel for a device and sizes. `problem` gives each size of the kernel once, in
 * any order: "ROWS=8192 COLS=4096". Compares 64-bit integers exactly; larger ones, and negative ones where no row
 * has any, give CUTUNE_ERROR_USAGE. Considers only rows with the newest row's version of space and source, and only
 * if the database says that they are valid for the device and sizes. Missing limits of the device follow from its
 * compute capability; a row of another device is ignored if a limit that it needs stays unknown.
 * CUTUNE_ERROR_NOT_FOUND if the database has no row of the kernel. */
CUTUNE_API int cutune_database_best(const struct cutune_database *database, const char *kernel,
                                    const struct cutune_device *device, const char *problem, struct cutune_best *best,
                                    struct cutune_error *error);

/* Likewise, but finds only the row of the device's name and of these very sizes, of whichever version of space and
 * source it is. For programs whose kernels' names say the version. */
CUTUNE_API int cutune_database_row(const struct cutune_database *database, const char *kernel,
                                   const struct cutune_device *device, const char *problem, struct cutune_best *best,
                                   struct cutune_error *error);

/* Extracts a parameter's value from a configuration's text: as an integer, or as text of at most `room` bytes
 * including the NUL. CUTUNE_ERROR_NOT_FOUND for an unknown name, CUTUNE_ERROR_VALUE for a value that is no 64-bit
 * integer or does not fit. */
CUTUNE_API int cutune_configuration_int(const char *configuration, const char *name, long long *value,
                                        struct cutune_error *error);
CUTUNE_API int cutune_configuration_text(const char *configuration, const char *name, char *value, size_t room,
                                         struct cutune_error *error);

/* ---- A tuned kernel ---- */

struct cutune_kernel;

enum cutune_kernel_flags {
    CUTUNE_STALE = 1,     /* also use rows of other versions of the space or its source */
    CUTUNE_NO_CACHE = 2,  /* compile anew and bypass the cache of compiled kernels */
    CUTUNE_UNTRUSTED = 4, /* refuse a space that runs nvcc, commands or host code, or names files outside of its folder,
                             with CUTUNE_ERROR_DATA, before anything runs */
    CUTUNE_CACHED = 8     /* start no process and load no compiler: take the kernel of an earlier call, of any process
                             and compiler, from the user's cache; CUTUNE_ERROR_NOT_FOUND if it is not there */
};

/* Compiles the kernels of a space file for a device and sizes ("ROWS=4096"; missing sizes, or all for NULL, are the
 * file's own). Uses the best valid configuration by the rules above, or the space's default if the database has no
 * row of the kernel. Compiles in a child process with NVRTC, or with nvcc or a command if the space says so, unless the
 * user's cache has the kernel. CUTUNE_ERROR_NOTHING_VALID if the default is not valid either. */
CUTUNE_API int cutune_kernel_open(struct cutune_kernel **kernel, const struct cutune_database *database,
                                  const char *space, const struct cutune_device *device, const char *problem,
                                  unsigned flags, struct cutune_error *error);
CUTUNE_API void cutune_kernel_close(struct cutune_kernel *kernel);

enum { CUTUNE_ARGUMENTS_MAX = 64 }; /* of a launch */

enum cutune_argument_kind {
    CUTUNE_ARGUMENT_VALUE,      /* `bytes` bytes at `value`: a number, a struct or a null pointer */
    CUTUNE_ARGUMENT_BUFFER,     /* the address `offset` bytes into the buffer `index` */
    CUTUNE_ARGUMENT_TENSOR_MAP, /* the tensor map `index` */
    CUTUNE_ARGUMENT_CALLER      /* a texture or surface object, or the offset or length of a pipeline's chunk */
};
/* A struct with addresses or tensor maps is a value with parts, arguments without parts, which the caller puts over its
 * bytes: each part at its place. */
struct cutune_argument {
    enum cutune_argument_kind kind;
    unsigned index;
    size_t offset, bytes;
    const void *value;
    size_t place, part_count;
    const struct cutune_argument *parts;
    const char *type; /* of a number, in the space file: "int"; NULL: none, or the space has several launches, or a
                         compiler command says what the code takes */
};

/* Device memory that the caller provides. */
struct cutune_buffer {
    const char *name; /* in the space file; "": memory that a compiler command wants, the last buffer */
    size_t bytes;     /* of a scratch buffer: for this configuration */
    int scratch;      /* its contents need not be kept between runs */
    int written;      /* 0: kernels read it only */
    const char *type; /* of its elements, in the space file: "float" */
    size_t count;     /* of elements */
};

/* A tensor map over a buffer, in the terms of cuTensorMapEncodeTiled; the numbers are those of its enumerations. */
struct cutune_tensor_map {
    unsigned buffer;
    size_t offset; /* bytes */
    unsigned rank; /* 0: 128 zero bytes take the place of the map */
    int type, interleave, swizzle, l2_promotion, out_of_bounds;
    unsigned long long sizes[5], strides[4];
    unsigned box[5], element_strides[5];
};

/* Machine code for cudaLibraryLoadData. */
struct cutune_cubin {
    const void *bytes;
    size_t count;
};

struct cutune_launch {
    const char *kernel;         /* its name in the machine code */
    unsigned block[3], grid[3]; /* grid[0] 0: as many blocks as run at once on the device */
    size_t shared_bytes;        /* dynamic */
    unsigned cluster[3];        /* blocks per cluster; 0: no clusters */
    int cooperative;            /* 1: all blocks run at once */
    unsigned repeat;            /* launches in a row, at least 1; after each, the buffers of each swap trade names */
    size_t swap_count, argument_count;
    const unsigned (*swaps)[2];
    const struct cutune_argument *arguments;
    int programmatic; /* 1: may begin before the kernel in front of it on the stream ends */
    unsigned cubin;   /* number of the machine code that has the kernel */
};

/* Everything that a run consists of; the functions of cutune_cuda.h do all of it. The caller handles the L2 windows,
 * pipelines, constants, device variables, textures and surfaces of the space: the configuration has their values, and
 * the grid of a pipeline is that of one chunk. */
struct cutune_sequence {
    size_t launch_count, buffer_count, tensor_map_count;
    const struct cutune_launch *launches; /* in order */
    const struct cutune_buffer *buffers;
    const struct cutune_tensor_map *tensor_maps;
    int graph;                  /* 1: was tuned as a CUDA graph */
    int carveout;               /* preferred shared memory of the kernels in percent; -1: the device's choice */
    const char *left_to_caller; /* statements that the caller handles, "l2_window, texture"; "": none */
    size_t cubin_count; /* more than 1: launches with macros of their own, or a compiler command's several files */
    const struct cutune_cubin *cubins;
};

CUTUNE_API const struct cutune_best *cutune_kernel_best(const struct cutune_kernel *kernel);
CUTUNE_API const struct cutune_sequence *cutune_kernel_sequence(const struct cutune_kernel *kernel);
/* The first machine code of the sequence, for kernels that have but one. */
CUTUNE_API const void *cutune_kernel_cubin(const struct cutune_kernel *kernel, size_t *bytes);

/* ---- Tuning ---- */

/* Called with each line of the engine's messages, such as its plan and the expected duration, and, with NULL, at
 * least ten times a second. A result other than 0 stops the engine, which keeps its measurements. */
typedef int cutune_watch(void *context, const char *line);

/* Tunes a space file and waits for the end. Runs the engine, the program `cutune`, as a child process: a faulty
 * kernel cannot harm the caller, and a CUDA context does not survive a fork. `options` are the program's,
 * "--db=results.csv", "-DROWS=4096" (NULL-terminated; NULL: none). Saves the best configurations in the database.
 * Returns the engine's error with its code, position and hint; CUTUNE_ERROR_NOT_FOUND also if the program is
 * missing. `watch` may be NULL. The program is $CUTUNE_PROGRAM, else the one installed with this library, else the
 * first on PATH. Callers that ignore SIGCHLD or wait for any child lose the result. */
CUTUNE_API int cutune_tune(const char *space, const char *const *options, cutune_watch *watch, void *context,
                           struct cutune_error *error);

/* ---- Ask and tell ---- */

/* A search whose caller evaluates the configurations: kernels in any language, other programs, other machines. It
 * proposes by the strategies of cutune's own runs. It uses no GPU and no clock, and only the files that an argument
 * names. The same space, strategy, seed and order of calls give the same proposals on every machine. One thread at a
 * time may use a search.
 *
 * A configuration is a number below cutune_search_count, the same for the same space. A choice is the position of a
 * parameter's value in its list, from 0. */
struct cutune_search;

enum { CUTUNE_PARAMETERS_MAX = 64 };

struct cutune_search_parameter {
    const char *name; /* a C identifier */
    size_t value_count;
    const char *const *values; /* texts, all different: "16", "0.5", "-1" or an identifier, "float2" */
};

/* A search on another machine, or for another size: configurations, valid here or not, with their values. */
struct cutune_search_prior_run {
    size_t count;
    const unsigned *choices; /* count x parameters */
    const double *values;    /* by configuration, to be minimised, in any unit: positive; NaN: it failed */
};
enum { CUTUNE_PRIOR_RUNS_MAX = 8 };

/* The space of a search; zeroed members are absent. It needs `path` or `parameters`, never both. Borrowed during the
 * call only. */
struct cutune_search_space {
    const char *path;       /* a space file; its kernel is not compiled. Or: */
    size_t parameter_count; /* at most CUTUNE_PARAMETERS_MAX */
    const struct cutune_search_parameter *parameters;
    size_t constraint_count;
    const char *const *constraints; /* conditions of the space language, "TILE % ROWS == 0". An error has
                                       the line of a space file that has one `param` or `require` a line */
    size_t configuration_count;
    const unsigned *configurations;     /* the valid configurations, instead of constraints: configuration_count x
                                           parameter_count choices */
    const char *default_;               /* a valid configuration, "TILE=16 ROWS=4", which is proposed first. A space
                                           file has its own */
    const char *problem;                /* sizes of a space file, "ROWS=4096"; missing ones are the file's own */
    const struct cutune_device *device; /* its limits apply. NULL, or none set: constraints on limits do not apply */
    size_t prior_run_count; /* at most CUTUNE_PRIOR_RUNS_MAX, each with a value. The strategy begins where they
                               say that it is fast, and trusts them as far as they predict the answers */
    const struct cutune_search_prior_run *prior_runs; /* the nearest first */
};

/* Opens a search. `strategy` is that of the option --strategy, with options: "surrogate:initial=20"; NULL is
 * "surrogate", which alone learns from prior runs. CUTUNE_ERROR_SYNTAX for a constraint that does not parse,
 * CUTUNE_ERROR_NOTHING_VALID if no configuration meets all of them. */
CUTUNE_API int cutune_search_open(struct cutune_search **search, const struct cutune_search_space *space,
                                  const char *strategy, unsigned long long seed, struct cutune_error *error);
CUTUNE_API void cutune_search_close(struct cutune_search *search);

/* Number of valid configurations; ULLONG_MAX: that many or more. */
CUTUNE_API unsigned long long cutune_search_count(const struct cutune_search *search);
/* Number of parameters, the name of one, and the text of one of its values. Texts belong to the search; NULL beyond the
 * last. */
CUTUNE_API size_t cutune_search_parameter_count(const struct cutune_search *search);
CUTUNE_API const char *cutune_search_parameter(const struct cutune_search *search, size_t parameter);
CUTUNE_API const char *cutune_search_value(const struct cutune_search *search, size_t parameter, size_t choice);

/* Writes a configuration as one choice per parameter, or as text, "TILE=16 ROWS=4", of at most `room` bytes including
 * the NUL; cutune_configuration_int reads such a text. CUTUNE_ERROR_USAGE for a number that is not below the count,
 * CUTUNE_ERROR_VALUE for a text that does not fit. */
CUTUNE_API int cutune_search_choices(const struct cutune_search *search, unsigned long long configuration,
                                     unsigned *choices, struct cutune_error *error);
CUTUNE_API int cutune_search_text(const struct cutune_search *search, unsigned long long configuration, char *text,
                                  size_t room, struct cutune_error *error);
/* Finds a configuration by its choices or its text, which gives each parameter once, in any order.
 * CUTUNE_ERROR_NOTHING_VALID, with the constraint that does not hold, if it is not valid; CUTUNE_ERROR_DATA for other
 * names or values. */
CUTUNE_API int cutune_search_find_choices(const struct cutune_search *search, const unsigned *choices,
                                          unsigned long long *configuration, struct cutune_error *error);
CUTUNE_API int cutune_search_find(const struct cutune_search *search, const char *text,
                                  unsigned long long *configuration, struct cutune_error *error);

/* Proposes up to `room` configurations to evaluate now, none twice and none that has an answer. The strategy knows
 * those in flight, which are proposed but not answered. Before the first answer, a strategy that learns proposes no
 * more than its opening. *count 0: tell an answer first; with nothing in flight, all configurations have one. */
CUTUNE_API int cutune_search_ask(struct cutune_search *search, unsigned long long *configurations, size_t room,
                                 size_t *count, struct cutune_error *error);

enum cutune_answer_kind {
    CUTUNE_ANSWER_VALUE,   /* `value` */
    CUTUNE_ANSWER_STOPPED, /* stopped early: `value` is an estimate of at least `least`. Never the best */
    CUTUNE_ANSWER_FAILURE  /* no value, because of `cause` */
};
struct cutune_answer {
    int kind;        /* enum cutune_answer_kind */
    unsigned cause;  /* the caller's number of a kind of failure: a compile error, a wrong result. 0: unknown */
    double value;    /* to be minimised: a time in any unit, or any other positive number */
    double least;    /* 0: as `value` */
    double effort_s; /* seconds of preparing the evaluation, such as compiling, but not of the timed runs; if known, the
                      gain per second counts. 0 or NaN: unknown */
};

/* Tells the answer of a configuration: a proposed one, in any order, or any other valid one, such as those known from
 * earlier. Values are compared by their ratios: CUTUNE_ERROR_VALUE for one that is NaN, infinite, zero or negative, and
 * for an effort that is infinite or negative. CUTUNE_ERROR_USAGE for a second answer. After an error, the configuration
 * is as before. */
CUTUNE_API int cutune_search_tell(struct cutune_search *search, unsigned long long configuration,
                                  const struct cutune_answer *answer, struct cutune_error *error);

/* The configuration of the least value, of equal ones the first told. CUTUNE_ERROR_NOTHING_VALID without a value.
 * `configuration` and `value` may be NULL. */
CUTUNE_API int cutune_search_best(const struct cutune_search *search, unsigned long long *configuration, double *value,
                                  struct cutune_error *error);

/* Returns the number of configurations in flight, and writes the first `room` of them in the order of the proposals;
 * NULL with room 0. */
CUTUNE_API size_t cutune_search_in_flight(const struct cutune_search *search, unsigned long long *configurations,
                                          size_t room);

/* Writes the search to a file: strategy, seed, a hash of the space, proposals and answers in order. Replaces the file
 * at once or not at all. */
CUTUNE_API int cutune_search_save(const struct cutune_search *search, const char *path, struct cutune_error *error);
/* Opens a saved search, given the same space, and continues it. The next proposals are those of the saved search, and
 * the same configurations are in flight. *same 0: the strategy of this cutune proposes otherwise; the search knows all
 * answers, but nothing is in flight. `same` may be NULL. CUTUNE_ERROR_DATA for a damaged file and for another space,
 * CUTUNE_ERROR_SCHEMA for a file of a newer cutune. */
CUTUNE_API int cutune_search_restore(struct cutune_search **search, const struct cutune_search_space *space,
                                     const char *path, int *same, struct cutune_error *error);

/* ---- A series of samples ---- */

/* Samples of a time that the caller takes in batches, with the rules by which cutune's own runs end a series. It uses
 * no GPU. One thread at a time may use a series. */
struct cutune_series;

struct cutune_series_rules {
    double confidence;              /* of the median's interval: above 0, below 1 */
    double target_interval_percent; /* half the interval over the median at which the series ends; not negative */
    double limit_s;                 /* time after opening from which the series takes no more samples than it needs */
    size_t most;                    /* samples: more than the interval needs, at most 4096. It needs 6 for 0.95 */
};

struct cutune_estimate {
    double median, low, high; /* interval of the median, by order statistics */
    size_t samples;
    size_t batch;     /* samples that the next batch should have; 0: the series has ended */
    const char *stop; /* the rule that ended it: "precise", "stable", "most" or "time"; NULL: it continues */
};

CUTUNE_API int cutune_series_open(struct cutune_series **series, const struct cutune_series_rules *rules,
                                  struct cutune_error *error);
CUTUNE_API void cutune_series_close(struct cutune_series *series);
/* Adds a batch of samples, in ns. They must be positive and finite: else CUTUNE_ERROR_VALUE. CUTUNE_ERROR_USAGE for an
 * empty batch, and for one beyond the most samples. A refused batch changes nothing. */
CUTUNE_API int cutune_series_add(struct cutune_series *series, const double *samples_ns, size_t count,
                                 struct cutune_estimate *estimate, struct cutune_error *error);

#ifdef __cplusplus
}
#endif

#endif
