/* Recognises the files of other tools that import reads, by their content. */
#ifndef CUTUNE_EXCHANGE_FORMATS_H
#define CUTUNE_EXCHANGE_FORMATS_H

#include "exchange/exchange.h"

enum exchange_kind {
    EXCHANGE_SPACE,   /* describes a space: t1_import reads it */
    EXCHANGE_RESULTS, /* says what its parts are */
    EXCHANGE_TABLE,   /* options say what its columns are */
    EXCHANGE_KINDS
};

struct exchange_format {
    const char *name; /* for messages, in the plural: "KTT results" */
    enum exchange_kind kind;
    /* Members of the file's JSON object that only this format has; of a CSV file, names in its first record. NULL: one
     * less. */
    const char *members[2];
    exchange_reader *read; /* NULL: t1_import */
};

/* Finds the format of a text; NULL: none of them, perhaps a table. Stays within the text, whatever it contains. */
const struct exchange_format *exchange_recognise(const char *text, size_t length);

/* Any CSV file. It is recognised by nothing: the column with the times must be named. */
extern const struct exchange_format exchange_table;

/* ERROR_DATA for a file of another format, with the list of these, or with the place where it is no JSON; ERROR_USAGE
 * for a table without a column of times.
 */
int exchange_unknown(const char *path, const char *text, size_t length, struct error *error);

#endif
