#include "prior/nearest.h"

#include "choose/choose.h"
#include "choose/selection.h"

bool nearest_is_same(const struct provenance *run, const struct provenance *now)
{
    return provenance_same(run, now, PROVENANCE_KEY | PROVENANCE_QUESTION | PROVENANCE_TOOLS);
}

/* Converts the sizes of a problem to numbers; 0 for a size that another version of the space lacks. */
static int read_sizes(struct nearest *nearest, const char *problem, const long double **result, struct error *error)
{
    long double *numbers = arena_array(&nearest->arena, nearest->sizes.count, sizeof *numbers);
    struct pairs pairs = {0};
    struct error unread = {0};
    if (!numbers)
        return error_memory(error);
    if (pairs_read(&nearest->arena, problem, &pairs, &unread) == ERROR_MEMORY)
        return error_memory(error);
    for (size_t i = 0; i < nearest->sizes.count; i++) {
        const char *value = unread.code ? NULL : pairs_find(&pairs, nearest->sizes.items[i].name);
        if (!value || !selection_number(value, strlen(value), &numbers[i]))
            numbers[i] = 0;
    }
    *result = numbers;
    return 0;
}

int nearest_open(struct nearest *nearest, const struct provenance *now, size_t most, struct error *error)
{
    *nearest = (struct nearest){.now = now};
    int code = pairs_read(&nearest->arena, now->problem, &nearest->sizes, error);
    if (!code)
        code = read_sizes(nearest, now->problem, &nearest->numbers, error);
    nearest->runs = arena_array(&nearest->arena, most, sizeof *nearest->runs);
    return code || nearest->runs ? code : error_memory(error);
}

int nearest_add(struct nearest *nearest, const struct provenance *run, struct error *error)
{
    struct nearest_run *added = &nearest->runs[nearest->count++];
    *added = (struct nearest_run){.provenance = run};
    return read_sizes(nearest, run->problem, &added->sizes, error);
}

void nearest_close(struct nearest *nearest)
{
    arena_free(&nearest->arena);
    *nearest = (struct nearest){0};
}

/* Finds the nearest remaining run: by the rules for rows of a device or, with CHOOSE_IS_COMMON, by sizes only. */
static bool find(const struct nearest *nearest, int kind, size_t *run)
{
    const struct provenance *now = nearest->now;
    struct choose_search search = {.device = *now->device.name ? now->device.name : NULL,
                                   .cc = (int)now->device.cc,
                                   .sm_count = (int)now->device.sm_count,
                                   .l2_bytes = now->device.l2_bytes,
                                   .rule = CHOOSE_RULE_NONE,
                                   .row = nearest->count};
    for (size_t i = 0; i < nearest->count; i++) {
        const struct nearest_run *candidate = &nearest->runs[i];
        const struct device_limits *device = &candidate->provenance->device;
        if (candidate->out)
            continue;
        for (size_t s = 0; s < nearest->sizes.count; s++)
            choose_size(&search, candidate->sizes[s], nearest->numbers[s]);
        if (choose_better(&search, kind, device->name, (int)device->cc, (int)device->sm_count, device->l2_bytes))
            choose_take(&search, i);
    }
    *run = search.row;
    return search.row < nearest->count;
}

bool nearest_take(struct nearest *nearest, size_t *run)
{
    if (!find(nearest, 0, run) && !find(nearest, CHOOSE_IS_COMMON, run))
        return false;
    nearest->runs[*run].out = true;
    return true;
}
