/* Work of one run of a configuration: its useful work, least traffic and operations. */
#include <math.h>

#include "expression/space_internal.h"
#include "space/config.h"

/* Evaluates one of the three. Limits them to amounts whose times per unit of work are representable. */
static int amount(const struct expr *expr, const struct expr_inputs *inputs, const char *what, double *result,
                  struct error *error)
{
    struct value value;
    char text[VALUE_TEXT_BYTES];
    TRY(expr_eval(expr, inputs, &value, error));
    value_text(&value, text, sizeof text);
    if (value.kind == VALUE_WORD)
        return expr_error(expr, inputs, error, "%s, not the word %s", what, text);
    *result = value_real(&value);
    if (!(*result > 0))
        return expr_error(expr, inputs, error, "%s, not %s", what, text);
    if (*result < WORK_LEAST || *result > WORK_MOST)
        return expr_error(expr, inputs, error, "the amount must be from %g to %g, not %s", WORK_LEAST, WORK_MOST, text);
    return 0;
}

int space_work(const struct space *space, const uint32_t *choices, struct work_amounts *amounts, struct error *error)
{
    struct value values[SPACE_PARAMETERS_MAX];
    const struct expr_inputs inputs = {
        .space = space, .values = choices ? values : NULL, .bound = choices ? space->parameter_count : 0};
    const struct {
        const struct expr *expr;
        const char *what;
        double *result;
    } rows[] = {{space->work_expr, "the work must be more than 0", &amounts->work},
                {space->bytes_expr, "the least traffic must be more than 0 bytes", &amounts->bytes},
                {space->flops_expr, "there must be more than 0 operations", &amounts->flops}};
    if (choices)
        space_values(space, choices, values);
    *amounts = (struct work_amounts){NAN, NAN, NAN};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].expr && (choices || !rows[i].expr->parameters))
            TRY(amount(rows[i].expr, &inputs, rows[i].what, rows[i].result, error));
    return 0;
}
