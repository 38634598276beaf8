/* The evidence rows of a journal in memory, by configuration. */
#ifndef CUTUNE_JOURNAL_JOURNAL_EVIDENCE_H
#define CUTUNE_JOURNAL_JOURNAL_EVIDENCE_H

#include "base/arena.h"
#include "base/hash_table.h"
#include "journal/journal.h"

/* The word in the column `status`. Evidence is not an outcome: no status has this name. */
#define JOURNAL_EVIDENCE "evidence"

/* Launches of a configuration; a journal that claims more is damaged. */
enum { JOURNAL_LAUNCHES_MAX = 1024 };

/* Empty when zeroed. */
struct journal_evidences {
    struct arena arena;
    struct journal_evidence *items; /* in order of first appearance */
    size_t count, room;
    size_t width; /* values of a configuration */
    struct hash_table table;
};

/* Adds the evidence of one launch with the number `evidence->launch` (unknown: 0), in place of an earlier row of the
 * same configuration and launch. Copies everything. ERROR_DATA for an impossible number of a launch. */
int journal_evidences_add(struct journal_evidences *evidences, const char *const *values, size_t width,
                          const struct evidence *evidence, struct error *error);

/* The evidence of a configuration, or NULL. */
const struct journal_evidence *journal_evidences_find(const struct journal_evidences *evidences,
                                                      const char *const *values);
void journal_evidences_free(struct journal_evidences *evidences);

#endif
