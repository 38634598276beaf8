#include <math.h>
#include <string.h>

#include "exchange/t4.h"

void t4_string(struct text *out, const char *text)
{
    text_append(out, "\"", 1);
    for (; *text; text++)
        if ((unsigned char)*text < ' ')
            text_printf(out, "\\u%04x", (unsigned)*text);
        else if (*text == '"' || *text == '\\')
            text_printf(out, "\\%c", *text);
        else
            text_append(out, text, 1);
    text_append(out, "\"", 1);
}

bool t4_is_number(const char *text)
{
    char *end;
    const char *digits = text + (*text == '-'), *point = strchr(text, '.');
    size_t whole = strspn(digits, "0123456789");
    if (!whole || (whole > 1 && *digits == '0') || text[strspn(text, "-+.0123456789eE")] ||
        (point && (point[1] < '0' || point[1] > '9')))
        return false;
    return isfinite(text_number(text, &end)) && *end == '\0';
}

void t4_configuration(struct text *out, const struct journal_header *header, const char *const *values)
{
    text_append(out, "{", 1);
    for (size_t p = 0; p < header->parameter_count; p++) {
        text_append(out, ",", p > 0);
        t4_string(out, header->parameters[p]);
        text_append(out, ":", 1);
        if (t4_is_number(values[p]))
            text_append(out, values[p], strlen(values[p]));
        else
            t4_string(out, values[p]);
    }
    text_append(out, "}", 1);
}
