/* Signals that end the program: SIGINT, SIGTERM and SIGHUP. One that was ignored when the program started stays
 * ignored: so `nohup` works, and so do jobs in the background of a script. */
#ifndef CUTUNE_TERMINAL_STOP_H
#define CUTUNE_TERMINAL_STOP_H

#include <signal.h>

/* From now on such a signal ends the program at once, with the exit status of ERROR_INTERRUPTED: for all work that
 * saves nothing, reading long files among it. */
void stop_at_once(void);

/* From now on such signals are counted instead, up to 2, for work that has something to save: the first asks for an
 * orderly end, the second for one without delay. */
void stop_in_order(void);

/* How many were counted. */
extern const volatile sig_atomic_t *const stop_requests;

#endif
