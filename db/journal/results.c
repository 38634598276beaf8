#include "journal/results.h"

#include "base/file.h"
#include "base/roofline_time.h"
#include "journal/file_kind.h"
#include "journal/journal.h"
#include "journal/journal_head.h"
#include "journal/journal_outcomes.h"
#include "journal/winner.h"

/* Checks the columns that must not be empty in a database. */
static int check_names(const struct journal *journal, struct error *error)
{
    const struct provenance *provenance = &journal_get_header(journal)->provenance;
    const char *missing = !*provenance->kernel ? "kernel" : !*provenance->device.name ? "device" : NULL;
    if (!missing)
        return 0;
    error_set(error, ERROR_DATA, "the journal names no %s, so its winner cannot be a row of a database", missing);
    error_place(error, journal_file(journal), 0, 0);
    error_hint(error, "add the line '# %s = NAME' behind its first", missing);
    return ERROR_DATA;
}

static int open_winner(struct database **database, const struct journal_outcomes *read, struct error *error)
{
    const struct journal *journal = read->journal;
    struct provenance provenance = journal_get_header(journal)->provenance;
    const struct outcome *default_ =
        *provenance.default_ ? outcomes_find(&read->outcomes, journal_outcomes_key(provenance.default_)) : NULL;
    struct winner winner;
    struct text configuration = {0};
    if (!winner_find(&read->outcomes, 0, default_ ? default_->key : UINT64_MAX, &winner)) {
        error_set(error, ERROR_NOT_FOUND, "no winner in %s: none of its configurations was timed to the end",
                  journal_file(journal));
        return ERROR_NOT_FOUND;
    }
    provenance.roofline_ns = roofline_time_of_record(&provenance);
    const struct outcome *first = outcomes_find(&read->outcomes, winner.key);
    journal_outcomes_text(journal, read->rows[first - read->outcomes.items], &configuration);
    struct best best = winner_row(&winner, &provenance, text_string(&configuration), read->outcomes.count);
    best.states = winner.measurement.states;
    winner_row_library(
        &best, journal_find_library(journal, journal_get_values(journal, read->rows[first - read->outcomes.items])));
    int code =
        configuration.failed ? error_memory(error) : database_from_row(database, journal_file(journal), &best, error);
    text_free(&configuration);
    return code;
}

static int open_journal(struct database **database, const char *path, int *torn_line, struct error *error)
{
    struct journal *journal = NULL;
    struct journal_outcomes read = {0};
    char generation[HASH_HEX_BYTES];
    int code = journal_read(&journal, path, error);
    if (code)
        return code;
    journal_torn(journal, torn_line);
    code = check_names(journal, error);
    if (!code)
        code = journal_outcomes_read(&read, journal, error);
    if (!code)
        code = open_winner(database, &read, error);
    if (!code && (code = hash_file(path, UINT64_MAX, generation, error))) {
        database_close(*database);
        *database = NULL;
    }
    if (!code)
        database_set_generation(*database, generation);
    journal_outcomes_free(&read);
    journal_close(journal, NULL);
    return code;
}

int results_open(struct database **database, const char *path, int *torn_line, struct error *error)
{
    enum file_kind kind = FILE_KIND_OTHER;
    *torn_line = 0;
    if (file_check_regular(path, NULL) == 0 && file_kind_find(path, &kind, NULL) == 0 && kind == FILE_KIND_JOURNAL)
        return open_journal(database, path, torn_line, error);
    int code = database_open(database, path, error);
    if (code == ERROR_DATA && kind == FILE_KIND_OTHER)
        error_hint(error, "a journal's first line is '" JOURNAL_MAGIC "%d'", JOURNAL_SCHEMA);
    return code;
}
