#include "journal/file_kind.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "database/database.h"
#include "journal/journal_head.h"

enum { START_BYTES = 64 << 10 }; /* holds the names of all columns of a database */

int file_kind_find(const char *path, enum file_kind *kind, struct error *error)
{
    char start[START_BYTES];
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        return error_errno(error, errno == ENOENT ? ERROR_NOT_FOUND : ERROR_IO, "cannot open %s", path);
    ssize_t got = read(descriptor, start, sizeof start - 1);
    if (got < 0 && errno == EAGAIN)
        got = 0; /* a pipe without data yet */
    int code = got < 0 ? error_errno(error, ERROR_IO, "cannot read %s", path) : 0;
    close(descriptor);
    if (code)
        return code;
    start[got] = '\0';
    const char *text = start + csv_mark_length(start, (size_t)got);
    *kind = strncmp(text, JOURNAL_MAGIC, strlen(JOURNAL_MAGIC)) == 0 ? FILE_KIND_JOURNAL
            : database_begins(start, (size_t)got)                    ? FILE_KIND_DATABASE
                                                                     : FILE_KIND_OTHER;
    return 0;
}
