#include "db/journal_head.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "db/csv.h"

#define LIMIT_PREFIX "limit."

static const struct csv_column keys[] = {
#define KEY(name, kind, field) CSV_COLUMN(name, CSV_##kind, struct journal_head, field)
    KEY("kernel", TEXT, header.kernel),
    KEY("title", TEXT, header.title),
    KEY("problem", TEXT, header.problem),
    KEY("fingerprint", TEXT, header.fingerprint),
    KEY("source_hash", TEXT, header.source_hash),
    KEY("space_hash", TEXT, header.space_hash),
    KEY("options", TEXT, header.options),
    KEY("nvrtc", TEXT, header.nvrtc),
    KEY("nvrtc_build", TEXT, header.nvrtc_build),
    KEY("toolkit_hash", TEXT, header.toolkit_hash),
    KEY("data_hash", TEXT, header.data_hash),
    KEY("created", TEXT, header.created),
    KEY("version", TEXT, header.version),
    KEY("default", TEXT, header.default_),
    KEY("bytes", REAL, header.bytes),
    KEY("flops", REAL, header.flops),
    KEY("copy_ceiling", REAL, header.copy_ceiling),
    KEY("link_to_device", REAL, header.link_to_device),
    KEY("link_to_host", REAL, header.link_to_host),
    KEY("link_both", REAL, header.link_both),
    KEY("limit_ns", REAL, header.floor_ns),
    KEY("device", CHARS, header.limits.name),
    KEY("uuid", CHARS, header.limits.uuid),
    KEY("driver", CHARS, header.limits.driver),
    KEY("cuda", INTEGER, header.limits.cuda),
    KEY("t4", TEXT, header.t4),
    KEY("parameters", COUNT, parameters),
#undef KEY
};
enum { KEYS = sizeof keys / sizeof *keys };

static struct csv_column limit_key(const struct limit_row *row)
{
    return (struct csv_column){row->name, CSV_INTEGER, offsetof(struct journal_head, header.limits) + row->offset,
                               sizeof(int64_t)};
}

static void append_escaped(struct text *text, const char *value)
{
    for (; *value; value++)
        if (*value == '\\')
            text_append(text, "\\\\", 2);
        else if (*value == '\n')
            text_append(text, "\\n", 2);
        else if (*value == '\r')
            text_append(text, "\\r", 2);
        else
            text_append(text, value, 1);
}

/* In place; false for an unknown escape. */
static bool unescape(char *value)
{
    char *to = value;
    for (; *value; value++) {
        char c = *value;
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

static int append_key(struct text *text, const char *prefix, const struct csv_column *key,
                      const struct journal_head *head, struct error *error)
{
    char buffer[CSV_BUFFER_BYTES];
    const char *value;
    int code = csv_cell_text(key, head, buffer, &value, error);
    text_printf(text, "# %s%s = ", prefix, key->name);
    append_escaped(text, value);
    text_append(text, "\n", 1);
    return code;
}

struct journal_header journal_header_unknown(void)
{
    return (struct journal_header){.kernel = "",
                                   .title = "",
                                   .problem = "",
                                   .fingerprint = "",
                                   .source_hash = "",
                                   .space_hash = "",
                                   .options = "",
                                   .nvrtc = "",
                                   .nvrtc_build = "",
                                   .toolkit_hash = "",
                                   .data_hash = "",
                                   .created = "",
                                   .version = "",
                                   .default_ = "",
                                   .bytes = NAN,
                                   .flops = NAN,
                                   .copy_ceiling = NAN,
                                   .link_to_device = NAN,
                                   .link_to_host = NAN,
                                   .link_both = NAN,
                                   .floor_ns = NAN,
                                   .t4 = ""};
}

int journal_head_print(struct text *text, const struct journal_header *header, struct error *error)
{
    struct journal_head head = {*header, (uint32_t)header->parameter_count, true};
    int code = 0;
    text_printf(text, JOURNAL_MAGIC "%d\n", JOURNAL_SCHEMA);
    for (size_t i = 0; i < KEYS && !code; i++)
        if (keys[i].offset != offsetof(struct journal_head, header.t4) || (header->t4 && *header->t4))
            code = append_key(text, "", &keys[i], &head, error);
    for (size_t i = 0; i < limit_count && !code; i++) {
        struct csv_column key = limit_key(&limit_rows[i]);
        code = append_key(text, LIMIT_PREFIX, &key, &head, error);
    }
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
    error_set(error, ERROR_DATA, "no journal of cutune");
    error_hint(error, "expected the line '" JOURNAL_MAGIC "%d'", JOURNAL_SCHEMA);
    return ERROR_DATA;
}

/* `seen` has a place for each key and each limit. */
static int read_key(struct journal_head *head, bool *seen, char *line, struct error *error)
{
    struct csv_column key = {0};
    char *name = line + 1 + strspn(line + 1, " "), *equals = strchr(name, '='), *value;
    if (!equals) {
        error_set(error, ERROR_DATA, "no '=' in a header line");
        error_hint(error, "expected '# key = value'");
        return ERROR_DATA;
    }
    value = equals[1] == ' ' ? equals + 2 : equals + 1;
    while (equals > name && equals[-1] == ' ')
        equals--;
    *equals = '\0';
    int at = csv_column_find(keys, KEYS, name);
    if (at >= 0) {
        key = keys[at];
    } else if (strncmp(name, LIMIT_PREFIX, strlen(LIMIT_PREFIX)) == 0) {
        const struct limit_row *row = limit_find(name + strlen(LIMIT_PREFIX));
        if (row) {
            key = limit_key(row);
            at = KEYS + (int)(row - limit_rows);
        }
    }
    if (at < 0)
        return error_set(error, ERROR_DATA, "unknown key '%.60s' in the header", name);
    if (seen[at])
        return error_set(error, ERROR_DATA, "a second '%.60s' in the header", name);
    seen[at] = true;
    if (!unescape(value))
        return error_set(error, ERROR_DATA, "a backslash in %.60s that is none of \\\\ \\n \\r", name);
    return csv_cell_read(&key, value, head, error);
}

int journal_head_read(struct journal_head *head, struct arena *arena, const char *path, const char *text, size_t length,
                      size_t *at, int *line, struct error *error)
{
    int code = 0;
    bool *seen = arena_array(arena, KEYS + limit_count, sizeof *seen);
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
    head->has_parameters = seen[csv_column_find(keys, KEYS, "parameters")];
    return 0;
}
