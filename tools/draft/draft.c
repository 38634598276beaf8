#include "draft/draft.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/option.h"
#include "draft/classes.h"
#include "evaluate/argument_types.h"
#include "language/kernel_names.h"

enum { SOURCE_BYTES_MAX = 16 << 20, ROUNDS_MAX = 8 };

/* ---- The source ---- */

static int read_source(struct draft *draft, struct error *error)
{
    struct text text = {0};
    const char *path = draft->request.path;
    int code = file_read_regular(path, SOURCE_BYTES_MAX, &text, error);
    if (!code) {
        draft->source = (struct source_text){.path = path,
                                             .text = arena_copy(&draft->arena, text_string(&text), text.length),
                                             .length = strlen(text_string(&text))};
        code = draft->source.text ? 0 : error_memory(error);
    }
    text_free(&text);
    return code ? code : scan_text(&draft->scan, &draft->arena, &draft->source, error);
}

/* ---- The kernel ---- */

static int no_kernel(const struct draft *draft, struct error *error)
{
    int code = error_set(error, ERROR_DATA, "%s has no kernel: no function in it is __global__", draft->request.shown);
    error_hint(error, "name the file with the kernel; if a macro declares the kernel, or an included file has it, name "
                      "the kernel: --kernel NAME");
    return code;
}

static int several_kernels(const struct draft *draft, struct error *error)
{
    struct text names = {0};
    size_t count = 0;
    for (size_t k = 0; k < draft->kernels.count; k++) {
        bool known = false;
        for (size_t i = 0; i < k; i++)
            known |= strcmp(draft->kernels.items[i].name, draft->kernels.items[k].name) == 0;
        if (!known)
            text_printf(&names, "%s%s", count++ ? ", " : "", draft->kernels.items[k].name);
    }
    int code = error_set(error, ERROR_DATA, "%s has %zu kernels", draft->request.shown, count);
    error_hint(error, "choose one by --kernel NAME: %s", text_string(&names));
    text_free(&names);
    return code;
}

static bool has_name(const struct scan_kernel *kernel, const char *symbol, size_t length)
{
    return strlen(kernel->short_name) == length && memcmp(kernel->short_name, symbol, length) == 0;
}

/* Chooses the kernel that the request names, or the only one. */
static int choose(struct draft *draft, struct error *error)
{
    const struct scan_kernels *kernels = &draft->kernels;
    const char *wanted = draft->request.kernel, *symbol = "";
    size_t length = 0, found = kernels->count;
    if (!wanted && kernels->count == 0)
        return no_kernel(draft, error);
    for (size_t k = 1; k < kernels->count && !wanted; k++)
        if (strcmp(kernels->items[k].name, kernels->items[0].name) != 0)
            return several_kernels(draft, error);
    kernel_symbol(wanted ? wanted : kernels->items[0].name, &symbol, &length);
    for (size_t k = kernels->count; k > 0; k--)
        if (has_name(&kernels->items[k - 1], symbol, length) &&
            (!wanted || !strchr(wanted, ':') || strcmp(kernels->items[k - 1].name, wanted) == 0 ||
             found == kernels->count))
            found = k - 1;
    const char *name = arena_copy(&draft->arena, symbol, length);
    if (!name)
        return error_memory(error);
    draft->kernel = found < kernels->count
                        ? kernels->items[found]
                        : (struct scan_kernel){.name = wanted, .short_name = name, .launch_bounds = "", .cluster = ""};
    return 0;
}

static int overloaded(struct draft *draft, struct error *error)
{
    struct text list = {0};
    size_t count = 0;
    for (size_t k = 0; k < draft->kernels.count; k++) {
        const struct scan_kernel *kernel = &draft->kernels.items[k];
        if (strcmp(kernel->name, draft->kernel.name) != 0)
            continue;
        text_printf(&list, "%s--kernel '(void (*)(", count++ ? ", or " : "");
        for (size_t p = 0; p < kernel->parameter_count; p++)
            text_printf(&list, "%s%s", p ? ", " : "", kernel->parameters[p].type);
        text_printf(&list, "))%s'", kernel->name);
    }
    int code = error_set(error, ERROR_DATA, "%s has %zu kernels '%s' with different parameters", draft->request.shown,
                         count, draft->kernel.name);
    error_place(error, NULL, 0, 0);
    error_hint(error, "choose one: %s", text_string(&list));
    text_free(&list);
    return code;
}

static int not_found(struct draft *draft, struct error *error)
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

/* ---- Templates ---- */

static bool is_integer(const char *type)
{
    static const char *const words[] = {"int",     "unsigned", "bool",     "long",    "short",   "char",    "size_t",
                                        "int32_t", "uint32_t", "uint64_t", "int64_t", "uint8_t", "uint16_t"};
    if (strstr(type, "..."))
        return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i]), at = strspn(type, "const ") < 6 ? 0 : 6;
        if (strncmp(type + at, words[i], length) == 0 && (!type[at + length] || type[at + length] == ' '))
            return true;
    }
    return false;
}

static bool is_type(const char *type)
{
    return (strncmp(type, "class", 5) == 0 || strncmp(type, "typename", 8) == 0) && !strstr(type, "...");
}

/* Appends the argument for a parameter of the template: that of the launch, the default, or a parameter of the space.
 * False: neither is known. */
static int add_template(struct draft *draft, size_t number, struct text *arguments, bool *known, struct error *error)
{
    const struct scan_parameter *parameter = &draft->kernel.templates[number];
    const struct scan_range range = launch_template(&draft->launch, number);
    bool given = range.begin < range.end, integer = is_integer(parameter->type);
    const char *value = given && integer    ? launch_translate(&draft->launch, range)
                        : given             ? scan_range_text(&draft->scan, &draft->arena, range)
                        : *parameter->value ? parameter->value
                                            : NULL;
    *known = integer || is_type(parameter->type) || value;
    if (!integer) {
        if (!value && *known)
            draft->guessed = parameter->name;
        text_printf(arguments, "%s", value ? value : "float");
        return 0;
    }
    const char *base = *parameter->name ? parameter->name : "TEMPLATE";
    const struct macro macro = {.name = draft_name(draft, base, DRAFT_MACRO),
                                .origin = MACRO_TEMPLATE,
                                .of = base,
                                .values = strcmp(parameter->type, "bool") == 0 ? "0, 1" : NULL,
                                .value = strcmp(parameter->type, "bool") == 0 ? "0" : NULL};
    if (!macro.name)
        return error_memory(error);
    if (value && (strcmp(value, "true") == 0 || strcmp(value, "false") == 0))
        value = strcmp(value, "true") == 0 ? "1" : "0";
    text_printf(arguments, "%s", macro.name);
    return macros_add(&draft->macros, &draft->arena, &macro, value, draft->uses.threads, error);
}

static int make_expression(struct draft *draft, struct error *error)
{
    const char *wanted = draft->request.kernel;
    struct text text = {0};
    bool known = true;
    int code = 0;
    draft->guessed = "";
    draft->expression = wanted && strpbrk(wanted, "<(") ? wanted : draft->kernel.name;
    if (draft->expression == wanted || draft->kernel.template_count == 0)
        return 0;
    text_printf(&text, "%s<", draft->kernel.name);
    for (size_t i = 0; i < draft->kernel.template_count && !code && known; i++) {
        text_printf(&text, i ? ", " : "");
        code = add_template(draft, i, &text, &known, error);
    }
    text_printf(&text, ">");
    draft->expression = text.failed ? NULL : arena_copy(&draft->arena, text_string(&text), text.length);
    text_free(&text);
    if (!code && !draft->expression)
        code = error_memory(error);
    return code ? code : known ? 0 : not_found(draft, error);
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
        text_printf(&draft->options, "-D%s=%s", draft->macros.items[i].name, draft->macros.items[i].value);
        text_append(&draft->options, "", 1);
        draft->option_count++;
    }
    return (struct ask){.path = draft->request.path,
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

/* Asks until no name is undefined. */
static int ask_all(struct draft *draft, struct error *error)
{
    bool more = true;
    for (int round = 0; round < ROUNDS_MAX && more; round++) {
        const struct ask ask = make_ask(draft);
        int code = ask_types(&ask, draft->expression, &draft->arena, &draft->answer, error);
        if (code == ERROR_NOT_FOUND && draft->nvcc)
            error_hint(error, "or put the code of the host between #ifndef __CUDACC_RTC__ and #endif");
        if (code)
            return code;
        if (draft->answer.host_code && !draft->nvcc) {
            draft->nvcc = true;
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
           (draft->answer.type_count || !draft->kernel.parameter_count);
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
        if (strcmp(kernel->name, draft->kernel.name) != 0 || kernel->parameter_count != draft->answer.type_count)
            continue;
        for (size_t p = 0; p < kernel->parameter_count; p++)
            same += strcmp(kernel->parameters[p].type, draft->answer.types[p]) == 0;
        if (same > best) {
            best = same;
            draft->kernel = *kernel;
        }
    }
}

static uint64_t written_pointers(const struct draft *draft)
{
    uint64_t pointers = 0;
    for (size_t i = 0; i < draft->answer.type_count; i++) {
        const char *type = draft->answer.types[i], *pointed;
        size_t length;
        if (argument_types_pointed(type, &pointed, &length) && strncmp(type, "const ", 6) != 0)
            pointers |= (uint64_t)1 << i;
    }
    return pointers;
}

/* A pointer that the default configuration only reads may be written where a choice has another value. */
static int ask_variants(struct draft *draft, struct error *error)
{
    enum { VARIANTS_MAX = 8 };
    uint64_t pointers = written_pointers(draft);
    size_t asked = 0;
    for (size_t i = 0; i < draft->macros.count; i++) {
        struct macro *macro = &draft->macros.items[i];
        const char *usual = macro->value;
        bool choice = macro->origin == MACRO_CONDITION || strncmp(macro->values, "0, 1", 4) == 0;
        for (const char *at = macro->values; choice && *at && asked < VARIANTS_MAX; at += strspn(at, ", ")) {
            size_t length = strcspn(at, ",");
            struct code_answer answer = {0};
            macro->value = arena_copy(&draft->arena, at, length);
            at += length;
            if ((draft->code.changed & pointers) == pointers || !draft->code.compiled || !macro->value)
                break;
            asked++;
            const struct ask ask = make_ask(draft);
            int code = strcmp(macro->value, usual) == 0
                           ? 0
                           : ask_code(&ask, draft->expression, pointers, &draft->arena, &answer, error);
            if (code)
                return code;
            draft->code.changed |= answer.changed;
            draft->code.dynamic_shared |= answer.dynamic_shared;
            draft->code.grid_sync |= answer.grid_sync;
        }
        macro->value = usual;
    }
    return 0;
}

static int learn_from_compiler(struct draft *draft, struct error *error)
{
    int code = ask_all(draft, error);
    /* The values of parameters are a guess: others may compile. */
    if (!code && draft->answer.errors->total && !guessed_values(draft))
        code = not_compiled(draft, error);
    if (!code && !draft->answer.known)
        code = not_found(draft, error);
    if (!code && draft->answer.undefined_count)
        code = undefined_left(draft, error);
    if (code)
        return code;
    match_overload(draft);
    const struct ask ask = make_ask(draft);
    code = classes_learn(draft, &ask, error);
    if (!code)
        code = ask_code(&ask, draft->expression, written_pointers(draft), &draft->arena, &draft->code, error);
    return code ? code : ask_variants(draft, error);
}

int draft_learn(struct draft *draft, const struct draft_request *request, struct error *error)
{
    const char *symbol = NULL;
    size_t length = 0;
    *draft = (struct draft){.request = *request};
    int code = read_source(draft, error);
    if (!code && request->kernel) {
        kernel_symbol(request->kernel, &symbol, &length);
        symbol = arena_copy(&draft->arena, symbol, length);
        code = symbol ? 0 : error_memory(error);
    }
    if (!code)
        code = scan_find_kernels(&draft->scan, &draft->arena, symbol, &draft->kernels, error);
    if (!code)
        code = choose(draft, error);
    if (!code)
        code = scan_uses(&draft->scan, &draft->arena, &draft->kernels, draft->kernel.short_name, &draft->uses, error);
    if (!code)
        launch_find(&draft->launch, &draft->scan, &draft->arena, draft->kernel.short_name);
    draft->launch.macros = &draft->macros;
    if (!code)
        code = make_expression(draft, error);
    if (!code)
        code = macros_scan(&draft->macros, &draft->arena, &draft->scan, draft->uses.threads, error);
    if (!code)
        code = learn_from_compiler(draft, error);
    if (!code)
        macros_mark_elsewhere(&draft->macros, &draft->scan, &draft->kernels, draft->kernel.short_name);
    return code;
}

void draft_free(struct draft *draft)
{
    text_free(&draft->options);
    arena_free(&draft->arena);
}
