/* Gives a test a folder of its own as the working directory, so that paths are relative. */
#ifndef CUTUNE_TESTS_ROOT_H
#define CUTUNE_TESTS_ROOT_H

#include <sys/stat.h>
#include <unistd.h>

#include "../scratch.h"
#include "base/file.h"

static struct scratch root;
static char root_start[4096];

/* Enters the folder, whose name has blanks. */
static inline void root_enter(const char *const *folders, size_t count)
{
    root = scratch_open("");
    snprintf(root.path, sizeof root.path, "%s/a b", root.folder);
    CU_ASSERT_PTR_NOT_NULL_FATAL(getcwd(root_start, sizeof root_start));
    CU_ASSERT_EQUAL_FATAL(mkdir(root.path, 0700), 0);
    CU_ASSERT_EQUAL_FATAL(chdir(root.path), 0);
    for (size_t i = 0; i < count; i++)
        CU_ASSERT_EQUAL_FATAL(mkdir(folders[i], 0700), 0);
}

static inline void root_leave(void)
{
    CU_ASSERT_EQUAL(chdir(root_start), 0);
    scratch_close(&root);
}

/* Writes a file below the folder, and makes its folders. */
static inline void root_write(const char *path, const char *contents)
{
    char folder[256];
    struct error error = {0};
    snprintf(folder, sizeof folder, "%.*s", (int)file_folder_length(path), path);
    CU_ASSERT_EQUAL_FATAL(file_make_folder(folder, &error), 0);
    FILE *file = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs(contents, file);
    CU_ASSERT_EQUAL(fclose(file), 0);
}

#endif
