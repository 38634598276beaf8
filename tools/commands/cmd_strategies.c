#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "manual/manual.h"
#include "search/strategy.h"
#include "terminal/command.h"
#include "terminal/output_format.h"

struct strategies_values {
    const char *format;
};

static const struct option_row rows[] = {
    OUTPUT_FORMAT_OPTION(struct strategies_values, format),
};

/* Appends the options' names: "initial kappa". */
static void add_option_names(cJSON *row, const struct strategy_ops *strategy)
{
    struct text names = {0};
    for (size_t i = 0; i < strategy->option_count; i++)
        text_printf(&names, "%s%s", i ? " " : "", strategy->options[i].name);
    cJSON_AddStringToObject(row, "options", text_string(&names));
    text_free(&names);
}

static void list_strategies(cJSON *list)
{
    for (size_t i = 0; i < strategy_count; i++) {
        cJSON *row = cJSON_CreateObject();
        cJSON_AddStringToObject(row, "strategy", strategies[i]->name);
        cJSON_AddStringToObject(row, "summary", strategies[i]->summary);
        add_option_names(row, strategies[i]);
        cJSON_AddItemToArray(list, row);
    }
}

static void list_options(cJSON *list, const struct strategy_ops *strategy)
{
    for (size_t i = 0; i < strategy->option_count; i++) {
        const struct option_row *option = &strategy->options[i];
        cJSON *row = cJSON_CreateObject();
        char range[64];
        text_format(range, sizeof range, "%.15g to %.15g", option->min, option->max);
        cJSON_AddStringToObject(row, "option", option->name);
        cJSON_AddStringToObject(row, "values", option->choices ? option->choices : range);
        cJSON_AddStringToObject(row, "default", option->default_ ? option->default_ : "");
        cJSON_AddStringToObject(row, "meaning", option->help);
        cJSON_AddItemToArray(list, row);
    }
}

static int run(const void *values, const char *const *arguments, size_t argument_count, struct error *error)
{
    const struct strategies_values *wanted = values;
    const struct strategy_ops *strategy = NULL;
    int code = 0;
    if (argument_count && strcmp(arguments[0], "auto") == 0) {
        code = error_set(error, ERROR_USAGE, "strategies: auto has no options: it stands for one of the others");
        error_hint(error, "`cutune strategies` lists them");
        return code;
    }
    if (argument_count && !(strategy = strategy_find(arguments[0], error)))
        return (int)error->code;
    cJSON *list = cJSON_CreateArray();
    if (strategy)
        list_options(list, strategy);
    else
        list_strategies(list);
    if (strategy && strategy->option_count == 0 && output_format(wanted->format)->prose)
        printf("%s has no options: %s\n", strategy->name, strategy->summary);
    else
        code = output_rows(list, wanted->format, false, error);
    cJSON_Delete(list);
    return code;
}

static const struct command_example examples[] = {
    {"cutune strategies", "list the strategies"},
    {"cutune strategies surrogate", "list the options of one"},
};

const struct command command_strategies = {
    .name = "strategies",
    .arguments = "[NAME]",
    .values = "strategies",
    .summary = "list the strategies of a search, or the options of one",
    .description = "cutune lists the search strategies. `auto`, the default, evaluates everything if the budget"
                   " allows, and uses `surrogate` otherwise. The options of a strategy follow its name: "
                   "`--strategy surrogate:initial=20`.",
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .manual = manual_strategies,
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .values_size = sizeof(struct strategies_values),
    .arguments_max = 1,
    .run = run};
