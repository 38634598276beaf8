/* Fills, element by element: kernels.cu itself, run on the host. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/random.h"
#include "device/fill.h"
#include "fake_gpu.h"

static struct gpu gpu; /* large */

static const uint32_t sizes[] = {
    [SCALAR_char] = 1,  [SCALAR_uchar] = 1,  [SCALAR_short] = 2, [SCALAR_ushort] = 2, [SCALAR_int] = 4,
    [SCALAR_uint] = 4,  [SCALAR_long] = 8,   [SCALAR_ulong] = 8, [SCALAR_half] = 2,   [SCALAR_bfloat16] = 2,
    [SCALAR_float] = 4, [SCALAR_double] = 8, [SCALAR_bool] = 1};

/* Returns a filled input of `count` elements in a set-up process. */
static unsigned char *filled(enum scalar scalar, enum buffer_fill fill, size_t count)
{
    test_gpu_begin(&gpu, FILL_NONE);
    gpu.buffers[TEST_IN].scalar = scalar;
    gpu.buffers[TEST_IN].count = count;
    gpu.buffers[TEST_IN].bytes = count * sizes[scalar];
    gpu.buffers[TEST_IN].fill = fill;
    test_gpu_refill(&gpu);
    return gpu.buffers[TEST_IN].data;
}

static double element(const unsigned char *data, enum scalar scalar, size_t i)
{
    uint64_t bits = 0;
    float f;
    double d;
    memcpy(&bits, data + i * sizes[scalar], sizes[scalar]);
    switch (scalar) {
    case SCALAR_char:
        return (int8_t)bits;
    case SCALAR_short:
        return (int16_t)bits;
    case SCALAR_int:
        return (int32_t)bits;
    case SCALAR_long:
        return (double)(int64_t)bits;
    case SCALAR_half: /* valid for the values in use: normal numbers and zero */
        d = ldexp(1024 + (double)(bits & 1023), (int)(bits >> 10 & 31) - 25);
        return (bits & 0x7fff) == 0 ? 0 : bits >> 15 ? -d : d;
    case SCALAR_bfloat16:
        bits <<= 16;
        memcpy(&f, &bits, sizeof f);
        return f;
    case SCALAR_float:
        memcpy(&f, &bits, sizeof f);
        return f;
    case SCALAR_double:
        memcpy(&d, &bits, sizeof d);
        return d;
    default:
        return (double)bits;
    }
}

static void iota(void)
{
    static const struct {
        enum scalar scalar;
        size_t i;
        double value;
    } rows[] = {
        {SCALAR_char, 127, 127},     {SCALAR_char, 128, -128},    {SCALAR_uchar, 255, 255},  {SCALAR_uchar, 256, 0},
        {SCALAR_short, 2999, 2999},  {SCALAR_ushort, 2999, 2999}, {SCALAR_int, 2999, 2999},  {SCALAR_uint, 2999, 2999},
        {SCALAR_long, 2999, 2999},   {SCALAR_ulong, 2999, 2999},  {SCALAR_half, 2047, 2047}, {SCALAR_half, 2048, 0},
        {SCALAR_half, 3, 3},         {SCALAR_bfloat16, 255, 255}, {SCALAR_bfloat16, 256, 0}, {SCALAR_float, 2999, 2999},
        {SCALAR_double, 2999, 2999}, {SCALAR_bool, 2998, 0},      {SCALAR_bool, 2999, 1},
    };
    for (size_t r = 0; r < COUNT(rows); r++) {
        const unsigned char *data = filled(rows[r].scalar, FILL_IOTA, 3000);
        expect_number("first", element(data, rows[r].scalar, 0), 0);
        expect_number("element", element(data, rows[r].scalar, rows[r].i), rows[r].value);
    }
    test_gpu_close(&gpu);
}

/* Uniform over the type's range, reproducible, and different for another seed. */
static void random_fill(void)
{
    enum { MANY = 4000 };
    for (enum scalar scalar = 0; scalar < SCALAR_bool; scalar++) {
        static unsigned char first[8 * MANY];
        double low = scalar >= SCALAR_half ? -1 : scalar % 2 ? 0 : -ldexp(1, 8 * (int)sizes[scalar] - 1);
        double high = scalar >= SCALAR_half ? 1 : ldexp(1, 8 * (int)sizes[scalar] - (scalar % 2 ? 0 : 1)), sum = 0;
        const unsigned char *data = filled(scalar, FILL_RANDOM, MANY);
        size_t upper = 0;
        for (size_t i = 0; i < MANY; i++) {
            double x = element(data, scalar, i);
            CU_ASSERT_FATAL(x >= low && x <= high);
            sum += (x - low) / (high - low) / MANY;
            upper += x > low + 0.75 * (high - low);
        }
        CU_ASSERT_DOUBLE_EQUAL(sum, 0.5, 0.03);
        CU_ASSERT_DOUBLE_EQUAL((double)upper / MANY, 0.25, 0.03);
        memcpy(first, data, MANY * sizes[scalar]);
        data = filled(scalar, FILL_RANDOM, MANY);
        CU_ASSERT_EQUAL(memcmp(first, data, MANY * sizes[scalar]), 0);
        struct error error = {0};
        gpu.seed = 1;
        CU_ASSERT_EQUAL(gpu_fill_all(&gpu, &error), 0);
        CU_ASSERT_NOT_EQUAL(memcmp(first, gpu.buffers[TEST_IN].data, MANY * sizes[scalar]), 0);
    }
    test_gpu_close(&gpu);
}

/* Undoes x ^ x >> by. */
static uint64_t unshift(uint64_t x, unsigned by)
{
    uint64_t found = x;
    for (unsigned bits = by; bits < 64; bits += by)
        found = x ^ found >> by;
    return found;
}

/* The inverse of splitmix64's finaliser. */
static uint64_t unmix(uint64_t x)
{
    x = unshift(x, 31) * 0x319642b2d24d8ec3u;
    x = unshift(x, 27) * 0x96de1b173f119089u;
    return unshift(x, 30);
}

/* Whoever sees whole elements cannot compute the next one from them, as splitmix64 and its double would allow. */
static void unforeseen(void)
{
    const uint64_t step = 0x9e3779b97f4a7c15u;
    uint64_t elements[2], seed[2];
    CU_ASSERT_EQUAL(unmix(unmix(random_mix(5, 7)) - step - 7) - step, 5);
    memcpy(elements, filled(SCALAR_ulong, FILL_RANDOM, 2), sizeof elements);
    for (int i = 0; i < 2; i++)
        seed[i] = unmix(elements[i]) - step * (uint64_t)(i + 1);
    CU_ASSERT_NOT_EQUAL(seed[0], seed[1]);
    for (int i = 0; i < 2; i++)
        seed[i] = unmix(unmix(elements[i])) - step * (uint64_t)(i + 1);
    CU_ASSERT_NOT_EQUAL(seed[0], seed[1]);
    test_gpu_close(&gpu);
}

/* Integers reach both bounds and nothing beyond; floats fill the range evenly. */
static void random_ranges(void)
{
    enum { MANY = 4000 };
    static const struct {
        enum scalar scalar;
        long long low, high; /* of floats: halves */
    } rows[] = {{SCALAR_int, -3, 5},   {SCALAR_char, -128, 127}, {SCALAR_uchar, 200, 255}, {SCALAR_ulong, 0, 1},
                {SCALAR_long, 7, 7},   {SCALAR_float, 0, 2},     {SCALAR_double, -4, -1},  {SCALAR_half, 2, 6},
                {SCALAR_ushort, 0, 9}, {SCALAR_bool, 1, 1},      {SCALAR_float, 6, 6}};
    for (size_t r = 0; r < COUNT(rows); r++) {
        bool real = rows[r].scalar >= SCALAR_half && rows[r].scalar != SCALAR_bool;
        double low = (double)rows[r].low / (real ? 2 : 1), high = (double)rows[r].high / (real ? 2 : 1), sum = 0;
        double least = high, most = low;
        struct error error = {0};
        filled(rows[r].scalar, FILL_RANDOM, MANY);
        struct fill_range range = {true, (uint64_t)rows[r].low, (uint64_t)rows[r].high};
        if (real) {
            memcpy(&range.low, &low, sizeof low);
            memcpy(&range.high, &high, sizeof high);
        }
        gpu.buffers[TEST_IN].range = range;
        CU_ASSERT_EQUAL(gpu_fill_all(&gpu, &error), 0);
        for (size_t i = 0; i < MANY; i++) {
            double x = element(gpu.buffers[TEST_IN].data, rows[r].scalar, i);
            least = x < least ? x : least;
            most = x > most ? x : most;
            sum += x / MANY;
        }
        CU_ASSERT(least >= low && most <= high);
        CU_ASSERT_DOUBLE_EQUAL(sum, (low + high) / 2, 0.03 * (high - low) + 1e-9);
        CU_ASSERT(real ? least <= low + 0.01 * (high - low) && most >= high - 0.01 * (high - low)
                       : least == low && most == high);
        gpu.buffers[TEST_IN].range.given = false;
    }
    test_gpu_close(&gpu);
}

/* A kernel may rely on a bool being 0 or 1. */
static void random_bool(void)
{
    enum { MANY = 4000 };
    const unsigned char *data = filled(SCALAR_bool, FILL_RANDOM, MANY);
    size_t ones = 0;
    for (size_t i = 0; i < MANY; i++) {
        CU_ASSERT(data[i] <= 1);
        ones += data[i];
    }
    CU_ASSERT(ones > MANY / 2 - 200 && ones < MANY / 2 + 200);
    test_gpu_close(&gpu);
}

static void file_fill(void)
{
    static const struct {
        const char *bytes; /* NULL: the file is missing */
        bool fails;
        uint64_t offset;
    } rows[] = {{"headline0123456789abcdef", false, 8}, {"headline0123456789abcde", true, 8},
                {"0123456789abcdef", false, 0},         {"0123456789abcdefXYZ", false, 0},
                {"0123456789abcde", true, 0},           {NULL, true, 0}};
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
        filled(SCALAR_uchar, FILL_ZERO, 16);
        gpu.buffers[TEST_IN].fill = FILL_FILE;
        gpu.buffers[TEST_IN].path = path;
        gpu.buffers[TEST_IN].offset = rows[r].offset;
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

/* The kinds of special values, and of other numbers. */
enum kind { ZERO, INFINITE, NOT_A_NUMBER, SUBNORMAL, LARGE, OTHER, KINDS };

static enum kind kind_of(const unsigned char *data, enum scalar scalar, size_t i, int mantissa_bits)
{
    uint64_t bits = 0;
    memcpy(&bits, data + i * sizes[scalar], sizes[scalar]);
    const int exponent_bits = (int)sizes[scalar] * 8 - 1 - mantissa_bits;
    const uint64_t most = (1ull << exponent_bits) - 1, exponent = bits >> mantissa_bits & most;
    const uint64_t mantissa = bits & ((1ull << mantissa_bits) - 1);
    return exponent == most ? (mantissa ? NOT_A_NUMBER : INFINITE)
           : !exponent      ? (mantissa ? SUBNORMAL : ZERO)
                            : (exponent == most - 8 ? LARGE : OTHER);
}

/* About half of all seeds have special values, of one kind, in a small part of the buffer; both processes agree. */
static void special_values(void)
{
    enum { COUNT_ = 1000, SEEDS = 60 };
    static const struct {
        enum scalar scalar;
        int mantissa_bits;
    } rows[] = {{SCALAR_half, 10}, {SCALAR_bfloat16, 7}, {SCALAR_float, 23}, {SCALAR_double, 52}};
    for (size_t r = 0; r < COUNT(rows); r++) {
        size_t seeds[KINDS] = {0};
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            struct error error = {0};
            size_t counts[KINDS] = {0}, kinds = 0;
            unsigned char before[COUNT_ * 8];
            struct gpu_buffer *buffer = &gpu.buffers[TEST_IN];
            filled(rows[r].scalar, FILL_RANDOM, COUNT_);
            buffer->type = element_component(&(struct element_type){.scalar = rows[r].scalar});
            gpu.sampling.special = true;
            gpu.seed = seed;
            CU_ASSERT_EQUAL(gpu_fill_all(&gpu, &error), 0);
            memcpy(before, buffer->data, buffer->bytes);
            CU_ASSERT_EQUAL(gpu_fill_all(&gpu, &error), 0);
            CU_ASSERT_EQUAL(memcmp(before, buffer->data, buffer->bytes), 0);
            for (size_t i = 0; i < COUNT_; i++)
                counts[kind_of(buffer->data, rows[r].scalar, i, rows[r].mantissa_bits)]++;
            for (int k = 0; k < OTHER; k++) {
                const bool some = counts[k] > (k == ZERO ? 8 : 0); /* few-bit types have zeros by chance */
                seeds[k] += some;
                kinds += some;
            }
            seeds[OTHER] += kinds == 0;
            CU_ASSERT(kinds <= 1);
            CU_ASSERT(counts[OTHER] > COUNT_ / 2);
        }
        for (int k = 0; k < OTHER; k++)
            CU_ASSERT(seeds[k] > 0);
        CU_ASSERT(seeds[OTHER] > SEEDS / 4 && seeds[OTHER] < SEEDS * 3 / 4);
    }
    test_gpu_close(&gpu);
}

CU_TestInfo tests_fills[] = {{"iota", iota},
                             {"random", random_fill},
                             {"unforeseen", unforeseen},
                             {"random bool", random_bool},
                             {"random ranges", random_ranges},
                             {"special values", special_values},
                             {"file", file_fill},
                             CU_TEST_INFO_NULL};
