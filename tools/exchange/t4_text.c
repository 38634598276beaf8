#include <math.h>
#include <string.h>

#include "base/samples_text.h"
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

int t4_samples(struct text *out, const char *samples, struct error *error)
{
    double samples_ns[SERIES_SAMPLES_MAX];
    char number[TEXT_REAL_BYTES];
    size_t count;
    int code = samples_text_parse(samples, samples_ns, &count, error);
    for (size_t i = 0; i < count && !code; i++)
        text_printf(out, "%s%s", i ? "," : "", text_real(samples_ns[i], number));
    return code;
}

int t4_read_samples(const struct json_text *json, const struct json_member *runtimes, struct text *samples)
{
    double samples_ns[SERIES_SAMPLES_MAX];
    size_t count = 0;
    const cJSON *item;
    if (!runtimes->item || !cJSON_IsArray(runtimes->item))
        return json_fail(json, runtimes->at, "'" T4_RUNTIMES "' is not a list");
    cJSON_ArrayForEach(item, runtimes->item)
    {
        if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0) || !isfinite(item->valuedouble))
            return json_fail(json, runtimes->at, "number %zu of the '" T4_RUNTIMES "' is not a time", count + 1);
        if (count == SERIES_SAMPLES_MAX)
            return json_fail(json, runtimes->at, "more than %d '" T4_RUNTIMES "'", SERIES_SAMPLES_MAX);
        samples_ns[count++] = item->valuedouble;
    }
    text_clear(samples);
    samples_text_print(samples, samples_ns, count);
    return samples->failed ? error_memory(json->error) : 0;
}
