/* How `cutune compare` shows a comparison. */
#ifndef CUTUNE_COMPARE_COMPARE_H
#define CUTUNE_COMPARE_COMPARE_H

#include <cjson/cJSON.h>

#include "analyse/findings.h"
#include "base/text.h"

/* For people: the comparison as tables, appended. */
void compare_text(const struct findings *findings, struct text *text);

/* csv: rows of (kernel, problem, section, run, device, on, name, value, low, high, note), added to `rows`. */
void compare_rows(const struct findings *findings, cJSON *rows);

/* json: one object. NULL when memory is out. */
cJSON *compare_object(const struct findings *findings);

/* Why a cell has no time of its own: "not measured", "compile_error"; "stopped early" for one of few samples; "". */
const char *compare_cell_note(const struct comparison *comparison, size_t configuration, size_t run);

/* What explains a verdict: "wrong_result" of a broken configuration, "no intervals: judged by medians"; "". */
const char *compare_change_note(const struct comparison *comparison, const struct change *change,
                                enum change_what what);

#endif
