#include "journal/journal_energy.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

int journal_energies_add(struct journal_energies *energies, const char *const *values, size_t width,
                         const struct energy *energy, struct error *error)
{
    struct journal_energy *items =
        array_grow(energies->items, &energies->room, energies->count + 1, sizeof *energies->items);
    if (!items)
        return error_memory(error);
    energies->items = items;
    const char **copies = arena_array(&energies->arena, width + 1, sizeof *copies);
    for (size_t p = 0; p < width; p++)
        if (!copies || !(copies[p] = arena_copy(&energies->arena, values[p], strlen(values[p]))))
            return error_memory(error);
    if (!copies)
        return error_memory(error);
    items[energies->count++] = (struct journal_energy){.values = copies, .energy = *energy};
    return 0;
}

int journal_energies_read(struct journal_energies *energies, const char *const *values, size_t width,
                          const char *numbers, const char *states, struct error *error)
{
    struct energy energy;
    int code = energy_parse(numbers, &energy, error);
    if (!code && strlen(states) >= sizeof energy.states)
        code = error_set(error, ERROR_DATA, "states: '%.60s' is too long", states);
    if (code)
        return code;
    strcpy(energy.states, states);
    return journal_energies_add(energies, values, width, &energy, error);
}

void journal_energies_free(struct journal_energies *energies)
{
    free(energies->items);
    arena_free(&energies->arena);
    *energies = (struct journal_energies){0};
}
