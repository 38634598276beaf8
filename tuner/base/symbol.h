/* Names of variables in machine code. NVIDIA's compilers leave the name of a global variable as it is, and mangle one
 * in a namespace by the Itanium C++ ABI: _ZN2ns5tableE. Static variables, and those of namespaces without a name, get
 * further parts: _ZN27_INTERNAL_00000000_4_k_cu_k2ns5tableE. */
#ifndef CUTUNE_BASE_SYMBOL_H
#define CUTUNE_BASE_SYMBOL_H

#include <stdbool.h>
#include <stddef.h>

enum { SYMBOL_BYTES = 192 };

/* True if the symbol is the variable with this name: that in the source, "table" or "ns::table", or the symbol itself.
 */
bool symbol_is(const char *symbol, const char *name);

/* The last name of a variable, in the source or in machine code: "table" of "ns::table" and of _ZN2ns5tableILi4EE.
 * Borrows from `name`, and ends after `*length` characters. */
const char *symbol_word(const char *name, size_t *length);

/* Writes the name in the source of a variable's symbol: "ns::table" of _ZN2ns5tableE. A name that is mangled in another
 * way stays. Returns `name`. */
const char *symbol_name(const char *symbol, char name[SYMBOL_BYTES]);

/* Writes the symbol of a variable that is neither static nor in a namespace without a name. Returns `symbol`. */
const char *symbol_of(const char *name, char symbol[SYMBOL_BYTES]);

/* Finds the next symbol of the variable among all texts of the machine code, behind `after`, the one before, or NULL.
 * Borrows from the code. NULL: the end. */
const char *symbol_find(const void *code, size_t bytes, const char *name, const char *after);

#endif
