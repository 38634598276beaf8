#include <stdlib.h>

#include <CUnit/Basic.h>

#include "base/error.h"
#include "base/hash_table.h"

enum { ITEMS = 20000 };

static uint64_t items[ITEMS];
static size_t asked;

static bool same(const void *owner, uint32_t item, const void *key)
{
    asked++;
    return ((const uint64_t *)owner)[item] == *(const uint64_t *)key;
}

static struct hash_key key_of(const uint64_t *value, uint64_t hash)
{
    return (struct hash_key){hash, same, items, value};
}

/* Hashes from well mixed to all equal; they never affect the result. */
static const struct row {
    uint64_t multiplier, mask;
    size_t count;
} rows[] = {
    {0x9e3779b97f4a7c15, UINT64_MAX, ITEMS}, {1, UINT64_MAX, ITEMS}, {1, 15, 500}, {0, 0, 300},
    {(uint64_t)1 << 32, UINT64_MAX, 300}, /* the lower half of each hash is 0 */
};

static void finds_each(void)
{
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const struct row *row = &rows[r];
        struct hash_table table = {0};
        for (int round = 0; round < 2; round++)
            for (size_t i = 0; i < row->count; i++) {
                const uint64_t value = i * 3;
                const struct hash_key key = key_of(&value, (value * row->multiplier) & row->mask);
                uint32_t item = round ? 4711 : (uint32_t)i;
                CU_ASSERT_EQUAL(hash_table_find(&table, &key), round ? i : HASH_TABLE_NONE);
                CU_ASSERT_EQUAL(hash_table_put(&table, &key, &item), 0);
                CU_ASSERT_EQUAL(item, i);
                items[i] = value;
            }
        CU_ASSERT_EQUAL(table.count, row->count);
        CU_ASSERT(3 * table.count <= 2 * table.size);
        hash_table_free(&table);
        CU_ASSERT_EQUAL(table.count, 0);
        CU_ASSERT_EQUAL(hash_table_bytes(&table), 0);
    }
}

static void knows_only_what_was_put(void)
{
    const uint64_t there = 1, absent = 2;
    const struct hash_key key = key_of(&there, 77), other = key_of(&absent, 77), prior_runs = key_of(&there, 78);
    struct hash_table table = {0};
    uint32_t item = 0;
    CU_ASSERT_EQUAL(hash_table_find(&table, &key), HASH_TABLE_NONE);
    CU_ASSERT_EQUAL(hash_table_put(&table, &key, &item), 0);
    items[0] = there;
    CU_ASSERT_EQUAL(hash_table_find(&table, &key), 0);
    CU_ASSERT_EQUAL(hash_table_find(&table, &other), HASH_TABLE_NONE);
    CU_ASSERT_EQUAL(hash_table_find(&table, &prior_runs), HASH_TABLE_NONE);
    CU_ASSERT_EQUAL(hash_table_bytes(&table), table.size * 8);
    hash_table_free(&table);
}

/* Items are compared only if the hash agrees. */
static void asks_little(void)
{
    struct hash_table table = {0};
    asked = 0;
    for (uint32_t i = 0; i < ITEMS; i++) {
        uint32_t item = i;
        items[i] = i;
        const struct hash_key key = key_of(&items[i], i * 0x9e3779b97f4a7c15u);
        CU_ASSERT_EQUAL(hash_table_put(&table, &key, &item), 0);
    }
    CU_ASSERT_EQUAL(asked, 0);
    hash_table_free(&table);
}

static void numbers_end(void)
{
    const uint64_t value = 5;
    const struct hash_key key = key_of(&value, 5);
    struct hash_table table = {0};
    uint32_t item = HASH_TABLE_NONE;
    CU_ASSERT_EQUAL(hash_table_put(&table, &key, &item), ERROR_MEMORY);
    CU_ASSERT_EQUAL(table.count, 0);
    CU_ASSERT_EQUAL(hash_table_find(&table, &key), HASH_TABLE_NONE);
    item = HASH_TABLE_NONE - 1;
    CU_ASSERT_EQUAL(hash_table_put(&table, &key, &item), 0);
    hash_table_free(&table);
}

CU_TestInfo tests_hash_table[] = {{"finds each key, whatever the hashes", finds_each},
                                  {"finds only the items put into it", knows_only_what_was_put},
                                  {"asks only where the hash agrees", asks_little},
                                  {"numbers end", numbers_end},
                                  CU_TEST_INFO_NULL};
