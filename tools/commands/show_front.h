/* The front of time and energy of a journal. */
#ifndef CUTUNE_COMMANDS_SHOW_FRONT_H
#define CUTUNE_COMMANDS_SHOW_FRONT_H

#include "base/error.h"

/* Prints a row for each configuration of the journal's last energies: its time, energy, power and energy times delay
 * with their intervals, and if it is on the front; those on it first, by time. ERROR_NOT_FOUND for a journal without
 * energies. */
int show_front(const char *path, const char *format, struct error *error);

#endif
