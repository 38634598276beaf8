#include "session/conditions.h"

#include <string.h>

#include "base/arena.h"
#include "base/option.h"
#include "base/pairs.h"
#include "base/statistics.h"

static const struct option_row rows[] = {
#define CONDITION(...) CONDITIONS_ROW(0, __VA_ARGS__),
#include "session/conditions.def"
#undef CONDITION
};
enum { ROWS = sizeof rows / sizeof *rows };

int conditions_read(struct conditions *conditions, struct arena *arena, const char *text, struct error *error)
{
    int code = option_defaults(rows, ROWS, conditions, error);
    for (size_t i = 0; i < ROWS && !code; i++) {
        size_t length = 0;
        const char *found = pairs_value(text, rows[i].name, &length);
        const char *value = found ? arena_copy(arena, found, length) : "";
        if (!value)
            code = error_memory(error);
        else if (*value)
            code = option_set(&rows[i], conditions, value, error);
    }
    return code;
}

bool conditions_sustained(const struct conditions *conditions)
{
    return strcmp(conditions->state, "sustained") == 0;
}

int conditions_check(const struct conditions *conditions, struct error *error)
{
    size_t least = statistics_samples_least(conditions->confidence) + 1;
    if ((size_t)conditions->samples >= least)
        return 0;
    return error_set(error, ERROR_USAGE,
                     "--samples: %lld are too few for an interval of confidence %.9g, which needs %zu",
                     (long long)conditions->samples, conditions->confidence, least);
}

void conditions_text(const struct conditions *conditions, struct text *text)
{
    text_printf(text,
                "cache=%s samples=%lld confidence=%.9g target-interval=%.9g timeout=%.9g "
                "min-occupancy=%.9g",
                conditions->cache, (long long)conditions->samples, conditions->confidence,
                conditions->target_interval_percent, conditions->timeout_s, conditions->min_occupancy);
    if (conditions_sustained(conditions)) /* the default has the text of versions without the option */
        text_printf(text, " state=%s", conditions->state);
    if (conditions->power_s > 0) /* likewise */
        text_printf(text, " power=%.9g", conditions->power_s);
    text_printf(text, " " CONDITIONS_EVENTS);
}
