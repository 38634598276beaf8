#include "draft/learn.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "language/kernel_names.h"

enum { SOURCE_BYTES_MAX = 16 << 20 };

/* ---- The source ---- */

static int read_source(struct draft *draft, struct error *error)
{
    struct text text = {0};
    const char *path = draft->request.path;
    int code = file_read_regular(draft->request.shown, SOURCE_BYTES_MAX, &text, error);
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

/* True for a name, and for an expression that a space file can have. */
static bool is_expression(const char *wanted)
{
    bool plain = !strpbrk(wanted, "<(");
    for (const char *at = wanted; *at && plain; at++)
        if (!lexer_is_name_part(*at) && *at != ':')
            return false;
    return !strpbrk(wanted, "\"\r\n");
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
    draft->expression = wanted;
    return !wanted || is_expression(wanted) ? 0 : draft_not_found(draft, error);
}

/* ---- Templates ---- */

static bool is_integer(const char *type)
{
    static const char *const words[] = {"int",      "unsigned", "bool",    "long",    "short",   "char",
                                        "size_t",   "uint",     "ushort",  "uchar",   "ulong",   "int32_t",
                                        "uint32_t", "uint64_t", "int64_t", "uint8_t", "uint16_t"};
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

/* True for the parameter of another template, such as a function of the host that launches the kernel. */
static bool is_open_type(const struct scan *scan, struct scan_range range)
{
    const struct code_token *name = &scan->tokens[range.begin];
    for (size_t i = 1; i < scan->count && range.end == range.begin + 1; i++)
        if (scan->tokens[i].length == name->length && memcmp(scan->tokens[i].start, name->start, name->length) == 0 &&
            (code_is(&scan->tokens[i - 1], "typename") || code_is(&scan->tokens[i - 1], "class")))
            return true;
    return false;
}

/* Appends the argument for a parameter of the template: that of the launch, the default, or a parameter of the space.
 * False: neither is known. */
static int add_template(struct draft *draft, size_t number, struct text *arguments, bool *known, struct error *error)
{
    const struct scan_parameter *parameter = &draft->kernel.templates[number];
    const struct scan_range range = launch_template(&draft->launch, number);
    bool given = range.begin < range.end && !is_open_type(&draft->scan, range), integer = is_integer(parameter->type);
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
    return code ? code : known ? 0 : draft_not_found(draft, error);
}

/* ---- All ---- */

/* Finds the kernels, or the function of that name if no kernel has it: a macro may declare it as one. */
static int find_kernels(struct draft *draft, const char *symbol, struct error *error)
{
    int code = scan_find_kernels(&draft->scan, &draft->arena, NULL, &draft->kernels, error);
    bool found = !symbol;
    for (size_t k = 0; k < draft->kernels.count; k++)
        found |= symbol && strcmp(draft->kernels.items[k].short_name, symbol) == 0;
    return code || found ? code : scan_find_kernels(&draft->scan, &draft->arena, symbol, &draft->kernels, error);
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
        code = find_kernels(draft, symbol, error);
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
        code = draft_ask_compiler(draft, error);
    if (!code)
        macros_mark_elsewhere(&draft->macros, &draft->scan, &draft->kernels, draft->kernel.short_name);
    return code;
}

void draft_free(struct draft *draft)
{
    ask_compiler_close(&draft->compiler);
    text_free(&draft->options);
    arena_free(&draft->arena);
}
