/* How every command prints its results: rows of named fields as an aligned table, CSV or JSON. */
#ifndef CUTUNE_TERMINAL_OUTPUT_H
#define CUTUNE_TERMINAL_OUTPUT_H

#include <stdbool.h>

#include <cjson/cJSON.h>

#include "base/error.h"
#include "base/option.h"
#include "base/text.h"
#include "db/database.h"
#include "db/kind.h"

/* "text|csv|json"; in front of it stands a `|`. */
extern const char output_format_names[];
/* The format of one of these names. */
const struct output_format *output_format(const char *name);

/* The option row that every command with results has: --format, into `const char *member` of a struct. */
#define OUTPUT_FORMAT_OPTION(struct_type, member)                                                                      \
    {                                                                                                                  \
        .name = "format", .argument = output_format_names + 1, .type = OPTION_CHOICE,                                  \
        .offset = offsetof(struct_type, member), .choices = output_format_names + 1, .default_ = "text",               \
        .help = "how results are printed"                                                                              \
    }

/* Prints `rows`, a cJSON array of objects with the same members, to stdout. text: a table whose columns are the
 * members, numbers right-aligned; with `vertical`, one "name  value" line per member and a blank line between rows.
 * csv: a header and a record per row. json: the array. Null members are empty. Fails as output_flush does. */
int output_rows(const cJSON *rows, const char *format, bool vertical, struct error *error);

/* Whether a descriptor is of a pipe or terminal that nobody reads any more: whoever closed it, as `head` does, has what
 * he wants. */
bool output_reader_gone(int descriptor);

/* Sends off what was printed. A full disk is ERROR_IO; a pipe that its reader has closed is no error: git and coreutils
 * let SIGPIPE kill them without a word; this program has results to save and an exit status that says more. */
int output_flush(struct error *error);

/* For every command with an --output, before it does anything: ERROR_USAGE when `path` is the same file as an input,
 * whatever their names, or a journal or database and what will be written, `made`, is not. NULL and "-" are standard
 * output. */
int output_check(const char *path, enum file_kind made, const char *const *inputs, size_t count, struct error *error);

/* Writes a whole text to `path`: a regular file is replaced in one step, or left alone when it has the same bytes; a
 * pipe or device is written to; NULL and "-" are standard output. */
int output_file(const char *path, const struct text *text, struct error *error);

/* Prints an error to standard error as people read it, with all that were found where there are several. */
void output_error(const struct error *error);

/* A line on standard error, "cutune: ...", cleaned: what it quotes must not steer the terminal. */
void output_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Appends JSON as text that is valid UTF-8, and JSON, whatever its strings hold; with `people`, in lines. */
void output_json(struct text *text, const cJSON *json, bool people);

/* Adds a 64-bit integer without the loss of digits that a double would bring. */
void output_add_int(cJSON *object, const char *name, long long number);
/* Adds a member for each column of a row of the database: numbers, null for those that are unknown, and texts. */
void output_add_best(cJSON *object, const struct best *best);
/* A number with all its digits (cJSON's own lose the last one), or null when it is none. NULL: memory ran out. */
cJSON *output_real(double number);
/* Adds that. */
void output_add_real(cJSON *object, const char *name, double number);

/* True when the descriptor is a terminal that can rewrite a line. */
bool output_terminal(int descriptor);

/* True when colours may be used on the descriptor: a terminal, NO_COLOR unset or empty, TERM not dumb. */
bool output_colour(int descriptor);

#endif
