/* Names of variables in machine code. */
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "base/symbol.h"

static void symbols_are_names(void)
{
    char name[SYMBOL_BYTES];
    static const struct {
        const char *symbol, *name;
        bool same;
    } rows[] = {
        {"table", "table", true},
        {"table", "tables", false},
        {"tables", "table", false},
        {"table", "ns::table", false},
        {"_ZN2ns5tableE", "ns::table", true},
        {"_ZN2ns5tableE", "table", false},
        {"_ZN2ns5tableE", "ns", false},
        {"_ZN2ns5tableE", "ns::table::x", false},
        {"_ZN1a2bb3cccE", "a::bb::ccc", true},
        {"_ZL5table", "table", true},
        {"_ZN2nsL5tableE", "ns::table", true},
        {"_ZN27_INTERNAL_00000000_4_k_cu_k2ns5tableE", "ns::table", true},
        {"_ZN27_INTERNAL_00000000_4_k_cu_k29_GLOBAL__N__00000000_4_k_cu_k5tableE", "table", true},
        {"_ZN27_INTERNAL_00000000_4_k_cu_k2ns29_GLOBAL__N__00000000_4_k_cu_k5tableE", "ns::table", true},
        {"_ZN27_INTERNAL_00000000_4_k_cu_k2ns5tableE", "table", false},
        {"_ZN2ns5tableILi3EE", "ns::table", false}, /* an instance of a template */
        {"_Z5tableILi3EE", "table", false},
        {"_ZZ1kE5table", "table", false}, /* a static variable of a function */
        {"_ZN2ns99tableE", "ns::table", false},
        {"_ZN2ns5table", "ns::table", false},
        {"_Z", "table", false},
        {"", "table", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (symbol_is(rows[i].symbol, rows[i].name) != rows[i].same)
            fprintf(stderr, "\n%s: %s", rows[i].symbol, rows[i].name);
        CU_ASSERT_EQUAL(symbol_is(rows[i].symbol, rows[i].name), rows[i].same);
        if (rows[i].same)
            CU_ASSERT_STRING_EQUAL(symbol_name(rows[i].symbol, name), rows[i].name);
    }
    CU_ASSERT_STRING_EQUAL(symbol_name("_ZN2ns5tableILi3EE", name), "_ZN2ns5tableILi3EE");
    CU_ASSERT_STRING_EQUAL(symbol_name("_Z", name), "_Z");
}

/* The symbol itself is a name, too: that of an instance of a template has no other. */
static void words_and_symbols(void)
{
    static const struct {
        const char *name, *word;
    } rows[] = {
        {"table", "table"},
        {"ns::table", "table"},
        {"_Z5table", "table"},
        {"_ZN2ns5tableE", "table"},
        {"_ZN2nsL5tableE", "table"},
        {"_Z5tableIfE", "table"},
        {"_ZN2ns5tableILi4EE", "table"},
        {"_Z", "_Z"},
        {"_ZL", "_ZL"},
        {"_Z99table", "_Z99table"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t length;
        const char *word = symbol_word(rows[i].name, &length);
        CU_ASSERT_EQUAL(length, strlen(rows[i].word));
        CU_ASSERT_EQUAL(memcmp(word, rows[i].word, strlen(rows[i].word)), 0);
    }
    CU_ASSERT(symbol_is("_Z5tableIfE", "_Z5tableIfE"));
    CU_ASSERT(!symbol_is("_Z5tableIfE", "_Z5tableIdE"));
    CU_ASSERT(!symbol_is("_Z5table", "_Z5tableIfE"));
}

static void names_are_mangled(void)
{
    char symbol[SYMBOL_BYTES], name[SYMBOL_BYTES] = "ns::";
    CU_ASSERT_STRING_EQUAL(symbol_of("table", symbol), "table");
    CU_ASSERT_STRING_EQUAL(symbol_of("ns::table", symbol), "_ZN2ns5tableE");
    CU_ASSERT_STRING_EQUAL(symbol_of("a::bb::ccc", symbol), "_ZN1a2bb3cccE");
    CU_ASSERT(symbol_is(symbol, "a::bb::ccc"));
    memset(name + 4, 'x', sizeof name - 5);
    name[sizeof name - 1] = '\0';
    CU_ASSERT(strlen(symbol_of(name, symbol)) < SYMBOL_BYTES);
}

static void symbols_are_found(void)
{
    static const char code[] = "\0x_table\0table_x\0.nv.table\0_ZN2ns5tableE\0\xff\0table\0"
                               "_ZN27_INTERNAL_00000000_4_k_cu_k5tableE\0table";
    static const struct {
        const char *name;
        size_t count;
    } rows[] = {{"table", 2 /* the last text has no end */}, {"ns::table", 1}, {"none", 0}, {"x_table", 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t count = 0;
        for (const char *at = NULL; (at = symbol_find(code, sizeof code - 1, rows[i].name, at)); count++)
            CU_ASSERT(symbol_is(at, rows[i].name));
        CU_ASSERT_EQUAL(count, rows[i].count);
    }
    CU_ASSERT_PTR_NULL(symbol_find("", 0, "table", NULL));
}

CU_TestInfo tests_symbol[] = {{"symbols are names", symbols_are_names},
                              {"words and symbols", words_and_symbols},
                              {"names are mangled", names_are_mangled},
                              {"symbols are found", symbols_are_found},
                              CU_TEST_INFO_NULL};
