#include "commands/summary_energy.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "commands/front_rows.h"

static bool has_library(const struct session_result *result)
{
    return result->energy->run.count && result->library && result->library->energy && result->library->winner_energy;
}

static struct energy library_energy(const struct session_result *result)
{
    const struct session_energy *energy = result->energy;
    return front_library(&energy->front[0], result->library, !isnan(energy->run.energies[0].work));
}

/* The winner's ratio comes from the rounds in which both took turns. */
static void describe_best(const struct session_result *result, const struct session_energy_best *best,
                          struct summary_line *line)
{
    const struct objective *objective = best->objective;
    const struct run_energy *run = &result->energy->run;
    const struct energy *energy = &run->energies[best->number];
    const struct bounded value = energy_value(energy, objective, result->confidence);
    const bool is_winner = best->number == 0;
    char shown[32], low[32], high[32], above[64] = "", other[96] = "", ties[80] = "";
    if (objective == &objective_row_energy && !isnan(energy_above_idle(energy)))
        snprintf(above, sizeof above, ", %s above the idle board's",
                 objective->print(low, sizeof low, energy_above_idle(energy)));
    const double ratio = energy_ratio(energy, &run->energies[0], objective, result->confidence).value;
    if (!is_winner && !isnan(ratio))
        text_format(other, sizeof other, ", %.3f of the winner's", ratio);
    if (best->tied > 1)
        snprintf(ties, sizeof ties, ", the fastest of %zu that are tied", best->tied);
    snprintf(line->name, sizeof line->name, "%s", objective->aim);
    text_format(line->text, sizeof line->text, "%s, %.4g%% interval %s to %s, mean of %u rounds%s%s%s: %s",
                objective->print(shown, sizeof shown, value.value), 100 * result->confidence,
                objective->print(low, sizeof low, value.low), objective->print(high, sizeof high, value.high),
                energy->round_count, above, other, ties, is_winner ? "the winner" : best->row.configuration);
}

/* The winner is the first of the energies, and the library was measured in turn with it. */
static void describe_library(const struct session_result *result, struct summary_line *line)
{
    const struct journal_library *library = result->library;
    const struct bounded ratio =
        energy_ratio(library->energy, library->winner_energy, &objective_row_energy, result->confidence);
    const struct energy energy = library_energy(result);
    const struct objective *objective = energy_objective(&objective_row_energy, !isnan(energy.work));
    char shown[32];
    snprintf(line->name, sizeof line->name, "library energy");
    text_format(line->text, sizeof line->text, "%s, %.3f of the winner's, %.4g%% interval %.3f to %.3f (%s)",
                objective->print(shown, sizeof shown, energy_value(&energy, objective, result->confidence).value),
                ratio.value, 100 * result->confidence, ratio.low, ratio.high, library->name);
}

size_t summary_energy(const struct session_result *result, struct summary_line lines[SUMMARY_ENERGY_LINES])
{
    const struct session_energy *energy = result->energy;
    size_t count = 0, on = 0;
    if (!energy)
        return 0;
    for (size_t i = 0; i < energy->best_count; i++)
        describe_best(result, &energy->best[i], &lines[count++]);
    if (has_library(result))
        describe_library(result, &lines[count++]);
    for (size_t i = 0; i < energy->run.count; i++)
        on += energy->front[i].on;
    snprintf(lines[count].name, sizeof lines[count].name, "front");
    text_format(
        lines[count++].text, sizeof lines->text,
        "%zu of %zu configurations, those within %.4g%% of the best time and the default%s; `cutune show --front "
        "%s` lists them",
        on, energy->run.count, 100 * energy->run.front, energy->run.measured ? "" : ", measured before",
        result->journal ? result->journal : "JOURNAL");
    if (energy->run.measured) {
        snprintf(lines[count].name, sizeof lines[count].name, "energy took");
        text_format(lines[count++].text, sizeof lines->text, "%.1f s", (double)energy->run.took_ns * 1e-9);
    }
    return count;
}

cJSON *summary_energies(const struct session_subject *subject, const struct session_result *result, const char *format)
{
    const struct session_energy *energy = result->energy;
    const size_t count = energy ? energy->run.count : 0;
    struct front_row rows[ENERGY_CANDIDATES_MAX + 1];
    struct energy library;
    size_t row_count = count;
    struct text names[ENERGY_CANDIDATES_MAX];
    bool failed = false;
    for (size_t i = 0; i < count; i++) {
        uint32_t choices[SPACE_PARAMETERS_MAX];
        names[i] = (struct text){0};
        valid_set_get(subject->set, energy->run.indices[i], choices);
        space_config_text(subject->space, choices, &names[i]);
        failed |= names[i].failed;
        rows[i] = (struct front_row){text_string(&names[i]), &energy->run.energies[i], energy->front[i], false};
    }
    if (energy && has_library(result)) {
        library = library_energy(result);
        rows[row_count++] =
            (struct front_row){.configuration = result->library->name, .energy = &library, .library = true};
    }
    cJSON *list = failed ? NULL : front_rows(rows, row_count, format);
    for (size_t i = 0; i < count; i++)
        text_free(&names[i]);
    return list;
}
