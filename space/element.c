#include <math.h>

#include "lists/scalar_files.h"
#include "space/space.h"

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
        {"by", "by KERNEL \"FILE.cu\" (ARGUMENT, ...) block X, Y, Z grid X, Y, Z",
         "a kernel of the source, compiled with the default configuration and called once as KERNEL(BUFFER, COUNT, "
         "ARGUMENT, ...). Its arguments are the buffer's address, the number of its elements as an integer of 32 "
         "or 64 bits, then filled buffers above and scalars with their type. Without `block` and `grid` it has "
         "a thread for each element, in blocks of 256; the parentheses may be left out. With FILE.cu, the kernel is in "
         "that file instead of the source, as in `reference`",
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
                        "written, then read, and not compared: what it contains before a run is unspecified", false,
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

/* Writes one component of a vector. */
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
