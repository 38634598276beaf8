/* Variables of the source that are set before a launch: `constant` and `device_variable`. */
#ifndef CUTUNE_LANGUAGE_VARIABLE_H
#define CUTUNE_LANGUAGE_VARIABLE_H

#include "language/parser.h"

enum { VARIABLES_EACH_MAX = SPACE_VARIABLES_MAX / 2 };

/* The statements of one technique. */
struct variable_statements {
    size_t count;
    struct variable_statement {
        const char *name;         /* as in the source: "ns::table" */
        struct space_place place; /* of the name */
        bool in_source;           /* it occurs in the kernel's source */
        bool contents;            /* it gets the contents of the buffer in `value`; otherwise the value */
        struct argument value;
    } rows[VARIABLES_EACH_MAX];
};

/* Reads the name of a variable for a new row; `what` as in "expected WHAT". Count the row once its statement is read.
 */
int variable_begin(struct parser *parser, int technique, const char *what, struct variable_statement **row);
/* Reads a value, as in `args`. */
int variable_value(struct parser *parser, struct variable_statement *row);
/* Reads the name of a buffer whose contents the variable gets. */
int variable_contents(struct parser *parser, struct variable_statement *row);
int variable_end(struct parser *parser, int technique);

/* For the functions of struct technique. */
bool variables_hold(const struct space *space, int technique, size_t at, uint32_t *buffer);
void variables_mark(struct space *space, int technique, const char *name, size_t length);
int variables_check_source(const struct space *space, int technique, const char *declaration, struct error *error);
int variables_evaluate(const struct expr_inputs *inputs, int technique, struct launch *launch, struct error *error);

/* ---- All variables ---- */

size_t variables_count(const struct space *space);
/* The argument that describes the value of variable `number`. */
const struct argument *variables_value(const struct space *space, size_t number);
const struct variable_statement *variables_statement(const struct space *space, size_t number);

#endif
