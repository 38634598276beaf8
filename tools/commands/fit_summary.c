#include "commands/fit_summary.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "base/text.h"
#include "terminal/output.h"
#include "terminal/prose.h"

enum { COLUMN = 12, INDENT = 2 };

struct page {
    struct prose prose;
    struct text text;
};
#define FACT(page, label, ...) prose_fact(&(page)->prose, &(page)->text, label, MARK_NONE, __VA_ARGS__)

static void put_quality(struct page *page, const char *name, const struct fit_quality *quality)
{
    if (isnan(quality->mean))
        FACT(page, name, "unknown: too few sizes");
    else
        FACT(page, name, "%.3f of the best on average, 5th percentile %.3f, worst %.3f", quality->mean, quality->fifth,
             quality->worst);
}

static void put_region(struct page *page, const struct fit_result *result)
{
    struct text sizes = {0};
    const struct provenance *first = &journal_get_header(result->journals.items[0]->journal)->provenance;
    size_t probed = 0;
    for (size_t i = 0; i < result->table.size_count; i++)
        probed += result->table.probed[i];
    FACT(page, "kernel", "%s", first->kernel);
    FACT(page, "device", "%s", first->device.name);
    for (size_t i = 0; i < result->region.count; i++)
        text_printf(&sizes, "%s%s=%lld..%lld", i ? ", " : "", result->region.sizes[i].name,
                    (long long)result->region.sizes[i].least, (long long)result->region.sizes[i].most);
    if (result->fit.probed_count)
        text_printf(&sizes, "; probed: %zu", result->fit.probed_count);
    if (result->left_out)
        text_printf(&sizes, "; without a result: %zu", result->left_out);
    FACT(page, "sizes", "%zu of %s", result->table.size_count - probed, text_string(&sizes));
    page->text.failed |= sizes.failed;
    text_free(&sizes);
}

static void put_configuration(struct page *page, size_t number, const struct size_fit_configuration *configuration,
                              size_t sizes)
{
    char label[24];
    bool all = size_fit_serves_all(configuration);
    snprintf(label, sizeof label, "%zu", number);
    FACT(page, label, "%s: %zu size%s%s%s", configuration->text, sizes, sizes == 1 ? "" : "s", all ? "" : ", where ",
         all ? "" : configuration->where);
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
static void put_regret(struct page *page, const struct fit *fit)
{
    if (isinf(fit->taken_percent))
        FACT(page, "regret", "the tree's choice fails at a size; at most %.1f%% with the best of them",
             fit->worst_percent);
    else
        FACT(page, "regret", "at most %.1f%% with the tree's choices, %.1f%% with the best of them", fit->taken_percent,
             fit->worst_percent);
}

int fit_summary_print(const struct fit_result *result, const char *database, enum database_outcome outcome,
                      struct error *error)
{
    const struct fit *fit = &result->fit;
    struct page page = {.prose = prose_of(STDOUT_FILENO, COLUMN)};
    struct text tree = {0};
    put_region(&page, result);
    for (size_t c = 0; c < fit->sizes->configuration_count; c++)
        put_configuration(&page, c, &fit->sizes->configurations[c], fit->rules[c]);
    if (result->journals.partial)
        FACT(&page, "unchecked",
             "what the space requires with words, floats or log2 that depend on the sizes: a chosen configuration may "
             "not be valid");
    put_regret(&page, fit);
    put_quality(&page, "in sample", &fit->sample);
    put_quality(&page, "held out", &fit->held);
    FACT(&page, "tree", "%s", "");
    put_tree(&tree, fit->sizes, 0, 1);
    prose_lines(&page.prose, text_string(&tree), &page.text);
    if (database)
        FACT(&page, "database", "%s, %s", database,
             outcome == DATABASE_ADDED      ? "a new row"
             : outcome == DATABASE_REPLACED ? "in place of an earlier fit"
                                            : "keeps a fit that was made later");
    page.text.failed |= tree.failed;
    int code = output_file(NULL, &page.text, error);
    text_free(&tree);
    text_free(&page.text);
    return code;
}
