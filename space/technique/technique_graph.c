/* graph: the launches of a run as a CUDA graph, which the host launches at once. */
#include "language/techniques.h"

#define GRAPH_LAUNCHES_MAX "65536"
enum { LAUNCHES_MAX = 65536 };

struct graph_statement {
    const struct expr *wanted;
};

static int parse(struct parser *parser)
{
    struct graph_statement *graph = technique_make(parser, TECHNIQUE_graph, sizeof *graph);
    return graph ? parser_expression(parser, &parser_rules, &graph->wanted) : ERROR_MEMORY;
}

static bool has_until(const struct space *space)
{
    bool found = false;
    for (size_t s = 0; s < space->step_count; s++)
        for (const struct loop *loop = space->steps[s].loop; loop; loop = loop->outer)
            found |= loop->until;
    return found;
}

static int check(struct parser *parser)
{
    const struct graph_statement *graph = technique_data(parser->space, TECHNIQUE_graph);
    const bool pipeline = technique_data(parser->space, TECHNIQUE_pipeline);
    if (!pipeline && !has_until(parser->space))
        return 0;
    int code =
        source_error(graph->wanted->source, graph->wanted->line, graph->wanted->column, parser->error, ERROR_SYNTAX,
                     "%s cannot run as a graph", pipeline ? "a pipeline" : "a loop that ends by 'until'");
    error_hint(parser->error, "%s",
               pipeline ? "leave out 'graph' or 'pipeline'" : "leave out 'graph': the host decides on each round");
    return code;
}

static int evaluate(const struct expr_inputs *inputs, struct launch *launch, struct error *error)
{
    const struct graph_statement *graph = technique_data(inputs->space, TECHNIQUE_graph);
    int64_t wanted;
    TRY(expr_integer(graph->wanted, inputs, "`graph`", 0, 1, &wanted, error));
    launch->graph = (uint16_t)wanted;
    const uint64_t launches = wanted && launch->call_count ? space_launch_count(launch) : 0;
    return launches <= LAUNCHES_MAX
               ? 0
               : expr_error(graph->wanted, inputs, error, "a graph of %llu launches, more than " GRAPH_LAUNCHES_MAX,
                            (unsigned long long)launches);
}

/* Number of launches, repetitions included; not of loops, whose launches `evaluate` counts. */
static int demand(struct demand_list *list)
{
    const struct graph_statement *graph = technique_data(list->space, TECHNIQUE_graph);
    const char *launches = "0";
    if (!graph)
        return 0;
    list->place = graph->wanted;
    for (size_t s = 0; s < list->space->step_count; s++) {
        const struct step *step = &list->space->steps[s];
        if (step->loop)
            return 0;
        const char *when = demand_part(list, step->when, "1"), *repeat = demand_part(list, step->repeat, "1");
        if (!when || !repeat || !launches)
            return error_memory(list->error);
        launches = demand_text(list, "%s + (%s ? %s : 0)", launches, when, repeat);
    }
    if (!launches)
        return error_memory(list->error);
    DEMAND(list, demand_text(list, "(%s) == 0 || %s <= " GRAPH_LAUNCHES_MAX, graph->wanted->text, launches),
           "a graph of $ launches, more than " GRAPH_LAUNCHES_MAX, launches);
    return 0;
}

const struct technique technique_graph = {
    .statement =
        {
            .keyword = "graph",
            .most = 1,
            .phase = PHASE_USES,
            .parse = parse,
            .usage = "graph 0|1   (or an expression with such a value)",
            .summary = "run the launches as a CUDA graph",
            .text =
                "With 1, the launches of a run are captured once and then launched together, which takes the host less "
                "time than launching each. A graph is captured and uploaded before its runs are timed. It cannot be "
                "combined with `pipeline`.",
            .example = "param GRAPH = 0, 1\n"
                       "graph GRAPH",
        },
    .check = check,
    .evaluate = evaluate,
    .demand = demand,
};
