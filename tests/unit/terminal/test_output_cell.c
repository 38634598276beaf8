#include <math.h>
#include <stdint.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "terminal/output_format.h"

/* Numbers keep all digits for programs and six for people; unknown values are empty. */
static void cells(void)
{
    static const struct {
        double real;
        const char *people, *program;
    } rows[] = {{0.1, "0.1", "0.1"},
                {1234567, "1234567", "1234567"},
                {0.1234567890123, "0.123457", "0.1234567890123"},
                {NAN, "", ""},
                {INFINITY, "", ""}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cJSON *item = output_real(rows[i].real);
        struct text people = {0}, program = {0};
        output_cell(&people, item, true);
        output_cell(&program, item, false);
        CU_ASSERT_STRING_EQUAL(text_string(&people), rows[i].people);
        CU_ASSERT_STRING_EQUAL(text_string(&program), rows[i].program);
        CU_ASSERT_EQUAL(output_is_number(item), isfinite(rows[i].real));
        text_free(&people);
        text_free(&program);
        cJSON_Delete(item);
    }
}

static void integers_have_all_digits(void)
{
    cJSON *object = cJSON_CreateObject();
    struct text text = {0};
    output_add_int(object, "most", INT64_MAX);
    output_add_int(object, "least", INT64_MIN);
    output_add_real(object, "none", NAN);
    output_json(&text, object, false);
    CU_ASSERT_STRING_EQUAL(text_string(&text),
                           "{\"most\":9223372036854775807,\"least\":-9223372036854775808,\"none\":null}");
    text_free(&text);
    cJSON_Delete(object);
}

CU_TestInfo tests_output_cell[] = {
    {"cells", cells}, {"integers have all digits", integers_have_all_digits}, CU_TEST_INFO_NULL};
