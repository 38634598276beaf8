/* Buffers as NumPy files. */
#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/npy.h"
#include "device/inputs.h"
#include "fake_gpu.h"

static struct gpu gpu; /* large */

static uint32_t type_named(const char *name)
{
    uint32_t type = 0;
    while (strcmp(element_types[type].name, name) != 0)
        type++;
    return type;
}

static void whole_buffers(void)
{
    static const struct {
        const char *type;
        char kind;
        uint32_t bytes;
        size_t axes;
        uint64_t last; /* size of the last axis */
    } rows[] = {{"float", 'f', 4, 1, TEST_COUNT}, {"uint8_t", 'u', 1, 1, TEST_COUNT},  {"float2", 'f', 4, 2, 2},
                {"int4", 'i', 4, 2, 4},           {"bfloat16", 'u', 2, 1, TEST_COUNT}, {"bool", 'b', 1, 1, TEST_COUNT}};
    for (size_t r = 0; r < COUNT(rows); r++) {
        char folder[] = "/tmp/cutune_inputs_XXXXXX", path[64];
        struct setup_message setup = {.inputs_folder = folder};
        struct error error = {0};
        struct npy npy;
        uint32_t type = type_named(rows[r].type);
        CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
        test_gpu_begin(&gpu, FILL_NONE);
        gpu.buffers[TEST_IN].type = &element_types[type];
        gpu.buffers[TEST_IN].count = TEST_COUNT * element_types[type].components;
        gpu.buffers[TEST_IN].bytes = TEST_COUNT * element_types[type].bytes;
        gpu.buffers[TEST_IN].scalar = element_types[type].scalar;
        test_gpu_refill(&gpu);
        CU_ASSERT_EQUAL(gpu_write_inputs(&gpu, &setup, &error), 0);
        snprintf(path, sizeof path, "%s/in.npy", folder);
        CU_ASSERT_EQUAL_FATAL(npy_open(path, &npy, &error), 0);
        CU_ASSERT(npy.kind == rows[r].kind && npy.bytes == rows[r].bytes && npy.axes == rows[r].axes);
        CU_ASSERT(npy.shape[0] == TEST_COUNT && npy.shape[npy.axes - 1] == rows[r].last && npy.offset % 64 == 0);
        unsigned char *data = malloc(gpu.buffers[TEST_IN].bytes);
        FILE *file = fopen(path, "rb");
        CU_ASSERT_EQUAL(fseek(file, (long)npy.offset, SEEK_SET), 0);
        CU_ASSERT_EQUAL(fread(data, 1, gpu.buffers[TEST_IN].bytes, file), gpu.buffers[TEST_IN].bytes);
        CU_ASSERT_EQUAL(memcmp(data, gpu.buffers[TEST_IN].data, gpu.buffers[TEST_IN].bytes), 0);
        fclose(file);
        free(data);
        unlink(path);
        CU_ASSERT_EQUAL(rmdir(folder), 0); /* an output has no file */
    }
    test_gpu_close(&gpu);
}

/* A full disk or a missing folder is an error. */
static void cannot_write(void)
{
    static const struct {
        bool full;
        const char *message;
    } rows[] = {{true, "/in.npy: No space left on device"}, {false, "/in.npy: No such file or directory"}};
    for (size_t r = 0; r < COUNT(rows); r++) {
        char folder[] = "/tmp/cutune_inputs_XXXXXX", path[64], expected[128];
        struct setup_message setup = {.inputs_folder = folder};
        struct error error = {0};
        CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
        snprintf(path, sizeof path, "%s/in.npy", folder);
        CU_ASSERT_EQUAL(rows[r].full ? symlink("/dev/full", path) : rmdir(folder), 0);
        test_gpu_begin(&gpu, FILL_NONE);
        gpu.buffers[TEST_IN].type = &element_types[type_named("float")];
        CU_ASSERT_EQUAL(gpu_write_inputs(&gpu, &setup, &error), ERROR_IO);
        snprintf(expected, sizeof expected, "cannot write %s%s", folder, rows[r].message);
        expect_text(error.message, expected);
        unlink(path);
        rmdir(folder);
    }
    test_gpu_close(&gpu);
}

CU_TestInfo tests_inputs[] = {{"whole buffers", whole_buffers}, {"cannot write", cannot_write}, CU_TEST_INFO_NULL};
