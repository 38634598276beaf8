/* Fits over sizes of several files side by side: their regions, numbers of configurations, and quality of the
 * choice. */
#ifndef CUTUNE_COMPARE_COMPARE_FITS_H
#define CUTUNE_COMPARE_COMPARE_FITS_H

#include <cjson/cJSON.h>

#include "analyse/measured_run.h"
#include "base/text.h"

/* Number of fits of the kernel; NULL: of all kernels. */
size_t compare_fits_count(const struct measured_runs *measured, const char *kernel);

/* Appends a table for each kernel, for people. */
void compare_fits_text(const struct measured_runs *measured, const char *kernel, bool markdown, struct text *text);

/* csv: adds rows as compare_rows does, with the section `fit`. */
void compare_fits_rows(const struct measured_runs *measured, const char *kernel, cJSON *rows);

/* json: adds an object for each kernel. */
void compare_fits_objects(const struct measured_runs *measured, const char *kernel, cJSON *list);

#endif
