/* The quality and the region of a fit over sizes as texts of a database's row. */
#include <math.h>

#include "fit/fit.h"

void fit_quality_text(const struct fit *fit, struct text *text)
{
    const struct {
        const char *name;
        double number;
    } numbers[] = {
        {"sizes", (double)fit->size_count},   {"probed", fit->probed_count ? (double)fit->probed_count : NAN},
        {"mean", fit->sample.mean},           {"fifth", fit->sample.fifth},
        {"worst", fit->sample.worst},         {"held_mean", fit->held.mean},
        {"held_fifth", fit->held.fifth},      {"held_worst", fit->held.worst},
        {"loss_percent", fit->worst_percent}, {"taken_percent", fit->taken_percent},
        {"limit_percent", fit->limit_percent}};
    const char *before = "";
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char number[40];
        if (!isfinite(numbers[i].number))
            continue;
        text_format(number, sizeof number, "%.4g", numbers[i].number);
        text_printf(text, "%s%s=%s", before, numbers[i].name, number);
        before = " ";
    }
    before = " held=";
    for (size_t s = 0; s < fit->table_sizes && isfinite(fit->held.mean); s++) {
        char number[40] = "-";
        if (fit->probed[s])
            continue;
        if (!isnan(fit->held_of[s]))
            text_format(number, sizeof number, "%.3g", fit->held_of[s]);
        text_printf(text, "%s%s", before, number);
        before = "/";
    }
}

void fit_region_text(const struct fit *fit, struct text *text)
{
    for (size_t i = 0; i < fit->sizes->size_count; i++)
        text_printf(text, "%s%s=%lld..%lld", i ? " " : "", fit->sizes->sizes[i].name,
                    (long long)fit->sizes->sizes[i].least, (long long)fit->sizes->sizes[i].most);
}
