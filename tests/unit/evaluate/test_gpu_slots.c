/* Slots over the fake runtime: configurations with the same machine code and launch share a measurement. */
#include "world.h"

/* The same machine code and launch are measured once, even if the other configuration is in progress or has failed. */
static void same_code(void)
{
    static const char *const configurations[] = {"TIME=5000 ASIDE=0",   "TIME=5000 ASIDE=1",  "FAULT=wrong ASIDE=0",
                                                 "FAULT=wrong ASIDE=1", "TIME=20000 ASIDE=0", "FAULT=kill ASIDE=1",
                                                 "FAULT=kill ASIDE=0"};
    struct world world;
    struct evaluation outcomes[COUNT(configurations)];
    uint64_t indices[COUNT(configurations)];
    struct error error = {0};
    fake_reset();
    open_world(&world, NULL);
    for (size_t i = 0; i < COUNT(configurations); i++)
        indices[i] = index_of(&world, configurations[i]);
    expect_done("evaluating", evaluate(&world, indices, COUNT(indices), false, outcomes, &error), &error);
    unsigned launches = fake_launches("fake: time_ns=5000 none=1 id=0");
    CU_ASSERT(launches > 0);
    for (size_t pair = 0; pair < COUNT(configurations); pair += pair == 2 ? 3 : 2) {
        const struct measurement *a = &outcomes[pair].measurement, *b = &outcomes[pair + 1].measurement;
        bool second = strstr(b->message, "the same machine code and launch as") != NULL;
        const struct measurement *first = second ? a : b, *duplicate = second ? b : a;
        CU_ASSERT_EQUAL(outcomes[pair + second].original, outcomes[pair + !second].index);
        CU_ASSERT_EQUAL(outcomes[pair + !second].original, OUTCOME_NO_DUPLICATE);
        CU_ASSERT(begins(duplicate->message, "the same machine code and launch as TIME="));
        CU_ASSERT_EQUAL(duplicate->status, first->status == STATUS_OK ? STATUS_DUPLICATE : first->status);
        CU_ASSERT(duplicate->value == first->value || isnan(first->value));
        CU_ASSERT_EQUAL(duplicate->measure_ns, 0);
        CU_ASSERT(duplicate->compile_ns >= 0);
        CU_ASSERT_PTR_NOT_NULL(strstr(duplicate->message, first->message));
    }
    CU_ASSERT_EQUAL(outcomes[4].measurement.status, STATUS_OK);
    struct measurement later = evaluate_one(&world, "TIME=20000 ASIDE=1", false);
    CU_ASSERT_EQUAL(later.status, STATUS_DUPLICATE);
    CU_ASSERT_EQUAL(later.value, 20000);
    CU_ASSERT_EQUAL(fake_launches("fake: time_ns=5000 none=1 id=0"), launches);
    close_world(&world);
}

/* Twins with different work are not duplicates. */
static void same_code_other_work(void)
{
    struct world world;
    fake_reset();
    open_world(&world, WORLD_WORK);
    struct measurement first = evaluate_one(&world, "TIME=5000 ASIDE=0", false),
                       second = evaluate_one(&world, "TIME=5000 ASIDE=1", false);
    CU_ASSERT(first.status == STATUS_OK && first.value == 5000);
    CU_ASSERT(second.status == STATUS_OK && second.value == 2500);
    close_world(&world);
}

CU_TestInfo tests_gpu_slots[] = {
    {"same code", same_code}, {"same code, other work", same_code_other_work}, CU_TEST_INFO_NULL};
