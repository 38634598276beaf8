#include "analyse/verdict.h"

struct verdict_ratio verdict_of(const struct measurement *before, const struct measurement *now, double margin)
{
    struct verdict_ratio result = {.verdict = VERDICT_AMBIGUOUS,
                                   .ratio = now->time_ns / before->time_ns,
                                   .low = now->low_ns / before->high_ns,
                                   .high = now->high_ns / before->low_ns};
    /* A NaN makes every comparison false. */
    if (result.low >= 1 / (1 + margin) && result.high <= 1 + margin)
        result.verdict = VERDICT_SAME;
    else if (result.high < 1)
        result.verdict = VERDICT_FASTER;
    else if (result.low > 1)
        result.verdict = VERDICT_SLOWER;
    return result;
}

const char *verdict_name(enum verdict verdict)
{
    static const char *const names[VERDICT_COUNT] = {"same", "faster", "slower", "ambiguous"};
    return names[verdict];
}
