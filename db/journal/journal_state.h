/* A journal in memory. For journal_access.c, journal_append.c and journal_file.c alone. */
#ifndef CUTUNE_JOURNAL_JOURNAL_STATE_H
#define CUTUNE_JOURNAL_JOURNAL_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "journal/journal.h"
#include "journal/journal_energy.h"
#include "journal/journal_evidence.h"
#include "journal/journal_head.h"
#include "journal/journal_library.h"
#include "journal/journal_rows.h"

enum { JOURNAL_CHUNK_BYTES = 256 << 10 }; /* read at once */

struct journal {
    struct arena arena;
    const char *path;
    struct journal_head head;
    struct csv_column known[JOURNAL_COLUMNS]; /* for its objective */
    size_t known_count;
    int *columns; /* for each column after the parameters: its index in journal_columns, or -1 - the number of an extra
                     column */
    size_t column_count; /* size of `columns`; 0: the column names are not read yet */
    size_t samples;      /* journal_find_samples of its header */
    const char **texts;  /* of the row being read: parameters and extra columns */
    struct journal_rows rows;
    struct journal_evidences evidences;
    struct journal_libraries libraries;
    struct journal_energies energies;
    int torn_line;  /* 0: none */
    int descriptor; /* open for appending, else -1 */
    off_t length;   /* of the complete lines in the file */
    off_t torn;     /* bytes of the torn last line behind them */
    bool ragged;    /* a failed line must still be removed */
};

/* An empty journal, not open. */
int journal_new(struct journal **journal, const char *path, struct error *error);
/* Reads its whole file. */
int journal_load(struct journal *journal, struct error *error);

#endif
