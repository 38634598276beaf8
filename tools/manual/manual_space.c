#include <string.h>

#include "base/arena.h"
#include "base/limits.h"
#include "expression/expr.h"
#include "language/clauses.h"
#include "language/statement.h"
#include "manual/manual.h"
#include "transpose_space.inc"

/* Number of times that a statement may occur. */
static const char *occurrences(struct arena *arena, const struct statement *statement)
{
    const char *space = statement->flags & STATEMENT_ALONE ? "A space" : "A space with a kernel";
    if (statement->most == 1)
        return arena_printf(arena, "%s %s one.", space, statement->least ? "has exactly" : "may have");
    return arena_printf(arena, "%s %s %zu.", space, statement->least ? "has one or more, up to" : "may have up to",
                        statement->most);
}

/* Appends a line of the language, continued where it is long. */
static void put_line(struct text *text, const char *line, size_t length)
{
    enum { WIDTH = 72 };
    while (length > WIDTH) {
        size_t kept = WIDTH;
        while (kept && line[kept] != ' ')
            kept--;
        if (!kept)
            break;
        text_append(text, line, kept);
        text_printf(text, " \\\n    ");
        line += kept + 1;
        length -= kept + 1;
    }
    text_append(text, line, length);
    text_append(text, "\n", 1);
}

/* The forms of a statement, "A   or: B   (NOTE)", as lines: the note is a comment. */
static void put_usage(struct page *page, const char *usage)
{
    static const char another[] = "   or: ", note[] = "   (";
    struct text lines = {0};
    while (*usage) {
        const char *next = strstr(usage, another), *comment = strstr(usage, note);
        const char *end = next && (!comment || next < comment) ? next : comment ? comment : usage + strlen(usage);
        put_line(&lines, usage, (size_t)(end - usage));
        if (end == next) {
            usage = next + strlen(another);
        } else {
            if (end == comment)
                text_printf(&lines, "# %.*s\n", (int)strlen(comment) - (int)strlen(note) - 1, comment + strlen(note));
            break;
        }
    }
    page->text->failed |= lines.failed;
    page_code(page, text_string(&lines));
    text_free(&lines);
}

/* Puts "`a`, `b` or `c`" before the meaning of a clause that takes one of these words. */
static const char *clause_meaning(struct arena *arena, const struct clause *clause)
{
    struct text text = {0};
    for (size_t i = 0; clause->words && i < clause->words->count; i++)
        text_printf(&text, "`%s`%s", clause->words->words[i],
                    i + 1 == clause->words->count   ? ": "
                    : i + 2 == clause->words->count ? " or "
                                                    : ", ");
    text_printf(&text, "%s", clause->meaning);
    const char *meaning = text.failed ? NULL : arena_copy(arena, text.bytes, text.length);
    text_free(&text);
    return meaning;
}

static void put_statement(struct page *page, struct arena *arena, const struct statement *statement)
{
    const char *often = occurrences(arena, statement);
    const char *summary =
        arena_printf(arena, "`%s`: %s", statement->keyword, statement->summary ? statement->summary : "");
    page->text->failed |= !often || !summary;
    if (!often || !summary)
        return;
    page_subsection(page, summary);
    put_usage(page, statement->usage);
    page_text(page, statement->text);
    if (statement->clause_count)
        page_items(page, "clause", "meaning");
    for (size_t i = 0; i < statement->clause_count; i++) {
        const char *meaning = clause_meaning(arena, &statement->clauses[i]);
        page->text->failed |= !meaning;
        page_item(page, statement->clauses[i].keyword, meaning ? meaning : "");
    }
    page_text(page, often);
    if (statement->example)
        page_text(page, "For example:");
    page_code(page, statement->example);
}

static void put_expressions(struct page *page)
{
    page_section(page, "Expressions");
    page_text(page,
              "Expressions are those of C, on integers of 64 bits, floats and words. Overflow and division by zero are "
              "errors that name the configuration. So are expressions that C reads in another way than most people do: "
              "`1 <= A <= 8`, "
              "`!A == 3`, `A & 7 == 0`, `1 << A + B`, `A == 1 || 2`, `N * A ? 2 : 1`, `2 ^ A`, `1 / 2`. Parentheses "
              "resolve the ambiguity. The operators, the tightest first:");
    page_items(page, "operators", "meaning");
    for (size_t i = 0; i < expr_operators_count; i++)
        page_item(page, expr_operators[i].signs, expr_operators[i].meaning);
    page_text(page, "The functions:");
    page_items(page, "function", "value");
    for (size_t i = 0; i < expr_function_count; i++)
        page_item(page, expr_functions[i].usage, expr_functions[i].meaning);
}

static void put_types(struct page *page, struct arena *arena)
{
    page_section(page, "Types");
    page_text(page,
              "Elements of buffers have one of these types. A scalar argument is one number, so its type cannot be a "
              "vector.");
    page_items(page, "type", "in the kernel");
    for (size_t i = 0; i < element_type_count; i++) {
        const struct element_type *type = &element_types[i];
        const char *meaning = arena_printf(arena, "`%s`, %zu byte%s%s", type->c_name, (size_t)type->bytes,
                                           type->bytes == 1 ? "" : "s", type->texture ? "; textures may have it" : "");
        page->text->failed |= !meaning;
        page_item(page, type->name, meaning ? meaning : "");
    }
}

static void put_buffers(struct page *page)
{
    page_section(page, "Buffers");
    page_text(page, "The role of a buffer in a configuration's run:");
    page_items(page, "behind TYPE[COUNT]", "the buffer is");
    for (int i = 0; i < BUFFER_ROLES; i++)
        page_item(page, buffer_roles[i].usage, buffer_roles[i].meaning);
    page_text(page, "A FILL is the contents before the run:");
    page_items(page, "fill", "contents");
    for (int i = FILL_NONE + 1; i < FILL_COUNT; i++)
        page_item(page, fills[i].usage, fills[i].meaning);
}

static void put_limits(struct page *page)
{
    page_section(page, "Device limits");
    page_text(
        page,
        "These names are numbers in expressions. `cutune devices` shows their values; `-D` does not change them.");
    page_items(page, "name", "limit");
    for (size_t i = 0; i < limit_count; i++)
        page_item(page, limit_rows[i].name, limit_rows[i].description);
}

void manual_space(struct page *page)
{
    struct arena arena = {0};
    page_title(page, "cutune-space", 5, "the language of space files");
    page_section(page, "Description");
    page_text(
        page,
        "A space file declares the kernel to tune, its parameters, and the check of its results. It is text with one "
        "statement on a line; a `\\` at the end continues the line, and `#` begins a comment. Statements may "
        "come in any "
        "order, except that `space` is the first; a problem size or named expression is declared above its uses "
        "in other "
        "declarations. The source sees parameters and the names of `define` as macros.\n"
        "cutune reports all errors of a file at once, each with its place and the expected text.\n"
        "A `???` stands for a part that you have yet to write, as in `problem LENGTH = ???  # elements of a vector`. "
        "Such a part is an error whose message has the comment behind it. `cutune init` writes such lines.");
    page_section(page, "Example");
    page_text(page, "The template `transpose`, which `cutune --space transpose` tunes:");
    page_code(page, transpose_space);
    page_section(page, "Statements");
    for (size_t i = 0; i < statement_count; i++)
        put_statement(page, &arena, statements[i]);
    put_expressions(page);
    put_types(page, &arena);
    put_buffers(page);
    put_limits(page);
    page_see_also(page, "`cutune`(1), `cutune-check`(1), `cutune-journal`(5)");
    arena_free(&arena);
}
