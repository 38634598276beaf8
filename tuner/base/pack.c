#include "base/pack.h"

#include <string.h>

/* ---- Single values ---- */

void pack_store(unsigned char bytes[8], uint64_t number)
{
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(number >> 8 * i);
}

uint64_t pack_load(const unsigned char bytes[8])
{
    uint64_t number = 0;
    for (int i = 0; i < 8; i++)
        number |= (uint64_t)bytes[i] << 8 * i;
    return number;
}

void pack_u64(struct text *text, uint64_t number)
{
    unsigned char bytes[8];
    pack_store(bytes, number);
    text_append(text, bytes, sizeof bytes);
}

void pack_f64(struct text *text, double number)
{
    uint64_t bits;
    _Static_assert(sizeof bits == sizeof number, "a double has 8 bytes");
    memcpy(&bits, &number, sizeof bits);
    pack_u64(text, bits);
}

void pack_bytes(struct text *text, const void *bytes, size_t length)
{
    pack_u64(text, length);
    text_append(text, bytes, length);
}

void pack_string(struct text *text, const char *string)
{
    pack_bytes(text, string, strlen(string) + 1);
}

struct unpack unpack_start(const void *bytes, size_t length)
{
    const char *at = length ? bytes : "";
    return (struct unpack){.at = at, .end = at + length};
}

/* NULL if fewer bytes are left. */
static const void *take(struct unpack *unpack, uint64_t length)
{
    if (unpack->failed || length > (uint64_t)(unpack->end - unpack->at)) {
        unpack->failed = true;
        return NULL;
    }
    const void *bytes = unpack->at;
    unpack->at += length;
    return bytes;
}

uint64_t unpack_u64(struct unpack *unpack)
{
    const unsigned char *bytes = take(unpack, 8);
    return bytes ? pack_load(bytes) : 0;
}

double unpack_f64(struct unpack *unpack)
{
    uint64_t bits = unpack_u64(unpack);
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

const void *unpack_bytes(struct unpack *unpack, size_t *length)
{
    uint64_t size = unpack_u64(unpack);
    const void *bytes = take(unpack, size);
    *length = bytes ? (size_t)size : 0;
    return bytes ? bytes : "";
}

const char *unpack_string(struct unpack *unpack)
{
    size_t length;
    const char *string = unpack_bytes(unpack, &length);
    if (length == 0 || memchr(string, '\0', length) != string + length - 1) {
        unpack->failed = true;
        return "";
    }
    return string;
}

bool unpack_finished(const struct unpack *unpack)
{
    return !unpack->failed && unpack->at == unpack->end;
}

/* ---- Integers of any width in a struct ---- */

#define EACH_WIDTH(signedness, WIDTH)                                                                                  \
    WIDTH(signedness##8_t) WIDTH(signedness##16_t) WIDTH(signedness##32_t) WIDTH(signedness##64_t)

static uint64_t load_unsigned(const char *at, size_t bytes)
{
#define WIDTH(type)                                                                                                    \
    if (bytes == sizeof(type)) {                                                                                       \
        type number;                                                                                                   \
        memcpy(&number, at, sizeof number);                                                                            \
        return (uint64_t)number;                                                                                       \
    }
    EACH_WIDTH(uint, WIDTH)
    return 0;
}

static uint64_t load_signed(const char *at, size_t bytes)
{
    EACH_WIDTH(int, WIDTH)
#undef WIDTH
    return 0;
}

/* Returns false if the number does not fit. */
static bool store_unsigned(char *at, size_t bytes, uint64_t number)
{
#define WIDTH(type)                                                                                                    \
    if (bytes == sizeof(type)) {                                                                                       \
        type narrow = (type)number;                                                                                    \
        memcpy(at, &narrow, sizeof narrow);                                                                            \
        return (uint64_t)narrow == number;                                                                             \
    }
    EACH_WIDTH(uint, WIDTH)
    return false;
}

static bool store_signed(char *at, size_t bytes, uint64_t number)
{
    EACH_WIDTH(int, WIDTH)
#undef WIDTH
    return false;
}

static bool is_below(const struct pack_field *field, uint64_t number)
{
    return field->limit == 0 || number < field->limit || (field->kind == PACK_KIND_SIGNED && number == UINT64_MAX);
}

/* ---- Structs ---- */

static const char *pointer_at(const void *member)
{
    const char *pointer;
    memcpy(&pointer, member, sizeof pointer);
    return pointer;
}

static void write_rows(struct text *text, const struct pack_field *field, const char *at, uint64_t used)
{
    if (field->other_bytes)
        pack_u64(text, used);
    for (uint64_t i = 0; i < (field->other_bytes ? used : field->count); i++)
        pack_struct(text, field->table, at + i * field->bytes);
}

static void write_field(struct text *text, const struct pack_field *field, const char *at, uint64_t other)
{
    double real;
    switch (field->kind) {
    case PACK_KIND_UNSIGNED:
        pack_u64(text, load_unsigned(at, field->bytes));
        break;
    case PACK_KIND_SIGNED:
        pack_u64(text, load_signed(at, field->bytes));
        break;
    case PACK_KIND_REAL:
        memcpy(&real, at, sizeof real);
        pack_f64(text, real);
        break;
    case PACK_KIND_TEXT:
        pack_string(text, at);
        break;
    case PACK_KIND_RAW:
        text_append(text, at, field->bytes);
        break;
    case PACK_KIND_STRING:
        pack_string(text, pointer_at(at) ? pointer_at(at) : "");
        break;
    case PACK_KIND_RANGE:
        pack_bytes(text, pointer_at(at), (size_t)other);
        break;
    case PACK_KIND_STRINGS:
        pack_u64(text, other);
        pack_bytes(text, pointer_at(at), text_strings_bytes(pointer_at(at), other));
        break;
    case PACK_KIND_ROWS:
        write_rows(text, field, at, other);
        break;
    }
}

static bool has_elements(const struct pack_field *field)
{
    return field->kind == PACK_KIND_UNSIGNED || field->kind == PACK_KIND_SIGNED || field->kind == PACK_KIND_REAL;
}

void pack_struct(struct text *text, const struct pack_table *table, const void *from)
{
    for (size_t f = 0; f < table->field_count; f++) {
        const struct pack_field *field = &table->fields[f];
        const char *at = (const char *)from + field->offset;
        uint64_t other = load_unsigned((const char *)from + field->other_offset, field->other_bytes);
        for (size_t i = 0; i < (has_elements(field) ? field->count : 1); i++)
            write_field(text, field, at + i * field->bytes, other);
    }
}

static void read_integer(struct unpack *unpack, const struct pack_field *field, char *at)
{
    uint64_t number = unpack_u64(unpack);
    bool fits = field->kind == PACK_KIND_SIGNED ? store_signed(at, field->bytes, number)
                                                : store_unsigned(at, field->bytes, number);
    if (!fits || !is_below(field, number))
        unpack->failed = true;
}

static void read_text(struct unpack *unpack, const struct pack_field *field, char *at)
{
    const char *string = unpack_string(unpack);
    size_t bytes = strlen(string) + 1;
    if (bytes > field->bytes)
        unpack->failed = true;
    else
        memcpy(at, string, bytes);
}

static const char *read_strings(struct unpack *unpack, uint64_t *count)
{
    size_t length;
    uint64_t found = 0;
    *count = unpack_u64(unpack);
    const char *strings = unpack_bytes(unpack, &length);
    for (size_t i = 0; i < length; i++)
        found += strings[i] == '\0';
    if (found != *count || (length && strings[length - 1] != '\0'))
        unpack->failed = true;
    return strings;
}

static uint64_t read_rows(struct unpack *unpack, const struct pack_field *field, char *at)
{
    uint64_t used = field->other_bytes ? unpack_u64(unpack) : field->count;
    if (used > field->count)
        unpack->failed = true;
    for (uint64_t i = 0; i < used && !unpack->failed; i++)
        unpack_struct(unpack, field->table, at + i * field->bytes);
    return used;
}

/* Unpacks a field into `at`. Returns the value of the field's other member. */
static uint64_t read_field(struct unpack *unpack, const struct pack_field *field, char *at)
{
    double real;
    const void *pointer = NULL, *raw;
    size_t length;
    uint64_t other = 0;
    switch (field->kind) {
    case PACK_KIND_UNSIGNED:
    case PACK_KIND_SIGNED:
        read_integer(unpack, field, at);
        break;
    case PACK_KIND_REAL:
        real = unpack_f64(unpack);
        memcpy(at, &real, sizeof real);
        break;
    case PACK_KIND_TEXT:
        read_text(unpack, field, at);
        break;
    case PACK_KIND_RAW:
        if ((raw = take(unpack, field->bytes)))
            memcpy(at, raw, field->bytes);
        break;
    case PACK_KIND_STRING:
        pointer = unpack_string(unpack);
        break;
    case PACK_KIND_RANGE:
        pointer = unpack_bytes(unpack, &length);
        other = length;
        break;
    case PACK_KIND_STRINGS:
        pointer = read_strings(unpack, &other);
        break;
    case PACK_KIND_ROWS:
        other = read_rows(unpack, field, at);
        break;
    }
    if (pointer)
        memcpy(at, &pointer, sizeof pointer);
    return other;
}

/* Stores the count. True if it fits the member and agrees with an earlier field that has the same member for it. */
static bool store_count(const struct pack_table *table, size_t f, char *to, uint64_t count)
{
    const struct pack_field *field = &table->fields[f];
    for (size_t g = 0; g < f; g++)
        if (table->fields[g].other_bytes && table->fields[g].other_offset == field->other_offset)
            return load_unsigned(to + field->other_offset, field->other_bytes) == count;
    return store_unsigned(to + field->other_offset, field->other_bytes, count);
}

bool unpack_struct(struct unpack *unpack, const struct pack_table *table, void *to)
{
    memset(to, 0, table->bytes);
    for (size_t f = 0; f < table->field_count && !unpack->failed; f++) {
        const struct pack_field *field = &table->fields[f];
        char *at = (char *)to + field->offset;
        uint64_t other = 0;
        for (size_t i = 0; i < (has_elements(field) ? field->count : 1); i++)
            other = read_field(unpack, field, at + i * field->bytes);
        if (field->other_bytes && !store_count(table, f, to, other))
            unpack->failed = true;
    }
    if (unpack->failed)
        memset(to, 0, table->bytes);
    return !unpack->failed;
}

bool unpack_whole(const void *bytes, size_t length, const struct pack_table *table, void *to)
{
    struct unpack unpack = unpack_start(bytes, length);
    if (unpack_struct(&unpack, table, to) && unpack_finished(&unpack))
        return true;
    memset(to, 0, table->bytes);
    return false;
}
