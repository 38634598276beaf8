/* Reports the error of a program to the process that started it: one message through an inherited pipe. The environment
 * variable CUTUNE_ERROR_FD holds the descriptor of the writing end. */
#ifndef CUTUNE_BASE_ERROR_REPORT_H
#define CUTUNE_BASE_ERROR_REPORT_H

#include <stdbool.h>

#include "base/error.h"

#define ERROR_REPORT_VARIABLE "CUTUNE_ERROR_FD"

/* Returns the descriptor named by the environment; -1 without one, or if it is closed. Child processes inherit
 * neither the descriptor nor the variable. */
int error_report_open(void);

/* Writes the error without its list in one piece that fits into an empty pipe. Ignores failures, since nobody is
 * left to receive them, and descriptor -1. */
void error_report_write(int descriptor, const struct error *error);

/* Reads a message without waiting: call it after the program has ended. Returns false and leaves *error unchanged if
 * the pipe holds no message of error_report_write. */
bool error_report_read(int descriptor, struct error *error);

#endif
