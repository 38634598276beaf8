/* Pages for man(1), in the macros that groff and mandoc share. */
#include <string.h>

#include "manual/page.h"

/* Appends text, in which no character becomes a request or an escape. */
static void put(struct text *text, const char *string, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (string[i] == '\\')
            text_printf(text, "\\e");
        else if (string[i] == '-')
            text_printf(text, "\\-");
        else if (string[i] == '^' || string[i] == '~')
            text_printf(text, string[i] == '^' ? "\\(ha" : "\\(ti");
        else if (string[i] == '`')
            text_printf(text, "\\(ga");
        else if ((string[i] == '.' || string[i] == '\'') && (!text->length || text->bytes[text->length - 1] == '\n'))
            text_printf(text, "\\&%c", string[i]);
        else
            text_append(text, &string[i], 1);
}

static void put_piece(struct text *text, const char *piece, size_t length, int code)
{
    text_printf(text, code ? "\\fB" : "");
    put(text, piece, length);
    text_printf(text, code ? "\\fR" : "");
}

static void put_markup(struct text *text, const char *markup, size_t length)
{
    page_pieces(text, markup, length, put_piece);
    text_append(text, "\n", 1);
}

static void title(struct page *page, const char *name, int section, const char *summary)
{
    static const char *const volumes[] = {[1] = "User Commands", [3] = "Library Functions", [5] = "File Formats"};
    text_printf(page->text, ".\\\" Made by cutune manual.\n.TH ");
    put(page->text, name, strlen(name));
    text_printf(page->text, " %d \"\" \"cutune %s\" \"%s\"\n.SH NAME\n", section, CUTUNE_VERSION, volumes[section]);
    put(page->text, name, strlen(name));
    text_printf(page->text, " \\- ");
    put_markup(page->text, summary, strlen(summary));
}

static void section(struct page *page, const char *name)
{
    text_printf(page->text, ".SH ");
    for (; *name; name++)
        text_printf(page->text, "%c", text_upper(*name));
    text_append(page->text, "\n", 1);
}

static void subsection(struct page *page, const char *name)
{
    text_printf(page->text, ".SS ");
    put_markup(page->text, name, strlen(name));
}

static void synopsis(struct page *page, const char *command, const char *arguments)
{
    text_printf(page->text, page->synopses ? ".br\n\\fB" : "\\fB");
    put(page->text, command, strlen(command));
    text_printf(page->text, "\\fR [\\fIOPTION\\fR...]");
    if (*arguments) {
        text_printf(page->text, " \\fI");
        put(page->text, arguments, strlen(arguments));
        text_printf(page->text, "\\fR");
    }
    text_append(page->text, "\n", 1);
}

/* Begins a new paragraph, unless a heading has begun one. */
static void separate(struct text *text)
{
    const char *last = text_string(text) + (text->length ? text->length - 1 : 0);
    while (last > text->bytes && last[-1] != '\n')
        last--;
    if (strncmp(last, ".SH ", 4) != 0 && strncmp(last, ".SS ", 4) != 0)
        text_printf(text, ".PP\n");
}

static void paragraph(struct page *page, const char *markup, size_t length)
{
    separate(page->text);
    put_markup(page->text, markup, length);
}

static void code(struct page *page, const char *lines)
{
    separate(page->text);
    text_printf(page->text, ".RS 4\n.nf\n");
    put(page->text, lines, strlen(lines));
    text_printf(page->text, "%s.fi\n.RE\n",
                page->text->length && page->text->bytes[page->text->length - 1] == '\n' ? "" : "\n");
}

static void items(struct page *page, const char *name, const char *meaning)
{
    (void)page, (void)name, (void)meaning;
}

static void item(struct page *page, const struct page_item *item)
{
    text_printf(page->text, ".TP\n");
    for (int i = 0; i < 2 && item->names[i]; i++) {
        text_printf(page->text, i ? ", \\fB" : "\\fB");
        put(page->text, item->names[i], strlen(item->names[i]));
        text_printf(page->text, "\\fR");
    }
    if (item->argument) {
        text_printf(page->text, "=\\fI");
        put(page->text, item->argument, strlen(item->argument));
        text_printf(page->text, "\\fR");
    }
    text_append(page->text, "\n", 1);
    put_markup(page->text, item->meaning, strlen(item->meaning));
}

const struct page_format page_roff = {.name = "man",
                                      .alone = true,
                                      .title = title,
                                      .section = section,
                                      .subsection = subsection,
                                      .synopsis = synopsis,
                                      .paragraph = paragraph,
                                      .code = code,
                                      .items = items,
                                      .item = item};
