/* The pages of the manual, made from the tables that the program works with. */
#ifndef CUTUNE_MANUAL_MANUAL_H
#define CUTUNE_MANUAL_MANUAL_H

#include "manual/page.h"

/* cutune-space(5): the space language, from the rows of its statements, functions, types, fills and device limits. */
void manual_space(struct page *page);
/* cutune-journal(5): every line and column of a journal and of the database. */
void manual_journal(struct page *page);
extern const char manual_journal_example[]; /* the journal that it shows */

#endif
