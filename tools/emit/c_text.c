/* Writes pieces of C. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "emit/emit_model.h"

bool emit_classify(const char *value, enum emit_kind *kind)
{
    char *end;
    size_t length = strlen(value);
    errno = 0;
    long long integer = strtoll(value, &end, 10);
    if (length && *end == '\0' && errno == 0 && !strchr(" \t\n\v\f\r", *value)) {
        *kind = integer >= INT_MIN && integer <= INT_MAX ? EMIT_INT : EMIT_LONG;
        return true;
    }
    if (length && strspn(value, "+-.0123456789eE") == length && strpbrk(value, "0123456789")) {
        double real = text_number(value, &end);
        *kind = EMIT_REAL;
        if (*end == '\0' && isfinite(real))
            return true;
    }
    *kind = EMIT_WORD;
    return pairs_identifier(value, length);
}

void emit_string(struct text *text, const char *string)
{
    text_append(text, "\"", 1);
    for (const unsigned char *c = (const unsigned char *)string; *c; c++)
        if (*c == '"' || *c == '\\' || *c == '?') /* "\?" prevents a trigraph */
            text_printf(text, "\\%c", *c);
        else if (*c < ' ' || *c > '~')
            text_printf(text, "\\%03o", *c);
        else
            text_append(text, c, 1);
    text_append(text, "\"", 1);
}

void emit_remark(struct text *text, const char *string)
{
    char before = ' ';
    for (; *string; before = *string++) {
        char c = *string;
        if (c < ' ' || c > '~' || c == '\\' || (c == '?' && before == '?'))
            c = '.';
        if ((before == '*' && c == '/') || (before == '/' && c == '*'))
            text_append(text, " ", 1);
        text_append(text, &c, 1);
    }
}

void emit_value(struct text *text, const char *value, enum emit_kind kind)
{
    long long integer;
    switch (kind) {
    case EMIT_INT:
    case EMIT_LONG:
        integer = strtoll(value, NULL, 10);
        if (integer == LLONG_MIN)
            text_printf(text, "(-%lldLL - 1)", LLONG_MAX);
        else if (kind == EMIT_INT && integer == INT_MIN)
            text_printf(text, "(-%d - 1)", INT_MAX);
        else
            text_printf(text, integer < 0 ? "(%lld%s)" : "%lld%s", integer, kind == EMIT_LONG ? "LL" : "");
        break;
    case EMIT_REAL:
        text_printf(text, *value == '-' ? "(%s%s)" : "%s%s", value, strpbrk(value, ".eE") ? "" : ".0");
        break;
    case EMIT_WORD:
        emit_string(text, value);
        break;
    }
}

const char *emit_source_macro(const struct emit_model *model, const char *parameter)
{
    const struct space *space = model->kernel->space;
    for (size_t p = 0; space && p < space->parameter_count; p++)
        if (strcmp(space->parameters[p].name, parameter) == 0)
            return space->parameters[p].macro;
    return parameter;
}

bool emit_is_untuned(const struct emit_model *model)
{
    return !model->selection->rows[model->selection->newest].best;
}

void emit_title(const struct emit_model *model, struct text *text)
{
    bool untuned = emit_is_untuned(model);
    text_printf(text, "%s of the kernel ", untuned ? "Default configuration" : "Tuned configurations");
    emit_remark(text, model->kernel->name);
    text_printf(text, "%s", untuned ? ": no tuned one is known" : "");
}

void emit_row_name(const struct selection_row *row, struct text *text)
{
    if (row->kind == CHOOSE_IS_DEFAULT) {
        text_printf(text, "default");
        return;
    }
    emit_remark(text, row->kind == CHOOSE_IS_COMMON ? "all devices" : row->device);
    text_printf(text, ", ");
    if (row->fit) {
        text_printf(text, "fit over ");
        emit_remark(text, row->best->provenance.problem);
        return;
    }
    for (size_t i = 0; i < row->sizes->count; i++) {
        text_printf(text, "%s", i ? " " : "");
        emit_remark(text, row->sizes->items[i].name);
        text_printf(text, "=");
        emit_remark(text, row->sizes->items[i].value);
    }
    if (!row->sizes->count)
        text_printf(text, "no sizes");
}

/* The part between the marks. */
void emit_shared(const struct emit_model *model, const char *source, struct text *text)
{
    static const char begin[] = "/* ---- emitted from here ---- */\n", end[] = "/* ---- to here ---- */";
    const char *at = strstr(source, begin) + strlen(begin), *stop = strstr(at, end);
    while (at < stop) {
        const char *lower = strstr(at, "choose_"), *upper = strstr(at, "CHOOSE_");
        const char *name = !lower || (upper && upper < lower) ? upper : lower;
        if (!name || name > stop)
            name = stop;
        text_append(text, at, (size_t)(name - at));
        at = name;
        if (at < stop) {
            text_printf(text, "%s", name == upper ? model->shared_upper : model->shared);
            at += strlen("choose_");
        }
    }
    text_append(text, "\n", 1);
}

void emit_size_list(const struct emit_model *model, const char *type, const char *end, struct text *text)
{
    for (size_t i = 0; i < model->selection->sizes->count; i++)
        text_printf(text, "%s%s%s", i ? ", " : "", type, model->sizes[i].field);
    text_printf(text, "%s", end);
}

void emit_range(const char *name, size_t first, size_t behind, struct text *text)
{
    text_printf(text, "    if (");
    if (first > 0) /* compilers warn of conditions that are always true */
        text_printf(text, "%s >= %zu && ", name, first);
    text_printf(text, "%s < %zu)\n", name, behind);
}

bool emit_has_generation(const struct emit_model *model)
{
    return model->request->generation && *model->request->generation;
}
