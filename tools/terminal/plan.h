/* Prints the plan of a search, and its estimated time. */
#ifndef CUTUNE_TERMINAL_PLAN_H
#define CUTUNE_TERMINAL_PLAN_H

#include <stdbool.h>

#include "base/text.h"
#include "session/session.h"

/* Appends the plan of a RUN_PLAN event as one line without its end. `replay`: its seconds are recorded ones. */
void plan_line(const struct session_event *event, bool replay, struct text *line);

#endif
