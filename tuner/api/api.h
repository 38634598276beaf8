/* Within the public API: the handles, and errors from the engine's to the public form. */
#ifndef CUTUNE_TUNER_API_H
#define CUTUNE_TUNER_API_H

#include "base/limits.h"
#include "db/selection.h"
#include "tuner/cutune.h"

struct cutune_device {
    struct device_limits limits;
    bool detailed; /* limits beside those of cutune_device_new are set */
};

struct api_kernel {
    const char *name;
    const struct best **rows; /* with the objective time */
    size_t row_count;
    struct selection *selection; /* NULL: `error` says why */
    struct error error;
};

struct cutune_database {
    struct database *rows;
    struct timing_history *timing_history;
    size_t kernel_count;
    struct api_kernel *kernels; /* in the order of the names */
};

/* NULL when the database has no row of it. */
const struct api_kernel *api_find_kernel(const struct cutune_database *database, const char *name);

/* A selection from some of a kernel's rows, with what the journals know. */
int api_select(const struct cutune_database *database, const struct best *const *rows, size_t count,
               struct selection **selection, struct error *error);

struct selection_device api_selection_device(const struct cutune_device *device);

/* What is said of a row that was chosen. */
struct cutune_best api_best(const struct selection_row *row, enum choose_rule rule);

/* CUTUNE_ERROR_USAGE: an argument of that function is NULL and may not be. */
int api_null(struct cutune_error *error, const char *function);

/* Returns the code. `error` may be NULL. */
int api_error(struct cutune_error *error, const struct error *from);

#endif
