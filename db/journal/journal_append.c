/* Opens journals for appending, and appends to them. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "database/csv.h"
#include "database/database.h"
#include "journal/journal_print.h"
#include "journal/journal_state.h"

static int start_file(struct journal *journal, const struct journal_header *header, struct text *text,
                      struct error *error)
{
    text_clear(text);
    int code = journal_print_header(text, header, error);
    if (!code && ftruncate(journal->descriptor, 0))
        code = error_errno(error, ERROR_IO, "cannot write %s", journal->path);
    if (!code && (code = file_write_all(journal->descriptor, text->bytes, text->length, journal->path, error)))
        journal->ragged = ftruncate(journal->descriptor, 0) != 0;
    return code;
}

static int lock(struct journal *journal, struct error *error)
{
    enum { TRIES = 10 }; /* a file system may number a file anew each time */
    struct stat locked, there;
    int code = 0;
    bool same = false;
    for (int tries = 1; !code && !same; tries++) { /* another run may have replaced the file meanwhile: widen */
        code = file_lock(journal->path, false, &journal->descriptor, error);
        same = tries == TRIES;
        same |= !code && fstat(journal->descriptor, &locked) == 0 && stat(journal->path, &there) == 0 &&
                locked.st_dev == there.st_dev && locked.st_ino == there.st_ino;
        if (!code && !same) {
            close(journal->descriptor);
            journal->descriptor = -1;
        }
    }
    if (code == ERROR_BUSY)
        error_hint(error, "another run of the same kernel, problem and device is writing it; wait for its end");
    return code;
}

/* Continues a file that has been read. */
static int continue_file(struct journal *journal, const struct journal_header *header, struct error *error)
{
    int code = journal_head_check(journal->path, &journal->head.header, journal->columns, journal->column_count, header,
                                  error);
    if (!code && journal->torn && ftruncate(journal->descriptor, journal->length))
        code = error_errno(error, ERROR_IO, "cannot cut the torn last line off %s", journal->path);
    if (!code)
        journal->torn = 0;
    return code;
}

static int load_for_append(struct journal *journal, const struct journal_header *header, struct error *error)
{
    struct text text = {0};
    struct stat status;
    int torn = 0, code = 0;
    if (fstat(journal->descriptor, &status) || fcntl(journal->descriptor, F_SETFL, O_APPEND))
        code = error_errno(error, ERROR_IO, "cannot open %s", journal->path);
    else if (status.st_size <= JOURNAL_CHUNK_BYTES) /* a larger file is more than the beginning of a header */
        code = csv_load(journal->path, &text, error);
    if (!code && status.st_size <= JOURNAL_CHUNK_BYTES && journal_head_torn(text_string(&text), text.length)) {
        torn = text.length ? text_lines(text.bytes, text.length) + 1 : 0;
        code = start_file(journal, header, &text, error);
    }
    text_free(&text);
    if (!code)
        code = journal_load(journal, error);
    if (!code)
        code = continue_file(journal, header, error);
    if (torn)
        journal->torn_line = torn;
    return code;
}

/* ---- The column of samples ---- */

struct widened {
    struct text text;
    bool named; /* the column names are in the text */
};

static int widen_record(void *context, const struct csv_record *record, struct error *error)
{
    struct widened *widened = context;
    for (size_t i = 0; i < record->count; i++)
        csv_append(&widened->text, record->cells[i], false);
    csv_append(&widened->text, widened->named ? "" : JOURNAL_SAMPLES, true);
    widened->named = true;
    return widened->text.failed ? error_memory(error) : 0;
}

/* Adds the column to the file of complete lines, at once: whatever happens, the old or the new file is there. The new
 * one is not locked. */
static int widen(const char *path, struct error *error)
{
    struct text old = {0};
    struct widened widened = {0};
    int code = csv_load(path, &old, error), lines;
    size_t at = code ? 0 : csv_mark_length(text_string(&old), old.length);
    while (!code && at < old.length && old.bytes[at] == '#')
        at += strcspn(old.bytes + at, "\n") + 1;
    lines = code ? 0 : text_lines(text_string(&old), at);
    text_append(&widened.text, text_string(&old), at);
    if (!code)
        code = csv_records(path, text_string(&old) + at, old.length - at, lines + 1, widen_record, &widened, error);
    if (!code && widened.text.failed)
        code = error_memory(error);
    if (!code)
        code = file_replace(path, widened.text.bytes, widened.text.length, error);
    text_free(&old);
    text_free(&widened.text);
    return code;
}

static bool lacks_samples(const struct journal *journal, const struct journal_header *header)
{
    const struct journal_header *own = &journal->head.header;
    return journal_find_samples(header) < header->extra_count && journal_find_samples(own) == own->extra_count;
}

/* ---- Opening ---- */

static int open_once(struct journal **journal, const char *path, const struct journal_header *header,
                     struct error *error)
{
    struct journal *fresh = NULL;
    int code = journal_new(&fresh, path, error);
    if (code)
        return code;
    char *folder = arena_copy(&fresh->arena, path, file_folder_length(path));
    if (!folder)
        code = error_memory(error);
    else if (*folder)
        code = file_make_folder(folder, error);
    if (!code)
        code = lock(fresh, error);
    if (!code)
        code = load_for_append(fresh, header, error);
    if (code)
        journal_close(fresh, NULL);
    else
        *journal = fresh;
    return code;
}

int journal_open(struct journal **journal, const char *path, const struct journal_header *header, struct error *error)
{
    struct journal *found = NULL;
    int code = open_once(&found, path, header, error);
    if (!code && lacks_samples(found, header)) {
        int torn_line = found->torn_line;
        code = widen(path, error);
        journal_close(found, NULL);
        found = NULL;
        code = code ? code : open_once(&found, path, header, error);
        if (!code)
            found->torn_line = torn_line;
    }
    if (!code)
        *journal = found;
    return code;
}

int journal_resume(struct journal *journal, const struct journal_header *header, struct error *error)
{
    struct stat status;
    int code = lock(journal, error);
    if (!code && (fstat(journal->descriptor, &status) || fcntl(journal->descriptor, F_SETFL, O_APPEND)))
        code = error_errno(error, ERROR_IO, "cannot open %s", journal->path);
    if (!code && status.st_size != journal->length + journal->torn) {
        code = error_set(error, ERROR_BUSY, "%s has changed since it was read", journal->path);
        error_hint(error, "run this command again");
    }
    if (!code)
        code = continue_file(journal, header, error);
    if (code)
        journal_pause(journal, NULL);
    return code;
}

/* Writes the lines if `code` is 0, that is, they are complete. */
static int write_lines(struct journal *journal, int code, const struct text *lines, struct error *error)
{
    if (code)
        return code;
    if (journal->descriptor < 0)
        return error_set(error, ERROR_IO, "%s is not open for writing", journal->path);
    if (journal->ragged && ftruncate(journal->descriptor, journal->length))
        return error_errno(error, ERROR_IO, "cannot take back an unfinished line of %s", journal->path);
    code = file_write_all(journal->descriptor, lines->bytes, lines->length, journal->path, error);
    journal->ragged = code && ftruncate(journal->descriptor, journal->length) != 0;
    if (!code)
        journal->length += (off_t)lines->length;
    return code;
}

static int append_lines(struct journal *journal, int code, struct text *lines, struct error *error)
{
    code = write_lines(journal, code, lines, error);
    text_free(lines);
    return code;
}

int journal_append(struct journal *journal, const struct journal_row *row, struct error *error)
{
    struct text line = {0};
    int code = journal_print_cells(&journal->head.header, journal->columns, journal->column_count, row, &line, error);
    return append_lines(journal, code, &line, error);
}

int journal_append_evidence(struct journal *journal, const struct journal_evidence *evidence, struct error *error)
{
    struct text lines = {0};
    int code = journal_print_evidence_cells(&journal->head.header, journal->columns, journal->column_count, evidence,
                                            &lines, error);
    code = append_lines(journal, code, &lines, error);
    for (size_t i = 0; i < evidence->count && !code; i++)
        code = journal_evidences_add(&journal->evidences, evidence->values, journal->head.header.parameter_count,
                                     &evidence->launches[i], error);
    return code;
}

int journal_append_library(struct journal *journal, const struct journal_library *library, struct error *error)
{
    struct text line = {0};
    int code = journal_print_library_cells(&journal->head.header, journal->columns, journal->column_count, library,
                                           &line, error);
    return append_lines(journal, code, &line, error);
}

int journal_append_energy(struct journal *journal, const struct journal_energy *energy, struct error *error)
{
    struct text line = {0};
    int code = journal_print_energy_cells(&journal->head.header, journal->columns, journal->column_count, energy, &line,
                                          error);
    code = append_lines(journal, code, &line, error);
    return code ? code
                : journal_energies_add(&journal->energies, energy->values, journal->head.header.parameter_count,
                                       &energy->energy, error);
}

int journal_pause(struct journal *journal, struct error *error)
{
    int code = 0;
    if (journal->descriptor < 0)
        return 0;
    if (fdatasync(journal->descriptor) && errno != EINVAL && errno != ENOSYS)
        code = error_errno(error, ERROR_IO, "cannot write %s", journal->path);
    if (close(journal->descriptor) && !code)
        code = error_errno(error, ERROR_IO, "cannot write %s", journal->path);
    journal->descriptor = -1;
    return code;
}

int journal_close(struct journal *journal, struct error *error)
{
    if (!journal)
        return 0;
    int code = journal_pause(journal, error);
    journal_rows_free(&journal->rows);
    journal_evidences_free(&journal->evidences);
    journal_libraries_free(&journal->libraries);
    journal_energies_free(&journal->energies);
    arena_free(&journal->arena);
    free(journal);
    return code;
}
