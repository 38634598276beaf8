/* l2_window: an access policy window of the L2 over a buffer, with a part of the L2 set aside for persisting data. */
#include "language/clauses.h"
#include "language/techniques.h"

struct window_statement {
    uint32_t buffer;
    struct setting bytes, hit_ratio, hit, miss, set_aside;
};

static const struct word_list hit_words = {"an L2 property", 3, {"normal", "streaming", "persisting"}};
static const struct word_list miss_words = {"an L2 property of misses", 2, {"normal", "streaming"}};

static const struct clause clauses[] = {
    {"bytes", true, NULL, offsetof(struct window_statement, bytes), NULL,
     "size of the window in bytes; 0: no window, and nothing is set aside"},
    {"set_aside", true, NULL, offsetof(struct window_statement, set_aside), NULL,
     "part of the L2 that is set aside for persisting accesses, in bytes"},
    {"hit_ratio", false, NULL, offsetof(struct window_statement, hit_ratio), NULL,
     "share of the accesses in the window that `hit` applies to, from 0 to 1; by default 1"},
    {"hit", false, NULL, offsetof(struct window_statement, hit), &hit_words,
     "how the L2 treats these accesses; by default `persisting`"},
    {"miss", false, NULL, offsetof(struct window_statement, miss), &miss_words,
     "how the L2 treats the other accesses in the window; by default `streaming`"},
};

static int parse(struct parser *parser)
{
    struct window_statement *window = technique_make(parser, TECHNIQUE_l2_window, sizeof *window);
    if (!window)
        return ERROR_MEMORY;
    *window = (struct window_statement){.hit = {NULL, L2_PERSISTING}, .miss = {NULL, L2_STREAMING}};
    TRY(technique_buffer(parser, &window->buffer));
    return clauses_parse(parser, clauses, sizeof clauses / sizeof *clauses, window);
}

static bool holds(const struct space *space, size_t at, uint32_t *buffer)
{
    const struct window_statement *window = technique_data(space, TECHNIQUE_l2_window);
    *buffer = window->buffer;
    return at == 0;
}

static int hit_ratio(const struct setting *setting, const struct expr_inputs *inputs, double *ratio,
                     struct error *error)
{
    struct value value = {.kind = VALUE_FLOAT, .real = 1};
    char text[VALUE_TEXT_BYTES];
    if (setting->value)
        TRY(expr_eval(setting->value, inputs, &value, error));
    *ratio = value.kind == VALUE_INT ? (double)value.integer : value.kind == VALUE_FLOAT ? value.real : -1;
    if (*ratio >= 0 && *ratio <= 1)
        return 0;
    return expr_error(setting->value, inputs, error, "a hit ratio is from 0 to 1, not %s",
                      value_text(&value, text, sizeof text));
}

static int evaluate(const struct expr_inputs *inputs, struct launch *launch, struct error *error)
{
    const struct window_statement *statement = technique_data(inputs->space, TECHNIQUE_l2_window);
    struct launch_window all = {.buffer = statement->buffer};
    TRY(setting_number(&statement->bytes, inputs, "the size of a window", 0, INT64_MAX, &all.bytes, error));
    TRY(setting_number(&statement->set_aside, inputs, "the part of the L2 that is set aside", 0, INT64_MAX,
                       &all.set_aside_bytes, error));
    TRY(hit_ratio(&statement->hit_ratio, inputs, &all.hit_ratio, error));
    TRY(setting_word(&statement->hit, inputs, &hit_words, &all.hit, error));
    TRY(setting_word(&statement->miss, inputs, &miss_words, &all.miss, error));
    if (all.bytes)
        launch->window = all;
    return 0;
}

static int demand(struct demand_list *list)
{
    const struct window_statement *window = technique_data(list->space, TECHNIQUE_l2_window);
    if (!window)
        return 0;
    list->place = window->bytes.value;
    const char *bytes = window->bytes.value->text, *aside = window->set_aside.value->text;
    const char *all = demand_buffer_bytes(list, window->buffer);
    DEMAND(list, demand_text(list, "(%s) == 0 || l2_window_bytes > 0", bytes),
           "the device has no L2 access policy window");
    DEMAND(list, demand_text(list, "(%s) <= l2_window_bytes", bytes), "an L2 window of $ bytes, the device allows $",
           bytes, "l2_window_bytes");
    DEMAND(list, all ? demand_text(list, "(%s) <= %s", bytes, all) : NULL,
           demand_text(list, "an L2 window of $ bytes, but '%s' has $", list->space->buffers[window->buffer].name),
           bytes, all);
    DEMAND(list, demand_text(list, "(%s) == 0 || (%s) <= l2_persisting_bytes", bytes, aside),
           "$ bytes of the L2 set aside, the device allows $", aside, "l2_persisting_bytes");
    return 0;
}

const struct technique technique_l2_window = {
    .statement =
        {
            .keyword = "l2_window",
            .most = 1,
            .phase = PHASE_USES,
            .flags = STATEMENT_BUFFERS,
            .parse = parse,
            .usage = "l2_window BUFFER bytes E set_aside E hit_ratio E hit persisting|normal|streaming miss "
                     "normal|streaming",
            .summary = "an access policy window of the L2 cache over a buffer",
            .text = "The clauses may come in any order; a word may also be the value of a "
                    "parameter. Configurations are measured with a warm cache, because a flush would empty the window. "
                    "Between "
                    "configurations the window, the part set aside and persisting lines are"
                    " reset.",
            .example = "param WINDOW_MB = 0, 16, 32\n"
                       "param HIT_RATIO = 0.5, 1.0\n"
                       "l2_window in bytes WINDOW_MB << 20 set_aside WINDOW_MB << 20 \\\n"
                       "    hit_ratio HIT_RATIO",
            .clauses = clauses,
            .clause_count = sizeof clauses / sizeof *clauses,
        },
    .keeps_l2 = true,
    .holds = holds,
    .evaluate = evaluate,
    .demand = demand,
};
