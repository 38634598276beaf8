/* Within a compiler process: machine code of authors who are not trusted. */
#ifndef CUTUNE_COMPILE_FOREIGN_H
#define CUTUNE_COMPILE_FOREIGN_H

#include "compile/compile_reply.h"

/* Reads the machine code of the job, and finds its kernels, instead of compiling. */
void foreign_read(const struct compile_job *job, struct compile_reply *reply);

/* Refuses code that asks the driver for more than a kernel needs, such as launches from the device: turns an answer
 * into a compile error. */
void foreign_screen(struct compile_reply *reply);

#endif
