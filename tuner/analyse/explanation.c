#include "analyse/explanation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/binding.h"
#include "analyse/launch_numbers.h"
#include "analyse/rules.h"
#include "analyse/verdict.h"
#include "analyse/work.h"
#include "base/evidence.h"
#include "base/pairs.h"
#include "base/text.h"

/* Times that differ by less need no reason: the counters of one launch do not resolve it. */
static const double margin = 0.02;
/* Least share of the time lost for a cause other than faulty accesses. Counters show faulty accesses directly, even in
 * small differences; everything else differs between most configurations. */
static const double lost_least = 0.05;
/* access_least: least share of the time lost that faulty accesses cost. cause_enough: share from which a cause alone
 * may be the reason; causes of other kinds need it. */
static const double shown_least = 0.005; /* numbers that differ by less are the same */
static const double access_least = 0.3, cause_enough = 0.5;

const char *change_answer_name(enum change_answer answer)
{
    static const char *const names[] = {
        [CHANGE_EXPLAINED] = "explained",           [CHANGE_LESS_WORK] = "less_work", [CHANGE_SAME] = "same",
        [CHANGE_NEEDS_COUNTERS] = "needs_counters", [CHANGE_NOT_KNOWN] = "not_known",
    };
    return names[answer];
}

/* Moves a text into the arena; NULL when out of memory. */
static const char *take_text(struct text *text, struct arena *arena)
{
    const char *copy = text->failed ? NULL : arena_copy(arena, text_string(text), text->length);
    text_free(text);
    return copy;
}

/* ---- Numbers ---- */

/* Returns the index of the unit for printing a value; *scale: its divisor. */
static size_t unit_of(double value, double step, double *scale)
{
    size_t unit = 0;
    *scale = 1;
    for (; value / *scale >= 9999.5 && unit < 4; unit++)
        *scale *= step;
    return unit;
}

static void print_in_unit(struct text *text, double value, double scale, const char *unit)
{
    text_printf(text, scale > 1 ? "%.1f%s" : "%.4g%s", value / scale, unit);
}

/* Prints both in the unit of the larger one, "65.7 M -> 0.1 M", unless the smaller one would print as 0. */
static void print_scaled(struct text *text, double from, double to, double step, const char *const units[5])
{
    double scale, own, small = fmin(from, to);
    size_t unit = unit_of(fmax(from, to), step, &scale), least = unit;
    own = scale;
    if (small > 0 && small / scale < 0.05)
        least = unit_of(small, step, &own);
    bool from_is_small = from == small;
    print_in_unit(text, from, from_is_small ? own : scale, units[from_is_small ? least : unit]);
    text_printf(text, " -> ");
    print_in_unit(text, to, from_is_small ? scale : own, units[from_is_small ? unit : least]);
}

static void print_counts(struct text *text, double from, double to)
{
    print_scaled(text, from, to, 1000, (const char *const[]){"", " k", " M", " G", " T"});
}

static void print_bytes(struct text *text, double from, double to)
{
    print_scaled(text, from, to, 1024, (const char *const[]){" B", " KiB", " MiB", " GiB", " TiB"});
}

static void print_ns(struct text *text, double from, double to)
{
    print_scaled(text, from, to, 1000, (const char *const[]){" ns", " us", " ms", " s", " ks"});
}

static void print_flags(struct text *text, double from, double to)
{
    text_printf(text, "%s -> %s", from != 0 ? "yes" : "no", to != 0 ? "yes" : "no");
}

static void print_shown(struct text *text, const char *what, enum rule_unit unit, double from, double to)
{
    text_printf(text, "%s ", what);
    if (isnan(from) || isnan(to)) /* the rule uses another number */
        text_printf(text, "unknown");
    else if (unit == RULE_COUNT)
        print_counts(text, from, to);
    else if (unit == RULE_BYTES)
        print_bytes(text, from, to);
    else if (unit == RULE_TIME)
        print_ns(text, from, to);
    else if (unit == RULE_FLAG)
        print_flags(text, from, to);
    else if (unit == RULE_SHARE)
        text_printf(text, "%.0f%% -> %.0f%%", 100 * from, 100 * to);
    else
        text_printf(text, "%.2f -> %.2f", from, to);
}

/* ---- The causes of a change ---- */

/* The two configurations of a change. */
struct sides {
    const struct explanation_configuration *slow, *fast;
    double factor; /* cost of `slow` / cost of `fast` */
    bool costs;    /* the change leads from `fast` to `slow` */
    bool paired;   /* they have the same launches */
    bool counted;  /* all launches have counters or the stages of a pipeline */
    bool pipeline; /* both are pipelines */
};

static struct rule_pair launch_pair(const struct sides *sides, size_t launch)
{
    return (struct rule_pair){&sides->slow->launches[launch], &sides->fast->launches[launch]};
}

static struct sides sides_of(const struct explanation_configuration *from, const struct explanation_configuration *to)
{
    bool costs = measurement_cost(from->measurement) < measurement_cost(to->measurement);
    struct sides sides = {.slow = costs ? to : from,
                          .fast = costs ? from : to,
                          .costs = costs,
                          .paired = from->launch_count == to->launch_count,
                          .counted = true,
                          .pipeline = true};
    const struct explanation_configuration *const both[] = {from, to};
    for (size_t side = 0; side < 2; side++)
        for (size_t i = 0; i < both[side]->launch_count; i++) {
            sides.counted = sides.counted && launch_is_measured(&both[side]->launches[i]);
            sides.pipeline = sides.pipeline && launch_is_pipeline(&both[side]->launches[i]);
        }
    return sides;
}

/* True if measurements decide: the launches of a pipeline have no counters. */
static bool by_counters(const struct sides *sides, const struct rule *rule)
{
    return sides->counted && (rule->kind == RULE_PIPELINE || !sides->pipeline);
}

static const struct rule_shown *shown_of(const struct sides *sides, const struct rule *rule)
{
    return by_counters(sides, rule) ? &rule->counters : &rule->code;
}

/* Returns the share of the slow run that a launch takes; without counters, all launches weigh the same. */
static double launch_weight(const struct sides *sides, size_t launch)
{
    if (!sides->counted || sides->slow->launch_count == 1)
        return 1.0 / (double)sides->slow->launch_count;
    double total = 0;
    for (size_t i = 0; i < sides->slow->launch_count; i++)
        total += sides->slow->launches[i].cycles * launch_repeats(&sides->slow->launches[i]);
    return sides->slow->launches[launch].cycles * launch_repeats(&sides->slow->launches[launch]) / total;
}

struct found {
    const struct rule *rule;
    double strength;
    bool enough;   /* it alone may be the reason */
    size_t launch; /* that shows it most */
};

/* True if the shown numbers of a cause differ or are unknown. */
static bool shows(const struct rule_shown *shown, const struct rule_pair *pair)
{
    double slow = shown->of(pair->slow), fast = shown->of(pair->fast);
    return !(fabs(slow - fast) <= shown_least * fmax(fabs(slow), fabs(fast)));
}

/* Returns the cost of a kernel's fault in a pipeline: its share of the kernel, and at most the kernel's additional
 * time. */
static double strength_in_pipeline(const struct sides *sides, const struct rule *rule, const struct rule_pair *pair)
{
    double kernel = pair->slow->kernel_ns / pair->slow->run_ns;
    double longer = (pair->slow->kernel_ns - pair->fast->kernel_ns) / pair->slow->run_ns;
    return sides->counted ? share_of(fmin(kernel * rule_strength(rule, pair, false), longer)) : 0;
}

static double strength_of(const struct sides *sides, const struct rule *rule, const struct rule_pair *pair)
{
    return sides->pipeline && rule->kind != RULE_PIPELINE ? strength_in_pipeline(sides, rule, pair)
                                                          : rule_strength(rule, pair, sides->counted);
}

static struct found find_cause(const struct sides *sides, const struct rule *rule, double lost)
{
    struct found found = {.rule = rule};
    double most = 0;
    for (size_t i = 0; i < sides->slow->launch_count; i++) {
        const struct rule_pair pair = launch_pair(sides, i);
        double strength = launch_weight(sides, i) * strength_of(sides, rule, &pair);
        if (!shows(shown_of(sides, rule), &pair))
            strength = 0;
        found.strength += strength;
        if (strength > most) {
            most = strength;
            found.launch = i;
        }
    }
    found.enough = found.strength >= cause_enough * lost;
    return found;
}

/* Orders causes that alone may be the reason first, by kind; the others by cost. */
static int compare_found(const void *left, const void *right)
{
    const struct found *a = left, *b = right;
    if (a->enough != b->enough)
        return a->enough ? -1 : 1;
    if (a->enough && a->rule->kind != b->rule->kind)
        return a->rule->kind < b->rule->kind ? -1 : 1;
    if (a->strength != b->strength)
        return a->strength > b->strength ? -1 : 1;
    return a->rule < b->rule ? -1 : a->rule > b->rule;
}

/* Finds the causes that cost a noticeable part of the lost time, the most likely one first. */
static size_t find_causes(const struct sides *sides, double lost, struct found found[CAUSE_COUNT])
{
    size_t count = 0;
    if (!sides->paired)
        return 0;
    for (size_t i = 0; i < CAUSE_COUNT; i++) {
        if (lost < lost_least && !(by_counters(sides, &rule_rows[i]) && rule_rows[i].kind == RULE_ACCESS))
            continue;
        found[count] = find_cause(sides, &rule_rows[i], lost);
        bool direct = rule_rows[i].kind == RULE_ACCESS && found[count].strength >= access_least * lost;
        if (found[count].strength > 0 && (found[count].enough || direct))
            count++;
    }
    qsort(found, count, sizeof *found, compare_found);
    return count;
}

/* Prints the numbers of the slower and the faster configuration in the direction of the change. */
static void print_numbers(struct text *text, const struct sides *sides, const struct rule_shown *shown, double slow,
                          double fast)
{
    print_shown(text, shown->what, shown->unit, sides->costs ? fast : slow, sides->costs ? slow : fast);
}

/* A single parameter that costs time may still be useful with others: "alone" marks its effect as isolated. */
static void print_times(struct text *text, const struct explain_input_change *change, const struct sides *sides)
{
    text_printf(text, "%s%.*f times %s", sides->costs && change->parameter_count == 1 ? "alone " : "",
                sides->factor < 1.95 ? 2 : 1, sides->factor, sides->costs ? "slower" : "faster");
}

static void print_limit(struct text *text, const struct sides *sides, const char *limit)
{
    text_printf(text, ": the limit %s %s", sides->costs ? "is" : "was", limit);
}

static void print_found(struct text *text, const struct sides *sides, const struct found *found)
{
    const struct rule_pair pair = launch_pair(sides, found->launch);
    const struct rule_shown *shown = shown_of(sides, found->rule);
    if (sides->slow->launch_count > 1)
        text_printf(text, "launch %zu: ", found->launch + 1);
    print_numbers(text, sides, shown, shown->of(pair.slow), shown->of(pair.fast));
}

static int fill_causes(struct explain_input_change *change, struct arena *arena, const struct sides *sides,
                       struct error *error)
{
    struct found found[CAUSE_COUNT];
    double lost = 1 - 1 / sides->factor;
    size_t count = find_causes(sides, lost, found);
    change->causes = arena_array(arena, count, sizeof *change->causes);
    if (count && !change->causes)
        return error_memory(error);
    for (change->cause_count = 0; change->cause_count < count; change->cause_count++) {
        const struct found *from = &found[change->cause_count];
        struct text text = {0};
        print_found(&text, sides, from);
        struct explain_input_cause *cause = &change->causes[change->cause_count];
        *cause = (struct explain_input_cause){.id = from->rule->id,
                                              .title = from->rule->title,
                                              .gone = from->rule->gone,
                                              .counters = by_counters(sides, from->rule),
                                              .strength = sides->counted ? fmin(from->strength, lost) : NAN,
                                              .numbers = take_text(&text, arena),
                                              .source = from->rule->source};
        if (!cause->numbers)
            return error_memory(error);
    }
    return 0;
}

/* ---- Sentences ---- */

static void print_reason(struct text *text, const struct explain_input_change *change, const struct sides *sides)
{
    struct work work;
    switch (change->answer) {
    case CHANGE_EXPLAINED:
        text_printf(text, "%s; ", change->causes[0].numbers);
        print_times(text, change, sides);
        print_limit(text, sides, change->causes[0].title);
        return;
    case CHANGE_LESS_WORK:
        work = work_saved(sides->slow, sides->fast, sides->factor);
        print_numbers(text, sides, work.shown, work.slow, work.fast);
        text_printf(text, "; ");
        print_times(text, change, sides);
        if (work.binds)
            print_limit(text, sides, resource_name(work.resource));
        else if (!binding_is_stage(work.resource))
            text_printf(text, ", with %s work", sides->costs ? "more" : "less");
        return;
    case CHANGE_SAME:
        text_printf(text, "the times do not differ measurably");
        return;
    case CHANGE_NEEDS_COUNTERS:
        print_times(text, change, sides);
        text_printf(text, sides->pipeline ? "; the cause is unknown without the times of the pipeline's stages"
                                          : "; the cause is unknown without hardware counters");
        return;
    case CHANGE_NOT_KNOWN:
        print_times(text, change, sides);
        text_printf(text, "; the cause is unknown: no rule applies");
        return;
    }
}

/* True if saved work is the reason rather than a fault: threads also wait longer for a resource with more to do, so a
 * fault of the kinds SHAPE and ORDER must cost more. Faults themselves cost instructions. */
static bool outweighs(const struct work *work, const struct explain_input_cause *cause)
{
    const struct rule *rule = rule_find(cause->id);
    return work->binds && work->resource != RESOURCE_ISSUE && !binding_is_stage(work->resource) &&
           rule->kind != RULE_ACCESS && work->saved > cause->strength;
}

/* Chooses the reason: first a fault that alone may be the reason, then saved work of the binding resource, then faults
 * that are a part of the reason. */
static enum change_answer answer_of(const struct explain_input_change *change, const struct sides *sides)
{
    if (!sides->counted)
        return change->cause_count ? CHANGE_EXPLAINED : CHANGE_NEEDS_COUNTERS;
    const struct work work = work_saved(sides->slow, sides->fast, sides->factor);
    const struct explain_input_cause *first = change->cause_count ? &change->causes[0] : NULL;
    bool enough = first && first->strength >= cause_enough * (1 - 1 / sides->factor);
    if (enough && !outweighs(&work, first))
        return CHANGE_EXPLAINED;
    if (work.binds)
        return CHANGE_LESS_WORK;
    if (first)
        return CHANGE_EXPLAINED;
    return work.shown ? CHANGE_LESS_WORK : CHANGE_NOT_KNOWN;
}

/* Fills in the parameters that differ. */
static int fill_parameters(struct explain_input_change *change, struct arena *arena,
                           const struct explanation_input *input, struct error *error)
{
    struct pairs from, to;
    int code = pairs_read(arena, input->configurations[change->from].configuration, &from, error);
    if (!code)
        code = pairs_read(arena, input->configurations[change->to].configuration, &to, error);
    if (code)
        return code;
    struct text text = {0};
    change->parameter_count = 0;
    for (size_t i = 0; i < from.count; i++) {
        const char *value = pairs_find(&to, from.items[i].name);
        if (value && pairs_compare_values(from.items[i].value, value) == 0)
            continue;
        text_printf(&text, "%s%s %s -> %s", change->parameter_count ? ", " : "", from.items[i].name,
                    from.items[i].value, value ? value : "none");
        change->parameter_count++;
    }
    change->parameters = take_text(&text, arena);
    return change->parameters ? 0 : error_memory(error);
}

int explanation_change(struct explain_input_change *change, struct arena *arena, const struct explanation_input *input,
                       size_t from, size_t to, struct error *error)
{
    *change = (struct explain_input_change){.from = from, .to = to, .answer = CHANGE_SAME};
    struct sides sides = sides_of(&input->configurations[from], &input->configurations[to]);
    const struct verdict_ratio ratio = verdict_of(sides.slow->measurement, sides.fast->measurement, margin);
    sides.factor = 1 / ratio.ratio;
    change->speedup = sides.costs ? ratio.ratio : sides.factor;
    int code = fill_parameters(change, arena, input, error);
    if (!code && ratio.verdict == VERDICT_FASTER && sides.factor >= 1 + margin) {
        code = fill_causes(change, arena, &sides, error);
        change->answer = answer_of(change, &sides);
        if (change->answer != CHANGE_EXPLAINED)
            change->cause_count = 0;
    }
    if (code)
        return code;
    struct text text = {0};
    text_printf(&text, "%s: ", change->parameters);
    print_reason(&text, change, &sides);
    change->sentence = take_text(&text, arena);
    return change->sentence ? 0 : error_memory(error);
}

/* ---- All changes ---- */

/* True for a configuration with evidence and a time. One that was stopped early, as clearly slower, has a sufficient
 * time. */
static bool explicable(const struct explanation_input *input, size_t index)
{
    return index < input->count && input->configurations[index].launch_count &&
           measurement_has_value(input->configurations[index].measurement);
}

/* Orders larger effects first, gains and costs alike. */
static int compare_changes(const void *left, const void *right)
{
    const struct explain_input_change *a = left, *b = right;
    double x = fmax(a->speedup, 1 / a->speedup), y = fmax(b->speedup, 1 / b->speedup);
    if (x != y)
        return x > y ? -1 : 1;
    return (a->from > b->from) - (a->from < b->from);
}

static int fill_changes(struct explanation *explanation, struct arena *arena, const struct explanation_input *input,
                        struct error *error)
{
    explanation->changes = arena_array(arena, input->count, sizeof *explanation->changes);
    if (!explanation->changes)
        return error_memory(error);
    int code = 0;
    for (size_t i = 0; !code && i < input->count; i++) {
        if (i == input->focus || !explicable(input, i) || !explicable(input, input->focus))
            continue;
        struct explain_input_change *change = &explanation->changes[explanation->change_count];
        code = explanation_change(change, arena, input, i, input->focus, error);
        explanation->change_count += change->parameter_count == 1;
    }
    qsort(explanation->changes, explanation->change_count, sizeof *explanation->changes, compare_changes);
    return code;
}

static int fill_overall(struct explanation *explanation, struct arena *arena, const struct explanation_input *input,
                        struct error *error)
{
    if (input->default_ == input->focus || !explicable(input, input->default_) || !explicable(input, input->focus))
        return 0;
    explanation->overall = arena_alloc(arena, sizeof *explanation->overall);
    if (!explanation->overall)
        return error_memory(error);
    return explanation_change(explanation->overall, arena, input, input->default_, input->focus, error);
}

/* ---- The line of the summary ---- */

/* True if `change` changes the parameter of `single`. */
static bool has_parameter(const struct explain_input_change *change, const struct explain_input_change *single)
{
    size_t length = strcspn(single->parameters, " ") + 1; /* with the space that follows */
    for (const char *at = change->parameters; at; at = strstr(at, ", "), at = at ? at + 2 : NULL)
        if (strncmp(at, single->parameters, length) == 0)
            return true;
    return false;
}

/* Returns the change of one parameter that removes the first cause of `change` and is part of it; NULL: none. */
static const struct explain_input_change *single_of(const struct explanation *explanation,
                                                    const struct explain_input_change *change)
{
    const char *id = change->causes[0].id;
    for (size_t i = 0; i < explanation->change_count; i++) {
        const struct explain_input_change *single = &explanation->changes[i];
        if (single->speedup > 1 && single->cause_count && strcmp(single->causes[0].id, id) == 0 &&
            has_parameter(change, single))
            return single;
    }
    return NULL;
}

/* Prints " (PAD=1)": the parameter of a change "PAD 0 -> 1" with its new value. */
static void print_setting(struct text *text, const struct explain_input_change *change)
{
    const char *to = strstr(change->parameters, " -> ");
    text_printf(text, " (%.*s=%s)", (int)strcspn(change->parameters, " "), change->parameters, to + strlen(" -> "));
}

/* Prints "2.0 times fewer bytes from and to L2; now ". */
static void print_less(struct text *text, const struct explanation *explanation,
                       const struct explain_input_change *change)
{
    const struct explanation_configuration *items = explanation->input->configurations;
    const struct work work = work_saved(&items[change->from], &items[change->to], change->speedup);
    if (binding_is_stage(work.resource))
        print_shown(text, work.shown->what, work.shown->unit, work.slow, work.fast);
    else
        text_printf(text, "%.1f times fewer %s", work.slow / work.fast, work.shown->what);
    if (change->parameter_count == 1)
        print_setting(text, change);
    text_printf(text, "; now ");
}

static void print_gone(struct text *text, const struct explanation *explanation)
{
    const struct explain_input_change *overall = explanation->overall;
    if (!overall) {
        text_printf(text, "%s",
                    explanation->input->default_ == explanation->input->focus ? "the default is the fastest; " : "");
    } else if (overall->cause_count && overall->speedup > 1) {
        const struct explain_input_change *single = single_of(explanation, overall);
        text_printf(text, "%s", overall->causes[0].gone);
        if (single)
            print_setting(text, single);
        text_printf(text, "; now ");
    } else if (overall->answer == CHANGE_LESS_WORK && overall->speedup > 1) {
        print_less(text, explanation, overall);
    } else if (overall->answer == CHANGE_SAME) {
        text_printf(text, "as fast as the default; ");
    }
}

static void print_binding(struct text *text, const struct explain_input_configuration *focus)
{
    if (focus->binds == RESOURCE_UNKNOWN)
        text_printf(text, "the limit is unknown without %s", binding_missing(focus));
    else if (binding_is_stage(focus->binds))
        binding_print_stage(text, focus);
    else if (focus->binds == RESOURCE_LATENCY)
        text_printf(text, "latency-bound: no resource above %.0f%% of its ceiling", 100 * focus->share);
    else
        binding_print(text, focus, focus->binds, "-bound at ");
}

static int fill_why(struct explanation *explanation, struct arena *arena, struct error *error)
{
    struct text text = {0};
    if (explanation->input->focus < explanation->input->count) {
        print_gone(&text, explanation);
        print_binding(&text, &explanation->configurations[explanation->input->focus]);
    }
    explanation->why = take_text(&text, arena);
    return explanation->why ? 0 : error_memory(error);
}

int explanation_make(struct explanation *explanation, struct arena *arena, const struct explanation_input *input,
                     struct error *error)
{
    *explanation = (struct explanation){.input = input};
    explanation->configurations = arena_array(arena, input->count, sizeof *explanation->configurations);
    if (!explanation->configurations)
        return error_memory(error);
    int code = 0;
    for (size_t i = 0; !code && i < input->count; i++)
        code = binding_of(&explanation->configurations[i], arena, input, &input->configurations[i], error);
    if (!code)
        code = fill_changes(explanation, arena, input, error);
    if (!code)
        code = fill_overall(explanation, arena, input, error);
    return code ? code : fill_why(explanation, arena, error);
}
