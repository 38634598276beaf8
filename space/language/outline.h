/* Finds the position of each statement in a space file and its includes, before any statement is read. */
#ifndef CUTUNE_LANGUAGE_OUTLINE_H
#define CUTUNE_LANGUAGE_OUTLINE_H

#include <sys/stat.h>

#include "base/text.h"
#include "language/parser.h"

struct place {
    const struct statement *statement;
    struct lexer lexer; /* its keyword is the current token */
};

struct outline {
    struct place *places;
    size_t count;
    size_t counts[STATEMENTS_MAX];
    bool faulty[STATEMENTS_MAX];   /* such a statement has an error */
    bool misspelt[STATEMENTS_MAX]; /* an unknown statement resembles it, so that it is not reported as missing */
    bool over;                     /* reading stopped at an error */
    bool read;                     /* to the end */
    bool file_missing;             /* an include failed, so that its declarations are unknown */
    struct place firsts[STATEMENTS_MAX];
    const struct source_text *sources[SPACE_FILES_MAX + 1]; /* in order of reading */
    size_t source_count;
    struct outline_file {
        dev_t device;
        ino_t inode;
        bool open; /* being read: the file or one of its includes */
    } files[SPACE_FILES_MAX];
    size_t file_count, bytes;
    struct text digest; /* of the text of every file, includes counted */
};

/* Fills the parser's outline from the space's text. Leaves out statements with errors and records the errors in the
 * parser. Sets the space's text_hash over all files. A returned error ends reading. Free the outline in any case. */
int outline_make(struct parser *parser);
void outline_free(struct outline *outline);

/* Returns the number of occurrences of the statement. */
size_t outline_count(const struct outline *outline, const char *keyword);
/* recover.c: true if the statement, or a possible misspelling of it, occurs. */
bool outline_has(const struct outline *outline, const char *keyword);

#endif
