#include "base/samples_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void samples_text_print(struct text *text, const double *samples_ns, size_t count)
{
    char number[TEXT_REAL_BYTES];
    for (size_t i = 0, run; i < count; i += run) {
        for (run = 1; i + run < count && samples_ns[i + run] == samples_ns[i];)
            run++;
        text_printf(text, "%s%s", i ? " " : "", text_real(samples_ns[i], number));
        if (run > 1)
            text_printf(text, "*%zu", run);
    }
}

/* Reads the entry at *at and moves *at behind it; false: another text. */
static bool read_entry(const char **at, double *ns, unsigned long *times)
{
    char *end = (char *)(uintptr_t)*at;
    bool good = text_is_digit(**at); /* neither a sign, nor a word, nor white space */
    *times = 1;
    if (good)
        *ns = text_number(*at, &end);
    good = good && isfinite(*ns) && strcspn(*at, "xXpP") >= (size_t)(end - *at);
    if (good && *end == '*') {
        good = text_is_digit(end[1]) && end[1] != '0';
        *times = strtoul(end + 1, &end, 10);
    }
    *at = end;
    return good && (*end == ' ' || *end == '\0');
}

int samples_text_parse(const char *samples, double samples_ns[SERIES_SAMPLES_MAX], size_t *count, struct error *error)
{
    size_t entries = 0;
    *count = 0;
    while (*samples) {
        const char *entry = samples;
        double ns;
        unsigned long times;
        entries++;
        if (!read_entry(&samples, &ns, &times)) {
            error_set(error, ERROR_DATA, "entry %zu of the samples, '%.*s', is not a time in ns", entries,
                      (int)(strcspn(entry, " ") < 40 ? strcspn(entry, " ") : 40), entry);
            error_hint(error, "expected times that one space separates; TIME*COUNT for equal ones in a row");
            return ERROR_DATA;
        }
        if (times > SERIES_SAMPLES_MAX - *count)
            return error_set(error, ERROR_DATA, "more than %d samples", SERIES_SAMPLES_MAX);
        for (; times > 0; times--)
            samples_ns[(*count)++] = ns;
        if (*samples == ' ' && !*++samples)
            return error_set(error, ERROR_DATA, "a space behind the last of %zu samples", *count);
    }
    return 0;
}

int samples_text_check(const char *samples, uint32_t count, struct error *error)
{
    double samples_ns[SERIES_SAMPLES_MAX];
    size_t found;
    if (!*samples)
        return 0;
    int code = samples_text_parse(samples, samples_ns, &found, error);
    return code || found == count ? code
                                  : error_set(error, ERROR_DATA, "%zu samples where the count is %u", found, count);
}

int samples_text_multiply(struct text *text, const char *samples, double factor, struct error *error)
{
    double samples_ns[SERIES_SAMPLES_MAX];
    size_t count;
    int code = samples_text_parse(samples, samples_ns, &count, error);
    for (size_t i = 0; i < count && !code; i++)
        samples_ns[i] *= factor;
    if (!code)
        samples_text_print(text, samples_ns, count);
    return code ? code : text->failed ? error_memory(error) : 0;
}
