#include "commands/emit_prefer.h"

#include <math.h>
#include <string.h>

#include "analyse/front.h"
#include "base/option.h"
#include "base/text.h"
#include "commands/front_rows.h"
#include "journal/journal.h"
#include "journal/winner.h"

static const char weight_name[] = "weight=";

static int read_weight(const char *text, double *weight, struct error *error)
{
    static const struct option_row row = {.name = "prefer weight", .argument = "W", .type = OPTION_REAL, .max = 1};
    return option_set(&row, weight, text, error);
}

int emit_prefer_read(const char *text, struct emit_prefer *prefer, struct error *error)
{
    const struct objective *list[OBJECTIVE_COUNT];
    size_t count = 0;
    *prefer = (struct emit_prefer){objective_default(), NAN};
    if (strncmp(text, weight_name, strlen(weight_name)) == 0)
        return read_weight(text + strlen(weight_name), &prefer->weight, error);
    const char *wrong = energy_add_objective(text, strlen(text), list, &count);
    if (!wrong) {
        prefer->objective = list[0];
        return 0;
    }
    error_set(error, ERROR_USAGE, "--prefer: '%.60s' %s", text, wrong);
    error_hint(error, "expected time, energy, power or energy_delay, or weight=W with W from 0 to 1");
    return ERROR_USAGE;
}

bool emit_prefer_is_weight(const struct emit_prefer *prefer)
{
    return !isnan(prefer->weight);
}

/* The number of the default configuration; SIZE_MAX: it has no energy. */
static size_t find_default(const struct front *front, const char *configuration)
{
    for (size_t i = 0; i < front->count; i++)
        if (strcmp(front->configurations[i], configuration) == 0)
            return i;
    return SIZE_MAX;
}

/* NULL with 0: the front is empty. */
static int make_row(const struct emit_prefer *prefer, const struct journal *journal, struct arena *arena,
                    const struct best **row, struct error *error)
{
    const struct provenance *provenance = &journal_get_header(journal)->provenance;
    struct front front;
    int code = front_read(journal, FRONT_CONFIDENCE, arena, &front, error);
    const size_t best = code ? SIZE_MAX : front_weighted(front.points, front.count, prefer->weight);
    const struct best *old = *row;
    *row = NULL;
    if (best == SIZE_MAX)
        return code;
    const size_t standard = find_default(&front, provenance->default_);
    const struct objective *time = energy_objective(&objective_row_time, front.per_work);
    const struct winner winner = {
        .measurement = energy_measurement(&front.energies[best], time, FRONT_CONFIDENCE),
        .default_ = standard == SIZE_MAX ? measurement_unknown(STATUS_OK)
                                         : energy_measurement(&front.energies[standard], time, FRONT_CONFIDENCE)};
    struct best *made = arena_alloc(arena, sizeof *made);
    if (!made)
        return error_memory(error);
    *made = winner_row(&winner, provenance, front.configurations[best], (uint64_t)old->evaluated);
    made->valid = old->valid;
    made->strategy = old->strategy;
    made->seed = old->seed;
    made->states = front.energies[best].states;
    made->condition = strcmp(made->configuration, old->configuration) == 0 ? old->condition : "";
    *row = made;
    return 0;
}

int emit_prefer_weighted(const struct emit_prefer *prefer, const struct timing_history *history, struct arena *arena,
                         const struct best **rows, size_t *count, struct error *error)
{
    size_t kept = 0;
    int code = 0;
    for (size_t i = 0; i < *count && !code; i++) {
        const struct best *row = rows[i];
        const struct journal *journal = database_is_fit(row) ? NULL : timing_history_energies(history, row);
        if (journal)
            code = make_row(prefer, journal, arena, &row, error);
        if (journal && row)
            rows[kept++] = row;
    }
    *count = kept;
    return code;
}
