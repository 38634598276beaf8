/* Private part of a space, for space/ only. */
#ifndef CUTUNE_EXPRESSION_SPACE_INTERNAL_H
#define CUTUNE_EXPRESSION_SPACE_INTERNAL_H

#include "expression/expr.h"
#include "expression/lexer.h"
#include "expression/names.h"
#include "space/space.h"

enum {
    SPACE_TEXT_BYTES_MAX = 4 << 20,    /* of a .space file with all its includes */
    SPACE_FILES_MAX = 64,              /* files of one .space, includes counted */
    SPACE_SOURCE_BYTES_MAX = 16 << 20, /* of the kernel's source with all its includes */
    SPACE_DEVICE_CONSTRAINTS_MAX = 8,  /* of a launch */
    SPACE_INCLUDE_DEPTH_MAX = 16
};

/* The `when` of a parameter, compiled once all names are known. */
struct when {
    struct lexer lexer;      /* at its first token; without a source: the parameter has no `when` */
    const char *start, *end; /* of the parameter's name, to quote the constraint */
    struct value otherwise;  /* value behind `else` */
    bool listed;             /* the list contains it, too */
};

/* A macro of the kernel's source that is not a parameter. */
struct define {
    const char *name;
    const struct expr *value;
};

/* A kernel of a step or of the reference: its identifier and the place of its name. */
struct kernel_name {
    const char *symbol;
    size_t length;
    struct space_place place;
    const struct kernel_file *file; /* of the step */
    bool found;                     /* its source has the identifier */
};

struct space_file_note; /* space/language/files.c */
struct demand;          /* space/language/demand.h */
struct unused;          /* space/language/unused.c */
struct overrides;       /* space/language/override.c */

struct space_private {
    struct source_text source; /* the .space file's text */
    struct names names;
    const struct expr **problem_values; /* by problem; overrides replace their values */
    const struct expr *chunk_length;    /* of the pipeline's split: ceildiv(N, CHUNKS); NULL: no split */
    void *techniques[TECHNIQUE_COUNT];  /* data of each technique's statements; NULL: none */
    const struct expr **lets;
    struct define *defines;
    size_t let_count, define_count, scratch_count, fill_kernel_count;
    size_t argument_words, argument_parts; /* that all arguments fill in the pools of a launch */
    struct when *whens;                    /* by parameter */
    struct loop *loops;                    /* in the order of the file */
    size_t loop_count;
    const struct loop *open_loop;            /* while its statements are read; NULL: none */
    uint64_t effective;                      /* bit p: values of parameter p change something */
    uint64_t narrowed;                       /* bit p: space_narrow restricted it */
    const struct source_text *kernel_source; /* of the kernel statement */
    struct expr_place kernel_place;          /* of the source's name in it */
    struct space_place kernel_name_place;    /* of the kernel's name */
    struct kernel_file *files_of_kernels;    /* in the order of the file */
    const struct source_text *per_source;    /* of the `per` statement */
    int per_line;
    struct kernel_name *kernel_names;
    size_t kernel_name_count;
    struct demand *demands; /* demands of the launches; allocated */
    size_t demand_count, demand_room;
    struct overrides *overrides;   /* NULL: no `override` statement */
    struct unused *unused;         /* NULL before the sources are read */
    struct space_file_note *files; /* read by parsing (space/language/files.h) */
    bool untrusted;                /* set by space_refuse_untrusted */
    bool sources_read; /* from here on, names in other texts, such as those of the kernels, have no effect */
    bool tolerance;    /* the file has a `tolerance` statement for all outputs */
};

/* source.c: reads the kernel's source and the other kernels' own files unless `source` is given, computes their
 * fingerprint, and finds the parameters and problems named in them. */
int space_load_source(struct space *space, const char *source, struct error *error);

/* arguments.c: reserves the argument's bytes, zeroed, in the pool of the launch. */
unsigned char *launch_take(struct launch *launch, struct launch_argument *argument);

#endif
