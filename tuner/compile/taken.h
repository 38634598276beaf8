/* Within a compiler process: the files that compilations take in. They are read once for many compilations that differ
 * in their macros only. */
#ifndef CUTUNE_COMPILE_TAKEN_H
#define CUTUNE_COMPILE_TAKEN_H

#include <stdbool.h>

#include "base/text.h"
#include "compile/answer.h"

/* What was found last. Zeroed: nothing yet. */
struct taken {
    struct text question; /* of which source, and with which of the options that say where files are */
    struct text digest;   /* each file: its path and the hash of its text */
    struct text paths;    /* of the files outside the toolkit and of their folders, NUL-terminated */
    struct text states;   /* of the same: what tells that one has changed */
    bool known;           /* all files were determined */
};

/* Appends path and hash of every file that the compilation may read to `digest`. What was found last is taken again
 * when the question is the same and no file outside the toolkit, and no folder with one, has changed since, unless
 * `anew`. False when the files
 * cannot be determined. */
bool taken_append(struct taken *taken, const struct request *request, bool anew, struct text *digest);
void taken_free(struct taken *taken);

#endif
