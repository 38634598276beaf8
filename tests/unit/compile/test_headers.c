/* The headers that NVRTC lacks: their declarations, the precedence of files, and the cache's keys. */
#include "compile/headers.h"

#include <errno.h>

#include "../base/root.h"
#include "../unit.h"
#include "base/toolkit.h"
#include "cache_scratch.h"
#include "compile/cache_key.h"
#include "pool_kit.h"

/* A kernel with this body. */
#define IN_KERNEL(body) "extern \"C\" __global__ void k(float *o, int n) { float x = o[n]; (void)x; " body " }\n"
#define TRUE(condition) "static_assert(" condition ", \"\");\n"

static const struct row {
    const char *header, *use;
} rows[] = {
    {"cmath", IN_KERNEL("using namespace std; o[0] = sqrt(x) + pow(x, 2.0) + fmax(x, 1) + floor(n) + min(n, 3);")},
    {"cmath",
     IN_KERNEL(
         "o[0] = std::sqrt(n) + std::exp(x) + std::abs(x) + std::abs(n) + std::fma(x, x, x) + std::hypot(x, x);")},
    {"cmath", IN_KERNEL("o[0] = std::isnan(x) + std::isfinite(n) + std::isinf(1.0) + std::signbit(x) + std::lround(x) "
                        "+ std::fmod(n, n);")},
    {"cmath",
     TRUE("sizeof std::sqrt(1.0f) == 4 && sizeof std::sqrt(1) == 8 && sizeof std::pow(1.0f, 2.0) == 8 && "
          "sizeof std::atan2(1.0f, 1) == 8 && sizeof std::fmin(1, 2) == 8 && sizeof std::fmax(1.0f, 2.0f) == 4")
         KERNEL},
    {"cmath", "constexpr float a = INFINITY, b = NAN; constexpr double c = HUGE_VAL, d = M_PI;\n" TRUE(
                  "a > 3e38f && b != b && c > 1e308 && d > 3.14159 && d < 3.1416 && a == HUGE_VALF") KERNEL},
    {"cmath",
     TRUE("sizeof std::pow(1.0f, 2) == 8 && sizeof std::isnan(1.0f) == 1 && sizeof fma(1.0f, 2, 3.0f) == 8") IN_KERNEL(
         "using namespace std; o[0] = pow(x, x) + isnan(x) + isnan(n) + signbit(2.0) + pow(n, n) + pow(x, 2.0);")},
    {"cmath", "struct degrees { float v; __device__ operator float() const { return v; } };\n" IN_KERNEL(
                  "degrees d{x}; o[0] = std::sin(d) + std::pow(d, x) + std::isnan(d) + fmax(d, x);")},
    {"math.h", IN_KERNEL("o[0] = sqrtf(x) + sqrt(2) + M_PI_2 + isnan(x) + std::powf(x, 2) + INFINITY;")},
    {"cstdint",
     TRUE("sizeof(std::int8_t) == 1 && sizeof(std::uint16_t) == 2 && sizeof(int32_t) == 4 && sizeof(uint64_t) == 8 && "
          "sizeof(std::uintptr_t) == 8 && INT8_MIN == -128 && UINT16_MAX == 65535 && INT32_MIN < 0 && SIZE_MAX > 0 && "
          "sizeof UINT64_C(1) == 8 && INT64_MAX == 9223372036854775807 && UINT64_MAX == 18446744073709551615ULL")
         KERNEL},
    {"stdint.h",
     IN_KERNEL("uint64_t a = UINT32_MAX; int_fast16_t b = INT16_MAX; o[0] = a + b + (uintptr_t)o + INT64_C(1);")},
    {"cstddef", "struct s { char a; double b; };\n" TRUE("offsetof(s, b) == 8 && sizeof(std::size_t) == 8 && "
                                                         "alignof(std::max_align_t) == 16")
                    IN_KERNEL("std::ptrdiff_t d = o - o; std::nullptr_t p = NULL ? nullptr : nullptr; std::byte b{1}; "
                              "o[d] = !p + (int)b;")},
    {"cstddef", TRUE("sizeof NULL == 8") IN_KERNEL("int *p = NULL; o[0] = p == NULL && NULL == o;")},
    {"stdint.h",
     "#if INT64_C(1) > 0 && UINT32_C(2) > 1 && INT_FAST16_MAX > INT32_MAX\n" IN_KERNEL(
         "int_fast16_t a = 1; std::uint_fast32_t b = 2; ::int_fast32_t c = 3; o[0] = a + b + c;") "#endif\n"},
    {"stddef.h", IN_KERNEL("size_t s = offsetof(dim3, y); ptrdiff_t d = 1; nullptr_t p = nullptr; o[d] = s + !p;")},
    {"cstdio", IN_KERNEL("std::printf(\"%d\", n); printf(\"%f\", x); std::size_t s = 1; o[s] = 0;")},
    {"stdio.h", IN_KERNEL("printf(\"%d\\n\", n);")},
    {"cassert", IN_KERNEL("assert(n > 0); assert((n, x > 0)); o[0] = 1;")},
    {"assert.h", "#define NDEBUG\n#include <assert.h>\n" IN_KERNEL("assert(undeclared); o[0] = 1;")},
    {"assert.h", "#define NDEBUG\n#include <assert.h>\n#undef NDEBUG\n#include <cassert>\n" IN_KERNEL("assert(n);")},
    {"type_traits", TRUE("std::is_same_v<std::remove_cv_t<const volatile int>, int> && "
                         "std::is_same<std::remove_reference_t<int &&>, int>::value && "
                         "!std::is_same_v<int, long> && std::is_integral_v<const char> && !std::is_integral<float>() "
                         "&& std::is_floating_point_v<double> && "
                         "std::is_signed_v<int> && !std::is_signed_v<unsigned> && std::is_unsigned_v<bool> && "
                         "std::is_pointer_v<int *const>") KERNEL},
    {"type_traits",
     TRUE("std::is_same_v<std::conditional_t<true, int, float>, int> && std::is_same_v<std::decay_t<const int[3]>, "
          "const int *> && "
          "std::is_same_v<std::decay_t<int (&)(float)>, int (*)(float)> && std::is_same_v<std::common_type_t<int, "
          "float, char>, float> && "
          "std::is_same_v<std::make_unsigned_t<long>, unsigned long> && "
          "std::is_same_v<std::add_lvalue_reference_t<void>, void> && "
          "std::is_same_v<std::add_pointer_t<int &>, int *> && std::is_array_v<int[2]> && std::is_function_v<int(int)>")
         KERNEL},
    {"type_traits",
     "enum class e : short { a }; struct b {}; struct d : b {};\n" TRUE(
         "std::is_same_v<std::underlying_type_t<e>, short> && std::is_base_of_v<b, d> && std::is_convertible_v<d *, b "
         "*> && "
         "!std::is_convertible_v<b *, d *> && std::is_enum_v<e> && std::is_class_v<b> && std::is_empty_v<b> && "
         "std::is_trivially_copyable_v<dim3> && std::is_constructible_v<dim3, int> && "
         "std::conjunction_v<std::true_type, std::negation<std::false_type>> && "
         "!std::disjunction_v<std::false_type> && std::rank_v<int[2][3]> == 2 && std::is_void_v<std::void_t<int>> && "
         "std::is_same_v<std::invoke_result_t<int (*)(float), float>, int> && std::integral_constant<int, 3>() == 3")
         KERNEL},
    {"type_traits",
     "template <class T, std::enable_if_t<std::is_floating_point_v<T>, int> = 0> __device__ T f(T a) { return a; }\n"
     "template <class T, typename std::enable_if<std::is_integral<T>::value>::type * = nullptr> __device__ T f(T a) { "
     "return -a; }\n" IN_KERNEL("o[0] = f(x) + f(n);")},
    {"limits",
     TRUE("std::numeric_limits<int>::max() == 2147483647 && std::numeric_limits<int>::min() == -2147483647 - 1 && "
          "std::numeric_limits<unsigned>::max() == ~0u && std::numeric_limits<long long>::lowest() < 0 && "
          "std::numeric_limits<unsigned char>::max() == 255 && std::numeric_limits<short>::min() == -32768 && "
          "std::numeric_limits<bool>::max() && "
          "std::numeric_limits<unsigned long>::max() == ~0ul && std::numeric_limits<char>::digits == 7 && "
          "std::numeric_limits<long>::digits10 == 18") KERNEL},
    {"limits",
     TRUE("std::numeric_limits<float>::infinity() > std::numeric_limits<float>::max() && "
          "std::numeric_limits<double>::lowest() < -1e308 && "
          "std::numeric_limits<float>::quiet_NaN() != 0 && std::numeric_limits<float>::digits == 24 && "
          "std::numeric_limits<double>::max_exponent == 1024 && "
          "1 + std::numeric_limits<double>::epsilon() > 1 && 1 + std::numeric_limits<double>::epsilon() / 2 == 1 && "
          "std::numeric_limits<float>::min_exponent == -125 && std::numeric_limits<const float>::is_iec559 && "
          "std::numeric_limits<int>::is_integer && !std::numeric_limits<dim3>::is_specialized && "
          "std::numeric_limits<double>::denorm_min() > 0") KERNEL},
    {"climits",
     TRUE("CHAR_BIT == 8 && INT_MIN == -2147483647 - 1 && INT_MAX == 2147483647 && UINT_MAX == ~0u && LLONG_MIN < 0 && "
          "LONG_MAX == ~0ul >> 1 && "
          "SHRT_MIN == -32768 && USHRT_MAX == 65535 && UCHAR_MAX == 255 && CHAR_MIN == -128 && ULLONG_MAX == ~0ull")
         KERNEL},
    {"limits.h", TRUE("INT_MAX == 2147483647 && ULONG_MAX == ~0ul") KERNEL},
    {"cfloat", TRUE("FLT_MAX > 3.4e38f && FLT_MAX + 0 == FLT_MAX && 1 + FLT_EPSILON > 1 && DBL_MAX > 1.7e308 && "
                    "DBL_MIN > 0 && FLT_DIG == 6 && DBL_MANT_DIG == 53 && "
                    "FLT_TRUE_MIN > 0 && FLT_MIN_EXP == -125") KERNEL},
    {"float.h", IN_KERNEL("o[0] = x < FLT_MIN ? FLT_MAX : DBL_EPSILON;")},
    {"utility", "template <std::size_t... i> __device__ int sum(std::index_sequence<i...>) { return (0 + ... + "
                "(int)i); }\n" IN_KERNEL("std::pair<int, float> p = std::make_pair(n, x), q{1, 2.0f}; std::swap(p, q); "
                                         "int a[2] = {1, 2}, b[2] = {3, 4}; std::swap(a, b);"
                                         "o[0] = std::move(p).first + std::forward<float>(x) + std::exchange(n, 1) + "
                                         "(p < q) + sum(std::make_index_sequence<200>()) + a[0];")},
    {"utility", "using s = std::make_integer_sequence<int, 5>;\n" TRUE(
                    "s::size() == 5 && std::index_sequence_for<int, float>::size() == 2 && "
                    "std::pair<int, int>(1, 2) < std::pair<int, int>(1, 3) && std::pair<int, int>(1, 2) == "
                    "std::pair<int, int>(1, 2)") KERNEL},
    {"algorithm", IN_KERNEL("using std::max; o[0] = std::min(x, 1.0f) + max(n, 2) + std::max<float>(x, 1) + "
                            "std::clamp(n, 1, 5) + std::min({n, 2, 3}); std::swap(o[0], o[1]);")},
    {"algorithm",
     "struct greater { __host__ __device__ constexpr bool operator()(int a, int b) const { return a > b; } };\n" TRUE(
         "std::min(1, 2) == 1 && std::max(1, 2) == 2 && std::min(1, 2, greater()) == 2 && std::clamp(7, 1, 5) == 5 && "
         "std::clamp(0, 1, 5) == 1 && "
         "std::max({1, 3, 2}) == 3") KERNEL},
    {"cuda.h", TRUE("sizeof(CUtensorMap) == 128 && alignof(CUtensorMap) == (__CUDACC_VER_MAJOR__ < 13 ? 64 : 128) && "
                    "CUDA_VERSION >= 12000") "extern \"C\" __global__ "
                                             "void k(const "
                                             "__grid_constant__ "
                                             "CUtensorMap map, char "
                                             "*o) { o[0] = ((const "
                                             "char "
                                             "*)&map)[threadIdx.x]; "
                                             "}\n"},
};

static const char *const names[] = {"algorithm", "assert.h", "cassert", "cfloat",      "climits", "cmath",    "cstddef",
                                    "cstdint",   "cstdio",   "cuda.h",  "float.h",     "limits",  "limits.h", "math.h",
                                    "stddef.h",  "stdint.h", "stdio.h", "type_traits", "utility"};

enum { NAME_COUNT = sizeof names / sizeof *names };

/* Each header alone declares its names. */
static void names_are_declared(void)
{
    struct compile_pool *pool = open_pool(1, 120 * second_ns);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text source = {0};
        text_printf(&source, "#include <%s>\n%s", rows[i].header, rows[i].use);
        struct compile_job job = job_of(source.bytes, "k");
        expect_ok(pool, &job);
        text_free(&source);
    }
    compile_pool_close(pool);
}

static void include_all(struct text *source)
{
    for (size_t i = 0; i < NAME_COUNT; i++)
        text_printf(source, "#include <%s>\n", names[i]);
}

/* Every row has a header of the list, and every name of the list has a header and a row. */
static void every_header_has_a_row(void)
{
    for (size_t i = 0; i < NAME_COUNT; i++) {
        bool found = false;
        for (size_t j = 0; j < sizeof rows / sizeof *rows; j++)
            found |= strcmp(rows[j].header, names[i]) == 0;
        CU_ASSERT(found);
        CU_ASSERT(headers_bit(names[i]) != 0);
    }
    const char *offered[HEADERS_MAX], *texts[HEADERS_MAX];
    size_t count = headers_offer(0, offered, texts), named = 0;
    for (size_t i = 0; i < count; i++)
        named += !strchr(offered[i], '/');
    CU_ASSERT_EQUAL(named, NAME_COUNT);
    CU_ASSERT_EQUAL(headers_bit("vector"), 0);
    CU_ASSERT_EQUAL(headers_offer(headers_bit("cmath") | headers_bit("cuda.h"), offered, texts), count - 2);
    for (size_t i = 0; i < count - 2; i++)
        CU_ASSERT(strcmp(offered[i], "cmath") != 0 && strcmp(offered[i], "cuda.h") != 0);
}

/* Parameters are macros: no header uses a name that a parameter may have. */
static void macros_of_one_letter_do_no_harm(void)
{
    struct compile_pool *pool = open_pool(1, 120 * second_ns);
    struct text source = {0};
    for (char c = 'A'; c <= 'z'; c++)
        if (c <= 'Z' || c >= 'a')
            text_printf(&source, "#define %c 5\n", c);
    include_all(&source);
    text_printf(&source, "extern \"C\" __global__ void kernel() {}\n");
    const struct compile_job job = job_of(source.bytes, "kernel");
    expect_ok(pool, &job);
    text_free(&source);
    compile_pool_close(pool);
}

/* NVIDIA's own headers, before and after cutune's. */
static void headers_of_the_toolkit_stay_whole(void)
{
    static const struct {
        const char *name, *use;
    } theirs[] = {
        {"math_constants.h", "o[0] = CUDART_INF_F;"},
        {"cuda_fp16.h", "o[0] = __half2float(__float2half(1.0f));"},
        {"cuda_pipeline.h", "__pipeline_commit();"},
        {"cooperative_groups.h", "cooperative_groups::this_thread_block().sync();"},
        {"mma.h", "nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> f; (void)f;"},
        {"cuda/barrier", "using b = cuda::barrier<cuda::thread_scope_block>; o[0] = sizeof(b);"},
        {"cuda/std/cstdint", "cuda::std::uint64_t v = 1; o[0] = v;"},
        {"cuda/std/cmath", "o[0] = cuda::std::sqrt(o[1]) + INFINITY + NAN;"},
        {"cub/warp/warp_reduce.cuh",
         "__shared__ cub::WarpReduce<float>::TempStorage s; o[0] = cub::WarpReduce<float>(s).Sum(o[1]);"},
        {"cub/block/block_reduce.cuh",
         "__shared__ cub::BlockReduce<float, 64>::TempStorage s; o[0] = cub::BlockReduce<float, 64>(s).Sum(o[1]);"},
    };
    struct compile_pool *pool = open_pool(1, 120 * second_ns);
    for (int before = 0; before < 2; before++) {
        struct text source = {0};
        if (!before)
            include_all(&source);
        for (size_t i = 0; i < sizeof theirs / sizeof *theirs; i++)
            text_printf(&source, "#include <%s>\n", theirs[i].name);
        if (before)
            include_all(&source);
        text_printf(&source, "extern \"C\" __global__ void k(float *o) { uint64_t u = std::sqrt(o[2]); o[2] = u + "
                             "std::numeric_limits<float>::max();\n");
        for (size_t i = 0; i < sizeof theirs / sizeof *theirs; i++)
            text_printf(&source, "{ %s }\n", theirs[i].use);
        text_printf(&source, "}\n");
        const struct compile_job job = job_of(source.bytes, "k");
        expect_ok(pool, &job);
        text_free(&source);
    }
    compile_pool_close(pool);
}

/* True if the toolkit has the header. */
static bool is_installed(const char *name)
{
    struct text folders = {0};
    size_t count = 0;
    bool found = false;
    toolkit_folders(&folders, &count);
    const char *at = text_string(&folders);
    for (size_t i = 0; i < count && !found; i++, at += strlen(at) + 1) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", at, name);
        found = access(path, R_OK) == 0;
    }
    text_free(&folders);
    return found;
}

/* Other headers of CUDA and CUB that kernels use, unchanged. CUB's device headers are code of the host. */
static void headers_of_the_toolkit_work(void)
{
    static const struct {
        const char *name, *use;
        bool host;
    } theirs[] = {
        {"cub/warp/warp_scan.cuh",
         "__shared__ cub::WarpScan<float>::TempStorage s; cub::WarpScan<float>(s).InclusiveSum(o[1], o[0]);", false},
        {"cub/block/block_scan.cuh",
         "__shared__ cub::BlockScan<float, 64>::TempStorage s; cub::BlockScan<float, 64>(s).ExclusiveSum(o[1], o[0]);",
         false},
        {"cub/block/block_load.cuh",
         "float v[4]; using l = cub::BlockLoad<float, 64, 4>; __shared__ l::TempStorage s; l(s).Load(o, v); o[0] = "
         "v[3];",
         false},
        {"cooperative_groups/reduce.h",
         "auto w = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());\n"
         "o[0] = cooperative_groups::reduce(w, o[1], cooperative_groups::plus<float>());",
         false},
        {"cuda_bf16.h", "o[0] = __bfloat162float(__float2bfloat16(o[1]));", false},
        {"mma.h",
         "nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, __half, nvcuda::wmma::row_major> f; (void)f;",
         false},
        {"cuda/barrier", "__shared__ cuda::barrier<cuda::thread_scope_block> b; init(&b, 1); b.arrive_and_wait();",
         false},
        {"cuda/pipeline", "auto p = cuda::make_pipeline(); p.producer_acquire(); p.producer_commit();", false},
        {"cuda/atomic", "cuda::atomic_ref<float, cuda::thread_scope_device>(o[0]).fetch_add(1.0f);", false},
        {"curand_kernel.h", "curandStatePhilox4_32_10_t s; curand_init(1, 2, 3, &s); o[0] = curand_uniform(&s);",
         false},
        {"cub/device/device_reduce.cuh", "o[0] = 1;", true},
        {"cub/cub.cuh", "o[0] = 1;", true},
    };
    struct compile_pool *pool = open_pool(1, 120 * second_ns);
    for (size_t i = 0; i < sizeof theirs / sizeof *theirs; i++) {
        struct text source = {0};
        if (!is_installed(theirs[i].name)) {
            printf("not checked, because the toolkit has no %s\n", theirs[i].name);
            continue;
        }
        text_printf(&source, "#include <%s>\nextern \"C\" __global__ void k(float *o) { %s }\n", theirs[i].name,
                    theirs[i].use);
        struct compile_job job = job_of(source.bytes, "k");
        if (theirs[i].host) {
            struct compile_result result = compile_one(pool, &job);
            CU_ASSERT_EQUAL(result.status, STATUS_COMPILE_ERROR);
            CU_ASSERT_PTR_NOT_NULL(strstr(result.log, "A function explicitly marked as a __host__ function"));
        } else {
            expect_ok(pool, &job);
        }
        text_free(&source);
    }
    compile_pool_close(pool);
}

/* ---- Files of the user's ---- */

static const char *const folders[] = {"src", "src/sub", "include"};

static void put(const char *path, const char *text)
{
    write_bytes(path, text, strlen(text));
}

/* A file of the user's comes first wherever NVRTC looks for it, quoted or not, and with a macro in between. */
static void files_come_first(void)
{
    static const struct {
        const char *file, *source;
    } own[] = {{"src/cmath", "#include <cmath>\n"},
               {"src/cmath", "#include \"cmath\"\n"},
               {"src/cuda.h", "#include <cuda.h>\n"},
               {"include/float.h", "#include <float.h>\n"},
               {"src/sub/math.h", "#include \"sub/inner.h\"\n"},
               {"src/limits", "#define NAME <limits>\n#include NAME\n"},
               {"src/assert.h", "#if __has_include(<assert.h>)\n#include <assert.h>\n#endif\n"}};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        for (int cached = 0; cached < 2; cached++) {
            struct compile_cache cache = {0};
            struct compile_pool *pool = NULL;
            struct text source = {0};
            struct error error = {0};
            root_enter(folders, sizeof folders / sizeof *folders);
            put(own[i].file, "#define OWN 1\n");
            put("src/sub/inner.h", "#include \"math.h\"\n");
            text_printf(&source, "%s#ifndef OWN\n#error another file\n#endif\n" KERNEL, own[i].source);
            struct compile_job job = job_of(source.bytes, "k");
            job.path = "src/k.cu";
            job.options = "-Iinclude";
            job.option_count = 1;
            if (cached)
                cache = new_cache();
            CU_ASSERT_EQUAL_FATAL(compile_pool_open(&pool, 1, 120 * second_ns, cached ? &cache : NULL, &error), 0);
            expect_ok(pool, &job);
            /* Without the file, the same question gets cutune's header in the same process. */
            CU_ASSERT_EQUAL(unlink(own[i].file), 0);
            struct compile_result result = compile_one(pool, &job);
            CU_ASSERT_EQUAL(result.status, STATUS_COMPILE_ERROR);
            CU_ASSERT_PTR_NOT_NULL(strstr(result.message, "another file"));
            compile_pool_close(pool);
            if (cached)
                remove_folder(cache.folder);
            text_free(&source);
            root_leave();
        }
}

/* The cache's keys depend on the headers that NVRTC may see. */
static void the_digest_names_what_is_seen(void)
{
    struct text all = {0}, fewer = {0};
    headers_digest(0, &all);
    headers_digest(headers_bit("cmath"), &fewer);
    CU_ASSERT_PTR_NOT_NULL(strstr(text_string(&all), "cmath "));
    CU_ASSERT_PTR_NULL(strstr(text_string(&fewer), "cmath "));
    CU_ASSERT_PTR_NOT_NULL(strstr(text_string(&fewer), "math.h "));
    text_free(&all);
    text_free(&fewer);
    char key[2][HASH_HEX_BYTES];
    for (int i = 0; i < 2; i++) {
        struct include_cache include_cache = {0};
        struct request request = {.job = job_of(KERNEL, "k"), .hidden_headers = i ? headers_bit("cmath") : 0};
        text_append(&request.all_options, "-Inowhere", sizeof "-Inowhere");
        request.all_option_count = 1;
        CU_ASSERT(cache_key_of(&request, "a compiler", &include_cache, false, key[i]));
        text_free(&request.all_options);
        include_cache_free(&include_cache);
    }
    CU_ASSERT_STRING_NOT_EQUAL(key[0], key[1]);
}

CU_TestInfo tests_headers[] = {{"the names of each header are declared", names_are_declared},
                               {"every header has a row", every_header_has_a_row},
                               {"macros of one letter do no harm", macros_of_one_letter_do_no_harm},
                               {BY_COMPILERS "the toolkit's headers stay whole", headers_of_the_toolkit_stay_whole},
                               {BY_COMPILERS "the toolkit's headers work", headers_of_the_toolkit_work},
                               {"files of the user's come first", files_come_first},
                               {"the digest names the visible headers", the_digest_names_what_is_seen},
                               CU_TEST_INFO_NULL};
