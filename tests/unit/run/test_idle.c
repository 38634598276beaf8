/* Parameters without effect in a run. */
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "evaluate/rows.h"
#include "run/idle.h"
#include "space/space.h"

/* A: 2 values, H: 2 values, on the host, B: 3 values. The source has A and B. */
static const char text[] = "space 2\nkernel k \"k.cu\"\nparam A = 0, 1\nparam H = 1, 2\nparam B = 0, 1, 2\n"
                           "buffer out float[4] output\nargs out\nblock 32 * H\ngrid 1\nreference r block 32 grid 1\n"
                           "default A=0 H=1 B=0\n";
static const char source[] = "extern \"C\" __global__ void k(float *out) { *out = A + B; }\n"
                             "extern \"C\" __global__ void r(float *out) { *out = 0; }\n";

/* Adds one configuration: "ABH=" and the digits of its original (itself: measured), or '!' for a failure, '~' for
 * outside. */
static void add(struct outcomes *outcomes, const struct valid_set *set, const char *word, struct measurement *row)
{
    uint64_t keys[2] = {0};
    struct error error = {0};
    for (int side = 0; side < 2; side++) {
        const char *digits = word + 4 * side;
        uint32_t choices[3] = {(uint32_t)(digits[0] - '0'), (uint32_t)(digits[2] - '1'), (uint32_t)(digits[1] - '0')};
        if (*digits == '!' || *digits == '~')
            keys[side] = keys[0];
        else
            CU_ASSERT_FATAL(valid_set_find(set, choices, &keys[side]));
    }
    *row = measurement_unknown(word[4] == '!' ? STATUS_CRASHED : keys[0] == keys[1] ? STATUS_OK : STATUS_DUPLICATE);
    row->value = row->low = row->high = 1000;
    CU_ASSERT_EQUAL_FATAL(
        outcomes_add(outcomes, keys[0], keys[0] == keys[1] ? OUTCOME_NO_DUPLICATE : keys[1], row, &error), 0);
    if (word[4] == '~')
        outcomes_find(outcomes, keys[0])->marks |= ROWS_OUTSIDE;
}

static void of_a_run(void)
{
    enum { A = 1 << 0, B = 1 << 2 };
    static const struct {
        const char *ran; /* in the form of `add` */
        uint64_t idle;
    } rows[] = {
        {"", 0},
        {"001=001", 0},
        {"001=001 101=001", A},                     /* all values of A, with the same B and H */
        {"001=001 101=101", 0},                     /* another machine code */
        {"001=001 101=001 011=011", 0},             /* B=1 has no pair */
        {"001=001 101=001 011=011 111=011", A},     /* both of each pair have one code */
        {"001=001 101=001 011=011 111=111", 0},     /* A matters with B=1 */
        {"001=001 101=001 011=011 111=!00", 0},     /* a failure is no pair */
        {"001=001 011=001 021=001", B},             /* three values of B */
        {"001=001 011=001 021=021", 0},             /* the third differs */
        {"001=001 011=001 021=001 101=101", 0},     /* A=1 has no pair of B */
        {"001=001 101=001 011=001 111=001", A | B}, /* both, through one original */
        {"001=001 101=001 002=001", 0},             /* H=2 has no pair of A; H itself is the host's */
        {"001=001 002=001", 0},                     /* differs only on the host */
        {"001=001 101=001 111=~00", A},             /* outside the set */
    };
    struct error error = {0};
    struct space *space = NULL;
    struct valid_set *set = NULL;
    CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, "k.space", text, strlen(text), source, &error), 0);
    CU_ASSERT_EQUAL_FATAL(space_bind(space, NULL, 0, NULL, &error), 0);
    CU_ASSERT_EQUAL_FATAL(valid_set_build(&set, space, 1 << 16, &error), 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct outcomes outcomes = {0};
        struct measurement measurements[8];
        uint64_t idle = 99;
        size_t count = 0;
        for (const char *word = rows[i].ran; *word; word += strcspn(word, " "), word += *word == ' ')
            add(&outcomes, set, word, &measurements[count++]);
        CU_ASSERT_EQUAL(idle_parameters(space, set, &outcomes, &idle, &error), 0);
        if (idle != rows[i].idle)
            fprintf(stderr, "row %zu: %llu\n", i, (unsigned long long)idle);
        CU_ASSERT_EQUAL(idle, rows[i].idle);
        outcomes_free(&outcomes);
    }
    valid_set_free(set);
    space_free(space);
}

CU_TestInfo tests_idle[] = {{"of a run", of_a_run}, CU_TEST_INFO_NULL};
