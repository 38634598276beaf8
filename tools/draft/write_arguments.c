/* Writes the problem sizes, the buffers and the arguments of a kernel. */
#include <string.h>

#include "base/symbol.h"
#include "draft/classes.h"
#include "draft/writer.h"
#include "evaluate/argument_types.h"

enum { NO_ARGUMENT = LAUNCH_ARGUMENTS_MAX };

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
    writer->full |= writer->number_count == WRITER_LINES_MAX;
    if (!writer->full)
        writer->numbers[writer->number_count++] =
            (struct line){writer_say(writer, "problem %s = %s", name, value ? value : "???"),
                          value ? writer_say(writer, "value of '%s' in line %d", what, draft->launch.line)
                                : writer_say(writer, "value of '%s'", what)};
    if (host)
        launch_alias(&draft->launch, host, name);
    return name;
}

const char *writer_number(struct writer *writer, const char *base, const char *what)
{
    return put_number(writer, base, what, NO_ARGUMENT);
}

static const char *declared_type(const struct draft *draft, size_t number)
{
    bool same = draft->kernel.parameter_count == draft->answer.parameter_count;
    return same ? draft->kernel.parameters[number].type : "";
}

/* Adds an argument that a person has to write. */
static void leave_argument(struct writer *writer, const char *comment)
{
    const char *before = writer->args_comment;
    add_argument(writer, "???");
    writer->args_comment = before ? writer_say(writer, "%s; %s", before, comment) : comment;
}

bool writer_is_view(const char *type)
{
    return strstr(type, "cudaTextureObject_t") || strstr(type, "cudaSurfaceObject_t");
}

const char *writer_view(struct writer *writer, const char *type, const char *name)
{
    const bool surface = strstr(type, "cudaSurfaceObject_t");
    const char *data = draft_name(writer->draft, writer_say(writer, "%s_data", name), DRAFT_BUFFER);
    writer->inout |= surface;
    writer_put(writer, writer_say(writer, "type and number of the %s of '%s'", surface ? "elements" : "texels", name),
               "buffer %s ???[???] %s", data, surface ? "zero inout" : "random");
    if (surface)
        writer_put(writer, "type of an element; then WIDTH, or WIDTH, HEIGHT", "surface %s = %s ???", name, data);
    else
        writer_put(writer, "type of a texel; then WIDTH, or WIDTH, HEIGHT point|linear", "texture %s = %s ???", name,
                   data);
    return name;
}

static void put_tensor_map(struct writer *writer, const char *name)
{
    const char *data = draft_name(writer->draft, writer_say(writer, "%s_data", name), DRAFT_BUFFER);
    writer_put(writer, writer_say(writer, "type and number of the elements of '%s'", name), "buffer %s ???[???] random",
               data);
    writer_put(writer, "elements in each dimension, the innermost first; and those that a copy moves",
               "tensor_map %s over %s size ??? box ???", name, data);
    add_argument(writer, name);
}

static void put_class(struct writer *writer, size_t number, const char *name)
{
    struct draft *draft = writer->draft;
    size_t bytes = draft->answer.parameters[number].bytes;
    struct text text = {0};
    if (strstr(declared_type(draft, number), "CUtensorMap") ||
        (bytes == TENSOR_MAP_BYTES && !draft->classes[number].members))
        put_tensor_map(writer, name);
    else if (classes_write(writer, &draft->classes[number], bytes, name, &text))
        add_argument(writer, text_string(&text));
    else
        leave_argument(writer, writer_say(writer, "'%s' is %s of %zu bytes, as struct { MEMBER, ... }", name,
                                          draft->answer.parameters[number].type, bytes));
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
                    put_number(writer, writer_say(writer, "%s_%c", name, "xyzw"[i]),
                               writer_say(writer, "%s.%c", name, "xyzw"[i]), NO_ARGUMENT));
    text_printf(&text, " }");
    add_argument(writer, text_string(&text));
    writer->failed |= text.failed;
    text_free(&text);
}

static void put_value(struct writer *writer, size_t number, const char *name)
{
    struct draft *draft = writer->draft;
    const struct element_type *element = draft->answer.parameters[number].element;
    const char *declared = declared_type(draft, number);
    if (writer_is_view(declared)) {
        add_argument(writer, writer_view(writer, declared, name));
    } else if (!element) {
        put_class(writer, number, name);
    } else if (element->components > 1) {
        put_vector(writer, element, name);
    } else {
        const char *value = put_number(writer, name, name, number);
        if (!*writer->size && element->family != FAMILY_FLOAT)
            writer->size = value;
        add_argument(writer, writer_say(writer, "%s %s", element->name, value));
    }
}

/* The contents of a buffer: numbers for floats, zeros for integers, which may be indices. */
const char *writer_buffer(struct writer *writer, const struct argument_answer *answer, bool written, const char *base,
                          const char *own)
{
    const struct element_type *type = answer->element;
    const char *name = draft_name(writer->draft, base, DRAFT_BUFFER);
    bool is_float = type && type->family == FAMILY_FLOAT;
    const char *fill = written ? "zero inout" : is_float ? "random" : "zero";
    const char *what = writer_say(writer, "elements of '%s'", own), *counted = type ? type->name : "uchar";
    writer->inout |= written;
    if (strstr(answer->type, "void")) {
        counted = "???";
        what = writer_say(writer, "type and number of the elements of '%s'", own);
    } else if (!type) {
        what = writer_say(writer, "bytes of '%s', which is %s", own, answer->type);
    } else if (!written && !is_float) {
        what = writer_say(writer, "elements of '%s'; if not zeros: random 0..9, iota, file(\"%s.npy\")", own, base);
    }
    writer_put(writer, what, "buffer %s %s[???] %s", name, counted, fill);
    return name;
}

static void put_buffer(struct writer *writer, size_t number, const char *own)
{
    struct draft *draft = writer->draft;
    const struct argument_answer *answer = &draft->answer.parameters[number];
    bool written = !answer->constant && (!draft->code.compiled || draft->code.changed >> number & 1u);
    add_argument(writer, writer_buffer(writer, answer, written, own, own));
}

void writer_argument(struct writer *writer, size_t number)
{
    struct draft *draft = writer->draft;
    const struct argument_answer *answer = &draft->answer.parameters[number];
    const char *own = draft_parameter_name(draft, number);
    if (!answer->points) {
        const char *declared = declared_type(draft, number);
        bool object = writer_is_view(declared) || strstr(declared, "CUtensorMap");
        put_value(writer, number, object ? draft_name(draft, own, DRAFT_BUFFER) : own);
    } else if (strchr(answer->type, '*') != strrchr(answer->type, '*')) {
        leave_argument(writer, writer_say(writer, "'%s' is %s: cutune passes buffers of numbers, not of pointers", own,
                                          answer->type));
    } else {
        put_buffer(writer, number, own);
    }
}

/* ---- Constants ---- */

/* Adds a buffer with the elements of a constant. */
static void put_contents(struct writer *writer, const char *symbol, const char *name)
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
    const char *data = draft_name(draft, writer_say(writer, "%s_data", name), DRAFT_BUFFER);
    writer_put(writer, type && count ? "" : writer_say(writer, "type and number of the elements of '%s'", name),
               "buffer %s %s[%s] random", data, type ? type : "???", count ? count : "???");
    writer_put(writer, "the __constant__ variable", "constant %s = %s", symbol, data);
}

void writer_constant(struct writer *writer, size_t number)
{
    const char *symbol = writer->draft->code.constants[number];
    struct text value = {0};
    size_t length;
    const char *word = symbol_word(symbol, &length);
    if (classes_write_constant(writer, number, &value))
        writer_put(writer, "the __constant__ variable", "constant %s = %s", symbol, text_string(&value));
    else
        put_contents(writer, symbol, writer_say(writer, "%.*s", (int)length, word));
    writer->failed |= value.failed;
    text_free(&value);
}
