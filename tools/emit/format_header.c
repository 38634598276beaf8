/* A header for C11, C++17, CUDA and NVRTC. */
#include <math.h>
#include <string.h>

#include "base/text.h"

#include "choose_far_text.inc"
#include "choose_text.inc"
#include "emit/emit_model.h"

static const char *const c_types[] = {"int ", "long long ", "double ", "const char *"};

static void put_real(struct text *text, double number)
{
    char value[40];
    text_format(value, sizeof value, "%.9g", isfinite(number) ? number : 0.0);
    emit_value(text, value, EMIT_REAL);
}

/* ---- The header's parts ---- */

/* Objective of the values. Rows of another version of the space may have another; a newer cutune's may be unknown. */
static const struct objective *objective_of(const struct emit_model *model)
{
    const struct objective *objective = objective_find(model->selection->described->objective);
    return objective ? objective : objective_default();
}

static void put_struct(const struct emit_model *model, struct text *text)
{
    text_printf(text,
                "struct %s_tuned {\n"
                "    const char *device; /* as CUDA names it; \"\": a row of no device */\n"
                "    int cc;             /* compute capability, major * 10 + minor */\n"
                "    int sm_count;\n"
                "    long long l2_bytes;\n",
                model->prefix);
    for (size_t i = 0; i < model->selection->sizes->count; i++)
        text_printf(text, "    %s%s;\n", c_types[model->sizes[i].kind], model->sizes[i].field);
    text_printf(text, "    double %s; /* median%s; 0: unknown */\n", objective_columns(objective_of(model))->value,
                objective_of(model)->per_work ? " of a unit of work" : "");
    for (size_t i = 0; i < model->selection->parameters->count; i++)
        text_printf(text, "    %s%s;\n", c_types[model->parameters[i].kind], model->parameters[i].field);
    text_printf(text, "};\n\n");
}

static void put_row(const struct emit_model *model, size_t number, struct text *text)
{
    const struct selection *selection = model->selection;
    const struct selection_row *row = &selection->rows[number];
    text_printf(text, "        {");
    emit_string(text, row->device);
    text_printf(text, ", %d, %d, %lldLL, ", row->cc, row->sm_count, row->l2_bytes);
    for (size_t i = 0; i < selection->sizes->count; i++) {
        emit_value(text, row->sizes ? row->sizes->items[i].value : "0", model->sizes[i].kind);
        text_printf(text, ", ");
    }
    put_real(text, row->best && objective_find(row->best->objective) == objective_of(model) ? row->best->value : 0);
    for (size_t i = 0; i < selection->parameters->count; i++) {
        text_printf(text, ", ");
        emit_value(text, row->configuration->items[i].value, model->parameters[i].kind);
    }
    text_printf(text, "}%s\n", number + 1 < selection->row_count ? "," : "");
}

static void put_table(const struct emit_model *model, struct text *text)
{
    const char *prefix = model->prefix;
    text_printf(text,
                "/* All rows. Last come those without a device: the common ones, then the default. */\n"
                "static inline const struct %s_tuned *%s_tuned_table(size_t *count)\n{\n"
                "    static const struct %s_tuned rows[] = {\n",
                prefix, prefix, prefix);
    for (size_t i = 0; i < model->selection->row_count; i++)
        put_row(model, i, text);
    text_printf(text, "    };\n    *count = sizeof rows / sizeof rows[0];\n    return rows;\n}\n\n");
}

/* Appends the rest of a loop over rows, whose first line is written: each row with its sizes and of a kind. */
static void put_row_loop(const struct emit_model *model, const char *kind, struct text *text)
{
    const struct selection *selection = model->selection;
    for (size_t i = 0; i < selection->sizes->count; i++) {
        const char *field = model->sizes[i].field;
        text_printf(text, "        %s_tuned_size(&search, (long double)rows[i].%s, (long double)%s);\n", model->prefix,
                    field, field);
    }
    text_printf(
        text,
        "        if (%s_tuned_better(&search, %s, rows[i].device, rows[i].cc, rows[i].sm_count, rows[i].l2_bytes)",
        model->prefix, kind);
    if (emit_has_valid(model)) {
        text_printf(text,
                    " &&\n            (search.own_rule == %s_TUNED_RULE_PROBLEM ||\n             "
                    "%s_tuned_valid(i, search.own_rule <= %s_TUNED_RULE_DEVICE, cc, sm_count, l2_bytes",
                    model->upper, model->prefix, model->upper);
        emit_valid_sizes(model, text);
        text_printf(text, "))");
    }
    text_printf(text, ")\n            %s_tuned_take(&search, i);\n    }\n", model->prefix);
}

/* Rows of devices and single sizes come first, then those of fits, the common ones and the default. */
static void put_consider(const struct emit_model *model, struct text *text)
{
    const struct selection *selection = model->selection;
    size_t devices = 0, behind;
    struct text kind = {0};
    while (selection->rows[devices].kind == 0) /* the default is the last row */
        devices++;
    behind = devices;
    for (size_t f = 0; f < selection->fit_count; f++)
        behind += selection->fits[f]->fit.configuration_count;
    if (devices) { /* compilers warn about conditions that are always false */
        text_printf(text, "    for (i = 0; i < %zu; i++) {\n", devices);
        put_row_loop(model, "0", text);
    }
    emit_fit_choice(model, text);
    text_printf(text, "    for (i = %zu; i < count && search.rule >= %s_TUNED_RULE_COMMON; i++) {\n", behind,
                model->upper);
    text_printf(&kind, "i + 1 < count ? %s_TUNED_IS_COMMON : %s_TUNED_IS_DEFAULT", model->upper, model->upper);
    put_row_loop(model, text_string(&kind), text);
    text->failed |= kind.failed;
    text_free(&kind);
}

static void put_select(const struct emit_model *model, struct text *text)
{
    const char *prefix = model->prefix;
    text_printf(text,
                "/* The best known row for a device and sizes; never NULL. *rule, if not NULL, receives its rule. */\n"
                "static inline const struct %s_tuned *%s_tuned_select(const char *device, int cc, int sm_count,\n"
                "    long long l2_bytes, ",
                prefix, prefix);
    for (size_t i = 0; i < model->selection->sizes->count; i++)
        text_printf(text, "%s%s, ", c_types[model->sizes[i].kind], model->sizes[i].field);
    text_printf(text,
                "int *rule)\n{\n"
                "    size_t count, i;\n"
                "    const struct %s_tuned *rows = %s_tuned_table(&count);\n"
                "    struct %s_tuned_search search;\n"
                "    memset(&search, 0, sizeof search);\n"
                "    search.device = device;\n"
                "    search.cc = cc;\n"
                "    search.sm_count = sm_count;\n"
                "    search.l2_bytes = l2_bytes;\n"
                "    search.rule = %s_TUNED_RULE_NONE;\n",
                prefix, prefix, prefix, model->upper);
    put_consider(model, text);
    text_printf(text, "    if (rule)\n        *rule = search.rule;\n    return &rows[search.row];\n}\n\n");
}

/* Functions of integers serve device code, and constants of C++14. */
static void put_function_macro(const struct emit_model *model, struct text *text)
{
    const char *upper = model->upper;
    text_printf(text,
                "#if defined __cplusplus && __cplusplus >= 201402L\n"
                "#define %s_TUNED_CONSTEXPR constexpr\n"
                "#else\n"
                "#define %s_TUNED_CONSTEXPR\n"
                "#endif\n"
                "#ifdef __CUDACC__\n"
                "#define %s_TUNED_FUNCTION static %s_TUNED_CONSTEXPR __host__ __device__ inline\n"
                "#else\n"
                "#define %s_TUNED_FUNCTION static %s_TUNED_CONSTEXPR inline\n"
                "#endif\n\n",
                upper, upper, upper, upper, upper, upper);
}

/* Parameters are members here, and may be macros of the source, which are saved. NVRTC cannot save them, nor need
 * it. */
static void put_names(const struct emit_model *model, struct text *text)
{
    for (size_t i = 0; i < model->selection->parameters->count; i++)
        text_printf(text, "#pragma push_macro(\"%s\")\n#undef %s\n", model->parameters[i].field,
                    model->parameters[i].field);
    text_printf(text, "\n");
}

static void write(const struct emit_model *model, struct text *text)
{
    struct text launch = {0};
    const uint64_t limits = emit_launch(model, &launch) | emit_row_limits(model);
    emit_provenance(model, text);
    text_printf(text, "#ifndef %s_TUNED_H\n#define %s_TUNED_H\n\n", model->upper, model->upper);
    put_function_macro(model, text);
    emit_shared(model, choose_far_text, text);
    emit_fit_functions(model, limits, text);
    text_printf(text,
                "#ifndef __CUDACC_RTC__ /* NVRTC has no string.h: kernels use the macros%s */\n\n"
                "#include <stddef.h>\n#include <string.h>\n\n",
                model->selection->fit_count ? " and the function above" : "");
    put_names(model, text);
    put_struct(model, text);
    emit_shared(model, choose_text, text);
    put_table(model, text);
    emit_valid(model, text);
    put_select(model, text);
    emit_fit_extrapolation(model, text);
    text_append(text, text_string(&launch), launch.length);
    text->failed |= launch.failed;
    text_free(&launch);
    emit_macros(model, text); /* ends the part hidden from NVRTC; last, so that no macro replaces a name above */
    text_printf(text, "\n#endif\n");
}

const struct emit_format emit_format_header = {.name = "header", .write = write};
