#include "compile/ptx.h"

#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "base/text.h"

#define HEAD                                                                                                           \
    ".version 9.0\n.target sm_90\n.extern .shared .align 16 .b8 shared[];\n.const .align 4 .b8 w[36];\n"               \
    ".const .align 4 .f32 zero;\n.const .align 4 .b8 given[8] = {1, 0};\n.const .align 4 .b8 other[4];\n"              \
    ".visible .entry kk(\n\t.param .u64 kk_param_0\n)\n{\n\tld.const.f32 %f1, [other];\n\tret;\n}\n"                   \
    ".visible .entry k(\n\t.param .u64 k_param_0,\n\t.param .u64 k_param_1\n)\n{\n\t.reg .b64 %rd<9>;\n"
#define TAIL  "\n\tret;\n}\n"
#define LOADS "\tld.param.u64 %rd1, [k_param_0];\n\tcvta.to.global.u64 %rd2, %rd1;\n\tld.param.u64 %rd3, [k_param_1];\n"

/* The use of the kernel's two parameters, both of which are followed. */
static void uses(void)
{
    static const struct {
        const char *body;
        struct ptx_use use;
    } rows[] = {
        {"", {0}},
        {LOADS "\tld.global.f32 %f1, [%rd2];\n\tld.global.v2.f32 {%f1, %f2}, [%rd3+8];\n", {0}},
        {LOADS "\tst.global.f32 [%rd2], %f1;\n", {.written = 1, .changed = 1}},
        {LOADS "$L__BB0_1:\n\tst.global.f32 [%rd3+4], %f1;\n", {.written = 2, .changed = 2}},
        {LOADS "\t@%p1 st.global.v2.f32 [%rd2], {%f1, %f2};\n", {.written = 1, .changed = 1}},
        {LOADS "\tmul.wide.s32 %rd4, %r1, 4;\n\tadd.s64 %rd5, %rd2, %rd4;\n\tatom.global.add.u32 %r2, [%rd5], 1;\n",
         {.written = 1, .changed = 1}},
        {LOADS
         "\tadd.s64 %rd5, %rd2, %rd4;\n\t// begin inline asm\n\t{\n\t.reg .b32 t;\n\tred.add.u32 [%rd5], 1;\n\t}\n"
         "\t// end inline asm\n",
         {.written = 1, .changed = 1}},
        {LOADS
         "\t// begin inline asm\n\t{mul.f16x2 %r1, %r2, %r3;\n}\n\t// end inline asm\n\tst.global.u32 [%rd3], %r1;\n",
         {.written = 2, .changed = 2}},
        /* One of two pointers, and a pointer that returns in the next iteration. */
        {LOADS "\tselp.b64 %rd5, %rd2, %rd3, %p1;\n\tst.global.f32 [%rd5], %f1;\n", {.changed = 3}},
        {LOADS "$L_1:\n\tst.global.f32 [%rd6], %f1;\n\tadd.s64 %rd6, %rd7, 4;\n\tmov.u64 %rd7, %rd3;\n\tbra $L_1;\n",
         {.written = 2, .changed = 2}},
        /* Memory may be written through a pointer that is stored, passed on, or used by an unknown instruction. */
        {LOADS "\tst.local.u64 [%rd8], %rd3;\n", {.changed = 2}},
        {LOADS "\tst.param.b64 [param0], %rd2;\n\tcall.uni f, (param0);\n", {.calls = true, .changed = 1}},
        {LOADS "\tstrange.global [%rd2], %rd3;\n", {.changed = 3}},
        /* Copies by their direction, and instructions that compare or prefetch. */
        {LOADS "\tcp.async.ca.shared.global [%r1], [%rd2], 16;\n\tprefetch.global.L2 [%rd3];\n", {0}},
        {LOADS "\tcp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r1], 16;\n", {.changed = 1}},
        {LOADS "\tsetp.eq.s64 %p1, %rd2, %rd3;\n\tselp.b64 %rd4, %rd5, %rd6, %p1;\n\tst.global.f32 [%rd4], %f1;\n",
         {0}},
        {LOADS "\tld.global.u64 %rd4, [%rd3];\n\tst.global.f32 [%rd4], %f1;\n", {0}},
        {"\tmov.b64 %rd1, k_param_1;\n\tst.global.f32 [%rd1], %f1;\n", {.written = 2, .changed = 2}},
        /* Textures. */
        {LOADS "\ttex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1}];\n\tadd.f32 %f5, %f1, %f1;\n", {.as_float = 1}},
        {LOADS "\ttex.2d.v4.u32.f32 {%r1, %r2, %r3, %r4}, [%rd3, {%f1, %f2}];\n\tadd.s32 %r5, %r1, %r3;\n",
         {.as_integer = 2, .as_vector = 2}},
        /* Shared memory and grids. */
        {"\tmov.u64 %rd1, shared;\n", {.dynamic_shared = true}},
        {"\tst.shared.f32 [mine], %f1;\n", {0}},
        {"\tmov.u32 %r1, %envreg2;\n\tmov.u32 %r2, %envreg1;\n\ttrap;\n", {.grid_sync = true}},
        {"\tmov.u32 %r1, %envreg2;\n\tmov.u32 %r2, %envreg1;\n", {0}},
        /* Numbers of threads and blocks. */
        {"\tmov.u32 %r1, %tid.x;\n\tmov.u32 %r2, %tid.z;\n\tmov.u32 %r3, %ntid.y;\n", {.threads = 5}},
        {"\tmov.u32 %r1, %ctaid.y;\n\tmov.u32 %r2, %nctaid.x;\n\tmov.u32 %r3, %cluster_ctaid.z;\n", {.blocks = 2}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char ptx[2048];
        struct ptx_use use;
        snprintf(ptx, sizeof ptx, "%s%s%s", HEAD, rows[i].body, TAIL);
        CU_ASSERT(ptx_use_of(ptx, "k", 3, &use));
        const struct ptx_use *wanted = &rows[i].use;
        bool same = use.written == wanted->written && use.changed == wanted->changed &&
                    use.as_float == wanted->as_float && use.as_integer == wanted->as_integer &&
                    use.as_vector == wanted->as_vector && use.dynamic_shared == wanted->dynamic_shared &&
                    use.grid_sync == wanted->grid_sync && use.calls == wanted->calls &&
                    use.threads == wanted->threads && use.blocks == wanted->blocks;
        if (!same)
            fprintf(
                stderr,
                "row %zu: written %d changed %d float %d integer %d vector %d shared %d grid %d threads %u blocks %u\n",
                i, (int)use.written, (int)use.changed, (int)use.as_float, (int)use.as_integer, (int)use.as_vector,
                use.dynamic_shared, use.grid_sync, use.threads, use.blocks);
        CU_ASSERT(same);
    }
}

/* Only requested parameters are followed, and only of a kernel that exists and ends. */
static void limits(void)
{
    struct ptx_use use;
    CU_ASSERT(ptx_use_of(HEAD LOADS "\tst.global.f32 [%rd2], %f1;\n" TAIL, "k", 2, &use));
    CU_ASSERT_EQUAL(use.changed, 0);
    CU_ASSERT_FALSE(ptx_use_of("", "k", 3, &use));
    CU_ASSERT_FALSE(ptx_use_of(HEAD TAIL, "kkk", 3, &use));
    CU_ASSERT_FALSE(ptx_use_of(".entry k(\n", "k", 3, &use));
    CU_ASSERT_FALSE(ptx_use_of(".entry k(\n)\n{\n", "k", 3, &use));
    /* A brace of an asm statement at the beginning of a line does not end the kernel. */
    CU_ASSERT(ptx_use_of(HEAD LOADS "{\n\tbar.sync 0;\n}\n\tst.global.f32 [%rd2], %f1;\n" TAIL, "k", 3, &use));
    CU_ASSERT_EQUAL(use.written, 1);
}

static void constants(void)
{
    static const struct {
        const char *body, *names;
    } rows[] = {{"", ""},
                {"\tld.const.f32 %f1, [w+4];\n", "w "},
                {"\tmov.u64 %rd1, w;\n\tld.const.f32 %f1, [zero];\n\tld.const.f32 %f2, [given];\n", "w zero "},
                {"\tcall.uni f;\n", ""}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char ptx[2048], name[PTX_NAME_BYTES];
        const char *at = ptx;
        struct text names = {0};
        snprintf(ptx, sizeof ptx, "%s%s%s", HEAD, rows[i].body, TAIL);
        while (ptx_next_constant(ptx, "k", &at, name))
            text_printf(&names, "%s ", name);
        CU_ASSERT_STRING_EQUAL(text_string(&names), rows[i].names);
        text_free(&names);
    }
}

CU_TestInfo tests_ptx[] = {{"uses", uses}, {"limits", limits}, {"constants", constants}, CU_TEST_INFO_NULL};
