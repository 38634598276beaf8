#include "set/memo.h"

#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "base/random.h"

/* Keys of all lengths are found with their nodes; a prefix of a key is a different key. */
static void keys(void)
{
    enum { KEYS = 5000 };
    struct memo memo = {0};
    unsigned char key[64];
    bool is_new;
    size_t before = memo_bytes(&memo);
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < KEYS; i++) {
            uint64_t parts[] = {random_mix(1, i / 8), random_mix(2, i / 8)};
            memcpy(key, parts, sizeof parts);
            struct memo_entry *entry = memo_find(&memo, key, 1 + sizeof(uint64_t) + i % 8, &is_new);
            CU_ASSERT_PTR_NOT_NULL_FATAL(entry);
            CU_ASSERT_EQUAL(is_new, round == 0);
            if (is_new)
                entry->node = i;
            CU_ASSERT_EQUAL(entry->node, i);
        }
    CU_ASSERT(memo_bytes(&memo) > before + KEYS * 9);
    memo_free(&memo);
    CU_ASSERT_EQUAL(memo_bytes(&memo), before);
}

CU_TestInfo tests_memo[] = {{"keys", keys}, CU_TEST_INFO_NULL};
