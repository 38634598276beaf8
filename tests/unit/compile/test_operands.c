/* Registers that instructions read and write. */
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "base/text.h"
#include "compile/operands.h"

static struct listing_part part(const char *text)
{
    return (struct listing_part){text, strlen(text)};
}

static void names(void)
{
    static const struct {
        const char *text;
        int number;
    } rows[] = {
        {"R0", 0},    {"R254", 254},
        {"R255", -1}, {"RZ", -1},
        {"UR0", 256}, {"UR63", 319},
        {"URZ", -1},  {"P0", 512},
        {"!P6", 518}, {"PT", -1},
        {"UP1", 521}, {"!UPT", -1},
        {"R4.64", 4}, {"R4.reuse", 4},
        {"R", -1},    {"", -1},
        {"!", -1},    {"[R4]", -1},
        {"R4x", -1},  {"-R4", -1},
        {"0x4", -1},  {"R999999999999", -1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CU_ASSERT_EQUAL(operands_register(part(rows[i].text)), rows[i].number);
}

static void show_register(struct text *text, unsigned number)
{
    if (number < 256)
        text_printf(text, " R%u", number);
    else if (number < 512)
        text_printf(text, " UR%u", number - 256);
    else
        text_printf(text, number < 520 ? " P%u" : " UP%u", (number - 512) % 8);
}

static void registers(void)
{
    static const struct {
        const char *predicate, *operation, *operands, *shown;
    } rows[] = {
        {"", "EXIT", "", ""},
        {"", "FFMA", "R7, R7, R4.reuse, 0.25", "R7 = R7 R4"},
        {"!P0", "FADD", "R2, -R3, |R4|", "R2 ? P0 R3 R4"},
        {"", "IADD3", "R2, P0, R4, -0x10, RZ", "R2 P0 = R4 #-16"},
        {"", "IADD3", "R2, P0, PT, R4, R5, R6", "R2 P0 = R4 R5 R6"},
        {"", "IADD3.X", "R3, R5, UR4, RZ, P0, !PT", "R3 = R5 UR4 P0"},
        {"", "LEA.HI.X", "R3, R0, UR5, R9, 0x2, P0", "R3 = R0 UR5 R9 P0 #2"},
        {"", "IMAD.WIDE", "R2, R11, 0x4, R4", "R2 R3 = R11 R4 #4"},
        {"", "ISETP.NE.AND", "P1, PT, R2, RZ, PT", "P1 = R2"},
        {"", "ISETP.GE.U32.AND", "P1, P2, R6, 0x60, P3", "P1 P2 = R6 P3 #96"},
        {"", "PLOP3.LUT", "P0, PT, P1, P2, PT, 0x80, 0x0", "P0 = P1 P2 #0"},
        {"", "UISETP.LT.AND", "UP0, UPT, UR4, 0x8, UPT", "UP0 = UR4 #8"},
        {"", "FCHK", "P0, R3, R2", "P0 = R3 R2"},
        {"", "LDG.E.128.CONSTANT", "R4, desc[UR6][R2.64+0x10]", "R4 R5 R6 R7 = UR6 R2"},
        {"", "LDS.64", "R4, [R12+-0x80]", "R4 R5 = R12"},
        {"", "LDSM.16.M88.4", "R4, [R12]", "R4 R5 R6 R7 = R12"},
        {"", "LDC", "R4, c[0x3][R5+0x10]", "R4 = R5"},
        {"", "STG.E.64", "desc[UR6][R2.64], R8", "= UR6 R2 R8"},
        {"", "STS", "[R4], R7", "= R4 R7"},
        {"", "REDG.E.ADD.STRONG.GPU", "desc[UR4][R2.64], R7", "= UR4 R2 R7"},
        {"", "ATOMG.E.ADD.STRONG.GPU", "PT, R5, desc[UR4][R2.64], R7", "R5 = UR4 R2 R7"},
        {"", "SHFL.BFLY", "P0, R5, R4, 0x10, 0x1f", "P0 R5 = R4 #31"},
        {"", "LDGSTS.E.BYPASS.128", "[R18], desc[UR10][R26.64]", "= R18 UR10 R26"},
        {"", "HMMA.16816.F32", "R4, R8, R12, R4", "R4 R5 R6 R7 = R8 R12 R4"},
        {"", "DFMA", "R4, R6, R8, R4", "R4 R5 = R6 R8 R4"},
        {"P1", "BRA", "`(.L_x_2)", "? P1"},
        {"", "BRA.U", "UP0, `(.L_R2)", "= UP0"},
        {"", "BRX", "R4 -0x120", "= R4"},
        {"", "MOV", "R4, 0x3f7fbe77", "R4 = #1065336439"},
        {"", "CS2R", "R4, SRZ", "R4 R5 ="},
        {"", "MOV", "RZ, R4", "= R4"},
        {"", "X", "R1, R2, R3, R4, R5, R6, R7, R8, R9, R10, R11, R12, R13, R14, R15",
         "R1 = R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct listing_line line = {
            {0}, part(rows[i].predicate), part(rows[i].operation), part(rows[i].operands)};
        struct operands operands = operands_of(&line);
        struct text text = {0};
        for (size_t r = 0; r < operands.written_count; r++)
            show_register(&text, operands.written[r]);
        bool some = operands.written_count || operands.read_count || operands.has_number;
        text_printf(&text, "%s", operands.kept ? " ?" : some ? " =" : "");
        for (size_t r = 0; r < operands.read_count; r++)
            show_register(&text, operands.read[r]);
        if (operands.has_number)
            text_printf(&text, " #%lld", operands.number);
        const char *shown = text_string(&text) + (*text_string(&text) == ' ');
        if (strcmp(shown, rows[i].shown) != 0)
            fprintf(stderr, "row %zu: %s\n", i, shown);
        CU_ASSERT_STRING_EQUAL(shown, rows[i].shown);
        text_free(&text);
    }
}

CU_TestInfo tests_operands[] = {{"names", names}, {"registers", registers}, CU_TEST_INFO_NULL};
