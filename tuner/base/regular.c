#include "base/regular.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static enum regular read_all(int descriptor, size_t max_bytes, struct text *text)
{
    char chunk[64 << 10];
    size_t total = 0;
    for (;;) {
        ssize_t got = read(descriptor, chunk, sizeof chunk);
        if (got < 0 && errno == EINTR)
            continue;
        if (got == 0)
            return text->failed ? REGULAR_UNFIT : REGULAR_READ;
        if (got < 0 || (size_t)got > max_bytes - total)
            return REGULAR_UNFIT;
        text_append(text, chunk, (size_t)got);
        total += (size_t)got;
    }
}

enum regular regular_read(const char *path, size_t max_bytes, struct text *text)
{
    struct stat about;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0)
        return REGULAR_ABSENT;
    enum regular result = fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode)
                              ? read_all(descriptor, max_bytes, text)
                              : REGULAR_UNFIT;
    close(descriptor);
    return result;
}
