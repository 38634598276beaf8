/* Prints the facts of `cutune check` as text. */
#ifndef CUTUNE_COMMANDS_CHECK_TEXT_H
#define CUTUNE_COMMANDS_CHECK_TEXT_H

#include <cjson/cJSON.h>

#include "base/error.h"
#include "space/space.h"

struct check_facts {
    const struct space *space;
    bool has_limits;   /* device limits apply */
    const cJSON *rows; /* facts by kind, as `cutune check` lists them */
};

/* Prints a list of general facts, then a table for each kind that occurs. */
int check_text(const struct check_facts *facts, struct error *error);

#endif
