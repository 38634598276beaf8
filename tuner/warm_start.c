#include "tuner/warm_start.h"

#include <string.h>

#include "base/arena.h"
#include "base/pairs.h"
#include "db/choose.h"
#include "db/selection.h"

struct candidate {
    const struct best *row;
    const long double *sizes; /* in the order of `finding.sizes`; 0: not a number, far from all sizes */
    uint64_t index;           /* index of its winner */
    bool out;                 /* its winner is already taken */
};

struct finding {
    const struct warm_start_setup *setup;
    struct arena arena;
    struct pairs sizes;         /* requested sizes */
    const long double *numbers; /* the same as numbers */
    size_t count, left_out;
    struct candidate *candidates;
};

/* ---- The rows ---- */

/* A search under the same conditions: starting with its winner would give away the answer. */
static bool same_search(const struct best *row, const struct provenance *now)
{
    return provenance_same(&row->provenance, now, PROVENANCE_KEY | PROVENANCE_QUESTION | PROVENANCE_TOOLS);
}

/* Converts the sizes of a problem to numbers. Another version of the space may have other sizes. */
static int read_sizes(struct finding *finding, const char *problem, const long double **result, struct error *error)
{
    long double *numbers = arena_array(&finding->arena, finding->sizes.count, sizeof *numbers);
    struct pairs pairs = {0};
    struct error unread = {0};
    if (!numbers)
        return error_memory(error);
    if (pairs_read(&finding->arena, problem, &pairs, &unread) == ERROR_MEMORY)
        return error_memory(error);
    for (size_t i = 0; i < finding->sizes.count; i++) {
        const char *value = unread.code ? NULL : pairs_find(&pairs, finding->sizes.items[i].name);
        if (!value || !selection_number(value, &numbers[i]))
            numbers[i] = 0;
    }
    *result = numbers;
    return 0;
}

/* Returns false if the winner is not valid here or not in the set. */
static bool find_winner(const struct warm_start_setup *setup, const struct best *row, uint64_t *index)
{
    struct error unread = {0};
    uint32_t choices[SPACE_PARAMETERS_MAX];
    return space_config_parse(setup->space, row->configuration, choices, &unread) == 0 &&
           valid_set_find(setup->set, choices, index) && *index != UINT64_MAX;
}

static int read_rows(struct finding *finding, const struct database *database, struct error *error)
{
    const struct provenance *now = finding->setup->now;
    size_t count = database_count(database);
    int code = pairs_read(&finding->arena, now->problem, &finding->sizes, error);
    if (!code)
        code = read_sizes(finding, now->problem, &finding->numbers, error);
    finding->candidates = arena_array(&finding->arena, count, sizeof *finding->candidates);
    if (!code && !finding->candidates)
        code = error_memory(error);
    for (size_t i = 0; i < count && !code; i++) {
        const struct best *row = database_get(database, i);
        if (strcmp(row->provenance.kernel, now->kernel) != 0 ||
            strcmp(row->objective, finding->setup->objective) != 0 || same_search(row, now))
            continue;
        struct candidate *candidate = &finding->candidates[finding->count];
        *candidate = (struct candidate){.row = row};
        if (!find_winner(finding->setup, row, &candidate->index)) {
            finding->left_out++;
            continue;
        }
        finding->count++;
        code = read_sizes(finding, row->provenance.problem, &candidate->sizes, error);
    }
    return code;
}

/* ---- Choosing ---- */

/* The nearest candidate not yet taken: by the rules for rows of a device or, with CHOOSE_IS_COMMON, by its sizes only.
 * NULL: none. */
static const struct candidate *nearest(const struct finding *finding, int kind)
{
    const struct provenance *now = finding->setup->now;
    struct choose_search search = {.device = *now->device.name ? now->device.name : NULL,
                                   .cc = (int)now->device.cc,
                                   .sm_count = (int)now->device.sm_count,
                                   .l2_bytes = now->device.l2_bytes,
                                   .rule = CHOOSE_RULE_NONE,
                                   .row = finding->count};
    for (size_t i = 0; i < finding->count; i++) {
        const struct candidate *candidate = &finding->candidates[i];
        const struct best *row = candidate->row;
        if (candidate->out)
            continue;
        for (size_t s = 0; s < finding->sizes.count; s++)
            choose_size(&search, candidate->sizes[s], finding->numbers[s]);
        choose_row(&search, i, kind, row->provenance.device.name, (int)row->provenance.device.cc,
                   (int)row->provenance.device.sm_count, row->provenance.device.l2_bytes);
    }
    return search.row < finding->count ? &finding->candidates[search.row] : NULL;
}

/* Marks all rows with this winner as taken, so that each winner appears once. */
static void take(struct warm_start *warm, struct finding *finding, const struct candidate *taken)
{
    warm->indices[warm->count] = taken->index;
    warm->rows[warm->count++] = taken->row;
    for (size_t i = 0; i < finding->count; i++)
        finding->candidates[i].out |= finding->candidates[i].index == taken->index;
}

int warm_start_find(struct warm_start *warm, const char *path, const struct warm_start_setup *setup,
                    struct error *error)
{
    static const int kinds[] = {0, CHOOSE_IS_COMMON};
    struct finding finding = {.setup = setup};
    int code = database_open(&warm->database, path, error);
    if (!code)
        code = read_rows(&finding, warm->database, error);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds && !code; k++) {
        const struct candidate *candidate;
        while (warm->count < setup->most && (candidate = nearest(&finding, kinds[k])))
            take(warm, &finding, candidate);
    }
    warm->left_out = finding.left_out;
    arena_free(&finding.arena);
    return code;
}

const struct best *warm_start_row(const struct warm_start *warm, uint64_t index)
{
    for (size_t i = 0; i < warm->count; i++)
        if (warm->indices[i] == index)
            return warm->rows[i];
    return NULL;
}

void warm_start_free(struct warm_start *warm)
{
    database_close(warm->database);
    *warm = (struct warm_start){0};
}
