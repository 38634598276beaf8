#include "commands/judge_sizes.h"

#include <inttypes.h>
#include <string.h>

#include "base/random.h"
#include "set/valid_set.h"

/* Problem sizes below this say how the kernel works rather than how much it does: a radius, a number of bits. */
enum { LARGE = 64, TRIES = 16 };

static const int64_t granules[] = {1, 2, 8, 32, 128, 512};

static int bind(const struct space_file *file, const char *const *defines, size_t count, struct space **space,
                struct error *error)
{
    int code = space_file_parse(file, space, error);
    return code ? code : space_bind(*space, defines, count, NULL, error);
}

static bool is_valid(const struct space *space, const char *configuration)
{
    struct valid_set *set = NULL;
    struct error invalid = {0};
    uint32_t choices[SPACE_PARAMETERS_MAX];
    space_default(space, choices);
    const bool valid = (!configuration || !space_config_parse(space, configuration, choices, &invalid)) &&
                       !valid_set_build(&set, space, VALID_SET_DEFAULT_BYTES, &invalid) &&
                       valid_set_find(set, choices, NULL);
    valid_set_free(set);
    return valid;
}

/* With a granule of 1, the number is odd. */
static int64_t draw(struct random *random, int64_t most, int64_t granule)
{
    const int64_t half = most / 2, number = most - (int64_t)random_below(random, (uint64_t)half);
    const int64_t rounded = granule == 1 ? (number - 1) | 1 : number / granule * granule;
    return rounded > 0 ? rounded : granule;
}

static int draw_all(struct arena *arena, const struct space *space, struct random *random, int64_t granule,
                    const char **sizes, size_t *count, struct error *error)
{
    *count = 0;
    for (size_t p = 0; p < space->problem_count; p++) {
        const struct problem *problem = &space->problems[p];
        if (problem->value.kind != VALUE_INT || problem->value.integer < LARGE)
            continue;
        sizes[*count] =
            arena_printf(arena, "%s=%" PRId64, problem->name, draw(random, problem->value.integer, granule));
        if (!sizes[(*count)++])
            return error_memory(error);
    }
    return 0;
}

/* Adds the defines of sizes that were not drawn. */
static void keep_others(const char *const *defines, size_t define_count, const char **sizes, size_t *count)
{
    const size_t drawn = *count;
    for (size_t d = 0; d < define_count; d++) {
        const size_t length = strcspn(defines[d], "=") + 1;
        bool has = false;
        for (size_t i = 0; i < drawn; i++)
            has |= strncmp(sizes[i], defines[d], length) == 0;
        if (!has && *count < SPACE_PROBLEMS_MAX)
            sizes[(*count)++] = defines[d];
    }
}

int judge_draw_sizes(struct arena *arena, const struct space_file *file, const char *const *defines,
                     size_t define_count, const char *configuration, uint64_t seed, const char *const **sizes,
                     size_t *count, struct error *error)
{
    struct space *given = NULL;
    struct random random;
    const char **drawn = arena_array(arena, SPACE_PROBLEMS_MAX, sizeof *drawn);
    int code = drawn ? bind(file, defines, define_count, &given, error) : error_memory(error);
    bool found = false;
    random_seed(&random, seed);
    *sizes = drawn;
    for (size_t t = 0; t < TRIES * sizeof granules / sizeof *granules && !code && !found; t++) {
        struct space *space = NULL;
        struct error unfit = {0};
        code = draw_all(arena, given, &random, granules[t / TRIES], drawn, count, error);
        if (code || *count == 0)
            break;
        keep_others(defines, define_count, drawn, count);
        found = !bind(file, drawn, *count, &space, &unfit) && is_valid(space, configuration);
        space_free(space);
    }
    space_free(given);
    if (!found)
        *count = 0;
    return code;
}
