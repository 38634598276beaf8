#include "exchange/exchange.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/pairs.h"
#include "base/range.h"
#include "base/text.h"
#include "base/value.h"
#include "space/space.h"

static const struct unit_row {
    const char *name;
    double ns;
} units[] = {
    {"ns", 1},
    {"nanosecond", 1},
    {"nanoseconds", 1},
    {"us", 1e3},
    {"\xc2\xb5s", 1e3},
    {"\xce\xbcs", 1e3},
    {"microsecond", 1e3},
    {"microseconds", 1e3},
    {"ms", 1e6},
    {"millisecond", 1e6},
    {"milliseconds", 1e6},
    {"miliseconds", 1e6}, /* as Kernel Tuner spells it */
    {"s", 1e9},
    {"sec", 1e9},
    {"second", 1e9},
    {"seconds", 1e9},
};

double exchange_unit_ns(const char *unit)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (text_compare_letters(units[i].name, unit, SIZE_MAX) == 0)
            return units[i].ns;
    return 0;
}

static const struct status_row {
    const char *name;
    enum status status;
} statuses[] = {
    {"runtime_error", STATUS_LAUNCH_ERROR},
    /* Kernel Tuner's */
    {"ErrorConfig", STATUS_LAUNCH_ERROR},
    {"CompilationFailedConfig", STATUS_COMPILE_ERROR},
    {"RuntimeFailedConfig", STATUS_LAUNCH_ERROR},
    {"InvalidConfig", STATUS_PRUNED_LIMIT},
    /* KTT's */
    {"Ok", STATUS_OK},
    {"CompilationFailed", STATUS_COMPILE_ERROR},
    {"ComputationFailed", STATUS_LAUNCH_ERROR},
    {"ValidationFailed", STATUS_WRONG_RESULT},
    {"DeviceLimitsExceeded", STATUS_PRUNED_LIMIT},
};

bool exchange_status(const char *word, enum status *status)
{
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        if (text_compare_letters(statuses[i].name, word, SIZE_MAX) == 0) {
            *status = statuses[i].status;
            return true;
        }
    return status_find_t4(word, status) || status_find(word, status);
}

bool exchange_duration(double value, double unit_ns, int64_t *duration_ns)
{
    double ns = round(value * unit_ns);
    if (!(ns >= 0 && ns < 9e18))
        return false;
    *duration_ns = (int64_t)ns;
    return true;
}

/* Copies a name and makes it valid for files and C. */
static const char *valid_name(struct exchange *exchange, const char *name, size_t length)
{
    char *copy = arena_copy(&exchange->arena, name, length);
    for (char *c = copy; c && *c; c++)
        if (!text_is_letter(*c) && !text_is_digit(*c) && *c != '_')
            *c = '_';
    return copy;
}

/* The file's name without folder and suffixes. */
static const char *name_of(struct exchange *exchange)
{
    const char *path = exchange->setup->path, *name = path + file_folder_length(path);
    return valid_name(exchange, name, strcspn(name + (*name == '.'), ".") + (*name == '.'));
}

int exchange_start(struct exchange *exchange, const struct exchange_setup *setup, struct error *error)
{
    struct journal_header *header = &exchange->header;
    *exchange = (struct exchange){.setup = setup, .error = error};
    const char *name = setup->kernel ? setup->kernel : name_of(exchange);
    if (!name)
        return error_memory(error);
    *header = journal_header_unknown();
    header->provenance.kernel = name;
    header->provenance.problem = setup->problem ? setup->problem : "";
    header->provenance.version = CUTUNE_VERSION;
    if (setup->device && strlen(setup->device) >= sizeof header->provenance.device.name)
        return error_set(error, ERROR_USAGE, "--device: at most %zu bytes", sizeof header->provenance.device.name - 1);
    strcpy(header->provenance.device.name, setup->device ? setup->device : "");
    return 0;
}

int exchange_describe(struct exchange *exchange, const char *kernel, const char *device, const char *problem)
{
    const struct exchange_setup *setup = exchange->setup;
    struct provenance *provenance = &exchange->header.provenance;
    if (kernel && *kernel && !setup->kernel)
        provenance->kernel = valid_name(exchange, kernel, strlen(kernel));
    if (problem && !setup->problem)
        provenance->problem = arena_copy(&exchange->arena, problem, strlen(problem));
    if (!provenance->kernel || !provenance->problem)
        return error_memory(exchange->error);
    if (!device || setup->device)
        return 0;
    if (strlen(device) >= sizeof provenance->device.name)
        return error_set(exchange->error, ERROR_DATA, "the device's name has more than %zu bytes",
                         sizeof provenance->device.name - 1);
    strcpy(provenance->device.name, device);
    return 0;
}

/* ---- Notes ---- */

int exchange_leave_out(struct exchange *exchange, const char *name)
{
    const char **place = text_set_place(&exchange->left_out, name);
    if (place && !*place)
        *place = arena_copy(&exchange->arena, name, strlen(name));
    return place && *place ? 0 : error_memory(exchange->error);
}

void exchange_note(const struct exchange *exchange, const char *format, ...)
{
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    text_vformat(line, sizeof line, format, arguments);
    va_end(arguments);
    text_clean(line, "", ' '); /* names of the file stay within their line */
    if (exchange->setup->notes)
        text_printf(exchange->setup->notes, "%s\n", line);
}

static void note_left_out(const struct exchange *exchange)
{
    enum { MOST = 16 };
    size_t count = exchange->left_out.count;
    struct text names = {0};
    for (size_t i = 0; i < count && i < MOST; i++)
        text_printf(&names, "%s%.60s", i ? ", " : "", exchange->left_out.texts[i]);
    if (count > MOST)
        text_printf(&names, " and %zu more", count - MOST);
    if (count)
        exchange_note(exchange, "not imported, because no column holds them: %s", text_string(&names));
    text_free(&names);
}

static void note_repeated(const struct exchange *exchange)
{
    size_t repeated = exchange->repeats.repeated;
    if (repeated)
        exchange_note(exchange, "%zu configuration%s in several rows: each counts once, with the median of its times",
                      repeated, repeated == 1 ? " is" : "s are");
}

/* ---- The default ---- */

/* Sets the key of the default, and its text as the option has it. */
static int read_default(struct exchange *exchange)
{
    const char *given = exchange->setup->default_;
    struct journal_header *header = &exchange->header;
    struct pairs pairs, names = {.count = header->parameter_count};
    bool same = true;
    if (!given)
        return 0;
    struct pair *items = names.items = arena_array(&exchange->arena, names.count + 1, sizeof *items);
    const char **values = arena_array(&exchange->arena, names.count + 1, sizeof *values);
    if (!items || !values)
        return error_memory(exchange->error);
    for (size_t p = 0; p < names.count; p++)
        items[p] = (struct pair){header->parameters[p], ""};
    int code = pairs_read(&exchange->arena, given, &pairs, exchange->error);
    if (!code)
        code = pairs_order(&exchange->arena, &names, &pairs, &same, exchange->error);
    if (code == ERROR_MEMORY)
        return code;
    if (code || !same) {
        struct text list = {0};
        for (size_t p = 0; p < names.count; p++)
            text_printf(&list, "%s%.60s", p ? ", " : "", header->parameters[p]);
        error_clear(exchange->error);
        error_set(exchange->error, ERROR_USAGE, "--default: '%.200s' does not give each parameter once", given);
        error_hint(exchange->error, "the parameters are %s", text_string(&list));
        text_free(&list);
        return ERROR_USAGE;
    }
    for (size_t p = 0; p < names.count; p++)
        values[p] = pairs.items[p].value;
    repeats_key(&exchange->default_key, values, names.count);
    header->provenance.default_ = pairs_text(&exchange->arena, &pairs);
    return exchange->default_key.failed || !header->provenance.default_ ? error_memory(exchange->error) : 0;
}

/* A journal finds its default by the text: takes that of the row. */
static int match_default(struct exchange *exchange, const struct journal_row *row)
{
    const struct journal_header *header = &exchange->header;
    struct text text = {0};
    repeats_key(&text, row->values, header->parameter_count);
    bool is_default = strcmp(text_string(&text), text_string(&exchange->default_key)) == 0;
    if (is_default) {
        text_clear(&text);
        for (size_t p = 0; p < header->parameter_count; p++)
            text_printf(&text, "%s%s=%s", p ? " " : "", header->parameters[p], row->values[p]);
        exchange->header.provenance.default_ = arena_copy(&exchange->arena, text_string(&text), text.length);
        exchange->has_default = true;
    }
    bool failed = text.failed || !exchange->header.provenance.default_;
    text_free(&text);
    return failed ? error_memory(exchange->error) : 0;
}

/* ---- Rows ---- */

int exchange_add(struct exchange *exchange, const struct journal_row *row)
{
    const struct journal_header *header = &exchange->header;
    struct journal_row merged = *row;
    bool again = false;
    if (range_check_interval(row->measurement.low, row->measurement.high, exchange->error))
        return ERROR_DATA;
    if (exchange->first_pass)
        return repeats_add(&exchange->repeats, row, header->parameter_count, exchange->error);
    if (exchange->setup->default_ && !exchange->has_default && match_default(exchange, row))
        return ERROR_MEMORY;
    repeats_merge(&exchange->repeats, &merged, header->parameter_count, &again);
    if (!header->extra_count)
        repeats_sum(&exchange->repeats, &merged, header->parameter_count);
    /* Keeps a row with its own columns, for an export. */
    return again && !header->extra_count ? 0 : journal_print_row(&exchange->rows, header, &merged, exchange->error);
}

int exchange_second_pass(struct exchange *exchange)
{
    exchange->first_pass = false;
    repeats_ready(&exchange->repeats);
    return read_default(exchange);
}

int exchange_add_evidence(struct exchange *exchange, const struct journal_evidence *evidence)
{
    return journal_print_evidence(&exchange->rows, &exchange->header, evidence, exchange->error);
}

int exchange_add_library(struct exchange *exchange, const struct journal_library *library)
{
    return journal_print_library(&exchange->rows, &exchange->header, library, exchange->error);
}

int exchange_finish(struct exchange *exchange, struct text *journal)
{
    char fingerprint[HASH_HEX_BYTES];
    if (exchange->header.parameter_count > SPACE_PARAMETERS_MAX)
        return error_set(exchange->error, ERROR_DATA, "%s has %zu parameters, more than %d", exchange->setup->path,
                         exchange->header.parameter_count, SPACE_PARAMETERS_MAX);
    hash_hex(text_string(&exchange->rows), exchange->rows.length, fingerprint);
    if (!*exchange->header.provenance.fingerprint)
        exchange->header.provenance.fingerprint = fingerprint;
    note_left_out(exchange);
    note_repeated(exchange);
    if (exchange->setup->default_ && !exchange->has_default)
        exchange_note(exchange, "the default, %.300s, is not among the results", exchange->setup->default_);
    int code = journal_print_header(journal, &exchange->header, exchange->error);
    text_append(journal, text_string(&exchange->rows), exchange->rows.length);
    exchange->header.provenance.fingerprint = "";
    return code ? code : journal->failed || exchange->rows.failed ? error_memory(exchange->error) : 0;
}

void exchange_free(struct exchange *exchange)
{
    text_free(&exchange->rows);
    text_free(&exchange->default_key);
    text_set_free(&exchange->left_out);
    repeats_free(&exchange->repeats);
    arena_free(&exchange->arena);
}

static bool printable(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text <= ' ' || *text == 0x7f)
            return false;
    return true;
}

int exchange_check_name(const struct exchange *exchange, const char *name)
{
    if (*name && printable(name) && !strchr(name, '=') && strlen(name) <= SPACE_WORD_MAX)
        return 0;
    error_set(exchange->error, ERROR_DATA, "'%.64s' cannot be the name of a parameter", name);
    error_hint(exchange->error, "a name has at most %d characters, no spaces and no '='", SPACE_WORD_MAX);
    return ERROR_DATA;
}

int exchange_check_value(const struct exchange *exchange, const char *name, const char *value)
{
    struct value read;
    if (value_read(value, &read) && (read.kind != VALUE_WORD || (printable(value) && strlen(value) <= SPACE_WORD_MAX)))
        return 0;
    error_set(exchange->error, ERROR_DATA, "'%.60s' cannot be a value of %s", value, name);
    error_hint(exchange->error,
               "a value is a number, or a word of at most %d characters without spaces that does not start like a "
               "number%s",
               SPACE_WORD_MAX, exchange->setup->time ? "; --ignore leaves out a column that is not a parameter" : "");
    return ERROR_DATA;
}
