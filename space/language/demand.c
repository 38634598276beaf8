#include "language/demand.h"

#include <stdarg.h>
#include <string.h>

#include "base/array.h"
#include "expression/space_internal.h"

const char *demand_part(const struct demand_list *list, const struct expr *expr, const char *otherwise)
{
    return expr ? arena_printf(&list->space->arena, "(%s)", expr->text) : otherwise;
}

const char *demand_text(const struct demand_list *list, const char *format, ...)
{
    char *text = NULL;
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = text_vformat(NULL, 0, format, arguments);
    if (length >= 0 && (text = arena_alloc(&list->space->arena, (size_t)length + 1)))
        text_vformat(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(arguments);
    return text;
}

const char *demand_buffer_bytes(const struct demand_list *list, uint32_t buffer)
{
    const struct buffer *of = &list->space->buffers[buffer];
    return demand_text(list, "((%s) * %u)", of->size->text, (unsigned)of->type->bytes);
}

/* Compiles an expression; *expr is NULL if its constants overflow. */
static int compile(const struct demand_list *list, const char *text, const struct expr **expr)
{
    struct error own = {0};
    int code = expr_compile_made(list->space, text, list->place, list->name, expr, &own);
    if (code == ERROR_VALUE) {
        *expr = NULL;
        return 0;
    }
    if (code)
        *list->error = own;
    return code;
}

struct demand *demand_append(struct demand_list *list, const char *condition)
{
    struct space_private *private = list->space->private;
    struct demand *demands =
        array_grow(private->demands, &private->demand_room, private->demand_count + 1, sizeof *demands);
    if (demands)
    private->demands = demands;
    if (!demands || !condition ||
        (list->when && !(condition = demand_text(list, "(%s) => (%s)", list->when, condition)))) {
        error_memory(list->error);
        return NULL;
    }
    struct demand *demand = &demands[private->demand_count];
    *demand = (struct demand){
        .name = list->name, .text = condition, .line = list->place->line, .of = list->of, .run_only = list->run_only};
    if (compile(list, condition, &demand->condition) ||
        (!demand->condition &&
         compile(list, list->when ? demand_text(list, "!(%s)", list->when) : "0", &demand->condition)))
        return NULL;
    private->demand_count++;
    return demand;
}

int demand_add(struct demand_list *list, const char *condition, const char *const *message, size_t count)
{
    struct demand *demand = demand_append(list, condition);
    if (!demand)
        return (int)list->error->code;
    demand->why = message[0];
    for (size_t i = 1; i < count; i++)
        TRY(compile(list, message[i], &demand->numbers[i - 1]));
    return demand->why ? 0 : error_memory(list->error);
}
