/* The files that a compiler command writes: machine code, or PTX, which is assembled here. */
#ifndef CUTUNE_COMPILE_COMMAND_MODULE_H
#define CUTUNE_COMPILE_COMMAND_MODULE_H

#include "base/text.h"
#include "compile/compile_reply.h"

enum { COMMAND_FILE_BYTES_MAX = 64 << 20 };

struct command_module {
    const char *kernel; /* its name, for messages */
    const char *file;   /* that the command has written */
    const char *entry;
    const char *architecture; /* "sm_90a" */
    const char *ptxas;        /* the assembler; NULL: not found */
    const char *folder;       /* for temporary files */
    bool is_ptx;              /* set by the reading */
    struct text code;         /* likewise: the machine code; owned */
};

/* Reads the file, and assembles PTX, whose text replaces `ptx`; the assembler's output is appended to `log`. False: the
 * status and message of the reply have the reason. */
bool command_module_read(struct command_module *module, const struct compile_job *job, struct text *ptx,
                         struct text *log, struct compile_reply *reply);

/* Appends the path of the assembler of the toolkit, or else of NVIDIA's package beside NVRTC. False: not found. */
bool command_assembler(struct text *path);

#endif
