#include "exchange/formats.h"

#include <string.h>

#include "database/csv.h"
#include "exchange/json_place.h"
#include "exchange/json_read.h"

/* The first that has its members is the format: CLBlast's file has the `results` of T4, too. */
static const struct exchange_format formats[] = {
    {"Kernel Tuner caches", EXCHANGE_RESULTS, {"tune_params_keys", "cache"}, kernel_tuner_import},
    {"KTT results", EXCHANGE_RESULTS, {"Metadata", "Results"}, ktt_import},
    {"CLBlast tuning results", EXCHANGE_RESULTS, {"kernel_family", "results"}, clblast_import},
    {"T4 results", EXCHANGE_RESULTS, {"results"}, t4_import},
    {"T1 descriptions", EXCHANGE_SPACE, {"ConfigurationSpace"}, NULL},
    {"nvbench results", EXCHANGE_TABLE, {"Benchmark", "Skipped"}, nvbench_import},
};

const struct exchange_format exchange_table = {"tables", EXCHANGE_TABLE, {0}, table_import};

/* ---- Names of members and columns ---- */

/* Steps through the names that a text begins with: the members of its object, or the cells of its first line. */
struct names {
    const char *text;
    size_t length, at;
    bool json;
    struct json_walk walk;
};

static void start(struct names *names, const char *text, size_t length)
{
    size_t at = json_skip_space(text, length, csv_mark_length(text, length));
    *names = (struct names){.text = text, .length = length, .at = at, .json = at < length && text[at] == '{'};
    if (names->json)
        json_walk_start(&names->walk, text, length, at);
}

static bool next(struct names *names, const char **name, size_t *bytes)
{
    const char *text = names->text;
    if (names->json) {
        if (!json_walk_next(&names->walk))
            return false;
        *name = text + names->walk.key;
        *bytes = json_skip_value(text, names->length, names->walk.key) - names->walk.key;
    } else {
        size_t from = names->at;
        if (from >= names->length || strchr("\r\n", text[from]))
            return false;
        while (names->at < names->length && !strchr(",\r\n", text[names->at]))
            names->at++;
        *name = text + from;
        *bytes = names->at - from;
        names->at += names->at < names->length && text[names->at] == ',';
    }
    if (*bytes >= 2 && **name == '"') { /* without the quotes; no name that is sought has others */
        ++*name;
        *bytes -= 2;
    }
    return true;
}

const struct exchange_format *exchange_recognise(const char *text, size_t length)
{
    enum { COUNT = sizeof formats / sizeof *formats };
    bool found[COUNT][2] = {{false}};
    const char *name;
    size_t bytes;
    struct names names;
    start(&names, text, length);
    while (next(&names, &name, &bytes))
        for (size_t f = 0; f < COUNT; f++)
            for (size_t m = 0; m < 2; m++) {
                const char *member = formats[f].members[m];
                found[f][m] |= member && strlen(member) == bytes && memcmp(member, name, bytes) == 0;
            }
    for (size_t f = 0; f < COUNT; f++)
        if ((formats[f].read == nvbench_import) == !names.json && found[f][0] &&
            (found[f][1] || !formats[f].members[1]))
            return &formats[f];
    return NULL;
}

/* ---- Others ---- */

/* Says where a text that begins like JSON breaks its rules. */
static int check_json(const char *path, const char *text, size_t length, struct error *error)
{
    const struct json_text json = {.source = {.path = path, .text = text, .length = length}, .error = error};
    cJSON *root;
    size_t at;
    int code = json_parse(&json, T4_BYTES_MAX, T4_VALUES_MAX, &root, &at);
    cJSON_Delete(root);
    return code;
}

int exchange_unknown(const char *path, const char *text, size_t length, struct error *error)
{
    struct names names;
    const char *name;
    size_t bytes, columns = 0;
    struct text list = {0};
    start(&names, text, length);
    while (!names.json && columns < 2 && next(&names, &name, &bytes))
        columns++;
    if (columns > 1) {
        error_set(error, ERROR_USAGE, "%s is a table: --time COLUMN must name the column with the times", path);
        error_hint(error, "cutune import table.csv --time time_ms -o journal.csv");
        return ERROR_USAGE;
    }
    int code = names.json ? check_json(path, text, length, error) : 0;
    if (code)
        return code;
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
        text_printf(&list, "%s%s", f ? ", " : "", formats[f].name);
    error_set(error, ERROR_DATA, "%s is no file that import knows", path);
    error_hint(error, "it reads %s, and tables in CSV, each also compressed by gzip", text_string(&list));
    text_free(&list);
    return ERROR_DATA;
}
