/* Kernels that a compiler command makes. */
#include <string.h>

#include "kernel_world.h"

/* The answers of a worker, and what comes of the space's arguments `out, int N`. */
static const struct {
    const char *parameters, *file;
    int code;
    const char *message;
} answers[] = {
    {"\"out\", {\"extent\": \"out\", \"dimension\": 0, \"type\": \"int64\"}, {\"scratch\": 100, \"alignment\": 64}",
     "k.cubin", 0, ""},
    {"\"out\", \"N\", {\"null\": 8}", "k.cubin", CUTUNE_ERROR_COMPILE,
     "argument 2 of kernel 'k' has 4 bytes, but its parameter has 8"},
    {"\"out\", \"n\"", "k.cubin", CUTUNE_ERROR_COMPILE, "k with B=64 does not compile: "},
    {"\"out\"", "absent", CUTUNE_ERROR_COMPILE, "k with B=64 does not compile: the compiler command "},
};

/* Writes a space whose compiler is a script, and the machine code that the script's worker hands out: it takes an
 * address, 8 bytes and an address. The files are an hour old, so that the cache trusts their times. */
static void make_command(struct world *world, size_t row)
{
    char path[128], text[4096];
    struct cutune_kernel *kernel;
    size_t bytes;
    make_world(world, "param B = 16..2048 times 2",
               "extern \"C\" __global__ void k(float *out, long long n, void *s) { out[n] = s ? B : 1; }\n");
    CU_ASSERT_EQUAL_FATAL(
        cutune_kernel_open(&kernel, world->opened, world->space, world->device, "N=1024", CUTUNE_STALE, NULL), 0);
    const void *code = cutune_kernel_cubin(kernel, &bytes);
    snprintf(path, sizeof path, "%s/k.cubin", world->folder);
    FILE *file = fopen(path, "wb");
    CU_ASSERT_TRUE_FATAL(file && fwrite(code, 1, bytes, file) == bytes && fclose(file) == 0);
    cutune_kernel_close(kernel);
    snprintf(path, sizeof path, "%s/worker.sh", world->folder);
    snprintf(text, sizeof text,
             "exec '%s' hello='{\"schema\": 1, \"compiler\": \"stand-in\", \"version\": \"1\", \"files\": [\"seen\"]}' "
             "file=%s answer='{\"id\": ID, \"kernels\": [{\"entry\": \"k\", \"block\": [96], \"shared\": 128, "
             "\"programmatic\": true, \"parameters\": [%s]}], \"files\": [\"further\"]}'\n",
             STAND_IN_WORKER, answers[row].file, answers[row].parameters);
    write_file(path, text);
    snprintf(path, sizeof path, "%s/seen", world->folder);
    write_file(path, "1");
    snprintf(path, sizeof path, "%s/further", world->folder);
    write_file(path, "1");
    write_file(world->space, "space 2\nkernel k\ncompiler command \"sh worker.sh\"\nproblem N = 4096\n"
                             "param B = 16..2048 times 2\nbuffer out float[N] output\nargs out, int N\nblock compiler\n"
                             "grid N / 256\nshared compiler\nreference default\ndefault B=32\n");
    snprintf(text, sizeof text, "touch -d '1 hour ago' '%s'/*", world->folder);
    CU_ASSERT_EQUAL_FATAL(system(text), 0);
}

static int open_command(const struct world *world, unsigned flags, struct cutune_kernel **kernel,
                        struct cutune_error *error)
{
    return cutune_kernel_open(kernel, world->opened, world->space, world->device, "N=1024", flags | CUTUNE_STALE,
                              error);
}

/* The answer decides block, shared memory and parameters; the compiler's memory is a buffer behind those of the
 * space. */
static void check_command_launch(const struct cutune_kernel *kernel)
{
    const struct cutune_sequence *sequence = cutune_kernel_sequence(kernel);
    const struct cutune_launch *launch = sequence->launches;
    CU_ASSERT_EQUAL_FATAL(launch->argument_count, 3);
    CU_ASSERT(launch->block[0] == 96 && launch->grid[0] == 4 && launch->shared_bytes == 128 && launch->programmatic);
    CU_ASSERT(launch->arguments[0].kind == CUTUNE_ARGUMENT_BUFFER && launch->arguments[0].index == 0);
    CU_ASSERT_EQUAL_FATAL(launch->arguments[1].kind, CUTUNE_ARGUMENT_VALUE);
    CU_ASSERT_EQUAL(launch->arguments[1].bytes, 8);
    CU_ASSERT_EQUAL(*(const long long *)launch->arguments[1].value, 1024);
    CU_ASSERT_PTR_NULL(launch->arguments[1].type);
    CU_ASSERT(launch->arguments[2].kind == CUTUNE_ARGUMENT_BUFFER && launch->arguments[2].index == 1);
    CU_ASSERT_EQUAL_FATAL(sequence->buffer_count, 2);
    CU_ASSERT_STRING_EQUAL(sequence->buffers[1].name, "");
    CU_ASSERT(sequence->buffers[1].scratch && sequence->buffers[1].bytes == 4 * 128);
    CU_ASSERT_EQUAL(sequence->cubin_count, 1);
}

static void opens_kernels_of_commands(void)
{
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        struct world world;
        struct cutune_kernel *kernel;
        struct cutune_error error = {0};
        make_command(&world, i);
        const int code = open_command(&world, 0, &kernel, &error);
        CU_ASSERT_EQUAL(code, answers[i].code);
        if (code)
            CU_ASSERT_PTR_NOT_NULL_FATAL(strstr(error.message, answers[i].message));
        if (!code)
            check_command_launch(kernel);
        cutune_kernel_close(kernel);
        end_world(&world);
    }
}

/* A stored answer serves without a worker, until a file of the hello, of the answer or of the command changes. */
static void recalls_kernels_of_commands(void)
{
    static const char *const changed[] = {NULL, "seen", "further", "worker.sh"};
    for (size_t i = 0; i < sizeof changed / sizeof *changed; i++) {
        struct world world;
        struct cutune_kernel *kernel;
        struct cutune_error error = {0};
        char path[128];
        make_command(&world, 0);
        CU_ASSERT_EQUAL(open_command(&world, CUTUNE_CACHED, &kernel, &error), CUTUNE_ERROR_NOT_FOUND);
        CU_ASSERT_STRING_EQUAL(error.message, "k with B=64 is not in the cache of compiled kernels");
        CU_ASSERT_EQUAL_FATAL(open_command(&world, 0, &kernel, NULL), 0);
        cutune_kernel_close(kernel);
        snprintf(path, sizeof path, "%s/%s", world.folder, changed[i] ? changed[i] : "unrelated");
        write_file(path, "exit 1\n");
        CU_ASSERT_EQUAL(open_command(&world, CUTUNE_CACHED, &kernel, &error), changed[i] ? CUTUNE_ERROR_NOT_FOUND : 0);
        if (kernel)
            check_command_launch(kernel);
        cutune_kernel_close(kernel);
        end_world(&world);
    }
}

/* A command that says no hello is the statement's error; an untrusted space starts none. */
static void refuses_commands(void)
{
    struct world world;
    struct cutune_kernel *kernel;
    struct cutune_error error = {0};
    char path[128];
    make_command(&world, 0);
    CU_ASSERT_EQUAL(open_command(&world, CUTUNE_UNTRUSTED, &kernel, &error), CUTUNE_ERROR_DATA);
    snprintf(path, sizeof path, "%s/worker.sh", world.folder);
    write_file(path, "echo no such language\nexit 3\n");
    CU_ASSERT_EQUAL(open_command(&world, 0, &kernel, &error), CUTUNE_ERROR_COMPILE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "no such language"));
    CU_ASSERT_STRING_EQUAL(error.source, world.space);
    CU_ASSERT_EQUAL(error.line, 3);
    end_world(&world);
}

CU_TestInfo tests_api_command[] = {{"opens kernels of compiler commands", opens_kernels_of_commands},
                                   {"recalls kernels of compiler commands", recalls_kernels_of_commands},
                                   {"commands that cannot compile", refuses_commands},
                                   CU_TEST_INFO_NULL};
