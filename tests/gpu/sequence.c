/* Launches the sequences of steps.space and grids.space from a program: sequence FOLDER. Exit status 77: no device. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cutune_cuda.h>

enum { LENGTH = 1 << 18, STEPS = 9, BUFFERS_MAX = 4 };

struct run {
    struct cutune_database *database;
    struct cutune_device *device;
    struct cutune_kernel *kernel;
    struct cutune_cuda loaded;
    void *buffers[BUFFERS_MAX];
};

static int cuda(cudaError_t result, const char *what)
{
    if (result != cudaSuccess)
        fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(result));
    return result != cudaSuccess;
}

/* Makes a database with the configuration as its only row, and opens the kernel with it. */
static int open_kernel(struct run *run, const char *space, const char *kernel, const char *problem,
                       const char *configuration)
{
    struct cudaDeviceProp properties;
    struct cutune_error error = {.message = "a file cannot be written"};
    char path[] = "/tmp/cutune-sequence-XXXXXX", text[4096];
    int number = mkstemp(path);
    FILE *file = number >= 0 ? fdopen(number, "w") : NULL;
    int failed =
        !file || cuda(cudaGetDeviceProperties(&properties, 0), "the device's properties") ||
        fprintf(file,
                "schema,kernel,device,problem,objective,configuration,time_ns,default_configuration,"
                "default_time_ns,cc,sm_count,l2_bytes,date\n"
                "1,%s,%s,%s,time,%s,100,%s,200,%d,%d,%d,2026-01-01T00:00:00Z\n",
                kernel, properties.name, problem, configuration, configuration,
                10 * properties.major + properties.minor, properties.multiProcessorCount, properties.l2CacheSize) < 0;
    failed |= file && fclose(file) != 0;
    failed = failed || cuda(cutune_cuda_device(0, &run->device), "the device") ||
             cutune_database_open(&run->database, path, NULL, &error) ||
             cutune_kernel_open(&run->kernel, run->database, space, run->device, problem,
                                CUTUNE_STALE | CUTUNE_NO_CACHE, &error);
    unlink(path);
    if (!failed && strcmp(cutune_kernel_best(run->kernel)->configuration, configuration) != 0) {
        snprintf(error.message, sizeof error.message, "%s instead of %s",
                 cutune_kernel_best(run->kernel)->configuration, configuration);
        failed = 1;
    }
    if (failed)
        fputs(cutune_error_format(&error, text, sizeof text), stderr);
    return failed;
}

/* Copies the values to the first buffer. */
static int load(struct run *run, const float *values, size_t bytes)
{
    const struct cutune_sequence *sequence = cutune_kernel_sequence(run->kernel);
    int failed = sequence->buffer_count > BUFFERS_MAX || cuda(cutune_cuda_load(&run->loaded, run->kernel), "loading");
    for (size_t b = 0; b < sequence->buffer_count && !failed; b++)
        failed = cuda(cudaMalloc(&run->buffers[b], sequence->buffers[b].bytes), "allocating");
    return failed || cuda(cudaMemcpy(run->buffers[0], values, bytes, cudaMemcpyHostToDevice), "copying in") ||
           cuda(cutune_cuda_bind(&run->loaded, run->buffers), "binding");
}

static void close_run(struct run *run)
{
    cutune_cuda_unload(&run->loaded);
    for (size_t b = 0; b < BUFFERS_MAX; b++)
        cudaFree(run->buffers[b]);
    cutune_kernel_close(run->kernel);
    cutune_database_close(run->database);
    cutune_device_free(run->device);
}

static int launch(struct run *run, size_t buffer, void *result, size_t bytes)
{
    return cuda(cutune_cuda_launch(&run->loaded, 0), "launching") ||
           cuda(cudaMemcpy(result, cutune_cuda_address(&run->loaded, buffer), bytes, cudaMemcpyDeviceToHost),
                "copying out");
}

/* An odd number of steps with a swap after each leaves the result in the other buffer. */
static int run_steps(const char *space, const char *configuration)
{
    static float values[LENGTH], result[LENGTH];
    static double now[LENGTH], next[LENGTH];
    struct run run = {.kernel = NULL};
    char problem[64];
    double worst = 0;
    for (int i = 0; i < LENGTH; i++)
        now[i] = values[i] = (float)(i * 7919 % 1000) / 1000;
    for (int s = 0; s < STEPS; s++) {
        for (int i = 0; i < LENGTH; i++)
            next[i] = 0.25 * now[(i + LENGTH - 1) % LENGTH] + 0.5 * now[i] + 0.25 * now[(i + 1) % LENGTH];
        memcpy(now, next, sizeof now);
    }
    snprintf(problem, sizeof problem, "N=%d STEPS=%d", LENGTH, STEPS);
    int failed = open_kernel(&run, space, "stencil", problem, configuration) || load(&run, values, sizeof values) ||
                 launch(&run, 0, result, sizeof result);
    if (!failed && cutune_cuda_address(&run.loaded, 0) != run.buffers[1])
        failed = 1;
    for (int i = 0; i < LENGTH; i++)
        worst = fmax(worst, fabs(result[i] - now[i]));
    printf("%s: %s, off by %.1e at most\n", configuration, failed ? "FAILED" : "done", worst);
    close_run(&run);
    return failed || worst > 1e-5;
}

/* Two runs read the same input, which the first leaves unchanged. */
static int run_grid(const char *space, const char *configuration)
{
    static float values[LENGTH];
    struct run run = {.kernel = NULL};
    double sum = 0, results[2] = {0};
    char problem[64];
    for (int i = 0; i < LENGTH; i++)
        sum += values[i] = (float)(i % 1000);
    snprintf(problem, sizeof problem, "N=%d", LENGTH);
    int failed = open_kernel(&run, space, "sum", problem, configuration) || load(&run, values, sizeof values);
    for (int i = 0; i < 2 && !failed; i++)
        failed = launch(&run, 1, &results[i], sizeof results[i]);
    printf("%s: %s, %.0f and %.0f, expected %.0f\n", configuration, failed ? "FAILED" : "done", results[0], results[1],
           sum);
    close_run(&run);
    return failed || fabs(results[0] - sum) > 1e-6 * sum || fabs(results[1] - sum) > 1e-6 * sum;
}

int main(int count, char **arguments)
{
    char steps[4096], grids[4096];
    if (count != 2)
        return 2;
    if (cudaFree(NULL) != cudaSuccess)
        return 77;
    snprintf(steps, sizeof steps, "%s/steps.space", arguments[1]);
    snprintf(grids, sizeof grids, "%s/grids.space", arguments[1]);
    return run_steps(steps, "TILE=256 GRAPH=0 FAULT=none") | run_steps(steps, "TILE=128 GRAPH=1 FAULT=none") |
           run_grid(grids, "BLOCK=512 GRID=resident") | run_grid(grids, "BLOCK=128 GRID=few");
}
