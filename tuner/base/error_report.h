/* How a program tells the program that started it why it failed: as one message on a descriptor that it inherited. The
 * environment's CUTUNE_ERROR_FD is the number of that descriptor, the writing end of a pipe. */
#ifndef CUTUNE_BASE_ERROR_REPORT_H
#define CUTUNE_BASE_ERROR_REPORT_H

#include <stdbool.h>

#include "base/error.h"

#define ERROR_REPORT_VARIABLE "CUTUNE_ERROR_FD"

/* The descriptor that the environment names, -1 when it names none that is open. Programs that this one starts inherit
 * neither it nor the variable. */
int error_report_open(void);

/* Writes the error without its list, in one piece that fits into an empty pipe. A failure is not reported: nobody is
 * left to hear of it. Descriptor -1: does nothing. */
void error_report_write(int descriptor, const struct error *error);

/* Reads what was written, without waiting: call it when the program has ended. False, and *error as it was, when there
 * is no message, or none that error_report_write wrote. */
bool error_report_read(int descriptor, struct error *error);

#endif
