/* Reads any text as a source in which `cutune init` looks for kernels, macros and launches. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "draft/launch.h"
#include "draft/macros.h"
#include "draft/scan.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void translate(struct host_launch *launch)
{
    const struct scan_range ranges[] = {launch->grid, launch->block, launch->shared};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        struct scan_range parts[3];
        const char *name;
        size_t count = launch_dimensions(launch, ranges[i], parts, &name);
        for (size_t p = 0; p < count; p++)
            launch_translate(launch, parts[p]);
    }
    for (size_t i = 0; i < launch->argument_count; i++) {
        const char *name = launch_argument_name(launch, i);
        if (name)
            launch_definition(launch, name);
        else
            launch_number(launch, i);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct arena arena = {0};
    struct error error = {0};
    struct scan scan;
    struct scan_kernels kernels;
    char *text = malloc(length + 1); /* separate allocation, so that reads beyond the end are detected */
    if (!text)
        return 0;
    memcpy(text, bytes, length);
    text[length] = '\0';
    const struct source_text source = {.path = "k.cu", .text = text, .length = strlen(text)};
    if (scan_text(&scan, &arena, &source, &error) || scan_find_kernels(&scan, &arena, "k", &kernels, &error))
        __builtin_trap();
    struct macros macros = {.count = 0};
    if (macros_scan(&macros, &arena, &scan, 3, &error))
        __builtin_trap();
    for (size_t k = 0; k < kernels.count && k < 4; k++) {
        struct scan_uses uses;
        struct host_launch launch;
        const struct scan_kernel *kernel = &kernels.items[k];
        if (kernel->body.end > scan.count || scan_uses(&scan, &arena, &kernels, kernel->short_name, &uses, &error))
            __builtin_trap();
        macros_mark_elsewhere(&macros, &scan, &kernels, kernel->short_name);
        launch_find(&launch, &scan, &arena, kernel->short_name);
        launch.macros = &macros;
        translate(&launch);
    }
    arena_free(&arena);
    free(text);
    return 0;
}
