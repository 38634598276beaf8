#include "session/subset.h"

#include <stdlib.h>
#include <string.h>

#include "base/pairs.h"
#include "base/text.h"
#include "evaluate/rows.h"

int replayed_check_seconds(const struct journal *recorded, struct error *error)
{
    for (size_t row = 0; row < journal_row_count(recorded); row++) {
        const struct journal_row found = journal_get_row(recorded, row);
        if (found.measurement.compile_ns >= 0 || found.measurement.measure_ns >= 0)
            return 0;
    }
    error_set(error, ERROR_USAGE, "--max-time: %s has no durations", journal_file(recorded));
    error_hint(error, "use --max-evals");
    return ERROR_USAGE;
}

bool replayed_same_version(const struct journal *recorded, const struct space *space)
{
    const struct provenance *then = &journal_get_header(recorded)->provenance;
    struct provenance now = *then;
    space_describe(space, &now);
    return provenance_same(&now, then, PROVENANCE_VERSION);
}

int replayed_check_space(const struct journal *recorded, const struct space *space, const char *problem,
                         bool *same_version, struct error *error)
{
    const struct journal_header *header = journal_get_header(recorded);
    if (strcmp(header->provenance.kernel, space->name) != 0)
        return error_set(error, ERROR_DATA, "%s belongs to the kernel %s, not to %s", journal_file(recorded),
                         header->provenance.kernel, space->name);
    if (pairs_compare(header->provenance.problem, problem) != 0) {
        error_set(error, ERROR_DATA, "%s was recorded for %s, not for %s", journal_file(recorded),
                  header->provenance.problem, problem);
        error_hint(error, "choose the recorded sizes with -D");
        return ERROR_DATA;
    }
    *same_version = replayed_same_version(recorded, space);
    return 0;
}

int replayed_set(struct valid_set **set, const struct space *space, const struct journal *recorded, uint64_t *missing,
                 struct error *error)
{
    size_t width = space->parameter_count, rows = journal_row_count(recorded), kept = 0;
    struct valid_set *known = NULL;
    uint32_t *choices;
    int code = rows_choices(space, recorded, &choices, error);
    if (code)
        return code;
    for (size_t row = 0; row < rows; row++)
        if (!*set || valid_set_find(*set, choices + row * width, NULL))
            memmove(choices + kept++ * width, choices + row * width, width * sizeof *choices);
    code = valid_set_from_list(&known, space, choices, kept, error);
    free(choices);
    if (code)
        return code;
    *missing = *set ? valid_set_count(*set) - valid_set_count(known) : 0;
    valid_set_free(*set);
    *set = known;
    return 0;
}

int listed_set(struct valid_set **set, const struct space *space, const char *const *configs, size_t count,
               struct error *error)
{
    size_t width = space->parameter_count;
    uint32_t *choices = calloc(count * width, sizeof *choices);
    struct valid_set *listed = NULL;
    int code = choices ? 0 : error_memory(error);
    for (size_t i = 0; i < count && !code; i++) {
        code = space_config_parse(space, configs[i], choices + i * width, error) ? ERROR_USAGE : 0;
        if (code)
            error->code = ERROR_USAGE;
        else if (!valid_set_find(*set, choices + i * width, NULL))
            code = error_set(error, ERROR_USAGE, "--config: %s is not valid here", configs[i]);
    }
    if (!code)
        code = valid_set_from_list(&listed, space, choices, count, error);
    free(choices);
    if (code)
        return code;
    valid_set_free(*set);
    *set = listed;
    return 0;
}

int part_read(const char *text, struct part *part, struct error *error)
{
    char *slash = NULL, *end = NULL;
    *part = (struct part){0};
    if (text_is_digit(*text))
        part->number = strtoull(text, &slash, 10);
    if (slash && *slash == '/' && text_is_digit(slash[1]))
        part->of = strtoull(slash + 1, &end, 10);
    if (end && *end == '\0' && part->number >= 1 && part->number <= part->of)
        return 0;
    return error_set(error, ERROR_USAGE, "--part: '%.60s' is not K/N, part K of N, with K from 1 to N", text);
}

int part_set(struct valid_set **set, const struct space *space, const struct part *part, size_t max_bytes,
             struct error *error)
{
    size_t width = space->parameter_count;
    uint64_t all = valid_set_count(*set);
    uint64_t count = all < part->number ? 0 : (all - part->number) / part->of + 1;
    struct valid_set *listed = NULL;
    if (count > max_bytes / sizeof(uint32_t) / width) {
        error_set(error, ERROR_USAGE, "--part: a part has %llu configurations, which take more than %zu MiB",
                  (unsigned long long)count, max_bytes >> 20);
        error_hint(error, "divide the set into more parts, or raise --space-memory");
        return ERROR_USAGE;
    }
    uint32_t *choices = calloc(count * width + 1, sizeof *choices);
    int code = choices ? 0 : error_memory(error);
    for (uint64_t i = 0; i < count && !code; i++)
        valid_set_get(*set, part->number - 1 + i * part->of, choices + i * width);
    if (!code)
        code = valid_set_from_list(&listed, space, choices, count, error);
    free(choices);
    if (code)
        return code;
    valid_set_free(*set);
    *set = listed;
    return 0;
}
