/* The energies of a run, for people. */
#ifndef CUTUNE_COMMANDS_SUMMARY_ENERGY_H
#define CUTUNE_COMMANDS_SUMMARY_ENERGY_H

#include <cjson/cJSON.h>

#include "session/session.h"

struct summary_line {
    char name[24], text[1024];
};

/* Lines of the best by each objective, of the library, of the front and of the time that they took. */
enum { SUMMARY_ENERGY_LINES = OBJECTIVE_COUNT + 3 };

/* Returns the number of lines; 0 without energies. */
size_t summary_energy(const struct session_result *result, struct summary_line lines[SUMMARY_ENERGY_LINES]);

/* Makes the rows of front_rows; an empty array without energies. The caller owns it; NULL when out of memory. */
cJSON *summary_energies(const struct session_subject *subject, const struct session_result *result, const char *format);

#endif
