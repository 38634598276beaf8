#include "run/idle.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "evaluate/rows.h"

/* Configurations that ran: their choices, and for each the configuration with the same machine code. */
struct ran {
    size_t parameters, count, values; /* values: total of all parameters */
    uint32_t *choices;                /* by configuration and parameter */
    uint64_t *originals;
    bool *paired; /* another configuration differs in this parameter alone */
    bool *seen;   /* by value: a configuration has it; then, by value: a paired configuration has it */
};

/* The key of a hash table: a configuration without one of its parameters. */
struct others {
    const struct ran *ran;
    size_t without;
};

static bool same_others(const void *owner, uint32_t item, const void *key)
{
    const struct others *others = owner;
    const uint32_t *a = &others->ran->choices[item * others->ran->parameters], *b = key;
    for (size_t p = 0; p < others->ran->parameters; p++)
        if (p != others->without && a[p] != b[p])
            return false;
    return true;
}

static uint64_t hash_others(const struct others *others, const uint32_t *choices)
{
    uint64_t front = hash_u64(choices, others->without * sizeof *choices, 0);
    const uint32_t *behind = &choices[others->without + 1];
    return hash_u64(behind, (others->ran->parameters - others->without - 1) * sizeof *choices, front);
}

/* Marks the paired configurations. *same: both of each pair have the same machine code. */
static int pair_up(const struct others *others, bool *same, struct error *error)
{
    const struct ran *ran = others->ran;
    struct hash_table table = {0};
    int code = 0;
    memset(ran->paired, 0, ran->count * sizeof *ran->paired);
    *same = true;
    for (size_t c = 0; c < ran->count && *same && !code; c++) {
        const uint32_t *choices = &ran->choices[c * ran->parameters];
        const struct hash_key key = {
            .hash = hash_others(others, choices), .same = same_others, .owner = others, .key = choices};
        uint32_t first = (uint32_t)c;
        code = hash_table_put(&table, &key, &first) ? error_memory(error) : 0;
        if (code || first == c)
            continue;
        ran->paired[first] = ran->paired[c] = true;
        *same = ran->originals[first] == ran->originals[c];
    }
    hash_table_free(&table);
    return code;
}

/* True if the paired configurations have every value that ran. */
static bool pairs_have_all(const struct ran *ran, const struct space *space)
{
    memset(ran->seen, 0, 2 * ran->values * sizeof *ran->seen);
    for (size_t c = 0; c < ran->count; c++)
        for (size_t p = 0, first = 0; p < ran->parameters; first += space->parameters[p++].value_count) {
            size_t value = first + ran->choices[c * ran->parameters + p];
            ran->seen[value] = true;
            ran->seen[ran->values + value] |= ran->paired[c];
        }
    return memcmp(ran->seen, ran->seen + ran->values, ran->values * sizeof *ran->seen) == 0;
}

static bool has_ran(const struct outcomes *outcomes, const struct outcome *outcome)
{
    enum outcome_class class = outcomes_class(outcomes, outcome);
    return class == OUTCOME_TIMED || class == OUTCOME_CENSORED;
}

static bool open_ran(struct ran *ran, const struct space *space, const struct valid_set *set,
                     const struct outcomes *outcomes)
{
    ran->parameters = space->parameter_count;
    for (size_t p = 0; p < space->parameter_count; p++)
        ran->values += space->parameters[p].value_count;
    ran->choices = calloc(outcomes->count * ran->parameters + 1, sizeof *ran->choices);
    ran->originals = calloc(outcomes->count + 1, sizeof *ran->originals);
    ran->paired = calloc(outcomes->count + 1, sizeof *ran->paired);
    ran->seen = calloc(2 * ran->values + 1, sizeof *ran->seen);
    if (!ran->choices || !ran->originals || !ran->paired || !ran->seen)
        return false;
    for (size_t i = 0; i < outcomes->count; i++) {
        const struct outcome *outcome = &outcomes->items[i];
        if ((outcome->marks & ROWS_OUTSIDE) || !has_ran(outcomes, outcome))
            continue;
        valid_set_get(set, outcome->key, &ran->choices[ran->count * ran->parameters]);
        ran->originals[ran->count++] = outcomes_original(outcomes, outcome, OUTCOME_OF_SEARCH)->key;
    }
    return true;
}

int idle_parameters(const struct space *space, const struct valid_set *set, const struct outcomes *outcomes,
                    uint64_t *idle, struct error *error)
{
    struct ran ran = {0};
    int code = open_ran(&ran, space, set, outcomes) ? 0 : error_memory(error);
    *idle = 0;
    for (size_t p = 0; p < space->parameter_count && !code; p++) {
        const struct others others = {&ran, p};
        bool same = false;
        if (space->parameters[p].value_count < 2 || !space->parameters[p].in_source)
            continue;
        code = pair_up(&others, &same, error);
        if (!code && same && ran.count && pairs_have_all(&ran, space))
            *idle |= (uint64_t)1 << p;
    }
    free(ran.choices);
    free(ran.originals);
    free(ran.paired);
    free(ran.seen);
    return code;
}
