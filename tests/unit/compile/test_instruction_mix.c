/* The instruction mix of written code and of recorded listings. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "base/file.h"
#include "compile/instruction_mix.h"

#define LINE(instruction) "        /*0040*/                   " instruction " ;\n"

/* Checks that each item of `expected`, in the form of evidence_append, has that value. */
static void expect(const char *what, const char *listing, const char *kernel, const char *expected)
{
    struct evidence evidence = evidence_unknown(), wanted;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(evidence_parse(expected, &wanted, &error), 0);
    CU_ASSERT_EQUAL(instruction_mix_read(listing, kernel, &evidence, &error), 0);
    CU_ASSERT_EQUAL(evidence_has(&evidence, EVIDENCE_CODE), *expected != '\0');
    CU_ASSERT_FALSE(evidence_has(&evidence, EVIDENCE_LAUNCH) || evidence_has(&evidence, EVIDENCE_COUNTER));
    for (size_t i = 0; i < evidence_count; i++) {
        double value = evidence_get(&wanted, &evidence_rows[i]), is = evidence_get(&evidence, &evidence_rows[i]);
        if (isnan(value))
            continue;
        if (value != is)
            fprintf(stderr, "%s: %s is %g\n", what, evidence_rows[i].name, is);
        CU_ASSERT_EQUAL(value, is);
    }
}

static void kinds(void)
{
    static const struct {
        const char *code, *expected;
    } rows[] = {
        {"", ""},
        {LINE("EXIT"),
         "code_instructions=1 code_loops=0 code_branches=0 loop_instructions=1 loop_overhead=0 loop_control=0"},
        {LINE("LDG.E.128 R4, [R2.64]") LINE("LD.E.U8 R4, [R2.64]") LINE("STG.E [R2.64], R4")
             LINE("ST.E.64 [R2.64], R4"),
         "code_global_loads=2 code_global_load_bytes=17 code_global_stores=2 code_global_store_bytes=12 loop_stores=2"},
        {LINE("LDS.64 R4, [R2]") LINE("LDSM.16.M88.4 R4, [R2]") LINE("STS [R2], R4") LINE("STSM.16.M88.2 [R2], R4"),
         "code_shared_loads=2 code_shared_load_bytes=24 code_shared_stores=2 code_shared_store_bytes=12 loop_stores=2"},
        {LINE("LDL R4, [R1]") LINE("STL.64 [R1], R4"), "code_local_accesses=2 loop_local_accesses=2 loop_stores=0"},
        {LINE("LDGSTS.E [R2], desc[UR4][R4.64]") LINE("UBLKCP.S.G [UR4], [UR6], UR8") LINE("UTMALDG.2D [UR4], [UR6]"),
         "code_async_copies=3 code_global_loads=0"},
        {LINE("ATOMG.E.ADD PT, R5, [R2.64], R7") LINE("REDG.E.ADD [R2.64], R7") LINE("ATOMS.ADD RZ, [R2], R7"),
         "code_atomics=2 code_shared_atomics=1 loop_atomics=2 loop_shared_atomics=1"},
        {LINE("TEX.LL R4, R6, R8") LINE("TLD.LZ R4, R6"), "code_texture=2"},
        {LINE("LDC R4, c[0x0][0x210]") LINE("LDC.64 R4, c[0x3][R5+0x10]") LINE("LDC R4, c[0x0][RZ]")
             LINE("ULDC UR4, c[0x0][0x8]"),
         "code_constant_indexed=1"},
        {LINE("BAR.SYNC.DEFER_BLOCKING 0x0") LINE("BAR.RED.POPC.DEFER_BLOCKING 0x0, P0") LINE("BAR.ARV 0x1, 0x40"),
         "code_barriers=2"},
        {LINE("FFMA R1, R2, R3, R4") LINE("HFMA2 R1, R2, R3, R4") LINE("DADD R2, R4, R6")
             LINE("HFMA2.MMA R4, -RZ, RZ, 1.87, -1.6"),
         "code_fma=3 loop_overhead=1"},
        {LINE("HMMA.16816.F32 R4, R8, R12, R4") LINE("HGMMA.64x128x16.F32 R24, gdesc[UR4], R24")
             LINE("MUFU.RSQ R1, R2"),
         "code_tensor=2 code_transcendental=1"},
        {LINE("IADD3 R1, R2, R3, RZ") LINE("UIADD3 UR4, UR4, 0x1, URZ") LINE("ISETP.NE.AND P0, PT, R1, RZ, PT")
             LINE("S2R R1, SR_TID.X"),
         "loop_overhead=3 loop_instructions=4"},
        /* Instructions that never run. */
        {LINE("@!PT LDS RZ, [RZ]") LINE("EXIT") ".L_x_1:\n" LINE("BRA `(.L_x_1)") LINE("NOP"),
         "code_instructions=1 code_branches=0 code_loops=0 code_shared_loads=0"},
        /* All the code without loops: its longest dependence chain. */
        {LINE("LDG.E R4, [R2.64]") LINE("IMAD.WIDE R4, R4, 0x4, R2") LINE("LDG.E R6, [R4.64]") LINE("FADD R6, R6, R6"),
         "loop_chain=2 loop_chain_loads=2 loop_chain_cycles=88"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char listing[1024], what[16];
        snprintf(listing, sizeof listing, ".text.k:\n%s", rows[i].code);
        snprintf(what, sizeof what, "row %zu", i);
        expect(what, listing, "k", rows[i].expected);
    }
}

#define COUNT_TO(step, bound) LINE("IADD3 R5, R5, " step ", RZ") LINE("ISETP.NE.AND P0, PT, R5, " bound ", PT")

/* The hottest loop: each loop has another number of multiply-adds. */
static void loops(void)
{
    static const struct {
        const char *code, *expected;
    } rows[] = {
        {".L_x_1:\n" LINE("FFMA R1, R1, R2, R3") COUNT_TO("0x1", "R6") LINE("@P0 BRA `(.L_x_1)") LINE("EXIT"),
         "code_loops=1 loop_instructions=4 loop_fma=1 loop_overhead=3 loop_control=3 loop_chain=1 loop_chain_cycles=4"},
        /* The inner loop, though it is short. */
        {".L_x_1:\n" LINE("FFMA R1, R1, R2, R3") LINE("FFMA R1, R1, R2, R3")
             LINE("FFMA R1, R1, R2, R3") ".L_x_2:\n" LINE("FFMA R1, R1, R2, R3") LINE("@P1 BRA `(.L_x_2)")
                 LINE("@P0 BRA `(.L_x_1)") LINE("EXIT"),
         "code_loops=2 loop_instructions=2 loop_fma=1 loop_control=1"},
        /* The outer loop, if the inner one makes few iterations. */
        {".L_x_1:\n" LINE("FFMA R1, R1, R2, R3") LINE("FFMA R1, R1, R2, R3") LINE("FFMA R1, R1, R2, R3")
             LINE("FFMA R1, R1, R2, R3") ".L_x_2:\n" LINE("FFMA R1, R1, R2, R3") COUNT_TO("0x1", "0x1")
                 LINE("@P0 BRA `(.L_x_2)") LINE("@P1 BRA `(.L_x_1)") LINE("EXIT"),
         "code_loops=2 loop_instructions=5 loop_fma=4 loop_chain=4"},
        /* The larger of two successive loops, unless its number of iterations is known and small. */
        {".L_x_1:\n" LINE("FFMA R1, R1, R2, R3") LINE("@P1 BRA `(.L_x_1)") ".L_x_2:\n" LINE("FFMA R1, R1, R2, R3")
             LINE("FFMA R1, R1, R2, R3") LINE("@P1 BRA `(.L_x_2)") LINE("EXIT"),
         "code_loops=2 loop_fma=2"},
        {".L_x_1:\n" LINE("FFMA R1, R1, R2, R3") LINE("@P1 BRA `(.L_x_1)") ".L_x_2:\n" LINE("FFMA R1, R1, R2, R3")
             LINE("FFMA R1, R1, R2, R3") COUNT_TO("0x100", "0x200") LINE("@P0 BRA `(.L_x_2)") LINE("EXIT"),
         "code_loops=2 loop_fma=1"},
        {".L_x_1:\n" LINE("FFMA R1, R1, R2, R3") LINE("@P1 BRA `(.L_x_1)") ".L_x_2:\n" LINE("FFMA R1, R1, R2, R3")
             LINE("FFMA R1, R1, R2, R3") COUNT_TO("0x1", "0x200") LINE("@P0 BRA `(.L_x_2)") LINE("EXIT"),
         "code_loops=2 loop_fma=2"},
        /* Depending on a uniform predicate. */
        {".L_x_1:\n" LINE("FFMA R1, R1, R2, R3") LINE("@P1 BRA `(.L_x_1)") ".L_x_2:\n" LINE("FFMA R1, R1, R2, R3")
             LINE("FFMA R1, R1, R2, R3") LINE("UIADD3 UR4, UR4, 0x4, URZ")
                 LINE("UISETP.NE.AND UP0, UPT, UR4, 0x10, UPT") LINE("BRA.U UP0, `(.L_x_2)") LINE("EXIT"),
         "code_loops=2 loop_fma=1"},
        /* Loops that wait or retry belong to the loop around, or are not loops. */
        {".L_x_1:\n" LINE("LDG.E R9, [R4.64]") ".L_x_2:\n" LINE("LDS R6, [R8]") LINE("FADD R7, R9, R6")
             LINE("ATOMS.CAST.SPIN R7, [R10], R6, R7") LINE("ISETP.EQ.U32.AND P0, PT, R7, 0x1, PT")
                 LINE("@!P0 BRA `(.L_x_2)") COUNT_TO("0x1", "R8") LINE("@P0 BRA `(.L_x_1)") LINE("EXIT"),
         "code_loops=1 loop_instructions=9 loop_global_loads=1 loop_shared_atomics=1 loop_control=3"},
        {".L_x_1:\n" LINE("ATOMS.CAST.SPIN P0, [R10], R6, R7") LINE("@!P0 BRA `(.L_x_1)") LINE("EXIT"),
         "code_loops=0 loop_instructions=3 loop_shared_atomics=1"},
        {".L_x_1:\n" LINE("SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR4], R2") LINE("@!P0 BRA `(.L_x_1)") LINE("EXIT"),
         "code_loops=0"},
        {".L_x_1:\n" LINE("VOTE.ANY R7, PT, PT") LINE("YIELD") LINE("@!P1 BRA `(.L_x_2)")
             LINE("BRA `(.L_x_1)") ".L_x_2:\n" LINE("EXIT"),
         "code_loops=0"},
        {".L_x_1:\n" LINE("ATOMG.E.ADD PT, R7, [R2.64], R6") LINE("ISETP.LT.AND P0, PT, R7, R8, PT")
             LINE("@P0 BRA `(.L_x_1)") LINE("EXIT"),
         "code_loops=1 loop_atomics=1 loop_control=2"},
        /* Labels that are reached from behind the end or through tables, or do not exist. */
        {".L_x_1:\n" LINE("BRA.DIV UR4, `(.L_x_3)") ".L_x_2:\n" LINE("@P1 BRA `(.L_x_1)")
             LINE("EXIT") ".L_x_3:\n" LINE("FADD R1, R1, R2") LINE("BRA `(.L_x_2)"),
         "code_loops=1 loop_instructions=4 code_branches=3"},
        {LINE("BRX R4 -0x120") ".L_x_1:\n" LINE("FADD R1, R1, R2") LINE("@P1 BRA `(.L_x_1)") LINE("EXIT"),
         "code_loops=1 loop_instructions=2"},
        {LINE("BRA `(.L_x_9)") LINE("BRA `(.L_x") LINE("EXIT"), "code_loops=0 code_branches=2"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char listing[2048], what[16];
        snprintf(listing, sizeof listing, ".text.k:\n%s", rows[i].code);
        snprintf(what, sizeof what, "loop %zu", i);
        expect(what, listing, "k", rows[i].expected);
    }
}

/* Listings of nvdisasm 13.0 for kernels of tests/integration/explain on sm_90a. */
static void recorded(void)
{
    static const struct {
        const char *file, *kernel, *expected;
    } rows[] = {
        {"unrolled_loads", "unroll",
         "code_loops=2 loop_global_loads=8 loop_global_load_bytes=32 loop_fma=8 loop_control=3 loop_chain=8 "
         "loop_chain_loads=0"},
        {"asynchronous_copies", "ring",
         "code_loops=1 code_async_copies=16 loop_async_copies=4 loop_shared_loads=12 loop_barriers=2 "
         "code_global_loads=0"},
        {"nested_loops", "barriers", "code_loops=2 code_barriers=2 loop_fma=64 loop_shared_loads=4 loop_barriers=0"},
        {"branches", "branches", "code_loops=3 loop_fma=8 loop_overhead=3 loop_control=3 loop_chain=8"},
        {"shared_atomics", "atomics", "code_loops=3 code_atomics=1 loop_shared_atomics=4 loop_global_loads=4"},
        {"branches", "absent", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char path[512];
        struct text listing = {0};
        struct error error = {0};
        snprintf(path, sizeof path, "%s/unit/compile/listings/%s.txt", TEST_FOLDER, rows[i].file);
        CU_ASSERT_EQUAL_FATAL(file_read(path, 1 << 20, &listing, &error), 0);
        expect(rows[i].file, text_string(&listing), rows[i].kernel, rows[i].expected);
        text_free(&listing);
    }
}

CU_TestInfo tests_instruction_mix[] = {{"kinds", kinds}, {"loops", loops}, {"recorded", recorded}, CU_TEST_INFO_NULL};
