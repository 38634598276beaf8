/* Internals of the public API: the handles, and the conversion of errors to the public form. */
#ifndef CUTUNE_API_API_H
#define CUTUNE_API_API_H

#include <cutune.h>

#include "base/limits.h"
#include "choose/selection.h"
#include "space/space.h"

enum { API_LIMITS_MAX = 64 };

struct cutune_device {
    struct device_limits limits;
    bool detailed;                 /* limits besides those of cutune_device_new are set */
    int64_t known[API_LIMITS_MAX]; /* by row of limit_rows; LIMIT_UNKNOWN: not set */
};

struct api_kernel {
    const char *name;
    const struct best **rows; /* with the objective time */
    size_t row_count;
    struct selection *selection; /* NULL: see `error` */
    struct error error;
};

struct cutune_database {
    struct database *rows;
    struct timing_history *timing_history;
    size_t kernel_count;
    struct api_kernel *kernels; /* ordered by name */
};

/* NULL if the database has no row of it. */
const struct api_kernel *api_find_kernel(const struct cutune_database *database, const char *name);

/* Makes a selection of some of a kernel's rows, with the outcomes of the journals. */
int api_select(const struct cutune_database *database, const struct best *const *rows, size_t count,
               struct selection **selection, struct error *error);

/* Borrows from the device. */
struct selection_device api_selection_device(const struct cutune_device *device);

/* Describes a row of the database. */
struct cutune_best api_best(const struct cutune_database *database, const struct selection_row *row,
                            enum choose_rule rule);
/* Describes the row that selection_choose returned for the sizes. */
struct cutune_best api_choice(const struct cutune_database *database, const struct selection *selection, size_t row,
                              enum choose_rule rule, const long double *sizes);

/* Binds a space to the sizes of a problem, "ROWS=4096 COLS=4096", and to the limits of the device, if any are set.
 * `device` may be NULL. */
int api_bind(struct space *space, const char *problem, const struct cutune_device *device, struct error *error);

/* ERROR_NOTHING_VALID, with the first constraint that does not hold; `configuration` is the text of the choices. */
int api_check_constraints(const struct space *space, const uint32_t *choices, const char *configuration,
                          struct error *error);

/* CUTUNE_ERROR_USAGE: a required argument of that function is NULL. */
int api_null(struct cutune_error *error, const char *function);

/* Converts an error and returns its code. `error` may be NULL. */
int api_error(struct cutune_error *error, const struct error *from);

#endif
