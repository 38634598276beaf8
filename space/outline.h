/* Where each statement of a space file, and of the files that it includes, is: found before any is read. */
#ifndef CUTUNE_SPACE_OUTLINE_H
#define CUTUNE_SPACE_OUTLINE_H

#include <sys/stat.h>

#include "base/text.h"
#include "space/parse.h"

struct place {
    const struct statement *statement;
    struct lexer lexer; /* at the keyword */
};

struct outline {
    struct place *places;
    size_t count;
    size_t counts[STATEMENTS_MAX];
    bool faulty[STATEMENTS_MAX];   /* such a statement has an error */
    bool misspelt[STATEMENTS_MAX]; /* an unknown statement looks like this one: it is not missing */
    bool over;                     /* reading ends at an error */
    bool read;                     /* to the end */
    bool file_missing;             /* an include failed: what it declares is not known */
    struct place firsts[STATEMENTS_MAX];
    const struct source_text *sources[SPACE_FILES_MAX + 1]; /* in the order of reading */
    size_t source_count;
    struct outline_file {
        dev_t device;
        ino_t inode;
        bool open; /* being read: the file or one that it includes */
    } files[SPACE_FILES_MAX];
    size_t file_count, bytes;
    struct text digest; /* with an include: every file's text */
};

/* Fills the parser's outline from the space's text, without the statements that have errors, which the parser keeps;
 * the space's text_hash is that of all files. An error that is returned ends the reading. Whatever the result, free it.
 */
int outline_make(struct parser *parser);
void outline_free(struct outline *outline);

/* How often the statement occurs. */
size_t outline_count(const struct outline *outline, const char *keyword);
/* Whether the statement is there, or one that may be meant to be it. */
bool outline_has(const struct outline *outline, const char *keyword);

#endif
