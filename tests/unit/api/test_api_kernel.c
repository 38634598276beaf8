#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_world.h"

#define FORMATS SOURCE_FOLDER "/tests/unit/formats/"

/* Problem, limits and flags to open a kernel with. */
static const struct {
    const char *problem;
    unsigned flags;
    long long max_threads; /* 0: no limits */
    int code;
    enum cutune_rule rule;
    unsigned block, grid;
} openings[] = {
    {"N=1024", CUTUNE_STALE, 0, 0, CUTUNE_RULE_PROBLEM, 64, 16},
    {"N=1024", CUTUNE_STALE | CUTUNE_NO_CACHE, 0, 0, CUTUNE_RULE_PROBLEM, 64, 16},
    {"N=1024", CUTUNE_STALE | CUTUNE_UNTRUSTED, 0, 0, CUTUNE_RULE_PROBLEM, 64, 16},
    {NULL, CUTUNE_STALE, 0, 0, CUTUNE_RULE_PROBLEM, 2048, 2}, /* without limits its size is not checked */
    {NULL, CUTUNE_STALE, 1024, 0, CUTUNE_RULE_DEVICE, 64, 64},
    {"N=1", 0, 1024, CUTUNE_ERROR_NOTHING_VALID, CUTUNE_RULE_DEFAULT, 0, 0}, /* a cluster of two does not fit one
                                                                                block */
    {"N=33", 0, 1024, 0, CUTUNE_RULE_DEFAULT, 32, 2},                        /* the rows are of another version */
    {"N=1", 0, 16, CUTUNE_ERROR_NOTHING_VALID, CUTUNE_RULE_DEFAULT, 0, 0},
    {"M=1", 0, 16, CUTUNE_ERROR_USAGE, CUTUNE_RULE_DEFAULT, 0, 0},
};

static void opens_kernels(void)
{
    struct world world;
    make_world(&world, "param B = 16..2048 times 2", kernel_text);
    for (size_t i = 0; i < sizeof openings / sizeof *openings; i++) {
        static const char *const limits[] = {"max_block_x", "max_grid_x", "shared_limit", "cluster_launch"};
        struct cutune_device *device = cutune_device_new("GPU A", 90, 10, 1000);
        struct cutune_kernel *kernel;
        struct cutune_error error = {0};
        size_t bytes = 0;
        for (size_t l = 0; l < sizeof limits / sizeof *limits && openings[i].max_threads; l++)
            cutune_device_set(device, limits[l], 1 << 20, NULL);
        if (openings[i].max_threads)
            cutune_device_set(device, "max_threads", openings[i].max_threads, NULL);
        int code = cutune_kernel_open(&kernel, world.opened, world.space, device, openings[i].problem,
                                      openings[i].flags, &error);
        if (code != openings[i].code)
            printf("opening %zu: %d %s\n", i, code, error.message);
        CU_ASSERT_EQUAL(code, openings[i].code);
        if (!code) {
            const struct cutune_sequence *sequence = cutune_kernel_sequence(kernel);
            const struct cutune_launch *launch = sequence->launches;
            CU_ASSERT_EQUAL_FATAL(sequence->launch_count, 1);
            CU_ASSERT_EQUAL(sequence->carveout, 50);
            CU_ASSERT_EQUAL(sequence->graph, 0);
            CU_ASSERT_STRING_EQUAL(launch->kernel, "k");
            CU_ASSERT_EQUAL(launch->repeat, 1);
            CU_ASSERT_EQUAL(cutune_kernel_best(kernel)->rule, openings[i].rule);
            CU_ASSERT_EQUAL(launch->block[0], openings[i].block);
            CU_ASSERT_EQUAL(launch->block[1] * launch->block[2] * launch->grid[1] * launch->grid[2], 1);
            CU_ASSERT_EQUAL(launch->grid[0], openings[i].grid);
            CU_ASSERT_EQUAL(launch->shared_bytes, 4 * openings[i].block);
            CU_ASSERT_EQUAL(launch->cluster[0], 2);
            CU_ASSERT_EQUAL(launch->cluster[1], 1);
            CU_ASSERT(memcmp(cutune_kernel_cubin(kernel, &bytes), "\177ELF", 4) == 0 && bytes > 500);
        } else {
            CU_ASSERT_PTR_NULL(kernel);
        }
        cutune_kernel_close(kernel);
        cutune_device_free(device);
    }
    end_world(&world);
}

/* A kernel of the cache needs neither a process nor a compiler; one of another configuration, size or source is not
 * there. */
static void recalls_kernels(void)
{
    static const struct {
        const char *problem, *kernel; /* kernel: another text of the source; NULL: the same */
        int code;
    } recalls[] = {
        {"N=1024", NULL, 0},
        {NULL, NULL, CUTUNE_ERROR_NOT_FOUND},
        {"N=1024", "extern \"C\" __global__ void k(float *out, int n) { out[n - B] = 1; }\n", CUTUNE_ERROR_NOT_FOUND}};
    struct world world;
    struct cutune_kernel *kernel;
    struct cutune_error error;
    char path[128];
    size_t bytes[2] = {0};
    make_world(&world, "param B = 16..2048 times 2", kernel_text);
    snprintf(path, sizeof path, "%s/k.cu", world.folder);
    CU_ASSERT_EQUAL(cutune_kernel_open(&kernel, world.opened, world.space, world.device, "N=1024",
                                       CUTUNE_STALE | CUTUNE_CACHED, &error),
                    CUTUNE_ERROR_NOT_FOUND);
    CU_ASSERT_STRING_EQUAL(error.message, "k with B=64 is not in the cache of compiled kernels");
    CU_ASSERT_EQUAL_FATAL(
        cutune_kernel_open(&kernel, world.opened, world.space, world.device, "N=1024", CUTUNE_STALE, &error), 0);
    cutune_kernel_cubin(kernel, &bytes[0]);
    cutune_kernel_close(kernel);
    setenv("CUTUNE_NVRTC", "/nonexistent", 1);
    for (size_t i = 0; i < sizeof recalls / sizeof *recalls; i++) {
        if (recalls[i].kernel)
            write_file(path, recalls[i].kernel);
        CU_ASSERT_EQUAL(cutune_kernel_open(&kernel, world.opened, world.space, world.device, recalls[i].problem,
                                           CUTUNE_STALE | CUTUNE_CACHED, &error),
                        recalls[i].code);
        if (!recalls[i].code) {
            const struct cutune_sequence *sequence = cutune_kernel_sequence(kernel);
            cutune_kernel_cubin(kernel, &bytes[1]);
            CU_ASSERT_EQUAL(bytes[1], bytes[0]);
            CU_ASSERT_STRING_EQUAL(sequence->launches->kernel, "k");
            CU_ASSERT_STRING_EQUAL(sequence->buffers->type, "float");
            CU_ASSERT_EQUAL(sequence->buffers->count, 1024);
            CU_ASSERT_EQUAL(sequence->buffers->written, 1);
            CU_ASSERT_PTR_NULL(sequence->launches->arguments[0].type);
            CU_ASSERT_STRING_EQUAL(sequence->launches->arguments[1].type, "int");
            CU_ASSERT_STRING_EQUAL(sequence->left_to_caller, "");
        }
        cutune_kernel_close(kernel);
    }
    unsetenv("CUTUNE_NVRTC");
    end_world(&world);
}

/* The space decides where rows are valid, with or without limits of the caller: 80 has no clusters. */
static void asks_the_space(void)
{
    static const struct {
        int cc;
        enum cutune_rule rule;
        unsigned block;
    } cases[] = {{90, CUTUNE_RULE_CC, 64}, {80, CUTUNE_RULE_DEFAULT, 32}};
    struct world world;
    make_world(&world, "param B = 32, 64, 128, 2048", kernel_text);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cutune_device *device = cutune_device_new("X", cases[i].cc, 10, 1000);
        struct cutune_kernel *kernel;
        struct cutune_error error = {0};
        CU_ASSERT_EQUAL_FATAL(
            cutune_kernel_open(&kernel, world.opened, world.space, device, "N=1024", CUTUNE_STALE, &error), 0);
        CU_ASSERT_EQUAL(cutune_kernel_best(kernel)->rule, cases[i].rule);
        CU_ASSERT_EQUAL(cutune_kernel_sequence(kernel)->launches->block[0], cases[i].block);
        cutune_kernel_close(kernel);
        cutune_device_free(device);
    }
    end_world(&world);
}

static void refuses_kernels(void)
{
    struct cutune_kernel *kernel;
    struct cutune_error error;
    struct world world;
    make_world(&world, "param B = 32, 64", "#error no\n");
    CU_ASSERT_EQUAL(cutune_kernel_open(&kernel, world.opened, world.space, world.device, NULL, 0, &error),
                    CUTUNE_ERROR_COMPILE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "k with B=32 does not compile: "));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.source, "k.cu"));
    CU_ASSERT_EQUAL(cutune_kernel_open(&kernel, world.opened, world.database, world.device, NULL, 0, &error),
                    CUTUNE_ERROR_SYNTAX);
    CU_ASSERT_EQUAL(error.line, 1);
    cutune_device_set(world.device, "cc", 0, NULL);
    CU_ASSERT_EQUAL(cutune_kernel_open(&kernel, world.opened, world.space, world.device, NULL, 0, &error),
                    CUTUNE_ERROR_USAGE);
    end_world(&world);
}

/* Launches that the library cannot list ahead. */
static void refuses_launches(void)
{
    struct world world;
    struct cutune_kernel *kernel;
    struct cutune_error error = {0};
    make_world(&world, "param B = 32", kernel_text);
    write_file(world.space, "space 2\nkernel k \"k.cu\"\nproblem N = 64\nparam B = 32\nbuffer in float[N] random\n"
                            "buffer out float[N] output\nloop i = 1..9 until out == 0\n"
                            "launch k args out, in, int N block B grid 1\nend\n"
                            "reference k args out, in, int N block 1 grid 1\n");
    CU_ASSERT_EQUAL(cutune_kernel_open(&kernel, world.opened, world.space, world.device, NULL, 0, &error),
                    CUTUNE_ERROR_DATA);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "a loop ends by a condition, so that its launches are not known"));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.hint, "write the loop in your program"));
    end_world(&world);
}

/* Launches with macros of their own have a cubin each, also from the cache. */
static void opens_several_cubins(void)
{
    struct world world;
    make_world(&world, "param B = 32", kernel_text);
    write_file(world.space, "space 2\nkernel k \"k.cu\"\nproblem N = 64\nparam B = 32\nbuffer out float[N] output\n"
                            "launch k args out, int N block B grid 1\nlaunch k args out, int N block B grid 1 define C "
                            "= 1\nreference k args out, int N block 1 grid 1\n");
    for (unsigned flags = 0; flags <= CUTUNE_CACHED; flags += CUTUNE_CACHED) {
        struct cutune_kernel *kernel;
        CU_ASSERT_EQUAL_FATAL(cutune_kernel_open(&kernel, world.opened, world.space, world.device, NULL, flags, NULL),
                              0);
        const struct cutune_sequence *sequence = cutune_kernel_sequence(kernel);
        CU_ASSERT_EQUAL_FATAL(sequence->cubin_count, 2);
        CU_ASSERT(sequence->launches[0].cubin == 0 && sequence->launches[1].cubin == 1);
        for (size_t i = 0; i < sequence->cubin_count; i++)
            CU_ASSERT(sequence->cubins[i].count > 500 && memcmp(sequence->cubins[i].bytes, "\177ELF", 4) == 0);
        cutune_kernel_close(kernel);
    }
    end_world(&world);
}

static void refuses_untrusted_spaces(void)
{
    struct world world;
    struct cutune_kernel *kernel;
    struct cutune_error error = {0};
    make_world(&world, "param B = 32\ncompiler nvcc \"-ccbin ./evil\"", kernel_text);
    CU_ASSERT_EQUAL(cutune_kernel_open(&kernel, world.opened, world.space, world.device, NULL,
                                       CUTUNE_STALE | CUTUNE_UNTRUSTED, &error),
                    CUTUNE_ERROR_DATA);
    CU_ASSERT_PTR_NULL(kernel);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "nvcc runs the programs"));
    CU_ASSERT_STRING_EQUAL(error.source, world.space);
    CU_ASSERT_TRUE(error.line > 1);
    end_world(&world);
}

static void *open_on(void *context)
{
    struct world *world = context;
    struct cutune_kernel *kernel;
    int code = cutune_kernel_open(&kernel, world->opened, world->space, world->device, "N=1024", CUTUNE_STALE, NULL);
    bool right = !code && cutune_kernel_best(kernel)->rule == CUTUNE_RULE_PROBLEM;
    cutune_kernel_close(kernel);
    return right ? NULL : world;
}

/* AddressSanitizer does not release its allocator's locks in a process that one thread forks while another
 * allocates. With it, the threads run one after the other. */
#ifdef CUTUNE_SANITIZED
enum { AT_ONCE = 1 };
#else
enum { AT_ONCE = 2 };
#endif

static void threads_open(void)
{
    struct world world;
    pthread_t threads[2];
    make_world(&world, "param B = 16..2048 times 2", kernel_text);
    for (size_t i = 0; i < 2; i += AT_ONCE) {
        for (size_t t = 0; t < AT_ONCE; t++)
            CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[t], NULL, open_on, &world), 0);
        for (size_t t = 0; t < AT_ONCE; t++) {
            void *outcome;
            pthread_join(threads[t], &outcome);
            CU_ASSERT_PTR_NULL(outcome);
        }
    }
    end_world(&world);
}

/* NVRTC accepts the macros of an emitted header, by architecture; the rest needs string.h, which it lacks. */
static void header_in_kernel(void)
{
    static const char text[] = "#include \"tuned.h\"\n#if __CUDA_ARCH__ != 900 || T_TILE != 16 || T_BLOCK_ROWS != 4\n"
                               "#error the constants of another device\n#endif\n"
                               "extern \"C\" __global__ void k(float *out, int n)\n{\n    __shared__ float s[T_TILE];\n"
                               "    s[threadIdx.x] = n * (float)T_HIT * B;\n    out[threadIdx.x] = s[0];\n}\n";
    struct world world;
    struct cutune_kernel *kernel;
    struct cutune_error error = {0};
    char command[1024];
    make_world(&world, "param B = 32, 64", text);
    snprintf(command, sizeof command, "'%s' emit --kernel transpose --prefix t --db '%s' -o '%s/tuned.h'",
             getenv("CUTUNE_PROGRAM"), FORMATS "database-1.csv", world.folder);
    CU_ASSERT_EQUAL(system(command), 0);
    CU_ASSERT_EQUAL(cutune_kernel_open(&kernel, world.opened, world.space, world.device, NULL, 0, &error), 0);
    if (error.code)
        printf("%s\n", error.message);
    cutune_kernel_close(kernel);
    end_world(&world);
}

/* nvcc compiles a space that requests it. Without an nvcc, the message says so. */
static void host_code(void)
{
    struct world world;
    struct cutune_kernel *kernel;
    struct cutune_error error = {0};
    make_world(&world, "param B = 32, 64\ncompiler nvcc",
               "#include <vector>\nstatic __global__ void k(float *out, int n)\n{\n    out[threadIdx.x] = n * B;\n}\n"
               "int main() { std::vector<float *> v(1); k<<<1, 32>>>(v[0], 1); }\n");
    int code = cutune_kernel_open(&kernel, world.opened, world.space, world.device, NULL, 0, &error);
    if (code && strstr(error.message, "there is no nvcc")) {
        printf("not checked further: %s\n", error.message);
    } else {
        CU_ASSERT_EQUAL(code, 0);
        CU_ASSERT_STRING_EQUAL(error.message, "");
    }
    cutune_kernel_close(kernel);
    end_world(&world);
}

CU_TestInfo tests_api_kernel[] = {{"asks the space", asks_the_space},
                                  {"opens tuned kernels", opens_kernels},
                                  {"recalls compiled kernels", recalls_kernels},
                                  {"kernels that cannot be opened", refuses_kernels},
                                  {"launches that cannot be opened", refuses_launches},
                                  {"launches with cubins of their own", opens_several_cubins},
                                  {"refuses untrusted spaces", refuses_untrusted_spaces},
                                  {"threads open kernels", threads_open},
                                  {"a file with host code", host_code},
                                  {"an emitted header in a kernel", header_in_kernel},
                                  CU_TEST_INFO_NULL};
