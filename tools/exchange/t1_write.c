#include "exchange/t1_write.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "space/value.h"

enum { MARGIN = 110 };

/* Remembers where the next line of `statements` comes from. */
static void add_origin(struct t1_space *space, size_t at)
{
    if (space->origin_count == space->origin_room) {
        size_t room = space->origin_room ? space->origin_room * 2 : 64;
        struct t1_origin_row *origins = realloc(space->origins, room * sizeof *origins);
        if (!origins) {
            space->failed = true;
            return;
        }
        space->origins = origins;
        space->origin_room = room;
    }
    space->origins[space->origin_count++] = (struct t1_origin_row){space->lines + 1, at};
}

size_t t1_origin(const struct t1_space *space, int line)
{
    size_t at = 0;
    for (size_t i = 0; i < space->origin_count && space->origins[i].line + space->head <= (size_t)line; i++)
        at = space->origins[i].at;
    return at;
}

/* ---- What is said at the top ---- */

bool t1_set_title(struct t1_space *space, const char *title)
{
    for (const char *c = title; *c; c++)
        if (*c == '"' || (unsigned char)*c < ' ' || *c == 0x7f)
            return false;
    text_printf(&space->title, "%s", title);
    return true;
}

void t1_note(struct t1_space *space, const char *format, ...)
{
    char note[512];
    va_list arguments;
    va_start(arguments, format);
    text_vformat(note, sizeof note, format, arguments);
    va_end(arguments);
    text_append_clean(&space->notes, note, "", ' ');
    text_append(&space->notes, "\n", 1);
}

/* ---- Parameters ---- */

static struct value as_value(const struct python_value *value)
{
    if (value->kind == PYTHON_FLOAT)
        return (struct value){.kind = VALUE_FLOAT, .real = value->real};
    if (value->kind == PYTHON_TEXT)
        return (struct value){.kind = VALUE_WORD, .word = value->text};
    return (struct value){.kind = VALUE_INT, .integer = value->integer};
}

static bool is_integer(const struct python_value *value)
{
    return value->kind <= PYTHON_INT;
}

/* How many values from the first on go up by the same step; `times`: by the same factor. */
static size_t run_length(const struct python_value *values, size_t count, bool times, int64_t *step)
{
    size_t length = 1;
    if (count < 2 || !is_integer(&values[0]) || !is_integer(&values[1]))
        return 1;
    int64_t a = values[0].integer, b = values[1].integer;
    if (times ? a < 1 || b / a < 2 || b % a : __builtin_sub_overflow(b, a, step) || *step < 1)
        return 1;
    if (times)
        *step = b / a;
    for (; length < count && is_integer(&values[length]); length++) {
        int64_t next;
        bool over = times ? __builtin_mul_overflow(values[length - 1].integer, *step, &next)
                          : __builtin_add_overflow(values[length - 1].integer, *step, &next);
        if (over || next != values[length].integer)
            break;
    }
    return length;
}

/* Writes one value, or as many as make a range, and returns how many. */
static size_t write_some(const struct python_value *values, size_t count, char *buffer, size_t room)
{
    enum { RANGE_MIN = 4 };
    char first[VALUE_TEXT_BYTES];
    int64_t step = 1, factor = 1;
    size_t added = run_length(values, count, false, &step), times = run_length(values, count, true, &factor);
    struct value value = as_value(&values[0]);
    value_text(&value, first, sizeof first);
    if (added < RANGE_MIN && times < RANGE_MIN) {
        snprintf(buffer, room, "%s", first);
        return 1;
    }
    size_t length = times > added ? times : added;
    long long last = values[length - 1].integer;
    if (times > added)
        snprintf(buffer, room, "%s..%lld times %lld", first, last, (long long)factor);
    else if (step > 1)
        snprintf(buffer, room, "%s..%lld step %lld", first, last, (long long)step);
    else
        snprintf(buffer, room, "%s..%lld", first, last);
    return length;
}

static bool has_bool(const struct python_name *name)
{
    for (size_t i = 0; i < name->count; i++)
        if (name->values[i].kind == PYTHON_BOOL)
            return true;
    return false;
}

/* Appends a word to the line that began at *start, or to a continued one. */
static void append_wrapped(struct t1_space *space, struct text *text, size_t *start, const char *word)
{
    if (text->length - *start + strlen(word) > MARGIN) {
        text_printf(text, " \\\n     ");
        *start = text->length - strlen("     ");
        space->lines += text == &space->statements;
    }
    text_printf(text, " %s", word);
}

int t1_add_parameter(struct t1_space *space, const struct python_name *name, size_t standard, size_t at)
{
    char word[3 * VALUE_TEXT_BYTES];
    size_t start = space->statements.length;
    add_origin(space, at);
    text_printf(&space->statements, "param %s =", name->name);
    for (size_t i = 0; i < name->count;) {
        i += write_some(name->values + i, name->count - i, word, sizeof word - 1);
        if (i < name->count)
            memcpy(word + strlen(word), ",", 2);
        append_wrapped(space, &space->statements, &start, word);
    }
    text_printf(&space->statements, "%s\n", has_bool(name) ? "   # True is 1, False is 0" : "");
    space->lines++;
    if (standard == T1_NO_DEFAULT) {
        space->without_default++;
        t1_note(space, "a default of %s, which the file does not give: the first value stands in its place",
                name->name);
        standard = 0;
    } else {
        space->has_default = true;
    }
    struct value value = as_value(&name->values[standard]);
    char text[VALUE_TEXT_BYTES];
    text_printf(&space->standard, "%s=%s\n", name->name, value_text(&value, text, sizeof text));
    return space->failed || space->statements.failed || space->standard.failed || space->notes.failed;
}

int t1_add_condition(struct t1_space *space, const char *condition, size_t at)
{
    add_origin(space, at);
    text_printf(&space->statements, "require %s\n", condition);
    space->lines++;
    return space->failed || space->statements.failed;
}

/* ---- The file ---- */

/* The lines of `from`, each with a prefix. */
static void append_lines(struct text *out, const struct text *from, const char *prefix)
{
    for (const char *line = text_string(from), *end; (end = strchr(line, '\n')); line = end + 1)
        text_printf(out, "%s%.*s\n", prefix, (int)(end - line), line);
}

static void write_default(struct t1_space *space, struct text *out)
{
    size_t start = out->length;
    char item[2 * VALUE_TEXT_BYTES];
    add_origin(space, 0);
    if (!space->has_default)
        return;
    text_printf(out, "default");
    for (const char *line = text_string(&space->standard), *end; (end = strchr(line, '\n')); line = end + 1) {
        snprintf(item, sizeof item, "%.*s", (int)(end - line), line);
        append_wrapped(space, out, &start, item);
    }
    text_printf(out, "\n");
}

int t1_write(struct t1_space *space, const char *name, struct text *out, struct text *notes)
{
    size_t from = out->length;
    text_printf(out, "# Imported from the T1 description ");
    text_append_clean(out, name, "", ' ');
    text_printf(out, ". It has no kernel yet: it can be checked, and tuned once the\n"
                     "# statements kernel, buffer, args, block, grid and reference are added.\n");
    if (space->notes.length) {
        text_printf(out, "#\n# Not imported:\n");
        append_lines(out, &space->notes, "#   ");
    }
    text_printf(out, "space 1\n");
    if (space->title.length)
        text_printf(out, "title \"%s\"\n", text_string(&space->title));
    text_printf(out, "\n");
    for (size_t i = from; i < out->length; i++)
        space->head += out->bytes[i] == '\n';
    text_append(out, text_string(&space->statements), space->statements.length);
    text_printf(out, "\n");
    write_default(space, out);
    append_lines(notes, &space->notes, "");
    return space->failed || out->failed || notes->failed || space->notes.failed || space->title.failed;
}

void t1_free(struct t1_space *space)
{
    text_free(&space->title);
    text_free(&space->notes);
    text_free(&space->statements);
    text_free(&space->standard);
    free(space->origins);
}
