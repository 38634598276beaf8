/* The header's comment and its constants. */
#include <math.h>
#include <string.h>

#include "base/hash.h"

#include "emit/emit_model.h"

static void put_time(const struct best *best, struct text *text)
{
    if (isnan(best->value))
        text_printf(text, "time unknown");
    else
        text_printf(text, "%.6g us", best->value / 1000);
    if (!isnan(best->low) && !isnan(best->high))
        text_printf(text, " (%.6g .. %.6g)", best->low / 1000, best->high / 1000);
    if (!isnan(best->speedup))
        text_printf(text, ", %.3g x", best->speedup);
    if (best->samples > 0)
        text_printf(text, ", %u samples", best->samples);
    if (best->evaluated > 0 && best->valid > 0)
        text_printf(text, ", %lld of %lld evaluated", (long long)best->evaluated, (long long)best->valid);
    else if (best->evaluated > 0) /* of a journal */
        text_printf(text, ", %lld evaluated", (long long)best->evaluated);
}

/* Appends "sizes=40 mean=0.985" as written, for comments, without the list of the quality at each size. */
static void put_quality(const char *quality, struct text *text)
{
    struct text numbers = {0};
    if (!quality || !*quality)
        return;
    const char *list = strstr(quality, " held=");
    text_append(&numbers, quality, list ? (size_t)(list - quality) : strlen(quality));
    text_printf(text, ", ");
    emit_remark(text, text_string(&numbers));
    text_free(&numbers);
}

static void put_evidence(const struct selection_row *row, struct text *text)
{
    const struct best *best = row->best;
    text_printf(text, " *   ");
    emit_row_name(row, text);
    text_printf(text, ": ");
    if (row->kind == CHOOSE_IS_COMMON) {
        text_printf(text, "measured by %zu devices, %.3g times the best of each on average\n", row->devices,
                    row->relative);
        return;
    }
    if (row->fit) {
        text_printf(text, "%zu configuration%s", row->fit->fit.configuration_count,
                    row->fit->fit.configuration_count == 1 ? "" : "s");
        put_quality(best->fit_quality, text);
    } else {
        put_time(best, text);
    }
    if (provenance_unverified(&best->provenance))
        text_printf(text, ", unverified");
    text_printf(text, ", ");
    emit_remark(text, *best->provenance.date ? best->provenance.date : "date unknown");
    text_printf(text, "\n");
}

/* A hash of all that the header follows from: the rows, the space, the sizes of the constants and the options. */
static void put_hash(const struct emit_model *model, struct text *text)
{
    const struct selection *selection = model->selection;
    const struct provenance *version = &selection->described->provenance;
    const struct space *space = model->kernel->space;
    struct text all = {0};
    char hash[HASH_HEX_BYTES];
    text_printf(&all, "%s\n%s\n%d\n%s %s\n", model->prefix, model->shared, model->request->plain_macros,
                version->source_hash ? version->source_hash : "", version->space_hash ? version->space_hash : "");
    if (space)
        text_printf(&all, "%s %s\n", space->text_hash, space->source_hash);
    for (size_t i = 0; i < selection->sizes->count; i++)
        text_printf(&all, "%s=%.21Lg\n", model->sizes[i].name, model->numbers[i]);
    for (size_t i = 0; i < selection->row_count; i++) {
        const struct selection_row *row = &selection->rows[i];
        text_printf(&all, "%d\n%s %d %d %lld\n%s\n%s\n%s\n%.17g\n", row->kind, row->device, row->cc, row->sm_count,
                    row->l2_bytes, row->text, row->requirement ? row->requirement : "?", row->fit ? row->best->fit : "",
                    row->best ? row->best->value : 0);
        for (size_t s = 0; row->sizes && s < row->sizes->count; s++)
            text_printf(&all, "%s ", row->sizes->items[s].value);
    }
    hash_hex(text_string(&all), all.length, hash);
    text_printf(text, " * " EMIT_HASH_MARK "%s\n", hash);
    text->failed |= all.failed;
    text_free(&all);
}

void emit_provenance(const struct emit_model *model, struct text *text)
{
    const struct selection *selection = model->selection;
    text_printf(text, "/* ");
    emit_title(model, text);
    text_printf(text, ".\n");
    if (!model->request->together)
        text_printf(text,
                    " * Made by cutune " CUTUNE_VERSION " (cutune emit): tune and emit again instead of editing.\n");
    put_hash(model, text);
    if (emit_is_untuned(model)) {
        text_printf(text, " */\n");
        return;
    }
    text_printf(text,
                " *\n * Device, problem: median time (95%% interval), speed-up over the default, evidence, date\n");
    for (size_t i = 0; i < selection->row_count; i++)
        if (selection->rows[i].kind != CHOOSE_IS_DEFAULT &&
            (!i || !selection->rows[i].fit || selection->rows[i].fit != selection->rows[i - 1].fit))
            put_evidence(&selection->rows[i], text);
    text_printf(text, " * The default is %s ",
                *selection->described->provenance.default_ ? "what the kernel's author calls so, in the row of"
                                                           : "not known, and the newest row stands in:");
    emit_row_name(&selection->rows[selection->newest], text);
    text_printf(text, ".\n");
    if (emit_has_generation(model)) {
        text_printf(text, " * Generation of the file, a hash of its content: ");
        emit_remark(text, model->request->generation);
        text_printf(text, "\n");
    }
    text_printf(text, " */\n");
}

/* ---- Constants ---- */

static void put_condition(const struct emit_model *model, const struct emit_architecture *architecture,
                          struct text *text)
{
    if (architecture->cc)
        text_printf(text, "#elif __CUDA_ARCH__ == %d", architecture->cc * 10);
    else
        text_printf(text, "#elif __CUDA_ARCH__ / 100 == %d", architecture->major);
    text_printf(text, " /* rule %s */\n#define %s_TUNED_FOR %s\n", choose_rules()[architecture->rule].name,
                model->upper, model->targets[architecture->target].macro);
}

static void put_branch(const struct emit_model *model, const struct emit_architecture *architecture, struct text *text)
{
    text_printf(text, "    if (cc%s == %d)\n        return &rows[%zu];\n", architecture->cc ? "" : " / 10",
                architecture->cc ? architecture->cc : architecture->major, model->targets[architecture->target].row);
}

void emit_compiled(const struct emit_model *model, struct text *text)
{
    text_printf(
        text,
        "/* The row that device code compiled for a compute capability has as constants: launch that code by it. */\n"
        "static inline const struct %s_tuned *%s_tuned_compiled(int cc)\n{\n"
        "    size_t count;\n    const struct %s_tuned *rows = %s_tuned_table(&count);\n",
        model->prefix, model->prefix, model->prefix, model->prefix);
    for (size_t i = 0; i < model->architecture_count; i++)
        put_branch(model, &model->architectures[i], text);
    text_printf(text, "    (void)cc;\n    return &rows[%zu];\n}\n\n", model->targets[0].row);
}

static void put_choice(const struct emit_model *model, struct text *text)
{
    text_printf(text,
                "/* Constants: device code has those of __CUDA_ARCH__, other code those of the newest row's device, "
                "and all code\n"
                "   those of %s_TUNED_FOR where it is defined before this file is included, as one of these: */\n",
                model->upper);
    for (size_t i = 0; i < model->target_count; i++)
        text_printf(text, "#define %s %zu\n", model->targets[i].macro, i);
    text_printf(text, "#ifndef %s_TUNED_FOR\n#ifndef __CUDA_ARCH__\n#define %s_TUNED_FOR %s\n", model->upper,
                model->upper, model->targets[model->chosen].macro);
    for (size_t i = 0; i < model->architecture_count; i++)
        put_condition(model, &model->architectures[i], text);
    text_printf(text, "#else /* rule %s */\n#define %s_TUNED_FOR %s\n#endif\n#endif\n",
                choose_rules()[model->targets[0].rule].name, model->upper, model->targets[0].macro);
}

static void put_macro(const char *prefix, const char *joint, const char *name, const struct pair *pair,
                      struct text *text)
{
    enum emit_kind kind;
    emit_classify(pair->value, &kind);
    text_printf(text, "#define %s%s%s ", prefix, joint, name);
    if (kind == EMIT_WORD)
        text_printf(text, "%s", pair->value);
    else
        emit_value(text, pair->value, kind);
    text_printf(text, "\n");
}

static void put_constants(const struct emit_model *model, size_t number, struct text *text)
{
    const struct emit_target *target = &model->targets[number];
    const struct selection_row *row = &model->selection->rows[target->row];
    text_printf(text, "#%s %s_TUNED_FOR == %s /* rule %s: ", number ? "elif" : "if", model->upper, target->macro,
                choose_rules()[target->rule].name);
    emit_row_name(row, text);
    text_printf(text, " */\n#define %s_TUNED_DEVICE ", model->upper);
    emit_string(text, row->device);
    text_printf(text, "\n");
    for (size_t i = 0; i < row->configuration->count; i++) {
        const struct pair *pair = &row->configuration->items[i];
        put_macro(model->upper, "_", pair->name, pair, text);
        if (!model->request->plain_macros)
            continue;
        const char *plain = emit_source_macro(model, pair->name);
        text_printf(text, "#ifndef %s\n", plain);
        put_macro("", "", plain, pair, text);
        text_printf(text, "#endif\n");
    }
    if (model->request->plain_macros)
        emit_defines(model, target, text);
}

void emit_constants(const struct emit_model *model, struct text *text)
{
    if (emit_has_generation(model)) {
        text_printf(text, "#define %s_TUNED_GENERATION ", model->upper);
        emit_string(text, model->request->generation);
        text_printf(text, "\n\n");
    }
    put_choice(model, text);
    for (size_t i = 0; i < model->target_count; i++)
        put_constants(model, i, text);
    text_printf(text, "#else\n#error \"%s_TUNED_FOR is none of the devices of this header\"\n#endif\n", model->upper);
}
