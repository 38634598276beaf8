#include "search/strategy.h"

#include <stdlib.h>
#include <string.h>

#include "base/pairs.h"
#include "base/text.h"

enum { STRATEGY_OPTIONS_MAX = 64 };

const struct strategy_ops *const strategies[] = {
#define STRATEGY(name) &strategy_##name,
#include "lists/strategies.def"
#undef STRATEGY
};
const size_t strategy_count = sizeof strategies / sizeof *strategies;

static bool is_automatic(const char *name)
{
    return strcmp(name, "auto") == 0;
}

/* Strategies of earlier versions. */
static const char *const removed[] = {"latin", "local", "anneal", "genetic", "evolution", "swarm", "portfolio", NULL};

static bool is_among(const char *name, const char *const *names)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

const struct strategy_ops *strategy_find(const char *name, struct error *error)
{
    const char *names[sizeof strategies / sizeof *strategies + 1] = {"auto"};
    const char *wanted = is_automatic(name) ? strategy_surrogate.name : name;
    for (size_t i = 0; i < strategy_count; i++) {
        if (strcmp(strategies[i]->name, wanted) == 0)
            return strategies[i];
        names[i + 1] = strategies[i]->name;
    }
    const char *nearest = text_nearest(name, names, strategy_count + 1);
    error_set(error, ERROR_USAGE, "--strategy: there is no strategy '%s'", name);
    if (is_among(name, removed))
        error_hint(error, "it was removed: 'surrogate' finds better configurations");
    else if (nearest)
        error_hint(error, "did you mean '%s'?", nearest);
    else
        error_hint(error, "`cutune strategies` lists them");
    return NULL;
}

static int refuse_option(const struct strategy_ops *ops, const char *name, struct error *error)
{
    const char *names[STRATEGY_OPTIONS_MAX];
    for (size_t i = 0; i < ops->option_count; i++)
        names[i] = ops->options[i].name;
    const char *nearest = text_nearest(name, names, ops->option_count);
    int code = error_set(error, ERROR_USAGE, "--strategy: %s has no option '%s'", ops->name, name);
    if (ops->removed_options && is_among(name, ops->removed_options))
        error_hint(error, "it was removed: %s does without it", ops->name);
    else if (nearest)
        error_hint(error, "did you mean '%s'?", nearest);
    else
        error_hint(error, "`cutune strategies %s` lists its options", ops->name);
    return code;
}

static int refuse_auto(struct error *error)
{
    int code = error_set(error, ERROR_USAGE, "--strategy: auto has no options");
    error_hint(error, "name a strategy to set its options");
    return code;
}

/* Sets "OPTION=VALUE". `given`: by option, set already. */
static int set_option(const struct strategy_choice *choice, char *item, bool *given, struct error *error)
{
    const struct strategy_ops *ops = choice->ops;
    struct pair_parts parts;
    const char *value = pairs_split(item, strlen(item), &parts) ? parts.value : NULL;
    if (value)
        item[parts.name_length] = '\0';
    for (size_t i = 0; i < ops->option_count; i++) {
        if (strcmp(ops->options[i].name, item) != 0)
            continue;
        if (!value)
            return error_set(error, ERROR_USAGE, "--strategy: option '%s' of %s needs a value", item, ops->name);
        if (given[i])
            return error_set(error, ERROR_USAGE, "--strategy: option '%s' of %s is given twice", item, ops->name);
        given[i] = true;
        struct error inner = {0};
        if (!option_set(&ops->options[i], choice->options, value, &inner))
            return 0;
        int code = error_set(error, inner.code, "--strategy: %s: option %s", ops->name, inner.message + 2);
        error_hint(error, "%s", inner.hint);
        return code;
    }
    return refuse_option(ops, item, error);
}

int strategy_choose(struct strategy_choice *choice, const char *text, struct error *error)
{
    bool given[STRATEGY_OPTIONS_MAX] = {false};
    int code = 0;
    strategy_choice_free(choice);
    choice->text = strdup(text);
    if (!choice->text)
        return error_memory(error);
    char *items = strchr(choice->text, ':'), *rest = NULL;
    if (items)
        *items++ = '\0';
    choice->automatic = is_automatic(choice->text);
    choice->ops = strategy_find(choice->text, error);
    if (!choice->ops)
        code = (int)error->code;
    else if (items && choice->automatic)
        code = refuse_auto(error);
    if (!code && !(choice->options = calloc(1, choice->ops->options_size + 1)))
        code = error_memory(error);
    if (!code)
        code = option_defaults(choice->ops->options, choice->ops->option_count, choice->options, error);
    for (char *item = items ? strtok_r(items, ",", &rest) : NULL; item && !code; item = strtok_r(NULL, ",", &rest))
        code = set_option(choice, item, given, error);
    if (code)
        strategy_choice_free(choice);
    return code;
}

void strategy_choice_free(struct strategy_choice *choice)
{
    free(choice->options);
    free(choice->text);
    memset(choice, 0, sizeof *choice);
}
