/* Fragments of Markdown with GitHub's tables, to be embedded in documents. */
#include <string.h>

#include "manual/page.h"

/* Appends text outside code, escaped. */
static void put(struct text *text, const char *string, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (strchr("\\*<|`", string[i]))
            text_append(text, "\\", 1);
        text_append(text, &string[i], 1);
    }
}

static void put_piece(struct text *text, const char *piece, size_t length, int code)
{
    if (!code) {
        put(text, piece, length);
        return;
    }
    text_append(text, "`", 1);
    text_append(text, piece, length);
    text_append(text, "`", 1);
}

/* Within a table, a bar separates cells even in code. */
static void put_cell_piece(struct text *text, const char *piece, size_t length, int code)
{
    if (!code) {
        put(text, piece, length);
        return;
    }
    text_append(text, "`", 1);
    for (size_t i = 0; i < length; i++)
        text_printf(text, piece[i] == '|' ? "\\%c" : "%c", piece[i]);
    text_append(text, "`", 1);
}

/* Appends a blank line before everything except the start. */
static void separate(struct page *page)
{
    if (page->text->length)
        text_append(page->text, "\n", 1);
}

static void title(struct page *page, const char *name, int section, const char *summary)
{
    (void)page, (void)name, (void)section, (void)summary;
}

static void heading(struct page *page, const char *marks, const char *name)
{
    separate(page);
    text_printf(page->text, "%s ", marks);
    page_pieces(page->text, name, strlen(name), put_piece);
    text_append(page->text, "\n", 1);
}

static void section(struct page *page, const char *name)
{
    heading(page, "###", name);
}

static void subsection(struct page *page, const char *name)
{
    heading(page, "####", name);
}

static void synopsis(struct page *page, const char *command, const char *arguments)
{
    if (!page->synopses)
        separate(page);
    text_printf(page->text, "%s`%s [OPTION...]%s%s`\n", page->synopses ? "<br>" : "", command, *arguments ? " " : "",
                arguments);
}

static void paragraph(struct page *page, const char *markup, size_t length)
{
    separate(page);
    page_pieces(page->text, markup, length, put_piece);
    text_append(page->text, "\n", 1);
}

static void code(struct page *page, const char *lines)
{
    size_t length = strlen(lines);
    separate(page);
    text_printf(page->text, "```\n%s%s```\n", lines, length && lines[length - 1] == '\n' ? "" : "\n");
}

static void items(struct page *page, const char *name, const char *meaning)
{
    separate(page);
    text_printf(page->text, "| %s | %s |\n| --- | --- |\n", name, meaning);
}

static void item(struct page *page, const struct page_item *item)
{
    text_printf(page->text, "|");
    for (int i = 0; i < 2 && item->names[i]; i++) {
        const char *argument = i == 0 && item->names[1] ? NULL : item->argument;
        text_printf(page->text, "%s `", i ? "," : "");
        for (const char *c = item->names[i]; *c; c++)
            text_printf(page->text, *c == '|' ? "\\%c" : "%c", *c);
        text_printf(page->text, "%s", argument ? "=" : "");
        for (const char *c = argument ? argument : ""; *c; c++)
            text_printf(page->text, *c == '|' ? "\\%c" : "%c", *c);
        text_append(page->text, "`", 1);
    }
    text_printf(page->text, " | ");
    page_pieces(page->text, item->meaning, strlen(item->meaning), put_cell_piece);
    text_printf(page->text, " |\n");
}

const struct page_format page_markdown = {.name = "markdown",
                                          .title = title,
                                          .section = section,
                                          .subsection = subsection,
                                          .synopsis = synopsis,
                                          .paragraph = paragraph,
                                          .code = code,
                                          .items = items,
                                          .item = item};
