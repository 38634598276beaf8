/* Texts and numbers of a chart's drawing. */
#include <math.h>
#include <string.h>

#include "report/chart_draw.h"
#include "report/html.h"

/* Widths of ' ' to '~', in thousandths of the size, in DejaVu Sans, the widest of the usual fonts in place of
 * Helvetica: a chart has room for the text in every one of them. */
static const short widths[] = {318,  401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337,
                               636,  636, 636, 636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531,
                               1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787,
                               603,  787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500,
                               500,  613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612,
                               635,  635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838};

static bool continues(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80; /* of UTF-8 */
}

double draw_width(const char *text)
{
    double width = 0;
    for (const char *c = text; *c; c++)
        width += *c >= ' ' && *c <= '~' ? widths[*c - ' '] : continues(*c) ? 0 : 1000;
    return DRAW_SIZE * width / 1000;
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
    at = fmax(half, fmin(at, DRAW_WIDTH - half));
    if (at - half < *end)
        return;
    draw_text(drawing->svg, at, drawing->bottom + DRAW_SIZE + 1, label, DRAW_WIDTH);
    *end = at + half + DRAW_GAP;
}
