/* A page of the manual: sections, paragraphs, tables of items, code. Written piece by piece, top to bottom, in one of
 * two formats. All text is appended; `text` records a lack of memory.
 *
 * In paragraphs and items, `...` quotes code; everything else stands for itself in every format. */
#ifndef CUTUNE_MANUAL_PAGE_H
#define CUTUNE_MANUAL_PAGE_H

#include <stdbool.h>

#include "base/text.h"

struct page;

/* Names of a row, in code: "-o" and "--output", its argument and its meaning. */
struct page_item {
    const char *names[2]; /* the second may be NULL */
    const char *argument; /* NULL: none */
    const char *meaning;
};

struct page_format {
    const char *name; /* for --format */
    bool alone;       /* a document by itself, which names related ones */
    /* Head of the page, with its name and a one-line summary. */
    void (*title)(struct page *page, const char *name, int section, const char *summary);
    void (*section)(struct page *page, const char *title); /* "See also" */
    void (*subsection)(struct page *page, const char *title);
    /* A line of a synopsis; `arguments` come after [OPTION...]; "": none. */
    void (*synopsis)(struct page *page, const char *command, const char *arguments);
    void (*paragraph)(struct page *page, const char *markup, size_t length);
    void (*code)(struct page *page, const char *lines);
    /* Begins a table of items, whose columns have these heads. */
    void (*items)(struct page *page, const char *name, const char *meaning);
    void (*item)(struct page *page, const struct page_item *item);
};
extern const struct page_format page_roff;
/* For other documents: no title, and sections are headings of level 3. */
extern const struct page_format page_markdown;
/* Names of both, as an option's choices. */
#define PAGE_FORMATS "man|markdown"
const struct page_format *page_format_find(const char *name);

struct page {
    const struct page_format *format;
    struct text *text;
    size_t synopses; /* number since the section began */
};

void page_title(struct page *page, const char *name, int section, const char *summary);
void page_section(struct page *page, const char *title);
void page_subsection(struct page *page, const char *title);
void page_synopsis(struct page *page, const char *command, const char *arguments);
/* One paragraph or more; NULL: none. */
void page_text(struct page *page, const char *markup);
/* Related pages, in a page that is a document by itself. */
void page_see_also(struct page *page, const char *markup);
/* Literal lines; NULL: none. */
void page_code(struct page *page, const char *lines);
void page_items(struct page *page, const char *name, const char *meaning);
void page_item(struct page *page, const char *name, const char *meaning);
void page_option(struct page *page, const struct page_item *item);

/* pieces.c, for formats: writes `markup` in pieces, each of which is code or is not. */
void page_pieces(struct text *text, const char *markup, size_t length,
                 void (*put)(struct text *text, const char *piece, size_t length, int code));

#endif
