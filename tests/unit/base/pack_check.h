/* Checks for every table of fields, for the suites of the layers that have one. */
#ifndef CUTUNE_TESTS_PACK_CHECK_H
#define CUTUNE_TESTS_PACK_CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "base/pack.h"

/* A member that is deliberately not packed. */
struct pack_left_out {
    size_t offset, bytes;
};
#define LEFT_OUT(type, member)                                                                                         \
    {                                                                                                                  \
        offsetof(type, member), sizeof((type *)0)->member                                                              \
    }

static inline void pack_mark(char *covered, size_t offset, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        CU_ASSERT(!covered[offset + i]); /* no member packed twice */
        covered[offset + i] = 1;
    }
}

/* Checks that the table lists all members of its struct: bytes that no field covers must be padding. */
static inline void expect_complete(const char *name, const struct pack_table *table, const struct pack_left_out *left,
                                   size_t left_count)
{
    char *covered = calloc(table->bytes + 1, 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(covered);
    for (size_t i = 0; i < left_count; i++)
        pack_mark(covered, left[i].offset, left[i].bytes);
    for (size_t i = 0; i < table->field_count; i++) {
        const struct pack_field *field = &table->fields[i];
        pack_mark(covered, field->offset, field->bytes * field->count);
        bool shared = false; /* with an earlier field */
        for (size_t j = 0; j < i; j++)
            shared |= table->fields[j].other_bytes && table->fields[j].other_offset == field->other_offset;
        pack_mark(covered, field->other_offset, shared ? 0 : field->other_bytes);
        if (field->table)
            expect_complete(name, field->table, NULL, 0);
        if (field->table)
            CU_ASSERT_EQUAL(field->table->bytes, field->bytes);
    }
    for (size_t from = 0; from < table->bytes; from++) {
        size_t to = from;
        while (to < table->bytes && !covered[to])
            to++;
        size_t alignment = to - from < 2 ? 2 : to - from < 4 ? 4 : 8;
        bool padding = to - from < 8 && to % alignment == 0;
        if (to > from && !padding)
            fprintf(stderr, "\n%s: no field has the bytes %zu to %zu", name, from, to - 1);
        CU_ASSERT(to == from || padding);
        from = to;
    }
    free(covered);
}

/* Unpacks bytes at the end of an allocation, so that a sanitizer detects reads beyond it. If they are accepted, packs
 * the struct again into `again`. */
static inline bool pack_again(const struct pack_table *table, const char *bytes, size_t length, struct text *again)
{
    char *copy = malloc(length + 1), *to = malloc(table->bytes);
    CU_ASSERT_PTR_NOT_NULL_FATAL(copy);
    CU_ASSERT_PTR_NOT_NULL_FATAL(to);
    memcpy(copy + 1, bytes, length);
    bool accepted = unpack_whole(copy + 1, length, table, to);
    text_clear(again);
    if (accepted)
        pack_struct(again, table, to);
    CU_ASSERT_FATAL(accepted || (to[0] == 0 && memcmp(to, to + 1, table->bytes - 1) == 0)); /* all are zero */
    free(copy);
    free(to);
    return accepted;
}

/* A struct survives packing. Truncated or extended by a byte, it is refused; with any bit changed, it is refused or
 * unpacks to another struct, without meaningless bytes. */
static inline void expect_travels(const char *name, const struct pack_table *table, const void *from)
{
    struct text packed = {0}, again = {0};
    pack_struct(&packed, table, from);
    CU_ASSERT_FATAL(!packed.failed && packed.length > 0);
    bool same = pack_again(table, packed.bytes, packed.length, &again) && again.length == packed.length &&
                memcmp(again.bytes, packed.bytes, packed.length) == 0;
    if (!same)
        fprintf(stderr, "\n%s does not come back", name);
    CU_ASSERT(same);
    for (size_t cut = 0; cut < packed.length; cut++)
        CU_ASSERT(!pack_again(table, packed.bytes, cut, &again));
    for (size_t bit = 0; bit < 8 * packed.length; bit++) {
        packed.bytes[bit / 8] ^= (char)(1 << bit % 8);
        if (pack_again(table, packed.bytes, packed.length, &again))
            CU_ASSERT(again.length == packed.length && memcmp(again.bytes, packed.bytes, packed.length) == 0);
        packed.bytes[bit / 8] ^= (char)(1 << bit % 8);
    }
    text_append(&packed, "", 1);
    CU_ASSERT(!pack_again(table, packed.bytes, packed.length, &again));
    text_free(&again);
    text_free(&packed);
}

#endif
