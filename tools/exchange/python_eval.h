/* Between the parts of the evaluator. */
#ifndef CUTUNE_EXCHANGE_PYTHON_EVAL_H
#define CUTUNE_EXCHANGE_PYTHON_EVAL_H

#include "exchange/python.h"

#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        int try_code = (call);                                                                                         \
        if (try_code)                                                                                                  \
            return try_code;                                                                                           \
    } while (0)

/* What an operator makes of its operands. */
int python_binary(struct python *python, const struct python_node *node, const struct python_value *a,
                  const struct python_value *b, struct python_value *result);
/* One list behind the other. */
int python_concatenate(struct python *python, size_t at, const struct python_value *a, const struct python_value *b,
                       struct python_value *result);
/* A function of the node's name. */
int python_call(struct python *python, const struct python_node *node, const struct python_binding *bindings,
                struct python_value *result);

int python_put_integer(struct python_value *result, int64_t integer);
int python_put_real(struct python *python, size_t at, struct python_value *result, double real);
int python_too_large(struct python *python, size_t at);

bool python_is_number(const struct python_value *a);
bool python_is_integer(const struct python_value *a);
bool python_is_sequence(const struct python_value *a);
double python_real(const struct python_value *a);
bool python_truth(const struct python_value *a);
/* -1, 0 or 1, of two numbers; an integer that a float cannot hold is compared as the integer that it is. */
int python_order(const struct python_value *a, const struct python_value *b);

#endif
