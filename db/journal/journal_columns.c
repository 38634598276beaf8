#include <string.h>

#include "journal/journal.h"

size_t journal_columns(const struct objective *objective, struct csv_column columns[JOURNAL_COLUMNS])
{
    const struct objective_columns *names = objective_columns(objective);
    const struct csv_column all[] = {
#define KIND_STATUS                        CSV_STATUS
#define KIND_PLAYOFF                       CSV_PLAYOFF
#define KIND_PROPOSER                      CSV_PROPOSER
#define KIND_SUSPICIONS                    CSV_SUSPICIONS
#define KIND_REAL                          CSV_REAL
#define KIND_ABOVE_ZERO                    CSV_ABOVE_ZERO
#define KIND_SHARE                         CSV_SHARE
#define KIND_INT                           CSV_NATURAL
#define KIND_COUNT                         CSV_COUNT
#define KIND_TEXT                          CSV_CHARS
#define COLUMN(name, kind, field, meaning) CSV_COLUMN(#name, KIND_##kind, struct measurement, field, meaning),
#define WORK(name, kind, field, meaning)   COLUMN(name, kind, field, meaning)
#define VALUE(field, meaning)                                                                                          \
    {names->field, meaning, CSV_VALUE, offsetof(struct measurement, field), sizeof(double), objective, 0},
#define RENAMED(earlier, name)
#include "journal/journal_columns.def"
#undef COLUMN
#undef VALUE
#undef WORK
#undef RENAMED
    };
    memcpy(columns, all, sizeof all);
    size_t count = JOURNAL_COLUMNS;
    while (!objective->per_work && count > JOURNAL_COLUMN_work)
        count--;
    return count;
}

const char *const journal_samples_column[1] = {JOURNAL_SAMPLES};

size_t journal_find_samples(const struct journal_header *header)
{
    size_t extra = 0;
    while (extra < header->extra_count && strcmp(header->extras[extra], JOURNAL_SAMPLES) != 0)
        extra++;
    return extra;
}

int journal_column_find(const struct csv_column *columns, size_t count, const char *name)
{
    static const struct {
        const char *earlier, *name;
    } renamed[] = {
#define COLUMN(name, kind, field, meaning)
#define WORK(name, kind, field, meaning)
#define VALUE(field, meaning)
#define RENAMED(earlier, name) {#earlier, #name},
#include "journal/journal_columns.def"
#undef COLUMN
#undef VALUE
#undef WORK
#undef RENAMED
    };
    for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++)
        if (strcmp(name, renamed[i].earlier) == 0)
            name = renamed[i].name;
    return csv_column_find(columns, count, name);
}

bool journal_columns_have(const int *columns, size_t count, int column)
{
    for (size_t i = 0; i < count; i++)
        if (columns[i] == column)
            return true;
    return false;
}
