/* Converts T1, the community's JSON description of a tuning space (General, ConfigurationSpace, KernelSpecification),
 * to a .space without a kernel: parameters, conditions and defaults. The script import_t1 does the conversion. */
#ifndef CUTUNE_EXCHANGE_T1_H
#define CUTUNE_EXCHANGE_T1_H

#include "base/error.h"
#include "base/text.h"

enum { T1_BYTES_MAX = 4 << 20 };

/* Appends the .space to `space`, and to `notes` a line for each part of the T1 file that it leaves out. `script` is the
 * path of import_t1; `path` names the file `text` in errors and in the first comment. A part of the space that the
 * language cannot express with the same meaning is ERROR_DATA with its place in the JSON text. Other errors are those
 * of script_run. */
int t1_import(const char *script, const char *path, const struct text *text, struct text *space, struct text *notes,
              struct error *error);

#endif
