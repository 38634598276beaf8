#include "analyse/measured_run.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/pairs.h"
#include "base/roofline_time.h"
#include "base/work.h"
#include "database/database.h"
#include "journal/file_kind.h"
#include "journal/journal.h"
#include "journal/journal_head.h"

struct measured_run_file {
    struct journal *journal;
    struct database *database;
};

static void *grow(void *items, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return items;
    void *more = realloc(items, (*room * 2 + 8) * size);
    if (more)
        *room = *room * 2 + 8;
    return more;
}

static struct measured_run *new_measured_run(struct measured_runs *measured, const char *path)
{
    struct measured_run *items = grow(measured->items, measured->count, &measured->room, sizeof *measured->items);
    const char *copy = arena_copy(&measured->arena, path, strlen(path));
    if (items)
        measured->items = items;
    if (!items || !copy)
        return NULL;
    struct measured_run *fresh = &items[measured->count++];
    *fresh = (struct measured_run){.path = copy, .source = measured->source_count, .provenance = provenance_unknown()};
    return fresh;
}

static void know(struct measured_run *run, const struct provenance *provenance)
{
    run->provenance = *provenance;
    run->provenance.roofline_ns = roofline_time_of_record(provenance);
}

/* ---- Journals ---- */

static int add_journal(struct measured_runs *measured, struct journal *journal, const char *path, struct error *error)
{
    const struct journal_header *header = journal_get_header(journal);
    size_t count = journal_row_count(journal);
    struct measured_run *fresh = new_measured_run(measured, path);
    struct measured_run_row *rows = arena_array(&measured->arena, count + 1, sizeof *rows);
    struct measurement *measurements = arena_array(&measured->arena, count + 1, sizeof *measurements);
    if (!fresh || !rows || !measurements)
        return error_memory(error);
    fresh->libraries = journal_get_libraries(journal, &fresh->library_count);
    for (size_t i = 0; i < count; i++) {
        const struct journal_row row = journal_get_row(journal, i);
        measurements[i] = row.measurement;
        rows[i] = (struct measured_run_row){row.values, &measurements[i]};
    }
    fresh->journal = journal;
    fresh->objective = header->objective;
    know(fresh, &header->provenance);
    fresh->parameter_count = header->parameter_count;
    fresh->parameters = header->parameters;
    fresh->row_count = count;
    fresh->rows = rows;
    journal_torn(journal, &fresh->torn_line);
    return 0;
}

/* ---- Databases ---- */

/* Returns the names of the pairs, or their values. NULL if memory is out. */
static const char *const *texts_of(struct arena *arena, const struct pairs *pairs, bool values)
{
    const char **texts = arena_array(arena, pairs->count + 1, sizeof *texts);
    for (size_t i = 0; texts && i < pairs->count; i++)
        texts[i] = values ? pairs->items[i].value : pairs->items[i].name;
    return texts;
}

static const struct measurement *known_value(struct arena *arena, const struct best *best, bool winner, double value,
                                             double low, double high, uint32_t samples)
{
    struct measurement *measurement = arena_alloc(arena, sizeof *measurement);
    if (measurement) {
        *measurement = measurement_unknown(STATUS_OK);
        measurement->objective = objective_number(objective_find(best->objective));
        measurement->value = value;
        measurement->low = low;
        measurement->high = high;
        measurement->samples = samples;
        if (measurement_objective(measurement)->per_work && winner) { /* the row's amounts are per unit of work */
            measurement->work = 1;
            measurement->bytes = best->provenance.bytes;
            measurement->flops = best->provenance.flops;
        }
        if (winner)
            snprintf(measurement->states, sizeof measurement->states, "%s", best->states);
    }
    return measurement;
}

/* Reads the two configurations in a row of a database. The default's pairs, which may be missing, get the other's
 * order. */
static int read_configurations(struct arena *arena, const struct best *best, struct pairs *winner,
                               struct pairs *default_, struct error *error)
{
    bool same = true;
    int code = pairs_read(arena, best->configuration, winner, error);
    if (!code)
        code = pairs_read(arena, best->provenance.default_, default_, error);
    if (!code && default_->count)
        code = pairs_order(arena, winner, default_, &same, error);
    if (!same)
        code = error_set(error, ERROR_DATA, "the default configuration %.200s has other parameters than the winner",
                         best->provenance.default_);
    return code;
}

/* Derives the library's value from the row's ratio. */
static int add_best_library(struct measured_runs *measured, const struct best *best, const char *const *values,
                            struct measured_run *fresh, struct error *error)
{
    struct journal_library *library = arena_alloc(&measured->arena, sizeof *library);
    if (isnan(best->library_ratio))
        return 0;
    if (!library)
        return error_memory(error);
    *library = (struct journal_library){.values = values,
                                        .name = best->library,
                                        .value = best->library_value,
                                        .low = NAN,
                                        .high = NAN,
                                        .winner_value = best->library_value / best->library_ratio,
                                        .states = best->library_states};
    fresh->libraries = library;
    fresh->library_count = 1;
    return 0;
}

static int add_best(struct measured_runs *measured, const struct best *best, const char *path, struct error *error)
{
    struct arena *arena = &measured->arena;
    struct measured_run *fresh = new_measured_run(measured, path);
    struct measured_run_row *rows = arena_array(arena, 2, sizeof *rows);
    struct pairs winner, default_;
    if (!fresh || !rows)
        return error_memory(error);
    int code = read_configurations(arena, best, &winner, &default_, error);
    if (code) {
        error_hint(error, "in the row of %.80s: %.80s, %.80s", best->provenance.device.name, best->provenance.kernel,
                   best->provenance.problem);
        error_place(error, path, 0, 0);
        return code;
    }
    const char *const *names = texts_of(arena, &winner, false), *const *values = texts_of(arena, &winner, true);
    const char *const *defaults = texts_of(arena, &default_, true);
    if (!names || !values || !defaults)
        return error_memory(error);
    know(fresh, &best->provenance);
    fresh->objective = objective_find(best->objective);
    fresh->parameter_count = winner.count;
    fresh->parameters = names;
    fresh->rows = rows;
    rows[fresh->row_count++] = (struct measured_run_row){
        values, known_value(arena, best, true, best->value, best->low, best->high, best->samples)};
    if (default_.count && strcmp(best->configuration, best->provenance.default_) != 0 && !isnan(best->default_value))
        rows[fresh->row_count++] =
            (struct measured_run_row){defaults, known_value(arena, best, false, best->default_value, NAN, NAN, 0)};
    for (size_t i = 0; i < fresh->row_count; i++)
        if (!rows[i].measurement)
            return error_memory(error);
    return add_best_library(measured, best, values, fresh, error);
}

static int add_fit(struct measured_runs *measured, const struct best *best, const char *path, struct error *error)
{
    struct measured_fit *fits = grow(measured->fits, measured->fit_count, &measured->fit_room, sizeof *fits);
    const char *copy = arena_copy(&measured->arena, path, strlen(path));
    struct size_fit *fit = arena_alloc(&measured->arena, sizeof *fit);
    if (fits)
        measured->fits = fits;
    if (!fits || !copy || !fit)
        return error_memory(error);
    int code = size_fit_parse(&measured->arena, best->fit, fit, error);
    if (code)
        error_hint(error, "in %s, the fit of %.80s for %.80s: fit it again, or delete its row", path,
                   best->provenance.device.name, best->provenance.problem);
    else
        fits[measured->fit_count++] = (struct measured_fit){copy, measured->source_count, best, fit};
    return code;
}

static int add_other(struct measured_runs *measured, const struct best *best, const char *path, struct error *error)
{
    struct measured_other *others =
        grow(measured->others, measured->other_count, &measured->other_room, sizeof *others);
    const char *copy = arena_copy(&measured->arena, path, strlen(path));
    if (others)
        measured->others = others;
    if (!others || !copy)
        return error_memory(error);
    others[measured->other_count++] = (struct measured_other){copy, measured->source_count, best};
    return 0;
}

static int add_database(struct measured_runs *measured, const struct database *database, const char *path,
                        struct error *error)
{
    int code = 0;
    for (size_t i = 0; i < database_count(database) && !code; i++) {
        const struct best *best = database_get(database, i);
        if (database_is_fit(best))
            code = add_fit(measured, best, path, error);
        else if (objective_find(best->objective) && !isnan(best->value))
            code = add_best(measured, best, path, error);
        else
            code = add_other(measured, best, path, error);
    }
    return code;
}

/* ---- Files and folders ---- */

static int add_file(struct measured_runs *measured, const char *path, struct error *error)
{
    enum file_kind kind;
    int code = file_kind_find(path, &kind, error);
    if (code)
        return code;
    bool journal = kind == FILE_KIND_JOURNAL;
    struct measured_run_file *files =
        grow(measured->files, measured->file_count, &measured->file_room, sizeof *measured->files);
    if (!files)
        return error_memory(error);
    measured->files = files;
    struct measured_run_file *file = &files[measured->file_count++];
    *file = (struct measured_run_file){0};
    code = journal ? journal_read(&file->journal, path, error) : database_open(&file->database, path, error);
    if (code == ERROR_DATA && kind == FILE_KIND_OTHER)
        error_hint(error, "a journal's first line is '" JOURNAL_MAGIC "%d'", JOURNAL_SCHEMA);
    if (code)
        return code;
    return journal ? add_journal(measured, file->journal, path, error)
                   : add_database(measured, file->database, path, error);
}

static int add_folder(struct measured_runs *measured, const char *path, struct error *error)
{
    const char *const *paths;
    size_t count;
    int code = file_list_csv(&measured->arena, path, "", &paths, &count, error);
    if (!code && count == 0)
        code = error_set(error, ERROR_NOT_FOUND, "there is no file NAME.csv in the folder %s", path);
    if (!code)
        work_begin(measured->work, "files read", count);
    for (size_t i = 0; i < count && !code; i++) {
        code = add_file(measured, paths[i], error);
        work_step(measured->work, 1);
    }
    return code;
}

int measured_runs_add(struct measured_runs *measured, const char *path, struct error *error)
{
    struct stat status;
    bool folder = *path && stat(path, &status) == 0 && S_ISDIR(status.st_mode);
    int code = folder ? add_folder(measured, path, error) : add_file(measured, path, error);
    measured->source_count++;
    return code;
}

int measured_run_append(struct measured_runs *measured, size_t measured_run, const char *configuration,
                        const struct measurement *measurement, struct error *error)
{
    struct arena *arena = &measured->arena;
    struct measured_run *of = &measured->items[measured_run];
    struct measured_run_row *rows =
        (struct measured_run_row *)of->rows; /* allocated in the arena, hence not constant */
    const char **copies = arena_array(arena, of->parameter_count + 1, sizeof *copies);
    struct measurement *copy = arena_alloc(arena, sizeof *copy);
    if (of->row_count >= of->row_room) {
        of->row_room = 2 * of->row_count + 8;
        if ((rows = arena_array(arena, of->row_room, sizeof *rows)))
            memcpy(rows, of->rows, of->row_count * sizeof *rows);
    }
    bool good = rows && copies && copy;
    for (size_t p = 0; good && p < of->parameter_count; p++) {
        size_t length;
        const char *value = pairs_value(configuration, of->parameters[p], &length);
        good = (copies[p] = arena_copy(arena, value, length)) != NULL;
    }
    if (!good)
        return error_memory(error);
    *copy = *measurement;
    rows[of->row_count++] = (struct measured_run_row){copies, copy};
    of->rows = rows;
    return 0;
}

void measured_runs_free(struct measured_runs *measured)
{
    for (size_t i = 0; i < measured->file_count; i++) {
        journal_close(measured->files[i].journal, NULL);
        database_close(measured->files[i].database);
    }
    free(measured->files);
    free(measured->fits);
    free(measured->others);
    free(measured->items);
    arena_free(&measured->arena);
    *measured = (struct measured_runs){0};
}
