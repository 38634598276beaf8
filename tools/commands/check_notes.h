/* Notes on valid but rarely intended use of the language, from the compiler's output; each is printed once. */
#ifndef CUTUNE_COMMANDS_CHECK_NOTES_H
#define CUTUNE_COMMANDS_CHECK_NOTES_H

#include "base/arena.h"
#include "base/text_set.h"
#include "compile/pool.h"
#include "space/space.h"

enum { CHECK_NOTES_MAX = 64 };
struct check_notes {
    struct text_set texts;                /* notes of all architectures */
    const char *configs[CHECK_NOTES_MAX]; /* first configuration of each note */
    size_t rows[CHECK_NOTES_MAX];         /* row of that configuration */
    size_t said;
    struct arena arena; /* owns the texts */
};

/* Inspects a configuration compiled with its PTX. Configurations may come in any order. */
void check_notes_take(struct check_notes *notes, const struct space *space, size_t row, const uint32_t *choices,
                      const struct launch *launch, const struct compile_result *result);
/* Prints new notes, in the order of the `rows` configurations. */
void check_notes_say(struct check_notes *notes, const struct space *space, size_t rows);
void check_notes_free(struct check_notes *notes);

#endif
