/* The minimal options only change NVRTC's compile time, and the additional kernels of a cubin. */

#include <stdio.h>
#include <string.h>

#include "compile/minimal.h"
#include "compile_one.h"

#define KERNEL "extern \"C\" __global__ void k(float *o) { o[threadIdx.x] = TILE; }\n"

#define OTHER "extern \"C\" __global__ void other(float *o) { o[0] = 1; }\n"

/* An option without effect that mentions the minimal options, and so disables them. */
#define PLAIN "-Dno_minimal"

static struct request request_of(const char *source, const char *options, size_t count)
{
    struct request request = {.job = {.path = "folder/kernels.cu",
                                      .source = source,
                                      .name_expressions = "k",
                                      .name_count = 1,
                                      .options = options,
                                      .option_count = count},
                              .included = ""};
    size_t length = 0;
    for (size_t i = 0; i < count; i++)
        length += strlen(options + length) + 1;
    text_append(&request.all_options, "--gpu-architecture=sm_90\0-Ifolder", 34);
    text_printf(&request.all_options, "-I%s", TEST_CUDA_INCLUDE);
    text_append(&request.all_options, "", 1);
    text_append(&request.all_options, options, length);
    request.all_option_count = 3 + count;
    return request;
}

/* ---- Changes to a request ---- */

static const struct {
    const char *options;
    size_t count;
    bool minimal;
    const char *included, *source;
} requests[] = {
    {"-DTILE=3", 1, true, "", NULL},
    {"", 0, true, "", NULL},
    {"-DTILE=3\0-DTILE=4\0-UTILE", 3, true, "", NULL},
    /* Options that override. */
    {PLAIN, 1, false, "", NULL},
    {"--minimal", 1, false, "", NULL},
    {"--pre-include=x.h", 1, false, "", NULL},
    {"-DTILE=3\0--options-file=x", 2, false, "", NULL},
    /* Names that --minimal omits, also where only the preprocessor sees them. */
    {"", 0, false, NULL, NULL},
    {"", 0, true, "/* cudaTextureObject_t */ int x; // tex2D\n", NULL},
    {"", 0, true, "#define CUTOFF_X 3\nint CUR = CUTOFF_X, CU, CUX, texture, tex, text;\n", NULL},
    {"", 0, false, "float x = texCubemap<float>(map, 1, 2, 3);\n", NULL},
    {"", 0, false, "const CUtensorMap *map;\n", NULL},
    {"", 0, false, "int swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;\n", NULL},
    {"", 0, false, "#if 0\n#elif defined(cudaHostAllocDefault)\n#endif\n", NULL},
    {"", 0, false, "#define X(t) tex2D<float>(t, 1, 2)\n", NULL},
    {"", 0, false, "", "#ifdef __CUDACC_RTC_MINIMAL__\n#endif\n" KERNEL},
    {"", 0, false, "", "int x = MAJOR_VERSION;" KERNEL},
    {"", 0, true, "", "#ifdef __CUDACC__\n#endif\n#if __CUDA_ARCH__ > 800\n#endif\n" KERNEL},
    {"-DFETCH=tex1Dfetch", 1, false, "", NULL},
    {"-DFETCH=surf2Dread", 1, false, "", NULL},
};

static void requests_become_quick(void)
{
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        struct request request = request_of(KERNEL, requests[i].options, requests[i].count), quick;
        struct minimal minimal = {0};
        struct text alone = {0};
        request.job.source = requests[i].source ? requests[i].source : KERNEL;
        request.included = requests[i].included;
        request.included_count = 1;
        bool applied = minimal_apply(&minimal, &request, &quick, &alone);
        text_free(&alone);
        CU_ASSERT_EQUAL(applied, requests[i].minimal);
        CU_ASSERT_EQUAL(quick.all_option_count, request.all_option_count + applied);
        minimal_free(&quick);
        text_free(&request.all_options);
    }
}

/* Either may be the cause of a failure: --minimal, or omitting the other kernel. */
static void what_fails_is_left(void)
{
    static const struct {
        const char *source;
        const char *added[5]; /* beginnings of the options, after each failure */
    } rows[] = {{KERNEL, {"--minimal ", "", "", "", ""}},
                {KERNEL OTHER, {"--minimal alone ", "alone ", "--minimal ", "", ""}},
                {KERNEL OTHER "// other\n", {"--minimal alone ", "alone ", "--minimal ", "", ""}}};
    struct minimal minimal = {0};
    struct request request = request_of(KERNEL, "-DTILE=3", 1), quick;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t failures = 0; failures < 5; failures++) {
            struct text added = {0}, alone = {0};
            request.job.source = rows[i].source; /* each has its own history */
            CU_ASSERT_EQUAL(minimal_apply(&minimal, &request, &quick, &alone), *rows[i].added[failures] != '\0');
            const char *at = text_string(&quick.all_options);
            for (size_t k = 0; k < quick.all_option_count && quick.all_options.length; k++, at += strlen(at) + 1)
                if (k >= request.all_option_count)
                    text_printf(&added, "%s ", at);
            text_printf(&added, "%s", quick.job.source == alone.bytes ? "alone " : "");
            CU_ASSERT_STRING_EQUAL(text_string(&added), rows[i].added[failures]);
            text_free(&added);
            text_free(&alone);
            minimal_free(&quick);
            minimal_give_up(&minimal);
        }
    text_free(&request.all_options);
}

/* A job that requests all kernels does not prevent the next one from omitting some. */
static void jobs_of_one_source(void)
{
    struct minimal minimal = {0};
    struct request request = request_of(KERNEL OTHER, "-DTILE=3", 1), quick;
    for (size_t names = 2; names; names--) {
        request.job.name_expressions = "k\0other";
        request.job.name_count = names;
        struct text alone = {0};
        CU_ASSERT(minimal_apply(&minimal, &request, &quick, &alone));
        CU_ASSERT_EQUAL(quick.all_option_count, request.all_option_count + 1);
        CU_ASSERT_EQUAL(quick.job.source == alone.bytes, names == 1);
        text_free(&alone);
        minimal_free(&quick);
    }
    text_free(&request.all_options);
}

/* ---- Results ---- */

static const char *const sources[] = {
    KERNEL,
    "#include <cuda_pipeline.h>\n"
    "extern \"C\" __global__ void k(float *o, const float *i) { __shared__ float s[TILE];\n"
    "  __pipeline_memcpy_async(&s[threadIdx.x], &i[threadIdx.x], 4); __pipeline_commit(); __pipeline_wait_prior(0);\n"
    "  __syncthreads(); o[threadIdx.x] = s[TILE - 1 - threadIdx.x]; }\n",
    "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n"
    "static __device__ __half kept[TILE]; namespace { __constant__ float c[TILE]; }\n"
    "template <int N> __device__ __half f(__half x) { return N ? __hfma(x, x, f<N / 2>(x)) : x; }\n"
    "template <> __device__ __half f<0>(__half x) { return x; }\n"
    "extern \"C\" __global__ void k(float *o) { kept[threadIdx.x] = f<TILE>(kept[threadIdx.x]);\n"
    "  o[threadIdx.x] = __half2float(kept[0]) + c[threadIdx.x] + __LINE__; }\n",
    "extern \"C\" __global__ void k(float *o) { float *p = (float *)malloc(TILE); p[0] = o[1]; assert(o[2] > 0);\n"
    "  printf(\"%f\", o[3]); atomicAdd(o, p[threadIdx.x] + __shfl_sync(~0u, sinf(o[4]), 1)); }\n",
    /* Features that --minimal omits. */
    "extern \"C\" __global__ void k(float *o, cudaTextureObject_t t) { o[0] = tex2D<float>(t, 1.0f, TILE); }\n",
    "#include <cuda_fp16.h>\n"
    "extern \"C\" __global__ void k(float *o, cudaTextureObject_t t) { o[0] = tex2D<float>(t, 1.0f, TILE); }\n",
    /* Compile errors are the same as without the options. */
    "#include <cuda_fp16.h>\n\nextern \"C\" __global__ void k(float *o) { o[0] = missing; }\n",
    "#include <cuda_fp16.h>\n#if TILE == 32\n#error \"that one\"\n#endif\n" KERNEL,
    "#include <cuda_fp16.h>\n#warning \"a word\"\n" KERNEL,
};

static void describe(const struct compile_result *result, struct text *text)
{
    text_clear(text);
    text_printf(text, "%d %s\n%s\n%s\n%zu\n", (int)result->status, result->message, result->log,
                result->cubin ? result->lowered_names : "", result->cubin_bytes);
    if (result->cubin)
        text_append(text, result->cubin, result->cubin_bytes);
}

/* Equal byte for byte, messages included, whatever the process compiled before. */
static void the_machine_code_is_the_same(void)
{
    struct compile_pool *quick = NULL, *plain = NULL;
    struct text one = {0}, other = {0};
    CU_ASSERT_EQUAL_FATAL(compile_pool_open(&quick, 1, (int64_t)120 * 1000000000, NULL, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(compile_pool_open(&plain, 1, (int64_t)120 * 1000000000, NULL, NULL), 0);
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        for (int tile = 16; tile <= 64; tile *= 2) {
            char options[64];
            int length = snprintf(options, sizeof options, "-DTILE=%d", tile);
            memcpy(options + length + 1, PLAIN, sizeof PLAIN);
            struct compile_job job = {.path = "kernels.cu",
                                      .source = sources[i],
                                      .name_expressions = "k",
                                      .name_count = 1,
                                      .cc = 90,
                                      .options = options,
                                      .option_count = 1};
            struct compile_result result = compile_one(quick, &job);
            describe(&result, &one);
            job.option_count = 2;
            result = compile_one(plain, &job);
            describe(&result, &other);
            bool same = one.length == other.length && memcmp(one.bytes, other.bytes, one.length) == 0;
            if (!same)
                fprintf(stderr, "source %zu, TILE %d:\n%.300s\n----\n%.300s\n", i, tile, one.bytes, other.bytes);
            CU_ASSERT(same);
        }
    text_free(&one);
    text_free(&other);
    compile_pool_close(quick);
    compile_pool_close(plain);
}

CU_TestInfo tests_minimal[] = {{"requests become quick", requests_become_quick},
                               {"failed options are dropped", what_fails_is_left},
                               {"jobs of one source", jobs_of_one_source},
                               {"the machine code is the same", the_machine_code_is_the_same},
                               CU_TEST_INFO_NULL};
