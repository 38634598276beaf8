/* Runs a tuned kernel:
 *
 *     transpose DATABASE transpose.space [ROWS COLS]
 *
 * The configuration is the best in the database for the GPU in the machine and these sizes. NVRTC compiles it here, or
 * it comes from the cache of compiled kernels. */
#include <cutune.h>
#include <cutune_cuda.h>
#include <stdio.h>
#include <stdlib.h>

enum { LAUNCHES = 20 };

static int cuda(cudaError_t result, const char *what)
{
    if (result == cudaSuccess)
        return 0;
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(result));
    return 1;
}

static int complain(const struct cutune_error *error)
{
    char text[4096];
    fputs(cutune_error_format(error, text, sizeof text), stderr);
    return 1;
}

/* Time of a launch in ns; negative: an error was reported. */
static double launch(const struct cutune_kernel *kernel, void **arguments)
{
    struct cutune_cuda loaded;
    cudaEvent_t start, end;
    float milliseconds = 0;
    int failed;
    if (cuda(cutune_cuda_load(&loaded, kernel), "loading the kernel"))
        return -1;
    failed = cuda(cudaEventCreate(&start), "creating an event") || cuda(cudaEventCreate(&end), "creating an event") ||
             cuda(cutune_cuda_launch_with(&loaded, 0, arguments, 0), "launching the kernel") ||
             cuda(cudaEventRecord(start, 0), "recording an event");
    for (int i = 0; i < LAUNCHES && !failed; i++)
        failed = cuda(cutune_cuda_launch_with(&loaded, 0, arguments, 0), "launching the kernel");
    failed = failed || cuda(cudaEventRecord(end, 0), "recording an event") ||
             cuda(cudaEventSynchronize(end), "running the kernel") ||
             cuda(cudaEventElapsedTime(&milliseconds, start, end), "reading the time");
    cutune_cuda_unload(&loaded);
    return failed ? -1 : milliseconds * 1e6 / LAUNCHES;
}

/* The template's arguments are out, in, rows, cols. */
static int run(const struct cutune_kernel *kernel, int rows, int cols)
{
    size_t count = (size_t)rows * (size_t)cols, bytes = count * sizeof(float), wrong = 0;
    float *host = malloc(bytes), *in = NULL, *out = NULL;
    int failed = !host || cuda(cudaMalloc((void **)&in, bytes), "allocating") ||
                 cuda(cudaMalloc((void **)&out, bytes), "allocating");
    for (size_t i = 0; i < count && !failed; i++)
        host[i] = (float)(i % 16777213);
    failed = failed || cuda(cudaMemcpy(in, host, bytes, cudaMemcpyHostToDevice), "copying in");
    void *arguments[] = {&out, &in, &rows, &cols};
    double time_ns = failed ? -1 : launch(kernel, arguments);
    failed = failed || time_ns < 0 || cuda(cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost), "copying out");
    for (size_t c = 0; c < (size_t)cols && !failed; c++)
        for (size_t r = 0; r < (size_t)rows; r++)
            wrong += host[c * (size_t)rows + r] != (float)((r * (size_t)cols + c) % 16777213);
    if (!failed)
        printf("%.2f us, %.0f GB/s, %zu of %zu elements wrong\n", time_ns / 1e3, 2.0 * (double)bytes / time_ns, wrong,
               count);
    free(host);
    cudaFree(in);
    cudaFree(out);
    return failed || wrong > 0;
}

int main(int count, char **arguments)
{
    struct cutune_database *database = NULL;
    struct cutune_device *device = NULL;
    struct cutune_kernel *kernel = NULL;
    struct cutune_error error;
    char problem[100];
    int rows = count == 5 ? atoi(arguments[3]) : 8192, cols = count == 5 ? atoi(arguments[4]) : 8192, failed = 1;
    if ((count != 3 && count != 5) || rows < 1 || cols < 1) {
        fprintf(stderr, "usage: transpose DATABASE SPACE [ROWS COLS]\n");
        return 2;
    }
    cudaError_t found = cutune_cuda_device(0, &device);
    if (found != cudaSuccess) {
        fprintf(stderr, "no usable GPU: %s\n", cudaGetErrorString(found));
        return 77;
    }
    snprintf(problem, sizeof problem, "ROWS=%d COLS=%d", rows, cols);
    if (cutune_database_open(&database, arguments[1], NULL, &error) ||
        cutune_kernel_open(&kernel, database, arguments[2], device, problem, 0, &error)) {
        complain(&error);
    } else {
        const struct cutune_best *best = cutune_kernel_best(kernel);
        const struct cutune_launch *size = cutune_kernel_sequence(kernel)->launches;
        printf("%s by rule %s; block %u x %u x %u, grid %u x %u x %u, %zu bytes of shared memory\n",
               best->configuration, cutune_rule_name(best->rule), size->block[0], size->block[1], size->block[2],
               size->grid[0], size->grid[1], size->grid[2], size->shared_bytes);
        failed = run(kernel, rows, cols);
    }
    cutune_kernel_close(kernel);
    cutune_database_close(database);
    cutune_device_free(device);
    return failed;
}
