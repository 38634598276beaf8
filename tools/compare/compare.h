/* Output of `cutune compare`. */
#ifndef CUTUNE_COMPARE_COMPARE_H
#define CUTUNE_COMPARE_COMPARE_H

#include <cjson/cJSON.h>

#include "analyse/findings.h"
#include "base/text.h"

/* Appends the comparison as tables, for people. */
void compare_text(const struct findings *findings, struct text *text);

/* Appends the same in Markdown, changes first: for a comment on a change of the source. */
void compare_markdown(const struct findings *findings, struct text *text);

/* csv: adds rows of (kernel, problem, section, run, device, on, name, value, low, high, note) to `rows`. */
void compare_rows(const struct findings *findings, cJSON *rows);

/* json: one object. NULL when out of memory. */
cJSON *compare_object(const struct findings *findings);

/* Returns why a cell has no complete time: "not measured", "compile_error", "stopped early"; "" if it has one. */
const char *compare_cell_note(const struct comparison *comparison, size_t configuration, size_t run);

/* Explains a verdict: "wrong_result" for a broken configuration, "no intervals: judged by medians", the reason why two
 * runs allow no conclusion; else "". */
const char *compare_change_note(const struct comparison *comparison, const struct change *change,
                                enum change_what what);

#endif
