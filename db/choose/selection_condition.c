#include "choose/selection_condition.h"

#include <string.h>

#include "base/architecture.h"
#include "sizes/size_condition.h"

enum { LIMITS_MAX = 64 };

/* ---- Reading ---- */

static int set_condition(struct selection *selection, size_t row, const char *text, struct error *error)
{
    const char *names[PAIRS_MAX + LIMITS_MAX];
    struct selection_row *to = (struct selection_row *)&selection->rows[row];
    const size_t sizes = selection->sizes->count;
    for (size_t i = 0; i < sizes; i++)
        names[i] = selection->sizes->items[i].name;
    for (size_t l = 0; l < limit_count; l++)
        names[sizes + l] = limit_rows[l].name;
    to->requirement = *text ? arena_copy(&selection->arena, text, strlen(text)) : "1";
    if (!to->requirement)
        return error_memory(error);
    int code = size_condition_split(&selection->arena, to->requirement, names, sizes + limit_count, sizes,
                                    &to->sized.condition, &to->unsized.condition, error);
    to->sized.limits = to->unsized.limits = 0;
    for (size_t l = 0; l < limit_count && !code; l++) {
        to->sized.limits |= (uint64_t)size_condition_asks(to->sized.condition, sizes + l) << l;
        to->unsized.limits |= (uint64_t)size_condition_asks(to->unsized.condition, sizes + l) << l;
    }
    return code;
}

/* The text of a row's condition in the database; a fit has several, one behind the other. NULL without a condition. */
static const char *text_of(struct selection *selection, const struct selection_row *row, struct error *error)
{
    const char *text = row->best->condition;
    if (!row->fit)
        return text;
    for (size_t skip = (size_t)(row - selection->rows) - row->fit->first; skip; skip--) {
        text = strchr(text, ';');
        if (!text)
            return NULL;
        text++;
    }
    text += strspn(text, " ");
    const char *end = strchr(text, ';');
    const char *copy = end ? arena_copy(&selection->arena, text, (size_t)(end - text)) : NULL;
    if (end && !copy)
        error_memory(error);
    return copy;
}

static int read_one(struct selection *selection, size_t i, struct error *error)
{
    const struct selection_row *row = &selection->rows[i];
    struct error own = {0};
    if (!row->best->condition || !*row->best->condition)
        return 0;
    const char *text = text_of(selection, row, &own);
    int code = !text ? error_set(&own, ERROR_DATA, "the fit has a condition for some of its configurations only")
                     : set_condition(selection, i, text, &own);
    if (!code || own.code == ERROR_MEMORY)
        return code ? error_memory(error) : 0;
    error_set(error, ERROR_DATA, "%s", own.message);
    error_hint(error, "in the row of %.80s, %.80s: tune it again, or delete its row", row->device,
               row->best->provenance.problem);
    return ERROR_DATA;
}

/* Takes the condition of a row of any device with the same configuration, on which it depends. */
static void share(struct selection_row *rows, size_t count, struct selection_row *common)
{
    for (size_t i = 0; i < count && !common->requirement; i++)
        if (rows[i].best && !rows[i].fit && rows[i].requirement && strcmp(rows[i].text, common->text) == 0) {
            common->requirement = rows[i].requirement;
            common->sized = rows[i].sized;
            common->unsized = rows[i].unsized;
        }
}

int selection_conditions_read(struct selection *selection, struct selection_row *rows, struct error *error)
{
    int code = 0;
    for (size_t i = 0; i < selection->row_count && !code; i++)
        if (rows[i].best)
            code = read_one(selection, i, error);
    for (size_t i = 0; i < selection->row_count && !code; i++)
        if (rows[i].kind == CHOOSE_IS_COMMON)
            share(rows, selection->row_count, &rows[i]);
    return code;
}

int selection_require(struct selection *selection, selection_requirement *requirement, const void *context,
                      struct error *error)
{
    int code = 0;
    for (size_t i = 0; i < selection->row_count && !code; i++) {
        const struct selection_row *row = &selection->rows[i];
        struct text text = {0};
        if (row->kind != CHOOSE_IS_DEFAULT && requirement(context, row->text, row->fit != NULL, &text) &&
            (text.failed || set_condition(selection, i, text_string(&text), NULL) == ERROR_MEMORY))
            code = error_memory(error);
        text_free(&text);
    }
    return code;
}

/* ---- Asking ---- */

/* LIMIT_UNKNOWN: unknown. On its own device, the row's limits replace unknown ones. */
static int64_t limit_of(const struct selection_row *row, const struct selection_device *device, bool own, size_t limit)
{
    const struct limit_row *of = &limit_rows[limit];
    const struct device_limits given = {.cc = device->cc > 0 || !own ? device->cc : row->cc,
                                        .sm_count = device->sm_count > 0 || !own ? device->sm_count : row->sm_count,
                                        .l2_bytes = device->l2_bytes > 0 || !own ? device->l2_bytes : row->l2_bytes};
    if (device->limits && device->limits[limit] != LIMIT_UNKNOWN)
        return device->limits[limit];
    return limit_get(&given, of) > 0 ? limit_get(&given, of) : architecture_limit(of, given.cc);
}

/* Gets the limits that a condition names. False if one is unknown. */
static bool get_limits(const struct selection_row *row, uint64_t limits, const struct selection_device *device,
                       bool own, int64_t *values)
{
    for (size_t l = 0; l < limit_count; l++)
        if (limits >> l & 1u && (values[l] = limit_of(row, device, own, l)) == LIMIT_UNKNOWN)
            return false;
    return true;
}

bool selection_valid(const struct selection *selection, size_t number, const struct selection_device *device,
                     const long double *sizes, bool own)
{
    const struct selection_row *row = &selection->rows[number];
    const size_t count = selection->sizes->count;
    int64_t values[PAIRS_MAX + LIMITS_MAX];
    if (!own && row->unsized.condition &&
        (!get_limits(row, row->unsized.limits, device, own, values + count) ||
         !size_condition_holds(row->unsized.condition, values)))
        return false;
    if (!row->sized.condition)
        return true;
    for (size_t i = 0; i < count; i++) /* conditions name sizes that are integers */
        values[i] = sizes[i] >= -0x1p63L && sizes[i] < 0x1p63L ? (int64_t)sizes[i] : 0;
    return get_limits(row, row->sized.limits, device, own, values + count)
               ? size_condition_holds(row->sized.condition, values)
               : own;
}
