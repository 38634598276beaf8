/* The fits over sizes of a header: functions of integers, the same for host and device, and what calls them. */
#include <string.h>

#include "emit/emit_model.h"

#include "choose_fit_text.inc"

/* ---- One fit ---- */

/* "long long problem_ROWS, long long problem_COLS, " in the selection's order. */
static void put_parameters(const struct emit_model *model, struct text *text)
{
    for (size_t i = 0; i < model->selection->sizes->count; i++)
        text_printf(text, "long long %s, ", model->sizes[i].field);
}

static void put_unused(const struct emit_model *model, struct text *text)
{
    text_printf(text, "    ");
    for (size_t i = 0; i < model->selection->sizes->count; i++)
        text_printf(text, "(void)%s, ", model->sizes[i].field);
}

static void put_arguments(const struct emit_model *model, struct text *text)
{
    for (size_t i = 0; i < model->selection->sizes->count; i++)
        text_printf(text, "%s%s, ", model->sizes[i].kind == EMIT_REAL ? "(long long)" : "", model->sizes[i].field);
}

static const char *size_name(const struct emit_model *model, const struct selection_fit *fit, unsigned size)
{
    return model->sizes[fit->sizes[size]].field;
}

void emit_size_list(const struct emit_model *model, const char *type, const char *end, struct text *text)
{
    for (size_t i = 0; i < model->selection->sizes->count; i++)
        text_printf(text, "%s%s%s", i ? ", " : "", type, model->sizes[i].field);
    text_printf(text, "%s", end);
}

/* A function per condition: whether the configuration is valid for the sizes. */
static void put_conditions(const struct emit_model *model, size_t number, struct text *text)
{
    const struct selection_fit *fit = model->selection->fits[number];
    const char *names[SIZE_FIT_SIZES_MAX];
    for (unsigned i = 0; i < fit->fit.size_count; i++)
        names[i] = size_name(model, fit, i);
    for (size_t i = 0; i < fit->fit.configuration_count; i++) {
        const struct size_condition *condition = fit->fit.configurations[i].condition;
        if (!condition)
            continue;
        text_printf(text, "%s_TUNED_FUNCTION long long %s_tuned_fit_%zu_valid_%zu(", model->upper, model->prefix,
                    number, i);
        emit_size_list(model, "long long ", ")\n{\n", text);
        put_unused(model, text);
        text_printf(text, "(void)0;\n    return ");
        size_condition_c(condition, model->shared, names, text);
        text_printf(text, ";\n}\n\n");
    }
}

/* The rows of a leaf, up to the first one that is valid for all sizes. */
static void put_leaf(const struct emit_model *model, size_t number, const struct size_fit_node *leaf, int indent,
                     struct text *text)
{
    const struct selection_fit *fit = model->selection->fits[number];
    for (size_t i = 0; i < fit->fit.configuration_count; i++) {
        size_t row = fit->first + leaf->order[i];
        if (!fit->fit.configurations[leaf->order[i]].condition) {
            text_printf(text, "%*sreturn %zu;\n", indent, "", row);
            return;
        }
        text_printf(text, "%*sif (%s_tuned_fit_%zu_valid_%u(", indent, "", model->prefix, number, leaf->order[i]);
        emit_size_list(model, "", "))\n", text);
        text_printf(text, "%*sreturn %zu;\n", indent + 4, "", row);
    }
    text_printf(text, "%*sreturn -1;\n", indent, "");
}

static void put_integer(int64_t number, struct text *text)
{
    char value[32];
    text_format(value, sizeof value, "%lld", (long long)number);
    emit_value(text, value, EMIT_LONG);
}

/* What a node compares: a feature, or a formula. */
static void put_value(const struct emit_model *model, const struct selection_fit *fit, const struct size_fit_node *node,
                      struct text *text)
{
    const char *names[SIZE_FIT_SIZES_MAX];
    for (unsigned i = 0; i < fit->fit.size_count; i++)
        names[i] = size_name(model, fit, i);
    if (node->value)
        size_condition_c(node->value, model->shared, names, text);
    else
        text_printf(text, "%sof_%s(%s, %s, all, %d, sm_count, l2_bytes)", model->shared,
                    size_feature_rows[node->feature].name, names[node->a], names[node->b], node->by);
}

static void put_tree(const struct emit_model *model, size_t number, size_t at, int indent, struct text *text)
{
    const struct selection_fit *fit = model->selection->fits[number];
    const struct size_fit_node *node = &fit->fit.nodes[at];
    if (node->leaf) {
        put_leaf(model, number, node, indent, text);
        return;
    }
    text_printf(text, "%*sif (%sat_most(", indent, "", model->shared);
    put_value(model, fit, node, text);
    text_printf(text, ", ");
    put_integer(node->most, text);
    text_printf(text, ")) { /* ");
    struct text decision = {0};
    size_fit_decision(&fit->fit, node, &decision);
    emit_remark(text, text_string(&decision));
    text->failed |= decision.failed;
    text_free(&decision);
    text_printf(text, " */\n");
    put_tree(model, number, at + 1, indent + 4, text);
    text_printf(text, "%*s}\n", indent, "");
    put_tree(model, number, node->high, indent, text);
}

static void put_fit(const struct emit_model *model, size_t number, struct text *text)
{
    const struct selection_fit *fit = model->selection->fits[number];
    put_conditions(model, number, text);
    text_printf(text, "/* ");
    emit_row_name(&model->selection->rows[fit->first], text);
    text_printf(text, ": a row of the table; -1: none is valid. */\n%s_TUNED_FUNCTION int %s_tuned_fit_%zu(",
                model->upper, model->prefix, number);
    put_parameters(model, text);
    text_printf(text, "int sm_count, long long l2_bytes)\n{\n    long long all = ");
    for (size_t i = 0; i < fit->fit.size_count; i++)
        text_printf(text, "%stimes(", model->shared);
    text_printf(text, "1");
    for (size_t i = 0; i < fit->fit.size_count; i++)
        text_printf(text, ", %s)", size_name(model, fit, (unsigned)i));
    text_printf(text, ";\n");
    put_unused(model, text);
    text_printf(text, "(void)all, (void)sm_count, (void)l2_bytes;\n");
    put_tree(model, number, 0, 4, text);
    text_printf(text, "}\n\n");
}

/* ---- The nearest of all fits ---- */

static void put_nearest(const struct emit_model *model, struct text *text)
{
    const struct selection *selection = model->selection;
    text_printf(text,
                "/* The row of the table by the fit of the nearest device with this compute capability (major * 10 + "
                "minor) or,\n"
                "   if there is none, with the same major one. From integers alone, on host and device. -1: none. */\n"
                "%s_TUNED_FUNCTION int %s_tuned_fit(int cc, int sm_count, long long l2_bytes, ",
                model->upper, model->prefix);
    for (size_t i = 0; i < selection->sizes->count; i++)
        text_printf(text, "%slong long %s", i ? ", " : "", model->sizes[i].field);
    text_printf(text,
                ")\n{\n    long long apart = 0, least = 0;\n    int row = -1, nearest = 0, kin = 0, chosen = 0;\n");
    for (size_t f = 0; f < selection->fit_count; f++) {
        const struct selection_row *row = &selection->rows[selection->fits[f]->first];
        text_printf(text,
                    "    kin = %skinship(%d, cc);\n    apart = %sfar(%d, %lldLL, sm_count, l2_bytes);\n"
                    "    if (kin > nearest || (kin > 0 && kin == nearest && apart < least)) {\n"
                    "        chosen = %s_tuned_fit_%zu(",
                    model->shared, row->cc, model->shared, row->sm_count, row->l2_bytes, model->prefix, f);
        for (size_t i = 0; i < selection->sizes->count; i++)
            text_printf(text, "%s, ", model->sizes[i].field);
        text_printf(text,
                    "sm_count > 0 ? sm_count : %d, l2_bytes > 0 ? l2_bytes : %lldLL);\n"
                    "        if (chosen >= 0) {\n            row = chosen;\n            nearest = kin;\n"
                    "            least = apart;\n        }\n    }\n",
                    row->sm_count, row->l2_bytes);
    }
    text_printf(text, "    return row;\n}\n\n");
}

void emit_fit_functions(const struct emit_model *model, struct text *text)
{
    if (!model->selection->fit_count && !model->request->space)
        return;
    emit_shared(model, choose_fit_text, text);
    for (size_t f = 0; f < model->selection->fit_count; f++)
        put_fit(model, f, text);
    if (model->selection->fit_count)
        put_nearest(model, text);
}

/* ---- In the selection ---- */

void emit_range(const char *name, size_t first, size_t behind, struct text *text)
{
    text_printf(text, "    if (");
    if (first > 0) /* compilers warn of what is always true */
        text_printf(text, "%s >= %zu && ", name, first);
    text_printf(text, "%s < %zu)\n", name, behind);
}

/* "if (" with what says that all sizes are integers of 64 bits; "" if they are so by their types. */
static void put_guard(const struct emit_model *model, struct text *text)
{
    const char *begin = "if (";
    for (size_t i = 0; i < model->selection->sizes->count; i++) {
        const char *field = model->sizes[i].field;
        if (model->sizes[i].kind != EMIT_REAL)
            continue;
        text_printf(text, "%s%s >= -9223372036854775808.0 && %s < 9223372036854775808.0 &&\n        ", begin, field,
                    field);
        text_printf(text, "!(%s < (double)(long long)%s) && !(%s > (double)(long long)%s)", field, field, field, field);
        begin = " && ";
    }
    text_printf(text, "%s", *begin == 'i' ? "" : ") ");
}

void emit_fit_choice(const struct emit_model *model, struct text *text)
{
    const struct selection *selection = model->selection;
    for (size_t f = 0; f < selection->fit_count; f++) {
        const struct selection_fit *fit = selection->fits[f];
        const struct selection_row *row = &selection->rows[fit->first];
        text_printf(text, "    ");
        put_guard(model, text);
        text_printf(text, "{\n        int chosen = %s_tuned_fit_%zu(", model->prefix, f);
        put_arguments(model, text);
        text_printf(text,
                    "sm_count > 0 ? sm_count : %d,\n            l2_bytes > 0 ? l2_bytes : %lldLL);\n"
                    "        const struct %s_tuned *row = &rows[%zu];\n        if (chosen >= 0)\n"
                    "            %s_tuned_row(&search, (size_t)chosen, %s_TUNED_IS_FIT, row->device, row->cc, "
                    "row->sm_count, row->l2_bytes);\n    }\n",
                    row->sm_count, row->l2_bytes, model->prefix, fit->first, model->prefix, model->upper);
    }
}

void emit_fit_extrapolation(const struct emit_model *model, struct text *text)
{
    const struct selection *selection = model->selection;
    if (!selection->fit_count)
        return;
    text_printf(
        text,
        "/* Whether a row is of a fit over sizes, and these lie outside of those that the fit has measured. */\n"
        "static inline int %s_tuned_extrapolates(const struct %s_tuned *row, ",
        model->prefix, model->prefix);
    emit_size_list(model, "long long ", ")\n{\n", text);
    text_printf(text, "    size_t count, number = (size_t)(row - %s_tuned_table(&count));\n", model->prefix);
    for (size_t f = 0; f < selection->fit_count; f++) {
        const struct selection_fit *fit = selection->fits[f];
        emit_range("number", fit->first, fit->first + fit->fit.configuration_count, text);
        text_printf(text, "        return%s", fit->fit.size_count ? "" : " 0");
        for (size_t i = 0; i < fit->fit.size_count; i++) {
            const char *name = size_name(model, fit, (unsigned)i);
            text_printf(text, "%s %sless(%s, ", i ? " ||" : "", model->shared, name);
            put_integer(fit->fit.sizes[i].least, text);
            text_printf(text, ") || %sgreater(%s, ", model->shared, name);
            put_integer(fit->fit.sizes[i].most, text);
            text_printf(text, ")");
        }
        text_printf(text, ";\n");
    }
    text_printf(text, "    ");
    for (size_t i = 0; i < selection->sizes->count; i++)
        text_printf(text, "(void)%s, ", model->sizes[i].field);
    text_printf(text, "(void)count;\n    return 0;\n}\n\n");
}
