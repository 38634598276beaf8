/* The list of techniques, and what its rows share. */
#ifndef CUTUNE_SPACE_TECHNIQUES_H
#define CUTUNE_SPACE_TECHNIQUES_H

#include "space/parse.h"

/* Asks whether a launch fits the device and the buffers. */
struct fitting {
    const struct space *space;
    const struct device_limits *limits;
    const struct launch *launch;
    char *why;
    size_t room;
};

/* All that space/ knows of a technique. What its statements say it keeps in technique_data(). Functions may be NULL,
 * but for the statement's. */
struct technique {
    struct statement statement;
    bool reference; /* the reference kernel has it, too */
    bool keeps_l2;  /* what it is for would be undone if the L2 were flushed before each run */

    /* Arguments that it provides. */
    unsigned argument_names;       /* bits 1 << enum name_kind: such a name in `args` is an argument */
    unsigned typed_argument_names; /* the same behind a type */
    unsigned argument_roles;       /* bits 1 << enum argument_role, of such arguments */
    /* The name is the current token; the argument's buffer is -1 and its type is set when there is one. */
    int (*parse_argument)(struct parser *parser, const struct name *name, struct argument *argument);
    int (*evaluate_argument)(const struct argument *argument, const struct expr_inputs *inputs, bool reference,
                             struct launch_argument *result, struct error *error);

    /* What its statements alone cannot see, once all are read. */
    int (*check)(struct parser *parser);
    /* Marks what stands for an identifier of the kernel's source; a `name` NULL stands for every identifier. */
    void (*mark)(struct space *space, const char *name, size_t length);
    /* What must occur in the source. */
    int (*check_source)(const struct space *space, struct error *error);

    /* Fills its part of a launch, which is zero so far; for a space that has such a statement. */
    int (*evaluate)(const struct expr_inputs *inputs, struct launch *launch, struct error *error);
    /* Otherwise the result of technique_refuse. */
    bool (*fits)(const struct fitting *fitting);
    /* It decides anew where the buffer is. */
    bool (*moves)(const struct space *space, uint32_t buffer);
    /* Adds the bytes that it moves to the device and back. */
    void (*transfers)(const struct space *space, double *in_bytes, double *out_bytes);
};

/* By TECHNIQUE_NAME. */
extern const struct technique *const techniques[TECHNIQUE_COUNT];
#define TECHNIQUE(name, effect) extern const struct technique technique_##name;
#include "lists/techniques.def"
#undef TECHNIQUE

/* What the statements of a technique say, zero at first: `bytes` of memory of the space, made when the first of them is
 * read. NULL: out of memory, with the parser's error. */
void *technique_make(struct parser *parser, int technique, size_t bytes);
/* The same later; NULL: there is no such statement. */
void *technique_data(const struct space *space, int technique);

/* The technique whose arguments in `args` have names of this kind, with a type or without; NULL: none. */
const struct technique *technique_of_name(enum name_kind kind, bool typed);
int technique_evaluate_argument(const struct argument *argument, const struct expr_inputs *inputs, bool reference,
                                struct launch_argument *result, struct error *error);

int techniques_check(struct parser *parser);
void techniques_mark(struct space *space, const char *name, size_t length);
int techniques_check_source(const struct space *space, struct error *error);
/* Fills a launch's techniques, which are zero so far; of the reference those that it takes part in. */
int techniques_evaluate(const struct expr_inputs *inputs, bool reference, struct launch *launch, struct error *error);

/* ---- For the rows ---- */

/* The name of a buffer. */
int technique_buffer(struct parser *parser, uint32_t *index);
/* The name of a buffer that holds something before the kernel runs: the kernel reads it in another way than through its
 * pointer. */
int technique_filled_buffer(struct parser *parser, uint32_t *index);
/* An error when another technique decides where a buffer is whose address this statement holds. */
int technique_check_place(struct parser *parser, uint32_t buffer, const struct statement *statement);

/* Says why a launch does not fit; false. */
bool technique_refuse(const struct fitting *fitting, const char *format, ...) __attribute__((format(printf, 2, 3)));
uint64_t technique_buffer_bytes(const struct fitting *fitting, uint32_t buffer);

#endif
