/* Converts T1, the community's JSON description of a tuning problem (General, ConfigurationSpace, KernelSpecification),
 * to a .space, through the script import_t1. */
#ifndef CUTUNE_EXCHANGE_T1_H
#define CUTUNE_EXCHANGE_T1_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"

enum { T1_BYTES_MAX = 4 << 20 };

struct t1_setup {
    const char *script; /* path of import_t1 */
    const char *path; /* path of the T1 file, which names files relative to its folder; also for errors and comments */
    const char *output; /* path of the space file, which names the same files; NULL: in the folder of the T1 file */
    bool no_kernel;     /* only parameters, conditions and defaults */
    bool untrusted;     /* the space file must pass space_refuse_untrusted */
};

/* Appends the .space to `space`. Appends a line to `notes` for each part of the T1 file that it leaves out, with its
 * place in the JSON, as in General.OutputFile. The `text` is that of the T1 file. ERROR_DATA, with the place in the
 * text, for a part that the language cannot express with the same meaning, for a missing file, and for a text of more
 * than T1_BYTES_MAX bytes. Other errors are those of script_run. */
int t1_import(const struct t1_setup *setup, const struct text *text, struct text *space, struct text *notes,
              struct error *error);

#endif
