/* Where each statement of a space file, and of the files that it includes, is: found before any is read. */
#ifndef CUTUNE_SPACE_OUTLINE_H
#define CUTUNE_SPACE_OUTLINE_H

#include <sys/stat.h>

#include "base/text.h"
#include "space/parse.h"

struct outline {
    struct place {
        const struct statement *statement;
        struct lexer lexer; /* at the keyword */
    } * places;
    size_t count;
    size_t counts[STATEMENTS_MAX];
    struct place firsts[STATEMENTS_MAX];
    struct outline_file {
        dev_t device;
        ino_t inode;
        bool open; /* being read: the file or one that it includes */
    } files[SPACE_FILES_MAX];
    size_t file_count, bytes;
    struct text digest; /* with an include: every file's text */
};

/* Fills the outline from the space's text; the space's text_hash is that of all files. Whatever the result, free it. */
int outline_make(struct parser *parser, struct outline *outline);
void outline_free(struct outline *outline);

/* How often the statement occurs. */
size_t outline_count(const struct outline *outline, const char *keyword);

#endif
