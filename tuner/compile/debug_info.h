/* Reads the members of a kernel's parameters and of variables from the debug information of a cubin, which the compiler
 * writes with the option -G, without a device. It is DWARF 2 to 4 (https://dwarfstd.org). */
#ifndef CUTUNE_COMPILE_DEBUG_INFO_H
#define CUTUNE_COMPILE_DEBUG_INFO_H

#include <stddef.h>
#include <stdint.h>

enum debug_kind {
    DEBUG_ANY, /* a union, bit-fields, or a type that is unknown here */
    DEBUG_POINTER,
    DEBUG_SIGNED,
    DEBUG_UNSIGNED, /* or an enumeration, or a truth value */
    DEBUG_FLOAT
};

enum { DEBUG_NAME_BYTES = 96, DEBUG_MEMBERS_MAX = 4096 };

/* A scalar in a type, those of nested structs and arrays included. */
struct debug_member {
    uint64_t offset, bytes;
    enum debug_kind kind;
    enum debug_kind pointed;     /* DEBUG_POINTER: kind of the target; DEBUG_ANY: a class, or unknown */
    uint64_t pointed_bytes;      /* size of that target */
    char name[DEBUG_NAME_BYTES]; /* "nested.dims[1]"; "": the type is a scalar itself */
    char type[DEBUG_NAME_BYTES]; /* in the notation of C++: "const float *" */
};

/* Lists the members of parameter `number` of a kernel, by its lowered name, or of a variable, by its name in the
 * machine code. Returns their number; 0: unknown, or more than DEBUG_MEMBERS_MAX. *members: for the caller to free.
 * Never reads outside of the cubin. */
size_t debug_parameter(const void *cubin, size_t bytes, const char *kernel, size_t number,
                       struct debug_member **members);
size_t debug_variable(const void *cubin, size_t bytes, const char *name, struct debug_member **members);

#endif
