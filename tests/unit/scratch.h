/* A folder for one test's files. */
#ifndef CUTUNE_TESTS_SCRATCH_H
#define CUTUNE_TESTS_SCRATCH_H

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"

struct scratch {
    char folder[64];
    char path[128]; /* of the test's main file, in the folder */
};

static inline struct scratch scratch_open(const char *name)
{
    struct scratch scratch = {.folder = "/tmp/cutune-test-XXXXXX"};
    if (!mkdtemp(scratch.folder)) {
        perror(scratch.folder);
        exit(1);
    }
    snprintf(scratch.path, sizeof scratch.path, "%s/%s", scratch.folder, name);
    return scratch;
}

static inline int scratch_remove(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status, (void)kind, (void)place;
    return remove(path);
}

static inline void scratch_close(const struct scratch *scratch)
{
    nftw(scratch->folder, scratch_remove, 8, FTW_DEPTH | FTW_PHYS);
}

static inline void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT(fputs(text, file) >= 0);
    CU_ASSERT_EQUAL(fclose(file), 0);
}

/* Returns the path of a file in a folder; the next call overwrites it. */
static inline const char *path_inside(const char *folder, const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static inline void write_inside(const char *folder, const char *name, const char *text)
{
    write_file(path_inside(folder, name), text);
}

static inline void scratch_write(const struct scratch *scratch, const char *text)
{
    write_file(scratch->path, text);
}

/* True if the file contains exactly this text. */
static inline bool scratch_holds(const char *path, const char *text)
{
    struct text found = {0};
    bool same = file_read(path, 1 << 24, &found, NULL) == 0 && strcmp(text_string(&found), text) == 0;
    text_free(&found);
    return same;
}

#endif
