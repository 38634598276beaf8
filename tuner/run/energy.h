/* The energy of the best configurations of a run. */
#ifndef CUTUNE_RUN_ENERGY_H
#define CUTUNE_RUN_ENERGY_H

#include "run/run_state.h"

/* Time of a window. */
enum { RUN_ENERGY_WINDOW_NS = 650000000 };

/* Fills setup->energy, unless it is NULL, after the search and the play-off. Candidates are the winner, the default,
 * and all whose time is within setup->energy->front of the winner's, the fastest first. Takes their energies from the
 * journal's last group if it has all of them. Needs an evaluator with a device. */
int run_measure_energy(struct search_run *run, struct error *error);

#endif
