/* Prints the results of every command: rows of named fields as an aligned table, CSV or JSON. */
#ifndef CUTUNE_TERMINAL_OUTPUT_H
#define CUTUNE_TERMINAL_OUTPUT_H

#include <stdbool.h>

#include <cjson/cJSON.h>

#include "base/error.h"
#include "base/option.h"
#include "base/text.h"
#include "database/database.h"
#include "journal/file_kind.h"

/* "|text|csv|json|markdown"; an option row skips the leading `|`. */
extern const char output_format_names[];
/* The format with that name. */
const struct output_format *output_format(const char *name);

/* Option row --format of every command with results, for a member `const char *member` of a struct. */
#define OUTPUT_FORMAT_OPTION(struct_type, member)                                                                      \
    {                                                                                                                  \
        .name = "format", .argument = output_format_names + 1, .type = OPTION_CHOICE,                                  \
        .offset = offsetof(struct_type, member), .choices = output_format_names + 1, .default_ = "text",               \
        .help = "format of the results"                                                                                \
    }

/* Prints `rows`, a cJSON array of objects with the same members, to stdout. Null members are empty. Errors are those of
 * output_flush. Formats: text is a table whose columns are the members, numbers right-aligned; with `vertical`, it is
 * one "name  value" line per member and a blank line between rows. Markdown has the same tables, csv a header and a
 * record per row, json the array. */
int output_rows(const cJSON *rows, const char *format, bool vertical, struct error *error);

/* Writes lines for people to standard output; on a terminal, long ones break between words. Errors as of
 * output_file. */
int output_lines(const struct text *lines, struct error *error);

/* A step that makes a table narrower. */
struct output_step {
    const char *name; /* NULL ends the steps */
    bool below;       /* true: moves to a line of its own below its row; false: is left out */
};
struct output_fit {
    size_t width;                    /* columns of a line; 0: any number */
    const struct output_step *steps; /* taken one after the other until the table fits */
};
/* Appends the rows as such a table, and the names of the members left out. */
void output_table(const cJSON *rows, const struct output_fit *fit, struct text *out, struct text *left_out);

/* True if the descriptor is a pipe or terminal closed by its reader, as `head` does once it has enough. */
bool output_reader_gone(int descriptor);

/* Flushes standard output. A full disk is ERROR_IO. A pipe closed by its reader is not an error: git and coreutils let
 * SIGPIPE end them, but this program has results to save and a meaningful exit status. */
int output_flush(struct error *error);

/* Checks --output before a command does anything. ERROR_USAGE if `path` is the same file as an input, under any name,
 * or a journal or database while the output, `made`, is not. NULL and "-" are standard output. */
int output_check(const char *path, enum file_kind made, const char *const *inputs, size_t count, struct error *error);

/* Writes a whole text to `path`. Replaces a regular file in one step, unless it already has the same bytes; writes to a
 * pipe or device directly. NULL and "-" are standard output. ERROR_MEMORY for an incomplete text. */
int output_file(const char *path, const struct text *text, struct error *error);

/* Prints an error to standard error, with all errors found if there are several. */
void output_error(const struct error *error);

/* Prints a line "cutune: ..." to standard error without control characters, so that quoted text cannot control the
 * terminal. */
void output_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Shows a line on the terminal of standard error, in place of the last such line. "" removes it, as do messages and
 * results. */
void output_status(const char *line);

/* Appends a string so that Markdown shows it as it is, on one line. */
void output_markdown(struct text *text, const char *string);

/* Appends JSON that is valid UTF-8 whatever bytes its strings have; with `people`, on several lines. */
void output_json(struct text *text, const cJSON *json, bool people);

/* Adds a 64-bit integer without the rounding of a double. */
void output_add_int(cJSON *object, const char *name, long long number);
/* Adds a member for each column of a row of the database: numbers, null for unknown ones, and texts. */
void output_add_best(cJSON *object, const struct best *best);
/* Makes a number with all its digits (cJSON drops the last one), or null for NaN. NULL when out of memory. */
cJSON *output_real(double number);
/* Adds such a number. */
void output_add_real(cJSON *object, const char *name, double number);

/* True if the descriptor is a terminal that can rewrite a line. */
bool output_terminal(int descriptor);

/* True if output to the descriptor should have colours: a terminal, NO_COLOR unset or empty, TERM not dumb. */
bool output_colour(int descriptor);

#endif
