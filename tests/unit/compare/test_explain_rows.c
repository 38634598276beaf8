#include <stdlib.h>

#include "compare/explain.h"
#include "fixtures.h"

static const char *member(const cJSON *object, const char *name)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
    return text ? text : "";
}

static double number(const cJSON *object, const char *name)
{
    return strtod(cJSON_GetObjectItemCaseSensitive(object, name)->valuestring, NULL);
}

static void both(void)
{
    const char *file = FIXTURES "explained.csv";
    struct compared compared;
    struct explain_input explained;
    const cJSON *row, *launch;
    int binds = 0, causes = 0, overall = 0;
    open_compared(&compared, &file, 1);
    CU_ASSERT_EQUAL_FATAL(explain_input_open(&explained, compared.comparisons.items, 0, COMPARISON_NONE, NULL, 0, NULL),
                          0);
    CU_ASSERT_EQUAL_FATAL(explain_input_make(&explained, NULL), 0);
    cJSON *object = explain_object(&explained), *rows = cJSON_CreateArray();
    CU_ASSERT_STRING_EQUAL(member(object, "configuration"), "TILE=32 PAD=1");
    CU_ASSERT_STRING_EQUAL(member(object, "default"), "TILE=32 PAD=0");
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, "configurations"),
                *changes = cJSON_GetObjectItemCaseSensitive(object, "changes");
    CU_ASSERT_EQUAL(cJSON_GetArraySize(list), 3); /* with evidence */
    CU_ASSERT_EQUAL(cJSON_GetArraySize(changes), 2);
    CU_ASSERT_STRING_EQUAL(member(list->child, "role"), "winner");
    CU_ASSERT_STRING_EQUAL(member(list->child, "binds"), "DRAM");
    launch = cJSON_GetObjectItemCaseSensitive(list->child, "launches")->child;
    CU_ASSERT_STRING_EQUAL(member(launch, "kernel"), "transpose");
    CU_ASSERT_EQUAL(number(launch, "cycles"), 76000);
    CU_ASSERT_PTR_NULL(cJSON_GetObjectItemCaseSensitive(launch, "tensor_pipe"));
    CU_ASSERT_STRING_EQUAL(member(changes->child, "parameters"), "PAD 0 -> 1");
    CU_ASSERT_STRING_EQUAL(member(changes->child, "from"), "TILE=32 PAD=0");
    CU_ASSERT_STRING_EQUAL(member(changes->child, "answer"), "explained");
    CU_ASSERT_STRING_EQUAL(member(cJSON_GetObjectItemCaseSensitive(changes->child, "causes")->child, "id"),
                           "bank_conflicts_load");
    explain_rows(&explained, rows);
    CU_ASSERT_STRING_EQUAL(member(rows->child, "row"), "why");
    CU_ASSERT_STRING_EQUAL(member(rows->child, "text"), explained.explanation.why);
    cJSON_ArrayForEach(row, rows)
    {
        binds += strcmp(member(row, "row"), "binds") == 0;
        overall += strcmp(member(row, "row"), "overall") == 0;
        causes += strcmp(member(row, "row"), "cause") == 0 && strcmp(member(row, "name"), "bank_conflicts_load") == 0;
        CU_ASSERT_EQUAL(cJSON_GetArraySize(row), 11);
    }
    CU_ASSERT_EQUAL(binds, 3);
    CU_ASSERT_EQUAL(overall, 1);
    CU_ASSERT_EQUAL(causes, 2);
    cJSON_Delete(object);
    cJSON_Delete(rows);
    explain_input_close(&explained);
    compared_close(&compared);
}

CU_TestInfo tests_explain_rows[] = {{"rows and an object", both}, CU_TEST_INFO_NULL};
