/* cutune_cuda.h on the fake runtime: kernels compiled by the library, launched as an embedding program does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "fake_cuda.h"
#include <cutune_cuda.h>

enum { COUNT = 64 };

struct world {
    char folder[64], space[128];
    struct cutune_database *database;
    struct cutune_device *device;
    struct cutune_kernel *kernel;
    struct cutune_cuda loaded;
    void *buffers[4];
    cudaStream_t stream;
};

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs(text, file);
    fclose(file);
}

static void expect(cudaError_t result)
{
    CU_ASSERT_STRING_EQUAL(result ? cudaGetErrorString(result) : "", "");
    CU_ASSERT_EQUAL_FATAL(result, cudaSuccess);
}

/* Opens and loads the default configuration of a space with these launches over in, a and b, which are allocated and
 * filled: in with 0, 1, 2 ... */
static void make_world(struct world *world, const char *launches)
{
    char path[128], text[2048];
    struct cutune_error error;
    fake_reset();
    snprintf(world->folder, sizeof world->folder, "/tmp/cutune-cuda-XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(world->folder));
    setenv("CUTUNE_CACHE", world->folder, 1);
    snprintf(world->space, sizeof world->space, "%s/k.space", world->folder);
    snprintf(path, sizeof path, "%s/k.cu", world->folder);
    write_file(path, "#define FAKE \"fake: time_ns=5000\"\n#define ALL_KERNELS\n#include \"" SOURCE_FOLDER
                     "/tests/unit/device/fake_kernels.cu\"\n");
    snprintf(text, sizeof text,
             "space 2\nkernel twice \"k.cu\"\nproblem N = %d\nparam P = 3\nbuffer in float[N] iota\n"
             "buffer a float[N] output\nbuffer b float[N] output\n%s\n"
             "reference twice args a, in, int N, b block 32 grid 1\ndefault P=3\n",
             COUNT, launches);
    write_file(world->space, text);
    snprintf(path, sizeof path, "%s/d.csv", world->folder);
    write_file(path, "");
    CU_ASSERT_EQUAL_FATAL(cutune_database_open(&world->database, path, NULL, &error), 0);
    expect(cutune_cuda_device(0, &world->device));
    expect(cudaStreamCreateWithFlags(&world->stream, cudaStreamNonBlocking));
    int code = cutune_kernel_open(&world->kernel, world->database, world->space, world->device, NULL, 0, &error);
    if (code)
        printf("%s", cutune_error_format(&error, text, sizeof text));
    CU_ASSERT_EQUAL_FATAL(code, 0);
    expect(cutune_cuda_load(&world->loaded, world->kernel));
    const struct cutune_sequence *sequence = cutune_kernel_sequence(world->kernel);
    CU_ASSERT_FATAL(sequence->buffer_count >= 3 && sequence->buffer_count <= 4);
    for (size_t b = 0; b < sequence->buffer_count; b++) {
        float values[COUNT] = {0};
        for (size_t i = 0; i < COUNT && b == 0; i++)
            values[i] = (float)i;
        expect(cudaMalloc(&world->buffers[b], sequence->buffers[b].bytes));
        CU_ASSERT_EQUAL(sequence->buffers[b].bytes, b == 3 ? 3 * sizeof values : sizeof values);
        CU_ASSERT_EQUAL(sequence->buffers[b].scratch, b == 3);
        expect(cudaMemcpyAsync(world->buffers[b], values, sizeof values, cudaMemcpyHostToDevice, world->stream));
        expect(cudaDeviceSynchronize());
    }
}

static void end_world(struct world *world)
{
    char command[128];
    cutune_cuda_unload(&world->loaded);
    cudaStreamDestroy(world->stream);
    for (size_t b = 0; b < 4; b++)
        cudaFree(world->buffers[b]);
    cutune_kernel_close(world->kernel);
    cutune_database_close(world->database);
    cutune_device_free(world->device);
    CU_ASSERT_PTR_NULL(fake.misuse);
    CU_ASSERT_EQUAL(fake.graphs, 0);
    snprintf(command, sizeof command, "rm -rf '%s'", world->folder);
    CU_ASSERT_EQUAL(system(command), 0);
}

/* Element 5 of a buffer; the input's is 5. */
static float fifth(const struct world *world, const void *address)
{
    float values[COUNT];
    expect(cudaMemcpyAsync(values, address, sizeof values, cudaMemcpyDeviceToHost, world->stream));
    expect(cudaDeviceSynchronize());
    return values[5];
}

#define CHAIN                                                                                                          \
    "launch twice args a, in, int N block 32 grid 2\n"                                                                 \
    "launch twice args b, a, int N block 32 grid 1 cooperative when P == 4\n"                                          \
    "launch twice args b, a, int N block 32 grid resident repeat P swap a, b\n"

/* Each launch doubles: in -> a, then three times a -> b with a swap behind each, which leaves the last result in a. */
static void sequences_run(void)
{
    for (int graph = 0; graph < 2; graph++) {
        struct world world = {.folder = ""};
        make_world(&world, graph ? CHAIN "graph 1" : CHAIN);
        CU_ASSERT_EQUAL(cutune_kernel_sequence(world.kernel)->graph, graph);
        CU_ASSERT_EQUAL(cutune_cuda_launch(&world.loaded, world.stream), cudaErrorInvalidValue); /* not bound */
        CU_ASSERT_EQUAL(cutune_cuda_bind(&world.loaded, NULL), cudaErrorInvalidValue);
        expect(cutune_cuda_bind(&world.loaded, world.buffers));
        unsigned long before = fake.launches;
        for (int again = 0; again < 2; again++) {
            expect(cutune_cuda_launch(&world.loaded, world.stream));
            expect(cudaDeviceSynchronize());
            CU_ASSERT_PTR_EQUAL(cutune_cuda_address(&world.loaded, 0), world.buffers[0]);
            CU_ASSERT_PTR_EQUAL(cutune_cuda_address(&world.loaded, 1), world.buffers[2]);
            CU_ASSERT_PTR_EQUAL(cutune_cuda_address(&world.loaded, 2), world.buffers[1]);
            CU_ASSERT_EQUAL(fifth(&world, cutune_cuda_address(&world.loaded, 1)), 5 * 16);
            CU_ASSERT_EQUAL(fifth(&world, cutune_cuda_address(&world.loaded, 2)), 5 * 8);
        }
        CU_ASSERT_EQUAL(fake.graph_launches, 2 * (unsigned)graph);
        CU_ASSERT_EQUAL(fake.launches - before, 2 * 4);
        CU_ASSERT_EQUAL(fake.grid, 4 * (unsigned)fake.blocks_sm); /* resident, on four multiprocessors */
        /* Other addresses. */
        void *others[] = {world.buffers[0], world.buffers[2], world.buffers[1]};
        expect(cutune_cuda_bind(&world.loaded, others));
        expect(cutune_cuda_launch(&world.loaded, world.stream));
        CU_ASSERT_EQUAL(fifth(&world, world.buffers[1]), 5 * 16);
        CU_ASSERT_PTR_EQUAL(cutune_cuda_address(&world.loaded, 1), world.buffers[1]);
        CU_ASSERT_PTR_NULL(cutune_cuda_address(&world.loaded, 3));
        end_world(&world);
    }
}

/* One launch of the sequence with other arguments than the space file's. */
static void own_arguments(void)
{
    struct world world = {.folder = ""};
    make_world(&world, CHAIN);
    int count = 3;
    void *arguments[] = {&world.buffers[2], &world.buffers[0], &count};
    expect(cutune_cuda_launch_with(&world.loaded, 1, arguments, world.stream));
    CU_ASSERT_EQUAL(fifth(&world, world.buffers[2]), 0);
    count = 6;
    expect(cutune_cuda_launch_with(&world.loaded, 1, arguments, world.stream));
    CU_ASSERT_EQUAL(fifth(&world, world.buffers[2]), 10);
    CU_ASSERT_EQUAL(cutune_cuda_launch_with(&world.loaded, 2, arguments, world.stream), cudaErrorInvalidValue);
    end_world(&world);
}

/* The rounds of loops are written out: 2 * in in a, doubled in place in rounds over fewer and fewer elements. */
static void loops_are_written_out(void)
{
    struct world world = {.folder = ""};
    make_world(&world, "launch twice args a, in, int N block 32 grid 2\nloop i = 1..P\n"
                       "launch double_in_place args a, int 8 - i block 32 grid i\n"
                       "launch twice args b, a, int N block 32 grid 1 swap a, b\nend");
    const struct cutune_sequence *sequence = cutune_kernel_sequence(world.kernel);
    CU_ASSERT_EQUAL_FATAL(sequence->launch_count, 7);
    for (int i = 1; i <= 3; i++) {
        CU_ASSERT_EQUAL((int)sequence->launches[2 * i - 1].grid[0], i);
        CU_ASSERT_EQUAL(*(const int *)sequence->launches[2 * i - 1].arguments[1].value, 8 - i);
    }
    expect(cutune_cuda_bind(&world.loaded, world.buffers));
    expect(cutune_cuda_launch(&world.loaded, world.stream));
    expect(cudaDeviceSynchronize());
    /* element 5 is in all rounds but the last */
    CU_ASSERT_EQUAL(fifth(&world, cutune_cuda_address(&world.loaded, 1)), 5 * 2 * 16 * 2);
    end_world(&world);
}

static void arguments_have_bytes(void)
{
    struct world world = {.folder = ""};
    static const char null[8];
    double half;
    /* The fake runtime's kernel takes three arguments. */
    make_world(&world, "launch twice args a, in + 2, int N - 2, struct { char 1, double 0.5 }, null block 32 grid 1\n"
                       "launch twice args b, a, int N block 32 grid 1");
    const struct cutune_sequence *sequence = cutune_kernel_sequence(world.kernel);
    const struct cutune_argument *arguments = sequence->launches[0].arguments;
    CU_ASSERT_EQUAL_FATAL(sequence->launches[0].argument_count, 5);
    CU_ASSERT(arguments[0].kind == CUTUNE_ARGUMENT_BUFFER && arguments[0].index == 1 && arguments[0].offset == 0);
    CU_ASSERT(arguments[1].kind == CUTUNE_ARGUMENT_BUFFER && arguments[1].index == 0 && arguments[1].offset == 8);
    CU_ASSERT(arguments[2].kind == CUTUNE_ARGUMENT_VALUE && arguments[2].bytes == 4);
    CU_ASSERT_EQUAL(*(const int *)arguments[2].value, COUNT - 2);
    CU_ASSERT(arguments[3].kind == CUTUNE_ARGUMENT_VALUE && arguments[3].bytes == 16);
    memcpy(&half, (const char *)arguments[3].value + 8, sizeof half);
    CU_ASSERT(*(const char *)arguments[3].value == 1 && half == 0.5);
    CU_ASSERT(arguments[4].kind == CUTUNE_ARGUMENT_VALUE && arguments[4].bytes == sizeof null);
    CU_ASSERT_EQUAL(memcmp(arguments[4].value, null, sizeof null), 0);
    expect(cutune_cuda_bind(&world.loaded, world.buffers));
    expect(cutune_cuda_launch(&world.loaded, world.stream));
    CU_ASSERT_EQUAL(fifth(&world, world.buffers[1]), 2 * (5 + 2));
    end_world(&world);
}

/* Addresses in a struct are those of the buffers, also after a swap. */
static void structs_have_parts(void)
{
    struct world world = {.folder = ""};
    make_world(&world,
               "launch twice_struct args struct { a, in + 3, struct { int N - 3, null } } block 32 grid 1\n"
               "launch twice_struct args struct { b, a, struct { int N, null } } block 32 grid 1 repeat P swap a, b");
    const struct cutune_argument *argument = cutune_kernel_sequence(world.kernel)->launches[0].arguments;
    CU_ASSERT(argument->kind == CUTUNE_ARGUMENT_VALUE && argument->bytes == 32 && argument->part_count == 2);
    CU_ASSERT(argument->parts[1].kind == CUTUNE_ARGUMENT_BUFFER && argument->parts[1].place == 8);
    CU_ASSERT(argument->parts[1].index == 0 && argument->parts[1].offset == 3 * sizeof(float));
    expect(cutune_cuda_bind(&world.loaded, world.buffers));
    for (int again = 0; again < 2; again++) {
        expect(cutune_cuda_launch(&world.loaded, world.stream));
        expect(cudaDeviceSynchronize());
        CU_ASSERT_EQUAL(fifth(&world, cutune_cuda_address(&world.loaded, 1)), (5 + 3) * 16);
        CU_ASSERT_EQUAL(fifth(&world, cutune_cuda_address(&world.loaded, 2)), (5 + 3) * 8);
    }
    end_world(&world);
}

static void launches_have_attributes(void)
{
    struct world world = {.folder = ""};
    make_world(&world, "launch double_in_place args a, int N block 32 grid 4 shared 50000 cluster 2 cooperative\n"
                       "launch twice args a, in, int N block 32 grid 2 shared 64\n"
                       "launch twice args b, a, int N block 32 grid 4 shared 60000\ncarveout 50");
    expect(cutune_cuda_bind(&world.loaded, world.buffers));
    CU_ASSERT_EQUAL(fake.attributes[cudaFuncAttributeMaxDynamicSharedMemorySize], 60000);
    CU_ASSERT_EQUAL(fake.attributes[cudaFuncAttributePreferredSharedMemoryCarveout], 50);
    expect(cutune_cuda_launch(&world.loaded, world.stream));
    expect(cudaDeviceSynchronize());
    CU_ASSERT_EQUAL(fifth(&world, world.buffers[2]), 5 * 4);
    CU_ASSERT(!fake.cooperative);
    expect(cutune_cuda_launch_with(&world.loaded, 0, (void *[]){&world.buffers[1], &(int){COUNT}}, world.stream));
    expect(cudaDeviceSynchronize());
    CU_ASSERT(fake.cooperative);
    end_world(&world);
}

/* The maps of the space file, over the bound buffers. The fake runtime has no kernel with a map as a parameter. */
static void tensor_maps_are_encoded(void)
{
    struct world world = {.folder = ""};
    make_world(&world, "buffer s float[N * P] scratch\n"
                       "tensor_map m over a + 16 size 32, 1 stride 128 box 16, 1 swizzle 64 l2_promotion 128\n"
                       "launch twice args a, in, int N block 32 grid 2\n"
                       "launch twice args b, s, int N block 32 grid 2\n"
                       "launch mapped args m, b block 32 grid 2 when P == 4");
    const struct cutune_sequence *sequence = cutune_kernel_sequence(world.kernel);
    CU_ASSERT_EQUAL_FATAL(sequence->tensor_map_count, 1);
    expect(cutune_cuda_bind(&world.loaded, world.buffers));
    CU_ASSERT_EQUAL(fake.tensor_map.number, 1);
    CU_ASSERT_PTR_EQUAL(fake.tensor_map.address, (char *)world.buffers[1] + 64);
    CU_ASSERT_EQUAL(fake.tensor_map.rank, 2);
    CU_ASSERT_EQUAL(fake.tensor_map.type, 7);
    CU_ASSERT(fake.tensor_map.swizzle == 2 && fake.tensor_map.l2_promotion == 2 && fake.tensor_map.interleave == 0);
    CU_ASSERT(fake.tensor_map.sizes[0] == 32 && fake.tensor_map.strides[0] == 128 && fake.tensor_map.box[0] == 16);
    CU_ASSERT_EQUAL(fake.tensor_map.element_strides[1], 1);
    fake.no_tensor_maps = true;
    CU_ASSERT_EQUAL(cutune_cuda_bind(&world.loaded, world.buffers), cudaErrorNotSupported);
    end_world(&world);
}

/* Launches with macros of their own have machine code of their own. */
static void several_cubins(void)
{
    struct world world = {.folder = ""};
    make_world(&world, "launch twice args a, in, int N block 32 grid 2\n"
                       "launch twice args b, a, int N block 32 grid 2 define OTHER = 1\n"
                       "launch double_in_place args b, int N block 32 grid 2 shared 50000\n");
    const struct cutune_sequence *sequence = cutune_kernel_sequence(world.kernel);
    CU_ASSERT_EQUAL_FATAL(sequence->cubin_count, 2);
    for (size_t i = 0; i < 3; i++)
        CU_ASSERT_EQUAL(sequence->launches[i].cubin, i == 1);
    CU_ASSERT_PTR_NOT_EQUAL(world.loaded.libraries[0], world.loaded.libraries[1]);
    CU_ASSERT_PTR_NOT_EQUAL(world.loaded.kernels[0], world.loaded.kernels[1]);
    expect(cutune_cuda_bind(&world.loaded, world.buffers));
    expect(cutune_cuda_launch(&world.loaded, world.stream));
    expect(cudaDeviceSynchronize());
    CU_ASSERT_EQUAL(fifth(&world, world.buffers[2]), 5 * 8);
    end_world(&world);
}

static void failures(void)
{
    struct world world = {.folder = ""};
    struct cutune_cuda loaded;
    make_world(&world, CHAIN "graph 1");
    CU_ASSERT_EQUAL(cutune_cuda_load(NULL, world.kernel), cudaErrorInvalidValue);
    CU_ASSERT_EQUAL(cutune_cuda_load(&loaded, NULL), cudaErrorInvalidValue);
    CU_ASSERT_EQUAL(cutune_cuda_launch(&loaded, 0), cudaErrorInvalidValue);
    CU_ASSERT_EQUAL(cutune_cuda_launch_with(NULL, 0, NULL, 0), cudaErrorInvalidValue);
    cutune_cuda_unload(&loaded);
    cutune_cuda_unload(NULL);
    fake.graph_error = cudaErrorStreamCaptureUnsupported;
    CU_ASSERT_NOT_EQUAL(cutune_cuda_bind(&world.loaded, world.buffers), cudaSuccess);
    CU_ASSERT_EQUAL(cutune_cuda_launch(&world.loaded, world.stream), cudaErrorInvalidValue);
    fake.graph_error = cudaSuccess;
    fake.blocks_sm = 0; /* no block of the resident grid fits */
    CU_ASSERT_EQUAL(cutune_cuda_load(&loaded, world.kernel), cudaErrorLaunchOutOfResources);
    CU_ASSERT_PTR_NULL(loaded.libraries);
    end_world(&world);
}

CU_TestInfo tests_cutune_cuda[] = {{"sequences run", sequences_run},
                                   {"own arguments", own_arguments},
                                   {"loops are written out", loops_are_written_out},
                                   {"arguments have bytes", arguments_have_bytes},
                                   {"structs have parts", structs_have_parts},
                                   {"launches have attributes", launches_have_attributes},
                                   {"tensor maps are encoded", tensor_maps_are_encoded},
                                   {"several cubins", several_cubins},
                                   {"failures", failures},
                                   CU_TEST_INFO_NULL};
