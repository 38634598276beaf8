#include <stdarg.h>
#include <string.h>

#include "base/option.h"
#include "base/text.h"
#include "draft/shape.h"
#include "draft/writer.h"

enum { COMMENT_COLUMN_MAX = 60 };

/* ---- Lines ---- */

static const char *vsay(struct writer *writer, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

static const char *vsay(struct writer *writer, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = text_vformat(NULL, 0, format, again);
    va_end(again);
    char *text = length < 0 ? NULL : arena_alloc(&writer->draft->arena, (size_t)length + 1);
    writer->failed |= !text;
    if (text)
        text_vformat(text, (size_t)length + 1, format, arguments);
    return text ? text : "";
}

const char *writer_say(struct writer *writer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = vsay(writer, format, arguments);
    va_end(arguments);
    return text;
}

void writer_put(struct writer *writer, const char *comment, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *left = vsay(writer, format, arguments);
    va_end(arguments);
    writer->full |= writer->count == WRITER_LINES_MAX;
    if (!writer->full)
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

/* ---- Sections ---- */

/* True if the letter belongs to a name, not to a number. */
static bool in_name(const char *text, const char *at)
{
    while (at > text && lexer_is_name_part(at[-1]))
        at--;
    return lexer_is_name_start(*at);
}

/* True for a name expression that needs no quotation marks. */
static bool is_plain(const char *expression)
{
    for (const char *at = expression; *at; at++)
        if ((!lexer_is_name_part(*at) && !strchr(":<>, ", *at)) ||
            (at > expression && lexer_is_digit(at[-1]) && lexer_is_name_start(*at) && !in_name(expression, at)))
            return false;
    return !strchr(expression, ' ') || strchr(expression, '<');
}

static void put_head(struct writer *writer)
{
    struct draft *draft = writer->draft;
    const char *expression = draft->expression;
    bool plain = is_plain(expression);
    text_printf(writer->out, "# Written by `cutune init` from %s. `cutune check` lists the ??? to be filled in.\n",
                draft->request.relative);
    writer_put(writer, "", "space 2");
    writer_put(writer,
               *draft->guessed
                   ? writer_say(writer, "'%s' is float here: write another type, also in the buffers", draft->guessed)
                   : "",
               plain ? "kernel %s \"%s\"" : "kernel \"%s\" \"%s\"", expression, draft->request.relative);
    if (draft->nvcc)
        writer_put(writer, "the file has code of the host", "compiler nvcc");
    for (size_t i = 0; i < draft->request.options->count; i++)
        writer_put(writer, "", "option \"%s\"", draft->request.options->items[i]);
    end_section(writer);
}

static const char *macro_comment(struct writer *writer, const struct macro *macro)
{
    switch (macro->origin) {
    case MACRO_UNDEFINED:
    case MACRO_CONDITION:
        return macro->line ? writer_say(writer, "line %d", macro->line) : "";
    case MACRO_GUARDED:
        return writer_say(writer, "line %d has the default", macro->line);
    case MACRO_TEMPLATE:
        return writer_say(writer, "'%s' of the template", macro->of);
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
                    "# Fixed by the source: %s. To tune one, add `param NAME = VALUE, ...` and `override NAME`.\n",
                    text_string(&list));
    text_free(&list);
}

static void put_macros(struct writer *writer, const struct shape *shape)
{
    const struct macros *macros = &writer->draft->macros;
    text_printf(writer->out, "\n# Parameters: what the source leaves open, and values to try.\n");
    put_fixed(writer);
    if (macros->count == 0)
        writer_put(writer, "a macro or size to tune, as in: BLOCK = 64..1024 times 2", "param ???");
    for (size_t i = 0; i < macros->count; i++) {
        const struct macro *macro = &macros->items[i];
        writer_put(writer, macro->elsewhere ? "only other kernels of the file use it" : macro_comment(writer, macro),
                   "param %s = %s", macro->name, macro->elsewhere ? macro->value : macro->values);
    }
    if (*shape->limit)
        writer_put(writer, "__launch_bounds__", "require %s", shape->limit);
    end_section(writer);
}

static void put_launch(struct writer *writer, const struct shape *shape)
{
    struct draft *draft = writer->draft;
    const char *args = writer->args.length ? text_string(&writer->args) : "???";
    const char *comment = writer->args_comment ? writer->args_comment : "";
    text_printf(writer->out, "\n# The launch.\n");
    if (draft->uses.grid_sync) {
        writer_put(writer, "", "launch %s \\", draft->expression);
        writer_put(writer, "", "    args %s \\", args);
        writer_put(writer, "", "    block %s \\", shape->block);
        if (*shape->shared)
            writer_put(writer, "", "    shared %s \\", shape->shared);
        writer_put(writer, "", "    grid %s \\", shape->grid);
        writer_put(writer,
                   writer_say(writer, "grid: %s%s%s%s%s", shape->grid_comment, *shape->shared ? "; shared: " : "",
                              shape->shared_comment, *comment ? "; " : "", comment),
                   "    cooperative");
    } else {
        writer_put(writer, comment, "args %s", args);
        writer_put(writer, shape->block_comment, "block %s", shape->block);
        writer_put(writer, shape->grid_comment, "grid %s", shape->grid);
        if (*shape->shared)
            writer_put(writer, shape->shared_comment, "shared %s", shape->shared);
        if (*draft->kernel.cluster)
            writer_put(writer, "",
                       "# __cluster_dims__(%s) in the source fixes the clusters: the grid is a multiple of them",
                       draft->kernel.cluster);
        else if (draft->uses.cluster)
            writer_put(writer, "blocks of a cluster", "cluster ???");
    }
    end_section(writer);
}

/* Skips what makes no other type. */
static const char *skip_free(const char *at)
{
    static const char restricted[] = "__restrict__";
    for (;;)
        if (*at == ' ')
            at++;
        else if (strncmp(at, restricted, sizeof restricted - 1) == 0)
            at += sizeof restricted - 1;
        else
            return at;
}

static bool same_type(const char *a, const char *b)
{
    for (a = skip_free(a), b = skip_free(b); *a && *a == *b; a = skip_free(a + 1), b = skip_free(b + 1))
        ;
    return *a == *b;
}

/* Finds another kernel with the same parameters: it may be the plain version. */
static const char *find_plain(const struct draft *draft)
{
    for (size_t k = 0; k < draft->kernels.count; k++) {
        const struct scan_kernel *kernel = &draft->kernels.items[k];
        bool same = strcmp(kernel->name, draft->kernel.name) != 0 && kernel->template_count == 0 &&
                    kernel->parameter_count == draft->kernel.parameter_count && kernel->parameter_count > 0;
        for (size_t p = 0; p < kernel->parameter_count && same; p++)
            same = same_type(kernel->parameters[p].type, draft->kernel.parameters[p].type);
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
    writer_put(
        writer,
        plain ? writer_say(writer,
                           "%s block X grid X, if it is right; or: default; command \"COMMAND\"; file(\"FILE.npy\")",
                           plain)
              : "KERNEL \"FILE.cu\" block X grid X; or: default; command \"COMMAND\"; file(\"FILE.npy\")",
        "reference ???");
    writer_put(writer, "allowed difference, as in: 0, or: rel 1e-5 abs 1e-6", "tolerance ???");
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
    text_printf(
        writer->out, "\n# Sizes and buffers.%s\n",
        writer->inout
            ? " Write `output` instead of `zero inout` where the kernel writes all elements and reads none, and "
              "`random` where it writes none."
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
        writer_argument(writer, i);
    for (size_t i = 0; i < draft->code.constant_count; i++)
        writer_constant(writer, i);
    if (writer->count == 0)
        writer_put(writer, "device memory that the kernel reads or writes", "buffer ???");
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
    if (!code && writer->full)
        code = error_set(error, ERROR_DATA, "%s: the kernel has more than %d numbers or buffers", draft->request.shown,
                         WRITER_LINES_MAX);
    text_free(&data);
    text_free(&writer->args);
    return code;
}
