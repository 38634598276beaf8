#include "base/evidence.h"

#include <math.h>
#include <string.h>

#include "base/pairs.h"

const struct evidence_row evidence_rows[] = {
#define EVIDENCE(name, unit, source, range, meaning)                                                                   \
    {#name, unit, meaning, EVIDENCE_##source, RANGE_##range, offsetof(struct evidence, name)},
#include "base/evidence.def"
#undef EVIDENCE
};
const size_t evidence_count = sizeof evidence_rows / sizeof *evidence_rows;

#define EVIDENCE(name, unit, source, range, meaning) PACK_NUMBER(struct evidence, name),
static const struct pack_field evidence_fields[] = {
    PACK_TEXT(struct evidence, kernel),
#include "base/evidence.def"
};
#undef EVIDENCE
const struct pack_table evidence_table = {sizeof(struct evidence), sizeof evidence_fields / sizeof *evidence_fields,
                                          evidence_fields};

double evidence_get(const struct evidence *evidence, const struct evidence_row *row)
{
    return *(const double *)((const char *)evidence + row->offset);
}

void evidence_put(struct evidence *evidence, const struct evidence_row *row, double value)
{
    *(double *)((char *)evidence + row->offset) = value;
}

struct evidence evidence_unknown(void)
{
    struct evidence evidence = {0};
    for (size_t i = 0; i < evidence_count; i++)
        evidence_put(&evidence, &evidence_rows[i], NAN);
    return evidence;
}

const struct evidence_row *evidence_find(const char *name)
{
    for (size_t i = 0; i < evidence_count; i++)
        if (strcmp(evidence_rows[i].name, name) == 0)
            return &evidence_rows[i];
    return NULL;
}

void evidence_add(struct evidence *evidence, const struct evidence *other)
{
    for (size_t i = 0; i < evidence_count; i++)
        if (isnan(evidence_get(evidence, &evidence_rows[i])))
            evidence_put(evidence, &evidence_rows[i], evidence_get(other, &evidence_rows[i]));
    if (!*evidence->kernel)
        memcpy(evidence->kernel, other->kernel, sizeof evidence->kernel);
}

bool evidence_has(const struct evidence *evidence, enum evidence_source source)
{
    for (size_t i = 0; i < evidence_count; i++)
        if (evidence_rows[i].source == source && !isnan(evidence_get(evidence, &evidence_rows[i])))
            return true;
    return false;
}

bool evidence_may_be(const struct evidence_row *row, double value)
{
    return range_has(row->range, value);
}

bool evidence_is_measured(enum evidence_source source)
{
    return source == EVIDENCE_COUNTER || source == EVIDENCE_STAGE;
}

bool evidence_has_measured(const struct evidence *evidence)
{
    return evidence_has(evidence, EVIDENCE_COUNTER) || evidence_has(evidence, EVIDENCE_STAGE);
}

const char *evidence_source_name(enum evidence_source source)
{
    static const char *const names[EVIDENCE_SOURCES] = {"launch", "code", "counter", "stage", "ceiling"};
    return names[source];
}

void evidence_append(struct text *text, const struct evidence *evidence)
{
    const char *space = "";
    if (*evidence->kernel) {
        text_printf(text, "kernel=%s", evidence->kernel);
        space = " ";
    }
    for (size_t i = 0; i < evidence_count; i++) {
        char number[TEXT_REAL_BYTES];
        double value = evidence_get(evidence, &evidence_rows[i]);
        if (!evidence_may_be(&evidence_rows[i], value))
            continue;
        text_printf(text, "%s%s=%s", space, evidence_rows[i].name, text_real(value, number));
        space = " ";
    }
}

static int take(const struct pair *pair, struct evidence *evidence, struct error *error)
{
    double number;
    if (strcmp(pair->name, "kernel") == 0) {
        if (strlen(pair->value) >= sizeof evidence->kernel)
            return error_set(error, ERROR_DATA, "the evidence names a kernel of more than %zu characters",
                             sizeof evidence->kernel - 1);
        strcpy(evidence->kernel, pair->value);
        return 0;
    }
    const struct evidence_row *row = evidence_find(pair->name);
    if (!row)
        return 0;
    bool is_number = pairs_number(pair->value, &number);
    if (!is_number || !evidence_may_be(row, number)) {
        error_set(error, ERROR_DATA, "the evidence '%s=%.40s' is %s", pair->name, pair->value,
                  is_number ? "impossible" : "not a number");
        error_hint(error, "expected %s; delete this line, and the evidence is unknown", range_expected(row->range));
        return ERROR_DATA;
    }
    evidence_put(evidence, row, number);
    return 0;
}

int evidence_parse(const char *text, struct evidence *evidence, struct error *error)
{
    struct arena arena = {0};
    struct pairs pairs;
    *evidence = evidence_unknown();
    int code = pairs_read(&arena, text, &pairs, error);
    for (size_t i = 0; !code && i < pairs.count; i++)
        code = take(&pairs.items[i], evidence, error);
    arena_free(&arena);
    return code;
}
