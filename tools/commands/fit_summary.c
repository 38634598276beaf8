#include "commands/fit_summary.h"

#include <math.h>

#include "base/text.h"
#include "terminal/output.h"

enum { INDENT = 2 };

static void put_quality(struct text *text, const char *name, const struct fit_quality *quality)
{
    if (isnan(quality->mean))
        text_printf(text, "%-12sunknown: too few sizes\n", name);
    else
        text_printf(text, "%-12s%.3f of the best on average, 5th percentile %.3f, worst %.3f\n", name, quality->mean,
                    quality->fifth, quality->worst);
}

static void put_region(struct text *text, const struct fit_result *result)
{
    const struct provenance *first = &journal_get_header(result->journals.items[0]->journal)->provenance;
    size_t probed = 0;
    for (size_t i = 0; i < result->table.size_count; i++)
        probed += result->table.probed[i];
    text_printf(text, "kernel      %s\ndevice      %s\nsizes       %zu of ", first->kernel, first->device.name,
                result->table.size_count - probed);
    for (size_t i = 0; i < result->region.count; i++)
        text_printf(text, "%s%s=%lld..%lld", i ? ", " : "", result->region.sizes[i].name,
                    (long long)result->region.sizes[i].least, (long long)result->region.sizes[i].most);
    if (result->fit.probed_count)
        text_printf(text, "; probed: %zu", result->fit.probed_count);
    if (result->left_out)
        text_printf(text, "; without a result: %zu", result->left_out);
    text_printf(text, "\n");
}

static void put_configuration(struct text *text, size_t number, const struct size_fit_configuration *configuration,
                              size_t sizes)
{
    text_printf(text, "%-12zu%s: %zu size%s", number, configuration->text, sizes, sizes == 1 ? "" : "s");
    if (!size_fit_serves_all(configuration))
        text_printf(text, ", where %s", configuration->where);
    text_printf(text, "\n");
}

/* Number of the first configurations in the order that serve all sizes; later ones are unused. */
static void put_order(struct text *text, const struct size_fit *fit, const struct size_fit_node *leaf)
{
    for (size_t i = 0; i < fit->configuration_count; i++) {
        text_printf(text, "%s%u", i ? ", else " : "", (unsigned)leaf->order[i]);
        if (size_fit_serves_all(&fit->configurations[leaf->order[i]]))
            break;
    }
    text_printf(text, "\n");
}

static void put_tree(struct text *text, const struct size_fit *fit, size_t node, size_t depth)
{
    const struct size_fit_node *at = &fit->nodes[node];
    int indent = (int)(depth * INDENT);
    if (at->leaf) {
        text_printf(text, "%*s", indent + INDENT, "");
        put_order(text, fit, at);
        return;
    }
    text_printf(text, "%*sif ", indent, "");
    size_fit_decision(fit, at, text);
    text_printf(text, "\n");
    put_tree(text, fit, node + 1, depth + 1);
    text_printf(text, "%*selse\n", indent, "");
    put_tree(text, fit, at->high, depth + 1);
}

/* Users get the tree's choices; a better tree could choose the best of the configurations. */
static void put_regret(struct text *text, const struct fit *fit)
{
    if (isinf(fit->taken_percent))
        text_printf(text, "regret      the tree's choice fails at a size; ");
    else
        text_printf(text, "regret      at most %.1f%% with the tree's choices, ", fit->taken_percent);
    text_printf(text, "%s%.1f%% with the best of them\n", isinf(fit->taken_percent) ? "at most " : "",
                fit->worst_percent);
}

int fit_summary_print(const struct fit_result *result, const char *database, enum database_outcome outcome,
                      struct error *error)
{
    const struct fit *fit = &result->fit;
    struct text text = {0};
    put_region(&text, result);
    for (size_t c = 0; c < fit->sizes->configuration_count; c++)
        put_configuration(&text, c, &fit->sizes->configurations[c], fit->rules[c]);
    if (result->journals.partial)
        text_printf(&text,
                    "unchecked   what the space requires with words, floats or log2 that depend on the sizes: a chosen "
                    "configuration may not be valid\n");
    put_regret(&text, fit);
    put_quality(&text, "in sample", &fit->sample);
    put_quality(&text, "held out", &fit->held);
    text_printf(&text, "tree\n");
    put_tree(&text, fit->sizes, 0, 1);
    if (database)
        text_printf(&text, "database    %s, %s\n", database,
                    outcome == DATABASE_ADDED      ? "a new row"
                    : outcome == DATABASE_REPLACED ? "in place of an earlier fit"
                                                   : "keeps a fit that was made later");
    int code = text.failed ? error_memory(error) : output_file(NULL, &text, error);
    text_free(&text);
    return code;
}
