#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/emit_model.h"

static const char *const c_types[] = {"int ", "long long ", "double ", "const char *"};

/* ---- Pieces of C ---- */

static void put_string(struct text *text, const char *string)
{
    text_append(text, "\"", 1);
    for (const unsigned char *c = (const unsigned char *)string; *c; c++)
        if (*c == '"' || *c == '\\' || *c == '?') /* "\?": no trigraph */
            text_printf(text, "\\%c", *c);
        else if (*c < ' ' || *c > '~')
            text_printf(text, "\\%03o", *c);
        else
            text_append(text, c, 1);
    text_append(text, "\"", 1);
}

/* For comments: nothing that could end or begin one, continue a line, or turn the direction of writing. */
static void put_remark(struct text *text, const char *string)
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

static void put_value(struct text *text, const char *value, enum emit_kind kind)
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
        put_string(text, value);
        break;
    }
}

static void put_real(struct text *text, double number)
{
    char value[40];
    snprintf(value, sizeof value, "%.9g", isfinite(number) ? number : 0.0);
    put_value(text, value, EMIT_REAL);
}

/* ---- The header's parts ---- */

static void put_provenance(const struct emit_model *model, struct text *text)
{
    text_printf(text, "/* Tuned configurations of the kernel ");
    put_remark(text, model->request->kernel);
    text_printf(text,
                ".\n * Made by cutune " CUTUNE_VERSION " (cutune emit): tune and emit again instead of editing.\n *\n"
                " * Device, problem: median time (95%% interval), speed-up over the default, date\n");
    for (size_t i = 0; i < model->count; i++) {
        const struct best *row = model->rows[i];
        text_printf(text, " *   ");
        put_remark(text, row->device);
        text_printf(text, ", ");
        put_remark(text, *row->problem ? row->problem : "no sizes");
        text_printf(text, ": ");
        if (isnan(row->time_ns))
            text_printf(text, "time unknown");
        else
            text_printf(text, "%.6g us", row->time_ns / 1000);
        if (!isnan(row->low_ns) && !isnan(row->high_ns))
            text_printf(text, " (%.6g .. %.6g)", row->low_ns / 1000, row->high_ns / 1000);
        if (!isnan(row->speedup))
            text_printf(text, ", %.3g x", row->speedup);
        text_printf(text, ", ");
        put_remark(text, *row->date ? row->date : "date unknown");
        text_printf(text, "\n");
    }
    text_printf(text, " */\n");
}

static void put_struct(const struct emit_model *model, struct text *text)
{
    text_printf(text,
                "struct %s_tuned {\n"
                "    const char *device; /* as CUDA names it; \"\": the default, of no device */\n"
                "    int cc;             /* compute capability, major * 10 + minor */\n"
                "    int sm_count;\n"
                "    long long l2_bytes;\n",
                model->prefix);
    for (size_t i = 0; i < model->problem_count; i++)
        text_printf(text, "    %s%s;\n", c_types[model->problem_members[i].kind], model->problem_members[i].field);
    text_printf(text, "    double time_ns; /* median; 0: unknown */\n");
    for (size_t i = 0; i < model->parameter_count; i++)
        text_printf(text, "    %s%s;\n", c_types[model->parameter_members[i].kind], model->parameter_members[i].field);
    text_printf(text, "};\n\n");
}

static const struct {
    const char *name, *meaning;
} rules[] = {
    {"PROBLEM", "this device and these sizes"},
    {"DEVICE", "this device, the nearest sizes"},
    {"CC", "a device of the same compute capability with the nearest SM count and L2, the nearest sizes"},
    {"MAJOR", "the same of the same major compute capability"},
    {"DEFAULT", "no such device: what the kernel's author calls the default"},
};

static void put_rules(const struct emit_model *model, struct text *text)
{
    text_printf(text, "/* By which rule a row was chosen, the best first. */\nenum %s_tuned_rule {\n", model->prefix);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        text_printf(text, "    %s_TUNED_RULE_%s%s /* %s */\n", model->upper, rules[i].name,
                    i + 1 < sizeof rules / sizeof *rules ? "," : "", rules[i].meaning);
    text_printf(text, "};\n\n");
}

static void put_row(const struct emit_model *model, size_t row, struct text *text)
{
    const struct best *best = row < model->count ? model->rows[row] : NULL;
    text_printf(text, "        {");
    put_string(text, best ? best->device : "");
    text_printf(text, ", %d, %d, %lldLL, ", best ? (int)best->cc : 0, best ? (int)best->sm_count : 0,
                best ? (long long)best->l2_bytes : 0);
    for (size_t i = 0; i < model->problem_count; i++) {
        put_value(text, best ? model->problems[row]->items[i].value : "0", model->problem_members[i].kind);
        text_printf(text, ", ");
    }
    put_real(text, best ? best->time_ns : 0);
    for (size_t i = 0; i < model->parameter_count; i++) {
        text_printf(text, ", ");
        put_value(text, model->configs[row]->items[i].value, model->parameter_members[i].kind);
    }
    text_printf(text, "}%s\n", best ? "," : "");
}

static void put_table(const struct emit_model *model, struct text *text)
{
    text_printf(text,
                "/* All rows; the last one is the default. */\n"
                "static inline const struct %s_tuned *%s_tuned_table(size_t *count)\n{\n"
                "    static const struct %s_tuned rows[] = {\n",
                model->prefix, model->prefix, model->prefix);
    for (size_t i = 0; i <= model->count; i++)
        put_row(model, i, text);
    text_printf(text, "    };\n    *count = sizeof rows / sizeof rows[0];\n    return rows;\n}\n\n");
}

/* The product of ratios orders rows as the sum of absolute logarithms does, and needs no math library. */
static void put_ratio(const struct emit_model *model, struct text *text)
{
    text_printf(text,
                "/* The larger over the smaller: products of it order as sums of |log a / b| do. */\n"
                "static inline double %s_tuned_ratio(double a, double b)\n{\n"
                "    if (!(a < b) && !(a > b))\n        return 1.0;\n"
                "    if (!(a > 0.0) || !(b > 0.0))\n        return 1e30;\n"
                "    return a > b ? a / b : b / a;\n}\n\n",
                model->prefix);
}

static void put_select(const struct emit_model *model, struct text *text)
{
    const char *prefix = model->prefix, *upper = model->upper;
    text_printf(
        text,
        "/* The best row that is known for a device and sizes; never NULL. *rule, when not NULL, says how it was "
        "found. */\n"
        "static inline const struct %s_tuned *%s_tuned_select(const char *device, int cc, int sm_count,\n"
        "    long long l2_bytes, ",
        prefix, prefix);
    for (size_t i = 0; i < model->problem_count; i++)
        text_printf(text, "%s%s, ", c_types[model->problem_members[i].kind], model->problem_members[i].field);
    text_printf(text,
                "int *rule)\n{\n"
                "    size_t count, i;\n"
                "    const struct %s_tuned *rows = %s_tuned_table(&count), *best = &rows[count - 1];\n"
                "    double best_machine = 0.0, best_problem = 0.0;\n"
                "    int best_rule = %s_TUNED_RULE_DEFAULT;\n"
                "    for (i = 0; i + 1 < count; i++) {\n"
                "        const struct %s_tuned *row = &rows[i];\n"
                "        double machine = %s_tuned_ratio((double)row->sm_count, (double)sm_count) *\n"
                "                         %s_tuned_ratio((double)row->l2_bytes, (double)l2_bytes);\n"
                "        double problem = 1.0;\n"
                "        int same = 1, row_rule;\n",
                prefix, prefix, upper, prefix, prefix, prefix);
    for (size_t i = 0; i < model->problem_count; i++) {
        const char *field = model->problem_members[i].field;
        text_printf(text,
                    "        problem *= %s_tuned_ratio((double)row->%s, (double)%s);\n"
                    "        same = same && !(row->%s < %s) && !(row->%s > %s);\n",
                    prefix, field, field, field, field, field, field);
    }
    text_printf(text,
                "        if (device && strcmp(row->device, device) == 0) {\n"
                "            machine = 1.0;\n"
                "            row_rule = same ? %s_TUNED_RULE_PROBLEM : %s_TUNED_RULE_DEVICE;\n"
                "        } else if (cc > 0 && row->cc == cc) {\n"
                "            row_rule = %s_TUNED_RULE_CC;\n"
                "        } else if (cc > 0 && row->cc / 10 == cc / 10) {\n"
                "            row_rule = %s_TUNED_RULE_MAJOR;\n"
                "        } else {\n"
                "            continue;\n"
                "        }\n"
                "        if (row_rule < best_rule ||\n"
                "            (row_rule == best_rule &&\n"
                "             (machine < best_machine || (!(machine > best_machine) && problem < best_problem)))) {\n"
                "            best = row;\n"
                "            best_rule = row_rule;\n"
                "            best_machine = machine;\n"
                "            best_problem = problem;\n"
                "        }\n"
                "    }\n"
                "    if (rule)\n        *rule = best_rule;\n    return best;\n}\n\n",
                upper, upper, upper, upper);
}

static void put_macros(const struct emit_model *model, struct text *text)
{
    const struct best *row = model->rows[model->chosen];
    text_printf(text, "/* One row for uses that need constants, the newest%s: ",
                model->request->device ? " of its device" : "");
    put_remark(text, row->device);
    text_printf(text, ", ");
    put_remark(text, *row->problem ? row->problem : "no sizes");
    text_printf(text, " */\n#define %s_TUNED_DEVICE ", model->upper);
    put_string(text, row->device);
    text_printf(text, "\n");
    for (size_t i = 0; i < model->parameter_count; i++) {
        const struct emit_pair *pair = &model->configs[model->chosen]->items[i];
        text_printf(text, "#define %s_%s ", model->upper, pair->name);
        if (pair->kind == EMIT_WORD)
            text_printf(text, "%s", pair->value);
        else
            put_value(text, pair->value, pair->kind);
        text_printf(text, "\n");
    }
}

void emit_text(const struct emit_model *model, struct text *text)
{
    put_provenance(model, text);
    text_printf(text, "#ifndef %s_TUNED_H\n#define %s_TUNED_H\n\n", model->upper, model->upper);
    text_printf(text, "#ifndef __CUDACC_RTC__ /* NVRTC has no string.h: kernels use the macros */\n\n"
                      "#include <stddef.h>\n#include <string.h>\n\n");
    put_struct(model, text);
    put_rules(model, text);
    put_table(model, text);
    put_ratio(model, text);
    put_select(model, text);
    text_printf(text, "#endif\n\n");
    put_macros(model, text); /* last, so that none of them can be taken for a name above */
    text_printf(text, "\n#endif\n");
}
