/* Learns a kernel from the compiler. */
#include "draft/learn.h"

#include <string.h>

#include "base/option.h"
#include "draft/classes.h"
#include "language/kernel_names.h"

enum { ROUNDS_MAX = 8 };

/* ---- Kernels that the compiler does not find ---- */

/* Appends "(void (*)(float *, int))scale". */
static void append_cast(const struct scan_kernel *kernel, struct text *out)
{
    text_printf(out, "(void (*)(");
    for (size_t p = 0; p < kernel->parameter_count; p++)
        text_printf(out, "%s%s", p ? ", " : "", kernel->parameters[p].type);
    text_printf(out, "))%s", kernel->name);
}

static int overloaded(struct draft *draft, struct error *error)
{
    struct text list = {0};
    size_t count = 0;
    for (size_t k = 0; k < draft->kernels.count; k++) {
        const struct scan_kernel *kernel = &draft->kernels.items[k];
        if (strcmp(kernel->name, draft->kernel.name) != 0)
            continue;
        text_printf(&list, "%s--kernel '", count++ ? ", or " : "");
        append_cast(kernel, &list);
        text_printf(&list, "'");
    }
    int code = error_set(error, ERROR_DATA, "%s has %zu kernels '%s' with different parameters", draft->request.shown,
                         count, draft->kernel.name);
    error_place(error, NULL, 0, 0);
    error_hint(error, "choose one: %s", text_string(&list));
    text_free(&list);
    return code;
}

int draft_not_found(struct draft *draft, struct error *error)
{
    size_t count = 0;
    for (size_t k = 0; k < draft->kernels.count; k++)
        count += strcmp(draft->kernels.items[k].name, draft->kernel.name) == 0;
    if (count > 1)
        return overloaded(draft, error);
    int code = error_set(error, ERROR_DATA, "the compiler does not find kernel '%s' in %s", draft->expression,
                         draft->request.shown);
    if (draft->kernel.template_count)
        error_hint(error, "it is a template: give the values of its parameters, as in --kernel '%s<...>'",
                   draft->kernel.name);
    else
        kernel_names_suggest(draft->source.text, draft->kernel.short_name, strlen(draft->kernel.short_name), error);
    error_hint(error, "name a function of the file that is __global__, or an instance of a template");
    return code;
}

/* ---- Questions to the compiler ---- */

static bool has_part(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at++)
        if ((at == text || !lexer_is_name_part(at[-1])) && !lexer_is_name_part(at[length]))
            return true;
    return false;
}

static enum ask_name name_kind(const void *context, const char *name)
{
    const struct draft *draft = context;
    enum ask_name kind = ASK_VALUE;
    for (size_t k = 0; k < draft->kernels.count; k++)
        for (size_t p = 0; p < draft->kernels.items[k].parameter_count; p++) {
            const struct scan_parameter *parameter = &draft->kernels.items[k].parameters[p];
            if (has_part(parameter->type, name))
                return ASK_MISSING;
            if (strcmp(parameter->name, name) == 0)
                kind = ASK_FOLLOWS;
        }
    for (size_t k = 0; k < draft->kernels.count; k++)
        for (size_t t = 0; t < draft->kernels.items[k].template_count; t++)
            if (strcmp(draft->kernels.items[k].templates[t].name, name) == 0)
                kind = ASK_FOLLOWS;
    return kind;
}

static struct ask make_ask(struct draft *draft)
{
    text_clear(&draft->options);
    draft->option_count = 0;
    for (size_t i = 0; i < draft->request.options->count; i++) {
        const char *option = draft->request.options->items[i];
        text_append(&draft->options, option, strlen(option) + 1);
        draft->option_count++;
    }
    for (size_t i = 0; i < draft->macros.count; i++) {
        if (draft->doubts && draft->macros.items[i].origin == MACRO_CONDITION)
            continue;
        text_printf(&draft->options, "-D%s=%s", draft->macros.items[i].name, draft->macros.items[i].value);
        text_append(&draft->options, "", 1);
        draft->option_count++;
    }
    return (struct ask){.compiler = &draft->compiler,
                        .path = draft->request.path,
                        .shown = draft->request.shown,
                        .folder = draft->request.folder,
                        .source = draft->source.text,
                        .cc = draft->request.cc,
                        .nvcc = draft->nvcc,
                        .options = &draft->options,
                        .option_count = draft->option_count,
                        .name = name_kind,
                        .context = draft};
}

/* Adds the undefined names to the macros. *more: there are new ones. */
static int add_undefined(struct draft *draft, bool *more, struct error *error)
{
    const struct answer *answer = &draft->answer;
    size_t before = draft->macros.count;
    for (size_t i = 0; i < answer->undefined_count; i++) {
        const struct macro macro = {.name = answer->undefined[i], .origin = MACRO_UNDEFINED, .line = answer->lines[i]};
        int code = macros_add(&draft->macros, &draft->arena, &macro, NULL, draft->uses.threads, error);
        if (code)
            return code;
    }
    *more = draft->macros.count > before;
    return 0;
}

/* Removes the macros of conditions that an included file defines. */
static void remove_defined(struct draft *draft)
{
    struct macros *macros = &draft->macros;
    size_t kept = 0, number = 0;
    for (size_t i = 0; i < macros->count; i++) {
        bool doubted = macros->items[i].origin == MACRO_CONDITION;
        if (!doubted || !(draft->answer.defined >> number & 1u))
            macros->items[kept++] = macros->items[i];
        number += doubted;
    }
    macros->count = kept;
}

/* Asks until no name is undefined, first without the macros of conditions. */
static int ask_all(struct draft *draft, struct error *error)
{
    const char *doubted[MACROS_MAX];
    size_t count = 0;
    bool more = true;
    for (size_t i = 0; i < draft->macros.count; i++)
        if (draft->macros.items[i].origin == MACRO_CONDITION)
            doubted[count++] = draft->macros.items[i].name;
    draft->doubts = count > 0 && !draft->asked;
    for (int round = 0; round < ROUNDS_MAX && more; round++) {
        struct ask ask = make_ask(draft);
        ask.doubted = doubted;
        ask.doubted_count = draft->doubts ? count : 0;
        int code = ask_types(&ask, draft->expression, &draft->arena, &draft->answer, error);
        if (code == ERROR_NOT_FOUND && draft->nvcc)
            error_hint(error, "or put the code of the host between #ifndef __CUDACC_RTC__ and #endif");
        if (code)
            return code;
        if (draft->answer.host_code && !draft->nvcc) {
            draft->nvcc = true;
            continue;
        }
        draft->asked = true;
        if (draft->doubts) {
            remove_defined(draft);
            draft->doubts = false;
            continue;
        }
        code = draft->answer.missing ? 0 : add_undefined(draft, &more, error);
        if (code || draft->answer.missing)
            return code;
    }
    return 0;
}

/* Other errors may follow from names without a definition, so those alone are reported if there are any. */
static int not_compiled(struct draft *draft, struct error *error)
{
    static const char head[] = "identifier \"";
    struct error_list *list = draft->answer.errors;
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        const char *name = list->errors[i].message + sizeof head - 1;
        bool undefined = strncmp(list->errors[i].message, head, sizeof head - 1) == 0;
        if (draft->answer.missing && !undefined)
            continue;
        if (undefined)
            error_hint(&list->errors[i], "declare it, or give the text of a macro: --option -D%.*s=TEXT",
                       (int)strcspn(name, "\""), name);
        list->errors[kept++] = list->errors[i];
    }
    if (kept < list->count)
        list->total = kept;
    list->count = kept;
    list->all = true;
    error_hint(&list->errors[0], "cutune learns a kernel from the compiler: correct the source, or give the compiler's "
                                 "options by --option");
    return error_set_list(error, list);
}

/* True if the compiler knows the kernel, and values that nobody gave may be the cause of its errors. */
static bool guessed_values(const struct draft *draft)
{
    bool guessed = false;
    for (size_t i = 0; i < draft->macros.count; i++)
        guessed |= draft->macros.items[i].origin != MACRO_GUARDED && draft->macros.items[i].origin != MACRO_BLOCK;
    return guessed && draft->answer.known && !draft->answer.missing &&
           (draft->answer.parameter_count || !draft->kernel.parameter_count);
}

/* Names that stay undefined although macros define them, or too many of them. */
static int undefined_left(struct draft *draft, struct error *error)
{
    int code = error_set(error, ERROR_COMPILE, "'%s' is undefined", draft->answer.undefined[0]);
    error_place(error, draft->request.shown, draft->answer.lines[0], 0);
    error_hint(error, "declare it, or give the text of a macro: --option -D%s=TEXT", draft->answer.undefined[0]);
    return code;
}

/* The text's kernel whose parameters are the compiler's, among overloads. */
static void match_overload(struct draft *draft)
{
    size_t best = 0;
    for (size_t k = 0; k < draft->kernels.count; k++) {
        const struct scan_kernel *kernel = &draft->kernels.items[k];
        size_t same = 1;
        if (strcmp(kernel->name, draft->kernel.name) != 0 || kernel->parameter_count != draft->answer.parameter_count)
            continue;
        for (size_t p = 0; p < kernel->parameter_count; p++)
            same += strcmp(kernel->parameters[p].type, draft->answer.parameters[p].type) == 0;
        if (same > best) {
            best = same;
            draft->kernel = *kernel;
        }
    }
}

static uint64_t written_pointers(const struct draft *draft)
{
    uint64_t pointers = 0;
    for (size_t i = 0; i < draft->answer.parameter_count; i++)
        if (draft->answer.parameters[i].points && !draft->answer.parameters[i].constant)
            pointers |= (uint64_t)1 << i;
    return pointers;
}

/* Adds what the kernel uses in another configuration than the default. */
static void merge_code(struct code_answer *code, const struct code_answer *other)
{
    code->changed |= other->changed;
    code->dynamic_shared |= other->dynamic_shared;
    code->grid_sync |= other->grid_sync;
    code->threads |= other->threads;
    code->blocks |= other->blocks;
    for (size_t i = 0; i < other->constant_count; i++) {
        bool known = code->constant_count == ASK_CONSTANTS_MAX;
        for (size_t k = 0; k < code->constant_count && !known; k++)
            known = strcmp(code->constants[k], other->constants[i]) == 0;
        if (!known)
            code->constants[code->constant_count++] = other->constants[i];
    }
}

/* Asks about the other values of a choice. */
static int ask_choice(struct draft *draft, struct macro *macro, size_t *left, struct error *error)
{
    const char *usual = macro->value;
    int code = 0;
    for (const char *at = macro->values; *at && *left && !code; at += strspn(at, ", ")) {
        size_t length = strcspn(at, ",");
        struct code_answer other = {0};
        macro->value = arena_copy(&draft->arena, at, length);
        at += length;
        if (!macro->value) {
            code = error_memory(error);
        } else if (strcmp(macro->value, usual) != 0) {
            --*left;
            const struct ask ask = make_ask(draft);
            code = ask_code(&ask, draft->expression, written_pointers(draft), &draft->arena, &other, error);
            merge_code(&draft->code, &other);
        }
    }
    macro->value = usual;
    return code;
}

/* A choice, such as a macro in a condition, may decide what the kernel writes and reads. */
static int ask_choices(struct draft *draft, struct error *error)
{
    size_t left = 8;
    int code = 0;
    for (size_t i = 0; i < draft->macros.count && draft->code.compiled && !code; i++) {
        struct macro *macro = &draft->macros.items[i];
        if (macro->origin == MACRO_CONDITION || strcmp(macro->values, "0, 1") == 0)
            code = ask_choice(draft, macro, &left, error);
    }
    return code;
}

/* True if the text has the kernel once, and it is no template: another function of the host may have its name. */
static bool only_kernel(const struct draft *draft)
{
    size_t count = 0;
    for (size_t k = 0; k < draft->kernels.count; k++)
        count += strcmp(draft->kernels.items[k].name, draft->kernel.name) == 0;
    return count == 1 && draft->kernel.template_count == 0 && draft->expression == draft->kernel.name;
}

static int cast_expression(struct draft *draft, struct error *error)
{
    struct text text = {0};
    append_cast(&draft->kernel, &text);
    draft->expression = text.failed ? NULL : arena_copy(&draft->arena, text_string(&text), text.length);
    text_free(&text);
    return draft->expression ? 0 : error_memory(error);
}

int draft_ask_compiler(struct draft *draft, struct error *error)
{
    int code = ask_all(draft, error);
    if (!code && !draft->answer.known && !draft->answer.errors->total && only_kernel(draft)) {
        code = cast_expression(draft, error);
        code = code ? code : ask_all(draft, error);
    }
    /* The values of parameters are a guess: others may compile. */
    if (!code && draft->answer.errors->total && !guessed_values(draft))
        code = not_compiled(draft, error);
    if (!code && !draft->answer.known)
        code = draft_not_found(draft, error);
    if (!code && draft->answer.undefined_count)
        code = undefined_left(draft, error);
    if (code)
        return code;
    match_overload(draft);
    const struct ask ask = make_ask(draft);
    code = ask_code(&ask, draft->expression, written_pointers(draft), &draft->arena, &draft->code, error);
    if (!code)
        code = ask_choices(draft, error);
    const struct ask usual = make_ask(draft); /* the choices have changed the options */
    return code ? code : classes_learn(draft, &usual, error);
}
