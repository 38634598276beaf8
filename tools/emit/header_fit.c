/* Fits over sizes in a header: functions of integers, the same for host and device, and their calls. */
#include <string.h>

#include "emit/emit_model.h"

#include "choose_fit_text.inc"

/* ---- One fit ---- */

/* A fit at a place: for any sizes, or for sizes inside the measured ones. */
struct placed {
    const struct emit_model *model;
    size_t number; /* number of the fit */
    const struct selection_fit *fit;
    enum size_fit_place place;
    bool masked;                           /* a variable `allowed` has a bit for each configuration */
    const char *names[SIZE_FIT_SIZES_MAX]; /* variables of the sizes, by number of the fit's size */
};

/* Suffixes of the functions' names, behind that of the fit. */
static const char *const suffixes[SIZE_FIT_PLACES] = {[SIZE_FIT_ANYWHERE] = "", [SIZE_FIT_INSIDE] = "_inside"};

static void put_unused(const struct emit_model *model, struct text *text)
{
    text_printf(text, "    ");
    for (size_t i = 0; i < model->selection->sizes->count; i++)
        text_printf(text, "(void)%s, ", model->sizes[i].field);
}

static void put_arguments(const struct emit_model *model, struct text *text)
{
    for (size_t i = 0; i < model->selection->sizes->count; i++)
        if (model->sizes[i].kind == EMIT_REAL)
            text_printf(text, "%sCAST(long long, %s), ", model->shared_upper, model->sizes[i].field);
        else
            text_printf(text, "%s, ", model->sizes[i].field);
}

/* "transpose_tuned_fit_0_inside". */
static void put_name(const struct placed *of, struct text *text)
{
    text_printf(text, "%s_tuned_fit_%zu%s", of->model->prefix, of->number, suffixes[of->place]);
}

/* Appends a function of the sizes: true for a valid configuration, or its number of blocks. */
static void put_function(const struct placed *of, const char *what, size_t number,
                         const struct size_condition *condition, struct text *text)
{
    struct text parts = {0}, result = {0};
    text_printf(text, "%sFUNCTION long long ", of->model->shared_upper);
    put_name(of, text);
    text_printf(text, "_%s_%zu(", what, number);
    emit_size_list(of->model, "long long ", ")\n{\n", text);
    size_condition_print(condition, of->model->shared, of->names, 4, &parts, &result);
    put_unused(of->model, text);
    text_printf(text, "(void)0;\n%s    return %s;\n}\n\n", text_string(&parts), text_string(&result));
    text->failed |= parts.failed || result.failed;
    text_free(&parts);
    text_free(&result);
}

static bool serves_all(const struct placed *of, size_t configuration)
{
    return size_condition_always(of->fit->fit.configurations[configuration].conditions[of->place]);
}

static void put_call(const struct placed *of, const char *what, unsigned configuration, struct text *text)
{
    put_name(of, text);
    text_printf(text, "_%s_%u(", what, configuration);
    emit_size_list(of->model, "", ")", text);
}

/* Number of configurations of a leaf to try, up to the first one that is valid for all sizes. */
static size_t leaf_length(const struct placed *of, const struct size_fit_node *leaf)
{
    size_t length = 0, count = of->fit->fit.configuration_count;
    while (length < count && (of->masked || !serves_all(of, leaf->order[length])))
        length++;
    return length < count ? length + 1 : length;
}

/* True if the function below checks conditions. */
static bool asks(const struct placed *of)
{
    bool any = false;
    for (size_t i = 0; i < of->fit->fit.configuration_count; i++)
        any |= !serves_all(of, i);
    return any;
}

/* Appends the row of a leaf. */
static void put_leaf(const struct placed *of, const struct size_fit_node *leaf, int indent, struct text *text)
{
    const size_t length = leaf_length(of, leaf);
    uint64_t list[SIZE_FIT_LISTS];
    if (length == 1 && !of->masked && serves_all(of, leaf->order[0])) {
        text_printf(text, "%*sreturn %zu;\n", indent, "", of->fit->first + leaf->order[0]);
        return;
    }
    size_fit_list(leaf, length, list);
    text_printf(text, "%*sreturn ", indent, "");
    put_name(of, text);
    text_printf(text, "_first(");
    for (size_t i = 0; i < SIZE_FIT_LISTS; i++)
        text_printf(text, "0x%llxULL, ", (unsigned long long)list[i]);
    text_printf(text, "%zu, %s", length, of->masked ? "allowed" : "~0U");
    if (asks(of) && of->model->selection->sizes->count) {
        text_printf(text, ", ");
        emit_size_list(of->model, "", "", text);
    }
    text_printf(text, ");\n");
}

/* Appends the function that takes the first allowed, valid configuration of a leaf's list. */
static void put_first(const struct placed *of, struct text *text)
{
    const struct size_fit *fit = &of->fit->fit;
    const bool checked = asks(of);
    text_printf(text, "/* The first allowed row of a leaf's list; -1: none. */\n%sFUNCTION int ",
                of->model->shared_upper);
    put_name(of, text);
    text_printf(text,
                "_first(unsigned long long list_0, unsigned long long list_1, unsigned long long list_2, int count, "
                "unsigned allowed");
    if (checked && of->model->selection->sizes->count)
        text_printf(text, ", ");
    if (checked)
        emit_size_list(of->model, "long long ", "", text);
    text_printf(text, ")\n{\n    int number = %sfirst(list_0, list_1, list_2, count, allowed);\n", of->model->shared);
    if (checked) {
        text_printf(text, "    while (number >= 0) {\n        long long valid = 1;\n        switch (number) {\n");
        for (size_t i = 0; i < fit->configuration_count; i++)
            if (!serves_all(of, i)) {
                text_printf(text, "        case %zu:\n            valid = ", i);
                put_call(of, "valid", (unsigned)i, text);
                text_printf(text, ";\n            break;\n");
            }
        text_printf(text,
                    "        default:\n            break;\n        }\n        if (valid)\n            break;\n"
                    "        allowed &= ~(1U << number);\n"
                    "        number = %sfirst(list_0, list_1, list_2, count, allowed);\n    }\n",
                    of->model->shared);
    }
    text_printf(text, "    return number < 0 ? -1 : %zu + number;\n}\n\n", of->fit->first);
}

static void put_integer(int64_t number, struct text *text)
{
    char value[32];
    text_format(value, sizeof value, "%lld", (long long)number);
    emit_value(text, value, EMIT_LONG);
}

static bool asks_all(const struct size_fit_node *node)
{
    return !node->leaf && size_feature_rows[node->feature].count == 0;
}

static bool of_blocks(const struct size_fit_node *node)
{
    return !node->leaf && size_feature_rows[node->feature].of == SIZE_FEATURE_OF_blocks;
}

static void put_operand(const struct placed *of, const struct size_fit_node *node, unsigned operand, struct text *text)
{
    if (of_blocks(node))
        put_call(of, "blocks", operand, text);
    else
        text_printf(text, "%s", of->names[operand]);
    text_printf(text, ", ");
}

static void put_tree(const struct placed *of, size_t at, int indent, struct text *text)
{
    const struct size_fit_node *node = &of->fit->fit.nodes[at];
    struct text decision = {0};
    if (node->leaf) {
        put_leaf(of, node, indent, text);
        return;
    }
    text_printf(text, "%*sif (%sat_most(%sof_%s(", indent, "", of->model->shared, of->model->shared,
                size_feature_rows[node->feature].name);
    put_operand(of, node, node->a, text);
    put_operand(of, node, node->b, text);
    text_printf(text, "%s, %d, sm_count, l2_bytes), ", asks_all(node) ? "all" : "0", node->by);
    put_integer(node->most, text);
    text_printf(text, ")) { /* ");
    size_fit_decision(&of->fit->fit, node, &decision);
    emit_remark(text, text_string(&decision));
    text_printf(text, " */\n");
    put_tree(of, at + 1, indent + 4, text);
    text_printf(text, "%*s}\n", indent, "");
    put_tree(of, node->high, indent, text);
    text->failed |= decision.failed;
    text_free(&decision);
}

/* Appends a condition: some size is outside the measured ones. */
static void put_outside(const struct placed *of, struct text *text)
{
    const struct size_fit *fit = &of->fit->fit;
    for (size_t i = 0; i < fit->size_count; i++) {
        text_printf(text, "%s%sless(%s, ", i ? " || " : "", of->model->shared, of->names[i]);
        put_integer(fit->sizes[i].least, text);
        text_printf(text, ") || %sgreater(%s, ", of->model->shared, of->names[i]);
        put_integer(fit->sizes[i].most, text);
        text_printf(text, ")");
    }
    text_printf(text, "%s", fit->size_count ? "" : "0");
}

/* Appends the product of all sizes, if a feature uses it. */
static void put_all(const struct placed *of, struct text *text)
{
    const struct size_fit *fit = &of->fit->fit;
    size_t n = 0;
    while (n < fit->node_count && !asks_all(&fit->nodes[n]))
        n++;
    if (n == fit->node_count)
        return;
    text_printf(text, "    const long long all = ");
    for (size_t i = 0; i < fit->size_count; i++)
        text_printf(text, "%stimes(", of->model->shared);
    text_printf(text, "1");
    for (size_t i = 0; i < fit->size_count; i++)
        text_printf(text, ", %s)", of->names[i]);
    text_printf(text, ";\n");
}

/* Appends the tree. `inside`: calls the other function if all sizes are inside the measured ones. */
static void put_placed(const struct placed *of, bool inside, struct text *text)
{
    const struct emit_model *model = of->model;
    const struct size_fit *fit = &of->fit->fit;
    for (size_t i = 0; i < fit->configuration_count; i++) {
        if (!serves_all(of, i))
            put_function(of, "valid", i, fit->configurations[i].conditions[of->place], text);
        if (*fit->configurations[i].blocks)
            put_function(of, "blocks", i, fit->configurations[i].block_counts[of->place], text);
    }
    if (fit->node_count)
        put_first(of, text);
    text_printf(text, "/* ");
    emit_row_name(&model->selection->rows[of->fit->first], text);
    text_printf(text, ": a row of the table; -1: none is valid.%s */\n",
                of->place == SIZE_FIT_INSIDE ? " For sizes that do not lie outside of the measured ones." : "");
    text_printf(text, "%sFUNCTION int ", model->shared_upper);
    put_name(of, text);
    text_printf(text, "(");
    emit_size_list(model, "long long ", "", text);
    text_printf(text, "%sint sm_count, long long l2_bytes%s)\n{\n", model->selection->sizes->count ? ", " : "",
                of->masked ? ", unsigned allowed" : "");
    put_unused(model, text);
    text_printf(text, "(void)sm_count, (void)l2_bytes;\n");
    if (inside) {
        text_printf(text, "    if (!(");
        put_outside(of, text);
        text_printf(text, "))\n        return %s_tuned_fit_%zu%s(", model->prefix, of->number,
                    suffixes[SIZE_FIT_INSIDE]);
        emit_size_list(model, "", "", text);
        text_printf(text, "%ssm_count, l2_bytes%s);\n", model->selection->sizes->count ? ", " : "",
                    of->masked ? ", allowed" : "");
    }
    put_all(of, text);
    if (fit->node_count)
        put_tree(of, 0, 4, text);
    else
        text_printf(text, "    return -1; /* made by an earlier cutune */\n");
    text_printf(text, "}\n\n");
}

static struct placed place_fit(const struct emit_model *model, size_t number, enum size_fit_place place)
{
    struct placed of = {.model = model,
                        .number = number,
                        .fit = model->selection->fits[number],
                        .place = place,
                        .masked = emit_fit_asks(model, number)};
    for (unsigned i = 0; i < of.fit->fit.size_count; i++)
        of.names[i] = model->sizes[of.fit->sizes[i]].field;
    return of;
}

/* Only conditions and numbers of blocks are simpler inside. */
static void put_fit(const struct emit_model *model, size_t number, struct text *text)
{
    const struct placed anywhere = place_fit(model, number, SIZE_FIT_ANYWHERE);
    const struct placed inside = place_fit(model, number, SIZE_FIT_INSIDE);
    const struct size_fit *fit = &anywhere.fit->fit;
    bool simpler = false;
    for (size_t i = 0; i < fit->configuration_count; i++)
        simpler |= *fit->configurations[i].blocks ||
                   !size_condition_always(fit->configurations[i].conditions[SIZE_FIT_ANYWHERE]);
    if (simpler)
        put_placed(&inside, false, text);
    put_placed(&anywhere, simpler, text);
}

/* ---- The nearest of all fits ---- */

static void put_nearest(const struct emit_model *model, struct text *text)
{
    const struct selection *selection = model->selection;
    text_printf(text,
                "/* The row of the table by the fit of the nearest device with this compute capability (major * 10 + "
                "minor) or,\n"
                "   without one, with the same major one. From integers alone, on host and device. -1: none. */\n"
                "%sFUNCTION int %s_tuned_fit(int cc, int sm_count, long long l2_bytes, ",
                model->shared_upper, model->prefix);
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
        text_printf(text, "sm_count > 0 ? sm_count : %d, l2_bytes > 0 ? l2_bytes : %lldLL", row->sm_count,
                    row->l2_bytes);
        if (emit_fit_asks(model, f)) {
            text_printf(text, ",\n            %s_tuned_fit_%zu_allowed(cc, sm_count, l2_bytes%s", model->prefix, f,
                        selection->sizes->count ? ", " : "");
            emit_size_list(model, "", ")", text);
        }
        text_printf(text, ");\n        if (chosen >= 0) {\n            row = chosen;\n            nearest = kin;\n"
                          "            least = apart;\n        }\n    }\n");
    }
    text_printf(text, "    return row;\n}\n\n");
}

void emit_integer_functions(const struct emit_model *model, uint64_t limits, struct text *text)
{
    bool any = false;
    for (size_t i = 0; i < model->count; i++)
        any |= model->all[i].selection->fit_count || model->all[i].kernel->space || emit_has_valid(&model->all[i]);
    if (!any)
        return;
    emit_shared(model, choose_fit_text, text);
    emit_limit_functions(model, limits, text);
}

void emit_fit_functions(const struct emit_model *model, struct text *text)
{
    for (size_t f = 0; f < model->selection->fit_count; f++) {
        put_fit(model, f, text);
        emit_fit_allowed(model, f, text);
    }
    if (model->selection->fit_count)
        put_nearest(model, text);
}

/* ---- In the selection ---- */

/* Appends "if (" with the condition that all sizes are 64-bit integers; "" if their types ensure it. */
static void put_guard(const struct emit_model *model, struct text *text)
{
    const char *begin = "if (";
    for (size_t i = 0; i < model->selection->sizes->count; i++) {
        const char *field = model->sizes[i].field;
        if (model->sizes[i].kind != EMIT_REAL)
            continue;
        text_printf(text, "%s%s >= -9223372036854775808.0 && %s < 9223372036854775808.0 &&\n        ", begin, field,
                    field);
        const char *cast = model->shared_upper;
        text_printf(text, "!(%s < %sCAST(double, %sCAST(long long, %s))) &&\n        ", field, cast, cast, field);
        text_printf(text, "!(%s > %sCAST(double, %sCAST(long long, %s)))", field, cast, cast, field);
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
        text_printf(text,
                    "    if (%sbetter(&search, %sIS_FIT, rows[%zu].device, rows[%zu].cc, rows[%zu].sm_count, "
                    "rows[%zu].l2_bytes)) {\n        int chosen = -1;\n        ",
                    model->shared, model->shared_upper, fit->first, fit->first, fit->first, fit->first);
        put_guard(model, text);
        text_printf(text, "\n            chosen = %s_tuned_fit_%zu(", model->prefix, f);
        put_arguments(model, text);
        text_printf(text, "sm_count > 0 ? sm_count : %d,\n                l2_bytes > 0 ? l2_bytes : %lldLL",
                    row->sm_count, row->l2_bytes);
        if (emit_fit_asks(model, f)) {
            text_printf(text,
                        ",\n                search.own_rule <= %sRULE_DEVICE ? ~0U : %s_tuned_fit_%zu_allowed(cc, "
                        "sm_count, l2_bytes",
                        model->shared_upper, model->prefix, f);
            emit_valid_sizes(model, text);
            text_printf(text, ")");
        }
        text_printf(text, ");\n        if (chosen >= 0)\n            %stake(&search, %sCAST(size_t, chosen));\n    }\n",
                    model->shared, model->shared_upper);
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
    text_printf(text, "    size_t count, number = %sCAST(size_t, row - %s_tuned_table(&count));\n", model->shared_upper,
                model->prefix);
    for (size_t f = 0; f < selection->fit_count; f++) {
        const struct selection_fit *fit = selection->fits[f];
        emit_range("number", fit->first, fit->first + fit->fit.configuration_count, text);
        const struct placed of = place_fit(model, f, SIZE_FIT_ANYWHERE);
        text_printf(text, "        return ");
        put_outside(&of, text);
        text_printf(text, ";\n");
    }
    text_printf(text, "    ");
    for (size_t i = 0; i < selection->sizes->count; i++)
        text_printf(text, "(void)%s, ", model->sizes[i].field);
    text_printf(text, "(void)count;\n    return 0;\n}\n\n");
}
