/* Sizes of a fit's region at which nothing was measured. A tree that is grown from the measured sizes alone puts its
 * borders by chance; a model (fit_model.h) tells what each configuration takes at many more, which show where one
 * becomes better than another. */
#ifndef CUTUNE_ANALYSE_FIT_IMAGINED_H
#define CUTUNE_ANALYSE_FIT_IMAGINED_H

#include "analyse/fit_cover.h"
#include "analyse/fit_model.h"

/* Appends imagined sizes to a table whose first sizes were measured: as many as `measured` sizes are enough for, of
 * those that the table has. They have no times; FIT_INVALID where a condition does not hold. Sizes and times are copied
 * into the arena. ERROR_SYNTAX: a condition. */
int fit_imagined_append(struct arena *arena, struct fit_table *table, size_t measured, struct error *error);

/* The losses of the configurations of a cover at the imagined sizes, those from `first` on, as sizes[0 .. count) teach:
 * *losses becomes a copy in the arena, with weights. A configuration has failed where it failed at the nearest of
 * these. One with too few times for the model loses everywhere what it loses on average where it was measured. */
int fit_imagined_losses(struct arena *arena, const struct fit_model *model, const struct fit_table *table, size_t first,
                        const struct fit_cover *cover, const size_t *sizes, size_t count, struct fit_losses *losses,
                        struct error *error);

#endif
