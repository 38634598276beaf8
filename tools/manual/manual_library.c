/* The library's page: the comments of cutune.h as text and its code as code. */
#include <string.h>

#include "base/arena.h"
#include "cutune_header.inc"
#include "manual/manual.h"

static void trim(struct text *text)
{
    while (text->length && text->bytes[text->length - 1] == ' ')
        text->bytes[--text->length] = '\0';
}

/* Writes "/ * ---- Title ---- * /" as a section, another comment as a paragraph. Returns its end. */
static const char *put_comment(struct page *page, const char *at)
{
    struct text text = {0};
    const char *end = strstr(at, "*/");
    if (!end)
        return at + strlen(at);
    if (strncmp(at, "/* ---- ", 8) == 0) {
        const char *title = at + 8;
        text_append(&text, title, strcspn(title, "-"));
        trim(&text);
        page_section(page, text_string(&text));
    } else {
        for (at += 2; at < end;) { /* strips the " * " of the lines and joins them */
            at += strspn(at, at[0] == ' ' && at[1] == '*' ? " *" : " ");
            size_t length = strcspn(at, "\n");
            if (at + length > end)
                length = (size_t)(end - at);
            const char *between = !text.length ? "" : !length ? "\n" : text.bytes[text.length - 1] == '\n' ? "" : " ";
            text_printf(&text, "%s%.*s", between, (int)length, at);
            at += length + 1;
        }
        trim(&text);
        page_text(page, text_string(&text));
    }
    page->text->failed |= text.failed;
    text_free(&text);
    return end + strcspn(end, "\n");
}

/* Writes the lines up to an empty one or a comment; returns their end. */
static const char *put_code(struct page *page, const char *at, const char *stop)
{
    struct text text = {0};
    while (at < stop && *at != '\n' && strncmp(at, "/*", 2) != 0) {
        size_t length = strcspn(at, "\n");
        /* Drops the export mark, and the indentation that it causes in the lines below. */
        size_t mark = strlen("CUTUNE_API "), spaces = strspn(at, " ");
        size_t skipped = strncmp(at, "CUTUNE_API ", mark) == 0 || spaces > mark ? mark : 0;
        text_printf(&text, "%.*s\n", (int)(length - skipped), at + skipped);
        at += length + 1;
    }
    page_code(page, text_string(&text));
    page->text->failed |= text.failed;
    text_free(&text);
    return at;
}

void manual_library(struct page *page)
{
    const char *at = strstr(cutune_header, "/* ---- "), *stop = strstr(cutune_header, "#ifdef __cplusplus\n}");
    page_title(page, "cutune", 3, "choose tuned configurations and compile them, and search by ask and tell");
    page_section(page, "Synopsis");
    page_code(page, "#include <cutune.h>\n#include <cutune_cuda.h>\n\ncc ... $(pkg-config --cflags --libs cutune)");
    page_section(page, "Description");
    put_comment(page, cutune_header);
    while (at && at < stop) {
        at += strspn(at, "\n");
        at = strncmp(at, "/*", 2) == 0 ? put_comment(page, at) : put_code(page, at, stop);
    }
    page_see_also(page, "`cutune`(1), `cutune-emit`(1)");
}
