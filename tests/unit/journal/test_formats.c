/* Files of every released format stay readable for ever and are rewritten in today's format without loss. New
 * schemas and columns need samples here: journal-SCHEMA-*.csv, database-SCHEMA-*.csv. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "base/file.h"
#include "database/merge.h"
#include "journal/journal.h"

#define FOLDER TEST_FOLDER "/unit/formats/"

static const struct sample {
    const char *name;
    bool journal;
    int schema;
    size_t rows;
    const char *extra; /* a column unknown to cutune; NULL: none */
} samples[] = {
    {"journal-1.csv", true, 1, 4, NULL},
    {"journal-1-full.csv", true, 1, 5, "t4"},
    {"journal-1-identity.csv", true, 1, 5, "t4"},
    {"database-1.csv", false, 1, 6, NULL},
    {"database-1-full.csv", false, 1, 2, NULL},
    {"database-1-identity.csv", false, 1, 2, NULL},
    {"journal-1-work.csv", true, 1, 8, NULL},
    {"database-1-work.csv", false, 1, 1, NULL},
    {"journal-1-elsewhere.csv", true, 1, 7, NULL}, /* with a column's earlier name */
    {"journal-1-other-devices.csv", true, 1, 7, NULL},
    {"journal-1-other-sizes.csv", true, 1, 10, NULL},
    {"journal-1-library.csv", true, 1, 7, NULL},
    {"database-1-library.csv", false, 1, 2, NULL},
    {"journal-1-devices.csv", true, 1, 7, NULL},
    {"database-1-condition.csv", false, 1, 1, NULL},
    {"journal-1-verified.csv", true, 1, 8, NULL},
    {"journal-1-states.csv", true, 1, 8, NULL},
    {"database-1-states.csv", false, 1, 2, NULL},
    {"journal-1-processes.csv", true, 1, 8, NULL},
    {"journal-1-events.csv", true, 1, 6, NULL},
    {"journal-1-mean.csv", true, 1, 6, NULL},
    {"journal-1-power.csv", true, 1, 6, NULL},
    {"journal-1-suspicions.csv", true, 1, 2, NULL},
    {"journal-1-energy.csv", true, 1, 4, NULL},
    {"database-1-energy.csv", false, 1, 4, NULL},
    {"database-1-energy-work.csv", false, 1, 2, NULL},
    {"database-2-fit.csv", false, 2, 2, NULL},
    {"database-2-formula.csv", false, 2, 1, NULL},
};
enum { SAMPLES = sizeof samples / sizeof *samples };

static void load(const char *name, struct text *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s%s", FOLDER, name);
    CU_ASSERT_EQUAL_FATAL(file_read(path, 1 << 20, text, NULL), 0);
}

static void print_journal(const struct journal *journal, struct text *text)
{
    CU_ASSERT_EQUAL(journal_print_header(text, journal_get_header(journal), NULL), 0);
    for (size_t i = 0; i < journal_row_count(journal); i++) {
        struct journal_row row = journal_get_row(journal, i);
        CU_ASSERT_EQUAL(journal_print_row(text, journal_get_header(journal), &row, NULL), 0);
    }
}

/* Every column of an old file is kept; written and read again it is the same. */
static void check_journal(const struct sample *sample, const struct text *text)
{
    struct journal *journal = NULL, *again = NULL;
    struct text written[2] = {{0}, {0}};
    CU_ASSERT_EQUAL_FATAL(journal_parse(&journal, sample->name, text->bytes, text->length, NULL), 0);
    const struct journal_header *header = journal_get_header(journal);
    CU_ASSERT_EQUAL(journal_row_count(journal), sample->rows);
    CU_ASSERT_EQUAL_FATAL(header->extra_count, sample->extra != NULL);
    CU_ASSERT(!sample->extra || strcmp(header->extras[0], sample->extra) == 0);
    print_journal(journal, &written[0]);
    CU_ASSERT_EQUAL_FATAL(journal_parse(&again, "again", written[0].bytes, written[0].length, NULL), 0);
    print_journal(again, &written[1]);
    CU_ASSERT_STRING_EQUAL(written[0].bytes, written[1].bytes);
    for (const char *line = text->bytes, *end; *line == '#' && (end = strchr(line, '\n')); line = end + 1) {
        char key[128];
        snprintf(key, sizeof key, "%.*s", (int)strcspn(line, "=\n"), line);
        CU_ASSERT_PTR_NOT_NULL(strstr(written[0].bytes, key));
    }
    journal_close(journal, NULL);
    journal_close(again, NULL);
    text_free(&written[0]), text_free(&written[1]);
}

static void check_database(const struct sample *sample, const struct text *text)
{
    size_t known_count;
    const struct csv_column *known = database_columns(&known_count);
    struct database *database = NULL, *again = NULL;
    struct text written[2] = {{0}, {0}};
    size_t columns;
    CU_ASSERT_EQUAL_FATAL(database_parse(&database, sample->name, text->bytes, text->length, NULL), 0);
    CU_ASSERT_EQUAL(database_count(database), sample->rows);
    const char *const *names = database_names(database, &columns);
    for (size_t i = 0; i < columns; i++)
        CU_ASSERT(csv_column_find(known, known_count, names[i]) >= 0);
    CU_ASSERT_EQUAL(database_merge((const struct database *const *)&database, 1, &written[0], NULL, NULL, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(database_parse(&again, "again", written[0].bytes, written[0].length, NULL), 0);
    CU_ASSERT_EQUAL(database_merge((const struct database *const *)&again, 1, &written[1], NULL, NULL, NULL), 0);
    CU_ASSERT_STRING_EQUAL(written[0].bytes, written[1].bytes);
    for (size_t r = 0; r < database_count(database); r++)
        for (size_t c = 0; c < columns; c++) {
            size_t all, at = 0;
            const char *const *now = database_names(again, &all);
            while (at < all && strcmp(now[at], names[c]) != 0)
                at++;
            CU_ASSERT_FATAL(at < all);
            CU_ASSERT_STRING_EQUAL(database_cells(again, r)[at], database_cells(database, r)[c]);
        }
    database_close(database);
    database_close(again);
    text_free(&written[0]), text_free(&written[1]);
}

static void kept_samples(void)
{
    for (size_t i = 0; i < SAMPLES; i++) {
        struct text text = {0};
        load(samples[i].name, &text);
        (samples[i].journal ? check_journal : check_database)(&samples[i], &text);
        text_free(&text);
    }
}

/* A column is read under its earlier name, too. */
static void renamed(void)
{
    struct journal *earlier, *now;
    CU_ASSERT_EQUAL_FATAL(journal_read(&earlier, FOLDER "journal-1-elsewhere.csv", NULL), 0);
    CU_ASSERT_EQUAL_FATAL(journal_read(&now, FOLDER "journal-1-other-devices.csv", NULL), 0);
    size_t known = 0;
    for (size_t i = 0; i < journal_row_count(now); i++) {
        double efficiency = journal_get_row(now, i).measurement.efficiency_other_devices;
        double before = journal_get_row(earlier, i).measurement.efficiency_other_devices;
        CU_ASSERT(efficiency == before || (isnan(efficiency) && isnan(before)));
        known += !isnan(efficiency);
    }
    CU_ASSERT(known > 0);
    journal_close(earlier, NULL);
    journal_close(now, NULL);
}

/* Every schema has samples, and every file of the folder is a sample. */
static void complete(void)
{
    bool journals[JOURNAL_SCHEMA + 1] = {false}, databases[DATABASE_SCHEMA + 1] = {false};
    size_t files = 0;
    for (size_t i = 0; i < SAMPLES; i++) {
        CU_ASSERT_FATAL(samples[i].schema <= (samples[i].journal ? JOURNAL_SCHEMA : DATABASE_SCHEMA));
        (samples[i].journal ? journals : databases)[samples[i].schema] = true;
    }
    for (int schema = 1; schema <= JOURNAL_SCHEMA; schema++)
        CU_ASSERT(journals[schema]);
    for (int schema = 1; schema <= DATABASE_SCHEMA; schema++)
        CU_ASSERT(databases[schema]);
    DIR *folder = opendir(FOLDER);
    CU_ASSERT_PTR_NOT_NULL_FATAL(folder);
    for (const struct dirent *entry; (entry = readdir(folder));)
        files += strstr(entry->d_name, ".csv") != NULL;
    closedir(folder);
    CU_ASSERT_EQUAL(files, SAMPLES);
}

/* Each column and each key of the header is in a sample. */
static void every_column(void)
{
    struct text all = {0}, header = {0};
    for (size_t i = 0; i < SAMPLES; i++) {
        struct text text = {0};
        load(samples[i].name, &text);
        text_append(&all, text.bytes, text.length);
        text_free(&text);
    }
    struct csv_column columns[JOURNAL_COLUMNS];
    size_t database_count;
    const struct csv_column *rows = database_columns(&database_count);
    journal_columns(&objective_row_time_per_work, columns);
    for (size_t i = 0; i < JOURNAL_COLUMNS + database_count; i++) {
        const char *name = i < JOURNAL_COLUMNS ? columns[i].name : rows[i - JOURNAL_COLUMNS].name;
        char cell[128];
        snprintf(cell, sizeof cell, "%s%s", name, strcmp(name, "version") == 0 ? "\n" : ",");
        if (!strstr(all.bytes, cell))
            fprintf(stderr, "\nno sample has the column %s", name);
        CU_ASSERT_PTR_NOT_NULL(strstr(all.bytes, cell));
    }
    const struct journal_header unknown = journal_header_unknown();
    CU_ASSERT_EQUAL(journal_print_header(&header, &unknown, NULL), 0);
    for (const char *line = header.bytes, *end; *line == '#' && (end = strchr(line, '\n')); line = end + 1) {
        char key[128];
        snprintf(key, sizeof key, "%.*s", (int)strcspn(line, "=\n"), line);
        if (strncmp(key, "# limit.", 8) == 0)
            continue; /* the same code reads each */
        if (!strstr(all.bytes, key))
            fprintf(stderr, "\nno sample has the key '%s'", key);
        CU_ASSERT_PTR_NOT_NULL(strstr(all.bytes, key));
    }
    text_free(&all);
    text_free(&header);
}

CU_TestInfo tests_formats[] = {{"renamed columns", renamed},
                               {"kept samples", kept_samples},
                               {"all schemas have samples", complete},
                               {"all columns have samples", every_column},
                               CU_TEST_INFO_NULL};
