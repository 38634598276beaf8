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
        text_printf(text, "        %ssize(&search, %sCAST(long double, rows[i].%s), %sCAST(long double, %s));\n",
                    model->shared, model->shared_upper, field, model->shared_upper, field);
    }
    text_printf(text,
                "        if (%sbetter(&search, %s, rows[i].device, rows[i].cc, rows[i].sm_count, rows[i].l2_bytes)",
                model->shared, kind);
    if (emit_has_valid(model)) {
        text_printf(text,
                    " &&\n            (search.own_rule == %sRULE_PROBLEM ||\n             "
                    "%s_tuned_valid(i, search.own_rule <= %sRULE_DEVICE, cc, sm_count, l2_bytes",
                    model->shared_upper, model->prefix, model->shared_upper);
        emit_valid_sizes(model, text);
        text_printf(text, "))");
    }
    text_printf(text, ")\n            %stake(&search, i);\n    }\n", model->shared);
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
    text_printf(text, "    for (i = %zu; i < count && search.rule >= %sRULE_COMMON; i++) {\n", behind,
                model->shared_upper);
    text_printf(&kind, "i + 1 < count ? %sIS_COMMON : %sIS_DEFAULT", model->shared_upper, model->shared_upper);
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
                "    struct %ssearch search;\n"
                "    memset(&search, 0, sizeof search);\n"
                "    search.device = device;\n"
                "    search.cc = cc;\n"
                "    search.sm_count = sm_count;\n"
                "    search.l2_bytes = l2_bytes;\n"
                "    search.rule = %sRULE_NONE;\n",
                prefix, prefix, model->shared, model->shared_upper);
    put_consider(model, text);
    text_printf(text, "    if (rule)\n        *rule = search.rule;\n    return &rows[search.row];\n}\n\n");
}

/* Functions of integers serve device code, and constants of C++14. */
static void put_function_macro(const struct emit_model *model, struct text *text)
{
    const char *upper = model->shared_upper;
    text_printf(text,
                "#if defined __cplusplus && __cplusplus >= 201402L\n"
                "#define %sCONSTEXPR constexpr\n"
                "#else\n"
                "#define %sCONSTEXPR\n"
                "#endif\n"
                "#ifdef __CUDACC__\n"
                "#define %sFUNCTION static %sCONSTEXPR __host__ __device__ inline\n"
                "#else\n"
                "#define %sFUNCTION static %sCONSTEXPR inline\n"
                "#endif\n"
                "#ifdef __cplusplus\n"
                "#define %sCAST(type, value) static_cast<type>(value)\n"
                "#else\n"
                "#define %sCAST(type, value) ((type)(value))\n"
                "#endif\n\n",
                upper, upper, upper, upper, upper, upper, upper, upper);
}

/* Parameters are members here, and may be macros of the source, which are saved. NVRTC cannot save them, nor need
 * it. */
static void put_names(const struct emit_model *model, struct text *text)
{
    for (size_t i = 0; i < model->selection->parameters->count; i++)
        text_printf(text, "#pragma push_macro(\"%s\")\n#undef %s\n", model->parameters[i].field,
                    model->parameters[i].field);
}

static void put_names_back(const struct emit_model *model, struct text *text)
{
    for (size_t i = 0; i < model->selection->parameters->count; i++)
        text_printf(text, "#pragma pop_macro(\"%s\")\n", model->parameters[i].field);
}

/* The part of a kernel that is hidden from NVRTC. */
static void put_kernel(const struct emit_model *model, struct text *text)
{
    put_struct(model, text);
    put_table(model, text);
    emit_valid(model, text);
    put_select(model, text);
    emit_fit_extrapolation(model, text);
    emit_launch(model, text);
    emit_compiled(model, text);
}

/* Says what the header has. */
static void put_top(const struct emit_model *model, struct text *text)
{
    if (model->request->together)
        text_printf(text,
                    "/* Tuned configurations of %zu kernels. Their shared code begins with %s.\n"
                    " * Made by cutune " CUTUNE_VERSION " (cutune emit): tune and emit again instead of editing. */\n",
                    model->count, model->shared);
    for (size_t i = 0; i < model->count; i++)
        emit_provenance(&model->all[i], text);
}

/* Limits in the functions of all kernels, as bits. */
static uint64_t limits_of(const struct emit_model *model)
{
    struct text unused = {0};
    uint64_t limits = 0;
    for (size_t i = 0; i < model->count; i++)
        limits |= emit_launch(&model->all[i], &unused) | emit_row_limits(&model->all[i]);
    text_free(&unused);
    return limits;
}

/* The functions and tables. */
static void put_code(const struct emit_model *model, struct text *text)
{
    const struct emit_model *all = model->all;
    bool fits = false;
    put_function_macro(model, text);
    emit_shared(model, choose_far_text, text);
    emit_integer_functions(model, limits_of(model), text);
    for (size_t i = 0; i < model->count; i++) {
        emit_fit_functions(&all[i], text);
        fits |= all[i].selection->fit_count > 0;
    }
    text_printf(text,
                "#ifndef __CUDACC_RTC__ /* NVRTC has no string.h: kernels use the macros%s */\n\n"
                "#include <stddef.h>\n#include <string.h>\n\n",
                fits ? " and the functions above" : "");
    for (size_t i = 0; i < model->count; i++)
        put_names(&all[i], text);
    text_printf(text, "\n");
    emit_shared(model, choose_text, text);
    for (size_t i = 0; i < model->count; i++)
        put_kernel(&all[i], text);
    for (size_t i = model->count; i-- > 0;)
        put_names_back(&all[i], text);
    text_printf(text, "#endif\n\n");
}

static void write(const struct emit_model *model, struct text *text)
{
    struct text code = {0};
    put_code(model, &code);
    put_top(model, text);
    text_printf(text, "#ifndef %sH\n#define %sH\n\n", model->shared_upper, model->shared_upper);
    emit_name_checks(model, &code, text);
    text_append(text, text_string(&code), code.length);
    for (size_t i = 0; i < model->count; i++) /* last, so that no macro replaces a name above */
        emit_constants(&model->all[i], text);
    text_printf(text, "\n#endif\n");
    text->failed |= code.failed;
    text_free(&code);
}

const struct emit_format emit_format_header = {.name = "header", .write = write};
