#include "expression/c_type.h"

#include "../language/same.h"

/* C types in place of the language's, everywhere a type is allowed. */
static void types_of_c(void)
{
    static const struct {
        const char *type, *hint; /* hint NULL: a type of the language */
    } rows[] = {{"long", NULL},
                {"int64_t", NULL},
                {"double", NULL},
                {"long long", "write long, which has 64 bits, as `long long` in the kernel"},
                {"unsigned long long int", "write ulong, which has 64 bits, as `long long` in the kernel"},
                {"long unsigned", "write ulong, which has 64 bits, as `long long` in the kernel"},
                {"unsigned", "write uint"},
                {"unsigned int", "write uint"},
                {"signed", "write int"},
                {"signed char", "write char"},
                {"unsigned char", "write uchar"},
                {"short int", "write short"},
                {"const int", "write int"},
                {"const float", "write float"},
                {"volatile const half", "write half"},
                {"const thing", ""},
                {"long double", ""}};
    static const char *const places[][2] = {{"buffer other ", "[4] zero\n"},
                                            {"let SIZE = sizeof(", ")\n"},
                                            {"launch k args out, ", " 1 block 1\n"},
                                            {"launch k args out, struct { ", " 1 } block 1\n"}};
    for (size_t i = 0; i < COUNT(rows); i++)
        for (size_t p = 0; p < COUNT(places); p++) {
            char statement[128];
            struct text text = {0};
            struct error error = {0};
            struct space *space = NULL;
            snprintf(statement, sizeof statement, "%s%s%s", places[p][0], rows[i].type, places[p][1]);
            text_printf(&text,
                        "space 2\nkernel k \"k.cu\"\nbuffer out float[4] output\nreference default\nparam T = 1\n%s%s",
                        p < 2 ? "args out\nblock 1\n" : "", statement);
            space_parse_text(&space, "k.space", text_string(&text), text.length, "k", &error);
            CU_ASSERT_EQUAL(strstr(error.message, "is no type of the language") != NULL, rows[i].hint != NULL);
            if (rows[i].hint && *rows[i].hint) {
                CU_ASSERT(strstr(error.message, rows[i].type) || strstr(rows[i].type, "half"));
                expect_text(statement, error.hint, rows[i].hint);
            }
            text_free(&text);
            space_free(space);
        }
}

CU_TestInfo tests_c_type[] = {{"types of C", types_of_c}, CU_TEST_INFO_NULL};
