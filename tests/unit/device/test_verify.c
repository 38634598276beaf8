/* Verification and its kernels, element by element: kernels.cu itself, run on the host. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "device/buffers.h"
#include "device/launch.h"
#include "device/measure.h"
#include "device/reference.h"
#include "device/verdict.h"
#include "device/verify.h"
#include "device/verify_timed.h"
#include "fake_gpu.h"

static struct gpu gpu; /* large */

static const uint32_t sizes[] = {
    [SCALAR_char] = 1,  [SCALAR_uchar] = 1,  [SCALAR_short] = 2, [SCALAR_ushort] = 2, [SCALAR_int] = 4,
    [SCALAR_uint] = 4,  [SCALAR_long] = 8,   [SCALAR_ulong] = 8, [SCALAR_half] = 2,   [SCALAR_bfloat16] = 2,
    [SCALAR_float] = 4, [SCALAR_double] = 8, [SCALAR_bool] = 1};

static void finish(void)
{
    CU_ASSERT_EQUAL(cudaStreamSynchronize(gpu.stream), cudaSuccess);
}

/* ---- Comparing ---- */

/* Returns the result of cutune_compare for one element among equal ones. */
static struct gpu_verdict compare(enum scalar scalar, uint64_t got, uint64_t want, double relative, double absolute,
                                  int nan)
{
    enum { ELEMENTS = 37, AT = 35 };
    struct error error = {0};
    struct gpu_buffer *buffer = &gpu.buffers[TEST_OUT];
    test_gpu_begin(&gpu, FILL_NONE);
    buffer->scalar = scalar;
    buffer->count = ELEMENTS;
    buffer->bytes = ELEMENTS * sizes[scalar];
    test_gpu_refill(&gpu);
    memset(buffer->data, 1, buffer->bytes);
    memset(buffer->reference, 1, buffer->bytes);
    memcpy(buffer->data + AT * sizes[scalar], &got, sizes[scalar]);
    memcpy(buffer->reference + AT * sizes[scalar], &want, sizes[scalar]);
    unsigned long long count = ELEMENTS;
    int number = (int)scalar, poisoned = 0;
    struct gpu_verdict *verdict = gpu.verdicts;
    memset(verdict, 0, sizeof *verdict);
    void *arguments[] = {&buffer->data, &buffer->reference, &count, &number, &relative,
                         &absolute,     &poisoned,          &nan,   &verdict};
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
        enum scalar scalar;
        uint64_t got, want;
        double relative, absolute;
        unsigned different, nan;
    } rows[] = {
        {SCALAR_float, one, one, 0, 0, 0, 0},
        {SCALAR_float, one + 1, one, 0, 0, 1, 0},
        {SCALAR_float, one + 1, one, 1e-6, 0, 0, 0},
        {SCALAR_float, bits_of_float(1.5f), one, 0.4, 0, 1, 0},
        {SCALAR_float, bits_of_float(1.5f), one, 0.5, 0, 0, 0},
        {SCALAR_float, bits_of_float(1.5f), one, 0, 0.4, 1, 0},
        {SCALAR_float, bits_of_float(1.5f), one, 0, 0.5, 0, 0},
        {SCALAR_float, bits_of_float(1.5f), one, 0.25, 0.25, 0, 0},
        {SCALAR_float, bits_of_float(-1), one, 0.5, 0, 1, 0},
        {SCALAR_float, bits_of_float(-0.0f), 0, 0, 0, 0, 0}, /* equal numbers */
        {SCALAR_float, infinite, one, 1e30, 1e30, 1, 0},     /* beyond every tolerance */
        {SCALAR_float, infinite, infinite, 0, 0, 0, 0},
        {SCALAR_float, nan, one, 1e30, 1e30, 1, 1},
        {SCALAR_float, nan, nan, 1e30, 1e30, 1, 1}, /* a NaN never passes */
        {SCALAR_double, bits_of_double(1.5), bits_of_double(1), 0.5, 0, 0, 0},
        {SCALAR_double, bits_of_double(1.5), bits_of_double(1), 0.49, 0, 1, 0},
        {SCALAR_double, bits_of_double(NAN), bits_of_double(1), 0.5, 0, 1, 1},
        {SCALAR_half, 0x3c01, 0x3c00, 0, 0, 1, 0},
        {SCALAR_half, 0x3c01, 0x3c00, 0.001, 0, 0, 0},
        {SCALAR_half, 0x7e00, 0x3c00, 0.001, 0, 1, 1},
        {SCALAR_bfloat16, 0x3f81, 0x3f80, 0.01, 0, 0, 0},
        {SCALAR_bfloat16, 0x3f81, 0x3f80, 0.001, 0, 1, 0},
        {SCALAR_char, 0xff, 0x00, 0, 0, 1, 0}, /* -1 and 0 */
        {SCALAR_char, 0xff, 0x00, 0, 1, 0, 0},
        {SCALAR_uchar, 0xff, 0x00, 0, 1, 1, 0}, /* 255 and 0 */
        {SCALAR_short, 0xffff, 1, 0, 2, 0, 0},
        {SCALAR_ushort, 0xffff, 1, 0, 2, 1, 0},
        {SCALAR_int, 7, 8, 0.125, 0, 0, 0},
        {SCALAR_uint, 0xffffffff, 0, 0, 1, 1, 0},
        {SCALAR_long, UINT64_MAX, 0, 0, 1, 0, 0},
        {SCALAR_ulong, UINT64_MAX, UINT64_MAX - 1, 0, 0, 1, 0}, /* exact where a double is not */
    };
    for (size_t r = 0; r < COUNT(rows); r++) {
        struct gpu_verdict verdict =
            compare(rows[r].scalar, rows[r].got, rows[r].want, rows[r].relative, rows[r].absolute, false);
        if (verdict.different != rows[r].different)
            fprintf(stderr, "\nrow %zu: %llu different\n", r, verdict.different);
        CU_ASSERT_EQUAL(verdict.different, rows[r].different);
        CU_ASSERT_EQUAL(verdict.nan, rows[r].nan);
    }
    test_gpu_close(&gpu);
}

/* With special values, NaN is right where the reference has it, but unwritten memory is not. */
static void special_values(void)
{
    const uint64_t one = bits_of_float(1), infinite = bits_of_float(INFINITY), nan = bits_of_float(NAN);
    const struct {
        uint64_t got, want;
        unsigned different;
    } rows[] = {{nan, nan, 0},
                {nan | 1u << 31 | 1, nan, 0},
                {UINT32_MAX, nan, 1},
                {one, nan, 1},
                {nan, one, 1},
                {infinite, infinite, 0},
                {nan, infinite, 1},
                {infinite, nan, 1},
                {infinite, one, 1},
                {infinite | 1u << 31, infinite, 1},
                {one, infinite, 1},
                {1, 0, 1},
                {bits_of_float(-0.0f), 0, 0}};
    for (size_t r = 0; r < COUNT(rows); r++)
        CU_ASSERT_EQUAL(compare(SCALAR_float, rows[r].got, rows[r].want, 0, 0, true).different, rows[r].different);
    test_gpu_close(&gpu);
}

/* ---- Whole kernels ---- */

/* Two outputs that differ by the same amount are each judged by their own tolerance and number of ignored values. */
static void own_tolerances(void)
{
    enum { SECOND = TEST_BUFFERS, PLUS = 4 };
    static const struct {
        double first, second;
        const char *message;
        uint64_t ignored; /* of `second` */
    } rows[] = {{1.01, 1.01, "", 0},
                {0.99, 1.01, "out: 1000 of 1000 values differ from the reference, the first at 0", 0},
                {1.01, 0.99, "second: 1000 of 1000 values differ from the reference, the first at 0", 0},
                {1.01, 0.99, "second: 1 of 1 values differ from the reference, the first at 0", 999},
                {1.01, 0.99, "", 1000}};
    for (size_t r = 0; r < COUNT(rows); r++) {
        struct gpu_kernel kernels[] = {test_kernel("fake: letter=r"), test_kernel("fake:")};
        struct measurement measurement = measurement_unknown(STATUS_OK);
        struct error error = {0};
        test_gpu_begin(&gpu, FILL_NONE);
        gpu.buffer_count = SECOND + 1;
        gpu.buffers[SECOND] = gpu.buffers[TEST_OUT];
        strcpy(gpu.buffers[SECOND].name, "second");
        gpu.buffers[TEST_OUT].tolerance.absolute = rows[r].first;
        gpu.buffers[SECOND].tolerance.absolute = rows[r].second;
        gpu.buffers[SECOND].ignored = rows[r].ignored;
        test_gpu_refill(&gpu);
        for (int plus = 0; plus < (int)COUNT(kernels); plus++) {
            struct launch *launch = &kernels[plus].launch;
            kernels[plus].names = "twice_plus";
            launch->argument_count = launch->steps[0].argument_count = PLUS + 1;
            launch->arguments[PLUS] = launch->arguments[3] = launch->arguments[2];
            launch->arguments[2] = launch->arguments[1];
            launch->arguments[1] = (struct launch_argument){.buffer = SECOND};
            test_put(launch, PLUS, &plus, sizeof plus);
            CU_ASSERT_EQUAL_FATAL(gpu_load(&kernels[plus]), cudaSuccess);
        }
        CU_ASSERT_EQUAL_FATAL(gpu_reference(&gpu, &kernels[0], "the reference kernel", &error), 0);
        CU_ASSERT_EQUAL(gpu_verify(&gpu, &kernels[1], &measurement, &error), 0);
        expect_text(measurement.message, rows[r].message);
        CU_ASSERT_EQUAL(measurement.status, *rows[r].message ? STATUS_WRONG_RESULT : STATUS_OK);
        gpu_unload(&kernels[0]);
        gpu_unload(&kernels[1]);
    }
    test_gpu_close(&gpu);
}

/* Writes to the bytes next to each buffer, and to an input, are detected. */
static void memory_around(void)
{
    static const struct {
        int buffer;
        long at; /* from the start of the data; with `behind`, from its end */
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
        CU_ASSERT_EQUAL(gpu_verify_timed(&gpu, &kernel, &measurement, 1, &error), 0);
        CU_ASSERT_EQUAL(measurement.status, STATUS_WRONG_RESULT);
        CU_ASSERT_PTR_NOT_NULL(strstr(measurement.message, rows[r].message));
        CU_ASSERT(gpu.spoiled);
        gpu_unload(&kernel);
    }
    test_gpu_close(&gpu);
}

/* A kernel that copies beyond the end of two buffers copies one guard to the other. */
static void copied_guard(void)
{
    enum { BEYOND = 4, APART = 64 };
    static const struct {
        int from;
        long at; /* behind that buffer */
    } rows[] = {{TEST_IN, 0}, {TEST_OUT, APART}};
    for (size_t r = 0; r < COUNT(rows); r++) {
        struct measurement measurement = measurement_unknown(STATUS_OK);
        struct error error = {0};
        test_gpu_open(&gpu, FILL_NONE);
        const struct gpu_buffer *out = &gpu.buffers[TEST_OUT], *from = &gpu.buffers[rows[r].from];
        memcpy(out->data + out->bytes, from->data + from->bytes + rows[r].at, BEYOND);
        CU_ASSERT_EQUAL(gpu_judge(&gpu, NULL, &measurement, &error), 0);
        expect_start(measurement.message, "writes outside a buffer: ");
    }
    test_gpu_close(&gpu);
}

/* Scratch has the size that each configuration needs, and unspecified contents: those of an unwritten output. */
static void scratch(void)
{
    enum { MOST = 3 * TEST_COUNT, SCRATCH = TEST_BUFFERS };
    static const struct {
        int own, written; /* elements */
        const char *message;
    } rows[] = {{TEST_COUNT, TEST_COUNT, ""},
                {MOST, TEST_COUNT, ""},
                {TEST_COUNT, TEST_COUNT + 1, "writes outside a buffer: "},
                {MOST - 1, MOST, "writes outside a buffer: "},
                {TEST_COUNT, MOST, "writes outside a buffer: "},
                {MOST, MOST, ""},
                {MOST, MOST + 1, "writes outside a buffer: "},
                {MOST, TEST_COUNT - 1,
                 "out: 1 of 1000 values differ from the reference, none of them was written, the first at 999"}};
    for (size_t r = 0; r < 2 * COUNT(rows); r++) {
        bool repeated = r % 2; /* judged after another run, as after timing */
        const int own = rows[r / 2].own, written = rows[r / 2].written;
        struct gpu_kernel kernels[] = {test_kernel("fake:"), test_kernel("fake:"), test_kernel("fake: letter=r")};
        struct measurement measurement = measurement_unknown(STATUS_OK);
        struct error error = {0};
        test_gpu_begin(&gpu, FILL_NONE);
        gpu.buffer_count = SCRATCH + 1;
        gpu.buffers[SCRATCH] = (struct gpu_buffer){.name = "scratch",
                                                   .scalar = SCALAR_float,
                                                   .count = MOST,
                                                   .bytes = MOST * sizeof(float),
                                                   .role = BUFFER_SCRATCH};
        test_gpu_refill(&gpu);
        for (size_t k = 0; k < COUNT(kernels); k++) {
            struct launch *launch = &kernels[k].launch;
            const int all = k ? TEST_COUNT : written;
            kernels[k].names = "twice_by_scratch";
            launch->argument_count = launch->steps[0].argument_count = 5;
            launch->arguments[4] = launch->arguments[3] = launch->arguments[2];
            launch->arguments[2] = (struct launch_argument){.buffer = SCRATCH};
            test_put(launch, 4, &all, sizeof all);
            launch->scratch_bytes[0] = (uint64_t)(k == 1 ? MOST : k ? TEST_COUNT : own) * sizeof(float);
            CU_ASSERT_EQUAL_FATAL(gpu_load(&kernels[k]), cudaSuccess);
        }
        CU_ASSERT_EQUAL_FATAL(gpu_reference(&gpu, &kernels[2], "the reference kernel", &error), 0);
        CU_ASSERT_EQUAL(gpu_verify(&gpu, &kernels[1], &measurement, &error), 0); /* of another configuration */
        CU_ASSERT_EQUAL(measurement.status, STATUS_OK);
        CU_ASSERT_EQUAL(gpu_verify(&gpu, &kernels[0], &measurement, &error), 0);
        if (repeated && measurement.status == STATUS_OK)
            CU_ASSERT_EQUAL(gpu_verify_timed(&gpu, &kernels[0], &measurement, 1, &error), 0);
        expect_start(measurement.message, rows[r / 2].message); /* some bytes may be those of the guard */
        CU_ASSERT_EQUAL(measurement.status, *rows[r / 2].message ? STATUS_WRONG_RESULT : STATUS_OK);
        if (repeated && measurement.status == STATUS_OK) { /* with the other one, which may use all of it */
            struct measurement both[] = {measurement, measurement};
            memset(gpu.buffers[SCRATCH].data, 1, MOST * sizeof(float));
            CU_ASSERT_EQUAL(gpu_verify_timed(&gpu, kernels, both, COUNT(both), &error), 0);
            CU_ASSERT(both[0].status == STATUS_OK && both[1].status == STATUS_OK);
        }
        for (size_t k = 0; k < COUNT(kernels); k++)
            gpu_unload(&kernels[k]);
    }
    test_gpu_close(&gpu);
}

/* A launch with more scratch than was allocated is refused; no coordinator sends one. */
static void too_much_scratch(void)
{
    struct gpu_kernel kernel = test_kernel("fake:");
    struct measurement measurement = measurement_unknown(STATUS_OK);
    struct error error = {0};
    test_gpu_open(&gpu, FILL_NONE);
    gpu.buffers[TEST_IN].role = BUFFER_SCRATCH;
    kernel.launch.scratch_bytes[0] = gpu.buffers[TEST_IN].bytes + 1;
    CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
    CU_ASSERT_EQUAL(gpu_verify(&gpu, &kernel, &measurement, &error), ERROR_DEVICE);
    expect_text(error.message, "poisoning the scratch buffers: invalid argument (cudaErrorInvalidValue)");
    gpu_unload(&kernel);
    test_gpu_close(&gpu);
}

/* The reference runs over scratch of two different contents. */
static void reference_scratch(void)
{
    static const struct {
        int written;
        const char *message;
    } rows[] = {
        {TEST_COUNT, ""},
        {TEST_COUNT - 1,
         "the output out of the reference kernel is not the same on two runs in 1 of 1000 values, the first at 999"},
        {TEST_COUNT + 1, "the reference kernel writes outside a buffer: "}};
    for (size_t r = 0; r < 2 * COUNT(rows); r++) {
        const int written = rows[r / 2].written, out = r % 2 ? TEST_IN : TEST_OUT; /* the place of the output */
        struct gpu_kernel reference = test_kernel("fake:");
        struct launch *launch = &reference.launch;
        struct error error = {0};
        test_gpu_begin(&gpu, FILL_NONE);
        gpu.buffer_count = TEST_BUFFERS + 1;
        const struct gpu_buffer input = gpu.buffers[TEST_IN], output = gpu.buffers[TEST_OUT];
        gpu.buffers[out] = output;
        gpu.buffers[1 - out] = input;
        gpu.buffers[TEST_BUFFERS] = (struct gpu_buffer){.name = "scratch",
                                                        .scalar = SCALAR_float,
                                                        .count = 2 * TEST_COUNT,
                                                        .bytes = 2 * TEST_COUNT * sizeof(float),
                                                        .role = BUFFER_SCRATCH};
        test_gpu_refill(&gpu);
        reference.names = "twice_by_scratch";
        launch->argument_count = launch->steps[0].argument_count = 5;
        launch->arguments[0].buffer = out;
        launch->arguments[1].buffer = 1 - out;
        launch->arguments[4] = launch->arguments[3] = launch->arguments[2];
        launch->arguments[2] = (struct launch_argument){.buffer = TEST_BUFFERS};
        test_put(launch, 4, &written, sizeof written);
        launch->scratch_bytes[0] = TEST_COUNT * sizeof(float);
        CU_ASSERT_EQUAL_FATAL(gpu_load(&reference), cudaSuccess);
        CU_ASSERT_EQUAL(gpu_reference(&gpu, &reference, "the reference kernel", &error) != 0,
                        *rows[r / 2].message != '\0');
        expect_start(error.message, rows[r / 2].message);
        gpu_unload(&reference);
    }
    test_gpu_close(&gpu);
}

/* Expected results come from a file, alone or beside a reference that computes another output. */
static void expected_files(void)
{
    enum { HEAD = 8, BYTES = TEST_COUNT * sizeof(float), OTHER = TEST_BUFFERS };
    static const struct {
        float first;    /* the file's replacement for the first value's double */
        size_t bytes;   /* of the file */
        size_t ignored; /* values at the end */
        bool beside;    /* another output, which the reference computes */
        enum status status;
        const char *message; /* of the set-up, or of the kernel; behind the path if it begins with a space */
    } rows[] = {
        {0, HEAD + BYTES, 0, false, STATUS_OK, ""},
        {0, HEAD + BYTES + 1, 0, false, STATUS_OK, ""},
        {0, HEAD + BYTES, 0, true, STATUS_OK, ""},
        {7, HEAD + BYTES, 0, false, STATUS_WRONG_RESULT,
         "out: 1 of 1000 values differ from the reference, the first at 0"},
        {7, HEAD + BYTES, 0, true, STATUS_WRONG_RESULT,
         "out: 1 of 1000 values differ from the reference, the first at 0"},
        {NAN, HEAD + BYTES, 0, true, STATUS_COUNT, " are NaN in 1 of 1000 values, the first at 0"},
        {0, HEAD + BYTES - 1, 0, false, STATUS_COUNT, " is shorter than the 4000 bytes of the buffer"},
        {0, 0, 0, false, STATUS_COUNT, ": No such file or directory"},
        {0, HEAD + BYTES - 40, 10, false, STATUS_OK, ""},
        {0, HEAD + BYTES - 41, 10, false, STATUS_COUNT, " is shorter than the 3960 bytes of the buffer"},
        {NAN, HEAD + BYTES - 40, 10, false, STATUS_COUNT, " are NaN in 1 of 990 values, the first at 0"},
    };
    for (size_t r = 0; r < COUNT(rows); r++) {
        char path[] = "/tmp/cutune_expected_XXXXXX", head[HEAD + 1] = "headline";
        struct gpu_kernel reference = test_kernel("fake: letter=r"), kernel = test_kernel("fake:");
        struct measurement measurement = measurement_unknown(STATUS_OK);
        struct error error = {0};
        float values[TEST_COUNT + 1] = {0};
        int file = mkstemp(path);
        test_gpu_begin(&gpu, FILL_NONE);
        gpu.buffers[OTHER] = gpu.buffers[TEST_OUT];
        strcpy(gpu.buffers[OTHER].name, "other");
        gpu.buffer_count = TEST_BUFFERS + rows[r].beside;
        gpu.buffers[TEST_OUT].expected = path;
        gpu.buffers[TEST_OUT].expected_offset = HEAD;
        gpu.buffers[TEST_OUT].ignored = rows[r].ignored;
        test_gpu_refill(&gpu);
        memcpy(values, gpu.buffers[TEST_IN].data, BYTES);
        for (size_t i = 0; i < TEST_COUNT; i++)
            values[i] *= 2;
        values[0] = rows[r].first != 0 ? rows[r].first : values[0];
        CU_ASSERT_EQUAL(write(file, head, rows[r].bytes ? HEAD : 0), rows[r].bytes ? HEAD : 0);
        CU_ASSERT(write(file, values, rows[r].bytes ? rows[r].bytes - HEAD : 0) >= 0);
        close(file);
        if (!rows[r].bytes)
            unlink(path);
        for (struct gpu_kernel *each = &reference; each; each = each == &reference ? &kernel : NULL) {
            struct launch *launch = &each->launch;
            if (rows[r].beside) {
                const int none = 0;
                each->names = "twice_plus";
                launch->argument_count = launch->steps[0].argument_count = 5;
                launch->arguments[3] = launch->arguments[2];
                launch->arguments[2] = launch->arguments[1];
                launch->arguments[1].buffer = OTHER;
                launch->arguments[4] = launch->arguments[3];
                test_put(launch, 4, &none, sizeof none);
            }
            CU_ASSERT_EQUAL_FATAL(gpu_load(each), cudaSuccess);
        }
        int code = gpu_reference(&gpu, rows[r].beside ? &reference : NULL, "the reference kernel", &error);
        CU_ASSERT_EQUAL(code != 0, rows[r].status == STATUS_COUNT);
        if (!code) {
            CU_ASSERT_EQUAL(gpu_verify(&gpu, &kernel, &measurement, &error), 0);
            CU_ASSERT_EQUAL(measurement.status, rows[r].status);
            expect_text(measurement.message, rows[r].message);
        } else {
            const char *behind = strstr(error.message, path);
            expect_text(behind ? behind + strlen(path) : error.message, rows[r].message);
        }
        gpu_unload(&reference);
        gpu_unload(&kernel);
        unlink(path);
    }
    test_gpu_close(&gpu);
}

/* After timing, a kernel is launched again, over poisoned outputs and the scratch that timing left. */
static void after_timing(void)
{
    static const struct {
        const char *script;
        enum status timed, status; /* before, after */
        int64_t verified;
        const char *message;
    } rows[] = {
        {"fake: time_ns=5000", STATUS_OK, STATUS_OK, VERIFIED_TIMED, ""},
        {"fake: unwritten=2", STATUS_OK, STATUS_WRONG_RESULT, VERIFIED_FIRST,
         "right on the first launch, wrong on a later one: out: 1000 of 1000 values differ from the reference, none of "
         "them was written, the first at 0"},
        {"fake: stale=9", STATUS_OK, STATUS_WRONG_RESULT, VERIFIED_FIRST,
         "right on the first launch, wrong on a later one: out: 1000 of 1000 values differ"},
        {"fake: stale=90", STATUS_OK, STATUS_OK, VERIFIED_TIMED, ""},
        {"fake: refuse=10", STATUS_OK, STATUS_LAUNCH_ERROR, VERIFIED_FIRST,
         "correct at first, then failed when repeated: too many resources"},
        /* stopped early: not launched again, but its last results are judged */
        {"fake: unwritten=2 id=s", STATUS_SLOWER, STATUS_SLOWER, VERIFIED_FIRST, ""},
        {"fake: wrong=2 id=s", STATUS_SLOWER, STATUS_WRONG_RESULT, VERIFIED_FIRST,
         "right on the first launch, wrong on a later one: out: 1 of 1000"},
    };
    for (size_t r = 0; r < COUNT(rows); r++) {
        struct measurement measurement = measurement_unknown(STATUS_OK);
        struct error error = {0};
        struct gpu_kernel kernel = test_kernel(rows[r].script);
        double samples_ns[7];
        test_gpu_open(&gpu, FILL_NONE);
        CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
        CU_ASSERT_EQUAL(gpu_verify(&gpu, &kernel, &measurement, &error), 0);
        const struct gpu_timed timed = gpu_timed_kernel(&gpu, &kernel);
        CU_ASSERT_EQUAL(gpu_run_batch(&gpu, &timed, COUNT(samples_ns), INT64_MAX, samples_ns, &measurement),
                        cudaSuccess);
        measurement.status = rows[r].timed;
        unsigned launches = fake_launches(rows[r].script);
        CU_ASSERT_EQUAL(gpu_verify_timed(&gpu, &kernel, &measurement, 1, &error), 0);
        CU_ASSERT_EQUAL(fake_launches(rows[r].script) - launches,
                        rows[r].timed == STATUS_OK && rows[r].status != STATUS_LAUNCH_ERROR);
        CU_ASSERT_EQUAL(measurement.status, rows[r].status);
        CU_ASSERT_EQUAL(measurement.verified, rows[r].verified);
        expect_start(measurement.message, rows[r].message);
        gpu_unload(&kernel);
    }
    test_gpu_close(&gpu);
}

/* Every compared element of a result counts in its checksum, wherever a run has left it, and no other element. */
static void sums(void)
{
    static const struct {
        uint32_t place; /* of the output */
        uint64_t ignored;
        uint32_t changed; /* buffer */
        size_t element;
        bool counts;
    } rows[] = {
        {TEST_OUT, 0, TEST_OUT, 0, true},     {TEST_OUT, 0, TEST_OUT, 999, true},    {TEST_OUT, 0, TEST_IN, 0, false},
        {TEST_OUT, 300, TEST_OUT, 699, true}, {TEST_OUT, 300, TEST_OUT, 700, false}, {TEST_IN, 0, TEST_IN, 5, true},
        {TEST_IN, 0, TEST_OUT, 5, false},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        const uint32_t places[] = {[TEST_IN] = TEST_IN, [TEST_OUT] = rows[i].place};
        struct error error = {0};
        uint64_t before = 0, after = 0;
        test_gpu_begin(&gpu, FILL_NONE);
        gpu.buffers[TEST_OUT].ignored = rows[i].ignored;
        memset(gpu.buffers[TEST_OUT].data, 0, gpu.buffers[TEST_OUT].bytes);
        CU_ASSERT_EQUAL(gpu_sum_results(&gpu, places, &before, &error), 0);
        gpu.buffers[rows[i].changed].data[rows[i].element * sizeof(float)] ^= 1;
        CU_ASSERT_EQUAL(gpu_sum_results(&gpu, places, &after, &error), 0);
        CU_ASSERT_EQUAL(before != after, rows[i].counts);
    }
    test_gpu_close(&gpu);
}

CU_TestInfo tests_verify[] = {{"expected files", expected_files},
                              {"scratch", scratch},
                              {"too much scratch", too_much_scratch},
                              {"reference's scratch", reference_scratch},
                              {"tolerance", tolerance},
                              {"special values", special_values},
                              {"own tolerances", own_tolerances},
                              {"memory around", memory_around},
                              {"copied guard", copied_guard},
                              {"after timing", after_timing},
                              {"sums", sums},
                              CU_TEST_INFO_NULL};
