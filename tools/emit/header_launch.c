/* Sizes of a run's launches for each row, from the expressions of its space. */
#include <string.h>

#include "emit/emit_model.h"
#include "language/condition.h"

/* A step has three sizes of a block, a grid and a cluster, then shared memory, `when` and `repeat`. */
enum { SIZES = 9, NUMBERS = 12 };

static void put_types(const struct emit_model *model, struct text *text)
{
    const char *prefix = model->prefix, *cast = model->shared_upper;
    text_printf(
        text,
        "/* One of the launches of a run. */\n"
        "struct %s_tuned_launch {\n"
        "    const char *kernel; /* as in the space: \"transpose\", \"transpose<TILE>\", \"scan with TILE=1\" */\n"
        "    unsigned block[3], grid[3]; /* grid[0] 0: as many blocks as run at once on the device */\n"
        "    unsigned cluster[3];        /* blocks per cluster; 0: no clusters */\n"
        "    size_t shared_bytes;        /* dynamic */\n"
        "    unsigned repeat;            /* launches in a row, at least 1 */\n"
        "    int cooperative;\n};\n\n"
        "#define %s_TUNED_LAUNCHES %zu /* the most of a run */\n\n",
        prefix, model->upper, model->kernel->space->step_count);
    text_printf(
        text,
        "/* Appends a launch unless it is skipped. 0: a number is out of range. */\n"
        "static inline int %s_tuned_launch_add(struct %s_tuned_launch *launch, int *count, const char *kernel,\n"
        "    int cooperative, int resident, const long long *numbers)\n{\n"
        "    int i, clusters = numbers[6] != 1 || numbers[7] != 1 || numbers[8] != 1;\n"
        "    if (!numbers[10] || !numbers[11])\n        return 1;\n"
        "    for (i = 0; i < 12; i++)\n"
        "        if (numbers[i] < (i < 9) || numbers[i] > 4294967295LL)\n            return 0;\n"
        "    launch += (*count)++;\n"
        "    launch->kernel = kernel;\n"
        "    for (i = 0; i < 3; i++) {\n"
        "        launch->block[i] = %sCAST(unsigned, numbers[i]);\n"
        "        launch->grid[i] = resident ? 0 : %sCAST(unsigned, numbers[3 + i]);\n"
        "        launch->cluster[i] = clusters ? %sCAST(unsigned, numbers[6 + i]) : 0;\n"
        "    }\n"
        "    launch->shared_bytes = %sCAST(size_t, numbers[9]);\n"
        "    launch->repeat = %sCAST(unsigned, numbers[11]);\n"
        "    launch->cooperative = cooperative;\n"
        "    return 1;\n}\n\n",
        prefix, prefix, cast, cast, cast, cast, cast);
}

/* A row's configuration in the space. */
struct configured {
    const struct emit_model *model;
    uint32_t choices[SPACE_PARAMETERS_MAX];
    uint64_t *limits; /* receives the bits of limits in expressions */
};

/* Appends an expression as C. False: it does not follow from the sizes and limits. */
static bool put_expression(const struct configured *of, const struct expr *expr, const char *none, struct text *text)
{
    const struct selection *selection = of->model->selection;
    const size_t sizes = selection->sizes->count;
    const char *names[PAIRS_MAX + EMIT_LIMITS_MAX], *fields[PAIRS_MAX + EMIT_LIMITS_MAX];
    const struct size_condition *condition = NULL;
    struct arena arena = {0};
    struct text plain = {0};
    if (!expr) {
        text_printf(text, "%s", none);
        return true;
    }
    for (size_t i = 0; i < sizes; i++)
        names[i] = selection->sizes->items[i].name;
    for (size_t l = 0; l < limit_count; l++)
        names[sizes + l] = limit_rows[l].name;
    emit_limit_names(of->model, fields);
    bool right = space_expression(of->model->kernel->space, expr, NULL, of->choices, &plain) &&
                 !size_condition_parse(&arena, text_string(&plain), names, sizes + limit_count, &condition, NULL);
    if (right)
        size_condition_print(condition, of->model->shared, fields, 0, NULL, text);
    for (size_t l = 0; l < limit_count && right; l++)
        *of->limits |= (uint64_t)size_condition_asks(condition, sizes + l) << l;
    text->failed |= plain.failed;
    text_free(&plain);
    arena_free(&arena);
    return right;
}

static bool put_step(const struct configured *of, const struct step *step, struct text *text)
{
    const struct expr *const none[3] = {NULL, NULL, NULL};
    const struct expr *const *const sizes[] = {step->block, step->resident ? none : step->grid, step->cluster};
    bool right = true;
    text_printf(text, "        {\n            const long long numbers[] = {");
    for (int i = 0; i < SIZES && right; i++) {
        right = put_expression(of, sizes[i / 3][i % 3], "1", text);
        text_printf(text, ", ");
    }
    right = right && put_expression(of, step->shared, "0", text);
    text_printf(text, ", ");
    right = right && put_expression(of, step->when, "1", text);
    text_printf(text, ", ");
    right = right && put_expression(of, step->repeat, "1", text);
    text_printf(text, "};\n            if (!%s_tuned_launch_add(launch, &count, ", of->model->prefix);
    emit_string(text, of->model->kernel->space->kernel_titles[step->number]);
    text_printf(text, ", %d, %d, numbers))\n                return 0;\n        }\n", step->cooperative, step->resident);
    return right;
}

static bool has_loops(const struct space *space)
{
    bool found = false;
    for (size_t s = 0; s < space->step_count; s++)
        found |= space->steps[s].loop != NULL;
    return found;
}

/* Appends a case of the switch; none if the row's launch does not follow from the sizes. Returns the limits in its
 * expressions. */
static uint64_t put_row(const struct emit_model *model, size_t number, struct text *text)
{
    const struct space *space = model->kernel->space;
    uint64_t limits = 0;
    struct configured of = {.model = model, .limits = &limits};
    struct text own = {0};
    bool right = !has_loops(space) && !space_config_parse(space, model->selection->rows[number].text, of.choices, NULL);
    for (size_t s = 0; s < space->step_count && right; s++)
        right = put_step(&of, &space->steps[s], &own);
    if (right) {
        text_printf(text, "    case %zu:\n", number);
        emit_limit_guard(limits, "0", 8, text);
        text_printf(text, "%s        return count;\n", text_string(&own));
    }
    text->failed |= own.failed;
    text_free(&own);
    return right ? limits : 0;
}

/* Appends the head of the function for a given device, or for the row's. */
static void put_head(const struct emit_model *model, bool device, struct text *text)
{
    text_printf(text, "static inline int %s_tuned_launches%s(const struct %s_tuned *row, ", model->prefix,
                device ? "_on" : "", model->prefix);
    if (device)
        text_printf(text, "int cc, int sm_count, long long l2_bytes, ");
    emit_size_list(model, "long long ", "", text);
    text_printf(text, "%sstruct %s_tuned_launch *launch)\n{\n", model->selection->sizes->count ? ", " : "",
                model->prefix);
}

uint64_t emit_launch(const struct emit_model *model, struct text *text)
{
    struct text cases = {0};
    uint64_t limits = 0;
    if (!model->kernel->space)
        return 0;
    for (size_t i = 0; i < model->selection->row_count; i++)
        limits |= put_row(model, i, &cases);
    put_types(model, text);
    if (has_loops(model->kernel->space))
        text_printf(text,
                    "/* The space has loops, so that this header does not list its launches: the function returns 0. "
                    "Write the\n   loops in your program, or let the library launch them (cutune_cuda.h). */\n");
    text_printf(text,
                "/* The launches of a run with a row's configuration on a device (0: as the row's), in order. "
                "Returns\n   their number; 0 if a size is impossible, or does not follow from the sizes and the known "
                "limits. */\n");
    put_head(model, true, text);
    text_printf(text, "    size_t rows;\n    int count = 0;\n    ");
    for (size_t i = 0; i < model->selection->sizes->count; i++)
        text_printf(text, "(void)%s, ", model->sizes[i].field);
    text_printf(text, "(void)launch;\n    cc = cc > 0 ? cc : row->cc;\n"
                      "    sm_count = sm_count > 0 ? sm_count : row->sm_count;\n"
                      "    l2_bytes = l2_bytes > 0 ? l2_bytes : row->l2_bytes;\n    {\n");
    emit_limit_variables(model, limits, text);
    text_printf(text, "    (void)cc, (void)sm_count, (void)l2_bytes;\n    switch (row - %s_tuned_table(&rows)) {\n%s",
                model->prefix, text_string(&cases));
    text_printf(text, "    default:\n        return count;\n    }\n    }\n}\n\n");
    text_printf(text,
                "/* The same on the row's device. Rows without one (common, default) give no grids that depend on the "
                "device. */\n");
    put_head(model, false, text);
    text_printf(text, "    return %s_tuned_launches_on(row, 0, 0, 0, ", model->prefix);
    emit_size_list(model, "", model->selection->sizes->count ? ", launch);\n}\n\n" : "launch);\n}\n\n", text);
    text->failed |= cases.failed;
    text_free(&cases);
    return limits;
}
