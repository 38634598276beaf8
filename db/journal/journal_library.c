#include "journal/journal_library.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/pairs.h"
#include "base/power.h"
#include "base/range.h"

enum { ENERGIES = 2 };
static const char *const energy_names[ENERGIES] = {"energy", "winner_energy"};

void journal_library_print(struct text *text, const struct journal_library *library)
{
    char number[TEXT_REAL_BYTES];
    text_printf(text, "winner=%s hash=%s", text_real(library->winner_value, number), library->hash);
    if (library->winner_states && *library->winner_states)
        text_printf(text, " winner_states=%s", library->winner_states);
    for (size_t i = 0; i < ENERGIES && library->energy && library->winner_energy; i++) {
        text_printf(text, " %s=", energy_names[i]);
        energy_append_rounds(text, i ? library->winner_energy : library->energy);
    }
}

double journal_library_ratio(const struct journal_library *library, const struct objective *objective)
{
    struct power own = power_of(library->states ? library->states : "");
    struct power winner = power_of(library->winner_states ? library->winner_states : "");
    return power_differs(own.state, winner.state) ? NAN
                                                  : objective_gain(objective, library->value, library->winner_value);
}

/* Takes both energies, or none. */
static int read_energies(struct arena *texts, const struct pairs *pairs, struct journal_library *library,
                         struct error *error)
{
    struct energy *energies = NULL;
    const char *cells[ENERGIES];
    int code = 0;
    for (size_t i = 0; i < ENERGIES; i++)
        if (!(cells[i] = pairs_find(pairs, energy_names[i])))
            return 0;
    if (!(energies = arena_array(texts, ENERGIES, sizeof *energies)))
        return error_memory(error);
    for (size_t i = 0; i < ENERGIES && !code; i++) {
        energies[i] = energy_unknown();
        code = energy_read_rounds(cells[i], &energies[i], error);
    }
    library->energy = &energies[0];
    library->winner_energy = &energies[1];
    return code;
}

/* Skips names that a later cutune writes. */
static int read_numbers(struct arena *texts, const char *text, struct journal_library *library, struct error *error)
{
    struct arena arena = {0};
    struct pairs pairs;
    int code = pairs_read(&arena, text, &pairs, error);
    const char *winner = code ? NULL : pairs_find(&pairs, "winner"), *hash = code ? NULL : pairs_find(&pairs, "hash");
    if (!code && (!winner || !pairs_number(winner, &library->winner_value) ||
                  !range_has(RANGE_ABOVE_ZERO, library->winner_value)))
        code = error_set(error, ERROR_DATA, "the library's row has no time of the winner, 'winner=NUMBER'");
    if (!code && (!hash || strlen(hash) >= sizeof library->hash))
        code = error_set(error, ERROR_DATA, "the library's row has no 'hash=HASH' of its file");
    const char *states = code ? NULL : pairs_find(&pairs, "winner_states");
    if (!code)
        strcpy(library->hash, hash);
    if (!code && !(library->winner_states = arena_copy(texts, states ? states : "", states ? strlen(states) : 0)))
        code = error_memory(error);
    if (!code)
        code = read_energies(texts, &pairs, library, error);
    arena_free(&arena);
    return code;
}

int journal_libraries_add(struct journal_libraries *libraries, const char *const *values, size_t width,
                          const struct measurement *row, const char *name, const char *numbers, struct error *error)
{
    struct journal_library *items =
        array_grow(libraries->items, &libraries->room, libraries->count + 1, sizeof *libraries->items);
    if (!items)
        return error_memory(error);
    libraries->items = items;
    struct journal_library *fresh = &items[libraries->count];
    *fresh = (struct journal_library){.value = row->value, .low = row->low, .high = row->high, .samples = row->samples};
    if (!(row->value > 0))
        return error_set(error, ERROR_DATA, "the library's row has no time");
    const char **copies = arena_array(&libraries->arena, width + 1, sizeof *copies);
    for (size_t p = 0; p < width; p++)
        if (!copies || !(copies[p] = arena_copy(&libraries->arena, values[p], strlen(values[p]))))
            return error_memory(error);
    fresh->values = copies;
    if (!copies || !(fresh->name = arena_copy(&libraries->arena, name, strlen(name))))
        return error_memory(error);
    if (!(fresh->states = arena_copy(&libraries->arena, row->states, strlen(row->states))))
        return error_memory(error);
    int code = read_numbers(&libraries->arena, numbers, fresh, error);
    libraries->count += code == 0;
    return code;
}

const struct journal_library *journal_libraries_find(const struct journal_libraries *libraries,
                                                     const char *const *values, size_t width)
{
    for (size_t i = libraries->count; i-- > 0;) {
        size_t p = 0;
        while (p < width && strcmp(libraries->items[i].values[p], values[p]) == 0)
            p++;
        if (p == width)
            return &libraries->items[i];
    }
    return NULL;
}

void journal_libraries_free(struct journal_libraries *libraries)
{
    free(libraries->items);
    arena_free(&libraries->arena);
    *libraries = (struct journal_libraries){0};
}
