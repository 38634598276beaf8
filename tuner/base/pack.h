/* Packs values as bytes for other processes, on this or another host: integers as 8 bytes, little-endian;
 * floating-point numbers as IEEE doubles; strings and byte ranges with their length in front. Structs are never copied
 * raw: a table of their fields drives packing and unpacking.
 *
 * Reading never goes beyond the end. The first missing, overlong or out-of-range value sets `failed` for good: unpack
 * freely, check once at the end. */
#ifndef CUTUNE_BASE_PACK_H
#define CUTUNE_BASE_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* The version of all packed data. Both ends of a conversation compare it (base/worker.h). Increment it with every
 * change to a table, a kind of message or this format. */
enum { PACK_VERSION = 18 };

/* ---- Single values ---- */

/* Stores or loads the 8 bytes at `bytes`. */
void pack_store(unsigned char bytes[8], uint64_t number);
uint64_t pack_load(const unsigned char bytes[8]);

/* Append to `text`, whose `failed` is set when out of memory. */
void pack_u64(struct text *text, uint64_t number);
void pack_f64(struct text *text, double number);
void pack_bytes(struct text *text, const void *bytes, size_t length);
void pack_string(struct text *text, const char *string);

struct unpack {
    const char *at, *end; /* the unread bytes */
    bool failed;          /* later results are zero or empty */
};
/* Reads `length` borrowed bytes. */
struct unpack unpack_start(const void *bytes, size_t length);
uint64_t unpack_u64(struct unpack *unpack);
double unpack_f64(struct unpack *unpack);
/* Borrowed, never NULL. */
const void *unpack_bytes(struct unpack *unpack, size_t *length);
/* Borrowed, NUL-terminated, never NULL. A string contains no other NUL. */
const char *unpack_string(struct unpack *unpack);
/* True if everything succeeded and no byte is left. */
bool unpack_finished(const struct unpack *unpack);

/* ---- Structs ---- */

enum pack_kind {
    PACK_KIND_UNSIGNED, /* bool, enum, unsigned integers */
    PACK_KIND_SIGNED,
    PACK_KIND_REAL,    /* double */
    PACK_KIND_TEXT,    /* char array with a string */
    PACK_KIND_RAW,     /* unsigned char array, all of it */
    PACK_KIND_STRING,  /* const char * */
    PACK_KIND_RANGE,   /* const void * and, in `other`, its length */
    PACK_KIND_STRINGS, /* const char * to consecutive strings and, in `other`, their number */
    PACK_KIND_ROWS,    /* array of structs and, in `other`, the number in use */
};

/* Fields may have the same member as `other`; their lengths are then equal, or unpacking fails. */
struct pack_table;
struct pack_field {
    enum pack_kind kind;
    uint16_t bytes;       /* size of the member; of an element for an array of numbers or structs */
    uint16_t other_bytes; /* size of the member at other_offset; 0: none */
    size_t offset, other_offset;
    size_t count;   /* elements of an array; otherwise 1 */
    uint64_t limit; /* exclusive upper limit of integers; 0: all that fit the member */
    const struct pack_table *table;
};

/* The fields of a struct, in packed order. */
struct pack_table {
    size_t bytes; /* of the struct */
    size_t field_count;
    const struct pack_field *fields;
};

/* Defines a table: PACK_TABLE for other files to use, PACK_OWN_TABLE for its own file only. */
#define PACK_TABLE_AS(storage, name, type, ...)                                                                        \
    static const struct pack_field name##_fields[] = {__VA_ARGS__};                                                    \
    storage const struct pack_table name = {sizeof(type), sizeof name##_fields / sizeof *name##_fields, name##_fields}
#define PACK_TABLE(name, type, ...)     PACK_TABLE_AS(, name, type, __VA_ARGS__)
#define PACK_OWN_TABLE(name, type, ...) PACK_TABLE_AS(static, name, type, __VA_ARGS__)

#define PACK_MEMBER(type, member) (((type *)0)->member)
/* clang-format off */
#define PACK_KIND_OF(number)                                                                                           \
    _Generic(number, double: PACK_KIND_REAL, int: PACK_KIND_SIGNED, long: PACK_KIND_SIGNED,                            \
             long long: PACK_KIND_SIGNED, default: PACK_KIND_UNSIGNED)
#define PACK_LIMIT_OF(number, end) _Generic(number, bool: 2, default: (end))
/* clang-format on */

/* A bool, enum, integer or double. Integers must be below `end` (0: no limit); signed ones may also be -1. */
#define PACK_BELOW(type, member, end)                                                                                  \
    {                                                                                                                  \
        .kind = PACK_KIND_OF(PACK_MEMBER(type, member)), .bytes = sizeof PACK_MEMBER(type, member),                    \
        .offset = offsetof(type, member), .count = 1, .limit = PACK_LIMIT_OF(PACK_MEMBER(type, member), end)           \
    }
#define PACK_NUMBER(type, member) PACK_BELOW(type, member, 0)
/* An array of numbers. */
#define PACK_NUMBERS(type, member)                                                                                     \
    {                                                                                                                  \
        .kind = PACK_KIND_OF(*PACK_MEMBER(type, member)), .bytes = sizeof *PACK_MEMBER(type, member),                  \
        .offset = offsetof(type, member),                                                                              \
        .count = sizeof PACK_MEMBER(type, member) / sizeof *PACK_MEMBER(type, member)                                  \
    }
/* Arrays of char with a string, and of bytes. */
#define PACK_ARRAY(kind_, type, member)                                                                                \
    {                                                                                                                  \
        .kind = kind_, .bytes = sizeof PACK_MEMBER(type, member), .offset = offsetof(type, member), .count = 1         \
    }
#define PACK_TEXT(type, member) PACK_ARRAY(PACK_KIND_TEXT, type, member)
#define PACK_RAW(type, member)  PACK_ARRAY(PACK_KIND_RAW, type, member)
/* Pointers, unpacked as borrowed bytes. */
#define PACK_STRING(type, member) PACK_ARRAY(PACK_KIND_STRING, type, member)
#define PACK_WITH(kind_, type, member, other)                                                                          \
    {                                                                                                                  \
        .kind = kind_, .bytes = sizeof PACK_MEMBER(type, member), .other_bytes = sizeof PACK_MEMBER(type, other),      \
        .offset = offsetof(type, member), .other_offset = offsetof(type, other), .count = 1                            \
    }
#define PACK_RANGE(type, member, length)  PACK_WITH(PACK_KIND_RANGE, type, member, length)
#define PACK_STRINGS(type, member, count) PACK_WITH(PACK_KIND_STRINGS, type, member, count)
/* A member that is a struct with its own table, and an array of such structs, of which the first `used` are packed. */
#define PACK_STRUCT(type, member, table_)                                                                              \
    {                                                                                                                  \
        .kind = PACK_KIND_ROWS, .bytes = sizeof PACK_MEMBER(type, member), .offset = offsetof(type, member),           \
        .count = 1, .table = &(table_)                                                                                 \
    }
#define PACK_ROWS(type, member, used, table_)                                                                          \
    {                                                                                                                  \
        .kind = PACK_KIND_ROWS, .bytes = sizeof *PACK_MEMBER(type, member),                                            \
        .other_bytes = sizeof PACK_MEMBER(type, used), .offset = offsetof(type, member),                               \
        .other_offset = offsetof(type, used),                                                                          \
        .count = sizeof PACK_MEMBER(type, member) / sizeof *PACK_MEMBER(type, member), .table = &(table_)              \
    }

/* A string that is NULL is packed as "". */
void pack_struct(struct text *text, const struct pack_table *table, const void *from);
/* Unpacks a struct. Zeroes members that the table does not list, and everything on failure. Pointers borrow from the
 * bytes. True if everything succeeded so far. */
bool unpack_struct(struct unpack *unpack, const struct pack_table *table, void *to);
/* Unpacks bytes that hold this struct and nothing else. */
bool unpack_whole(const void *bytes, size_t length, const struct pack_table *table, void *to);

#endif
