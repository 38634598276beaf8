#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/option.h"
#include "draft/classes.h"
#include "draft/draft.h"
#include "draft/shape.h"
#include "evaluate/argument_types.h"

enum { LINES_MAX = 256, COMMENT_COLUMN_MAX = 60, MAP_BYTES = 128, NO_ARGUMENT = LAUNCH_ARGUMENTS_MAX };

struct writer {
    struct draft *draft;
    struct text *out;
    struct text args;
    const char *size; /* a problem size for examples; "": none */
    struct line {
        const char *left, *comment;
    } lines[LINES_MAX], numbers[LINES_MAX]; /* of the section; `numbers` come first */
    size_t count, number_count;
    const char *args_comment;
    bool inout, failed;
};

/* ---- Lines ---- */

static const char *say(struct writer *writer, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(struct writer *writer, const char *comment, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static const char *vsay(struct writer *writer, const char *format, va_list arguments)
{
    char text[4096];
    vsnprintf(text, sizeof text, format, arguments);
    const char *copy = arena_copy(&writer->draft->arena, text, strlen(text));
    writer->failed |= !copy;
    return copy ? copy : "";
}

static const char *say(struct writer *writer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = vsay(writer, format, arguments);
    va_end(arguments);
    return text;
}

/* Adds a line to the section; "": no comment. */
static void put(struct writer *writer, const char *comment, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *left = vsay(writer, format, arguments);
    va_end(arguments);
    if (writer->count < LINES_MAX)
        writer->lines[writer->count++] = (struct line){left, comment};
}

static size_t comment_column(const struct line *lines, size_t count, size_t column)
{
    for (size_t i = 0; i < count; i++) {
        size_t width = strlen(lines[i].left);
        if (*lines[i].comment && width > column && width <= COMMENT_COLUMN_MAX)
            column = width;
    }
    return column;
}

static void write_lines(struct text *out, const struct line *lines, size_t count, size_t column)
{
    for (size_t i = 0; i < count; i++)
        if (*lines[i].comment)
            text_printf(out, "%-*s   # %s\n", (int)column, lines[i].left, lines[i].comment);
        else
            text_printf(out, "%s\n", lines[i].left);
}

/* Writes the section's lines with their comments in one column. */
static void end_section(struct writer *writer)
{
    size_t column = comment_column(writer->lines, writer->count, 0);
    column = comment_column(writer->numbers, writer->number_count, column);
    write_lines(writer->out, writer->numbers, writer->number_count, column);
    write_lines(writer->out, writer->lines, writer->count, column);
    writer->count = writer->number_count = 0;
}

/* ---- Arguments ---- */

static void add_argument(struct writer *writer, const char *text)
{
    text_printf(&writer->args, "%s%s", writer->args.length ? ", " : "", text);
}

/* Declares a number of the kernel as a problem size, with the value that the host's code gives it if that is certain.
 */
static const char *put_number(struct writer *writer, const char *base, const char *what, size_t argument)
{
    struct draft *draft = writer->draft;
    const char *name = draft_name(draft, base, DRAFT_SIZE);
    const char *host = launch_argument_name(&draft->launch, argument);
    const char *value = host ? launch_definition(&draft->launch, host) : launch_number(&draft->launch, argument);
    if (!name)
        return "";
    if (writer->number_count < LINES_MAX)
        writer->numbers[writer->number_count++] =
            (struct line){say(writer, "problem %s = %s", name, value ? value : "???"),
                          value ? say(writer, "value of '%s' in line %d", what, draft->launch.line)
                                : say(writer, "value of '%s'", what)};
    if (host)
        launch_alias(&draft->launch, host, name);
    return name;
}

static const char *declared_type(const struct draft *draft, size_t number)
{
    bool same = draft->kernel.parameter_count == draft->answer.parameter_count;
    return same ? draft->kernel.parameters[number].type : "";
}

/* Adds an argument that a person has to write, and what is known of it. */
static void leave_argument(struct writer *writer, const char *comment)
{
    const char *before = writer->args_comment;
    add_argument(writer, "???");
    writer->args_comment = before ? say(writer, "%s; %s", before, comment) : comment;
}

static void put_texture(struct writer *writer, const char *name)
{
    const char *data = draft_name(writer->draft, say(writer, "%s_data", name), DRAFT_BUFFER);
    put(writer, say(writer, "type and number of the texels of '%s'", name), "buffer %s ???[???] random", data);
    put(writer, "type of a texel; then WIDTH, or WIDTH, HEIGHT point|linear", "texture %s = %s ???", name, data);
    add_argument(writer, name);
}

static void put_tensor_map(struct writer *writer, const char *name)
{
    const char *data = draft_name(writer->draft, say(writer, "%s_data", name), DRAFT_BUFFER);
    put(writer, say(writer, "type and number of the elements of '%s'", name), "buffer %s ???[???] random", data);
    put(writer, "elements in each dimension, the innermost first; and those that a copy moves",
        "tensor_map %s over %s size ??? box ???", name, data);
    add_argument(writer, name);
}

static void put_class(struct writer *writer, size_t number, const char *name)
{
    struct draft *draft = writer->draft;
    const struct draft_class *class = &draft->classes[number];
    struct text text = {0};
    if (strstr(declared_type(draft, number), "CUtensorMap") || (class->bytes == MAP_BYTES && !class->numbers)) {
        put_tensor_map(writer, name);
        return;
    }
    if (!class->numbers) {
        leave_argument(writer, say(writer, "'%s' is %s of %zu bytes, as struct { TYPE VALUE, ... } of numbers", name,
                                   draft->answer.parameters[number].type, class->bytes));
        return;
    }
    text_printf(&text, "struct { ");
    for (size_t i = 0; i < class->count; i++) {
        size_t count = classes_numbers(&class->members[i]);
        const char *type = class->members[i].element->name;
        for (size_t k = 0; k < count; k++) {
            const char *index = count > 1 ? say(writer, "_%zu", k) : "", *member = class->names[i];
            const char *value =
                put_number(writer, say(writer, "%s_%s%s", name, member, index),
                           count > 1 ? say(writer, "%s.%s[%zu]", name, member, k) : say(writer, "%s.%s", name, member),
                           NO_ARGUMENT);
            text_printf(&text, "%s%s %s", i || k ? ", " : "", type, value);
        }
    }
    text_printf(&text, " }");
    add_argument(writer, text_string(&text));
    writer->failed |= text.failed;
    text_free(&text);
}

/* A vector by value has its components in braces. */
static void put_vector(struct writer *writer, const struct element_type *type, const char *name)
{
    struct text text = {0};
    text_printf(&text, "%s { ", type->name);
    for (uint32_t i = 0; i < type->components; i++)
        text_printf(&text, "%s%s", i ? ", " : "",
                    put_number(writer, say(writer, "%s_%c", name, "xyzw"[i]), say(writer, "%s.%c", name, "xyzw"[i]),
                               NO_ARGUMENT));
    text_printf(&text, " }");
    add_argument(writer, text_string(&text));
    writer->failed |= text.failed;
    text_free(&text);
}

static void put_value(struct writer *writer, size_t number, const char *name)
{
    struct draft *draft = writer->draft;
    const struct element_type *element = draft->answer.parameters[number].element;
    if (strstr(declared_type(draft, number), "cudaTextureObject_t")) {
        put_texture(writer, name);
    } else if (!element) {
        put_class(writer, number, name);
    } else if (element->components > 1) {
        put_vector(writer, element, name);
    } else {
        const char *value = put_number(writer, name, name, number);
        if (!*writer->size && element->family != FAMILY_FLOAT)
            writer->size = value;
        add_argument(writer, say(writer, "%s %s", element->name, value));
    }
}

/* The contents of a buffer: numbers for floats, zeros for integers, which may be indices. */
static void put_buffer(struct writer *writer, size_t number, const char *own)
{
    struct draft *draft = writer->draft;
    const struct argument_answer *answer = &draft->answer.parameters[number];
    const struct element_type *type = answer->element;
    const char *name = draft_name(draft, own, DRAFT_BUFFER);
    bool written = !answer->constant && (!draft->code.compiled || draft->code.changed >> number & 1u);
    bool is_float = type && type->family == FAMILY_FLOAT;
    const char *fill = written ? "zero inout" : is_float ? "random" : "zero";
    const char *what = say(writer, "elements of '%s'", own), *counted = type ? type->name : "uchar";
    writer->inout |= written;
    if (strstr(answer->type, "void")) {
        counted = "???";
        what = say(writer, "type and number of the elements of '%s'", own);
    } else if (!type) {
        what = say(writer, "bytes of '%s', which is %s", own, answer->type);
    } else if (!written && !is_float) {
        what = say(writer, "elements of '%s'; if not zeros: random 0..9, iota, file(\"%s.npy\")", own, own);
    }
    put(writer, what, "buffer %s %s[???] %s", name, counted, fill);
    add_argument(writer, name);
}

static void put_argument(struct writer *writer, size_t number)
{
    struct draft *draft = writer->draft;
    const struct argument_answer *answer = &draft->answer.parameters[number];
    const char *own = draft_parameter_name(draft, number);
    if (!answer->points) {
        bool object = strstr(declared_type(draft, number), "cudaTextureObject_t") ||
                      strstr(declared_type(draft, number), "CUtensorMap");
        put_value(writer, number, object ? draft_name(draft, own, DRAFT_BUFFER) : own);
    } else if (strchr(answer->type, '*') != strrchr(answer->type, '*')) {
        leave_argument(writer,
                       say(writer, "'%s' is %s: cutune passes buffers of numbers, not of pointers", own, answer->type));
    } else {
        put_buffer(writer, number, own);
    }
}

/* ---- Constants ---- */

/* Finds the declared type and number of elements of `__constant__ float name[16];`. */
static void put_constant(struct writer *writer, const char *name)
{
    struct draft *draft = writer->draft;
    const struct scan *scan = &draft->scan;
    const char *type = NULL, *count = NULL;
    size_t at = 2;
    while (at < scan->count && !(code_is(&scan->tokens[at], name) && code_is(&scan->tokens[at - 2], "__constant__")))
        at++;
    if (at < scan->count) {
        type = argument_types_in_space(scan->tokens[at - 1].start, scan->tokens[at - 1].length);
        if (code_is_sign(&scan->tokens[at + 1], '['))
            count = launch_translate(&draft->launch, (struct scan_range){at + 2, scan_close(scan, at + 1)});
        else
            count = "1";
    }
    const char *data = draft_name(draft, say(writer, "%s_data", name), DRAFT_BUFFER);
    put(writer, type && count ? "" : say(writer, "type and number of the elements of '%s'", name),
        "buffer %s %s[%s] random", data, type ? type : "???", count ? count : "???");
    put(writer, "the __constant__ variable", "constant %s = %s", name, data);
}

/* ---- Sections ---- */

static void put_head(struct writer *writer)
{
    struct draft *draft = writer->draft;
    const char *expression = draft->expression;
    bool plain = !strpbrk(expression, "( ") || (strchr(expression, '<') && !strchr(expression, '('));
    text_printf(writer->out, "# Written by `cutune init` from %s. `cutune check` lists the ??? to be filled in.\n",
                draft->request.relative);
    put(writer, "", "space 2");
    put(writer,
        *draft->guessed ? say(writer, "'%s' is float here: write another type, also in the buffers", draft->guessed)
                        : "",
        plain ? "kernel %s \"%s\"" : "kernel \"%s\" \"%s\"", expression, draft->request.relative);
    if (draft->nvcc)
        put(writer, "the file has code of the host", "compiler nvcc");
    for (size_t i = 0; i < draft->request.options->count; i++)
        put(writer, "", "option \"%s\"", draft->request.options->items[i]);
    end_section(writer);
}

static const char *macro_comment(struct writer *writer, const struct macro *macro)
{
    switch (macro->origin) {
    case MACRO_UNDEFINED:
    case MACRO_CONDITION:
        return macro->line ? say(writer, "line %d", macro->line) : "";
    case MACRO_GUARDED:
        return say(writer, "line %d has the default", macro->line);
    case MACRO_TEMPLATE:
        return say(writer, "'%s' of the template", macro->of);
    case MACRO_BLOCK:
        break;
    }
    return "threads of a block, whose number the kernel asks for";
}

/* Names the numbers that the source fixes, and that could be parameters. */
static void put_fixed(struct writer *writer)
{
    struct draft *draft = writer->draft;
    struct fixed_macro fixed;
    struct text list = {0};
    for (size_t at = 0; macros_next_fixed(&draft->scan, &at, &fixed);) {
        bool here = false;
        const struct scan_range body = draft->kernel.body;
        for (size_t i = body.begin; i < body.end && !fixed.guarded && !here; i++)
            here = draft->scan.tokens[i].kind == CODE_WORD && draft->scan.tokens[i].length == fixed.name.length &&
                   memcmp(draft->scan.tokens[i].start, fixed.name.start, fixed.name.length) == 0;
        if (here)
            text_printf(&list, "%s%.*s = %ld (line %d)", list.length ? ", " : "", (int)fixed.name.length,
                        fixed.name.start, fixed.value, fixed.name.line);
    }
    if (list.length)
        text_printf(writer->out,
                    "# Fixed by the source: %s. A #define between #ifndef and #endif can be a parameter.\n",
                    text_string(&list));
    text_free(&list);
}

static void put_macros(struct writer *writer, const struct shape *shape)
{
    const struct macros *macros = &writer->draft->macros;
    text_printf(writer->out, "\n# Parameters: what the source leaves open, and values to try.\n");
    put_fixed(writer);
    if (macros->count == 0)
        put(writer, "a macro or size to tune, as in: BLOCK = 64..1024 times 2", "param ???");
    for (size_t i = 0; i < macros->count; i++) {
        const struct macro *macro = &macros->items[i];
        put(writer, macro->elsewhere ? "only other kernels of the file use it" : macro_comment(writer, macro),
            "param %s = %s", macro->name, macro->elsewhere ? macro->value : macro->values);
    }
    if (*shape->limit)
        put(writer, "__launch_bounds__", "require %s", shape->limit);
    end_section(writer);
}

static void put_launch(struct writer *writer, const struct shape *shape)
{
    struct draft *draft = writer->draft;
    const char *args = writer->args.length ? text_string(&writer->args) : "???";
    const char *comment = writer->args_comment ? writer->args_comment : "";
    text_printf(writer->out, "\n# The launch.\n");
    if (draft->uses.grid_sync) {
        put(writer, "", "launch %s \\", draft->expression);
        put(writer, "", "    args %s \\", args);
        put(writer, "", "    block %s \\", shape->block);
        if (*shape->shared)
            put(writer, "", "    shared %s \\", shape->shared);
        put(writer, "", "    grid %s \\", shape->grid);
        put(writer,
            say(writer, "grid: %s%s%s%s%s", shape->grid_comment, *shape->shared ? "; shared: " : "",
                shape->shared_comment, *comment ? "; " : "", comment),
            "    cooperative");
    } else {
        put(writer, comment, "args %s", args);
        put(writer, shape->block_comment, "block %s", shape->block);
        put(writer, shape->grid_comment, "grid %s", shape->grid);
        if (*shape->shared)
            put(writer, shape->shared_comment, "shared %s", shape->shared);
        if (*draft->kernel.cluster)
            put(writer, "", "# __cluster_dims__(%s) in the source fixes the clusters: the grid is a multiple of them",
                draft->kernel.cluster);
        else if (draft->uses.cluster)
            put(writer, "blocks of a cluster", "cluster ???");
    }
    end_section(writer);
}

/* Finds another kernel with the same parameters: it may be the plain version. */
static const char *find_plain(const struct draft *draft)
{
    for (size_t k = 0; k < draft->kernels.count; k++) {
        const struct scan_kernel *kernel = &draft->kernels.items[k];
        bool same = strcmp(kernel->name, draft->kernel.name) != 0 && kernel->template_count == 0 &&
                    kernel->parameter_count == draft->kernel.parameter_count && kernel->parameter_count > 0;
        for (size_t p = 0; p < kernel->parameter_count && same; p++)
            same = strcmp(kernel->parameters[p].type, draft->kernel.parameters[p].type) == 0;
        if (same)
            return kernel->name;
    }
    return NULL;
}

static void put_results(struct writer *writer)
{
    struct draft *draft = writer->draft;
    const char *plain = find_plain(draft);
    text_printf(writer->out,
                "\n# The right results: those of a plain kernel, a program or a file. `reference default` verifies "
                "nothing, for a first run.\n");
    put(writer,
        plain ? say(writer, "%s block X grid X, if it is right; or: default; command \"COMMAND\"; file(\"FILE.npy\")",
                    plain)
              : "KERNEL block X grid X; or: default; command \"COMMAND\"; file(\"FILE.npy\")",
        "reference ???");
    put(writer, "allowed difference, as in: 0, or: rel 1e-5 abs 1e-6", "tolerance ???");
    end_section(writer);
    if (draft->macros.count == 0)
        return;
    text_printf(writer->out, "\n# The configuration without tuning.\n");
    if (draft->answer.errors->count)
        text_printf(writer->out, "# These values do not compile, in line %d: %s.\n",
                    draft->answer.errors->errors[0].line, draft->answer.errors->errors[0].message);
    text_printf(writer->out, "default");
    for (size_t i = 0; i < draft->macros.count; i++)
        text_printf(writer->out, " %s=%s", draft->macros.items[i].name, draft->macros.items[i].value);
    text_printf(writer->out, "\n");
}

static void put_data(struct writer *writer, const struct text *section)
{
    text_printf(writer->out, "\n# Sizes and buffers.%s\n",
                writer->inout
                    ? " Write `output` instead of `zero inout` where the kernel writes all elements and reads none."
                    : "");
    text_append(writer->out, text_string(section), section->length);
}

/* The section about arguments names the sizes, which those above it use. */
int draft_write(struct draft *draft, struct text *out, struct error *error)
{
    struct text data = {0};
    struct shape shape;
    struct writer *writer = arena_alloc(&draft->arena, sizeof *writer); /* large */
    if (!writer)
        return error_memory(error);
    *writer = (struct writer){.draft = draft, .out = &data, .size = ""};
    for (size_t i = 0; i < draft->macros.count; i++)
        if (draft->name_count < DRAFT_NAMES_MAX && draft->macros.items[i].origin != MACRO_TEMPLATE)
            draft->names[draft->name_count++] = draft->macros.items[i].name;
    for (size_t i = 0; i < draft_parameter_count(draft); i++)
        put_argument(writer, i);
    for (size_t i = 0; i < draft->code.constant_count; i++)
        put_constant(writer, draft->code.constants[i]);
    end_section(writer);
    int code = shape_find(draft, writer->size, &shape, error);
    writer->out = out;
    if (!code) {
        put_head(writer);
        put_macros(writer, &shape);
        put_data(writer, &data);
        put_launch(writer, &shape);
        put_results(writer);
    }
    if (!code && (writer->failed || out->failed || data.failed || writer->args.failed))
        code = error_memory(error);
    text_free(&data);
    text_free(&writer->args);
    return code;
}
