#include "compile/cubin.h"

#include <elf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/symbol.h"

/* Constants of NVIDIA's ELF format, which is undocumented. tests/unit/compile/test_cubin.c compares the results with
 * the assembler's own output for every architecture that it knows. */
enum {
    MACHINE_CUDA = 190,
    SYMBOL_IS_KERNEL = 0x10, /* in st_other */

    FORMAT_SIZED = 4, /* an attribute with a 16-bit length and that many bytes; formats 1, 2 and 3 have only 16 bits */
    ATTRIBUTE_MAX_THREADS = 0x05,
    ATTRIBUTE_REQUIRED_THREADS = 0x10,
    ATTRIBUTE_FRAME_SIZE = 0x11,
    ATTRIBUTE_STACK_SIZE = 0x12, /* stack of the kernel and of all functions that it calls */
    ATTRIBUTE_PARAMETER = 0x17,
    ATTRIBUTE_REGISTERS = 0x2f,
    ATTRIBUTE_LARGE_PARAMETER = 0x45, /* instead, in a kernel with a parameter of more than about 16 KiB */

    SHARED_RESERVED_BYTES = 1024,
};

struct elf {
    const char *bytes;
    size_t size;
    Elf64_Ehdr header;
    Elf64_Shdr names; /* the section with the names of sections */
};

/* True if `length` bytes at `offset` are inside the file. */
static bool inside(const struct elf *elf, uint64_t offset, uint64_t length)
{
    return offset <= elf->size && length <= elf->size - offset;
}

/* Copies, because data in a damaged file may be unaligned. */
static bool read_at(const struct elf *elf, uint64_t offset, void *to, size_t length)
{
    if (!inside(elf, offset, length))
        return false;
    memcpy(to, elf->bytes + offset, length);
    return true;
}

static bool read_section(const struct elf *elf, size_t index, Elf64_Shdr *section)
{
    return index < elf->header.e_shnum && inside(elf, elf->header.e_shoff, 0) &&
           read_at(elf, elf->header.e_shoff + index * sizeof *section, section, sizeof *section);
}

/* True if the string at `offset` of a string table consists of `first` and `second`. */
static bool spells(const struct elf *elf, const Elf64_Shdr *strings, uint64_t offset, const char *first,
                   const char *second)
{
    size_t first_length = strlen(first), second_length = strlen(second) + 1;
    if (!inside(elf, strings->sh_offset, strings->sh_size) || offset > strings->sh_size ||
        first_length + second_length > strings->sh_size - offset)
        return false;
    const char *at = elf->bytes + strings->sh_offset + offset;
    return memcmp(at, first, first_length) == 0 && memcmp(at + first_length, second, second_length) == 0;
}

static bool open_elf(struct elf *elf)
{
    return read_at(elf, 0, &elf->header, sizeof elf->header) && memcmp(elf->header.e_ident, ELFMAG, SELFMAG) == 0 &&
           elf->header.e_ident[EI_CLASS] == ELFCLASS64 && elf->header.e_ident[EI_DATA] == ELFDATA2LSB &&
           elf->header.e_machine == MACHINE_CUDA && elf->header.e_shentsize == sizeof(Elf64_Shdr) &&
           read_section(elf, elf->header.e_shstrndx, &elf->names);
}

bool cubin_section(const void *cubin, size_t bytes, const char *name, const void **section, size_t *length)
{
    struct elf elf = {.bytes = cubin, .size = bytes};
    if (!open_elf(&elf))
        return false;
    for (size_t i = 0; i < elf.header.e_shnum; i++) {
        Elf64_Shdr found;
        if (!read_section(&elf, i, &found))
            return false;
        if (!spells(&elf, &elf.names, found.sh_name, name, "") || found.sh_type == SHT_NOBITS)
            continue;
        if (!inside(&elf, found.sh_offset, found.sh_size))
            return false;
        *section = elf.bytes + found.sh_offset;
        *length = (size_t)found.sh_size;
        return true;
    }
    return false;
}

int64_t cubin_capability(const void *cubin, size_t bytes)
{
    enum { NEW_ABI = 8, NEW_SHIFT = 8, NUMBER = 0xff };
    struct elf elf = {.bytes = cubin, .size = bytes};
    if (!open_elf(&elf))
        return -1;
    return elf.header.e_flags >> (elf.header.e_ident[EI_ABIVERSION] >= NEW_ABI ? NEW_SHIFT : 0) & NUMBER;
}

/* The sections that describe a kernel. */
struct places {
    Elf64_Shdr text, shared, info, kernel_info, symbols;
    bool has_text, has_shared, has_info, has_kernel_info, has_symbols;
    bool reserves_shared; /* the sizes of shared sections include the system's reserve */
    uint64_t constant_bytes;
};

/* NOBITS sections and empty ones have no bytes in the file, so only sections that are read must lie inside of it. */
static bool find_sections(const struct elf *elf, const char *name, struct places *places)
{
    const struct {
        const char *prefix, *suffix;
        Elf64_Shdr *section;
        bool *found;
    } wanted[] = {{".text.", name, &places->text, &places->has_text},
                  {".nv.shared.", name, &places->shared, &places->has_shared},
                  {".nv.info", "", &places->info, &places->has_info},
                  {".nv.info.", name, &places->kernel_info, &places->has_kernel_info}};
    for (size_t i = 0; i < elf->header.e_shnum; i++) {
        Elf64_Shdr section;
        if (!read_section(elf, i, &section))
            return false;
        for (size_t j = 0; j < sizeof wanted / sizeof *wanted; j++)
            if (spells(elf, &elf->names, section.sh_name, wanted[j].prefix, wanted[j].suffix)) {
                *wanted[j].section = section;
                *wanted[j].found = true;
            }
        if (section.sh_type == SHT_SYMTAB) {
            places->symbols = section;
            places->has_symbols = true;
        }
        if (spells(elf, &elf->names, section.sh_name, ".nv.constant3", ""))
            places->constant_bytes = section.sh_size;
        if (spells(elf, &elf->names, section.sh_name, ".nv.shared.reserved.0", ""))
            places->reserves_shared = true;
    }
    return true;
}

/* Finds the number of the kernel's symbol; false without one. */
static bool find_kernel(const struct elf *elf, const struct places *places, const char *name, uint32_t *index)
{
    Elf64_Shdr strings;
    const Elf64_Shdr *symbols = &places->symbols;
    if (!places->has_symbols || !inside(elf, symbols->sh_offset, symbols->sh_size) ||
        !read_section(elf, symbols->sh_link, &strings))
        return false;
    for (uint64_t i = 0; i < symbols->sh_size / sizeof(Elf64_Sym); i++) {
        Elf64_Sym symbol;
        if (!read_at(elf, symbols->sh_offset + i * sizeof symbol, &symbol, sizeof symbol))
            return false;
        if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && (symbol.st_other & SYMBOL_IS_KERNEL) &&
            spells(elf, &strings, symbol.st_name, name, "")) {
            *index = (uint32_t)i;
            return true;
        }
    }
    return false;
}

/* Values of the attributes; -1 for a missing one. */
struct attributes {
    uint32_t kernel; /* number of its symbol */
    int64_t registers, frame_bytes, stack_bytes, max_threads;
};

/* Reads an attribute of the section for all kernels. */
static void take_usage(void *to, unsigned attribute, const uint32_t *words, size_t count)
{
    struct attributes *attributes = to;
    const struct {
        unsigned attribute;
        int64_t *value;
    } of_kernels[] = {{ATTRIBUTE_REGISTERS, &attributes->registers},
                      {ATTRIBUTE_FRAME_SIZE, &attributes->frame_bytes},
                      {ATTRIBUTE_STACK_SIZE, &attributes->stack_bytes}};
    for (size_t i = 0; i < sizeof of_kernels / sizeof *of_kernels; i++)
        if (count >= 2 && words[0] == attributes->kernel && of_kernels[i].attribute == attribute)
            *of_kernels[i].value = words[1];
}

/* Reads an attribute of the kernel's own section. */
static void take_threads(void *to, unsigned attribute, const uint32_t *words, size_t count)
{
    struct attributes *attributes = to;
    if (count >= 3 && (attribute == ATTRIBUTE_MAX_THREADS || attribute == ATTRIBUTE_REQUIRED_THREADS)) {
        uint64_t threads = (uint64_t)words[0] * words[1];
        /* Larger than any block: no limit, and no overflow. */
        attributes->max_threads =
            threads > UINT32_MAX || threads * words[2] > UINT32_MAX ? 0 : (int64_t)(threads * words[2]);
    }
}

static void take_parameter(void *to, unsigned attribute, const uint32_t *words, size_t count)
{
    struct kernel_parameters *parameters = to;
    if (count < 3 || (attribute != ATTRIBUTE_PARAMETER && attribute != ATTRIBUTE_LARGE_PARAMETER))
        return;
    uint32_t ordinal = words[1] & 0xffff;
    if (ordinal < KERNEL_PARAMETERS_MAX)
        parameters->bytes[ordinal] = attribute == ATTRIBUTE_PARAMETER ? words[2] >> 18 : words[2] & 0xffff;
    parameters->count++;
}

typedef void take_words(void *to, unsigned attribute, const uint32_t *words, size_t count);

/* Reads one section of attributes. Each attribute begins with its format, its code and 16 bits. */
static bool read_attributes(const struct elf *elf, const Elf64_Shdr *section, take_words *take, void *to)
{
    uint64_t at = section->sh_offset, left = section->sh_size;
    if (!inside(elf, at, left))
        return false;
    while (left >= 4) {
        unsigned char head[4];
        uint32_t words[3] = {0};
        memcpy(head, elf->bytes + at, sizeof head);
        at += sizeof head;
        left -= sizeof head;
        if (head[0] == 0 || head[0] > FORMAT_SIZED)
            return false;
        if (head[0] != FORMAT_SIZED)
            continue;
        size_t length = (size_t)(head[2] | head[3] << 8);
        if (length > left)
            return false;
        memcpy(words, elf->bytes + at, length < sizeof words ? length : sizeof words);
        take(to, head[1], words, length / sizeof *words);
        at += length;
        left -= length;
    }
    return true;
}

static int fill(const struct places *places, const struct attributes *attributes, const char *name,
                struct kernel_resources *resources, struct error *error)
{
    /* Older assemblers store the registers in the section header as well. */
    int64_t registers = attributes->registers > 0 ? attributes->registers : places->text.sh_info >> 24;
    int64_t frame = attributes->frame_bytes > 0 ? attributes->frame_bytes : 0;
    uint64_t reserved = places->reserves_shared ? SHARED_RESERVED_BYTES : 0;
    uint64_t shared = places->has_shared && places->shared.sh_size > reserved ? places->shared.sh_size - reserved : 0;
    if (registers == 0)
        return error_set(error, ERROR_DATA, "the cubin does not say how many registers '%s' uses", name);
    if (shared > INT32_MAX || places->constant_bytes > INT32_MAX)
        return error_set(error, ERROR_DATA, "the cubin gives '%s' more memory than any device has", name);
    /* With recursion, the total stack is unknown and reported as zero. */
    *resources = (struct kernel_resources){
        .registers = registers,
        .shared_bytes = (int64_t)shared,
        .local_bytes = attributes->stack_bytes > frame ? attributes->stack_bytes : frame,
        .constant_bytes = (int64_t)places->constant_bytes,
        .max_threads = attributes->max_threads > 0 ? attributes->max_threads : 0,
    };
    return 0;
}

static int open_cubin(struct elf *elf, struct places *places, const char *name, uint32_t *kernel, struct error *error)
{
    if (!open_elf(elf) || !find_sections(elf, name, places))
        return error_set(error, ERROR_DATA, "these %zu bytes are not a cubin", elf->size);
    if (!places->has_text || !find_kernel(elf, places, name, kernel))
        return error_set(error, ERROR_DATA, "the cubin has no kernel '%s'", name);
    return 0;
}

static int unreadable(const char *name, struct error *error)
{
    return error_set(error, ERROR_DATA, "the cubin's attributes of '%s' cannot be read", name);
}

int cubin_resources(const void *cubin, size_t bytes, const char *name, struct kernel_resources *resources,
                    struct error *error)
{
    struct elf elf = {.bytes = cubin, .size = bytes};
    struct places places = {0};
    struct attributes attributes = {0, -1, -1, -1, -1};
    memset(resources, 0, sizeof *resources);
    int code = open_cubin(&elf, &places, name, &attributes.kernel, error);
    if (code)
        return code;
    if ((places.has_info && !read_attributes(&elf, &places.info, take_usage, &attributes)) ||
        (places.has_kernel_info && !read_attributes(&elf, &places.kernel_info, take_threads, &attributes)))
        return unreadable(name, error);
    return fill(&places, &attributes, name, resources, error);
}

int cubin_parameters(const void *cubin, size_t bytes, const char *name, struct kernel_parameters *parameters,
                     struct error *error)
{
    struct elf elf = {.bytes = cubin, .size = bytes};
    struct places places = {0};
    uint32_t kernel;
    memset(parameters, 0, sizeof *parameters);
    int code = open_cubin(&elf, &places, name, &kernel, error);
    if (code)
        return code;
    if (places.has_kernel_info && !read_attributes(&elf, &places.kernel_info, take_parameter, parameters))
        return unreadable(name, error);
    /* No parameter has size 0: otherwise the list is incomplete or has another meaning. */
    parameters->known = parameters->count && parameters->count <= KERNEL_PARAMETERS_MAX;
    for (size_t i = 0; i < parameters->count && parameters->known; i++)
        parameters->known = parameters->bytes[i] > 0;
    return 0;
}

/* ---- Variables of the module ---- */

/* Finds the symbols of a cubin and the section with their names. */
static bool open_symbols(struct elf *elf, struct places *places, Elf64_Shdr *strings)
{
    return open_elf(elf) && find_sections(elf, "", places) && places->has_symbols &&
           inside(elf, places->symbols.sh_offset, places->symbols.sh_size) &&
           read_section(elf, places->symbols.sh_link, strings) && inside(elf, strings->sh_offset, strings->sh_size);
}

/* Returns the name of a variable's symbol; NULL: another symbol, or a name without an end. */
static const char *object_name(const struct elf *elf, const Elf64_Shdr *strings, const Elf64_Sym *symbol)
{
    if (ELF64_ST_TYPE(symbol->st_info) != STT_OBJECT || symbol->st_name >= strings->sh_size)
        return NULL;
    const char *name = elf->bytes + strings->sh_offset + symbol->st_name;
    return memchr(name, '\0', strings->sh_size - symbol->st_name) ? name : NULL;
}

int64_t cubin_variable_bytes(const void *cubin, size_t bytes, const char *variable)
{
    struct elf elf = {.bytes = cubin, .size = bytes};
    struct places places = {0};
    Elf64_Shdr strings;
    if (!open_symbols(&elf, &places, &strings))
        return -1;
    for (uint64_t i = 0; i < places.symbols.sh_size / sizeof(Elf64_Sym); i++) {
        Elf64_Sym found;
        const char *name = NULL;
        if (read_at(&elf, places.symbols.sh_offset + i * sizeof found, &found, sizeof found))
            name = object_name(&elf, &strings, &found);
        if (name && symbol_is(name, variable))
            return found.st_size <= INT64_MAX ? (int64_t)found.st_size : -1;
    }
    return -1;
}

/* The name of a variable in a section of that name that kernels may write; NULL for any other symbol. The compiler's
 * own variables are constants: "$str", "__unnamed_1". */
static const char *variable_name(const struct elf *elf, const Elf64_Shdr *strings, const Elf64_Sym *symbol,
                                 const char *section_name)
{
    Elf64_Shdr section;
    const char *name = object_name(elf, strings, symbol);
    if (!name || !read_section(elf, symbol->st_shndx, &section) ||
        !spells(elf, &elf->names, section.sh_name, section_name, ""))
        return NULL;
    return *name && *name != '$' && strncmp(name, "__unnamed_", 10) != 0 ? name : NULL;
}

size_t cubin_variables(const void *cubin, size_t bytes, char *names, size_t room)
{
    /* Constant tables are among the initialised variables, so these come last. */
    static const char *const sections[] = {".nv.global", ".nv.global.init"};
    struct elf elf = {.bytes = cubin, .size = bytes};
    struct places places = {0};
    Elf64_Shdr strings;
    size_t count = 0, used = 0;
    *names = '\0';
    if (!open_symbols(&elf, &places, &strings))
        return 0;
    for (size_t s = 0; s < sizeof sections / sizeof *sections; s++)
        for (uint64_t i = 0; i < places.symbols.sh_size / sizeof(Elf64_Sym); i++) {
            Elf64_Sym symbol;
            const char *name = NULL;
            if (read_at(&elf, places.symbols.sh_offset + i * sizeof symbol, &symbol, sizeof symbol))
                name = variable_name(&elf, &strings, &symbol, sections[s]);
            if (!name)
                continue;
            size_t length;
            name = symbol_word(name, &length);
            count++;
            if (used + length + 3 <= room) {
                used += (size_t)snprintf(names + used, room - used, "%s%.*s", used ? ", " : "", (int)length, name);
            } else {
                room = used; /* keep only the first names that fit */
            }
        }
    return count;
}

/* ---- Symbols ---- */

static bool is_undefined(const Elf64_Sym *symbol)
{
    return symbol->st_shndx == SHN_UNDEF;
}

static bool is_kernel(const Elf64_Sym *symbol)
{
    return ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_shndx != SHN_UNDEF &&
           (symbol->st_other & SYMBOL_IS_KERNEL);
}

static const char *next_symbol(const void *cubin, size_t bytes, size_t *at, bool (*wanted)(const Elf64_Sym *))
{
    struct elf elf = {.bytes = cubin, .size = bytes};
    struct places places = {0};
    Elf64_Shdr strings;
    Elf64_Sym symbol;
    if (!open_symbols(&elf, &places, &strings))
        return NULL;
    while (*at < places.symbols.sh_size / sizeof symbol) {
        if (!read_at(&elf, places.symbols.sh_offset + (*at)++ * sizeof symbol, &symbol, sizeof symbol))
            return NULL;
        if (!wanted(&symbol) || symbol.st_name >= strings.sh_size)
            continue;
        const char *name = elf.bytes + strings.sh_offset + symbol.st_name;
        if (*name && memchr(name, '\0', strings.sh_size - symbol.st_name))
            return name;
    }
    return NULL;
}

const char *cubin_undefined(const void *cubin, size_t bytes, size_t *at)
{
    return next_symbol(cubin, bytes, at, is_undefined);
}

const char *cubin_kernel(const void *cubin, size_t bytes, size_t *at)
{
    return next_symbol(cubin, bytes, at, is_kernel);
}
