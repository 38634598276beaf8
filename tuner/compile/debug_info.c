#include "compile/debug_info.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/symbol.h"
#include "compile/cubin.h"

/* Numbers of the standard. */
enum {
    TAG_ARRAY = 0x01,
    TAG_CLASS = 0x02,
    TAG_ENUMERATION = 0x04,
    TAG_PARAMETER = 0x05,
    TAG_MEMBER = 0x0d,
    TAG_POINTER = 0x0f,
    TAG_REFERENCE = 0x10,
    TAG_STRUCTURE = 0x13,
    TAG_TYPEDEF = 0x16,
    TAG_UNION = 0x17,
    TAG_INHERITANCE = 0x1c,
    TAG_SUBRANGE = 0x21,
    TAG_BASE = 0x24,
    TAG_CONST = 0x26,
    TAG_SUBPROGRAM = 0x2e,
    TAG_VARIABLE = 0x34,
    TAG_VOLATILE = 0x35,
    TAG_RESTRICT = 0x37,
    TAG_VOID = 0x3b,

    AT_NAME = 0x03,
    AT_BYTES = 0x0b,
    AT_BITS = 0x0d,
    AT_UPPER_BOUND = 0x2f,
    AT_COUNT = 0x37,
    AT_LOCATION = 0x38, /* of a member in its class */
    AT_ENCODING = 0x3e,
    AT_TYPE = 0x49,
    AT_LINKAGE_NAME = 0x6e,
    AT_MIPS_LINKAGE_NAME = 0x2007,

    OP_PLUS_CONSTANT = 0x23
};

/* VISITS_MAX: types visited in a listing, because a damaged file may nest empty ones */
enum { NESTED_MAX = 32, ADDRESS_BYTES = 8, VISITS_MAX = 1 << 16 };

/* ---- Bytes ---- */

struct reader {
    const unsigned char *at, *end;
    bool failed; /* later numbers are 0 */
};

static uint64_t read_fixed(struct reader *reader, size_t bytes)
{
    uint64_t number = 0;
    if (bytes > (size_t)(reader->end - reader->at)) {
        reader->failed = true;
        reader->at = reader->end;
        return 0;
    }
    for (size_t i = 0; i < bytes; i++)
        number |= (uint64_t)reader->at[i] << (8 * (i & 7));
    reader->at += bytes;
    return number;
}

static uint64_t read_leb(struct reader *reader)
{
    uint64_t number = 0, byte = 0x80;
    for (unsigned shift = 0; byte & 0x80 && !reader->failed; shift += 7) {
        byte = read_fixed(reader, 1);
        if (shift < 64)
            number |= (byte & 0x7f) << shift;
    }
    return number;
}

static const char *read_text(struct reader *reader)
{
    const unsigned char *begin = reader->at, *end = memchr(begin, '\0', (size_t)(reader->end - begin));
    reader->failed |= !end;
    reader->at = end ? end + 1 : reader->end;
    return end ? (const char *)begin : "";
}

/* ---- Entries ---- */

struct debug {
    const unsigned char *info, *info_end;
    const unsigned char *unit, *unit_end; /* the part of one compilation */
    const unsigned char *abbreviations, *abbreviations_end;
};

struct entry {
    uint64_t tag; /* 0: the end of a list of children */
    bool children, has_count;
    const char *name, *linkage_name; /* "": none */
    const unsigned char *type;       /* NULL: none */
    uint64_t bytes, bits, count, encoding, location;
    const unsigned char *next; /* the entry behind this one, which is its first child if it has children */
};

/* Finds the list of attributes of an abbreviation. */
static bool find_abbreviation(const struct debug *debug, uint64_t code, struct entry *entry, struct reader *list)
{
    struct reader reader = {.at = debug->abbreviations, .end = debug->abbreviations_end};
    while (reader.at < reader.end && !reader.failed) {
        uint64_t own = read_leb(&reader);
        if (own == 0)
            return false;
        entry->tag = read_leb(&reader);
        entry->children = read_fixed(&reader, 1);
        *list = reader;
        if (own == code)
            return !reader.failed;
        while (!reader.failed) {
            uint64_t attribute = read_leb(&reader), form = read_leb(&reader);
            if (!attribute && !form)
                break;
        }
    }
    return false;
}

/* The value of an attribute. */
struct value {
    uint64_t number;
    const char *text;
    const unsigned char *entry;
};

/* Reads a member's place in a block: one operation. */
static uint64_t read_location(struct reader *reader, uint64_t length)
{
    struct reader block = {.at = reader->at, .end = reader->at};
    uint64_t number = 0;
    if (length > (uint64_t)(reader->end - reader->at)) {
        reader->failed = true;
        return 0;
    }
    block.end += length;
    reader->at += length;
    if (length && read_fixed(&block, 1) == OP_PLUS_CONSTANT)
        number = read_leb(&block);
    return number;
}

static const unsigned char *entry_at(const unsigned char *base, const unsigned char *end, uint64_t offset)
{
    return offset < (uint64_t)(end - base) ? base + offset : NULL;
}

/* Reads an attribute of this form; false: the form is unknown. */
static bool read_value(const struct debug *debug, struct reader *reader, uint64_t form, struct value *value)
{
    static const unsigned char fixed[] = {[0x01] = 8, [0x05] = 2, [0x06] = 4, [0x07] = 8, [0x0b] = 1, [0x0c] = 1,
                                          [0x0e] = 4, [0x11] = 1, [0x12] = 2, [0x13] = 4, [0x14] = 8, [0x17] = 4};
    *value = (struct value){.text = ""};
    switch (form) {
    case 0x03: /* blocks */
    case 0x04:
    case 0x0a:
        value->number = read_location(reader, read_fixed(reader, form == 0x03 ? 2 : form == 0x04 ? 4 : 1));
        return true;
    case 0x09:
    case 0x18:
        value->number = read_location(reader, read_leb(reader));
        return true;
    case 0x08:
        value->text = read_text(reader);
        return true;
    case 0x0d: /* signed; a size or a place is not negative */
    case 0x0f:
        value->number = read_leb(reader);
        return true;
    case 0x10: /* a place in the whole section */
        value->entry = entry_at(debug->info, debug->info_end, read_fixed(reader, 4));
        return true;
    case 0x15:
        value->entry = entry_at(debug->unit, debug->unit_end, read_leb(reader));
        return true;
    case 0x19: /* a flag that is set */
        value->number = 1;
        return true;
    default:
        if (form >= sizeof fixed || !fixed[form])
            return false;
        value->number = read_fixed(reader, fixed[form]);
        if (form >= 0x11 && form <= 0x14)
            value->entry = entry_at(debug->unit, debug->unit_end, value->number);
        return true;
    }
}

static void take_value(struct entry *entry, uint64_t attribute, const struct value *value)
{
    switch (attribute) {
    case AT_NAME:
        entry->name = value->text;
        break;
    case AT_LINKAGE_NAME:
    case AT_MIPS_LINKAGE_NAME:
        entry->linkage_name = value->text;
        break;
    case AT_TYPE:
        entry->type = value->entry;
        break;
    case AT_BYTES:
        entry->bytes = value->number;
        break;
    case AT_BITS:
        entry->bits = value->number;
        break;
    case AT_COUNT:
    case AT_UPPER_BOUND:
        entry->count = value->number + (attribute == AT_UPPER_BOUND);
        entry->has_count = true;
        break;
    case AT_ENCODING:
        entry->encoding = value->number;
        break;
    case AT_LOCATION:
        entry->location = value->number;
        break;
    default:
        break;
    }
}

static bool read_entry(const struct debug *debug, const unsigned char *at, struct entry *entry)
{
    struct reader reader = {.at = at, .end = debug->unit_end}, list;
    *entry = (struct entry){.name = "", .linkage_name = ""};
    if (!at || at < debug->unit || at >= debug->unit_end)
        return false;
    uint64_t code = read_leb(&reader);
    if (code && !find_abbreviation(debug, code, entry, &list))
        return false;
    while (code && !reader.failed) {
        uint64_t attribute = read_leb(&list), form = read_leb(&list);
        struct value value;
        if (!attribute && !form)
            break;
        if (list.failed || !read_value(debug, &reader, form, &value))
            return false;
        take_value(entry, attribute, &value);
    }
    entry->next = reader.at;
    return !reader.failed;
}

/* Walks over the children of an entry. */
struct children {
    const unsigned char *at;
    size_t depth;
};

static bool next_child(const struct debug *debug, struct children *children, struct entry *child)
{
    while (read_entry(debug, children->at, child)) {
        bool own = children->depth == 0;
        children->at = child->next;
        if (!child->tag) {
            if (own)
                return false;
            children->depth--;
            continue;
        }
        children->depth += child->children;
        if (own)
            return true;
    }
    return false;
}

/* ---- Types ---- */

static bool is_transparent(uint64_t tag)
{
    return tag == TAG_CONST || tag == TAG_VOLATILE || tag == TAG_RESTRICT || tag == TAG_TYPEDEF;
}

/* Reads a type without its qualifiers and other names. */
static bool read_type(const struct debug *debug, const unsigned char *at, struct entry *type)
{
    for (int depth = 0; depth < NESTED_MAX && read_entry(debug, at, type); depth++) {
        if (!is_transparent(type->tag))
            return true;
        at = type->type;
    }
    return false;
}

static bool is_address(uint64_t tag)
{
    return tag == TAG_POINTER || tag == TAG_REFERENCE;
}

/* The number of elements of an array; 0: unknown. */
static uint64_t count_of(const struct debug *debug, const struct entry *array)
{
    struct children children = {.at = array->next};
    struct entry child;
    uint64_t count = 1;
    while (array->children && next_child(debug, &children, &child))
        if (child.tag == TAG_SUBRANGE)
            count = child.has_count && child.count <= DEBUG_MEMBERS_MAX ? count * child.count : 0;
    return count <= DEBUG_MEMBERS_MAX ? count : 0;
}

/* The size of a type; 0: unknown. */
static uint64_t bytes_of(const struct debug *debug, const struct entry *type, int depth)
{
    struct entry element;
    if (is_address(type->tag))
        return ADDRESS_BYTES;
    if (type->tag != TAG_ARRAY)
        return type->bytes;
    return depth < NESTED_MAX && read_type(debug, type->type, &element)
               ? count_of(debug, type) * bytes_of(debug, &element, depth + 1)
               : 0;
}

static enum debug_kind kind_of(const struct entry *type)
{
    static const unsigned char kinds[] = {[0x02] = DEBUG_UNSIGNED, [0x04] = DEBUG_FLOAT,    [0x05] = DEBUG_SIGNED,
                                          [0x06] = DEBUG_SIGNED,   [0x07] = DEBUG_UNSIGNED, [0x08] = DEBUG_UNSIGNED};
    return type->tag == TAG_ENUMERATION                              ? DEBUG_UNSIGNED
           : is_address(type->tag)                                   ? DEBUG_POINTER
           : type->tag != TAG_BASE || type->encoding >= sizeof kinds ? DEBUG_ANY
                                                                     : (enum debug_kind)kinds[type->encoding];
}

/* Writes a type in C++. */
static void type_text(const struct debug *debug, const unsigned char *at, int depth, char *text, size_t room)
{
    struct entry type;
    char inner[DEBUG_NAME_BYTES - 16]; /* with room for a qualifier */
    bool known = depth < NESTED_MAX && read_entry(debug, at, &type);
    if (!known || type.tag == TAG_VOID) {
        snprintf(text, room, "void");
    } else if (is_address(type.tag)) {
        type_text(debug, type.type, depth + 1, inner, sizeof inner);
        snprintf(text, room, "%s%s%c", inner, inner[0] && strchr("*&", inner[strlen(inner) - 1]) ? "" : " ",
                 type.tag == TAG_POINTER ? '*' : '&');
    } else if (type.tag == TAG_CONST || type.tag == TAG_VOLATILE || type.tag == TAG_RESTRICT) {
        type_text(debug, type.type, depth + 1, inner, sizeof inner);
        snprintf(text, room, "%s%s",
                 type.tag == TAG_CONST      ? "const "
                 : type.tag == TAG_VOLATILE ? "volatile "
                                            : "",
                 inner);
    } else {
        bool named = *type.name && strncmp(type.name, "_Z", 2) != 0 && strncmp(type.name, "__C", 3) != 0;
        snprintf(text, room, "%s",
                 named                         ? type.name
                 : type.tag == TAG_ENUMERATION ? "enum"
                 : type.tag == TAG_UNION       ? "union"
                                               : "struct");
    }
}

/* ---- Members ---- */

struct listing {
    const struct debug *debug;
    struct debug_member *members; /* room for DEBUG_MEMBERS_MAX */
    size_t count, visits;
    bool failed;
};

static void add_member(struct listing *listing, const struct entry *type, const unsigned char *at, uint64_t offset,
                       uint64_t bytes, const char *name)
{
    struct entry pointed;
    if (listing->count == DEBUG_MEMBERS_MAX || !bytes) {
        listing->failed = true;
        return;
    }
    struct debug_member *member = &listing->members[listing->count++];
    *member = (struct debug_member){.offset = offset, .bytes = bytes, .kind = kind_of(type)};
    snprintf(member->name, sizeof member->name, "%s", name);
    type_text(listing->debug, at, 0, member->type, sizeof member->type);
    if (member->kind == DEBUG_POINTER && read_type(listing->debug, type->type, &pointed)) {
        member->pointed = kind_of(&pointed);
        member->pointed_bytes = bytes_of(listing->debug, &pointed, 0);
    }
}

static void list(struct listing *listing, const unsigned char *at, uint64_t offset, const char *name, int depth);

static void list_class(struct listing *listing, const unsigned char *at, const struct entry *type, uint64_t offset,
                       const char *name, int depth)
{
    struct children children = {.at = type->next};
    struct entry child;
    char path[DEBUG_NAME_BYTES];
    size_t before = listing->count;
    while (type->children && !listing->failed && next_child(listing->debug, &children, &child)) {
        if (child.tag != TAG_MEMBER && child.tag != TAG_INHERITANCE)
            continue;
        /* A base class, or a struct without a name, has its members in the outer one. */
        bool named = child.tag == TAG_MEMBER && *child.name && strncmp(child.name, "__b_", 4) != 0;
        snprintf(path, sizeof path, "%s%s%s", name, named && *name ? "." : "", named ? child.name : "");
        if (child.bits) {
            const struct entry any = {.tag = TAG_UNION};
            add_member(listing, &any, child.type, offset + child.location, child.bytes ? child.bytes : 1, path);
        } else {
            list(listing, child.type, offset + child.location, path, depth + 1);
        }
    }
    if (listing->count == before && type->bytes) /* an empty class takes a byte, or is a base class */
        add_member(listing, type, at, offset, type->bytes, name);
}

static void list_array(struct listing *listing, const struct entry *type, uint64_t offset, const char *name, int depth)
{
    struct entry element;
    char path[DEBUG_NAME_BYTES];
    uint64_t count = count_of(listing->debug, type);
    bool known = read_type(listing->debug, type->type, &element);
    uint64_t bytes = known ? bytes_of(listing->debug, &element, 0) : 0;
    listing->failed |= !count || !bytes || bytes > UINT32_MAX;
    for (uint64_t i = 0; i < count && !listing->failed; i++) {
        snprintf(path, sizeof path, "%s[%llu]", name, (unsigned long long)i);
        list(listing, type->type, offset + i * bytes, path, depth + 1);
    }
}

/* Lists the scalars of the type at `at`. */
static void list(struct listing *listing, const unsigned char *at, uint64_t offset, const char *name, int depth)
{
    struct entry type;
    if (depth == NESTED_MAX || listing->visits++ == VISITS_MAX || !read_type(listing->debug, at, &type))
        listing->failed = true;
    else if (type.tag == TAG_STRUCTURE || type.tag == TAG_CLASS)
        list_class(listing, at, &type, offset, name, depth);
    else if (type.tag == TAG_ARRAY)
        list_array(listing, &type, offset, name, depth);
    else
        add_member(listing, &type, at, offset, bytes_of(listing->debug, &type, 0), name);
}

/* ---- The sections ---- */

/* Opens the next part of the section; false: the end, or another version. */
static bool open_unit(struct debug *debug, const unsigned char *abbreviations, size_t abbreviation_bytes,
                      const unsigned char **first)
{
    struct reader reader = {.at = debug->unit_end, .end = debug->info_end};
    debug->unit = reader.at;
    uint64_t length = read_fixed(&reader, 4);
    if (reader.failed || length > (uint64_t)(reader.end - reader.at))
        return false;
    debug->unit_end = reader.end = reader.at + length;
    uint64_t version = read_fixed(&reader, 2), offset = read_fixed(&reader, 4), address = read_fixed(&reader, 1);
    if (reader.failed || version < 2 || version > 4 || address != ADDRESS_BYTES || offset > abbreviation_bytes)
        return false;
    debug->abbreviations = abbreviations + offset;
    debug->abbreviations_end = abbreviations + abbreviation_bytes;
    *first = reader.at;
    return true;
}

/* Finds an entry, at any depth: a kernel by its name in the machine code, or a variable. */
static bool find_entry(const struct debug *debug, const unsigned char *at, uint64_t tag, const char *name,
                       struct entry *entry)
{
    while (read_entry(debug, at, entry)) {
        const char *own = *entry->linkage_name ? entry->linkage_name : entry->name;
        if (entry->tag == tag && (tag == TAG_VARIABLE ? symbol_is(own, name) : strcmp(own, name) == 0))
            return true;
        at = entry->next;
    }
    return false;
}

static bool find_parameter(const struct debug *debug, const struct entry *kernel, size_t number,
                           struct entry *parameter)
{
    struct children children = {.at = kernel->next};
    while (kernel->children && next_child(debug, &children, parameter))
        if (parameter->tag == TAG_PARAMETER && number-- == 0)
            return true;
    return false;
}

/* number: SIZE_MAX: the name is a variable's. */
static size_t list_members(const void *cubin, size_t bytes, const char *name, size_t number,
                           struct debug_member **members)
{
    struct debug debug = {NULL};
    const void *info, *abbreviations;
    size_t info_bytes, abbreviation_bytes;
    bool variable = number == SIZE_MAX;
    *members = NULL;
    if (!cubin_section(cubin, bytes, ".debug_info", &info, &info_bytes) ||
        !cubin_section(cubin, bytes, ".debug_abbrev", &abbreviations, &abbreviation_bytes))
        return 0;
    debug.info = debug.unit_end = info;
    debug.info_end = debug.info + info_bytes;
    for (const unsigned char *first; open_unit(&debug, abbreviations, abbreviation_bytes, &first);) {
        struct entry entry, parameter;
        struct listing listing = {.debug = &debug};
        if (!find_entry(&debug, first, variable ? TAG_VARIABLE : TAG_SUBPROGRAM, name, &entry))
            continue;
        if (!variable && !find_parameter(&debug, &entry, number, &parameter))
            return 0;
        if (!(listing.members = malloc(DEBUG_MEMBERS_MAX * sizeof *listing.members)))
            return 0;
        list(&listing, variable ? entry.type : parameter.type, 0, "", 0);
        *members = listing.members;
        return listing.failed ? 0 : listing.count;
    }
    return 0;
}

size_t debug_parameter(const void *cubin, size_t bytes, const char *kernel, size_t number,
                       struct debug_member **members)
{
    return list_members(cubin, bytes, kernel, number, members);
}

size_t debug_variable(const void *cubin, size_t bytes, const char *name, struct debug_member **members)
{
    return list_members(cubin, bytes, name, SIZE_MAX, members);
}
