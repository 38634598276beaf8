/* Energies and the front of time and energy, as rows of output. */
#ifndef CUTUNE_COMMANDS_FRONT_ROWS_H
#define CUTUNE_COMMANDS_FRONT_ROWS_H

#include <cjson/cJSON.h>

#include "analyse/front.h"

#define FRONT_CONFIDENCE 0.95

struct front_row {
    const char *configuration;
    const struct energy *energy;
    struct front_point point;
    bool library; /* which has its name instead of a configuration, and no point */
};

/* Sorts the rows, those on the front first, then by time, and makes an array of them for output_rows. The caller owns
 * it; NULL when out of memory. */
cJSON *front_rows(struct front_row *rows, size_t count, const char *format);

#endif
