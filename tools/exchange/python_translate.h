/* Between the parts of the translation from Python: what is known of a node's values. */
#ifndef CUTUNE_EXCHANGE_PYTHON_TRANSLATE_H
#define CUTUNE_EXCHANGE_PYTHON_TRANSLATE_H

#include "exchange/python.h"

enum { POWER_MAX = 16 }; /* a power with a constant exponent up to this becomes a product */

/* Worked out once and kept in the node. */
const struct python_fact *fact_of(struct python *python, struct python_node *node);

bool fact_is_integer(const struct python_fact *fact); /* in every case */
bool fact_is_natural(const struct python_fact *fact); /* an integer, never negative */
/* A float can hold each integer that occurs: none is known to be beyond 2^53, none is unknown. */
bool fact_is_exact(const struct python_fact *fact);

const struct python_name *find_name(const struct python *python, const char *name);

#endif
