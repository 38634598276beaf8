/* A time line of a run, for tools/bench/startup: the steps of each process and their times. */
#ifndef CUTUNE_BASE_TIMELINE_H
#define CUTUNE_BASE_TIMELINE_H

/* If the environment has CUTUNE_TIMELINE=NS, writes the line "timeline MILLISECONDS PROCESS STEP" to standard error,
 * with the milliseconds since the time NS of clock_now_ns. `process`: "coordinator", "device" or "compiler"; `step`:
 * the step just finished. */
void timeline(const char *process, const char *step);

#endif
