/* The samples of a time as text: numbers in ns, in the order in which they were taken, separated by spaces. Equal ones
 * in a row are one entry, TIME*COUNT. Exact. "": none. */
#ifndef CUTUNE_BASE_SAMPLES_TEXT_H
#define CUTUNE_BASE_SAMPLES_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/series.h"
#include "base/text.h"

/* Appends finite samples. */
void samples_text_print(struct text *text, const double *samples_ns, size_t count);

/* ERROR_DATA, which names the entry, for anything but such a text, and for more than SERIES_SAMPLES_MAX samples. */
int samples_text_parse(const char *samples, double samples_ns[SERIES_SAMPLES_MAX], size_t *count, struct error *error);

/* Checks that the text is "", or has this number of samples. ERROR_DATA as above, or with both numbers. */
int samples_text_check(const char *samples, uint32_t count, struct error *error);

/* Appends the samples, each multiplied by a factor. Errors of samples_text_parse. */
int samples_text_multiply(struct text *text, const char *samples, double factor, struct error *error);

#endif
