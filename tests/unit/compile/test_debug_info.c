/* Members of parameters and variables, as the compiler's debug information has them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/text.h"
#include "compile/cubin.h"
#include "compile/debug_info.h"
#include "compile_one.h"

static const char source[] =
    "struct half_like { unsigned short bits; };\n"
    "struct base { const float *p; int n; };\n"
    "struct none {};\n"
    "template <class T> struct data : base { private: T x[2][3]; union { int u; float f; }; enum E : short { A } e;\n"
    "  bool b; int some : 3, more : 5; half_like h; float4 v; const volatile int *const q; void *r; base in[2]; none "
    "o;\n"
    "  const float **pp;\n"
    "  public: __device__ T get() const { return x[0][0] + u + e + b + some + more + h.bits + v.x + q[0] + in[1].n; } "
    "};\n"
    "typedef data<short> named;\n"
    "struct pair { char c; double d; }; namespace ns { static __device__ pair inner; }\n"
    "__managed__ int managed[3];\n"
    "__constant__ unsigned long long constant;\n"
    "__device__ float *pointer;\n"
    "extern \"C\" __global__ void k(const __grid_constant__ named p, float *o, const int n)\n"
    "{ o[0] = p.get() + n + managed[1] + constant + *pointer + ns::inner.d; ns::inner.c = 1; }\n"
    "template <int N> __global__ void t(int m, base b) { ((float *)b.p)[0] = b.n + m + N; }\n";

static struct compile_result compile(struct compile_pool **pool, int64_t cc, const char *options, size_t option_count)
{
    const struct compile_job job = {.path = "k.cu",
                                    .source = source,
                                    .name_expressions = "k\0t<3>",
                                    .name_count = 2,
                                    .cc = cc,
                                    .options = options,
                                    .option_count = option_count};
    CU_ASSERT_EQUAL_FATAL(compile_pool_open(pool, 1, 120000000000, NULL, NULL), 0);
    struct compile_result result = compile_one(*pool, &job);
    CU_ASSERT_EQUAL_FATAL(result.status, STATUS_OK);
    return result;
}

/* A line for each: "8 int n". */
static void append(const struct debug_member *members, size_t count, struct text *text)
{
    for (size_t i = 0; i < count; i++)
        text_printf(text, "%s%llu%s %s %s", i ? "\n" : "", (unsigned long long)members[i].offset,
                    members[i].kind == DEBUG_ANY ? "?" : "", members[i].type, members[i].name);
}

static void members_are_the_sources(void)
{
    static const int64_t architectures[] = {75, 90, 120};
    static const struct {
        const char *symbol;
        size_t number; /* of a parameter; SIZE_MAX: a variable */
        const char *members;
    } rows[] = {
        {"k", 0,
         "0 const float * p\n8 int n\n16 short x[0]\n18 short x[1]\n20 short x[2]\n22 short x[3]\n24 short x[4]\n"
         "26 short x[5]\n28? union \n32 enum e\n34 bool b\n32? int some\n32? int more\n36 unsigned short h.bits\n"
         "48 float v.x\n52 float v.y\n56 float v.z\n60 float v.w\n64 const const volatile int * q\n72 void * r\n"
         "80 const float * in[0].p\n88 int in[0].n\n96 const float * in[1].p\n104 int in[1].n\n112? none o\n"
         "120 const float ** pp"},
        {"k", 1, "0 float * "},
        {"k", 2, "0 const int "},
        {"k", 3, ""},
        {"_Z1tILi3EEvi4base", 1, "0 const float * p\n8 int n"},
        {"t", 0, ""},
        {"managed", SIZE_MAX, "0 int [0]\n4 int [1]\n8 int [2]"},
        {"constant", SIZE_MAX, "0 unsigned long long "},
        {"pointer", SIZE_MAX, "0 float * "},
        {"ns::inner", SIZE_MAX, "0 char c\n8 double d"},
        {"k", SIZE_MAX, ""},
        {"managed", 0, ""},
    };
    for (size_t a = 0; a < sizeof architectures / sizeof *architectures; a++) {
        struct compile_pool *pool;
        struct compile_result result = compile(&pool, architectures[a], "-G", 1);
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            struct debug_member *members = NULL;
            struct text text = {0};
            size_t count =
                rows[i].number == SIZE_MAX
                    ? debug_variable(result.cubin, result.cubin_bytes, rows[i].symbol, &members)
                    : debug_parameter(result.cubin, result.cubin_bytes, rows[i].symbol, rows[i].number, &members);
            append(members, count, &text);
            CU_ASSERT_STRING_EQUAL(text_string(&text), rows[i].members);
            if (strcmp(text_string(&text), rows[i].members) != 0)
                fprintf(stderr, "\n%s: %s", rows[i].symbol, text_string(&text));
            text_free(&text);
            free(members);
        }
        compile_pool_close(pool);
    }
}

static void targets_of_pointers(void)
{
    static const struct {
        size_t member;
        enum debug_kind kind;
        uint64_t bytes;
    } rows[] = {{0, DEBUG_FLOAT, 4}, {18, DEBUG_SIGNED, 4}, {19, DEBUG_ANY, 0}, {25, DEBUG_POINTER, 8}};
    struct compile_pool *pool;
    struct debug_member *members = NULL;
    struct compile_result result = compile(&pool, 90, "-G", 1);
    CU_ASSERT_EQUAL_FATAL(debug_parameter(result.cubin, result.cubin_bytes, "k", 0, &members), 26);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CU_ASSERT_EQUAL(members[rows[i].member].kind, DEBUG_POINTER);
        CU_ASSERT_EQUAL(members[rows[i].member].pointed, rows[i].kind);
        CU_ASSERT_EQUAL(members[rows[i].member].pointed_bytes, rows[i].bytes);
    }
    free(members);
    compile_pool_close(pool);
}

static void unknown_without_debug_information(void)
{
    struct compile_pool *pool;
    struct debug_member *members = NULL;
    struct compile_result result = compile(&pool, 90, "", 0);
    CU_ASSERT_EQUAL(debug_parameter(result.cubin, result.cubin_bytes, "k", 0, &members), 0);
    CU_ASSERT_EQUAL(debug_variable("none", 4, "managed", &members), 0);
    CU_ASSERT_PTR_NULL(members);
    compile_pool_close(pool);
}

/* Any bytes in the two sections: an answer within bounds, or none. */
static void damage_is_survived(void)
{
    static const char *const sections[] = {".debug_info", ".debug_abbrev"};
    struct compile_pool *pool;
    struct compile_result result = compile(&pool, 90, "-G", 1);
    struct random random;
    size_t known = 0, unknown = 0;
    random_seed(&random, 7);
    for (int i = 0; i < 3000; i++) {
        char *damaged = malloc(result.cubin_bytes);
        struct debug_member *members = NULL;
        const void *section;
        size_t length;
        CU_ASSERT_PTR_NOT_NULL_FATAL(damaged);
        memcpy(damaged, result.cubin, result.cubin_bytes);
        CU_ASSERT_FATAL(cubin_section(damaged, result.cubin_bytes, sections[i % 2], &section, &length));
        size_t begin = (size_t)((const char *)section - damaged);
        for (uint64_t flips = 1 + random_below(&random, 3); flips; flips--)
            damaged[begin + random_below(&random, length)] =
                (char)(random_below(&random, 2) ? random_u64(&random) : random_below(&random, 4));
        size_t count = debug_parameter(damaged, result.cubin_bytes, "k", 0, &members);
        if (count > DEBUG_MEMBERS_MAX)
            CU_FAIL("too many members");
        known += count > 0;
        unknown += count == 0;
        free(members);
        free(damaged);
    }
    CU_ASSERT(known > 100 && unknown > 100);
    compile_pool_close(pool);
}

CU_TestInfo tests_debug_info[] = {{"members are the source's", members_are_the_sources},
                                  {"targets of pointers", targets_of_pointers},
                                  {"unknown without debug information", unknown_without_debug_information},
                                  {"damage is survived", damage_is_survived},
                                  CU_TEST_INFO_NULL};
