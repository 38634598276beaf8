#include "choose/portable.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A time, with its texts in the order of the newest row, so that they can be compared. */
struct known {
    const char *problem, *configuration, *device;
    const struct pairs *sizes, *pairs;
    double cost;  /* cost of its value; later relative to the best of its device and sizes */
    size_t order; /* order of appearance */
};

struct gathering {
    struct selection *selection;
    struct known *all;
    size_t count;
};

/* Reads pairs in the order of `first`. Sets *same to false for other names and for text that is not a list of pairs:
 * it belongs to another version of the space and is ignored. The only error is ERROR_MEMORY. */
static int read_ordered(struct selection *selection, const char *text, const struct pairs *first,
                        const struct pairs **pairs, bool *same)
{
    int code = selection_pairs(selection, text, first, pairs, same, NULL);
    if (code == ERROR_DATA)
        *same = false;
    return code == ERROR_DATA ? 0 : code;
}

static int gather(struct gathering *gathering, const char *device, const char *problem, const char *configuration,
                  double value, struct error *error)
{
    struct selection *selection = gathering->selection;
    const struct objective *objective = objective_find(selection->rows[0].best->objective);
    struct arena *arena = &selection->arena;
    const struct pairs *sizes = NULL, *pairs = NULL;
    bool same = true;
    if (!objective || !(value > 0) || !isfinite(value))
        return 0;
    int code = read_ordered(selection, problem, selection->sizes, &sizes, &same);
    if (!code && same)
        code = read_ordered(selection, configuration, selection->parameters, &pairs, &same);
    if (code)
        return error_memory(error);
    if (!same)
        return 0;
    struct known *known = &gathering->all[gathering->count];
    *known = (struct known){.problem = pairs_text(arena, sizes),
                            .configuration = pairs_text(arena, pairs),
                            .device = device,
                            .sizes = sizes,
                            .pairs = pairs,
                            .cost = objective_cost(objective, value),
                            .order = gathering->count};
    if (!known->problem || !known->configuration)
        return error_memory(error);
    gathering->count++;
    return 0;
}

static int gather_all(struct gathering *gathering, const struct selection_time *times, size_t time_count,
                      struct error *error)
{
    const struct selection *selection = gathering->selection;
    int code = 0;
    for (size_t i = 0; i < selection->row_count && !code; i++) {
        const struct best *best = selection->rows[i].best;
        code = gather(gathering, best->provenance.device.name, best->provenance.problem, best->configuration,
                      best->value, error);
        if (!code)
            code = gather(gathering, best->provenance.device.name, best->provenance.problem, best->provenance.default_,
                          best->default_value, error);
    }
    for (size_t i = 0; i < time_count && !code; i++)
        code = gather(gathering, times[i].device, times[i].problem, times[i].configuration, times[i].value, error);
    return code;
}

static int by_configuration(const void *a, const void *b)
{
    const struct known *first = a, *second = b;
    int order = strcmp(first->problem, second->problem);
    order = order ? order : strcmp(first->configuration, second->configuration);
    order = order ? order : strcmp(first->device, second->device);
    return order ? order : (first->order > second->order) - (first->order < second->order);
}

static int by_device(const void *a, const void *b)
{
    const struct known *first = a, *second = b;
    int order = strcmp(first->problem, second->problem);
    order = order ? order : strcmp(first->device, second->device);
    return order ? order : by_configuration(a, b);
}

/* Keeps the first of several times for one device, sizes and configuration. Sorts the rest by device, divides each
 * time by the best of its device and sizes, then sorts by configuration. */
static void make_relative(struct gathering *gathering)
{
    struct known *all = gathering->all;
    size_t kept = 0;
    qsort(all, gathering->count, sizeof *all, by_configuration);
    for (size_t i = 0; i < gathering->count; i++) {
        const struct known *before = kept ? &all[kept - 1] : NULL;
        if (!before || strcmp(before->problem, all[i].problem) != 0 ||
            strcmp(before->configuration, all[i].configuration) != 0 || strcmp(before->device, all[i].device) != 0)
            all[kept++] = all[i];
    }
    gathering->count = kept;
    qsort(all, kept, sizeof *all, by_device);
    for (size_t start = 0, end; start < kept; start = end) {
        double best_value = all[start].cost;
        for (end = start; end < kept && strcmp(all[end].problem, all[start].problem) == 0 &&
                          strcmp(all[end].device, all[start].device) == 0;
             end++)
            best_value = fmin(best_value, all[end].cost);
        for (size_t i = start; i < end; i++)
            all[i].cost /= best_value;
    }
    qsort(all, kept, sizeof *all, by_configuration);
}

static int add_row(struct selection *selection, struct selection_row *rows, const struct known *known, size_t devices,
                   double sum, struct error *error)
{
    long double *numbers = arena_array(&selection->arena, known->sizes->count, sizeof *numbers);
    if (!numbers)
        return error_memory(error);
    for (size_t i = 0; i < known->sizes->count; i++)
        if (!selection_number(known->sizes->items[i].value, strlen(known->sizes->items[i].value), &numbers[i]))
            return 0; /* from a journal of another space */
    rows[selection->row_count++] = (struct selection_row){.kind = CHOOSE_IS_COMMON,
                                                          .device = "",
                                                          .sizes = known->sizes,
                                                          .configuration = known->pairs,
                                                          .numbers = numbers,
                                                          .text = known->configuration,
                                                          .devices = devices,
                                                          .relative = sum / (double)devices};
    return 0;
}

/* Adds the common row of the times from `start` on that share its sizes; *behind: their end. */
static int find_portable(struct selection *selection, struct selection_row *rows, const struct gathering *gathering,
                         size_t start, size_t *behind, struct error *error)
{
    const struct known *all = gathering->all, *found = NULL;
    size_t devices = 1, end, at;
    double least = 0;
    for (at = start; at < gathering->count && strcmp(all[at].problem, all[start].problem) == 0; at = end) {
        double sum = 0;
        for (end = at; end < gathering->count && strcmp(all[end].problem, all[start].problem) == 0 &&
                       strcmp(all[end].configuration, all[at].configuration) == 0;
             end++)
            sum += all[end].cost;
        if (end - at > devices || (end - at == devices && found && sum < least)) {
            found = &all[at];
            devices = end - at;
            least = sum;
        }
    }
    *behind = at;
    return found ? add_row(selection, rows, found, devices, least, error) : 0;
}

int portable_rows(struct selection *selection, struct selection_row *rows, const struct selection_time *times,
                  size_t time_count, struct error *error)
{
    struct gathering gathering = {.selection = selection};
    size_t room = 2 * selection->row_count + time_count;
    gathering.all = calloc(room, sizeof *gathering.all);
    int code = gathering.all ? gather_all(&gathering, times, time_count, error) : error_memory(error);
    if (!code)
        make_relative(&gathering);
    for (size_t start = 0; start < gathering.count && !code;)
        code = find_portable(selection, rows, &gathering, start, &start, error);
    free(gathering.all);
    return code;
}
