#include "exchange/exchange.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"
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
    {"CompilationFailedConfig", STATUS_COMPILE_ERROR},
    {"RuntimeFailedConfig", STATUS_LAUNCH_ERROR},
    {"InvalidConfig", STATUS_PRUNED_LIMIT},
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

/* Returns the file's name without folder and suffixes, made valid for files and C. */
static const char *name_of(struct exchange *exchange)
{
    const char *path = exchange->setup->path, *name = path + file_folder_length(path);
    size_t length = strcspn(name + (*name == '.'), ".") + (*name == '.');
    char *copy = arena_copy(&exchange->arena, name, length);
    for (char *c = copy; c && *c; c++)
        if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_", *c))
            *c = '_';
    return copy;
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

int exchange_add(struct exchange *exchange, const struct journal_row *row)
{
    const struct journal_header *header = &exchange->header;
    struct journal_row merged = *row;
    bool again = false;
    if (range_check_interval(row->measurement.low, row->measurement.high, exchange->error))
        return ERROR_DATA;
    if (exchange->first_pass)
        return repeats_add(&exchange->repeats, row, header->parameter_count, exchange->error);
    repeats_merge(&exchange->repeats, &merged, header->parameter_count, &again);
    if (!header->extra_count)
        repeats_sum(&exchange->repeats, &merged, header->parameter_count);
    /* Keeps a row with its own columns, for an export. */
    return again && !header->extra_count ? 0 : journal_print_row(&exchange->rows, header, &merged, exchange->error);
}

void exchange_second_pass(struct exchange *exchange)
{
    exchange->first_pass = false;
    repeats_ready(&exchange->repeats);
    if (exchange->setup->repeated)
        *exchange->setup->repeated = exchange->repeats.repeated;
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
    int code = journal_print_header(journal, &exchange->header, exchange->error);
    text_append(journal, text_string(&exchange->rows), exchange->rows.length);
    exchange->header.provenance.fingerprint = "";
    return code ? code : journal->failed || exchange->rows.failed ? error_memory(exchange->error) : 0;
}

void exchange_free(struct exchange *exchange)
{
    text_free(&exchange->rows);
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
