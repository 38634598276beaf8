/* Ask and tell: the strategies of a run for a caller that evaluates. */
#include "api/api_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "base/array.h"

/* ---- Opening ---- */

int search_open(struct cutune_search **search, const struct cutune_search_space *space, struct error *error)
{
    *search = calloc(1, sizeof **search);
    return *search ? search_make_space(*search, space, error) : error_memory(error);
}

int search_start(struct cutune_search *search, const char *strategy, uint64_t seed, struct error *error)
{
    search_end(&search->search);
    archive_close(&search->archive);
    search->told = search->event_count = 0;
    search->best_value = INFINITY;
    search->seed = seed;
    search->strategy = arena_copy(&search->arena, strategy, strlen(strategy));
    int code = search->strategy ? strategy_choose(&search->choice, strategy, error) : error_memory(error);
    if (code)
        return code;
    if (search->prior_run_count && !search->choice.ops->weigh)
        return error_set(error, ERROR_USAGE, "the strategy %s does not learn from prior runs",
                         search->choice.ops->name);
    const struct strategy_setup setup = {.space = search->space,
                                         .set = search->set,
                                         .prior_runs = search->prior_runs,
                                         .prior_run_count = search->prior_run_count,
                                         .seed = seed,
                                         .options = search->choice.options};
    code = archive_open(&search->archive, &setup, error);
    return code ? code : search_begin(&search->search, search->choice.ops, &setup, error);
}

int cutune_search_open(struct cutune_search **search, const struct cutune_search_space *space, const char *strategy,
                       unsigned long long seed, struct cutune_error *error)
{
    struct error own = {0};
    if (search)
        *search = NULL;
    if (!search || !space)
        return api_null(error, __func__);
    struct cutune_search *opened;
    int code = search_open(&opened, space, &own);
    if (!code)
        code = search_start(opened, strategy ? strategy : "surrogate", seed, &own);
    if (code) {
        cutune_search_close(opened);
        return api_error(error, &own);
    }
    *search = opened;
    return 0;
}

void cutune_search_close(struct cutune_search *search)
{
    if (!search)
        return;
    search_end(&search->search);
    strategy_choice_free(&search->choice);
    archive_close(&search->archive);
    free(search->events);
    valid_set_free(search->set);
    space_free(search->space);
    arena_free(&search->arena);
    free(search);
}

/* ---- Configurations ---- */

unsigned long long cutune_search_count(const struct cutune_search *search)
{
    return search ? valid_set_count(search->set) : 0;
}

size_t cutune_search_parameter_count(const struct cutune_search *search)
{
    return search ? search->space->parameter_count : 0;
}

const char *cutune_search_parameter(const struct cutune_search *search, size_t parameter)
{
    bool known = search && parameter < search->space->parameter_count;
    return known ? search->space->parameters[parameter].name : NULL;
}

const char *cutune_search_value(const struct cutune_search *search, size_t parameter, size_t choice)
{
    bool known = search && parameter < search->space->parameter_count &&
                 choice < search->space->parameters[parameter].value_count;
    return known ? search->values[parameter][choice] : NULL;
}

static int check_number(const struct cutune_search *search, uint64_t configuration, struct error *error)
{
    uint64_t count = valid_set_count(search->set);
    if (configuration < count)
        return 0;
    return error_set(error, ERROR_USAGE, "there is no configuration %llu: the valid set has %llu, from 0",
                     (unsigned long long)configuration, (unsigned long long)count);
}

int cutune_search_choices(const struct cutune_search *search, unsigned long long configuration, unsigned *choices,
                          struct cutune_error *error)
{
    struct error own = {0};
    if (!search || !choices)
        return api_null(error, __func__);
    if (check_number(search, configuration, &own))
        return api_error(error, &own);
    valid_set_get(search->set, configuration, choices);
    return 0;
}

/* Appends the text of a configuration below the count. */
static void print(const struct cutune_search *search, uint64_t configuration, struct text *text)
{
    uint32_t choices[SPACE_PARAMETERS_MAX];
    valid_set_get(search->set, configuration, choices);
    space_config_text(search->space, choices, text);
}

int cutune_search_text(const struct cutune_search *search, unsigned long long configuration, char *text, size_t room,
                       struct cutune_error *error)
{
    struct error own = {0};
    struct text whole = {0};
    if (!search || !text)
        return api_null(error, __func__);
    int code = check_number(search, configuration, &own);
    if (!code)
        print(search, configuration, &whole);
    if (!code && whole.failed)
        code = error_memory(&own);
    if (!code && whole.length >= room)
        code = error_set(&own, ERROR_VALUE, "the text of configuration %llu needs %zu bytes, not %zu", configuration,
                         whole.length + 1, room);
    if (!code)
        memcpy(text, text_string(&whole), whole.length + 1);
    text_free(&whole);
    return code ? api_error(error, &own) : 0;
}

/* Finds a configuration of the space in the valid set, or says why it is not valid. */
static int find(const struct cutune_search *search, const uint32_t *choices, unsigned long long *configuration,
                struct error *error)
{
    struct text text = {0};
    uint64_t index;
    if (valid_set_find(search->set, choices, &index) && index != UINT64_MAX) {
        *configuration = index;
        return 0;
    }
    space_config_text(search->space, choices, &text);
    int code =
        text.failed ? error_memory(error) : api_check_constraints(search->space, choices, text_string(&text), error);
    if (!code)
        code = error_set(error, ERROR_NOTHING_VALID, "%.300s is not among the %llu valid configurations",
                         text_string(&text), (unsigned long long)valid_set_count(search->set));
    text_free(&text);
    return code;
}

int cutune_search_find_choices(const struct cutune_search *search, const unsigned *choices,
                               unsigned long long *configuration, struct cutune_error *error)
{
    struct error own = {0};
    int code = 0;
    if (!search || !choices || !configuration)
        return api_null(error, __func__);
    for (size_t p = 0; p < search->space->parameter_count && !code; p++) {
        const struct parameter *parameter = &search->space->parameters[p];
        if (choices[p] >= parameter->value_count)
            code = error_set(&own, ERROR_DATA, "choice %u of '%s' is not below its %zu values", choices[p],
                             parameter->name, parameter->value_count);
    }
    if (!code)
        code = find(search, choices, configuration, &own);
    return code ? api_error(error, &own) : 0;
}

int cutune_search_find(const struct cutune_search *search, const char *text, unsigned long long *configuration,
                       struct cutune_error *error)
{
    struct error own = {0};
    uint32_t choices[SPACE_PARAMETERS_MAX];
    if (!search || !text || !configuration)
        return api_null(error, __func__);
    int code = space_config_parse(search->space, text, choices, &own);
    if (!code)
        code = find(search, choices, configuration, &own);
    return code ? api_error(error, &own) : 0;
}

/* ---- The dialogue ---- */

/* Makes room for `more` events, so that adding them cannot fail. */
static int reserve(struct cutune_search *search, size_t more, struct error *error)
{
    struct search_event *events =
        array_grow(search->events, &search->event_room, search->event_count + more, sizeof *events);
    if (!events)
        return error_memory(error);
    search->events = events;
    return 0;
}

/* Notes a proposal, for which there is room. */
static int propose(struct cutune_search *search, uint64_t configuration, struct error *error)
{
    if (!archive_add(&search->archive, configuration))
        return error_memory(error);
    search->events[search->event_count++] =
        (struct search_event){.kind = EVENT_PROPOSAL, .configuration = configuration};
    return 0;
}

int search_propose_default(struct cutune_search *search, uint64_t *configuration, size_t *count, struct error *error)
{
    *count = 0;
    if (!search->has_default || archive_find(&search->archive, search->default_))
        return 0;
    int code = reserve(search, 2, error);
    if (code)
        return code;
    search->events[search->event_count++] = (struct search_event){.kind = EVENT_DEFAULT};
    *configuration = search->default_;
    code = propose(search, search->default_, error);
    *count = !code;
    return code;
}

/* Leaves out configurations that are known: a strategy that does not learn may propose them. Asks until it proposes
 * another one. */
int search_propose(struct cutune_search *search, uint64_t *configurations, size_t room, size_t *count,
                   struct error *error)
{
    size_t asked;
    uint64_t proposals[SEARCH_ROOM_MAX];
    *count = 0;
    int code = reserve(search, SEARCH_ROOM_MAX + 1, error);
    if (code)
        return code;
    room = room < SEARCH_ROOM_MAX ? room : SEARCH_ROOM_MAX;
    struct search_event *event = &search->events[search->event_count++];
    *event = (struct search_event){.kind = EVENT_ASK, .room = room};
    do {
        size_t in_flight = search->archive.count - search->told;
        code = search_ask(&search->search, in_flight, search->told > 0, proposals, room, &asked, error);
        for (size_t i = 0; i < asked && !code; i++) {
            if (archive_find(&search->archive, proposals[i]))
                continue;
            code = propose(search, proposals[i], error);
            configurations[*count] = proposals[i];
            *count += !code;
        }
    } while (!code && asked && !*count);
    if (!*count) /* it changed nothing */
        search->event_count--;
    return code;
}

int cutune_search_ask(struct cutune_search *search, unsigned long long *configurations, size_t room, size_t *count,
                      struct cutune_error *error)
{
    struct error own = {0};
    size_t got = 0;
    int code = 0;
    if (count)
        *count = 0;
    if (!search || !configurations || !count)
        return api_null(error, __func__);
    for (bool first = true; *count < room && !code && (first || got); first = false) {
        uint64_t proposals[SEARCH_ROOM_MAX];
        code = search_propose_default(search, proposals, &got, &own);
        if (!code && !got)
            code = search_propose(search, proposals, room - *count, &got, &own);
        for (size_t i = 0; i < got; i++)
            configurations[(*count)++] = proposals[i];
    }
    return code ? api_error(error, &own) : 0;
}

/* ---- Answers ---- */

static int check_answer(const struct cutune_answer *answer, struct error *error)
{
    bool has_value = answer->kind != CUTUNE_ANSWER_FAILURE;
    if (answer->kind < CUTUNE_ANSWER_VALUE || answer->kind > CUTUNE_ANSWER_FAILURE)
        return error_set(error, ERROR_USAGE, "there is no kind %d of an answer", answer->kind);
    if (has_value && !(answer->value > 0 && isfinite(answer->value))) {
        int code = error_set(error, ERROR_VALUE, "the value %g is not a positive, finite number", answer->value);
        error_hint(error, "tell a failure where there is no value, and minimise 1 / x to maximise x");
        return code;
    }
    if (answer->kind == CUTUNE_ANSWER_STOPPED && !(answer->least >= 0 && isfinite(answer->least)))
        return error_set(error, ERROR_VALUE, "the least value %g is neither positive nor 0", answer->least);
    if (answer->effort_s < 0 || isinf(answer->effort_s))
        return error_set(error, ERROR_VALUE, "the effort %g s is negative or infinite", answer->effort_s);
    return 0;
}

static struct cost cost_of(const struct cutune_answer *answer)
{
    bool failure = answer->kind == CUTUNE_ANSWER_FAILURE;
    return (struct cost){.ok = !failure,
                         .censored = answer->kind == CUTUNE_ANSWER_STOPPED,
                         .value = failure ? NAN : answer->value,
                         .least = failure             ? NAN
                                  : answer->least > 0 ? answer->least
                                                      : answer->value,
                         .cause = failure ? answer->cause : 0,
                         .effort = answer->effort_s > 0 ? answer->effort_s : NAN};
}

int search_answer(struct cutune_search *search, uint64_t configuration, const struct cutune_answer *answer,
                  struct error *error)
{
    const struct cost cost = cost_of(answer);
    int code = check_number(search, configuration, error);
    if (!code)
        code = check_answer(answer, error);
    const struct archive_entry *entry = code ? NULL : archive_find(&search->archive, configuration);
    if (entry && entry->told)
        code = error_set(error, ERROR_USAGE, "configuration %llu has an answer", (unsigned long long)configuration);
    if (!code)
        code = reserve(search, 1, error);
    if (!code && !archive_tell(&search->archive, configuration, &cost))
        code = error_memory(error);
    if (code)
        return code;
    search_tell(&search->search, configuration, &cost);
    search->told++;
    search->events[search->event_count++] =
        (struct search_event){.kind = EVENT_ANSWER, .configuration = configuration, .answer = *answer};
    if (answer->kind == CUTUNE_ANSWER_VALUE && answer->value < search->best_value) {
        search->best = configuration;
        search->best_value = answer->value;
    }
    return 0;
}

int cutune_search_tell(struct cutune_search *search, unsigned long long configuration,
                       const struct cutune_answer *answer, struct cutune_error *error)
{
    struct error own = {0};
    if (!search || !answer)
        return api_null(error, __func__);
    return search_answer(search, configuration, answer, &own) ? api_error(error, &own) : 0;
}

int cutune_search_best(const struct cutune_search *search, unsigned long long *configuration, double *value,
                       struct cutune_error *error)
{
    struct error own = {0};
    if (!search)
        return api_null(error, __func__);
    if (isinf(search->best_value)) {
        error_set(&own, ERROR_NOTHING_VALID, "none of %zu answers has a value", search->told);
        return api_error(error, &own);
    }
    if (configuration)
        *configuration = search->best;
    if (value)
        *value = search->best_value;
    return 0;
}

size_t cutune_search_in_flight(const struct cutune_search *search, unsigned long long *configurations, size_t room)
{
    if (!search || (room && !configurations))
        return 0;
    size_t in_flight = search->archive.count - search->told, written = 0;
    for (size_t i = 0; i < search->archive.count && written < room && written < in_flight; i++)
        if (!search->archive.entries[i].told)
            configurations[written++] = search->archive.entries[i].index;
    return in_flight;
}
