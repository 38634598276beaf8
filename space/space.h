/* A tuning space: the contents of a .space file. Reading takes two steps, because only the second needs a device.
 * First, space_parse finds all errors of the text. Then space_bind fixes the problem sizes and the device's limits, so
 * that sizes, constraints and launches have values. */
#ifndef CUTUNE_SPACE_SPACE_H
#define CUTUNE_SPACE_SPACE_H

#include "base/arena.h"
#include "base/bundle.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/measurement.h"
#include "base/objective.h"
#include "base/pack.h"
#include "base/provenance.h"
#include "base/text.h"
#include "base/value.h"
#include "space/launch.h"
#include "space/technique.h"

struct candidate;   /* space/candidate.h */
struct expr;        /* space/expression/expr.h */
struct generator;   /* base/generator.h */
struct source_text; /* space/expression/lexer.h */

enum {
    SPACE_PARAMETERS_MAX = 64,
    SPACE_PROBLEMS_MAX = 64,
    SPACE_VALUES_MAX = 65536,    /* of one parameter */
    SPACE_FILL_KERNELS_MAX = 16, /* buffers filled by kernels */
    SPACE_MEMBERS_MAX = 512,     /* values in an argument */
    SPACE_NESTED_MAX = 16,       /* structs within one another */
    SPACE_EXTENTS_MAX = 8,       /* dimensions of a buffer */
    SPACE_LOOP_DEPTH_MAX = 2,
    SPACE_SETS_MAX = 256,       /* sets of expected results */
    SPACE_WORD_MAX = 63,        /* characters of a name or word */
    SPACE_KERNEL_NAME_MAX = 200 /* of a kernel's name expression, which becomes part of file names */
};

/* space/types.def. */
enum scalar {
#define SCALAR(name, bytes, family, digits, texture, c_name) SCALAR_##name,
#define VECTOR(name, bytes, scalar, components)
#include "lists/types.def"
#undef SCALAR
#undef VECTOR
};
enum scalar_family { FAMILY_INT, FAMILY_UINT, FAMILY_FLOAT };
struct element_type {
    const char *name, *c_name;
    uint32_t bytes, components;
    uint32_t bits;      /* of an integer component that hold its value; of a float, of its precision */
    enum scalar scalar; /* type of a component */
    enum scalar_family family;
    bool texture; /* readable by textures */
};
extern const struct element_type element_types[];
extern const size_t element_type_count;
/* "char, uchar, ..., and CUDA's vectors of them"; NULL when out of memory. */
const char *element_type_names(struct arena *arena);

/* Writes a number as an integer or float type, little-endian as on the device. False if it does not fit. */
bool element_put_integer(const struct element_type *type, int64_t number, unsigned char *bytes);
bool element_put_real(const struct element_type *type, double number, unsigned char *bytes);

/* Encodes a number as a scalar of a floating-point format; false if it is too large. */
bool scalar_encode(enum scalar scalar, double number, uint64_t *bits);
/* NumPy's letter for the type of a component: 'b', 'i', 'u' or 'f'. NumPy has no bfloat16; its bits are kept as
 * unsigned integers. */
char element_npy_kind(const struct element_type *type);
/* Type of a component. */
const struct element_type *element_component(const struct element_type *type);

/* A place in a space file or one that it includes; source NULL: none. */
struct space_place {
    const struct source_text *source;
    int line, column;
};

struct parameter {
    const char *name;
    const char *macro;              /* its name in the sources: `name` itself unless `as` gives another */
    struct space_place macro_place; /* of that name in the statement */
    const struct value *values;     /* in the order of the file, all different */
    size_t value_count;
    const uint32_t *order; /* indices of the values in the order of value_order */
    uint32_t default_;     /* index of the value in the `default` statement, else 0 */
    bool in_source; /* occurs in the kernel's source or its includes, in a kernel's name or in an `option`, and so is a
                       macro. Otherwise it acts on the host only, and configurations that differ in nothing else share a
                       cubin */
    int line;
};

struct problem {
    const char *name;
    struct value value; /* an integer or a float; from the file or, after space_bind, the command line */
    bool given;         /* set on the command line */
    int line;
};

/* A condition that valid configurations satisfy. */
struct constraint {
    const char *text; /* source text; for a device limit the condition in the language */
    const char *name; /* "require", "when" (of a `param`), "--set" (space_narrow), or the enforced device limit:
                         "max_threads" */
    bool device;      /* from the device, not from the file */
    bool varies;      /* names problem sizes or device limits, so that its effect depends on them */
    int line;         /* 0: from the command line */
    const char *path; /* of its file; NULL: not from a file */
    const struct expr *condition;
    const struct expr *written; /* of a bound space: the condition before binding */
};

enum buffer_fill {
    FILL_NONE,
    FILL_FILE,
    FILL_KERNEL,
#define FILL(NAME, name, zeros, meaning) FILL_##NAME,
#include "lists/fills.def"
#undef FILL
    FILL_COUNT
};

struct fill_row {
    const char *name;            /* in a .space file; NULL: FILL_NONE */
    const char *usage, *meaning; /* for the manual */
    bool zeros;                  /* all bytes are 0 */
};
extern const struct fill_row fills[FILL_COUNT];

/* Use of a buffer by the launches. */
enum buffer_role {
    BUFFER_INPUT,   /* read */
    BUFFER_OUTPUT,  /* write; compared with the reference's */
    BUFFER_INOUT,   /* read and write; compared, too */
    BUFFER_SCRATCH, /* write, then read; never compared */
    BUFFER_ROLES
};

struct role_row {
    const char *word;  /* in a .space file; "": none */
    const char *usage; /* the part of the statement behind TYPE[COUNT], for the manual */
    const char *meaning;
    bool filled;   /* has a fill; otherwise the contents before a run are unspecified */
    bool compared; /* with the reference's */
};
extern const struct role_row buffer_roles[BUFFER_ROLES];

/* Bounds of random numbers: the bits of 64-bit integers, or of doubles for a floating-point type. For integers, both
 * are included. */
struct fill_range {
    bool given;
    uint64_t low, high;
};

/* Allowed difference from the reference: |value - reference| <= absolute + relative * |reference|. 0, 0: exact.
 * fp64: allowed error against the reference in double precision, as a multiple of the reference's own; 0: any. */
struct tolerance {
    double relative, absolute, fp64;
};

struct buffer {
    const char *name;
    const struct element_type *type;
    uint64_t count; /* number of elements; of scratch, the largest of all configurations; set by space_bind */
    enum buffer_role role;
    enum buffer_fill fill; /* FILL_NONE unless the role is filled */
    struct own_kernel *by; /* FILL_KERNEL */
    const char *path;      /* FILL_FILE: resolved relative to the space file's folder */
    uint64_t file_offset;  /* FILL_FILE: offset of the data; behind the header of a .npy file after space_open_files */
    int line;
    const struct expr *size; /* the product of the extents */
    size_t extent_count;
    const struct expr *extents[SPACE_EXTENTS_MAX]; /* outermost dimension first */
    const struct expr *low, *high;                 /* bounds of a random fill; NULL: none */
    struct fill_range range;                       /* their values, set by space_bind */
    struct tolerance tolerance;                    /* of a compared buffer */
    bool own_tolerance;                            /* from a statement that names it */
    const struct expr *compared;                   /* of a compared buffer: number of elements to compare; NULL: all */
    uint64_t ignored;                              /* number of elements behind those; set by space_bind */
    const char *expected_path; /* of a compared buffer: file of its expected results, resolved like `path`; NULL:
                                  computed by the run's reference */
    uint64_t expected_offset;  /* offset of the results in it; like file_offset */
    bool accepted;             /* the `accept` kernel alone judges it: there are no expected results */
};

/* Source of a run's expected results, for all compared buffers without their own file that the `accept` kernel does not
 * judge. */
enum reference_kind {
    REFERENCE_NONE,    /* no such buffers */
    REFERENCE_KERNEL,  /* `reference` of struct space */
    REFERENCE_DEFAULT, /* the launches of the default configuration, which only itself verifies */
    REFERENCE_COMMAND  /* another program */
};

struct argument {
    struct space_place place;
    int buffer;                      /* index into buffers; -1: see `role` */
    enum argument_role role;         /* ARGUMENT_PLAIN: bytes; of no type and no struct, the null pointer or an array */
    uint32_t view;                   /* number of the texture, surface or tensor map */
    const struct element_type *type; /* of a number, a vector, or a chunk's offset or length; NULL: it has none */
    const struct expr *offset;       /* of a pointer into a buffer, in elements; NULL: 0 */
    uint32_t bytes, alignment;       /* ARGUMENT_PLAIN: all bytes but the members are 0 */
    bool is_struct;
    size_t member_count;
    /* The values in it, those of nested structs and arrays included. */
    const struct argument_member {
        const struct element_type *type; /* of a number; else NULL */
        const struct expr *value;        /* of a number; else NULL */
        const struct argument *inner;    /* an address, an object or a chunk's number; else NULL */
        uint32_t offset, bytes;
    } * members; /* neither a value nor `inner`: zeros */
};
/* Walks over arguments, and the addresses and objects in structs. *at begins as 0. NULL at the end. */
const struct argument *argument_next(const struct argument *arguments, size_t count, size_t *at);

/* A source file that a statement names for its kernel. */
struct kernel_file {
    const char *path;         /* resolved relative to the folder of the file with the statement */
    const char *source;       /* its text, NUL-terminated */
    bool joined;              /* of a `launch`: compiled together with the kernel's source, as if that included it.
                                 Otherwise compiled alone, with the default configuration */
    bool included;            /* joined, and the kernel's source is this file or includes it */
    uint64_t parameters;      /* unless joined: bit p: parameter p occurs in it, and so is a macro */
    struct space_place place; /* of its name in the first statement with it */
    struct kernel_file *next;
};

/* A statement `loop`: repeats the launches, or the launches of the reference, up to its `end`. */
struct loop {
    const char *name;                /* of the counter */
    const struct expr *first, *last; /* its values; both included */
    const struct expr *by;           /* the step, or the factor; NULL: step 1 */
    bool times;                      /* `by` is a factor */
    bool varies;                     /* something in the loop names the counter */
    uint32_t depth;                  /* 0: in no other loop */
    const struct loop *outer;        /* NULL: none */
    size_t step_first, step_end;     /* its launches among those of the run or the reference */
    bool until;                      /* ends early, once the first element of the buffer compares with the value */
    uint32_t buffer;
    enum until_sign sign;
    const struct expr *value;
    int line;
    const struct source_text *source; /* source of that line */
};

/* A launch as the file describes it: in a `launch` statement, in the statements `args`, `block`, `grid`, `shared` and
 * `cluster`, or as the reference. */
struct step {
    const char *kernel;                                 /* name expression */
    const struct kernel_file *file;                     /* with the kernel; NULL: the kernel's source */
    struct space_place kernel_place, arguments_place;   /* of the kernel's name, and of the first argument */
    uint32_t number;                                    /* of the kernel in space->kernels */
    const struct expr *block[3], *grid[3], *cluster[3]; /* NULL: 1 */
    const struct expr *shared;                          /* NULL: 0 */
    const struct expr *when, *repeat;                   /* NULL: always; once */
    bool resident;                                      /* the grid is as many blocks as run at once */
    /* The answer of the compiler command decides: block[0], or shared, is NULL; the grid is as many blocks as cover
     * `grid` in steps of the answer, or the answer itself. */
    bool compiler_block, compiler_shared, compiler_grid, compiler_sizes_grid;
    bool cooperative;
    bool fp64; /* of the reference: outputs with a tolerance in fp64 are double */
    size_t argument_count, swap_count;
    struct argument *arguments; /* NULL: none given */
    struct launch_swap *swaps;  /* after each of its launches; all buffers differ */
    const struct loop *loop;    /* the innermost; NULL: none */
    size_t macro_count;
    struct step_macro {
        const char *name;
        const struct expr *value;
    } * macros; /* of its own: they replace those of the space */
    int line;
    const struct source_text *source; /* source of that line */
};

/* A kernel that cutune itself launches, with the default configuration: it fills a buffer or judges outputs. */
enum { FILL_ARGUMENTS = 2, FILL_THREADS = 256, ACCEPT_ARGUMENTS = 1 };
struct own_kernel {
    struct step step;   /* block[0] NULL: a thread for each element, in blocks of FILL_THREADS. Its arguments come after
                           the first FILL_ARGUMENTS (the buffer, and its number of elements) or ACCEPT_ARGUMENTS (the
                           address of the number of faults) */
    const char *symbol; /* the identifier in the kernel's name, of symbol_length bytes */
    size_t symbol_length;
    bool in_source;                   /* its source has the symbol */
    const struct source_text *source; /* place of the name in the file */
    int line, column;
};

struct compile_option {
    const char *prefix;       /* text before the value, "--maxrregcount=" */
    const struct expr *value; /* NULL: the prefix only */
    struct space_place place; /* of the statement's string */
};

/* Note for users about a struct space with a `source_unknown`, which replaces %s. */
#define SPACE_UNKNOWN_NOTE "%s: compilations are not cached, and changes of that file go unnoticed"

/* Read-only outside space/. All memory belongs to the space. */
struct space {
    const char *path;   /* of the .space file, as given */
    const char *folder; /* folder part of `path`, with the final '/'; "": none. Compilers run there */
    const char *kernel; /* name expression of the entry point: "transpose" or "transpose<TILE>". NULL: parameters and
                           constraints only, nothing to compile or launch; name, source and reference are NULL, too */
    const char *name;   /* the kernel's name as an identifier for files and C: "transpose", "transpose_TILE_" */
    const char *title;  /* "": none */
    const char *source_path; /* resolved relative to the space file's folder */
    bool generated;          /* a command makes the kernel: the path is a name for messages */
    const char *source; /* text for the compiler, NUL-terminated: of the .cu file, behind it an #include of each file
                           that a `launch` names */
    size_t source_length;
    /* A command prints the beginning of the source's text for each configuration; NULL: none does. */
    const char *source_command;
    const char *source_folder;                   /* its working folder */
    uint64_t source_parameters, source_problems; /* bit p: it gets parameter p, or problem size p */
    struct space_place source_place;             /* of its statement */
    /* A command compiles the launches' kernels, and the source is that of the other kernels, "" without a file; NULL:
     * none does. */
    const char *compiler_command;
    const char *compiler_folder;       /* its working folder */
    struct space_place compiler_place; /* of its statement */
    bool nvcc;                         /* compiled by nvcc, not NVRTC; so are all other kernels */
    const char *library_path;          /* file of `library`, resolved like source_path; NULL: none */
    bool library_source; /* the library is a .cu file, which nvcc compiles to a shared object; otherwise it is a shared
                            object */
    const char *library_options; /* for nvcc, as consecutive NUL-terminated strings */
    size_t library_option_count;
    const char *device_file;           /* file of `device_limits`, resolved like source_path; NULL: none */
    char text_hash[HASH_HEX_BYTES];    /* of the .space file with all its includes */
    char source_hash[HASH_HEX_BYTES];  /* of the .cu files and all files they include, without toolkit headers */
    char toolkit_hash[HASH_HEX_BYTES]; /* of the toolkit headers they include; "": none */
    const char *source_unknown; /* reason why some of these files cannot be determined, "FILE:LINE: reason": the hashes
                                   are incomplete, and compilations are not cached; NULL: all were found */

    size_t parameter_count, problem_count, constraint_count, buffer_count, option_count, step_count, kernel_count;
    struct parameter *parameters;
    struct problem *problems;
    struct constraint *constraints; /* from the file; space_narrow, then space_bind (for the device) add to them */
    struct buffer *buffers;
    struct compile_option *options;
    struct step *steps; /* the launches of a run in order; exactly one without `launch` statements */
    /* The different kernels of the steps, in order of first use: name expressions; the same for people, with macros of
     * their own; and their first steps. */
    const char *const *kernels, *const *kernel_titles;
    const struct step *const *kernel_steps;

    enum reference_kind reference_kind;
    bool reference_notes;          /* REFERENCE_DEFAULT: an output that differs is a note, not a failure */
    const char *reference_command; /* REFERENCE_COMMAND: for sh */
    const char *reference_folder;  /* its working folder: that of the file with the statement */
    /* REFERENCE_KERNEL: its launches in order, compiled with the default configuration, and their different kernels;
     * all are in the same file. Otherwise reference_count is 0, and the first item has the place of the statement. */
    struct step *reference;
    size_t reference_count, reference_kernel_count;
    const char *const *reference_kernels;
    struct own_kernel *accept;               /* NULL: none */
    const char *accept_command;              /* judges outputs instead of the accept kernel, for sh; NULL: none */
    const char *accept_folder;               /* its working folder: that of the file with the statement */
    const struct source_text *accept_source; /* file and line of the statement */
    int accept_line;
    size_t per_count; /* number of parameters that change the results: each combination of their values has its own set
                         of expected results */
    uint32_t per[SPACE_PARAMETERS_MAX];
    const struct expr *bytes_expr, *flops_expr, *work_expr; /* NULL: not given */
    const struct objective *objectives[OBJECTIVE_COUNT];    /* by the statement `objective` */
    size_t objective_count;                                 /* 0: not given */
    double bytes; /* least traffic with device memory; NaN: not given, or varies with the configuration. Set by
                     space_bind */
    double flops; /* floating-point operations of a run; likewise */

    const struct candidate *candidates; /* of a judgement; candidate_count 0: none */
    size_t candidate_count;
    uint32_t candidate_parameter;

    bool no_default; /* the untuned configuration is unknown: space_from_rows */
    bool bound, has_limits;
    struct device_limits limits; /* valid when has_limits */
    struct space_private *private;
    struct arena arena;
};

/* Parses the file and reads the kernel's source. Errors have a position, the line, and the expected text. */
int space_parse(struct space **space, const char *path, struct error *error);

/* Reads the text of a space file for space_parse_text, once: the file may be a pipe. */
int space_read(const char *path, struct text *text, struct error *error);

/* Same from memory: `text` of `length` bytes stands for the file `path`, and `source` for the kernel's source and the
 * reference's own file, without reading their includes. `source` NULL: reads both as space_parse does. */
int space_parse_text(struct space **space, const char *path, const char *text, size_t length, const char *source,
                     struct error *error);

/* Reads the file as space_parse_text does, but accepts only a space that does no more than compile its kernels and run
 * them on the device. Refuses nvcc, shells, host code, files outside its folder, and compiler options not known to be
 * harmless: ERROR_DATA with the place. Runs nothing. */
int space_refuse_untrusted(const char *path, const char *text, size_t length, struct error *error);

/* Finds the data of the files that fill buffers or have expected results, for runs that measure. The space must be
 * bound. ERROR_DATA for a file whose type, shape or size does not suit its buffer. */
int space_open_files(struct space *space, struct error *error);
/* Same, and compares the sizes of all files. Errors have the place of the buffer. */
int space_check_files(struct space *space, struct error *error);
/* Checks that the sources have the kernels of the launches and of the reference. ERROR_DATA, with the place, for the
 * first missing one; accepts names that macros may form. */
int space_check_kernels(const struct space *space, struct error *error);
/* Checks that every parameter with several values changes something. ERROR_DATA, with the place, for the first that
 * does not; a `host` statement, and files that cannot be determined, may use any. */
int space_check_effects(const struct space *space, struct error *error);
/* Appends a note, NUL-terminated and with its place, for each unused `let` and `problem` of the space's own file, and
 * for each macro of `define` and `option "-DNAME="` that the source does not use. Returns the number of notes; 0 also
 * when out of memory. */
size_t space_unused(const struct space *space, struct text *notes);
/* A #define of the source that a macro of the space replaces (`override`). Borrows from the space. */
struct space_overridden {
    const char *name; /* of the macro in the space */
    const char *text; /* "#define TILE 16" */
    const char *path; /* of its file */
    int line;
    size_t count; /* of the #defines that the name replaces: this is the first */
};
/* Finds the first #define of the `number`-th name, from 0; false: the end. */
bool space_overridden(const struct space *space, size_t number, struct space_overridden *overridden);
/* The same of one file with the compared elements of a buffer; *offset: their position, behind the header of a .npy
 * file. */
int space_open_expected(const struct buffer *buffer, const char *path, uint64_t *offset, struct error *error);
/* Hashes the parts of files that buffers need, as found by space_open_files, and the files that the words of the
 * reference's command name; "" without such files. */
int space_data_hash(const struct space *space, char hash[HASH_HEX_BYTES], struct error *error);

/* ---- Recorded configurations: one text per parameter and row ---- */
struct space_rows {
    const char *path, *name, *title; /* of the recorded space, as in struct space */
    const char *default_;            /* its default configuration, "TILE=32 PAD=1"; "": unknown */
    size_t parameter_count, row_count;
    const char *const *names; /* of the parameters */
    const char *const *(*row)(const void *context, size_t row);
    const void *context;
};
/* Makes the space of recorded configurations, for valid_set_from_list. Its parameters have the recorded values: numbers
 * in ascending order, then words in alphabetical order. It is bound and has no kernel, sizes or constraints. It has the
 * recorded default if all its values occur, else `no_default`. Copies texts. ERROR_DATA for too many parameters or
 * values, two parameters of the same name, and values that are neither numbers nor words (any characters except spaces
 * and control characters, not starting like a number). */
int space_from_rows(struct space **space, const struct space_rows *rows, struct error *error);

/* Fixes the sizes. `overrides` are "NAME=VALUE" texts (VALUE a constant expression) for problems of the file. `limits`
 * NULL: no device; drops the device's constraints and all that name a limit (`has_limits` is false), and a buffer size
 * or `bytes` that names one is an error. Call it once. */
int space_bind(struct space *space, const char *const *overrides, size_t override_count,
               const struct device_limits *limits, struct error *error);

/* True if space_bind needs limits: the size of a buffer or of its compared part, `bytes` or `flops` names one. */
bool space_sizes_need_limits(const struct space *space);

/* Parses a "NAME=VALUE" for space_bind into the problem's index and the value as given: 3 is an integer even if the
 * file has a float. ERROR_USAGE for an unknown problem or an unsuitable value. */
int space_override(struct space *space, const char *override, size_t *problem, struct value *value,
                   struct error *error);

/* Restricts a parameter to the values listed in `set`, "NAME=VALUE,VALUE,...", by a constraint named "--set"; its list
 * of values stays unchanged. Call it before space_bind, once per parameter. ERROR_USAGE for a name or value that the
 * space does not have. */
int space_narrow(struct space *space, const char *set, struct error *error);

/* True if the configuration has only values that space_narrow left. */
bool space_narrowed_has(const struct space *space, const uint32_t *choices);

/* Adds place and line to a new error that lacks them: a place's, or that of a launch's first argument, without
 * arguments of its kernel. */
void space_put_place(const struct space_place *place, struct error *error);
void space_put_arguments_place(const struct step *step, struct error *error);

/* A parameter, problem size or named expression. */
struct space_declared {
    const char *name, *statement; /* "param", "problem", "let", or "define" with a value */
    const char *path;             /* of the file with the declaration */
    int line;
    const char *macro; /* its name in the kernel's source; NULL: it is no macro */
};
/* Finds the declaration of a name, else of the parameter with that macro; false: the space has neither. Borrows from
 * the space. */
bool space_declared(const struct space *space, const char *name, size_t length, struct space_declared *declared);

void space_free(struct space *space); /* may be NULL */

/* ---- Configurations: choices[p] is an index into parameters[p].values ---- */

/* Appends "TILE=64 BLOCK_ROWS=8". */
void space_config_text(const struct space *space, const uint32_t *choices, struct text *text);
/* Parses such a text: every parameter exactly once, in any order; else ERROR_DATA. */
int space_config_parse(const struct space *space, const char *text, uint32_t *choices, struct error *error);
/* Finds a parameter's value written as `text`; false: not found. */
bool space_choice_find(const struct parameter *parameter, const char *text, uint32_t *choice);
/* Configuration of the `default` statement. */
void space_default(const struct space *space, uint32_t *choices);
/* Appends "ROWS=8192 COLS=8192". */
void space_problem_text(const struct space *space, struct text *text);
/* Sets the fields that the space determines: kernel, title, bytes, flops and the hashes of source and space. Borrows
 * from the space. */
void space_describe(const struct space *space, struct provenance *provenance);

/* ---- A configuration's launch and compilation; all need a bound space ---- */

/* Evaluates `work`, `bytes` and `flops`. NaN: the space has no such statement. `choices` NULL: evaluates those that are
 * the same for all configurations, NaN for the others. Errors name the configuration: an amount that is not positive,
 * an expression without a value. */
int space_work(const struct space *space, const uint32_t *choices, struct work_amounts *amounts, struct error *error);

/* Evaluates the launches and memory techniques of a configuration. Errors name the configuration. They report an
 * expression without a value, a size that is not a positive integer below 2^32, a scalar that does not fit its type, an
 * unknown word in a clause, or no launch. */
int space_launch(const struct space *space, const uint32_t *choices, struct launch *launch, struct error *error);
/* Returns the set of expected results for a configuration, below SPACE_SETS_MAX: 0 for the default configuration, and
 * for all without a `per` statement. */
uint32_t space_set(const struct space *space, const uint32_t *choices);
/* Configuration whose reference computes a set: the default, with the set's values of the `per` parameters. */
void space_set_choices(const struct space *space, uint32_t set, uint32_t *choices);
/* Appends "STEPS=2 MODE=fast": the values of the `per` parameters. */
void space_set_text(const struct space *space, uint32_t set, struct text *text);

/* Same for the reference of a set, with the configuration of space_set_choices. A reference kernel gets the constants
 * and textures, but no other techniques, and its chunk is the whole. REFERENCE_DEFAULT: a run of that configuration. */
int space_reference_launch(const struct space *space, uint32_t set, struct launch *launch, struct error *error);

/* Name expression of kernel `k` < launch->kernel_count. */
const char *space_reference_kernel(const struct space *space, const struct launch *launch, size_t k);

/* Same for the kernel that fills a buffer (FILL_KERNEL). Its arguments are the buffer, the number of its elements, and
 * those of the statement. The number is a 64-bit integer, which a kernel may read as one of 32 bits. */
int space_fill_launch(const struct space *space, size_t buffer, struct launch *launch, struct error *error);

/* Same for the accept kernel, which must exist. Its arguments are the address of a 64-bit counter, 0 here, and those of
 * the statement. It gets the constants and textures of the set's configuration. */
int space_accept_launch(const struct space *space, uint32_t set, struct launch *launch, struct error *error);

/* Appends the name expressions of the launch's kernels, in order, as consecutive NUL-terminated strings. */
void space_launch_kernels(const struct space *space, const struct launch *launch, struct text *names);

/* Launches for a run, its reference kernel, or the `accept` kernel. */
enum launch_of { LAUNCH_OF_RUN, LAUNCH_OF_REFERENCE, LAUNCH_OF_ACCEPT };

/* True if the device and the buffers support the techniques of a configuration with a launch (space_launch and the
 * like); otherwise, `why` gets the reason. The space must be bound with the device's limits. */
bool space_launch_fits(const struct space *space, enum launch_of of, const uint32_t *choices, char *why, size_t room);

/* True if the run's reference has launches. */
bool space_reference_launches(const struct space *space);
/* False if nothing of the buffer is ever compared: by its role, or by `compare OUTPUT first 0`. */
bool space_may_be_compared(const struct buffer *buffer);
/* True if a kernel or a command of the statement `accept` judges outputs. */
bool space_judges(const struct space *space);
/* True if the run's reference computes the expected results of the buffer. */
bool space_is_referenced(const struct buffer *buffer);

/* Size of a buffer in the configuration of a launch. */
uint64_t space_buffer_bytes(const struct space *space, const struct launch *launch, size_t buffer);

/* `sizes` for a `library`: the problem sizes that are integers, in order. Returns their number, at most
 * SPACE_PROBLEMS_MAX. The space must be bound. */
size_t space_library_sizes(const struct space *space, int64_t sizes[SPACE_PROBLEMS_MAX]);

/* True if a technique of the space relies on the L2's contents from the previous run, so that the L2 must not be
 * flushed. */
bool space_keeps_l2(const struct space *space);

/* True if a technique of the space queues runs in streams of its own. The space need not be bound. */
bool space_uses_streams(const struct space *space);

/* Bytes that a pipeline moves to the device and back; 0 and 0 without a pipeline. The space must be bound. */
void space_transfers(const struct space *space, double *in_bytes, double *out_bytes);

/* Appends the NVRTC options of a configuration, as consecutive NUL-terminated strings, and stores their number in
 * *count: "-DNAME=VALUE" for each parameter that occurs in the source and each `define`, then the `option` statements.
 * Equal bytes mean equal compilations. */
int space_compile_options(const struct space *space, const uint32_t *choices, struct text *options, size_t *count,
                          struct error *error);
/* True if launches have macros of their own, so that a configuration may have several cubins. */
bool space_has_macros(const struct space *space);
/* Same for the kernels of a launch with the configuration: the options of each compilation, one after the other, and
 * the plan of these. `further`: an option that each gets at its end; NULL: none. */
int space_launch_options(const struct space *space, const struct launch *launch, const uint32_t *choices,
                         const char *further, struct text *options, struct bundle_plan *plan, struct error *error);
/* Same for the reference, the accept kernel or one that fills a buffer, with the configuration of a set: the parameters
 * are those of its file. */
int space_step_options(const struct space *space, const struct step *step, uint32_t set, struct text *options,
                       size_t *count, struct error *error);
/* Path and text of the source that the kernel of a step is compiled from. */
const char *space_step_path(const struct space *space, const struct step *step);
const char *space_step_source(const struct space *space, const struct step *step);
/* Replaces `values` by the environment of a command: CUTUNE_NAME=VALUE of the problem sizes and parameters whose bits
 * are set, as *count consecutive NUL-terminated strings. */
int space_environment(const struct space *space, const uint32_t *choices, uint64_t problems, uint64_t parameters,
                      struct text *values, size_t *count, struct error *error);
/* Makes the command that prints the beginning of that text, with the values of a configuration; `own` NULL: of the
 * launches, otherwise of that step. Its command is "" if the text is a file's. Borrows `values`, which is emptied
 * first. */
int space_generator(const struct space *space, const struct step *own, const uint32_t *choices, struct text *values,
                    struct generator *generator, struct error *error);

#endif
