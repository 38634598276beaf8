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

void html_json(struct text *text, const cJSON *json)
{
    struct text clean = {0};
    char *printed = cJSON_PrintUnformatted(json);
    if (printed)
        text_append_clean(&clean, printed, "", TEXT_JSON);
    text->failed |= !printed || clean.failed;
    cJSON_free(printed);
    /* These three occur only in strings, where their escape means the same. */
    for (const char *c = text_string(&clean); *c; c++)
        if (*c == '<' || *c == '>' || *c == '&')
            text_printf(text, "\\u%04x", (unsigned)*c);
        else
            text_append(text, c, 1);
    text_free(&clean);
}
