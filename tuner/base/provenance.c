#include "base/provenance.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/pairs.h"
#include "base/text.h"

#define JOURNAL_FIELD(field, kind, key, part, meaning)                                                                 \
    {#key,                                                                                                             \
     meaning,                                                                                                          \
     PROVENANCE_##kind,                                                                                                \
     PROVENANCE_##part,                                                                                                \
     offsetof(struct provenance, field),                                                                               \
     sizeof(((struct provenance *)0)->field)},
#define FIELD(field, kind, key, column, part, meaning) JOURNAL_FIELD(field, kind, key, part, meaning)
const struct provenance_field provenance_fields[] = {
#include "base/provenance.def"
};
#undef FIELD
#undef JOURNAL_FIELD
const size_t provenance_field_count = sizeof provenance_fields / sizeof *provenance_fields;

/* True if the field is a pointer to a text. */
static bool is_text(const struct provenance_field *field)
{
    return field->kind == PROVENANCE_TEXT || field->kind == PROVENANCE_NAME || field->kind == PROVENANCE_PAIRS;
}

struct provenance provenance_unknown(void)
{
    struct provenance provenance = {0};
    for (size_t i = 0; i < provenance_field_count; i++) {
        void *field = (char *)&provenance + provenance_fields[i].offset;
        if (is_text(&provenance_fields[i]))
            *(const char **)field = "";
        else if (provenance_fields[i].kind == PROVENANCE_REAL || provenance_fields[i].kind == PROVENANCE_ABOVE_ZERO)
            *(double *)field = NAN;
    }
    return provenance;
}

bool provenance_unverified(const struct provenance *provenance)
{
    static const char value[] = "unverified";
    size_t length = 0;
    const char *reference = provenance->options ? pairs_value(provenance->options, "reference", &length) : NULL;
    return reference && length == sizeof value - 1 && memcmp(reference, value, length) == 0;
}

/* The text of a field; NULL for a number. */
static const char *text_of(const struct provenance_field *field, const struct provenance *provenance)
{
    const void *at = (const char *)provenance + field->offset;
    if (field->kind == PROVENANCE_CHARS)
        return at;
    if (!is_text(field))
        return NULL;
    const char *text = *(const char *const *)at;
    return text ? text : "";
}

/* Fields of the kinds REAL and ABOVE_ZERO are results and do not distinguish runs. */
static int64_t integer_of(const struct provenance_field *field, const struct provenance *provenance)
{
    return *(const int64_t *)(const void *)((const char *)provenance + field->offset);
}

static int compare_field(const struct provenance_field *field, const struct provenance *a, const struct provenance *b)
{
    const char *text = text_of(field, a);
    if (text && field->kind == PROVENANCE_PAIRS)
        return pairs_compare(text, text_of(field, b));
    if (text)
        return strcmp(text, text_of(field, b));
    int64_t x = integer_of(field, a), y = integer_of(field, b);
    return (x > y) - (x < y);
}

int provenance_compare(const struct provenance *a, const struct provenance *b, unsigned parts)
{
    int order = 0;
    for (size_t i = 0; i < provenance_field_count && order == 0; i++)
        if (provenance_fields[i].part & parts)
            order = compare_field(&provenance_fields[i], a, b);
    return order;
}

bool provenance_same(const struct provenance *a, const struct provenance *b, unsigned parts)
{
    return provenance_compare(a, b, parts) == 0;
}

const char *provenance_difference(const struct provenance *a, const struct provenance *b, unsigned parts)
{
    static const struct {
        unsigned part;
        const char *words;
    } names[] = {{PROVENANCE_KEY, "another kernel, device or other sizes"},
                 {PROVENANCE_VERSION, "another version of the source or space"},
                 {PROVENANCE_CONDITIONS, "other options or data"},
                 {PROVENANCE_TOOLS, "another driver, compiler or toolkit"},
                 {PROVENANCE_PROGRAM, "another version of cutune"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].part & parts && !provenance_same(a, b, names[i].part))
            return names[i].words;
    return NULL;
}

const char *provenance_compiler(const struct provenance *provenance)
{
    static const char nvcc[] = "nvcc";
    static const char command[] = "command";
    const char *build = provenance->nvrtc_build;
    if (build && strncmp(build, command, sizeof command - 1) == 0)
        return command;
    return build && strncmp(build, nvcc, sizeof nvcc - 1) == 0 ? nvcc : "NVRTC";
}

int provenance_newer_tools(const struct provenance *a, const struct provenance *b, const char **reason)
{
    int order = strverscmp(b->nvrtc, a->nvrtc);
    *reason = "newer NVRTC";
    if (order == 0) {
        order = (b->device.cuda > a->device.cuda) - (b->device.cuda < a->device.cuda);
        *reason = "newer CUDA version";
    }
    if (order == 0) {
        order = strverscmp(b->device.driver, a->device.driver);
        *reason = "newer driver";
    }
    return order;
}

int provenance_fingerprint(const struct provenance *provenance, int schema, char fingerprint[HASH_HEX_BYTES],
                           struct error *error)
{
    struct text text = {0};
    text_printf(&text, "schema %d\ncc %" PRId64 "\n", schema, provenance->device.cc);
    for (size_t i = 0; i < provenance_field_count; i++) {
        const struct provenance_field *field = &provenance_fields[i];
        const char *value = text_of(field, provenance);
        if (field->part == PROVENANCE_FREE)
            continue;
        if (value)
            text_printf(&text, "%s %s\n", field->key, value);
        else
            text_printf(&text, "%s %" PRId64 "\n", field->key, integer_of(field, provenance));
    }
    int code = text.failed ? error_memory(error) : 0;
    if (!code)
        hash_hex(text.bytes, text.length, fingerprint);
    text_free(&text);
    return code;
}
