#include "elements.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    uint8_t code, bits;
} scalars[] = {
    {"char", DLPACK_INT, 8},         {"uchar", DLPACK_UINT, 8},     {"short", DLPACK_INT, 16},
    {"ushort", DLPACK_UINT, 16},     {"int", DLPACK_INT, 32},       {"uint", DLPACK_UINT, 32},
    {"long", DLPACK_INT, 64},        {"ulong", DLPACK_UINT, 64},    {"half", DLPACK_FLOAT, 16},
    {"float", DLPACK_FLOAT, 32},     {"double", DLPACK_FLOAT, 64},  {"bool", DLPACK_BOOL, 8},
    {"int8_t", DLPACK_INT, 8},       {"uint8_t", DLPACK_UINT, 8},   {"int16_t", DLPACK_INT, 16},
    {"uint16_t", DLPACK_UINT, 16},   {"int32_t", DLPACK_INT, 32},   {"uint32_t", DLPACK_UINT, 32},
    {"int64_t", DLPACK_INT, 64},     {"uint64_t", DLPACK_UINT, 64}, {"size_t", DLPACK_UINT, 64},
    {"bfloat16", DLPACK_BFLOAT, 16},
};

void element_find(const char *name, struct element *element)
{
    *element = (struct element){0};
    for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++) {
        size_t length = strlen(scalars[i].name);
        const char *rest = name + length;
        if (strncmp(name, scalars[i].name, length) == 0 && (!*rest || (*rest >= '2' && *rest <= '4' && !rest[1])))
            *element = (struct element){scalars[i].code, scalars[i].bits, *rest ? (uint8_t)(*rest - '0') : 1};
    }
}

int element_matches(const struct element *element, const struct array *array)
{
    if (array->code == element->code && array->bits == element->bits)
        return array->lanes == 1 || array->lanes == element->components;
    if (!element->components)
        return 1;
    if (array->lanes != 1)
        return 0;
    if (array->code == DLPACK_OPAQUE)
        return array->bits == element->bits || array->bits == element->bits * element->components;
    if (array->code == DLPACK_COMPLEX)
        return element->code == DLPACK_FLOAT && element->components == 2 && array->bits == 2 * element->bits;
    return array->code >= DLPACK_FLOAT8_FIRST && array->code <= DLPACK_FLOAT8_LAST && element->bits == 8;
}
