/* Verification and the kernels that do it, element by element: kernels.cu itself, run on the host. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "fake_gpu.h"

static struct gpu gpu; /* large */

static const uint32_t sizes[] = {
    [KIND_S8] = 1,  [KIND_U8] = 1,  [KIND_S16] = 2, [KIND_U16] = 2,  [KIND_S32] = 4, [KIND_U32] = 4,
    [KIND_S64] = 8, [KIND_U64] = 8, [KIND_F16] = 2, [KIND_BF16] = 2, [KIND_F32] = 4, [KIND_F64] = 8};

static void finish(void)
{
    CU_ASSERT_EQUAL(cudaStreamSynchronize(gpu.stream), cudaSuccess);
}

/* ---- Fills ---- */

/* An input of `count` elements that is filled, in a process that is set up to that point. */
static unsigned char *filled(enum kind kind, enum buffer_fill fill, size_t count)
{
    struct error error = {0};
    test_gpu_begin(&gpu, FILL_NONE);
    gpu.buffers[TEST_IN].kind = kind;
    gpu.buffers[TEST_IN].count = count;
    gpu.buffers[TEST_IN].bytes = count * sizes[kind];
    gpu.buffers[TEST_IN].fill = fill;
    CU_ASSERT_EQUAL(gpu_allocate(&gpu, &error), 0);
    CU_ASSERT_EQUAL(gpu_fill_all(&gpu, &error), 0);
    return gpu.buffers[TEST_IN].data;
}

static double element(const unsigned char *data, enum kind kind, size_t i)
{
    uint64_t bits = 0;
    float f;
    double d;
    memcpy(&bits, data + i * sizes[kind], sizes[kind]);
    switch (kind) {
    case KIND_S8:
        return (int8_t)bits;
    case KIND_S16:
        return (int16_t)bits;
    case KIND_S32:
        return (int32_t)bits;
    case KIND_S64:
        return (double)(int64_t)bits;
    case KIND_F16: /* of what is used here: normal numbers and zero */
        d = ldexp(1024 + (double)(bits & 1023), (int)(bits >> 10 & 31) - 25);
        return (bits & 0x7fff) == 0 ? 0 : bits >> 15 ? -d : d;
    case KIND_BF16:
        bits <<= 16;
        memcpy(&f, &bits, sizeof f);
        return f;
    case KIND_F32:
        memcpy(&f, &bits, sizeof f);
        return f;
    case KIND_F64:
        memcpy(&d, &bits, sizeof d);
        return d;
    default:
        return (double)bits;
    }
}

static void iota(void)
{
    static const struct {
        enum kind kind;
        size_t i;
        double value;
    } rows[] = {
        {KIND_S8, 127, 127},    {KIND_S8, 128, -128},   {KIND_U8, 255, 255},    {KIND_U8, 256, 0},
        {KIND_S16, 2999, 2999}, {KIND_U16, 2999, 2999}, {KIND_S32, 2999, 2999}, {KIND_U32, 2999, 2999},
        {KIND_S64, 2999, 2999}, {KIND_U64, 2999, 2999}, {KIND_F16, 2047, 2047}, {KIND_F16, 2048, 0},
        {KIND_F16, 3, 3},       {KIND_BF16, 255, 255},  {KIND_BF16, 256, 0},    {KIND_F32, 2999, 2999},
        {KIND_F64, 2999, 2999},
    };
    for (size_t r = 0; r < COUNT(rows); r++) {
        const unsigned char *data = filled(rows[r].kind, FILL_IOTA, 3000);
        expect_number("first", element(data, rows[r].kind, 0), 0);
        expect_number("element", element(data, rows[r].kind, rows[r].i), rows[r].value);
    }
    test_gpu_close(&gpu);
}

/* Uniform in what its type holds, the same again, another one for another seed. */
static void random_fill(void)
{
    enum { MANY = 4000 };
    for (enum kind kind = 0; kind < COUNT(sizes); kind++) {
        static unsigned char first[8 * MANY];
        double low = kind >= KIND_F16 ? -1 : kind % 2 ? 0 : -ldexp(1, 8 * (int)sizes[kind] - 1);
        double high = kind >= KIND_F16 ? 1 : ldexp(1, 8 * (int)sizes[kind] - (kind % 2 ? 0 : 1)), sum = 0;
        const unsigned char *data = filled(kind, FILL_RANDOM, MANY);
        size_t upper = 0;
        for (size_t i = 0; i < MANY; i++) {
            double x = element(data, kind, i);
            CU_ASSERT_FATAL(x >= low && x <= high);
            sum += (x - low) / (high - low) / MANY;
            upper += x > low + 0.75 * (high - low);
        }
        CU_ASSERT_DOUBLE_EQUAL(sum, 0.5, 0.03);
        CU_ASSERT_DOUBLE_EQUAL((double)upper / MANY, 0.25, 0.03);
        memcpy(first, data, MANY * sizes[kind]);
        data = filled(kind, FILL_RANDOM, MANY);
        CU_ASSERT_EQUAL(memcmp(first, data, MANY * sizes[kind]), 0);
        struct error error = {0};
        gpu.seed = 1;
        CU_ASSERT_EQUAL(gpu_fill_all(&gpu, &error), 0);
        CU_ASSERT_NOT_EQUAL(memcmp(first, gpu.buffers[TEST_IN].data, MANY * sizes[kind]), 0);
    }
    test_gpu_close(&gpu);
}

static void file_fill(void)
{
    static const struct {
        const char *bytes; /* NULL: there is no such file */
        bool fails;
    } rows[] = {{"0123456789abcdef", false}, {"0123456789abcdefXYZ", false}, {"0123456789abcde", true}, {NULL, true}};
    for (size_t r = 0; r < COUNT(rows); r++) {
        char path[] = "/tmp/cutune_fill_XXXXXX";
        struct error error = {0};
        int file = mkstemp(path);
        CU_ASSERT_FATAL(file >= 0);
        if (rows[r].bytes)
            CU_ASSERT_EQUAL(write(file, rows[r].bytes, strlen(rows[r].bytes)), (ssize_t)strlen(rows[r].bytes));
        close(file);
        if (!rows[r].bytes)
            unlink(path);
        filled(KIND_U8, FILL_ZERO, 16);
        gpu.buffers[TEST_IN].fill = FILL_FILE;
        strcpy(gpu.buffers[TEST_IN].path, path);
        int code = gpu_fill_all(&gpu, &error);
        CU_ASSERT_EQUAL(code != 0, rows[r].fails);
        if (code)
            CU_ASSERT_PTR_NOT_NULL(strstr(error.message, path));
        if (!code)
            CU_ASSERT_EQUAL(memcmp(gpu.buffers[TEST_IN].data, "0123456789abcdef", 16), 0);
        unlink(path);
    }
    test_gpu_close(&gpu);
}

/* ---- Comparing ---- */

/* What cutune_compare says of one element among equal ones. */
static struct gpu_verdict compare(enum kind kind, uint64_t got, uint64_t want, double relative, double absolute)
{
    enum { ELEMENTS = 37, AT = 35 };
    struct error error = {0};
    struct gpu_buffer *buffer = &gpu.buffers[TEST_OUT];
    test_gpu_begin(&gpu, FILL_NONE);
    buffer->kind = kind;
    buffer->count = ELEMENTS;
    buffer->bytes = ELEMENTS * sizes[kind];
    CU_ASSERT_EQUAL(gpu_allocate(&gpu, &error), 0);
    CU_ASSERT_EQUAL(gpu_fill_all(&gpu, &error), 0);
    memset(buffer->data, 1, buffer->bytes);
    memset(buffer->reference, 1, buffer->bytes);
    memcpy(buffer->data + AT * sizes[kind], &got, sizes[kind]);
    memcpy(buffer->reference + AT * sizes[kind], &want, sizes[kind]);
    unsigned long long count = ELEMENTS;
    int number = (int)kind, poisoned = 0;
    struct gpu_verdict *verdict = gpu.verdicts;
    memset(verdict, 0, sizeof *verdict);
    void *arguments[] = {&buffer->data, &buffer->reference, &count, &number, &relative, &absolute, &poisoned, &verdict};
    CU_ASSERT_EQUAL(gpu_helper(&gpu, HELPER_COMPARE, count, arguments, &error), 0);
    finish();
    if (verdict->different)
        CU_ASSERT_EQUAL(~verdict->first_complement, AT);
    return *verdict;
}

static uint64_t bits_of_float(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static uint64_t bits_of_double(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static void tolerance(void)
{
    const uint64_t one = bits_of_float(1), infinite = bits_of_float(INFINITY), nan = bits_of_float(NAN);
    const struct {
        enum kind kind;
        uint64_t got, want;
        double relative, absolute;
        unsigned different, nan;
    } rows[] = {
        {KIND_F32, one, one, 0, 0, 0, 0},
        {KIND_F32, one + 1, one, 0, 0, 1, 0},
        {KIND_F32, one + 1, one, 1e-6, 0, 0, 0},
        {KIND_F32, bits_of_float(1.5f), one, 0.4, 0, 1, 0},
        {KIND_F32, bits_of_float(1.5f), one, 0.5, 0, 0, 0},
        {KIND_F32, bits_of_float(1.5f), one, 0, 0.4, 1, 0},
        {KIND_F32, bits_of_float(1.5f), one, 0, 0.5, 0, 0},
        {KIND_F32, bits_of_float(1.5f), one, 0.25, 0.25, 0, 0},
        {KIND_F32, bits_of_float(-1), one, 0.5, 0, 1, 0},
        {KIND_F32, bits_of_float(-0.0f), 0, 0, 0, 0, 0}, /* equal numbers */
        {KIND_F32, infinite, one, 1e30, 1e30, 1, 0},     /* no tolerance is that wide */
        {KIND_F32, infinite, infinite, 0, 0, 0, 0},
        {KIND_F32, nan, one, 1e30, 1e30, 1, 1},
        {KIND_F32, nan, nan, 1e30, 1e30, 1, 1}, /* a NaN never passes */
        {KIND_F64, bits_of_double(1.5), bits_of_double(1), 0.5, 0, 0, 0},
        {KIND_F64, bits_of_double(1.5), bits_of_double(1), 0.49, 0, 1, 0},
        {KIND_F64, bits_of_double(NAN), bits_of_double(1), 0.5, 0, 1, 1},
        {KIND_F16, 0x3c01, 0x3c00, 0, 0, 1, 0},
        {KIND_F16, 0x3c01, 0x3c00, 0.001, 0, 0, 0},
        {KIND_F16, 0x7e00, 0x3c00, 0.001, 0, 1, 1},
        {KIND_BF16, 0x3f81, 0x3f80, 0.01, 0, 0, 0},
        {KIND_BF16, 0x3f81, 0x3f80, 0.001, 0, 1, 0},
        {KIND_S8, 0xff, 0x00, 0, 0, 1, 0}, /* -1 and 0 */
        {KIND_S8, 0xff, 0x00, 0, 1, 0, 0},
        {KIND_U8, 0xff, 0x00, 0, 1, 1, 0}, /* 255 and 0 */
        {KIND_S16, 0xffff, 1, 0, 2, 0, 0},
        {KIND_U16, 0xffff, 1, 0, 2, 1, 0},
        {KIND_S32, 7, 8, 0.125, 0, 0, 0},
        {KIND_U32, 0xffffffff, 0, 0, 1, 1, 0},
        {KIND_S64, UINT64_MAX, 0, 0, 1, 0, 0},
        {KIND_U64, UINT64_MAX, UINT64_MAX - 1, 0, 0, 1, 0}, /* exact where a double is not */
    };
    for (size_t r = 0; r < COUNT(rows); r++) {
        struct gpu_verdict verdict =
            compare(rows[r].kind, rows[r].got, rows[r].want, rows[r].relative, rows[r].absolute);
        if (verdict.different != rows[r].different)
            fprintf(stderr, "\nrow %zu: %llu different\n", r, verdict.different);
        CU_ASSERT_EQUAL(verdict.different, rows[r].different);
        CU_ASSERT_EQUAL(verdict.nan, rows[r].nan);
    }
    test_gpu_close(&gpu);
}

/* ---- Whole kernels ---- */

/* The first and the last byte beside each buffer, and one of an input. */
static void memory_around(void)
{
    static const struct {
        int buffer;
        long at; /* from the data's begin, or from its end when `behind` */
        bool behind;
        const char *message;
    } rows[] = {
        {TEST_OUT, -1, false, "writes outside a buffer: 1 bytes beside out"},
        {TEST_OUT, -GUARD_BYTES, false, "writes outside a buffer: 1 bytes beside out"},
        {TEST_OUT, 0, true, "writes outside a buffer: 1 bytes beside out"},
        {TEST_OUT, GUARD_BYTES - 1, true, "writes outside a buffer: 1 bytes beside out"},
        {TEST_IN, -1, false, "writes outside a buffer: 1 bytes beside in"},
        {TEST_IN, 0, true, "writes outside a buffer: 1 bytes beside in"},
        {TEST_IN, 0, false, "writes to in, which is not an output"},
        {TEST_IN, -1, true, "writes to in, which is not an output"},
    };
    for (size_t r = 0; r < COUNT(rows); r++) {
        struct gpu_kernel kernel = test_kernel("fake:");
        struct measurement measurement = measurement_unknown(STATUS_OK);
        struct error error = {0};
        test_gpu_open(&gpu, FILL_NONE);
        CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
        CU_ASSERT_EQUAL(gpu_verify(&gpu, &kernel, &measurement, &error), 0);
        CU_ASSERT_EQUAL(measurement.status, STATUS_OK);
        const struct gpu_buffer *buffer = &gpu.buffers[rows[r].buffer];
        buffer->data[(rows[r].behind ? (long)buffer->bytes : 0) + rows[r].at] ^= 1;
        CU_ASSERT_EQUAL(gpu_recheck(&gpu, &kernel, &measurement, &error), 0);
        CU_ASSERT_EQUAL(measurement.status, STATUS_WRONG_RESULT);
        CU_ASSERT_PTR_NOT_NULL(strstr(measurement.message, rows[r].message));
        CU_ASSERT(gpu.spoiled);
        gpu_unload(&kernel);
    }
    test_gpu_close(&gpu);
}

CU_TestInfo tests_verify[] = {{"iota", iota},           {"random", random_fill},          {"file", file_fill},
                              {"tolerance", tolerance}, {"memory around", memory_around}, CU_TEST_INFO_NULL};
