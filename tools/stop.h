/* Signals that end a run: the first asks for an orderly end, the second for one at once. */
#ifndef CUTUNE_TOOLS_STOP_H
#define CUTUNE_TOOLS_STOP_H

#include <signal.h>

/* Catches SIGINT, SIGTERM and SIGHUP from now on; what is returned counts them, up to 2. */
const volatile sig_atomic_t *stop_catch(void);

#endif
