/* Tunes from a process with its own CUDA context: embed SPACE DATABASE. Exit status 77: no device. */
#include <stdio.h>
#include <string.h>

#include <cuda_runtime_api.h>
#include <cutune.h>

static int watch(void *context, const char *line)
{
    int *lines = context;
    *lines += line != NULL;
    return 0;
}

int main(int count, char **arguments)
{
    struct cutune_error error;
    char database[1024], journal[1024], text[4096];
    int lines = 0;
    if (count != 3)
        return 2;
    if (cudaFree(NULL) != cudaSuccess)
        return 77;
    snprintf(database, sizeof database, "--db=%s", arguments[2]);
    snprintf(journal, sizeof journal, "--journal=%s.d", arguments[2]);
    const char *const options[] = {database,         journal,     "-DROWS=1024", "-DCOLS=2048",
                                   "--max-evals=60", "--verbose", NULL};
    if (cutune_tune(arguments[1], options, watch, &lines, &error)) {
        fputs(cutune_error_format(&error, text, sizeof text), stderr);
        return 1;
    }
    printf("%d lines\n", lines);
    void *memory = NULL; /* the caller's own context is not affected */
    return lines < 10 || cudaMalloc(&memory, 1 << 20) != cudaSuccess || cudaFree(memory) != cudaSuccess;
}
