/* The valid set as a sorted table: one row of packed choices per valid configuration. A choice takes one byte, or two
 * (the higher first) for a parameter of more than 256 values, so that memcmp orders rows as indices do. */
#include "space/valid_set.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "space/private.h"

struct valid_set {
    size_t parameter_count, constraint_count;
    uint32_t value_counts[SPACE_PARAMETERS_MAX];
    size_t offsets[SPACE_PARAMETERS_MAX]; /* of a choice in its row */
    size_t row_bytes;
    unsigned char *rows;
    uint64_t count, room;
    uint64_t cartesian;
    double *removed; /* by constraint */
};

enum { ROW_BYTES_MAX = 2 * SPACE_PARAMETERS_MAX };

static bool is_wide(const struct valid_set *set, size_t parameter)
{
    return set->value_counts[parameter] > 256;
}

static void pack(const struct valid_set *set, const uint32_t *choices, unsigned char *row)
{
    for (size_t i = 0; i < set->parameter_count; i++) {
        unsigned char *at = row + set->offsets[i];
        if (is_wide(set, i))
            *at++ = (unsigned char)(choices[i] >> 8);
        *at = (unsigned char)choices[i];
    }
}

static int set_make(struct valid_set **result, const struct space *space, struct error *error)
{
    struct valid_set *set = calloc(1, sizeof *set);
    *result = set;
    if (!set)
        return error_memory(error);
    set->parameter_count = space->parameter_count;
    set->constraint_count = space->constraint_count;
    set->cartesian = 1;
    for (size_t i = 0; i < space->parameter_count; i++) {
        set->value_counts[i] = (uint32_t)space->parameters[i].value_count;
        set->offsets[i] = set->row_bytes;
        set->row_bytes += is_wide(set, i) ? 2 : 1;
        if (__builtin_mul_overflow(set->cartesian, (uint64_t)set->value_counts[i], &set->cartesian))
            set->cartesian = UINT64_MAX;
    }
    set->removed = calloc(set->constraint_count + 1, sizeof *set->removed);
    return set->removed ? 0 : error_memory(error);
}

void valid_set_free(struct valid_set *set)
{
    if (!set)
        return;
    free(set->rows);
    free(set->removed);
    free(set);
}

/* ---- Building: depth first over the parameters in their order ---- */

struct builder {
    const struct space *space;
    struct valid_set *set;
    struct error *error;
    size_t max_bytes;
    uint64_t work, max_work; /* prefixes visited and instructions of conditions evaluated */
    size_t *order;           /* constraints by the level at which they are decided, then by their order */
    size_t first[SPACE_PARAMETERS_MAX + 2]; /* of level L in `order`; level 0 needs no parameter, L needs the L-th */
    double below[SPACE_PARAMETERS_MAX + 1]; /* combinations of the parameters behind the first L */
    struct value values[SPACE_PARAMETERS_MAX];
};

/* Each combination that is looked at costs time even where little is kept, so the work is bounded by the same number as
 * the memory. */
enum { WORK_PER_BYTE = 2 };

static int too_large(struct builder *builder, const char *what)
{
    char bytes[32];
    int code = error_set(builder->error, ERROR_MEMORY, "the space is too large to list: %s %s", what,
                         format_bytes(bytes, sizeof bytes, (double)builder->max_bytes));
    error_place(builder->error, builder->space->path, 0, 0);
    error_hint(builder->error,
               "give parameters fewer values, or constraints that name only the first parameters: those "
               "cut whole branches");
    return code;
}

static int set_add(struct builder *builder, const uint32_t *choices)
{
    struct valid_set *set = builder->set;
    if (set->count == set->room) {
        uint64_t most = builder->max_bytes / set->row_bytes, room = set->room ? set->room * 2 : 64;
        if (room > most)
            room = most;
        if (room == set->count)
            return too_large(builder, "the valid configurations need more than");
        unsigned char *rows = realloc(set->rows, (size_t)room * set->row_bytes);
        if (!rows)
            return error_memory(builder->error);
        set->rows = rows;
        set->room = room;
    }
    pack(set, choices, set->rows + set->count++ * set->row_bytes);
    return 0;
}

static int level_of(const struct constraint *constraint)
{
    uint64_t parameters = constraint->condition->parameters;
    return parameters ? 64 - __builtin_clzll(parameters) : 0;
}

static int make_order(struct builder *builder)
{
    const struct space *space = builder->space;
    size_t at = 0;
    builder->order = calloc(space->constraint_count + 1, sizeof *builder->order);
    if (!builder->order)
        return error_memory(builder->error);
    for (size_t level = 0; level <= space->parameter_count; level++) {
        builder->first[level] = at;
        for (size_t i = 0; i < space->constraint_count; i++)
            if (level_of(&space->constraints[i]) == (int)level)
                builder->order[at++] = i;
    }
    builder->first[space->parameter_count + 1] = at;
    builder->below[space->parameter_count] = 1;
    for (size_t level = space->parameter_count; level-- > 0;)
        builder->below[level] = builder->below[level + 1] * builder->set->value_counts[level];
    return 0;
}

/* Are the constraints met that are decided once the first `level` parameters have values? */
static int holds_at(struct builder *builder, size_t level, bool *holds)
{
    const struct expr_inputs inputs = {.space = builder->space, .values = builder->values, .bound = level};
    *holds = true;
    for (size_t i = builder->first[level]; i < builder->first[level + 1] && *holds; i++) {
        const struct expr *condition = builder->space->constraints[builder->order[i]].condition;
        builder->work += condition->code_count;
        TRY(expr_true(condition, &inputs, holds, builder->error));
        if (!*holds)
            builder->set->removed[builder->order[i]] += builder->below[level];
    }
    return ++builder->work > builder->max_work
               ? too_large(builder, "too many combinations have to be looked at for a limit of")
               : 0;
}

static int walk(struct builder *builder)
{
    const struct space *space = builder->space;
    size_t levels = space->parameter_count, level = 0;
    uint32_t next[SPACE_PARAMETERS_MAX] = {0}; /* the value that a level tries next */
    uint32_t choices[SPACE_PARAMETERS_MAX] = {0};
    bool holds;
    TRY(holds_at(builder, 0, &holds));
    if (!holds)
        return 0;
    for (;;) {
        if (next[level] == builder->set->value_counts[level]) {
            next[level] = 0;
            if (level == 0)
                return 0;
            level--;
            continue;
        }
        choices[level] = next[level]++;
        builder->values[level] = space->parameters[level].values[choices[level]];
        TRY(holds_at(builder, level + 1, &holds));
        if (holds && level + 1 == levels)
            TRY(set_add(builder, choices));
        else if (holds)
            level++;
    }
}

int valid_set_build(struct valid_set **result, const struct space *space, size_t max_bytes, struct error *error)
{
    struct builder builder = {.space = space, .error = error, .max_bytes = max_bytes};
    builder.max_work = max_bytes > UINT64_MAX / WORK_PER_BYTE ? UINT64_MAX : (uint64_t)max_bytes * WORK_PER_BYTE;
    *result = NULL;
    if (!space->bound)
        return error_set(error, ERROR_USAGE, "%s: the sizes of the space are not fixed yet", space->path);
    int code = set_make(&builder.set, space, error);
    if (!code)
        code = make_order(&builder);
    if (!code)
        code = walk(&builder);
    free(builder.order);
    if (code)
        valid_set_free(builder.set);
    else
        *result = builder.set;
    return code;
}

static int compare_rows(const void *a, const void *b, void *row_bytes)
{
    return memcmp(a, b, *(const size_t *)row_bytes);
}

static int fill_from_list(struct valid_set *set, const uint32_t *choices, size_t count, struct error *error)
{
    if (count == 0)
        return 0;
    set->rows = count <= SIZE_MAX / ROW_BYTES_MAX ? malloc(count * set->row_bytes) : NULL;
    if (!set->rows)
        return error_memory(error);
    for (size_t i = 0; i < count; i++) {
        const uint32_t *row = choices + i * set->parameter_count;
        for (size_t p = 0; p < set->parameter_count; p++)
            if (row[p] >= set->value_counts[p])
                return error_set(error, ERROR_DATA,
                                 "configuration %zu: parameter %zu has %" PRIu32 " values, there is no number %" PRIu32,
                                 i, p, set->value_counts[p], row[p]);
        pack(set, row, set->rows + i * set->row_bytes);
    }
    qsort_r(set->rows, count, set->row_bytes, compare_rows, &set->row_bytes);
    set->count = 1;
    for (size_t i = 1; i < count; i++) {
        const unsigned char *row = set->rows + i * set->row_bytes;
        if (memcmp(row, set->rows + (set->count - 1) * set->row_bytes, set->row_bytes) != 0)
            memmove(set->rows + set->count++ * set->row_bytes, row, set->row_bytes);
    }
    return 0;
}

int valid_set_from_list(struct valid_set **result, const struct space *space, const uint32_t *choices, size_t count,
                        struct error *error)
{
    struct valid_set *set = NULL;
    int code = set_make(&set, space, error);
    if (!code)
        code = fill_from_list(set, choices, count, error);
    if (code) {
        valid_set_free(set);
        set = NULL;
    }
    *result = set;
    return code;
}

/* ---- Asking ---- */

uint64_t valid_set_count(const struct valid_set *set)
{
    return set->count;
}

size_t valid_set_parameter_count(const struct valid_set *set)
{
    return set->parameter_count;
}

uint32_t valid_set_value_count(const struct valid_set *set, size_t parameter)
{
    return set->value_counts[parameter];
}

uint64_t valid_set_cartesian(const struct valid_set *set)
{
    return set->cartesian;
}

double valid_set_removed(const struct valid_set *set, size_t constraint)
{
    return constraint < set->constraint_count ? set->removed[constraint] : 0;
}

void valid_set_get(const struct valid_set *set, uint64_t index, uint32_t *choices)
{
    const unsigned char *row = set->rows + index * set->row_bytes;
    for (size_t i = 0; i < set->parameter_count; i++) {
        const unsigned char *at = row + set->offsets[i];
        choices[i] = is_wide(set, i) ? (uint32_t)at[0] << 8 | at[1] : at[0];
    }
}

bool valid_set_find(const struct valid_set *set, const uint32_t *choices, uint64_t *index)
{
    unsigned char row[ROW_BYTES_MAX];
    uint64_t low = 0, high = set->count;
    for (size_t i = 0; i < set->parameter_count; i++)
        if (choices[i] >= set->value_counts[i])
            return false;
    pack(set, choices, row);
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        int order = memcmp(row, set->rows + middle * set->row_bytes, set->row_bytes);
        if (order == 0) {
            *index = middle;
            return true;
        }
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return false;
}

uint64_t valid_set_sample(const struct valid_set *set, struct random *random)
{
    return random_below(random, set->count);
}

size_t valid_set_neighbours(const struct valid_set *set, uint64_t index, enum neighbourhood neighbourhood,
                            uint64_t *neighbours, size_t room)
{
    uint32_t choices[SPACE_PARAMETERS_MAX];
    size_t count = 0;
    valid_set_get(set, index, choices);
    for (size_t i = 0; i < set->parameter_count; i++) {
        uint32_t own = choices[i], first = 0, last = set->value_counts[i] - 1;
        if (neighbourhood == NEIGHBOURS_ADJACENT) {
            first = own > 0 ? own - 1 : 0;
            last = own < last ? own + 1 : last;
        }
        for (uint32_t choice = first; choice <= last; choice++) {
            uint64_t neighbour;
            choices[i] = choice;
            if (choice == own || !valid_set_find(set, choices, &neighbour))
                continue;
            if (count < room)
                neighbours[count] = neighbour;
            count++;
        }
        choices[i] = own;
    }
    return count;
}
