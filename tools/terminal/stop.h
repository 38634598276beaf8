/* Signals that end the program: SIGINT, SIGTERM and SIGHUP. A signal ignored at the program's start stays ignored, so
 * that `nohup` and background jobs of scripts work. */
#ifndef CUTUNE_TERMINAL_STOP_H
#define CUTUNE_TERMINAL_STOP_H

#include <signal.h>

/* From now on, such a signal ends the program at once with the exit status of ERROR_INTERRUPTED. For work that saves
 * nothing, such as reading long files. */
void stop_at_once(void);

/* From now on, counts such signals, up to 2, for work that must save something: the first requests an orderly end, the
 * second an immediate one. */
void stop_in_order(void);

/* Number of signals counted. */
extern const volatile sig_atomic_t *const stop_requests;

#endif
