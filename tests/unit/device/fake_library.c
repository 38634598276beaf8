/* A library for the statement `library` on the fake CUDA runtime, whose functions it finds in the program. It launches
 * the fake kernel `twice` with the script SCRIPT. FAULT: an additional action of `run`. */
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct {
    unsigned x, y, z;
} extent;
typedef struct {
    extent grid, block;
    size_t shared;
    void *stream, *attributes;
    unsigned attribute_count;
} launch_config;
int cudaLibraryLoadData(void **library, const void *code, int *jit_options, void **jit_values, unsigned jit_count,
                        int *options, void **values, unsigned count);
int cudaLibraryGetKernel(void **kernel, void *library, const char *name);
int cudaLaunchKernelExC(const launch_config *config, const void *function, void **arguments);

#ifndef SCRIPT
#define SCRIPT "fake: time_ns=4000 letter=l"
#endif
#ifndef FAULT
#define FAULT
#endif
#ifndef RUN
#define RUN run
#endif

#ifndef NAMELESS
const char *version(void)
{
    return "Fake library 1.0";
}
#endif

int RUN(void *const *buffers, const long *sizes, void *stream)
{
    static void *library, *kernel;
    static int calls;
    const void *in = buffers[0];
    void *out = buffers[1];
    int count = (int)sizes[0], code = 0;
    void *arguments[] = {&out, &in, &count};
    const launch_config config = {{1, 1, 1}, {64, 1, 1}, 0, stream, NULL, 0};
    calls++;
    FAULT;
    if (!library)
        code = cudaLibraryLoadData(&library, SCRIPT, NULL, NULL, 0, NULL, NULL, 0);
    if (!code && !kernel)
        code = cudaLibraryGetKernel(&kernel, library, "twice");
    return code ? code : cudaLaunchKernelExC(&config, kernel, arguments);
}
