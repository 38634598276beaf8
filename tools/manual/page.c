#include "manual/page.h"

#include <string.h>

const struct page_format *page_format_find(const char *name)
{
    return strcmp(name, page_markdown.name) == 0 ? &page_markdown : &page_roff;
}

void page_title(struct page *page, const char *name, int section, const char *summary)
{
    page->format->title(page, name, section, summary);
}

void page_section(struct page *page, const char *title)
{
    page->synopses = 0;
    page->format->section(page, title);
}

void page_subsection(struct page *page, const char *title)
{
    page->format->subsection(page, title);
}

void page_synopsis(struct page *page, const char *command, const char *arguments)
{
    page->format->synopsis(page, command, arguments);
    page->synopses++;
}

void page_text(struct page *page, const char *markup)
{
    while (markup && *markup) {
        size_t length = strcspn(markup, "\n");
        page->format->paragraph(page, markup, length);
        markup += length + (markup[length] == '\n');
    }
}

void page_see_also(struct page *page, const char *markup)
{
    if (!page->format->alone)
        return;
    page_section(page, "See also");
    page_text(page, markup);
}

void page_code(struct page *page, const char *lines)
{
    if (lines)
        page->format->code(page, lines);
}

void page_items(struct page *page, const char *name, const char *meaning)
{
    page->format->items(page, name, meaning);
}

void page_item(struct page *page, const char *name, const char *meaning)
{
    const struct page_item item = {.names = {name}, .meaning = meaning};
    page->format->item(page, &item);
}

void page_option(struct page *page, const struct page_item *item)
{
    page->format->item(page, item);
}
