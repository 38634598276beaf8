#include "compile/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/regular.h"

/* The head of an entry, followed by its payload. Files belong to one machine: the magic does not match in another
 * byte order. */
struct head {
    uint64_t magic;
    char key[HASH_HEX_BYTES - 1];
    uint64_t bytes;    /* of the payload */
    uint64_t checksum; /* of the payload, seeded with that of the fields above */
};

static const uint64_t entry_magic = 0x314e494255437543; /* "CuCUBIN1" */

enum {
    SHARD_DIGITS = 2,
    KEY_DIGITS = HASH_HEX_BYTES - 1,
    USED_AGAIN_S = 3600,      /* record a use if the last record is older */
    HALF_WRITTEN_S = 15 * 60, /* no process takes longer to write an entry */
    TEMPORARY_DIGITS = 6,     /* random characters of mkostemp */
};

static const char *const entry_suffix = ".cubin", *const temporary_suffix = ".part.";

/* ---- The folder ---- */

int compile_cache_find(struct compile_cache *cache, struct error *error)
{
    static const struct {
        const char *variable, *below;
        bool absolute;
    } places[] = {{"CUTUNE_CACHE", "", false}, {"XDG_CACHE_HOME", "/cutune", true}, {"HOME", "/.cache/cutune", true}};
    *cache = (struct compile_cache){.max_bytes = CACHE_BYTES_MAX};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char *value = getenv(places[i].variable);
        if (!value || !*value || (places[i].absolute && *value != '/'))
            continue;
        int length = snprintf(cache->folder, sizeof cache->folder, "%s%s", value, places[i].below);
        if (length < 0 || (size_t)length >= sizeof cache->folder)
            return error_set(error, ERROR_IO, "the path in %s is too long", places[i].variable);
        return 0;
    }
    return error_set(error, ERROR_NOT_FOUND,
                     "no folder for the cubin cache: none of CUTUNE_CACHE, XDG_CACHE_HOME and HOME is set");
}

int compile_cache_open(struct compile_cache *cache, struct error *error)
{
    int code = file_make_folder(cache->folder, error);
    if (!code && access(cache->folder, R_OK | W_OK | X_OK))
        code = error_errno(error, ERROR_IO, "cannot write to the directory %s", cache->folder);
    return code;
}

/* ---- One entry ---- */

enum { PATH_ROOM = CACHE_FOLDER_BYTES + 64 };

static void entry_path(const struct compile_cache *cache, const char *key, char path[PATH_ROOM])
{
    snprintf(path, PATH_ROOM, "%s/%.*s/%.*s%s", cache->folder, SHARD_DIGITS, key, KEY_DIGITS, key, entry_suffix);
}

static uint64_t checksum_of(const struct head *head, const void *payload)
{
    return hash_u64(payload, (size_t)head->bytes, hash_u64(head, offsetof(struct head, checksum), 0));
}

static void note_use(const char *path)
{
    struct stat about;
    if (stat(path, &about) == 0 && time(NULL) - about.st_mtime > USED_AGAIN_S)
        utimensat(AT_FDCWD, path, NULL, 0);
}

bool compile_cache_load(const struct compile_cache *cache, const char key[HASH_HEX_BYTES], struct text *payload)
{
    struct head head;
    char path[PATH_ROOM];
    text_clear(payload);
    entry_path(cache, key, path);
    bool good = regular_read(path, CACHE_ENTRY_BYTES_MAX, payload) == REGULAR_READ && payload->length >= sizeof head;
    if (good) {
        memcpy(&head, payload->bytes, sizeof head);
        good = head.magic == entry_magic && memcmp(head.key, key, sizeof head.key) == 0 &&
               head.bytes == payload->length - sizeof head &&
               head.checksum == checksum_of(&head, payload->bytes + sizeof head);
    }
    if (!good) {
        text_clear(payload);
        return false;
    }
    payload->length -= sizeof head;
    memmove(payload->bytes, payload->bytes + sizeof head, payload->length + 1);
    note_use(path);
    return true;
}

static int open_temporary(const struct compile_cache *cache, const char *key, char path[PATH_ROOM])
{
    for (int attempt = 0;; attempt++) {
        char folder[PATH_ROOM];
        snprintf(path, PATH_ROOM, "%s/%.*s/%.*s%sXXXXXX", cache->folder, SHARD_DIGITS, key, KEY_DIGITS, key,
                 temporary_suffix);
        int descriptor = mkostemp(path, O_CLOEXEC);
        if (descriptor >= 0 || errno != ENOENT || attempt)
            return descriptor;
        snprintf(folder, sizeof folder, "%s/%.*s", cache->folder, SHARD_DIGITS, key);
        mkdir(folder, 0777); /* if this fails, so does the second attempt */
    }
}

/* No fsync: the checksum detects an entry torn by a power cut, which is then recompiled. */
bool compile_cache_store(const struct compile_cache *cache, const char key[HASH_HEX_BYTES], const void *payload,
                         size_t bytes)
{
    char temporary[PATH_ROOM], path[PATH_ROOM];
    struct head head = {.magic = entry_magic, .bytes = bytes};
    if (bytes > CACHE_ENTRY_BYTES_MAX - sizeof head || bytes > cache->max_bytes)
        return false;
    memcpy(head.key, key, sizeof head.key);
    head.checksum = checksum_of(&head, payload);
    int descriptor = open_temporary(cache, key, temporary);
    if (descriptor < 0)
        return false;
    entry_path(cache, key, path);
    bool good = !file_write_all(descriptor, &head, sizeof head, temporary, NULL) &&
                !file_write_all(descriptor, payload, bytes, temporary, NULL);
    good = !close(descriptor) && good && !rename(temporary, path);
    if (!good)
        unlink(temporary);
    return good;
}

bool compile_cache_due(const struct compile_cache *cache, const char key[HASH_HEX_BYTES], size_t bytes)
{
    unsigned chance = (unsigned)strtoul(key + KEY_DIGITS - 2, NULL, 16);
    return chance < 1 + 256 * (double)bytes / ((double)cache->max_bytes / 16);
}

/* ---- All entries ---- */

struct entry {
    struct timespec used;
    uint64_t bytes;
    char key[HASH_HEX_BYTES];
};

struct sweep {
    uint64_t max_bytes;
    struct cache_usage *usage;
    struct entry *entries;
    size_t count, room;
    int failure; /* errno of an entry that could not be removed */
};

enum kind { KIND_FOREIGN, KIND_ENTRY, KIND_TEMPORARY };

static size_t digits_of(const char *name)
{
    return strspn(name, "0123456789abcdef");
}

static enum kind kind_of(const char *shard, const char *name)
{
    if (digits_of(name) != KEY_DIGITS || strncmp(name, shard, SHARD_DIGITS) != 0)
        return KIND_FOREIGN;
    if (strcmp(name + KEY_DIGITS, entry_suffix) == 0)
        return KIND_ENTRY;
    size_t length = strlen(temporary_suffix);
    return strncmp(name + KEY_DIGITS, temporary_suffix, length) == 0 &&
                   strlen(name) == KEY_DIGITS + length + TEMPORARY_DIGITS
               ? KIND_TEMPORARY
               : KIND_FOREIGN;
}

/* True if the entry begins with the magic, or with a part of it or zeros, as after a power cut. */
static bool is_ours(int folder, const char *name)
{
    uint64_t magic = 0;
    int descriptor = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    if (descriptor < 0)
        return false;
    ssize_t got = read(descriptor, &magic, sizeof magic);
    close(descriptor);
    return got == 0 || (got > 0 && (memcmp(&magic, &entry_magic, (size_t)got) == 0 || magic == 0));
}

static bool add_entry(struct sweep *sweep, const char *name, const struct stat *about)
{
    if (sweep->count == sweep->room) {
        size_t room = sweep->room ? 2 * sweep->room : 1024;
        struct entry *entries = realloc(sweep->entries, room * sizeof *entries);
        if (!entries)
            return false;
        sweep->entries = entries;
        sweep->room = room;
    }
    struct entry *entry = &sweep->entries[sweep->count++];
    *entry = (struct entry){.used = about->st_mtim, .bytes = (uint64_t)about->st_size};
    memcpy(entry->key, name, KEY_DIGITS);
    sweep->usage->entries++;
    sweep->usage->bytes += entry->bytes;
    return true;
}

/* Ignores missing files: another process removed them. */
static bool read_shard(struct sweep *sweep, int root, const char *shard)
{
    bool good = true;
    int descriptor = openat(root, shard, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    DIR *folder = descriptor < 0 ? NULL : fdopendir(descriptor);
    if (!folder) {
        if (descriptor >= 0)
            close(descriptor);
        return true;
    }
    for (struct dirent *item; good && (item = readdir(folder));) {
        struct stat about;
        enum kind kind = kind_of(shard, item->d_name);
        if (kind == KIND_FOREIGN || fstatat(descriptor, item->d_name, &about, AT_SYMLINK_NOFOLLOW) ||
            !S_ISREG(about.st_mode))
            continue;
        if (kind == KIND_ENTRY)
            good = add_entry(sweep, item->d_name, &about);
        else if (sweep->max_bytes == 0 || time(NULL) - about.st_mtime > HALF_WRITTEN_S)
            unlinkat(descriptor, item->d_name, 0);
    }
    closedir(folder);
    return good;
}

static int older_first(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    if (a->used.tv_sec != b->used.tv_sec)
        return a->used.tv_sec < b->used.tv_sec ? -1 : 1;
    if (a->used.tv_nsec != b->used.tv_nsec)
        return a->used.tv_nsec < b->used.tv_nsec ? -1 : 1;
    return memcmp(a->key, b->key, sizeof a->key);
}

static void remove_entry(struct sweep *sweep, int root, const struct entry *entry)
{
    char name[64];
    struct cache_usage *usage = sweep->usage;
    snprintf(name, sizeof name, "%.*s/%s%s", SHARD_DIGITS, entry->key, entry->key, entry_suffix);
    if (!is_ours(root, name)) {
        /* Removed by another process, or not an entry of the cache. */
        usage->entries--;
        usage->bytes -= entry->bytes;
    } else if (unlinkat(root, name, 0) == 0 || errno == ENOENT) {
        usage->entries--;
        usage->bytes -= entry->bytes;
        usage->removed++;
        usage->removed_bytes += entry->bytes;
    } else {
        sweep->failure = errno;
    }
}

static bool is_over(const struct sweep *sweep)
{
    return sweep->max_bytes == 0 || sweep->usage->bytes > sweep->max_bytes;
}

static int sweep_all(struct sweep *sweep, DIR *root, struct error *error)
{
    for (struct dirent *item; (item = readdir(root));)
        if (strlen(item->d_name) == SHARD_DIGITS && digits_of(item->d_name) == SHARD_DIGITS &&
            !read_shard(sweep, dirfd(root), item->d_name))
            return error_memory(error);
    if (sweep->count && is_over(sweep))
        qsort(sweep->entries, sweep->count, sizeof *sweep->entries, older_first);
    for (size_t i = 0; i < sweep->count && is_over(sweep); i++)
        remove_entry(sweep, dirfd(root), &sweep->entries[i]);
    return 0;
}

static void remove_shards(int root)
{
    for (int i = 0; i < 256; i++) {
        char shard[SHARD_DIGITS + 1];
        snprintf(shard, sizeof shard, "%02x", (unsigned)i & 255u);
        unlinkat(root, shard, AT_REMOVEDIR); /* fails unless the folder is empty */
    }
}

int compile_cache_trim(const struct compile_cache *cache, uint64_t max_bytes, struct cache_usage *usage,
                       struct error *error)
{
    struct sweep sweep = {.max_bytes = max_bytes, .usage = usage};
    *usage = (struct cache_usage){0};
    DIR *root = opendir(cache->folder);
    if (!root && errno == ENOENT)
        return 0;
    if (!root)
        return error_errno(error, ERROR_IO, "cannot read the directory %s", cache->folder);
    int code = sweep_all(&sweep, root, error);
    if (!code && max_bytes == 0) {
        remove_shards(dirfd(root));
        unlinkat(dirfd(root), CACHE_USES_NAME, 0);
    }
    if (!code && sweep.failure) {
        errno = sweep.failure;
        code = error_errno(error, ERROR_IO, "cannot remove all entries of %s", cache->folder);
    }
    free(sweep.entries);
    closedir(root);
    return code;
}
