/* Validity of a header's rows, as functions of integers, and the device limits in them. */
#include <string.h>

#include "base/architecture.h"
#include "emit/emit_model.h"

/* ---- Limits ---- */

uint64_t emit_row_limits(const struct emit_model *model)
{
    uint64_t limits = 0;
    for (size_t i = 0; i < model->selection->row_count; i++)
        limits |= model->selection->rows[i].sized.limits | model->selection->rows[i].unsized.limits;
    return limits;
}

/* Returns the argument of the header's functions that holds a limit; NULL: it follows from the compute capability, or
 * is unknown. */
static const char *argument_of(const struct limit_row *limit)
{
    static const char *const arguments[] = {"cc", "sm_count", "l2_bytes"};
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++)
        if (strcmp(arguments[i], limit->name) == 0)
            return arguments[i];
    return NULL;
}

void emit_limit_functions(const struct emit_model *model, uint64_t limits, struct text *text)
{
    for (size_t l = 0; l < limit_count; l++) {
        const struct limit_row *limit = &limit_rows[l];
        if (!(limits >> l & 1u) || argument_of(limit))
            continue;
        text_printf(text,
                    "/* By compute capability: %s; -1: not known. */\n"
                    "%sFUNCTION long long %slimit_%s(int cc)\n{\n    switch (cc) {\n",
                    limit->description, model->shared_upper, model->shared, limit->name);
        for (size_t a = 0; a < architecture_count; a++)
            if (architecture_limit(limit, architectures[a]) != LIMIT_UNKNOWN)
                text_printf(text, "    case %d:\n        return %lldLL;\n", architectures[a],
                            (long long)architecture_limit(limit, architectures[a]));
        text_printf(text, "    default:\n        return -1;\n    }\n}\n\n");
    }
}

void emit_limit_variables(const struct emit_model *model, uint64_t limits, struct text *text)
{
    for (size_t l = 0; l < limit_count; l++) {
        const char *name = limit_rows[l].name, *argument = argument_of(&limit_rows[l]);
        if (!(limits >> l & 1u))
            continue;
        if (argument)
            text_printf(text, "    const long long limit_%s = %s > 0 ? %s : -1;\n", name, argument, argument);
        else
            text_printf(text, "    const long long limit_%s = %slimit_%s(cc);\n", name, model->shared, name);
    }
}

void emit_limit_guard(uint64_t limits, const char *result, int indent, struct text *text)
{
    const char *begin = "if (";
    for (size_t l = 0; l < limit_count; l++)
        if (limits >> l & 1u) {
            text_printf(text, "%*s%slimit_%s < 0", *begin == 'i' ? indent : 0, "", begin, limit_rows[l].name);
            begin = " || ";
        }
    if (*begin != 'i')
        text_printf(text, ")\n%*sreturn %s;\n", indent + 4, "", result);
}

void emit_limit_names(const struct emit_model *model, const char **names)
{
    static const char *const variables[] = {
#define LIMIT(name, attribute, least, description) "limit_" #name,
#include "base/limits.def"
#undef LIMIT
    };
    for (size_t i = 0; i < model->selection->sizes->count; i++)
        names[i] = model->sizes[i].field;
    memcpy(names + model->selection->sizes->count, variables, sizeof variables);
}

/* ---- Conditions ---- */

/* Appends statements that return if a condition holds, or `unknown` if a limit is unknown. */
static void put_condition(const struct emit_model *model, const struct size_condition *condition, uint64_t limits,
                          const char *unknown, int indent, struct text *text)
{
    const char *names[PAIRS_MAX + EMIT_LIMITS_MAX];
    struct text parts = {0}, result = {0};
    emit_limit_guard(limits, unknown, indent, text);
    emit_limit_names(model, names);
    size_condition_print(condition, model->shared, names, indent, &parts, &result);
    text_printf(text, "%s%*sreturn %s != 0;\n", text_string(&parts), indent, "", text_string(&result));
    text->failed |= parts.failed || result.failed;
    text_free(&parts);
    text_free(&result);
}

/* Appends a size as a 64-bit integer; conditions name no other sizes. */
static void put_size(const struct emit_model *model, const struct emit_member *size, struct text *text)
{
    if (size->kind == EMIT_REAL)
        text_printf(text, "%s >= -9223372036854775808.0 && %s < 9223372036854775808.0 ? %sCAST(long long, %s) : 0",
                    size->field, size->field, model->shared_upper, size->field);
    else
        text_printf(text, "%s", size->field);
}

void emit_valid_sizes(const struct emit_model *model, struct text *text)
{
    for (size_t i = 0; i < model->selection->sizes->count; i++) {
        text_printf(text, ", ");
        put_size(model, &model->sizes[i], text);
    }
}

static void put_head(const struct emit_model *model, const char *function, const char *argument, struct text *text)
{
    text_printf(text, "%s(%sint cc, int sm_count, long long l2_bytes", function, argument);
    if (model->selection->sizes->count)
        text_printf(text, ", ");
    emit_size_list(model, "long long ", ")\n{\n", text);
}

static void put_unused(const struct emit_model *model, struct text *text)
{
    text_printf(text, "    (void)cc, (void)sm_count, (void)l2_bytes");
    for (size_t i = 0; i < model->selection->sizes->count; i++)
        text_printf(text, ", (void)%s", model->sizes[i].field);
    text_printf(text, ";\n");
}

static bool asks(const struct selection_row *row)
{
    return !size_condition_always(row->sized.condition) || !size_condition_always(row->unsized.condition);
}

/* Appends a case of the switch. */
static void put_case(const struct emit_model *model, size_t number, struct text *text)
{
    const struct selection_row *row = &model->selection->rows[number];
    text_printf(text, "    case %zu:\n", number);
    if (!size_condition_always(row->unsized.condition))
        text_printf(text, "        if (!own && !%s_tuned_allows_%zu(cc, sm_count, l2_bytes))\n            return 0;\n",
                    model->prefix, number);
    if (size_condition_always(row->sized.condition)) {
        text_printf(text, "        return 1;\n");
        return;
    }
    text_printf(text, "        {\n");
    put_condition(model, row->sized.condition, row->sized.limits, "own", 12, text);
    text_printf(text, "        }\n");
}

/* Appends a function that is true if a device allows a row, whatever the sizes. */
static void put_allows(const struct emit_model *model, size_t number, struct text *text)
{
    const struct selection_row *row = &model->selection->rows[number];
    if (size_condition_always(row->unsized.condition))
        return;
    text_printf(text, "%sFUNCTION int %s_tuned_allows_%zu(int cc, int sm_count, long long l2_bytes)\n{\n",
                model->shared_upper, model->prefix, number);
    emit_limit_variables(model, row->unsized.limits, text);
    text_printf(text, "    (void)cc, (void)sm_count, (void)l2_bytes;\n");
    put_condition(model, row->unsized.condition, row->unsized.limits, "0", 4, text);
    text_printf(text, "}\n\n");
}

bool emit_has_valid(const struct emit_model *model)
{
    bool any = false;
    for (size_t i = 0; i < model->selection->row_count; i++)
        any |= !model->selection->rows[i].fit && asks(&model->selection->rows[i]);
    return any;
}

void emit_valid(const struct emit_model *model, struct text *text)
{
    const struct selection *selection = model->selection;
    uint64_t limits = 0;
    if (!emit_has_valid(model))
        return;
    for (size_t i = 0; i < selection->row_count; i++) {
        if (selection->rows[i].fit)
            continue;
        limits |= selection->rows[i].sized.limits;
        put_allows(model, i, text);
    }
    text_printf(
        text,
        "/* True if a row is valid for a device and sizes. `own`: on its own device, where it was measured, only the\n"
        "   sizes can forbid it. Elsewhere an unknown limit forbids it, too. */\nstatic inline int %s_tuned_valid",
        model->prefix);
    put_head(model, "", "size_t row, int own, ", text);
    text_printf(
        text,
        "    size_t count;\n    const struct %s_tuned *rows = %s_tuned_table(&count);\n    if (own) {\n"
        "        cc = cc > 0 ? cc : rows[row].cc;\n        sm_count = sm_count > 0 ? sm_count : rows[row].sm_count;\n"
        "        l2_bytes = l2_bytes > 0 ? l2_bytes : rows[row].l2_bytes;\n    }\n    {\n",
        model->prefix, model->prefix);
    emit_limit_variables(model, limits, text);
    put_unused(model, text);
    text_printf(text, "    switch (row) {\n");
    for (size_t i = 0; i < selection->row_count; i++)
        if (!selection->rows[i].fit && asks(&selection->rows[i]))
            put_case(model, i, text);
    text_printf(text, "    default:\n        return 1;\n    }\n    }\n}\n\n");
}

/* ---- Fits ---- */

bool emit_fit_asks(const struct emit_model *model, size_t fit)
{
    const struct selection_fit *of = model->selection->fits[fit];
    bool any = false;
    for (size_t i = 0; i < of->fit.configuration_count; i++)
        any |= asks(&model->selection->rows[of->first + i]);
    return any;
}

/* Appends a function that is true if the sizes allow a configuration on another device. */
static void put_allows_sizes(const struct emit_model *model, size_t number, struct text *text)
{
    const struct selection_row *row = &model->selection->rows[number];
    if (size_condition_always(row->sized.condition))
        return;
    text_printf(text, "%sFUNCTION int %s_tuned_fits_%zu", model->shared_upper, model->prefix, number);
    put_head(model, "", "", text);
    emit_limit_variables(model, row->sized.limits, text);
    put_unused(model, text);
    put_condition(model, row->sized.condition, row->sized.limits, "0", 4, text);
    text_printf(text, "}\n\n");
}

/* A configuration's bit. */
static void put_bit(const struct emit_model *model, const struct selection_fit *fit, size_t i, struct text *text)
{
    const struct selection_row *row = &model->selection->rows[fit->first + i];
    const bool device = !size_condition_always(row->unsized.condition);
    if (!asks(row))
        return;
    text_printf(text, "    if (");
    if (device)
        text_printf(text, "!%s_tuned_allows_%zu(cc, sm_count, l2_bytes)", model->prefix, fit->first + i);
    if (!size_condition_always(row->sized.condition)) {
        text_printf(text, "%s!%s_tuned_fits_%zu(cc, sm_count, l2_bytes, ", device ? " || " : "", model->prefix,
                    fit->first + i);
        emit_size_list(model, "", ")", text);
    }
    text_printf(text, ")\n        allowed &= ~(1U << %zu);\n", i);
}

void emit_fit_allowed(const struct emit_model *model, size_t number, struct text *text)
{
    const struct selection_fit *fit = model->selection->fits[number];
    if (!emit_fit_asks(model, number))
        return;
    for (size_t i = 0; i < fit->fit.configuration_count; i++) {
        put_allows(model, fit->first + i, text);
        put_allows_sizes(model, fit->first + i, text);
    }
    text_printf(text,
                "/* A bit for each configuration that is valid on another device than the fit's. */\n"
                "%sFUNCTION unsigned %s_tuned_fit_%zu_allowed",
                model->shared_upper, model->prefix, number);
    put_head(model, "", "", text);
    text_printf(text, "    unsigned allowed = ~0U;\n");
    for (size_t i = 0; i < fit->fit.configuration_count; i++)
        put_bit(model, fit, i, text);
    put_unused(model, text);
    text_printf(text, "    return allowed;\n}\n\n");
}
