#include "tools/html.h"

#include <stdarg.h>
#include <string.h>

void html_escape(struct text *text, const char *string)
{
    for (; *string; string++) {
        unsigned char c = (unsigned char)*string;
        const char *name = c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : NULL;
        if (c == '\'')
            name = "&#39;";
        if (c < ' ' || c == 0x7f)
            name = " ";
        text_append(text, name ? name : string, name ? strlen(name) : 1);
    }
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

void html_json(struct text *text, const cJSON *json)
{
    char *printed = cJSON_PrintUnformatted(json);
    if (!printed) {
        text->failed = true;
        return;
    }
    /* These three occur in strings only, where the escape means the same. */
    for (const char *c = printed; *c; c++)
        if (*c == '<' || *c == '>' || *c == '&')
            text_printf(text, "\\u%04x", (unsigned)*c);
        else
            text_append(text, c, 1);
    cJSON_free(printed);
}
