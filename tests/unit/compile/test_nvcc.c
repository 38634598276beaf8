/* nvcc itself, through the pool and the cache. Skipped without an nvcc. */
#include "compile/nvcc.h"

#include <dirent.h>
#include <elf.h>
#include <fcntl.h>

#include "../unit.h"
#include "cache_scratch.h"
#include "pool_kit.h"

const char *suite_lacks(const char *suite)
{
    struct text path = {0};
    bool missing = nvcc_find(&path, NULL);
    text_free(&path);
    return missing && strcmp(suite, "nvcc") == 0 ? "no nvcc" : NULL;
}

/* A typical file with host code. */
#define HOST                                                                                                           \
    "#include <cmath>\n#include <iostream>\n#include <vector>\n"                                                       \
    "extern \"C\" __global__ void plain(float *p) { p[threadIdx.x] = std::sqrt(2.0f) * p[0]; }\n"                      \
    "static __global__ void hidden(float *p) { *p = TILE; }\n"                                                         \
    "namespace { __global__ void nameless(float *p) { *p = 3 * TILE; } }\n"                                            \
    "namespace ns { template <int N, typename T> __global__ void grown(T *p) { for (int i = 0; i < N; i++) p[i] = N; " \
    "} }\n"                                                                                                            \
    "template <int N> static __global__ void hidden_grown(double *p, long n) { p[n] = N; }\n"                          \
    "int main() { std::vector<float> v(8); plain<<<1, 8>>>(v.data()); std::cout << v[0]; }\n"

static struct compile_job nvcc_job(const char *source, const char *names, size_t name_count)
{
    struct compile_job job = job_of(source, names);
    job.nvcc = true;
    job.name_count = name_count;
    job.options = "-DTILE=32";
    job.option_count = 1;
    return job;
}

static void expect_message(const struct compile_result *result, enum status status, const char *message)
{
    bool good = result->status == status && strncmp(result->message, message, strlen(message)) == 0;
    if (!good)
        fprintf(stderr, "status %d, '%s', not '%s'\n%s\n", result->status, result->message, message, result->log);
    CU_ASSERT(good);
}

/* The runtime finds kernels that are global symbols. */
static bool is_global(const struct compile_result *result, const char *name)
{
    const char *bytes = result->cubin;
    Elf64_Ehdr header;
    memcpy(&header, bytes, sizeof header);
    for (size_t s = 0; s < header.e_shnum; s++) {
        Elf64_Shdr section, strings;
        memcpy(&section, bytes + header.e_shoff + s * sizeof section, sizeof section);
        if (section.sh_type != SHT_SYMTAB)
            continue;
        memcpy(&strings, bytes + header.e_shoff + section.sh_link * sizeof strings, sizeof strings);
        for (size_t i = 0; i < section.sh_size / sizeof(Elf64_Sym); i++) {
            Elf64_Sym symbol;
            memcpy(&symbol, bytes + section.sh_offset + i * sizeof symbol, sizeof symbol);
            if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && ELF64_ST_BIND(symbol.st_info) == STB_GLOBAL &&
                strcmp(bytes + strings.sh_offset + symbol.st_name, name) == 0)
                return true;
        }
    }
    return false;
}

/* Includes kernels without external linkage, and instances that the file does not launch. */
static void every_kernel_is_found(void)
{
    static const char names[] = "plain\0hidden\0nameless\0ns::grown<TILE, double>\0hidden_grown<2 * TILE>\0&plain";
    static const char *const parts[] = {"plain", "hidden", "nameless", "5grownILi32Ed", "12hidden_grownILi64E",
                                        "plain"};
    struct compile_pool *pool = open_pool(1, 120 * second_ns);
    const struct compile_job job = nvcc_job(HOST, names, sizeof parts / sizeof *parts);
    const struct compile_result result = compile_one(pool, &job);
    expect_message(&result, STATUS_OK, "");
    CU_ASSERT_EQUAL_FATAL(result.name_count, job.name_count);
    const char *name = result.lowered_names;
    for (size_t i = 0; i < result.name_count; i++, name += strlen(name) + 1) {
        struct kernel_parameters parameters;
        CU_ASSERT_PTR_NOT_NULL(strstr(name, parts[i]));
        CU_ASSERT(result.resources[i].registers > 0);
        CU_ASSERT(is_global(&result, name));
        CU_ASSERT_EQUAL(cubin_parameters(result.cubin, result.cubin_bytes, name, &parameters, NULL), 0);
        CU_ASSERT(parameters.known && parameters.count == (i == 4 ? 2 : 1));
    }
    compile_pool_close(pool);
}

/* Configurations with the same machine code are measured once, so it must not depend on temporary names. */
static void the_same_code_is_the_same_cubin(void)
{
    struct compile_pool *pool = open_pool(1, 120 * second_ns);
    struct text first = {0};
    struct compile_job job =
        nvcc_job(HOST "static __device__ float sum;\n__global__ void adds() { sum += TILE; }\n", "nameless\0adds", 2);
    struct compile_result result = compile_one(pool, &job);
    expect_message(&result, STATUS_OK, "");
    text_append(&first, result.cubin, result.cubin_bytes);
    job.options = "-DTILE=(16+16)";
    result = compile_one(pool, &job);
    CU_ASSERT_EQUAL(result.cubin_bytes, first.length);
    CU_ASSERT(result.cubin_bytes == first.length && memcmp(result.cubin, first.bytes, first.length) == 0);
    text_free(&first);
    compile_pool_close(pool);
}

static void refusals_have_reasons(void)
{
    static const struct {
        const char *source, *names;
        size_t name_count;
        const char *option;
        enum status status;
        const char *message;
    } rows[] = {
        {HOST "__global__ void k() {\n x = 1; }\n", "plain", 1, "-DTILE=1", STATUS_COMPILE_ERROR,
         "kernels.cu(11): error: identifier \"x\" is undefined"},
        {"#include \"missing.h\"\n" HOST, "plain", 1, "-DTILE=1", STATUS_COMPILE_ERROR,
         "kernels.cu:1:10: fatal error: missing.h: No such file"},
        {HOST, "plain\0ns::grown<1, float>\0other", 3, "-DTILE=1", STATUS_COMPILE_ERROR,
         "kernel 'other' in kernels.cu: identifier \"other\" is undefined"},
        {HOST, "plain\0ns::grown<Q, float>", 2, "-DTILE=1", STATUS_COMPILE_ERROR,
         "kernel 'ns::grown<Q, float>' in kernels.cu: identifier \"Q\" is undefined"},
        {HOST "__device__ void f() {}\n", "f", 1, "-DTILE=1", STATUS_COMPILE_ERROR, "the cubin has no kernel '_Z1fv'"},
        {HOST "int f() { return 0; }\n", "f", 1, "-DTILE=1", STATUS_COMPILE_ERROR, "kernel 'f' in kernels.cu: "},
        {HOST, "plain", 1, "--minimal", STATUS_COMPILE_ERROR, "nvcc fatal   : Unknown option '--minimal'"},
        {HOST "__global__ void k(char *o) { __shared__ char s[240000]; s[threadIdx.x] = o[0]; __syncthreads(); o[0] = "
              "s[threadIdx.x + 1]; }\n",
         "k", 1, "-DTILE=1", STATUS_PRUNED_LIMIT, "Entry function '_Z1kPc' uses too much shared data (0x3a980 bytes,"},
        {HOST "__global__ void k(int *o) { asm(\"bogus.u32 %0;\" :: \"r\"(1)); }\n", "k", 1, "-DTILE=1",
         STATUS_COMPILE_ERROR, "ptxas kernel.ptx, line "},
    };
    struct compile_pool *pool = open_pool(1, 120 * second_ns);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct compile_job job = nvcc_job(rows[i].source, rows[i].names, rows[i].name_count);
        job.options = rows[i].option;
        struct compile_result result = compile_one(pool, &job);
        expect_message(&result, rows[i].status, rows[i].message);
        CU_ASSERT_PTR_NULL(strstr(result.log, "/cutune-"));
    }
    compile_pool_close(pool);
}

static void options_are_those_of_nvcc(void)
{
    static const struct {
        const char *options;
        size_t count;
        const char *source;
    } rows[] = {
        {"", 0,
         "static_assert(__cplusplus == 201703L);\n#ifndef __CUDACC__\n#error\n#endif\n"
         "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ != 900\n#error\n#endif\n"},
        {"-std=c++20\0-lineinfo", 2, "static_assert(__cplusplus == 202002L);\n"},
        {"--std=c++14\0-G", 2, "static_assert(__cplusplus == 201402L, \"\");\n"},
        {"-maxrregcount=64\0-use_fast_math\0--expt-relaxed-constexpr\0-Xptxas=-dlcm=cg\0-Xcompiler=-Wall", 5, ""},
        {"-include=cstdio\0-DA=1\0-UB", 3, "static_assert(A == 1 && sizeof printf);\n"},
    };
    struct compile_pool *pool = open_pool(1, 120 * second_ns);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text source = {0};
        text_printf(&source, "%s" KERNEL, rows[i].source);
        struct compile_job job = nvcc_job(text_string(&source), "k", 1);
        job.options = rows[i].options;
        job.option_count = rows[i].count;
        const struct compile_result result = compile_one(pool, &job);
        expect_message(&result, STATUS_OK, "");
        text_free(&source);
    }
    compile_pool_close(pool);
}

/* ---- The cache ---- */

/* Compiles in a new process, which remembers no files. The result's texts are invalid. */
static struct compile_result cached_one(const struct compile_cache *cache, const struct compile_job *job, bool cached)
{
    struct compile_pool *pool = NULL;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(compile_pool_open(&pool, 1, 120 * second_ns, cache, &error), 0);
    struct compile_result result = compile_one(pool, job);
    if (result.cached != cached)
        fprintf(stderr, "'%s'%s cached\n%s\n", job->options, cached ? " not" : "", result.log);
    CU_ASSERT_EQUAL(result.cached, cached);
    result.log = "";
    compile_pool_close(pool);
    return result;
}

static void put(const char *folder, const char *name, const char *text)
{
    char path[CACHE_FOLDER_BYTES + 64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    write_bytes(path, text, strlen(text));
    /* Compilations are cached only if all files that they read are older. */
    const struct timespec times[2] = {{.tv_sec = 1000000000 + (int)strlen(text)},
                                      {.tv_sec = 1000000000 + (int)strlen(text)}};
    CU_ASSERT_EQUAL(utimensat(AT_FDCWD, path, times, 0), 0);
}

/* cutune does not search the folders of CPATH: nvcc reports the files that it found there. */
static void nothing_is_compiled_twice(void)
{
    struct compile_cache cache = new_cache();
    char path[CACHE_FOLDER_BYTES + 32], folder[CACHE_FOLDER_BYTES + 32];
    snprintf(path, sizeof path, "%s/kernels.cu", cache.folder);
    put(cache.folder, "near.h", "#define NEAR 1\n");
    snprintf(folder, sizeof folder, "%s/system", cache.folder);
    CU_ASSERT_EQUAL(setenv("CPATH", folder, 1), 0);
    CU_ASSERT_EQUAL_FATAL(mkdir(folder, 0700), 0);
    put(cache.folder, "system/far.h", "#define FAR 1\n");
    struct compile_job job =
        nvcc_job("#include \"near.h\"\n#include <far.h>\n" HOST "__global__ void k(int *o) { *o = NEAR + FAR; }\n",
                 "k\0hidden", 2);
    job.path = path;
    cached_one(&cache, &job, false);
    struct compile_result result = cached_one(&cache, &job, true);
    expect_message(&result, STATUS_OK, "");
    CU_ASSERT_EQUAL(result.name_count, 2);
    put(cache.folder, "near.h", "#define NEAR 20\n");
    cached_one(&cache, &job, false);
    cached_one(&cache, &job, true);
    put(cache.folder, "system/far.h", "#define FAR 300\n");
    cached_one(&cache, &job, false);
    cached_one(&cache, &job, true);
    setenv("NVCC_APPEND_FLAGS", "-lineinfo", 1);
    cached_one(&cache, &job, false);
    unsetenv("NVCC_APPEND_FLAGS");
    cached_one(&cache, &job, true);
    /* Errors of the source are cached; a missing file may appear. */
    job.name_expressions = "other\0hidden";
    cached_one(&cache, &job, false);
    result = cached_one(&cache, &job, true);
    expect_message(&result, STATUS_COMPILE_ERROR, "kernel 'other' in ");
    job.source = "#include <missing.h>\n" HOST;
    cached_one(&cache, &job, false);
    cached_one(&cache, &job, false);
    /* Read within a clock tick after its last change, or dated in the future: a further change could go unnoticed. */
    job.source = "#include \"near.h\"\n" HOST "__global__ void other() {}";
    snprintf(path, sizeof path, "%s/near.h", cache.folder);
    CU_ASSERT_EQUAL(
        utimensat(AT_FDCWD, path, (const struct timespec[]){{.tv_sec = 4000000000}, {.tv_sec = 4000000000}}, 0), 0);
    snprintf(path, sizeof path, "%s/kernels.cu", cache.folder);
    cached_one(&cache, &job, false);
    cached_one(&cache, &job, false);
    unsetenv("CPATH");
    remove_folder(cache.folder);
}

/* ---- Processes ---- */

static size_t files_in(const char *path)
{
    DIR *folder = opendir(path);
    size_t count = 0;
    for (struct dirent *item; folder && (item = readdir(folder));)
        count += item->d_name[0] != '.';
    if (folder)
        closedir(folder);
    return count;
}

/* All processes of nvcc are killed with it, and no file is left. */
static void the_time_limit_ends_all(void)
{
    static const char endless[] =
        "template <int D, long K> struct tree { static constexpr long v = tree<D - 1, 2 * K>::v "
        "+ tree<D - 1, 2 * K + 1>::v; };\n"
        "template <long K> struct tree<0, K> { static constexpr long v = K; };\n"
        "__global__ void k(long *o) { o[0] = tree<40, 1>::v; }\n";
    char folder[] = "/tmp/cutune-test-XXXXXX";
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    char *before = getenv("TMPDIR") ? strdup(getenv("TMPDIR")) : NULL;
    setenv("TMPDIR", folder, 1);
    struct compile_pool *pool = open_pool(1, 120 * second_ns);
    struct compile_job job = nvcc_job(endless, "k", 1);
    job.timeout_ns = 4 * second_ns;
    const struct compile_result result = compile_one(pool, &job);
    expect_message(&result, STATUS_TIMEOUT, "compiling took longer than 4.000 s");
    for (int64_t until_ns = clock_now_ns() + 20 * second_ns; files_in(folder) && clock_now_ns() < until_ns;)
        usleep(10000);
    CU_ASSERT_EQUAL(files_in(folder), 0);
    job = nvcc_job(HOST, "plain", 1);
    expect_ok(pool, &job);
    CU_ASSERT_EQUAL(files_in(folder), 0);
    compile_pool_close(pool);
    if (before)
        setenv("TMPDIR", before, 1);
    else
        unsetenv("TMPDIR");
    free(before);
    rmdir(folder);
}

/* ---- The program ---- */

static void it_is_found(void)
{
    static const struct {
        const char *paths;
        size_t count;
        const char *found; /* NULL: none */
    } rows[] = {{"/nonexistent\0/bin\0/bin/sh\0/bin/ls", 4, "/bin/sh"},
                {"/bin\0/etc/passwd\0/nonexistent/nvcc", 3, NULL},
                {"", 0, NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text paths = {0}, path = {0};
        struct error error = {0};
        text_append(&paths, rows[i].paths, text_strings_bytes(rows[i].paths, rows[i].count));
        int code = nvcc_find_among(&paths, rows[i].count, &path, &error);
        CU_ASSERT_EQUAL(code, rows[i].found ? 0 : ERROR_NOT_FOUND);
        CU_ASSERT_STRING_EQUAL(text_string(&path), rows[i].found ? rows[i].found : "");
        if (code) {
            CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "$CUDA_HOME"));
            CU_ASSERT_PTR_NOT_NULL(strstr(error.hint, "cuda-nvcc"));
        }
        text_free(&paths);
        text_free(&path);
    }
}

static void it_has_a_version(void)
{
    struct nvrtc_version version;
    struct error error = {0};
    CU_ASSERT_EQUAL(compile_nvcc_version(&version, &error), 0);
    CU_ASSERT(atoi(version.number) >= 12);
    CU_ASSERT_EQUAL(strncmp(version.build, "nvcc cuda_", 10), 0);
    CU_ASSERT_EQUAL(strncmp(version.build + 10, version.number, strlen(version.number)), 0);
}

CU_TestInfo tests_nvcc[] = {{"every kernel is found", every_kernel_is_found},
                            {"the same code is the same cubin", the_same_code_is_the_same_cubin},
                            {"refusals have reasons", refusals_have_reasons},
                            {"options are those of nvcc", options_are_those_of_nvcc},
                            {"nothing is compiled twice", nothing_is_compiled_twice},
                            {"the time limit ends all", the_time_limit_ends_all},
                            {"nvcc is found", it_is_found},
                            {"nvcc has a version", it_has_a_version},
                            CU_TEST_INFO_NULL};
