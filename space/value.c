#include "space/value.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "lists/scalar_files.h"
#include "space/private.h"

/* Scalar type of each type's components. */
enum {
#define SCALAR(name, bytes, family, digits, texture, c_name)                                                           \
    FAMILY_##name = FAMILY_##family, TEXTURE_##name = (texture),                                                       \
    BITS_##name = (digits) + (FAMILY_##family == FAMILY_INT),
#define VECTOR(name, bytes, scalar, components)
#include "lists/types.def"
#undef SCALAR
#undef VECTOR
};

const struct element_type element_types[] = {
#define SCALAR(name, bytes, family, digits, texture, c_name)                                                           \
    {#name, c_name, bytes, 1, BITS_##name, SCALAR_##name, FAMILY_##family, texture},
#define VECTOR(name, bytes, scalar, components)                                                                        \
    {#name,                                                                                                            \
     #name,                                                                                                            \
     bytes,                                                                                                            \
     components,                                                                                                       \
     BITS_##scalar,                                                                                                    \
     SCALAR_##scalar,                                                                                                  \
     (enum scalar_family)FAMILY_##scalar,                                                                              \
     TEXTURE_##scalar && (components) != 3},
#include "lists/types.def"
#undef SCALAR
#undef VECTOR
};
const size_t element_type_count = sizeof element_types / sizeof *element_types;

const char *element_type_names(struct arena *arena)
{
    const char *text = element_types[0].name;
    for (size_t i = 1; i < element_type_count && text; i++)
        if (element_types[i].components == 1)
            text = arena_printf(arena, "%s, %s", text, element_types[i].name);
    return text ? arena_printf(arena, "%s, and CUDA's vectors of them, such as uchar4 and float2", text) : NULL;
}

const struct fill_row fills[FILL_COUNT] = {
    [FILL_FILE] =
        {"file", "file(\"NAME\")",
         "the first bytes of a file, as they are; the file is not shorter than the buffer. The file NAME.npy is "
         "an array of NumPy's, whose type and number of elements are those of the buffer: the components of a "
         "vector are its last axis, and bfloat16 are uint16",
         false},
    [FILL_KERNEL] =
        {"by", "by KERNEL(ARGUMENT, ...) block X, Y, Z grid X, Y, Z",
         "the output of a kernel of the source, compiled with the default configuration and called once as "
         "KERNEL(BUFFER, COUNT, ARGUMENT, ...). Its arguments are the buffer's address, the number of its elements "
         "as an integer of 32 or 64 bits, then earlier filled buffers and scalars with their type. Without `block` "
         "and `grid` it has a thread for each element, in blocks of 256; the parentheses may be left out",
         false},
#define FILL(NAME, name, zeros, meaning) [FILL_##NAME] = {#name, #name, meaning, zeros},
#include "lists/fills.def"
#undef FILL
};

const struct role_row buffer_roles[BUFFER_ROLES] = {
    [BUFFER_INPUT] = {"", "FILL", "read: no launch may write it", true, false},
    [BUFFER_OUTPUT] = {"output", "output",
                       "written, and compared with the reference's: the launches write all of it, and do not read its "
                       "earlier contents",
                       false, true},
    [BUFFER_INOUT] = {"inout", "FILL inout",
                      "read and written, and compared with the reference's: filled again before every run", true, true},
    [BUFFER_SCRATCH] = {"scratch", "scratch",
                        "written, then read, and not compared: its contents before a run are unspecified", false,
                        false},
};

bool scalar_encode(enum scalar scalar, double number, uint64_t *bits)
{
    double encoded = NAN;
    switch (scalar) {
#define ENCODE_INT(name)
#define ENCODE_UINT(name)
#define ENCODE_FLOAT(name)                                                                                             \
    *bits = name##_bits(number);                                                                                       \
    encoded = name##_value(*bits);
#define SCALAR(name, bytes, family, digits, texture, c_name)                                                           \
    case SCALAR_##name:                                                                                                \
        ENCODE_##family(name) break;
#define VECTOR(name, bytes, scalar, components)
#include "lists/types.def"
#undef SCALAR
#undef VECTOR
    }
    return isfinite(encoded);
}

const struct element_type *element_component(const struct element_type *type)
{
    const struct element_type *component = element_types;
    while (component->scalar != type->scalar || component->components > 1)
        component++;
    return component;
}

/* Stores one component of a vector. */
static void put_bytes(const struct element_type *type, uint64_t bits, unsigned char *bytes)
{
    for (uint32_t i = 0; i < type->bytes / type->components; i++)
        bytes[i] = (unsigned char)(bits >> (8 * i));
}

bool element_put_real(const struct element_type *type, double number, unsigned char *bytes)
{
    uint64_t bits = 0;
    bool fits = scalar_encode(type->scalar, number, &bits);
    put_bytes(type, bits, bytes);
    return fits;
}

bool element_put_integer(const struct element_type *type, int64_t number, unsigned char *bytes)
{
    bool is_signed = type->family == FAMILY_INT;
    int bits = (int)type->bits;
    if (is_signed ? bits < 64 && (number < -((int64_t)1 << (bits - 1)) || number >= (int64_t)1 << (bits - 1))
                  : number < 0 || (bits < 64 && number >= (int64_t)1 << bits))
        return false;
    put_bytes(type, (uint64_t)number, bytes);
    return true;
}

const char *value_text(const struct value *value, char *buffer, size_t room)
{
    switch (value->kind) {
    case VALUE_INT:
        snprintf(buffer, room, "%" PRId64, value->integer);
        break;
    case VALUE_FLOAT:
        /* The fewest digits that read back as the same float; 17 always suffice. */
        for (int digits = 6; digits <= 17; digits++) {
            text_format(buffer, room, "%.*g", digits, value->real);
            if (text_number(buffer, NULL) == value->real)
                break;
        }
        if (!strpbrk(buffer, ".e")) {
            size_t length = strlen(buffer);
            snprintf(buffer + length, room - length, ".0");
        }
        break;
    case VALUE_WORD:
        snprintf(buffer, room, "%s", value->word);
        break;
    }
    return buffer;
}

bool value_read(const char *text, struct value *value)
{
    const char *digits = text + (text[0] == '-');
    char *end = NULL;
    if ((digits[0] >= '0' && digits[0] <= '9') || digits[0] == '.') {
        if (digits[strspn(digits, "0123456789")] == '\0') {
            errno = 0;
            *value = (struct value){.kind = VALUE_INT, .integer = strtoll(text, &end, 10)};
            return errno == 0;
        }
        if (digits[strspn(digits, "0123456789.eE+-")] != '\0')
            return false;
        *value = (struct value){.kind = VALUE_FLOAT, .real = text_number(text, &end)};
        return *end == '\0' && end > digits && isfinite(value->real);
    }
    *value = (struct value){.kind = VALUE_WORD, .word = text};
    return digits == text && text[0] != '\0';
}

/* A float holds 53 of an integer's 64 bits: converting the integer could round it to a neighbour. */
static int compare_integer_real(int64_t integer, double real)
{
    if (real >= 0x1p63)
        return -1;
    if (real < -0x1p63)
        return 1;
    int64_t whole = (int64_t)real; /* towards 0 */
    double rest = real - (double)whole;
    return integer != whole ? (integer > whole) - (integer < whole) : (rest < 0) - (rest > 0);
}

int value_compare_numbers(const struct value *a, const struct value *b)
{
    if (a->kind == VALUE_INT && b->kind == VALUE_INT)
        return (a->integer > b->integer) - (a->integer < b->integer);
    if (a->kind == VALUE_FLOAT && b->kind == VALUE_FLOAT)
        return (a->real > b->real) - (a->real < b->real);
    return a->kind == VALUE_INT ? compare_integer_real(a->integer, b->real)
                                : -compare_integer_real(b->integer, a->real);
}

bool value_equal(const struct value *a, const struct value *b)
{
    if (a->kind == VALUE_WORD || b->kind == VALUE_WORD)
        return a->kind == b->kind && a->word == b->word;
    return value_compare_numbers(a, b) == 0;
}

int value_order(const struct value *a, const struct value *b)
{
    bool a_word = a->kind == VALUE_WORD, b_word = b->kind == VALUE_WORD;
    if (a_word || b_word)
        return a_word && b_word ? strcmp(a->word, b->word) : a_word - b_word;
    int order = value_compare_numbers(a, b);
    return order ? order : (a->kind > b->kind) - (a->kind < b->kind);
}

bool value_duplicate(const struct value *value, struct value *duplicate)
{
    if (value->kind == VALUE_INT)
        *duplicate = (struct value){.kind = VALUE_FLOAT, .real = (double)value->integer};
    else if (value->kind == VALUE_FLOAT && value->real >= -0x1p63 && value->real < 0x1p63)
        *duplicate = (struct value){.kind = VALUE_INT, .integer = (int64_t)value->real};
    else
        return false;
    return value_compare_numbers(value, duplicate) == 0;
}
