#include "commands/check_work.h"

#include <math.h>

#include "base/text.h"

int check_work(const struct space *space, const struct valid_set *set, char range[CHECK_WORK_BYTES],
               struct error *error)
{
    uint64_t count = valid_set_count(set), looks = count < CHECK_WORK_LOOKS ? count : CHECK_WORK_LOOKS;
    double least = INFINITY, most = 0;
    *range = '\0';
    for (uint64_t i = 0; i < looks; i++) {
        uint32_t choices[SPACE_PARAMETERS_MAX];
        struct work_amounts amounts;
        valid_set_get(set, i * (count / looks), choices);
        int code = space_work(space, choices, &amounts, error);
        if (code || isnan(amounts.work))
            return code;
        least = fmin(least, amounts.work);
        most = fmax(most, amounts.work);
    }
    if (looks == 0)
        return 0;
    size_t used = (size_t)text_format(range, CHECK_WORK_BYTES, least < most ? "%.10g to %.10g" : "%.10g", least, most);
    if (looks < count)
        text_format(range + used, CHECK_WORK_BYTES - used, ", in %d of the configurations", CHECK_WORK_LOOKS);
    return 0;
}
