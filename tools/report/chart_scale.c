#include "report/chart_scale.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

static const double steps[] = {1, 2, 5};
enum { STEPS = 3 };

/* The n-th of ..., 0.5, 1, 2, 5, 10, ... */
static double round_number(long n)
{
    long decade = n >= 0 ? n / STEPS : -((STEPS - 1 - n) / STEPS);
    return steps[n - decade * STEPS] * pow(10, (double)decade);
}

/* Ticks at multiples of the smallest round step of which there are few enough. */
static void put_linear(struct chart_scale *scale, double low, double high, size_t most)
{
    const double slack = 1e-9 * (high - low); /* an end that is a tick but for rounding needs no further tick */
    long n = (long)floor(log10((high - low) / (double)most)) * STEPS;
    double step, first, last;
    do {
        step = round_number(n++);
        first = floor((low + slack) / step);
        last = ceil((high - slack) / step);
    } while (last - first + 1 > (double)most);
    for (double i = first; i <= last && scale->count < CHART_TICKS_MAX; i++)
        scale->ticks[scale->count++] = i * step;
}

/* Ticks at 1, 2 and 5, or at powers of ten, or at every second, third, ... of these. */
static void put_log(struct chart_scale *scale, double low, double high, size_t most)
{
    long stride = 1, first, last;
    do {
        first = (long)floor(log10(low)) * STEPS;
        first -= ((first % stride) + stride) % stride;
        while (round_number(first + stride) <= low * (1 + 1e-9))
            first += stride;
        last = first + stride;
        while (round_number(last) < high * (1 - 1e-9))
            last += stride;
        if ((size_t)((last - first) / stride) + 1 <= most)
            break;
        stride = stride < STEPS ? STEPS : stride + STEPS;
    } while (true);
    for (long n = first; n <= last && scale->count < CHART_TICKS_MAX; n += stride)
        scale->ticks[scale->count++] = round_number(n);
}

struct chart_scale chart_scale(double low, double high, bool log, size_t most)
{
    struct chart_scale scale = {0};
    if (!(low <= high)) { /* no number */
        low = 0;
        high = 1;
    }
    if (!(high - low > 1e-9 * fabs(high))) {
        const double half = high != 0 ? 0.1 * fabs(high) : 1;
        low -= half;
        high += half;
    }
    scale.log = log && low > 0;
    (scale.log ? put_log : put_linear)(&scale, low, high, most);
    scale.low = scale.ticks[0];
    scale.high = scale.ticks[scale.count - 1];
    return scale;
}

double chart_scale_at(const struct chart_scale *scale, double number)
{
    if (scale->log)
        return log(number / scale->low) / log(scale->high / scale->low);
    return (number - scale->low) / (scale->high - scale->low);
}

const char *chart_tick(double number, char buffer[CHART_TICK_BYTES])
{
    text_format(buffer, CHART_TICK_BYTES, "%.6g", number);
    char *exponent = strstr(buffer, "e+");
    if (exponent) {
        char *digits = exponent + 2;
        while (*digits == '0')
            digits++;
        memmove(exponent + 1, digits, strlen(digits) + 1);
    }
    return buffer;
}
