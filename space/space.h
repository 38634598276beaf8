/* A tuning space: what a .space file says. Reading has two steps, because only the second needs a device:
 * space_parse finds every error of the text; space_bind fixes the problem sizes and the device's limits, after which
 * sizes, constraints and launches can be evaluated. */
#ifndef CUTUNE_SPACE_SPACE_H
#define CUTUNE_SPACE_SPACE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/pack.h"
#include "base/provenance.h"
#include "base/text.h"
#include "space/technique.h"
#include "space/value.h"

struct expr; /* space/expr.h */

enum {
    SPACE_PARAMETERS_MAX = 64,
    SPACE_VALUES_MAX = 65536, /* of a parameter */
    SPACE_ARGUMENTS_MAX = 64,
    SPACE_WORD_MAX = 63 /* characters of a name or word */
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
    enum scalar scalar; /* type of a component */
    enum scalar_family family;
    bool texture; /* textures read it */
};
extern const struct element_type element_types[];
extern const size_t element_type_count;

/* The bits of a number as a scalar of a floating-point format; false when it is too large for one. */
bool scalar_encode(enum scalar scalar, double number, uint64_t *bits);

struct parameter {
    const char *name;
    const struct value *values; /* in the order of the file, no two equal */
    size_t value_count;
    const uint32_t *order; /* the values' indices in the order of value_order */
    uint32_t default_;     /* which of them the `default` statement names; without one, the first */
    bool in_source; /* its name occurs in the kernel's source or its includes, in a kernel's name or in an `option`: a
                       macro. Otherwise it acts on the host only, and configurations that differ in it alone share a
                       cubin */
    int line;
};

struct problem {
    const char *name;
    struct value value; /* an integer or a float; from the file or, after space_bind, from the command line */
    bool given;         /* from the command line */
    int line;
};

/* What must hold of a valid configuration. */
struct constraint {
    const char *text; /* as written; for a device limit the condition in words of the language */
    const char *name; /* "require", "when" (of a `param`), "--set" (space_narrow), or the device limit that it enforces:
                         "max_threads" */
    bool device;      /* from the device, not from the file */
    int line;         /* 0: from the command line */
    const char *path; /* of the file that it is in; NULL: not from a file */
    const struct expr *condition;
};

enum buffer_fill {
    FILL_NONE,
    FILL_FILE,
#define FILL(NAME, name, zeros) FILL_##NAME,
#include "lists/fills.def"
#undef FILL
    FILL_COUNT
};

struct fill_row {
    const char *name; /* in a .space file */
    bool zeros;       /* all bytes are 0 */
};
extern const struct fill_row fills[FILL_COUNT];

struct buffer {
    const char *name;
    const struct element_type *type;
    uint64_t count;        /* elements; set by space_bind */
    enum buffer_fill fill; /* FILL_NONE only for outputs: poisoned before the kernel that is verified */
    const char *path;      /* FILL_FILE: resolved against the space file's folder */
    bool output;           /* compared with the reference's */
    int line;
    const struct expr *size;
};

struct argument {
    int buffer;                      /* index into buffers, or -1: `role` says what else */
    enum argument_role role;         /* ARGUMENT_PLAIN: a scalar */
    uint32_t texture;                /* ARGUMENT_TEXTURE: index into textures */
    const struct element_type *type; /* scalar, and of what is left of a chunk */
    const struct expr *value;        /* scalar */
};

struct shape { /* NULL: 1 for block and grid, 0 for shared */
    const struct expr *block[3], *grid[3], *shared;
};

struct compile_option {
    const char *prefix;       /* text before the value, "--maxrregcount=" */
    const struct expr *value; /* NULL: the prefix alone */
};

/* What people read of a struct space with a `source_unknown`, which takes the place of %s. */
#define SPACE_UNKNOWN_NOTE "%s: nothing compiled is cached, and changes of that file go unnoticed"

/* Read-only for everyone but space/. All memory belongs to the space. */
struct space {
    const char *path;   /* of the .space file, as given */
    const char *kernel; /* name expression of the entry point: "transpose" or "transpose<TILE>". NULL: the space has
                           none, only parameters and constraints; then name, source and reference are NULL too,
                           and there is nothing to compile or to launch */
    const char *name;   /* the kernel's name made fit for files and C: "transpose", "transpose_TILE_" */
    const char *title;  /* "" when there is none */
    const char *source_path; /* resolved against the space file's folder */
    const char *source;      /* the text of the .cu, NUL-terminated */
    size_t source_length;
    const char
        *device_file; /* of `device_limits`, resolved like the source's; NULL: none. For planning, not for tuning */
    char text_hash[HASH_HEX_BYTES];   /* of the .space file and of all that it includes */
    char source_hash[HASH_HEX_BYTES]; /* of the .cu and of every file that it includes, but for the toolkit's headers */
    char toolkit_hash[HASH_HEX_BYTES]; /* of the toolkit's headers that it includes; "": none */
    const char *source_unknown; /* why not all of these files could be determined, "FILE:LINE: reason": the hashes
                                   do not cover them, and nothing compiled is cached; NULL: all were found */

    size_t parameter_count, problem_count, constraint_count, buffer_count, argument_count, option_count;
    struct parameter *parameters;
    struct problem *problems;
    struct constraint *constraints; /* space_narrow, then space_bind (those of the device) add to the
                                        file's */
    struct buffer *buffers;
    struct argument *arguments;
    struct compile_option *options;
    struct shape shape;

    const char *reference; /* name expression of the reference kernel, compiled with the default configuration */
    struct shape reference_shape;
    struct argument *reference_arguments;          /* the same as the kernel's: `args` holds for both */
    double tolerance_relative, tolerance_absolute; /* 0, 0: equal */
    const struct expr *bytes_expr, *flops_expr;
    double bytes; /* least traffic with device memory; NaN: not given. Set by space_bind */
    double flops; /* floating-point operations of a run; the same */

    const struct window_statement *window;     /* NULL: none */
    const struct pipeline_statement *pipeline; /* NULL: none */
    const struct expr *carveout, *cluster[3];  /* NULL: not given; 1 for the others of a cluster */
    size_t constant_count, texture_count;
    struct constant_statement *constants;
    struct texture_statement *textures;

    bool no_default; /* not known which configuration one writes without tuning: space_from_rows */
    bool bound, has_limits;
    struct device_limits limits; /* valid when has_limits */
    struct space_private *private;
    struct arena arena;
};

/* Parses the file and reads the kernel's source. Errors have the place in the file, the line, and what was expected. */
int space_parse(struct space **space, const char *path, struct error *error);

/* The text of a space file, for space_parse_text: a file that may be a pipe is read once. */
int space_read(const char *path, struct text *text, struct error *error);

/* The same from memory: `text` of `length` bytes stands for the file `path`; the kernel's source
 * is taken from `source` instead of from disk, and what it includes is not read (`source` NULL: as space_parse does).
 */
int space_parse_text(struct space **space, const char *path, const char *text, size_t length, const char *source,
                     struct error *error);

/* The hash of what the files of `file(...)` hold as far as they fill buffers; "" when there are none. The space is
 * bound. Reads the files: for runs that measure. */
int space_data_hash(const struct space *space, char hash[HASH_HEX_BYTES], struct error *error);

/* Recorded configurations: one text per parameter and row. */
struct space_rows {
    const char *path, *name, *title; /* of what was recorded, as in struct space */
    const char *default_;            /* its default configuration, "TILE=32 PAD=1"; "": nobody said */
    size_t parameter_count, row_count;
    const char *const *names; /* of the parameters */
    const char *const *(*row)(const void *context, size_t row);
    const void *context;
};
/* The space of what was recorded, for a set made by valid_set_from_list: its parameters have the values that occur,
 * numbers in ascending order and then words by their letters; no kernel, sizes or constraints; bound; with a default
 * when all of it occurs, else `no_default`. Texts are copied. ERROR_DATA for too many parameters or values, two
 * parameters of one name, and what is neither a number nor a word (any characters but spaces and control characters,
 * not starting like a number). */
int space_from_rows(struct space **space, const struct space_rows *rows, struct error *error);

/* Fixes the sizes. `overrides` are "NAME=VALUE" texts (VALUE a constant expression) for problems of the file. `limits`
 * may be NULL: no device; then the device's constraints and every constraint that names a limit are left out
 * (`has_limits` false), and a buffer size or `bytes` that names one is an error. Call it once. */
int space_bind(struct space *space, const char *const *overrides, size_t override_count,
               const struct device_limits *limits, struct error *error);

/* Reads a "NAME=VALUE" for space_bind: the number of the problem and its value, as given: 3 is an integer also where
 * the file has a float. ERROR_USAGE for a name that is no problem of the file, and for what is no value of it. */
int space_override(struct space *space, const char *override, size_t *problem, struct value *value,
                   struct error *error);

/* Keeps of a parameter only the values listed in `set`, "NAME=VALUE,VALUE,...", by a constraint named "--set": the
 * parameter's list stays as it is. Before space_bind, once for a parameter. ERROR_USAGE for a name or a value that the
 * space does not have. */
int space_narrow(struct space *space, const char *set, struct error *error);

void space_free(struct space *space); /* may be NULL */

/* ---- Configurations: choices[p] is an index into parameters[p].values ---------------------------------------------
 */

/* Appends "TILE=64 BLOCK_ROWS=8". */
void space_config_text(const struct space *space, const uint32_t *choices, struct text *text);
/* Reads such a text back: every parameter exactly once, any order. ERROR_DATA otherwise. */
int space_config_parse(const struct space *space, const char *text, uint32_t *choices, struct error *error);
/* Finds the value written as `text` among a parameter's; false when it is none of them. */
bool space_choice_find(const struct parameter *parameter, const char *text, uint32_t *choice);
/* The configuration of the `default` statement. */
void space_default(const struct space *space, uint32_t *choices);
/* "ROWS=8192 COLS=8192", appended. */
void space_problem_text(const struct space *space, struct text *text);
/* Sets what a space says of a run: kernel, title, bytes, flops and the hashes of source and space. Borrows from it. */
void space_describe(const struct space *space, struct provenance *provenance);

/* ---- What a configuration means to the engine; all need a bound space ----------------------------------------------
 */

struct launch {
    uint32_t block[3], grid[3]; /* of a pipeline: of each chunk */
    uint64_t shared_bytes;      /* dynamic */
    size_t argument_count;
    struct launch_argument {
        int buffer; /* index into the space's buffers, or -1: `role` says what else */
        uint16_t role;
        uint16_t texture;         /* ARGUMENT_TEXTURE: index into textures */
        uint32_t bytes;           /* of a scalar, and of a chunk's offset and length */
        unsigned char scalar[16]; /* ARGUMENT_PLAIN */
    } arguments[SPACE_ARGUMENTS_MAX];
    uint32_t cluster[3]; /* blocks; 0: no cluster is asked for */
    uint16_t has_carveout;
    uint16_t carveout; /* preferred shared memory, percent */
    uint16_t constant_count, texture_count;
    struct launch_window window;
    struct launch_constant constants[SPACE_CONSTANTS_MAX];
    struct launch_texture textures[SPACE_TEXTURES_MAX];
    struct launch_pipeline pipeline;
};

/* Evaluates block, grid, shared, scalar arguments and the memory techniques. An expression without a value, a size that
 * is no positive whole number below 2^32, a scalar that does not fit its type and a word that a clause does not know
 * are errors that name the configuration. */
int space_launch(const struct space *space, const uint32_t *choices, struct launch *launch, struct error *error);
/* Same for the reference kernel, whose expressions see the default configuration. It has the constants and the
 * textures; the other techniques are the tuned kernel's alone. Its chunk is everything at once. */
int space_reference_launch(const struct space *space, struct launch *launch, struct error *error);

extern const struct pack_table launch_table;
/* A launch as bytes: the same for equal launches, and another process reads it back (base/pack.h). False, with
 * unpack->failed, for bytes that are no launch. */
void space_pack_launch(struct text *text, const struct launch *launch);
bool space_unpack_launch(struct unpack *unpack, struct launch *launch);

/* Whether the device and the buffers allow the techniques of a launch; else why not, in words. The space is bound with
 * the device's limits. */
bool space_launch_fits(const struct space *space, const struct launch *launch, char *why, size_t room);

/* Bytes that a pipeline moves to the device and back; 0 and 0 without one. The space is bound. */
void space_transfers(const struct space *space, double *in_bytes, double *out_bytes);

/* The NVRTC options of a configuration: "-DNAME=VALUE" for each parameter that is in the source and for each problem
 * that is, then the `option` statements. Appended as NUL-terminated strings one after the other; *count is how many.
 * Equal bytes mean that the compiler would be asked for the same thing. */
int space_compile_options(const struct space *space, const uint32_t *choices, struct text *options, size_t *count,
                          struct error *error);

#endif
