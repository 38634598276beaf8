#include <fcntl.h>
#include <sys/wait.h>
#include <time.h>

#include "cache_scratch.h"

/* 32 digits, different for different numbers. */
static void key_of(unsigned number, char key[HASH_HEX_BYTES])
{
    hash_hex(&number, sizeof number, key);
}

static void path_of(const struct compile_cache *cache, const char *key, char path[4096])
{
    snprintf(path, 4096, "%s/%.2s/%s.cubin", cache->folder, key, key);
}

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static bool has(const struct compile_cache *cache, const char *key, const void *payload, size_t bytes)
{
    struct text found = {0};
    bool same = compile_cache_load(cache, key, &found) && found.length == bytes &&
                (bytes == 0 || memcmp(found.bytes, payload, bytes) == 0);
    text_free(&found);
    return same;
}

static bool misses(const struct compile_cache *cache, const char *key)
{
    struct text found = {0};
    text_append(&found, "old", 3);
    bool miss = !compile_cache_load(cache, key, &found) && found.length == 0;
    text_free(&found);
    return miss;
}

/* ---- Entries ---- */

static void what_is_stored_is_found(void)
{
    struct compile_cache cache = new_cache();
    char key[HASH_HEX_BYTES], other[HASH_HEX_BYTES], *large = malloc(3 << 20);
    CU_ASSERT_PTR_NOT_NULL_FATAL(large);
    memset(large, 'x', 3 << 20);
    key_of(1, key);
    key_of(2, other);
    CU_ASSERT(misses(&cache, key));
    CU_ASSERT(compile_cache_store(&cache, key, "a\0b", 3));
    CU_ASSERT(has(&cache, key, "a\0b", 3));
    CU_ASSERT(misses(&cache, other));
    CU_ASSERT(compile_cache_store(&cache, key, large, 3 << 20));
    CU_ASSERT(has(&cache, key, large, 3 << 20));
    CU_ASSERT(compile_cache_store(&cache, key, "", 0));
    CU_ASSERT(has(&cache, key, "", 0));
    CU_ASSERT_EQUAL(usage_of(&cache, UINT64_MAX).entries, 1);
    cache.max_bytes = 2;
    CU_ASSERT(!compile_cache_store(&cache, other, "abc", 3));
    free(large);
    remove_folder(cache.folder);
}

/* All lengths of truncated files, damage to every byte, and files that were never entries. */
static void damage_is_a_miss(void)
{
    static const char payload[] = "the payload of an entry";
    struct compile_cache cache = new_cache();
    char key[HASH_HEX_BYTES], other[HASH_HEX_BYTES], path[4096], other_path[4096];
    key_of(1, key);
    key_of(1000, other);
    CU_ASSERT(compile_cache_store(&cache, key, payload, sizeof payload));
    CU_ASSERT(compile_cache_store(&cache, other, payload, sizeof payload));
    path_of(&cache, key, path);
    path_of(&cache, other, other_path);
    FILE *file = fopen(path, "rb");
    char bytes[512];
    size_t length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    CU_ASSERT_FATAL(length > sizeof payload && length < sizeof bytes);
    for (size_t cut = 0; cut < length; cut++) {
        write_bytes(path, bytes, cut);
        CU_ASSERT(misses(&cache, key));
    }
    for (size_t i = 0; i < length; i++)
        for (int bit = 0; bit < 8; bit++) {
            bytes[i] = (char)(bytes[i] ^ (1 << bit));
            write_bytes(path, bytes, length);
            CU_ASSERT(misses(&cache, key));
            bytes[i] = (char)(bytes[i] ^ (1 << bit));
        }
    write_bytes(path, bytes, length + 1);
    CU_ASSERT(misses(&cache, key));
    write_bytes(path, bytes, length);
    CU_ASSERT(has(&cache, key, payload, sizeof payload));
    /* An entry under another key's name. */
    write_bytes(other_path, bytes, length);
    CU_ASSERT(misses(&cache, other));
    write_bytes(path, "#!/bin/sh\n", 10);
    CU_ASSERT(misses(&cache, key));
    CU_ASSERT(compile_cache_store(&cache, key, payload, sizeof payload));
    CU_ASSERT(has(&cache, key, payload, sizeof payload));
    /* Not regular files: reading must not block. */
    unlink(path);
    CU_ASSERT_EQUAL(mkfifo(path, 0600), 0);
    CU_ASSERT(misses(&cache, key));
    unlink(path);
    CU_ASSERT_EQUAL(mkdir(path, 0700), 0);
    CU_ASSERT(misses(&cache, key));
    CU_ASSERT(!compile_cache_store(&cache, key, payload, sizeof payload));

    remove_folder(cache.folder);
}

/* Eight processes write and read the same keys; one of them clears now and then. */
static void many_processes_share_it(void)
{
    enum { PROCESSES = 8, ROUNDS = 200, KEYS = 5 };
    struct compile_cache cache = new_cache();
    pid_t pids[PROCESSES];
    for (int p = 0; p < PROCESSES; p++) {
        pids[p] = fork();
        if (pids[p])
            continue;
        int wrong = 0;
        for (unsigned round = 0; round < ROUNDS; round++) {
            static char payload[40000];
            char key[HASH_HEX_BYTES];
            struct text found = {0};
            unsigned number = (round + (unsigned)p) % KEYS;
            size_t length = 10000 + 5000 * number;
            key_of(number, key);
            memset(payload, 'a' + (int)number, sizeof payload);
            if (p == 0 && round % 20 == 19) {
                struct cache_usage usage;
                wrong += compile_cache_trim(&cache, 0, &usage, NULL) != 0;
            }
            if (compile_cache_load(&cache, key, &found))
                wrong += found.length != length || memcmp(found.bytes, payload, length) != 0;
            compile_cache_store(&cache, key, payload, length);
            text_free(&found);
        }
        _exit(wrong != 0);
    }
    for (int p = 0; p < PROCESSES; p++) {
        int status = -1;
        CU_ASSERT_EQUAL(waitpid(pids[p], &status, 0), pids[p]);
        CU_ASSERT_EQUAL(status, 0);
    }
    CU_ASSERT(usage_of(&cache, UINT64_MAX).entries <= KEYS);
    CU_ASSERT_EQUAL(usage_of(&cache, 0).entries, 0);
    CU_ASSERT_EQUAL(rmdir(cache.folder), 0); /* nothing is left behind */
}

/* ---- Size limit ---- */

static void make_old(const struct compile_cache *cache, const char *key, int64_t age_s)
{
    char path[4096];
    path_of(cache, key, path);
    struct timespec then[2] = {{.tv_sec = time(NULL) - age_s}, {.tv_sec = time(NULL) - age_s}};
    CU_ASSERT_EQUAL(utimensat(AT_FDCWD, path, then, 0), 0);
}

static void the_least_recently_used_goes_first(void)
{
    enum { ENTRIES = 10 };
    struct compile_cache cache = new_cache();
    char keys[ENTRIES][HASH_HEX_BYTES], payload[1000] = {0};
    for (unsigned i = 0; i < ENTRIES; i++) {
        key_of(i, keys[i]);
        CU_ASSERT(compile_cache_store(&cache, keys[i], payload, sizeof payload));
        make_old(&cache, keys[i], 10000 * (ENTRIES - i));
    }
    struct cache_usage before = usage_of(&cache, UINT64_MAX);
    CU_ASSERT_EQUAL(before.entries, ENTRIES);
    uint64_t each = before.bytes / ENTRIES;
    CU_ASSERT(has(&cache, keys[0], payload, sizeof payload)); /* the oldest entry is in use */
    struct cache_usage after = usage_of(&cache, 4 * each + each / 2);
    CU_ASSERT_EQUAL(after.entries, 4);
    CU_ASSERT_EQUAL(after.bytes, 4 * each);
    CU_ASSERT_EQUAL(after.removed, 6);
    CU_ASSERT_EQUAL(after.removed_bytes, 6 * each);
    for (unsigned i = 0; i < ENTRIES; i++)
        CU_ASSERT_EQUAL(has(&cache, keys[i], payload, sizeof payload), i == 0 || i >= 7);
    remove_folder(cache.folder);
}

/* Uses are recorded, but not all of them. */
static void uses_are_noted(void)
{
    static const struct {
        int64_t age_s;
        bool noted;
    } rows[] = {{60, false}, {3000, false}, {4000, true}, {1000000, true}, {-1000000, false}};
    struct compile_cache cache = new_cache();
    char key[HASH_HEX_BYTES], path[4096];
    key_of(1, key);
    path_of(&cache, key, path);
    CU_ASSERT(compile_cache_store(&cache, key, "x", 1));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct stat before, after;
        make_old(&cache, key, rows[i].age_s);
        CU_ASSERT_EQUAL(stat(path, &before), 0);
        CU_ASSERT(has(&cache, key, "x", 1));
        CU_ASSERT_EQUAL(stat(path, &after), 0);
        CU_ASSERT_EQUAL(before.st_mtime != after.st_mtime, rows[i].noted);
    }
    remove_folder(cache.folder);
}

static void clearing_leaves_what_is_not_ours(void)
{
    static const struct {
        const char *name, *content;
        bool stays;
    } rows[] = {
        {"notes.txt", "mine", true},
        {"00/notes.txt", "mine", true},
        {"00/00112233445566778899aabbccddeeff.cubin", "mine", true},
        {"00/11112233445566778899aabbccddeeff.cubin", "CuCUBIN1", true}, /* in the wrong folder */
        {"00/0011223344556677.cubin", "CuCUBIN1", true},
        {"00/00112233445566778899AABBCCDDEEFF.cubin", "CuCUBIN1", true},
        {"00/00112233445566778899aabbccddeeff.cubin.bak", "CuCUBIN1", true},
        {"zz/00112233445566778899aabbccddeeff.cubin", "CuCUBIN1", true},
        {"00/00112233445566778899aabbccddee00.cubin", "CuCUBIN1", false}, /* truncated */
        {"00/00112233445566778899aabbccddee01.cubin", "CuC", false},
        {"00/00112233445566778899aabbccddee02.cubin", "", false},
        {"00/00112233445566778899aabbccddee03.part.AbCdEf", "half", false},
        {"00/00112233445566778899aabbccddee04.part.AbC", "half", true},
    };
    struct compile_cache cache = new_cache();
    char path[4096], link[4096], key[HASH_HEX_BYTES];
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", cache.folder, i ? "zz" : "00");
        CU_ASSERT_EQUAL(mkdir(path, 0700), 0);
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(path, sizeof path, "%s/%s", cache.folder, rows[i].name);
        write_bytes(path, rows[i].content, strlen(rows[i].content));
    }
    snprintf(path, sizeof path, "%s/notes.txt", cache.folder);
    snprintf(link, sizeof link, "%s/00/00112233445566778899aabbccddee05.cubin", cache.folder);
    CU_ASSERT_EQUAL(symlink(path, link), 0);
    key_of(1, key);
    CU_ASSERT(compile_cache_store(&cache, key, "x", 1));
    usage_of(&cache, UINT64_MAX);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(path, sizeof path, "%s/%s", cache.folder, rows[i].name);
        CU_ASSERT(exists(path)); /* reading removes nothing; a recent partial file may be in use */
    }
    CU_ASSERT_EQUAL(usage_of(&cache, 0).entries, 0);
    CU_ASSERT(misses(&cache, key));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(path, sizeof path, "%s/%s", cache.folder, rows[i].name);
        CU_ASSERT_EQUAL(exists(path), rows[i].stays);
    }
    CU_ASSERT(exists(link));
    remove_folder(cache.folder);
}

static void looking_after_it_is_due_by_size(void)
{
    static const struct {
        size_t bytes;
        unsigned low, high;
    } rows[] = {{0, 1, 1}, {10000, 1, 2}, {1 << 20, 8, 9}, {CACHE_BYTES_MAX / 16, 256, 256}};
    struct compile_cache cache = {.max_bytes = CACHE_BYTES_MAX};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        unsigned due = 0;
        for (unsigned last = 0; last < 256; last++) {
            char key[HASH_HEX_BYTES];
            snprintf(key, sizeof key, "%032x", last);
            due += compile_cache_due(&cache, key, rows[i].bytes);
        }
        CU_ASSERT(due >= rows[i].low && due <= rows[i].high);
    }
}

/* ---- Location ---- */

static void places_are_found(void)
{
    static const struct {
        const char *cutune, *xdg, *home, *folder; /* NULL: unset; folder NULL: none */
    } rows[] = {
        {"/a", "/b", "/c", "/a"},
        {"here", "/b", "/c", "here"},
        {"", "/b", "/c", "/b/cutune"},
        {NULL, "/b", NULL, "/b/cutune"},
        {NULL, "b", "/c", "/c/.cache/cutune"},
        {NULL, "", "/c", "/c/.cache/cutune"},
        {NULL, NULL, "c", NULL},
        {NULL, NULL, "", NULL},
        {NULL, NULL, NULL, NULL},
    };
    static const char *const names[] = {"CUTUNE_CACHE", "XDG_CACHE_HOME", "HOME"};
    char *before[3];
    for (int i = 0; i < 3; i++)
        before[i] = getenv(names[i]) ? strdup(getenv(names[i])) : NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *const values[] = {rows[i].cutune, rows[i].xdg, rows[i].home};
        struct compile_cache cache;
        struct error error = {0};
        for (int j = 0; j < 3; j++)
            values[j] ? setenv(names[j], values[j], 1) : unsetenv(names[j]);
        CU_ASSERT_EQUAL(compile_cache_find(&cache, &error), rows[i].folder ? 0 : ERROR_NOT_FOUND);
        if (rows[i].folder)
            CU_ASSERT_STRING_EQUAL(cache.folder, rows[i].folder);
    }
    struct text long_name = {0};
    struct compile_cache cache;
    for (int i = 0; i < 2000; i++)
        text_append(&long_name, "/x", 2);
    setenv("CUTUNE_CACHE", text_string(&long_name), 1);
    CU_ASSERT_EQUAL(compile_cache_find(&cache, NULL), ERROR_IO);
    text_free(&long_name);
    for (int i = 0; i < 3; i++) {
        before[i] ? setenv(names[i], before[i], 1) : unsetenv(names[i]);
        free(before[i]);
    }
}

/* Runs add to the counts; damage and clearing begin them anew. */
static void look_ups_are_counted(void)
{
    struct compile_cache cache = new_cache();
    char path[CACHE_FOLDER_BYTES + 16];
    snprintf(path, sizeof path, "%s/" CACHE_USES_NAME, cache.folder);
    CU_ASSERT(compile_cache_uses(&cache).hits == 0 && compile_cache_uses(&cache).misses == 0);
    compile_cache_count(&cache, &(const struct cache_uses){0});
    CU_ASSERT_NOT_EQUAL(access(path, F_OK), 0);
    for (uint64_t i = 1; i <= 3; i++)
        compile_cache_count(&cache, &(const struct cache_uses){.hits = 10 * i, .misses = 1});
    CU_ASSERT(compile_cache_uses(&cache).hits == 60 && compile_cache_uses(&cache).misses == 3);
    usage_of(&cache, UINT64_MAX);
    CU_ASSERT_EQUAL(compile_cache_uses(&cache).hits, 60);
    write_bytes(path, "hits 7 mi", 9);
    CU_ASSERT(compile_cache_uses(&cache).hits == 0 && compile_cache_uses(&cache).misses == 0);
    compile_cache_count(&cache, &(const struct cache_uses){.hits = 2});
    CU_ASSERT_EQUAL(compile_cache_uses(&cache).hits, 2);
    usage_of(&cache, 0);
    CU_ASSERT_EQUAL(compile_cache_uses(&cache).hits, 0);
    remove_folder(cache.folder);
}

static void unusable_folders_are_refused(void)
{
    static const char *const folders[] = {"/proc/cutune", "/dev/null", "/dev/null/cache", "/sys"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        struct compile_cache cache = {.max_bytes = CACHE_BYTES_MAX};
        struct error error = {0};
        char key[HASH_HEX_BYTES];
        snprintf(cache.folder, sizeof cache.folder, "%s", folders[i]);
        if (strcmp(folders[i], "/sys") != 0)
            CU_ASSERT_NOT_EQUAL(compile_cache_open(&cache, &error), 0);
        key_of(1, key);
        CU_ASSERT(!compile_cache_store(&cache, key, "x", 1));
        CU_ASSERT(misses(&cache, key));
    }
    struct compile_cache missing = {.folder = "/tmp/cutune-is-not-there"};
    CU_ASSERT_EQUAL(usage_of(&missing, 0).entries, 0);
}

CU_TestInfo tests_cache[] = {
    {"stored entries are found", what_is_stored_is_found},
    {"damage is a miss", damage_is_a_miss},
    {"many processes share the cache", many_processes_share_it},
    {"the least recently used goes first", the_least_recently_used_goes_first},
    {"uses are noted", uses_are_noted},
    {"clearing leaves foreign files", clearing_leaves_what_is_not_ours},
    {"trimming is due by size", looking_after_it_is_due_by_size},
    {"places are found", places_are_found},
    {"look-ups are counted", look_ups_are_counted},
    {"unusable folders are refused", unusable_folders_are_refused},
    CU_TEST_INFO_NULL,
};
