#include "base/damage.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/json_hint.h"
#include "base/text.h"

#define JOURNAL "# cutune journal "
#define MERGE   "`cutune merge` joins databases, and journals"

enum {
    CSV = DAMAGE_DATABASE | DAMAGE_JOURNAL | DAMAGE_LIMITS | DAMAGE_TABLE,
    ALL = 127,
    FILE_BYTES_MAX = 64 << 20 /* of a file that is read again */
};

static const struct damage {
    enum { AT_START, AT_LINE, AT_AGAIN } place; /* AT_AGAIN: the second such line */
    int roles;                                  /* file roles in which the signature is a damage */
    const char *signature, *name, *cure;
} damages[] = {
    {AT_START, ALL, "\x1f\x8b", "the file is compressed by gzip", "gunzip it first"},
    {AT_START, ALL, "BZh", "the file is compressed by bzip2", "bunzip2 it first"},
    {AT_START, ALL,
     "\xfd"
     "7zXZ",
     "the file is compressed by xz", "unxz it first"},
    {AT_START, ALL, "\x28\xb5\x2f\xfd", "the file is compressed by zstd", "unzstd it first"},
    {AT_START, DAMAGE_NPY, "PK\x03\x04", "the file is an archive of NumPy (.npz)",
     "numpy.save writes each array as a .npy file"},
    {AT_START, ALL & ~DAMAGE_NPY, "PK\x03\x04", "the file is a ZIP archive or a spreadsheet's own file",
     "unzip it, or save the spreadsheet as CSV"},
    {AT_START, ALL, "\xff\xfe", "the file is in UTF-16", "save it as UTF-8"},
    {AT_START, ALL, "\xfe\xff", "the file is in UTF-16", "save it as UTF-8"},
    {AT_START, ALL, "version https://git-lfs", "the file is a pointer of Git LFS, without the contents",
     "git lfs pull"},
    {AT_START, ALL, "<!doctype html", "the file is a web page", "download the file itself, not the page that shows it"},
    {AT_START, ALL, "<html", "the file is a web page", "download the file itself, not the page that shows it"},
    {AT_LINE, ALL & ~DAMAGE_NPY, "<<<<<<< ", "a conflict of a merge begins here",
     "keep one side of each conflict and delete the marker lines; " MERGE ": git show :2:FILE and :3:FILE"},
    {AT_LINE, ALL & ~DAMAGE_NPY, ">>>>>>> ", "a conflict of a merge ends here",
     "keep one side of each conflict and delete the marker lines; " MERGE ": git show :2:FILE and :3:FILE"},
    {AT_START, ALL & ~DAMAGE_JOURNAL, JOURNAL, "the file is a journal of cutune",
     "replay, compare, explain and report read journals"},
    {AT_START, ALL & ~DAMAGE_DATABASE, "schema,kernel,", "the file is a database of cutune",
     "show, emit, compare and merge read databases"},
    {AT_LINE, ALL & ~DAMAGE_SPACE, "space 2", "the file is a space file", "tune, check and fit read spaces"},
    {AT_START, CSV | DAMAGE_SPACE, "{", "the file is JSON", "`cutune import FILE` reads JSON of other tools"},
    {AT_START, ALL & ~DAMAGE_NPY, "\x93NUMPY", "the file is an array of NumPy", "name the right file"},
    {AT_AGAIN, DAMAGE_JOURNAL, JOURNAL, "a second journal begins here: files were joined", "split them; " MERGE},
    {AT_AGAIN, DAMAGE_SPACE, "space 2", "a second space file begins here: files were joined",
     "keep one; `include` adds the statements of another file"},
};

/* ---- Text ---- */

struct file {
    const char *text, *end;
    const char *start; /* behind a byte order mark and blanks */
};

static const char *next_line(const struct file *file, const char *at)
{
    const char *newline = memchr(at, '\n', (size_t)(file->end - at));
    return newline ? newline + 1 : file->end;
}

static bool begins(const struct file *file, const char *at, const char *signature)
{
    size_t length = strlen(signature);
    return (size_t)(file->end - at) >= length && text_compare_letters(at, signature, length) == 0;
}

static const char *find(const struct file *file, const struct damage *damage)
{
    if (damage->place == AT_START)
        return begins(file, file->start, damage->signature) ? file->start : NULL;
    int wanted = damage->place == AT_AGAIN ? 2 : 1;
    for (const char *at = file->start; at < file->end; at = next_line(file, at))
        if (begins(file, at, damage->signature) && --wanted == 0)
            return at;
    return NULL;
}

/* The first line that is not a comment: the names of a CSV file's columns. */
static const char *names_of(const struct file *file)
{
    const char *at = file->start;
    while (at < file->end && *at == '#')
        at = next_line(file, at);
    return at;
}

static size_t line_length(const struct file *file, const char *at)
{
    size_t length = (size_t)(next_line(file, at) - at);
    while (length && strchr("\r\n", at[length - 1]))
        length--;
    return length;
}

static const char *later_names(const struct file *file, const char *names)
{
    size_t length = line_length(file, names);
    for (const char *at = next_line(file, names); length && at < file->end; at = next_line(file, at))
        if (line_length(file, at) == length && memcmp(at, names, length) == 0)
            return at;
    return NULL;
}

/* ---- Errors ---- */

static int line_of(const struct file *file, const char *at)
{
    int line = 1;
    for (const char *c = file->text; c < at; c++)
        line += *c == '\n';
    return line;
}

static int put(const struct file *file, const char *path, const char *at, const char *name, const char *cure, int code,
               struct error *error)
{
    char source[sizeof error->source]; /* `path` may be the error's */
    int line = line_of(file, at);
    snprintf(source, sizeof source, "%s", path);
    error_clear(error);
    error_set(error, (enum error_code)code, "%s", name);
    error_place(error, source, line, 0);
    error_hint(error, "%s", cure);
    return code;
}

/* Recognises damages that have a fixed signature, either at the start of the file or elsewhere. */
static int explain_signature(enum damage_role role, const struct file *file, const char *path, bool start, int code,
                             struct error *error)
{
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        bool asked = damages[i].roles & (int)role && (damages[i].place == AT_START) == start;
        const char *at = asked ? find(file, &damages[i]) : NULL;
        if (at)
            return put(file, path, at, damages[i].name, damages[i].cure, code, error);
    }
    return 0;
}

/* Recognises damages of CSV that have no fixed signature. */
static int explain_csv(enum damage_role role, const struct file *file, const char *path, int code, struct error *error)
{
    const char *names = names_of(file);
    size_t length = line_length(file, names), first = line_length(file, file->start);
    const char *quoted = file->start + (file->start < file->end && *file->start == '"');
    if (begins(file, quoted, JOURNAL) &&
        (quoted > file->start || memchr(quoted, ',', first) || memchr(quoted, ';', first)))
        return put(file, path, file->start, "a spreadsheet has saved this journal, and changed it",
                   "take the original; open only copies in a spreadsheet", code, error);
    if (length && !memchr(names, ',', length) && (memchr(names, ';', length) || memchr(names, '\t', length)))
        return put(file, path, names,
                   "semicolons or tabs separate the cells, as spreadsheets of some languages save them",
                   "save it as CSV with commas between cells and points in numbers", code, error);
    if (role != DAMAGE_JOURNAL && file->end[-1] != '\n' && error->line > 1 && error->line == line_of(file, file->end))
        return put(file, path, file->end, "the file ends within this line: it was cut off",
                   "take a complete copy, or delete this line", code, error);
    return 0;
}

static bool is_cut_json(const struct file *file)
{
    const char *last = file->end - 1;
    while (last > file->start && strchr(" \t\r\n", *last))
        last--;
    return file->start < file->end && *file->start == '{' && *last != '}';
}

/* Returns the start of the line. */
static const char *line_start(const struct file *file, int line)
{
    const char *at = file->text;
    while (at < file->end && --line > 0)
        at = next_line(file, at);
    return at;
}

/* Explains what a parser did not. */
static void explain_json(const struct file *file, const char *path, int code, struct error *error)
{
    const char *line = line_start(file, error->line);
    if (is_cut_json(file)) {
        put(file, path, file->end, "the file ends within its JSON: it was cut off", "take a complete copy", code,
            error);
        line = line_start(file, error->line);
        error->column = (int)line_length(file, line) + 1;
        snprintf(error->excerpt, sizeof error->excerpt, "%.*s", (int)line_length(file, line), line);
    } else if (error->column > 0 && error->column <= file->end - line &&
               strcmp(error->message, "this is not JSON") == 0) {
        const char *hint = json_hint(file->text, (size_t)(file->end - file->text),
                                     (size_t)(line - file->text) + (size_t)error->column - 1);
        if (hint)
            error_hint(error, "%s", hint);
    }
}

static bool is_utf16(const struct file *file)
{
    const char *c = file->text;
    return file->end - c >= 4 && (!c[0] == !c[2]) && (!c[1] == !c[3]) && !c[0] != !c[1];
}

int damage_explain(enum damage_role role, const char *path, const char *text, size_t length, int code,
                   struct error *error)
{
    if ((code != ERROR_DATA && code != ERROR_SYNTAX && code != ERROR_NOT_FOUND && code != ERROR_USAGE) || !error ||
        !length)
        return code;
    struct file file = {text, text + length, text};
    if (begins(&file, file.start, "\xef\xbb\xbf"))
        file.start += 3;
    while (file.start < file.end && *file.start && strchr(" \t\r\n", *file.start))
        file.start++;
    if (role != DAMAGE_NPY && is_utf16(&file))
        return put(&file, path, text, "the file is in UTF-16", "save it as UTF-8", code, error);
    /* Before explain_csv: any bytes may follow the signature of a compressed file. */
    if (explain_signature(role, &file, path, true, code, error))
        return code;
    if (role & CSV && explain_csv(role, &file, path, code, error))
        return code;
    if (explain_signature(role, &file, path, false, code, error))
        return code;
    const char *again = role & CSV ? later_names(&file, names_of(&file)) : NULL;
    if (again)
        return put(&file, path, again, "the names of the columns stand here again: files were joined",
                   "split them; " MERGE, code, error);
    if (role == DAMAGE_JSON)
        explain_json(&file, path, code, error);
    return code;
}

int damage_explain_file(enum damage_role role, const char *path, int code, struct error *error)
{
    struct text text = {0};
    if (error && !file_read_regular(path, FILE_BYTES_MAX, &text, NULL))
        damage_explain(role, path, text_string(&text), text.length, code, error);
    text_free(&text);
    return code;
}
