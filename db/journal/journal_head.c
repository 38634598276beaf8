#include "journal/journal_head.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/pairs.h"

#define LIMIT_PREFIX "limit."

enum { FILE_DIGITS = 16 }; /* of a fingerprint, in the name of a journal */

/* Keys in the order of their numbers: those of the provenance, the header's own, then the limits. */
static const struct csv_column own_keys[] = {
    CSV_COLUMN("t4", CSV_TEXT, struct journal_head, header.t4,
               "for a journal imported from T4: the members of that file that no column holds, as JSON"),
    CSV_COLUMN("parameters", CSV_COUNT, struct journal_head, parameters,
               "number of parameters, which are the first columns"),
};
enum { KEY_T4, KEY_PARAMETERS, OWN_KEYS };

size_t journal_head_key_count(void)
{
    return provenance_field_count + OWN_KEYS + limit_count;
}

static struct csv_column provenance_key(const struct provenance_field *field)
{
    static const enum csv_kind kinds[] = {
        [PROVENANCE_TEXT] = CSV_TEXT,    [PROVENANCE_NAME] = CSV_NAME, [PROVENANCE_PAIRS] = CSV_TEXT,
        [PROVENANCE_CHARS] = CSV_CHARS,  [PROVENANCE_REAL] = CSV_REAL, [PROVENANCE_ABOVE_ZERO] = CSV_ABOVE_ZERO,
        [PROVENANCE_INTEGER] = CSV_WHOLE};
    return (struct csv_column){field->key,
                               field->meaning,
                               kinds[field->kind],
                               offsetof(struct journal_head, header.provenance) + field->offset,
                               field->size,
                               NULL,
                               0};
}

static struct csv_column limit_key(const struct limit_row *row)
{
    return (struct csv_column){row->name,
                               row->description,
                               CSV_WHOLE,
                               offsetof(struct journal_head, header.provenance.device) + row->offset,
                               sizeof(int64_t),
                               NULL,
                               0};
}

struct csv_column journal_head_key(size_t number, const char **prefix)
{
    *prefix = number < provenance_field_count + OWN_KEYS ? "" : LIMIT_PREFIX;
    if (number < provenance_field_count)
        return provenance_key(&provenance_fields[number]);
    number -= provenance_field_count;
    return number < OWN_KEYS ? own_keys[number] : limit_key(&limit_rows[number - OWN_KEYS]);
}

/* The number of the key with that name, or journal_head_key_count(). */
static size_t find_key(const char *name)
{
    for (size_t at = 0; at < journal_head_key_count(); at++) {
        const char *prefix;
        const struct csv_column key = journal_head_key(at, &prefix);
        size_t length = strlen(prefix);
        if (strncmp(name, prefix, length) == 0 && strcmp(name + length, key.name) == 0)
            return at;
    }
    return journal_head_key_count();
}

/* True if a cell that a spreadsheet would run as a formula begins behind this character: spreadsheets split the
 * line. */
static bool begins_formula(const char *separator)
{
    const char *cell = separator + 1 + strspn(separator + 1, "\"");
    return strchr(",;\t", *separator) && *cell && strchr("=+-@\t", *cell);
}

static void append_escaped(struct text *text, const char *value)
{
    for (; *value; value++) {
        if (*value == '\\')
            text_append(text, "\\\\", 2);
        else if (*value == '\n')
            text_append(text, "\\n", 2);
        else if (*value == '\r')
            text_append(text, "\\r", 2);
        else
            text_append(text, value, 1);
        if (begins_formula(value))
            text_append(text, "\\'", 2);
    }
}

/* Unescapes in place; false for an unknown escape. */
static bool unescape(char *value)
{
    char *to = value;
    for (; *value; value++) {
        char c = *value;
        if (c == '\\' && value[1] == '\'') { /* protects from formulas in spreadsheets */
            value++;
            continue;
        }
        if (c == '\\') {
            c = *++value == 'n' ? '\n' : *value == 'r' ? '\r' : *value == '\\' ? '\\' : '\0';
            if (!c)
                return false;
        }
        *to++ = c;
    }
    *to = '\0';
    return true;
}

static int append_key(struct text *text, size_t number, const struct journal_head *head, struct error *error)
{
    char buffer[CSV_BUFFER_BYTES];
    const char *value, *prefix;
    const struct csv_column key = journal_head_key(number, &prefix);
    int code = csv_cell_text(&key, head, buffer, &value, error);
    text_printf(text, "# %s%s = ", prefix, key.name);
    append_escaped(text, value);
    text_append(text, "\n", 1);
    return code;
}

struct journal_header journal_header_unknown(void)
{
    return (struct journal_header){.provenance = provenance_unknown(), .t4 = ""};
}

int journal_head_print(struct text *text, const struct journal_header *header, struct error *error)
{
    struct journal_head head = {*header, (uint32_t)header->parameter_count, true};
    int code = 0;
    text_printf(text, JOURNAL_MAGIC "%d\n", JOURNAL_SCHEMA);
    for (size_t i = 0; i < journal_head_key_count() && !code; i++)
        if (i != provenance_field_count + KEY_T4 || (header->t4 && *header->t4))
            code = append_key(text, i, &head, error);
    return code ? code : text->failed ? error_memory(error) : 0;
}

static int read_schema(const char *line, struct error *error)
{
    char *end;
    if (strncmp(line, JOURNAL_MAGIC, strlen(JOURNAL_MAGIC)) == 0) {
        long schema = strtol(line + strlen(JOURNAL_MAGIC), &end, 10);
        if (end != line + strlen(JOURNAL_MAGIC) && *end == '\0' && schema >= 1 && schema <= JOURNAL_SCHEMA)
            return 0;
        if (*end == '\0' && schema > JOURNAL_SCHEMA) {
            error_set(error, ERROR_SCHEMA, "a journal of schema %ld; this cutune reads schema %d", schema,
                      JOURNAL_SCHEMA);
            error_hint(error, "use a newer cutune");
            return ERROR_SCHEMA;
        }
    }
    error_set(error, ERROR_DATA, "not a journal of cutune");
    error_hint(error, "expected the line '" JOURNAL_MAGIC "%d'", JOURNAL_SCHEMA);
    return ERROR_DATA;
}

/* Reads a key. `seen` has an entry for each key. */
static int read_key(struct journal_head *head, bool *seen, char *line, struct error *error)
{
    char *name = line + 1 + strspn(line + 1, " ");
    struct pair_parts parts;
    if (!pairs_split(name, strlen(name), &parts)) {
        error_set(error, ERROR_DATA, "no '=' in a header line");
        error_hint(error, "expected '# key = value'");
        return ERROR_DATA;
    }
    char *value = name + parts.name_length + 1;
    value += *value == ' ';
    while (parts.name_length && name[parts.name_length - 1] == ' ')
        parts.name_length--;
    name[parts.name_length] = '\0';
    size_t at = find_key(name);
    if (at == journal_head_key_count())
        return error_set(error, ERROR_DATA, "unknown key '%.60s' in the header", name);
    if (seen[at])
        return error_set(error, ERROR_DATA, "a second '%.60s' in the header", name);
    seen[at] = true;
    if (!unescape(value))
        return error_set(error, ERROR_DATA, "unknown escape in '%.60s': a backslash begins \\\\, \\n or \\r", name);
    const char *prefix;
    const struct csv_column key = journal_head_key(at, &prefix);
    return csv_cell_read(&key, value, head, error);
}

int journal_head_read(struct journal_head *head, struct arena *arena, const char *path, const char *text, size_t length,
                      size_t *at, int *line, struct error *error)
{
    int code = 0;
    bool *seen = arena_array(arena, journal_head_key_count(), sizeof *seen);
    *head = (struct journal_head){.header = journal_header_unknown()};
    if (!seen)
        return error_memory(error);
    do {
        const char *begin = text + *at, *end = *at < length ? memchr(begin, '\n', length - *at) : NULL;
        size_t size = end ? (size_t)(end - begin) : 0;
        size_t shown = size && begin[size - 1] == '\r' ? size - 1 : size;
        char *copy = arena_copy(arena, begin, shown);
        if (!copy)
            code = error_memory(error);
        else if (strlen(copy) != shown)
            code = error_set(error, ERROR_DATA, "a NUL byte in a header line");
        else
            code = *line == 1 ? read_schema(copy, error) : read_key(head, seen, copy, error);
        if (code) {
            error_place(error, path, *line, 0);
            return code;
        }
        *at += size + 1;
        ++*line;
    } while (*at < length && text[*at] == '#');
    head->has_parameters = seen[provenance_field_count + KEY_PARAMETERS];
    return 0;
}

char *journal_path(struct arena *arena, const char *folder, const struct journal_header *header)
{
    size_t length = strlen(folder);
    const char *slash = length && folder[length - 1] != '/' ? "/" : "";
    char *path = arena_printf(arena, "%s%s%s.%s.%.*s.csv", folder, slash, header->provenance.kernel,
                              header->provenance.device.name, FILE_DIGITS, header->provenance.fingerprint);
    if (path)
        for (char *c = path + length + strlen(slash); *c; c++)
            if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-", *c))
                *c = '-';
    return path;
}

bool journal_head_ends(const char *text, size_t length)
{
    for (size_t at = 0; at < length;) {
        if (text[at] != '#')
            return true;
        const char *newline = memchr(text + at, '\n', length - at);
        at = newline ? (size_t)(newline - text) + 1 : length;
    }
    return false;
}

bool journal_head_torn(const char *text, size_t length)
{
    char first[64];
    int size = snprintf(first, sizeof first, JOURNAL_MAGIC "%d\n", JOURNAL_SCHEMA);
    if (memcmp(text, first, length < (size_t)size ? length : (size_t)size) != 0)
        return false;
    for (size_t at = 0; at < length;) {
        const char *newline = memchr(text + at, '\n', length - at);
        if (newline && text[at] != '#')
            return false;
        at = newline ? (size_t)(newline - text) + 1 : length;
    }
    return true;
}

bool journal_begun(const char *path)
{
    struct text text = {0};
    bool begun =
        file_read_regular(path, SIZE_MAX / 2, &text, NULL) == 0 && !journal_head_torn(text_string(&text), text.length);
    text_free(&text);
    return begun;
}

/* Columns that journals of earlier versions lack. */
static bool is_later(int column)
{
    static const int later[] = {JOURNAL_COLUMN_efficiency_other_devices,
                                JOURNAL_COLUMN_efficiency_other_sizes,
                                JOURNAL_COLUMN_verified,
                                JOURNAL_COLUMN_states,
                                JOURNAL_COLUMN_processes,
                                JOURNAL_COLUMN_mean_ns,
                                JOURNAL_COLUMN_power_w,
                                JOURNAL_COLUMN_suspicions};
    size_t i = 0;
    while (i < sizeof later / sizeof *later && later[i] != column)
        i++;
    return i < sizeof later / sizeof *later;
}

/* True if columns are missing that earlier versions wrote, too. */
static bool lacks_columns(const struct objective *objective, const int *columns, size_t column_count)
{
    struct csv_column known[JOURNAL_COLUMNS];
    int count = (int)journal_columns(objective, known), column = 0;
    while (column < count && (journal_columns_have(columns, column_count, column) || is_later(column)))
        column++;
    return column < count;
}

int journal_head_check(const char *path, const struct journal_header *found, const int *columns, size_t column_count,
                       const struct journal_header *wanted, struct error *error)
{
    bool same = found->parameter_count == wanted->parameter_count;
    for (size_t i = 0; i < wanted->parameter_count && same; i++)
        same = strcmp(found->parameters[i], wanted->parameters[i]) == 0;
    if (strcmp(found->provenance.fingerprint, wanted->provenance.fingerprint) != 0)
        error_set(error, ERROR_DATA, "a journal of another fingerprint: '%.60s', not '%.60s'",
                  found->provenance.fingerprint, wanted->provenance.fingerprint);
    else if (!same)
        error_set(error, ERROR_DATA, "the journal's parameters are not those of this run");
    else if (found->objective != (wanted->objective ? wanted->objective : objective_default()))
        error_set(error, ERROR_DATA, "a journal of another objective: %s", found->objective->name);
    else if (lacks_columns(found->objective, columns, column_count))
        error_set(error, ERROR_DATA, "the journal lacks columns that this cutune writes");
    else
        return 0;
    error_place(error, path, 0, 0);
    error_hint(error, "move the file away, or keep this run's journal in another folder");
    return ERROR_DATA;
}
