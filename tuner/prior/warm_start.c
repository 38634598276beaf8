#include "prior/warm_start.h"

#include <string.h>

#include "prior/nearest.h"

struct finding {
    const struct warm_start_setup *setup;
    struct nearest nearest;
    const struct best *incumbent;
    const struct best **rows; /* by run of `nearest` */
    uint64_t *indices;        /* of their winners */
    size_t left_out;
};

/* Returns false if the winner is invalid here or outside the set. */
static bool find_winner(const struct warm_start_setup *setup, const struct best *row, uint64_t *index)
{
    struct error unread = {0};
    uint32_t choices[SPACE_PARAMETERS_MAX];
    return space_config_parse(setup->space, row->configuration, choices, &unread) == 0 &&
           valid_set_find(setup->set, choices, index) && *index != UINT64_MAX;
}

/* True if the strategy has a prior run of the device with these sizes. */
static bool is_known(const struct warm_start_setup *setup, const struct best *row)
{
    for (size_t i = 0; i < setup->known_count; i++)
        if (strcmp(row->provenance.device.name, setup->known[i].device.name) == 0 &&
            pairs_compare(row->provenance.problem, setup->known[i].problem) == 0)
            return true;
    return false;
}

/* True for a row that answers the question of this run. */
static bool is_answer(const struct warm_start_setup *setup, const struct best *row)
{
    const struct provenance *now = setup->now;
    return !database_is_fit(row) && strcmp(row->objective, setup->objective) == 0 &&
           strcmp(row->provenance.kernel, now->kernel) == 0 &&
           strcmp(row->provenance.device.name, now->device.name) == 0 &&
           pairs_compare(row->provenance.problem, now->problem) == 0 &&
           provenance_same(&row->provenance, now, PROVENANCE_QUESTION);
}

static void find_incumbent(struct warm_start *warm, const struct warm_start_setup *setup)
{
    for (size_t i = 0; i < database_count(warm->database) && !warm->incumbent; i++) {
        const struct best *row = database_get(warm->database, i);
        if (is_answer(setup, row) && find_winner(setup, row, &warm->incumbent_index))
            warm->incumbent = row;
    }
}

static int read_rows(struct finding *finding, const struct database *database, struct error *error)
{
    const struct provenance *now = finding->setup->now;
    size_t count = database_count(database);
    int code = nearest_open(&finding->nearest, now, count, error);
    finding->rows = arena_array(&finding->nearest.arena, count, sizeof *finding->rows);
    finding->indices = arena_array(&finding->nearest.arena, count, sizeof *finding->indices);
    if (!code && (!finding->rows || !finding->indices))
        code = error_memory(error);
    for (size_t i = 0; i < count && !code; i++) {
        const struct best *row = database_get(database, i);
        size_t run = finding->nearest.count;
        if (row == finding->incumbent || database_is_fit(row) || strcmp(row->provenance.kernel, now->kernel) != 0 ||
            strcmp(row->objective, finding->setup->objective) != 0 || nearest_is_same(&row->provenance, now) ||
            is_known(finding->setup, row))
            continue;
        if (!find_winner(finding->setup, row, &finding->indices[run])) {
            finding->left_out++;
            continue;
        }
        finding->rows[run] = row;
        code = nearest_add(&finding->nearest, &row->provenance, error);
    }
    return code;
}

/* Takes a winner. Marks all its rows as taken, so that it appears once. */
static void take(struct warm_start *warm, struct finding *finding, size_t run)
{
    uint64_t index = finding->indices[run];
    warm->indices[warm->count] = index;
    warm->rows[warm->count++] = finding->rows[run];
    for (size_t i = 0; i < finding->nearest.count; i++)
        finding->nearest.runs[i].out |= finding->indices[i] == index;
}

int warm_start_find(struct warm_start *warm, const char *path, const struct warm_start_setup *setup,
                    struct error *error)
{
    struct finding finding = {.setup = setup};
    size_t run;
    int code = database_open(&warm->database, path, error);
    if (!code)
        find_incumbent(warm, setup);
    finding.incumbent = warm->incumbent;
    if (!code && setup->most)
        code = read_rows(&finding, warm->database, error);
    while (!code && warm->count < setup->most && nearest_take(&finding.nearest, &run))
        take(warm, &finding, run);
    warm->left_out = finding.left_out;
    nearest_close(&finding.nearest);
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
