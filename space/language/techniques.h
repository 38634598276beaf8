/* List of techniques, and helpers of its rows. */
#ifndef CUTUNE_LANGUAGE_TECHNIQUES_H
#define CUTUNE_LANGUAGE_TECHNIQUES_H

#include "language/clauses.h"
#include "language/demand.h"
#include "language/parser.h"

/* The language's part of a technique; technique_data() holds the contents of its statements. All functions except the
 * statement's may be NULL. Except for `demand`, they are called only for spaces with such a statement. */
struct technique {
    struct statement statement;
    bool reference; /* applies to the reference kernel, too */
    bool streams;   /* runs have streams of their own */
    bool keeps_l2;  /* flushing the L2 before each run would make it ineffective */

    /* Arguments that the technique provides. */
    unsigned argument_names;       /* bits 1 << enum name_kind: names that are arguments in `args` */
    unsigned typed_argument_names; /* likewise behind a type */
    unsigned argument_roles;       /* bits 1 << enum argument_role of these arguments */
    /* The current token is the name. The argument's buffer is -1, and its type is set if there is one. */
    int (*parse_argument)(struct parser *parser, const struct name *name, struct argument *argument);
    int (*evaluate_argument)(const struct argument *argument, const struct expr_inputs *inputs, bool reference,
                             struct launch *launch, struct launch_argument *result, struct error *error);

    /* Checks that involve several statements; called once all are read. */
    int (*check)(struct parser *parser);
    /* Called for each identifier in the kernel's source; `name` NULL: any identifier may occur. */
    void (*mark)(struct space *space, const char *name, size_t length);
    /* Checks that the source has the names in the statements. */
    int (*check_source)(const struct space *space, struct error *error);

    /* Fills the technique's part of a launch, which is zero before. */
    int (*evaluate)(const struct expr_inputs *inputs, struct launch *launch, struct error *error);
    /* Appends the demands on the device and the buffers. */
    int (*demand)(struct demand_list *list);
    /* Buffer `at` (of a view: its number) among those whose addresses the statements hold, and which no other technique
     * may move; false beyond the last. */
    bool (*holds)(const struct space *space, size_t at, uint32_t *buffer);
    /* True if the technique moves the buffer in memory. */
    bool (*moves)(const struct space *space, uint32_t buffer);
    /* Adds the bytes that the technique moves to the device and back. */
    void (*transfers)(const struct space *space, double *in_bytes, double *out_bytes);
};

/* ---- technique.c: the list ---- */

/* By TECHNIQUE_NAME. */
extern const struct technique *const techniques[TECHNIQUE_COUNT];
#define TECHNIQUE(name, effect) extern const struct technique technique_##name;
#include "lists/techniques.def"
#undef TECHNIQUE

/* The technique whose arguments in `args` have names of this kind, with or without a type; NULL: none. */
const struct technique *technique_of_name(enum name_kind kind, bool typed);
/* The buffer behind a view argument: a texture, a surface or a tensor map. False for other arguments. */
bool technique_viewed(const struct space *space, const struct argument *argument, uint32_t *buffer);
int technique_evaluate_argument(const struct argument *argument, const struct expr_inputs *inputs, bool reference,
                                struct launch *launch, struct launch_argument *result, struct error *error);

int techniques_check(struct parser *parser);
void techniques_mark(struct space *space, const char *name, size_t length);
int techniques_check_source(const struct space *space, struct error *error);
/* Lists the demands of all techniques (space/language/demand.h). */
int techniques_demand(struct space *space, struct error *error);
/* Fills the techniques of a launch, which are zero before; for the reference, only those that apply to it. */
int techniques_evaluate(const struct expr_inputs *inputs, bool reference, struct launch *launch, struct error *error);

/* ---- technique_common.c: for the rows ---- */

/* Allocates zeroed memory for the contents of a technique's statements, at the first statement; the space owns it. NULL
 * when out of memory, which the parser's error reports. */
void *technique_make(struct parser *parser, int technique, size_t bytes);
/* Returns that memory later; NULL: no such statement. */
void *technique_data(const struct space *space, int technique);

/* Reads the name of a buffer. */
int technique_buffer(struct parser *parser, uint32_t *index);
/* Reads the name of a buffer that needs a fill, because the kernel does not read it by its pointer. */
int technique_filled_buffer(struct parser *parser, uint32_t *index);

/* Checks that `args` passes view `at`, which is named `name` and declared at `line`. `expr`: an expression of its
 * statement. */
int technique_check_passed(struct parser *parser, enum argument_role role, size_t at, const char *name,
                           const struct expr *expr, int line);

/* A view as an argument: reads its name, and evaluates it. */
int technique_parse_view(struct parser *parser, const struct name *name, enum argument_role role,
                         struct argument *argument);
int technique_evaluate_view(const struct argument *argument, const struct expr_inputs *inputs, bool reference,
                            struct launch *launch, struct launch_argument *result, struct error *error);

/* "(HOST == mapped)": the condition, as a part of a demand, that a setting has word number `word` of its list; "0" or
 * "1" if that is known. */
const char *technique_is_word(const struct demand_list *list, const struct setting *setting,
                              const struct word_list *words, int word);

#endif
