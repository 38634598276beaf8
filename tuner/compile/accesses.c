#include "compile/accesses.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/program.h"
#include "base/toolkit.h"
#include "compile/listing.h"

/* ---- Counting ---- */

static const char *const operations[] = {"LDG", "STG", "LDS", "STS", "LDL", "STL", "LD", "ST", "LDGSTS"};
static const unsigned sizes[] = {8, 16, 32, 64, 128, 256}; /* bits */

enum { OPERATIONS = sizeof operations / sizeof *operations, SIZES = sizeof sizes / sizeof *sizes };

static void count(const struct listing_line *line, unsigned counts[OPERATIONS][SIZES])
{
    size_t operation = 0, size = 0;
    while (operation < OPERATIONS && !listing_part_is(listing_name(line), operations[operation]))
        operation++;
    if (operation == OPERATIONS)
        return;
    while (sizes[size] != listing_bits(line))
        size++;
    counts[operation][size]++;
}

void accesses_append(const char *listing, const char *kernel, struct text *text)
{
    struct listing at = {.at = listing, .kernel = kernel};
    struct listing_line line;
    unsigned counts[OPERATIONS][SIZES] = {{0}};
    bool some = false;
    while (listing_next(&at, &line))
        count(&line, counts);
    for (size_t o = 0; o < OPERATIONS; o++) {
        const char *before = NULL;
        for (size_t s = 0; s < SIZES; s++) {
            if (!counts[o][s])
                continue;
            if (before)
                text_printf(text, ",");
            else
                text_printf(text, "%s%s", some ? "; " : "", operations[o]);
            text_printf(text, " %u: %u", sizes[s], counts[o][s]);
            before = operations[o];
            some = true;
        }
    }
}

/* ---- Disassembling ---- */

static int write_file(const char *path, const void *bytes, size_t count, struct error *error)
{
    FILE *file = fopen(path, "wb");
    bool good = file && fwrite(bytes, 1, count, file) == count;
    if (file && fclose(file))
        good = false;
    return good ? 0 : error_errno(error, ERROR_IO, "cannot write %s", path);
}

static int disassemble(const char *nvdisasm, const char *folder, const char *path, struct text *listing, int *status,
                       struct error *error)
{
    const char *const arguments[] = {nvdisasm, "-c", path, NULL};
    text_clear(listing);
    return program_run(&(const struct program){.arguments = arguments, .folder = folder}, listing, status, error);
}

int accesses_list(const void *cubin, size_t bytes, struct text *listing, struct error *error)
{
    struct program_folder folder;
    char path[PATH_MAX + 16];
    struct text programs = {0};
    size_t count = 0;
    int status = PROGRAM_NOT_STARTED;
    int code = program_folder_make(&folder, error);
    if (code)
        return code;
    snprintf(path, sizeof path, "%s/kernels.cubin", folder.path);
    code = write_file(path, cubin, bytes, error);
    toolkit_programs("nvdisasm", &programs, &count);
    const char *at = text_string(&programs);
    for (size_t i = 0; i < count && !code && status == PROGRAM_NOT_STARTED; i++, at += strlen(at) + 1)
        code = disassemble(at, folder.path, path, listing, &status, error);
    if (!code && status == PROGRAM_NOT_STARTED)
        code = error_set(error, ERROR_NOT_FOUND, "there is no nvdisasm in the toolkit or on PATH");
    else if (!code && status)
        code = error_set(error, ERROR_DATA, "nvdisasm failed: %.200s", text_string(listing));
    program_folder_remove(&folder);
    text_free(&programs);
    return code;
}
