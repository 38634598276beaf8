/* The fits over sizes of a header: functions of integers, the same for host and device, and what calls them. */
#include <string.h>

#include "emit/emit_model.h"

#include "choose_fit_text.inc"

/* ---- One fit ---- */

/* A fit for sizes at a place. */
struct placed {
    const struct emit_model *model;
    size_t number; /* of the fit */
    const struct selection_fit *fit;
    enum size_fit_place place;
    bool masked;                           /* a variable `allowed` has a bit for each configuration */
    const char *names[SIZE_FIT_SIZES_MAX]; /* variables with the sizes, by number of the fit's */
};

/* What the names of functions have behind that of the fit. */
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
        text_printf(text, "%s%s, ", model->sizes[i].kind == EMIT_REAL ? "(long long)" : "", model->sizes[i].field);
}

void emit_size_list(const struct emit_model *model, const char *type, const char *end, struct text *text)
{
    for (size_t i = 0; i < model->selection->sizes->count; i++)
        text_printf(text, "%s%s%s", i ? ", " : "", type, model->sizes[i].field);
    text_printf(text, "%s", end);
}

/* "transpose_tuned_fit_0_inside". */
static void put_name(const struct placed *of, struct text *text)
{
    text_printf(text, "%s_tuned_fit_%zu%s", of->model->prefix, of->number, suffixes[of->place]);
}

/* A function: whether a configuration is valid for the sizes. */
static void put_condition(const struct placed *of, size_t number, struct text *text)
{
    struct text parts = {0}, result = {0};
    struct size_printer printer = {.prefix = of->model->shared, .names = of->names, .parts = &parts, .indent = 4};
    text_printf(text, "%s_TUNED_FUNCTION long long ", of->model->upper);
    put_name(of, text);
    text_printf(text, "_valid_%zu(", number);
    emit_size_list(of->model, "long long ", ")\n{\n", text);
    size_printer_put(&printer, of->fit->fit.configurations[number].conditions[of->place], NULL, 0, &result);
    size_printer_leave(&printer, NULL);
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

static void put_check(const struct placed *of, size_t configuration, const char *end, struct text *text)
{
    put_name(of, text);
    text_printf(text, "_valid_%zu(", configuration);
    emit_size_list(of->model, "", end, text);
}

/* How many configurations of a leaf may be asked for, up to the first one that is valid for all sizes. */
static size_t leaf_length(const struct placed *of, const struct size_fit_node *leaf)
{
    size_t length = 0;
    while (length < of->fit->fit.configuration_count && !serves_all(of, leaf->order[length]))
        length++;
    return length < of->fit->fit.configuration_count ? length + 1 : length;
}

/* ORDER_BITS: of a configuration's number. An integer holds so many of them. */
enum { ORDER_BITS = 5, ORDER_NUMBERS = 12, SHORT_LEAF = 2 };

static size_t order_count(const struct placed *of)
{
    return (of->fit->fit.configuration_count + ORDER_NUMBERS - 1) / ORDER_NUMBERS;
}

/* The rows of a leaf: a long list goes through the function below, which has each condition but once. */
static void put_leaf(const struct placed *of, const struct size_fit_node *leaf, int indent, struct text *text)
{
    const size_t length = leaf_length(of, leaf);
    for (size_t i = 0; i < length && length <= SHORT_LEAF; i++) {
        const size_t row = of->fit->first + leaf->order[i];
        const bool serves = serves_all(of, leaf->order[i]);
        if (serves && !of->masked) {
            text_printf(text, "%*sreturn %zu;\n", indent, "", row);
            return;
        }
        text_printf(text, "%*sif (", indent, "");
        if (of->masked)
            text_printf(text, "allowed >> %u & 1%s", leaf->order[i], serves ? ")\n" : " && ");
        if (!serves)
            put_check(of, leaf->order[i], "))\n", text);
        text_printf(text, "%*sreturn %zu;\n", indent + 4, "", row);
    }
    if (length <= SHORT_LEAF && !of->masked) {
        text_printf(text, "%*sreturn -1;\n", indent, "");
        return;
    }
    text_printf(text, "%*sreturn ", indent, "");
    put_name(of, text);
    text_printf(text, "_first(");
    emit_size_list(of->model, "", of->model->selection->sizes->count ? ", " : "", text);
    if (of->masked)
        text_printf(text, "allowed, ");
    for (size_t o = 0; o < order_count(of); o++) {
        unsigned long long order = 0;
        for (size_t i = 0; i < ORDER_NUMBERS && o * ORDER_NUMBERS + i < of->fit->fit.configuration_count; i++)
            order |= (unsigned long long)leaf->order[o * ORDER_NUMBERS + i] << (ORDER_BITS * i);
        text_printf(text, "%s0x%llxULL", o ? ", " : "", order);
    }
    text_printf(text, ");\n");
}

/* The function that takes the first valid configuration of a list, if a leaf needs it. */
static void put_first(const struct placed *of, struct text *text)
{
    const struct size_fit *fit = &of->fit->fit;
    bool needed = of->masked;
    for (size_t n = 0; n < fit->node_count; n++)
        needed |= fit->nodes[n].leaf && leaf_length(of, &fit->nodes[n]) > SHORT_LEAF;
    if (!needed)
        return;
    text_printf(
        text,
        "/* The row of the first configuration of a list that is valid; -1: none. The list has %d bits of each, "
        "from the lowest ones on. */\n%s_TUNED_FUNCTION int ",
        ORDER_BITS, of->model->upper);
    put_name(of, text);
    text_printf(text, "_first(");
    emit_size_list(of->model, "long long ", of->model->selection->sizes->count ? ", " : "", text);
    if (of->masked)
        text_printf(text, "unsigned allowed, ");
    for (size_t o = 0; o < order_count(of); o++)
        text_printf(text, "%sunsigned long long order_%zu", o ? ", " : "", o);
    text_printf(text, ")\n{\n");
    if (of->masked) {
        put_unused(of->model, text);
        text_printf(text, "(void)0;\n");
    }
    text_printf(text, "    for (int i = 0; i < %zu; i++) {\n        const int number = (int)((",
                fit->configuration_count);
    for (size_t o = 0; o + 1 < order_count(of); o++)
        text_printf(text, "i < %zu ? order_%zu : ", (o + 1) * ORDER_NUMBERS, o);
    text_printf(text, "order_%zu) >> (i %% %d * %d) & %d);\n        long long valid = %s;\n        switch (number) {\n",
                order_count(of) - 1, ORDER_NUMBERS, ORDER_BITS, (1 << ORDER_BITS) - 1,
                of->masked ? "allowed >> number & 1" : "1");
    for (size_t i = 0; i < fit->configuration_count; i++)
        if (!serves_all(of, i)) {
            text_printf(text, "        case %zu:\n            valid = %s", i, of->masked ? "valid && " : "");
            put_check(of, i, ");\n            break;\n", text);
        }
    text_printf(text,
                "        default:\n            break;\n        }\n        if (valid)\n"
                "            return %zu + number;\n    }\n    return -1;\n}\n\n",
                of->fit->first);
}

static void put_integer(int64_t number, struct text *text)
{
    char value[32];
    text_format(value, sizeof value, "%lld", (long long)number);
    emit_value(text, value, EMIT_LONG);
}

/* The number of the node behind a subtree. */
static size_t tree_end(const struct size_fit *fit, size_t at)
{
    return fit->nodes[at].leaf ? at + 1 : tree_end(fit, fit->nodes[at].high);
}

static bool asks_all(const struct size_fit_node *node)
{
    return !node->leaf && !node->formula && size_feature_rows[node->feature].sizes == 0;
}

/* What a node compares: a feature, or a formula, of which later ones in its subtree take what they have in common. */
static void put_value(const struct placed *of, struct size_printer *printer, size_t at, struct text *text)
{
    const struct size_fit *fit = &of->fit->fit;
    const struct size_fit_node *node = &fit->nodes[at];
    const struct size_condition *later[SIZE_FIT_NODES_MAX];
    size_t count = 0;
    if (!node->formula) {
        text_printf(text, "%sof_%s(%s, %s, %s, %d, sm_count, l2_bytes)", of->model->shared,
                    size_feature_rows[node->feature].name, of->names[node->a], of->names[node->b],
                    asks_all(node) ? "all" : "0", node->by);
        return;
    }
    for (size_t i = at + 1; i < tree_end(fit, at); i++)
        if (fit->nodes[i].formula)
            later[count++] = fit->nodes[i].values[of->place];
    size_printer_put(printer, node->values[of->place], later, count, text);
}

static void put_tree(const struct placed *of, struct size_printer *printer, size_t at, int indent, struct text *text)
{
    const struct size_fit_node *node = &of->fit->fit.nodes[at];
    struct size_node *last = printer->last;
    struct text value = {0}, decision = {0};
    if (node->leaf) {
        put_leaf(of, node, indent, text);
        return;
    }
    printer->parts = text;
    printer->indent = indent;
    put_value(of, printer, at, &value);
    text_printf(text, "%*sif (%sat_most(%s, ", indent, "", of->model->shared, text_string(&value));
    put_integer(node->most, text);
    text_printf(text, ")) { /* ");
    size_fit_decision(&of->fit->fit, node, &decision);
    emit_remark(text, text_string(&decision));
    text_printf(text, " */\n");
    put_tree(of, printer, at + 1, indent + 4, text);
    text_printf(text, "%*s}\n", indent, "");
    put_tree(of, printer, node->high, indent, text);
    size_printer_leave(printer, last);
    text->failed |= value.failed || decision.failed;
    text_free(&value);
    text_free(&decision);
}

/* Whether a size is not among those measured. */
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

/* The product of all sizes, if a feature asks for it. */
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

/* The tree. `inside`: asks the function for sizes inside of the measured ones, if they are. */
static void put_placed(const struct placed *of, bool inside, struct text *text)
{
    const struct emit_model *model = of->model;
    struct size_printer printer = {.prefix = model->shared, .names = of->names};
    for (size_t i = 0; i < of->fit->fit.configuration_count; i++)
        if (!serves_all(of, i))
            put_condition(of, i, text);
    put_first(of, text);
    text_printf(text, "/* ");
    emit_row_name(&model->selection->rows[of->fit->first], text);
    text_printf(text, ": a row of the table; -1: none is valid.%s */\n",
                of->place == SIZE_FIT_INSIDE ? " For sizes that do not lie outside of the measured ones." : "");
    text_printf(text, "%s_TUNED_FUNCTION int ", model->upper);
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
    put_tree(of, &printer, 0, 4, text);
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

/* Only conditions and formulas are simpler inside. */
static void put_fit(const struct emit_model *model, size_t number, struct text *text)
{
    const struct placed anywhere = place_fit(model, number, SIZE_FIT_ANYWHERE);
    const struct placed inside = place_fit(model, number, SIZE_FIT_INSIDE);
    const struct size_fit *fit = &anywhere.fit->fit;
    bool simpler = false;
    for (size_t i = 0; i < fit->configuration_count; i++)
        simpler |= !size_condition_always(fit->configurations[i].conditions[SIZE_FIT_ANYWHERE]);
    for (size_t i = 0; i < fit->node_count; i++)
        simpler |= fit->nodes[i].formula != NULL;
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

void emit_fit_functions(const struct emit_model *model, uint64_t limits, struct text *text)
{
    if (!model->selection->fit_count && !model->request->space && !emit_has_valid(model))
        return;
    emit_shared(model, choose_fit_text, text);
    emit_limit_functions(model, limits, text);
    for (size_t f = 0; f < model->selection->fit_count; f++) {
        put_fit(model, f, text);
        emit_fit_allowed(model, f, text);
    }
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
        text_printf(
            text,
            "    if (%s_tuned_better(&search, %s_TUNED_IS_FIT, rows[%zu].device, rows[%zu].cc, rows[%zu].sm_count, "
            "rows[%zu].l2_bytes)) {\n        int chosen = -1;\n        ",
            model->prefix, model->upper, fit->first, fit->first, fit->first, fit->first);
        put_guard(model, text);
        text_printf(text, "\n            chosen = %s_tuned_fit_%zu(", model->prefix, f);
        put_arguments(model, text);
        text_printf(text, "sm_count > 0 ? sm_count : %d,\n                l2_bytes > 0 ? l2_bytes : %lldLL",
                    row->sm_count, row->l2_bytes);
        if (emit_fit_asks(model, f)) {
            text_printf(
                text,
                ",\n                search.own_rule <= %s_TUNED_RULE_DEVICE ? ~0U : %s_tuned_fit_%zu_allowed(cc, "
                "sm_count, l2_bytes",
                model->upper, model->prefix, f);
            emit_valid_sizes(model, text);
            text_printf(text, ")");
        }
        text_printf(text, ");\n        if (chosen >= 0)\n            %s_tuned_take(&search, (size_t)chosen);\n    }\n",
                    model->prefix);
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
