/* Pages of the manual, made from the program's own tables. */
#ifndef CUTUNE_MANUAL_MANUAL_H
#define CUTUNE_MANUAL_MANUAL_H

#include "manual/page.h"
#include "terminal/command.h"

/* cutune(1) for the first command, cutune-COMMAND(1) for another: one of the list, or a program of its own. */
void manual_command(struct page *page, const struct command_list *commands, const struct command *command);
/* Strategies of a search with their options: sections for cutune-strategies(1). */
void manual_strategies(struct page *page);
/* cutune(3): cutune.h. */
void manual_library(struct page *page);
/* cutune-space(5): the space language, from the rows of its statements, functions, types, fills and device limits. */
void manual_space(struct page *page);
/* cutune-journal(5): every line and column of a journal and of the database. */
void manual_journal(struct page *page);
extern const char manual_journal_example[]; /* an example of a journal */

/* Pages besides those of commands. */
struct manual_page {
    const char *name; /* as an argument of `cutune manual` */
    void (*write)(struct page *page);
};
extern const struct manual_page manual_pages[];
extern const size_t manual_page_count;

#endif
