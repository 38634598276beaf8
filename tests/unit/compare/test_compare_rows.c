/* Whole outputs: tests/cli/cases/compare.case. */
#include "compare/compare.h"

#include "fixtures.h"

static const char *string_of(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsString(item) || cJSON_IsRaw(item) ? item->valuestring : "null";
}

/* Every row has the same members; a section exists only with contents. */
static void long_rows(void)
{
    static const char *const files[] = {DEVICE_A, DEVICE_B, LATER_A};
    static const struct {
        size_t runs;
        const char *section;
        bool there;
    } rows[] = {{1, "winner", true},  {1, "portability", false}, {2, "portability", true},
                {2, "change", false}, {3, "change", true},       {3, "winner", true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct compared compared;
        cJSON *all = cJSON_CreateArray(), *row;
        size_t found = 0;
        open_compared(&compared, files, rows[i].runs);
        compare_rows(&compared.findings[0], all);
        CU_ASSERT(cJSON_GetArraySize(all) > 0);
        cJSON_ArrayForEach(row, all)
        {
            const cJSON *a = row->child, *b = all->child->child;
            for (; a && b; a = a->next, b = b->next)
                CU_ASSERT_STRING_EQUAL(a->string, b->string);
            CU_ASSERT(!a && !b);
            CU_ASSERT_STRING_EQUAL(string_of(row, "kernel"), "scale");
            found += strcmp(string_of(row, "section"), rows[i].section) == 0;
        }
        if ((found > 0) != rows[i].there)
            printf("%zu runs: %zu rows of %s\n", rows[i].runs, found, rows[i].section);
        CU_ASSERT_EQUAL(found > 0, rows[i].there);
        cJSON_Delete(all);
        compared_close(&compared);
    }
}

/* The object has every run, with its best, and the matrix of all with all. */
static void objects(void)
{
    static const char *const files[] = {DEVICE_A, DEVICE_B};
    static const char *const parts[] = {"\"kernel\":\"scale\"",    "\"problem\":\"N=1048576\"",
                                        "\"device\":\"Sample A\"", "\"device\":\"Sample B\"",
                                        "\"TILE=32 VEC=2\"",       "\"TILE=64 VEC=4\""};
    struct compared compared;
    struct text text = {0};
    open_compared(&compared, files, 2);
    cJSON *object = compare_object(&compared.findings[0]);
    CU_ASSERT_PTR_NOT_NULL_FATAL(object);
    char *printed = cJSON_PrintUnformatted(object);
    text_printf(&text, "%s", printed);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        expect_part(&text, parts[i], true);
    CU_ASSERT_EQUAL(cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(object, "runs")), 2);
    cJSON_free(printed);
    text_free(&text);
    cJSON_Delete(object);
    compared_close(&compared);
}

CU_TestInfo tests_compare_rows[] = {{"long rows", long_rows}, {"objects", objects}, CU_TEST_INFO_NULL};
