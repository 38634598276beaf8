/* Reads any bytes as a journal (first byte 'j') or a database (any other), and accesses all fields. */
#include <math.h>
#include <string.h>

#include "database/database.h"
#include "journal/journal.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static size_t total; /* sums all values read, so that sanitizers check them */

static void look_at_journal(const char *text, size_t length)
{
    struct journal *journal = NULL;
    struct error error = {0};
    if (journal_parse(&journal, "fuzz.csv", text, length, &error)) {
        if (error.code == ERROR_NONE || !error.message[0])
            __builtin_trap();
        return;
    }
    const struct journal_header *header = journal_get_header(journal);
    total += strlen(header->provenance.kernel) + strlen(header->provenance.device.name);
    for (size_t i = 0; i < journal_evidence_count(journal); i++) {
        const struct journal_evidence got = journal_get_evidence(journal, i);
        if (!got.count || !journal_find_evidence(journal, got.values))
            __builtin_trap();
        for (size_t l = 0; l < got.count; l++)
            total += strlen(got.launches[l].kernel) + isnan(got.launches[l].blocks);
    }
    for (size_t i = 0; i < journal_row_count(journal); i++) {
        const struct journal_row got = journal_get_row(journal, i), *row = &got;
        for (size_t j = 0; j < header->parameter_count; j++)
            total += strlen(row->values[j]) + strlen(header->parameters[j]);
        for (size_t j = 0; j < header->extra_count; j++)
            total += strlen(row->extras[j]) + strlen(header->extras[j]);
        total += strlen(row->measurement.message) + strlen(status_name(row->measurement.status));
    }
    if (journal_close(journal, NULL))
        __builtin_trap();
}

static void look_at_database(const char *text, size_t length)
{
    struct database *database = NULL;
    struct error error = {0};
    if (database_parse(&database, "fuzz.csv", text, length, &error)) {
        if (error.code == ERROR_NONE || !error.message[0])
            __builtin_trap();
        return;
    }
    for (size_t i = 0; i < database_count(database); i++) {
        const struct best *best = database_get(database, i);
        total +=
            strlen(best->provenance.kernel) + strlen(best->provenance.version) + (size_t)best->provenance.device.cuda;
        if (best->schema < 1 || best->schema > DATABASE_SCHEMA)
            __builtin_trap();
    }
    database_close(database);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    if (length == 0)
        return 0;
    if (bytes[0] == 'j')
        look_at_journal((const char *)bytes + 1, length - 1);
    else
        look_at_database((const char *)bytes + 1, length - 1);
    return 0;
}
