#include "base/arena.h"
#include "manual/manual.h"
#include "search/strategy.h"

/* Appends range and default to the help of an option. */
static const char *option_meaning(struct arena *arena, const struct option_row *row)
{
    char range[64];
    text_format(range, sizeof range, "%.15g to %.15g", row->min, row->max);
    return arena_printf(arena, "%s; %s%s (default: %s)", row->help, row->choices ? "one of " : "from ",
                        row->choices ? row->choices : range, row->default_);
}

void manual_strategies(struct page *page)
{
    struct arena arena = {0};
    page_section(page, "Strategies");
    page_text(page, "`auto` is `exhaustive` if everything fits `--max-evals` and is expected to take no longer than "
                    "`--max-time`, or "
                    "ten minutes without it. Otherwise it is `surrogate`, for that time at most, or for `--max-evals` "
                    "evaluations of a "
                    "larger set. An option has the form `NAME:OPTION=VALUE,OPTION=VALUE`.");
    for (size_t i = 0; i < strategy_count; i++) {
        const struct strategy_ops *strategy = strategies[i];
        const char *title = arena_printf(&arena, "`%s`: %s", strategy->name, strategy->summary);
        page->text->failed |= !title;
        page_subsection(page, title ? title : "");
        if (!strategy->option_count) {
            page_text(page, "It has no options.");
            continue;
        }
        page_items(page, "option", "meaning");
        for (size_t o = 0; o < strategy->option_count; o++) {
            const char *meaning = option_meaning(&arena, &strategy->options[o]);
            page->text->failed |= !meaning;
            page_item(page, strategy->options[o].name, meaning ? meaning : "");
        }
    }
    arena_free(&arena);
}
