/* What the compiler's output tells of a space that is no error, and rarely meant: said once, as a note. */
#ifndef CUTUNE_COMMANDS_CHECK_NOTES_H
#define CUTUNE_COMMANDS_CHECK_NOTES_H

#include "base/arena.h"
#include "base/text_set.h"
#include "compile/pool.h"
#include "space/space.h"

enum { CHECK_NOTES_MAX = 64 };
struct check_notes {
    struct text_set texts;                /* of all architectures */
    const char *configs[CHECK_NOTES_MAX]; /* the first configuration that each is about */
    size_t rows[CHECK_NOTES_MAX];         /* its number */
    size_t said;
    struct arena arena; /* owns the texts */
};

/* Looks at a configuration that is compiled with its PTX. They may come in any order. */
void check_notes_take(struct check_notes *notes, const struct space *space, size_t row, const uint32_t *choices,
                      const struct launch *launch, const struct compile_result *result);
/* Writes what is new, in the order of the `rows` configurations. */
void check_notes_say(struct check_notes *notes, const struct space *space, size_t rows);
void check_notes_free(struct check_notes *notes);

#endif
