/* The counts of a cache's look-ups: a file of one line in its folder, which is also its lock. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "compile/cache.h"

enum { PATH_ROOM = CACHE_FOLDER_BYTES + 16, LINE_BYTES = 64 };

/* The line has a fixed width: a new one replaces the old one. */
#define LINE_FORMAT "hits %020" PRIu64 " misses %020" PRIu64 "\n"

static void path_of(const struct compile_cache *cache, char path[PATH_ROOM])
{
    snprintf(path, PATH_ROOM, "%s/%s", cache->folder, CACHE_USES_NAME);
}

static bool read_line(const char *line, struct cache_uses *uses)
{
    char again[LINE_BYTES];
    return sscanf(line, "hits %" SCNu64 " misses %" SCNu64, &uses->hits, &uses->misses) == 2 &&
           snprintf(again, sizeof again, LINE_FORMAT, uses->hits, uses->misses) == (int)strlen(line) &&
           strcmp(line, again) == 0;
}

struct cache_uses compile_cache_uses(const struct compile_cache *cache)
{
    struct cache_uses uses = {0};
    struct text line = {0};
    char path[PATH_ROOM];
    path_of(cache, path);
    if (file_read_regular(path, LINE_BYTES, &line, NULL) || !read_line(text_string(&line), &uses))
        uses = (struct cache_uses){0};
    text_free(&line);
    return uses;
}

void compile_cache_count(const struct compile_cache *cache, const struct cache_uses *more)
{
    struct cache_uses uses;
    char path[PATH_ROOM], line[LINE_BYTES];
    int lock;
    path_of(cache, path);
    if ((!more->hits && !more->misses) || file_lock(path, false, &lock, NULL))
        return;
    uses = compile_cache_uses(cache);
    uses.hits += more->hits;
    uses.misses += more->misses;
    int length = snprintf(line, sizeof line, LINE_FORMAT, uses.hits, uses.misses);
    if (pwrite(lock, line, (size_t)length, 0) != length) {
        /* a full disk: the counts begin anew */
    }
    close(lock);
}
