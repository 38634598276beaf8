/* T1, the community's description of a tuning space in JSON (General, ConfigurationSpace, KernelSpecification), becomes
 * a .space without a kernel: its parameters, conditions and defaults. The script import_t1 converts it. */
#ifndef CUTUNE_EXCHANGE_T1_H
#define CUTUNE_EXCHANGE_T1_H

#include "base/error.h"
#include "base/text.h"

enum { T1_BYTES_MAX = 4 << 20 };

/* Appends the .space to `space`, and to `notes` a line for each thing that T1 says besides the space and that is not in
 * it. `script` is the path of import_t1, `path` names the file `text` in errors and in the first comment. What of the
 * space itself cannot be said in the language with the same meaning is ERROR_DATA with its place in the JSON text; the
 * rest is script_run's. */
int t1_import(const char *script, const char *path, const struct text *text, struct text *space, struct text *notes,
              struct error *error);

#endif
