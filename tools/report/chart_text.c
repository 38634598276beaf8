/* Texts and numbers of a chart's drawing. */
#include <math.h>
#include <string.h>

#include "report/chart_draw.h"
#include "report/html.h"

/* Widths of ' ' to '~' in Helvetica, and in Arial and Liberation Sans, which have the same, in thousandths of the size.
 */
static const short widths[] = {278,  278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
                               556,  556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
                               1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
                               667,  778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
                               333,  556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
                               556,  556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584};

static bool continues(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80; /* of UTF-8 */
}

double draw_width(const char *text)
{
    double width = 0;
    for (const char *c = text; *c; c++)
        width += *c >= ' ' && *c <= '~' ? widths[*c - ' '] : continues(*c) ? 0 : 600;
    return 1.17 * DRAW_SIZE * width / 1000; /* DejaVu Sans is the widest of the usual ones */
}

/* Appends a text with an ellipsis in place of the end that exceeds the width. */
static void put_fitted(struct text *svg, const char *text, double width)
{
    struct text head = {0};
    size_t end = strlen(text);
    text_append(&head, text, end);
    while (end && !head.failed && draw_width(text_string(&head)) > width) {
        do
            end--;
        while (end && continues(text[end]));
        text_clear(&head);
        text_append(&head, text, end);
        text_printf(&head, "\xe2\x80\xa6");
    }
    html_escape(svg, text_string(&head));
    svg->failed |= head.failed;
    text_free(&head);
}

void draw_number(struct text *svg, const char *before, double number)
{
    char digits[32];
    text_format(digits, sizeof digits, "%.1f", number);
    size_t length = strlen(digits);
    if (length > 2 && strcmp(digits + length - 2, ".0") == 0)
        digits[length - 2] = '\0';
    text_printf(svg, "%s%s", before, strcmp(digits, "-0") == 0 ? "0" : digits);
}

void draw_text(struct text *svg, double x, double y, const char *text, double width)
{
    text_printf(svg, "<text x=\"%ld\" y=\"%ld\">", lround(x), lround(y));
    put_fitted(svg, text, width);
    text_printf(svg, "</text>");
}

void draw_point(struct drawing *drawing, const char *before, double x, double y)
{
    draw_number(drawing->svg, before, x);
    draw_number(drawing->svg, " ", y);
}

void draw_across(struct drawing *drawing, const char *label, double at, double *end)
{
    const double half = draw_width(label) / 2;
    at = fmin(at, DRAW_WIDTH - half);
    if (at - half < *end)
        return;
    draw_text(drawing->svg, at, drawing->bottom + DRAW_SIZE + 1, label, DRAW_WIDTH);
    *end = at + half + DRAW_GAP;
}
