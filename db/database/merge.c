#include "database/merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "database/rule.h"

struct candidate {
    const struct best *best;
    const struct database *database;
    size_t row;
    const char *text;   /* as it will be written */
    const char *latest; /* latest date among rows of the same source, space and options */
};

struct merge {
    struct arena arena;
    struct error *error;
    const char **names; /* names of the output's columns */
    size_t name_count;
    struct candidate *candidates; /* sorted by key */
    size_t count;
};

/* ---- The rule ---- */

static int compare_groups(const struct best *a, const struct best *b)
{
    return provenance_compare(&a->provenance, &b->provenance, PROVENANCE_QUESTION);
}

/* Negative: `a` is kept rather than `b`. 0: the rows belong to one question and equally new tools. */
static int prefer(const struct candidate *a, const struct candidate *b, const char **reason)
{
    if (compare_groups(a->best, b->best) == 0)
        return provenance_newer_tools(&a->best->provenance, &b->best->provenance, reason);
    *reason = "tuned later, from another source, space or data or with other options";
    int order = strcmp(b->latest, a->latest);
    return order ? order : compare_groups(a->best, b->best);
}

/* Says why `kept` stays. */
static const char *reason_of(const struct candidate *kept, const struct candidate *dropped)
{
    const char *reason;
    int dates = strcmp(kept->best->provenance.date, dropped->best->provenance.date);
    if (prefer(kept, dropped, &reason) != 0)
        return reason;
    if (rule_faster(kept->best, dropped->best))
        return "faster beyond both intervals";
    if (rule_refreshes(kept->best, dropped->best) && dates > 0)
        return database_is_fit(kept->best) ? "later date" : "newer figures of the same configuration";
    if (rule_refreshes(kept->best, dropped->best))
        return "ordered by text: all else is equal";
    if (rule_compare_dates(kept->best, dropped->best) > 0)
        return "the earlier one is slower than the fastest of all";
    return dates < 0 ? "tied, and earlier" : "tied: ordered by text";
}

static int compare_candidates(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;
    const char *reason;
    int order = database_compare_keys(a->best, b->best);
    order = order ? order : prefer(a, b, &reason);
    order = order ? order : rule_compare_dates(a->best, b->best);
    return order ? order : strcmp(a->text, b->text); /* of equal rows, the one with an additional cell comes last */
}

/* Returns the candidate that stays among those of a key, which begin at `first`; *end: the next key. */
static int choose(const struct merge *merge, size_t first, size_t *end, size_t *kept)
{
    size_t level = first;
    const struct candidate *candidates = merge->candidates;
    const char *reason;
    for (*end = first; *end < merge->count && database_compare_keys(candidates[first].best, candidates[*end].best) == 0;
         ++*end)
        level += level == *end && prefer(&candidates[first], &candidates[*end], &reason) == 0;
    const struct best **rows = calloc(level - first, sizeof *rows);
    if (!rows)
        return error_memory(merge->error);
    for (size_t i = first; i < level; i++)
        rows[i - first] = candidates[i].best;
    *kept = first + rule_choose(rows, level - first);
    free(rows);
    return 0;
}

static int compare_by_group(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;
    int order = database_compare_keys(a->best, b->best);
    order = order ? order : compare_groups(a->best, b->best);
    return order ? order : strcmp(b->best->provenance.date, a->best->provenance.date);
}

/* ---- Columns ---- */

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* True if a file has the column, or it is not optional. */
static bool is_used(const struct database *const *databases, size_t count, const struct csv_column *column)
{
    size_t columns;
    bool used = !database_optional(column);
    for (size_t d = 0; d < count && !used; d++) {
        const char *const *names = database_names(databases[d], &columns);
        for (size_t i = 0; i < columns && !used; i++)
            used = strcmp(names[i], column->name) == 0;
    }
    return used;
}

static int gather_names(struct merge *merge, const struct database *const *databases, size_t count)
{
    size_t known, columns;
    const struct csv_column *own = database_columns(&known);
    size_t room = known, first = 0, kept;
    for (size_t d = 0; d < count; d++) {
        database_names(databases[d], &columns);
        room += columns;
    }
    merge->names = arena_array(&merge->arena, room + 1, sizeof *merge->names);
    if (!merge->names)
        return error_memory(merge->error);
    for (size_t i = 0; i < known; i++)
        if (is_used(databases, count, &own[i]))
            merge->names[first++] = own[i].name;
    room = kept = first;
    for (size_t d = 0; d < count; d++) {
        const char *const *names = database_names(databases[d], &columns);
        for (size_t i = 0; i < columns; i++)
            if (csv_column_find(own, known, names[i]) < 0)
                merge->names[room++] = names[i];
    }
    qsort(merge->names + kept, room - kept, sizeof *merge->names, compare_names);
    for (size_t i = kept; i < room; i++)
        if (kept == first || strcmp(merge->names[kept - 1], merge->names[i]) != 0)
            merge->names[kept++] = merge->names[i];
    merge->name_count = kept;
    return kept <= CSV_CELLS_MAX
               ? 0
               : error_set(merge->error, ERROR_DATA, "the databases have more than %d columns together", CSV_CELLS_MAX);
}

/* For each column of the output, its index in the file, or -1. */
static int *match_names(struct merge *merge, const struct database *database)
{
    size_t columns;
    const char *const *names = database_names(database, &columns);
    int *places = arena_array(&merge->arena, merge->name_count, sizeof *places);
    for (size_t i = 0; places && i < merge->name_count; i++) {
        places[i] = -1;
        for (size_t c = 0; c < columns; c++)
            if (strcmp(names[c], merge->names[i]) == 0)
                places[i] = (int)c;
    }
    return places;
}

/* ---- Rows ---- */

static int gather_rows(struct merge *merge, const struct database *database)
{
    int *places = match_names(merge, database);
    struct text text = {0};
    if (!places)
        return error_memory(merge->error);
    for (size_t row = 0; row < database_count(database); row++) {
        const char *const *cells = database_cells(database, row);
        struct candidate *candidate = &merge->candidates[merge->count++];
        text_clear(&text);
        for (size_t i = 0; i < merge->name_count; i++)
            csv_append(&text, places[i] >= 0 ? cells[places[i]] : "", i + 1 == merge->name_count);
        *candidate = (struct candidate){.best = database_get(database, row), .database = database, .row = row};
        candidate->text = text.failed ? NULL : arena_copy(&merge->arena, text_string(&text), text.length);
        if (!candidate->text) {
            text_free(&text);
            return error_memory(merge->error);
        }
    }
    text_free(&text);
    return 0;
}

static void find_latest(struct merge *merge)
{
    qsort(merge->candidates, merge->count, sizeof *merge->candidates, compare_by_group);
    for (size_t i = 0; i < merge->count; i++) {
        struct candidate *candidate = &merge->candidates[i];
        bool first = i == 0 || database_compare_keys(candidate[-1].best, candidate->best) != 0 ||
                     compare_groups(candidate[-1].best, candidate->best) != 0;
        candidate->latest = first ? candidate->best->provenance.date : candidate[-1].latest;
    }
}

static void tell(const struct candidate *kept, const struct candidate *dropped, merge_observe *observe, void *context)
{
    struct merge_conflict conflict = {.kept = kept->best,
                                      .dropped = dropped->best,
                                      .kept_path = database_path(kept->database),
                                      .dropped_path = database_path(dropped->database),
                                      .kept_line = database_line(kept->database, kept->row),
                                      .dropped_line = database_line(dropped->database, dropped->row)};
    if (!observe || strcmp(kept->text, dropped->text) == 0)
        return;
    conflict.reason = reason_of(kept, dropped);
    observe(context, &conflict);
}

int database_merge(const struct database *const *databases, size_t count, struct text *out, merge_observe *observe,
                   void *context, struct error *error)
{
    struct merge merge = {.error = error};
    size_t rows = 0;
    int code = gather_names(&merge, databases, count);
    for (size_t d = 0; d < count; d++)
        rows += database_count(databases[d]);
    if (!code && !(merge.candidates = calloc(rows + 1, sizeof *merge.candidates)))
        code = error_memory(error);
    for (size_t d = 0; d < count && !code; d++)
        code = gather_rows(&merge, databases[d]);
    if (!code) {
        find_latest(&merge);
        qsort(merge.candidates, merge.count, sizeof *merge.candidates, compare_candidates);
        for (size_t i = 0; i < merge.name_count; i++)
            csv_append(out, merge.names[i], i + 1 == merge.name_count);
    }
    for (size_t first = 0, end = 0; first < merge.count && !code; first = end) {
        size_t kept = first;
        code = choose(&merge, first, &end, &kept);
        for (size_t i = first; i < end && !code; i++)
            tell(&merge.candidates[kept], &merge.candidates[i], observe, context);
        if (!code)
            text_append(out, merge.candidates[kept].text, strlen(merge.candidates[kept].text));
    }
    free(merge.candidates);
    arena_free(&merge.arena);
    return code ? code : out->failed ? error_memory(error) : 0;
}
