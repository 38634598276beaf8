#include "report/html.h"

#include <stdarg.h>
#include <string.h>

void html_escape(struct text *text, const char *string)
{
    struct text clean = {0};
    text_append_clean(&clean, string, "", ' ');
    text->failed |= clean.failed;
    for (const char *c = text_string(&clean); *c; c++) {
        const char *name = *c == '&' ? "&amp;" : *c == '<' ? "&lt;" : *c == '>' ? "&gt;" : *c == '"' ? "&quot;" : NULL;
        if (*c == '\'')
            name = "&#39;";
        text_append(text, name ? name : c, name ? strlen(name) : 1);
    }
    text_free(&clean);
}

void html(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    for (; *format; format++) {
        const char *string;
        if (*format != '%') {
            text_append(text, format, 1);
            continue;
        }
        switch (*++format) {
        case 's':
            html_escape(text, va_arg(arguments, const char *));
            break;
        case 'r':
            string = va_arg(arguments, const char *);
            text_append(text, string, strlen(string));
            break;
        case 'z':
            text_printf(text, "%zu", va_arg(arguments, size_t));
            break;
        default:
            text_append(text, format, 1);
        }
    }
    va_end(arguments);
}
