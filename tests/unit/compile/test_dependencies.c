#include "compile/dependencies.h"

#include <fcntl.h>
#include <time.h>

#include "cache_scratch.h"

static void rules_are_read(void)
{
    static const struct {
        const char *rule, *paths; /* with a blank behind each; NULL: not a rule */
    } rows[] = {{"k.ptx : a.cu \\\n    /usr/b.h \\\n c.h\n", "a.cu|/usr/b.h|c.h|"},
                {"/t/k.ptx : /t/k.cu \\\n /tt/b.h /t\n", "/tt/b.h|/t|"},
                {"k: a\\ b\\#c\\\\d $$e\\f\n", "a b#c\\d|$e\\f|"},
                {"k: ", ""},
                {"k: \n\n", ""},
                {"k: a\\\nb", "a|b|"},
                {"k:\n", NULL},
                {"", NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text paths = {0};
        bool good = dependencies_read(rows[i].rule, "/t", &paths);
        CU_ASSERT_EQUAL(good, rows[i].paths != NULL);
        for (size_t at = 0; at < paths.length; at++)
            if (!paths.bytes[at])
                paths.bytes[at] = '|';
        if (good)
            CU_ASSERT_STRING_EQUAL(text_string(&paths), rows[i].paths);
        text_free(&paths);
    }
}

/* Keys change when a file is written, becomes older, or is removed. */
static void keys_follow_the_files(void)
{
    struct compile_cache cache = new_cache();
    char path[CACHE_FOLDER_BYTES + 32], keys[6][HASH_HEX_BYTES];
    struct text paths = {0}, none = {0};
    const struct timespec old[] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    size_t count = 0;
    snprintf(path, sizeof path, "%s/a", cache.folder);
    text_append(&paths, path, strlen(path) + 1);
    CU_ASSERT(dependencies_key("key", &none, 5, keys[count++]));
    CU_ASSERT(dependencies_key("key", &paths, 5, keys[count++]));
    CU_ASSERT(dependencies_key("yek", &paths, 5, keys[count++]));
    write_bytes(path, "1", 1);
    CU_ASSERT(dependencies_key("key", &paths, INT64_MAX, keys[count++]));
    CU_ASSERT(!dependencies_key("key", &paths, time(NULL) - 100, keys[count]));
    CU_ASSERT_EQUAL(utimensat(AT_FDCWD, path, old, 0), 0);
    CU_ASSERT(!dependencies_key("key", &paths, 1000, keys[count]));
    CU_ASSERT(dependencies_key("key", &paths, 1001, keys[count++]));
    write_bytes(path, "12", 2);
    CU_ASSERT_EQUAL(utimensat(AT_FDCWD, path, old, 0), 0);
    CU_ASSERT(dependencies_key("key", &paths, INT64_MAX, keys[count++]));
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            CU_ASSERT_STRING_NOT_EQUAL(keys[i], keys[j]);
    unlink(path);
    CU_ASSERT(dependencies_key("key", &paths, 5, keys[0]));
    CU_ASSERT_STRING_EQUAL(keys[0], keys[1]);
    text_free(&paths);
    remove_folder(cache.folder);
}

CU_TestInfo tests_dependencies[] = {
    {"rules are read", rules_are_read}, {"keys follow the files", keys_follow_the_files}, CU_TEST_INFO_NULL};
