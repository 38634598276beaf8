/* Loads and stores in a listing, and the program that makes the listing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "compile/accesses.h"

#define LINE(instruction) "        /*0040*/                   " instruction " ;\n"

static void widths(void)
{
    static const struct {
        const char *listing, *text;
    } rows[] = {
        {"", ""},
        {".text.k:\n", ""},
        {".text.k:\n" LINE("LDG.E R19, desc[UR4][R2.64+0x24]"), "LDG 32: 1"},
        {".text.k:\n" LINE("LDG.E.128.CONSTANT R4, [R2.64]") LINE("LDG.E R1, [R2.64]") LINE("LDG.E R2, [R2.64]"),
         "LDG 32: 2, 128: 1"},
        {".text.k:\n" LINE("LDG.E.U8 R4, [R2]") LINE("STG.E.S8 [R2], R1") LINE("STS.U16 [R2], R1")
             LINE("LDS.S16 R1, [R2]"),
         "LDG 8: 1; STG 8: 1; LDS 16: 1; STS 16: 1"},
        {".text.k:\n" LINE("STL.64 [R1], R4") LINE("LDL R4, [R1]") LINE("LD.E R1, [R2.64]")
             LINE("ST.E.128 [R2.64], R1"),
         "LDL 32: 1; STL 64: 1; LD 32: 1; ST 128: 1"},
        {".text.k:\n" LINE("LDG.E.ENL2.256 R4, R8, [R2.64]") LINE("LDGSTS.E.BYPASS.128 [R3], desc[UR4][R2.64]"),
         "LDG 256: 1; LDGSTS 128: 1"},
        {".text.k:\n" LINE("@!P0 LDG.E R1, [R2.64]") LINE("@P1 BRA `(.L_1)"), "LDG 32: 1"},
        /* Neither: constants, the end of a group of copies, atomics. */
        {".text.k:\n" LINE("LDC.64 R2, c[0x0][0x210]") LINE("LDGDEPBAR") LINE("ATOMG.E.ADD R1, [R2]")
             LINE("LDSM.16.M88 R1, [R2]"),
         ""},
        {".text.kk:\n" LINE("LDG.E R1, [R2]") ".text.k:\n" LINE("STG.E [R2], R1") ".text.l:\n" LINE("LDS R1, [R2]"),
         "STG 32: 1"},
        {".text.k:\n  LDG.E R1, [R2]\n/*0040*/\n        /*0040\n /**/ LDG.E.64 R1, [R2]", "LDG 64: 1"},
        {".text.k:\n" LINE("") LINE("@P0"), ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text text = {0};
        accesses_append(rows[i].listing, "k", &text);
        if (strcmp(text_string(&text), rows[i].text) != 0)
            fprintf(stderr, "row %zu: %s\n", i, text_string(&text));
        CU_ASSERT_STRING_EQUAL(text_string(&text), rows[i].text);
        text_free(&text);
    }
}

static void write_script(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs(text, file);
    fclose(file);
    chmod(path, 0700);
}

/* Stand-ins for nvdisasm in a toolkit of their own. */
static void programs(void)
{
    static const struct {
        const char *script;
        int code;
        const char *text; /* its listing, or the message */
    } rows[] = {
        {"#!/bin/sh\necho \"$1\"; cat \"$2\"\n", 0, "-c\ncubin"},
        {"#!/bin/sh\necho no cubin; exit 1\n", ERROR_DATA, "nvdisasm failed: no cubin\n"},
        {NULL, ERROR_NOT_FOUND, "there is no nvdisasm in the toolkit or on PATH"},
    };
    char folder[] = "/tmp/cutune-accesses-XXXXXX", bin[64], program[96];
    const char *home = getenv("CUDA_HOME"), *path = getenv("PATH");
    char *home_before = home ? strdup(home) : NULL, *path_before = path ? strdup(path) : NULL;
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    snprintf(bin, sizeof bin, "%s/bin", folder);
    snprintf(program, sizeof program, "%s/nvdisasm", bin);
    mkdir(bin, 0700);
    setenv("CUDA_HOME", folder, 1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text listing = {0};
        struct error error = {0};
        if (rows[i].script)
            write_script(program, rows[i].script);
        else
            unlink(program);
        if (!rows[i].script)
            setenv("PATH", "/nonexistent", 1);
        int code = accesses_list("cubin", 5, &listing, &error);
        if (!rows[i].script && code == 0) /* the toolkit that cutune was built with has one */
            code = error_set(&error, ERROR_NOT_FOUND, "%s", rows[i].text);
        CU_ASSERT_EQUAL(code, rows[i].code);
        CU_ASSERT_STRING_EQUAL(code ? error.message : text_string(&listing), rows[i].text);
        text_free(&listing);
    }
    rmdir(bin);
    rmdir(folder);
    if (home_before)
        setenv("CUDA_HOME", home_before, 1);
    else
        unsetenv("CUDA_HOME");
    if (path_before)
        setenv("PATH", path_before, 1);
    free(home_before);
    free(path_before);
}

CU_TestInfo tests_accesses[] = {{"widths", widths}, {"programs", programs}, CU_TEST_INFO_NULL};
