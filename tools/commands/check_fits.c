#include "commands/check_fits.h"

#include <string.h>

int check_fits(const struct space *space, const struct valid_set *set, struct check_refused *refused,
               struct error *error)
{
    uint64_t count = valid_set_count(set);
    uint32_t choices[SPACE_PARAMETERS_MAX];
    struct launch launch;
    char why[sizeof refused->why];
    refused->count = 0;
    for (uint64_t i = 0; i < count; i++) {
        valid_set_get(set, i, choices);
        int code = space_launch(space, choices, &launch, error);
        if (code)
            return code;
        if (space_launch_fits(space, LAUNCH_OF_RUN, choices, why, sizeof why))
            continue;
        if (refused->count++ == 0) {
            memcpy(refused->first, choices, sizeof choices);
            memcpy(refused->why, why, sizeof why);
        }
    }
    return 0;
}
