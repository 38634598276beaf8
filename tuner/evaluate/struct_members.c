#include "evaluate/struct_members.h"

#include <stdio.h>
#include <string.h>

enum { ADDRESS_BYTES = 8, WORD_BYTES = 16, TEXT_BYTES = 160 };

/* ---- One value and one member ---- */

static enum debug_kind kind_of(const struct element_type *type)
{
    return type->scalar == SCALAR_half || type->scalar == SCALAR_bfloat16 ? DEBUG_ANY
           : type->family == FAMILY_FLOAT                                 ? DEBUG_FLOAT
           : type->family == FAMILY_UINT                                  ? DEBUG_UNSIGNED
                                                                          : DEBUG_SIGNED;
}

/* True if numbers of one kind and size serve as those of the other. Unsigned integers serve as the bits of any, and a
 * class with half or bfloat16 has them as bits. */
static bool same_number(const struct element_type *type, enum debug_kind kind, uint64_t bytes)
{
    enum debug_kind own = kind_of(type);
    if (type->bytes != bytes || kind == DEBUG_POINTER)
        return false;
    return kind == DEBUG_ANY || kind == DEBUG_UNSIGNED || own == kind || own == DEBUG_UNSIGNED ||
           (own == DEBUG_SIGNED && kind == DEBUG_SIGNED);
}

/* Bytes, classes, words of 16 bytes, and unsigned words over smaller floating-point numbers may be anything. */
static bool may_point(const struct element_type *type, const struct debug_member *member)
{
    const struct element_type *component = element_component(type);
    bool bytes = component->scalar == SCALAR_char || component->scalar == SCALAR_uchar;
    return bytes || member->pointed == DEBUG_ANY || member->pointed_bytes == 1 || member->pointed_bytes == WORD_BYTES ||
           member->pointed == DEBUG_POINTER || same_number(component, member->pointed, member->pointed_bytes) ||
           (member->pointed == DEBUG_UNSIGNED && component->family == FAMILY_FLOAT &&
            member->pointed_bytes > component->bytes);
}

static bool takes(const struct space *space, const struct argument_member *value, const struct debug_member *member)
{
    const struct argument *inner = value->inner;
    if (member->kind == DEBUG_ANY)
        return true;
    if (!inner)
        return value->type ? same_number(value->type, member->kind, member->bytes) : true;
    if (inner->buffer >= 0)
        return member->kind == DEBUG_POINTER ? may_point(space->buffers[inner->buffer].type, member)
                                             : member->kind == DEBUG_UNSIGNED && member->bytes == ADDRESS_BYTES;
    if (inner->role == ARGUMENT_TEXTURE || inner->role == ARGUMENT_SURFACE)
        return member->kind == DEBUG_UNSIGNED && member->bytes == ADDRESS_BYTES;
    if (inner->role == ARGUMENT_TENSOR_MAP)
        return member->kind == DEBUG_UNSIGNED;
    return same_number(inner->type, member->kind, member->bytes);
}

/* ---- Places ---- */

static bool overlap(const struct argument_member *value, const struct debug_member *member)
{
    return value->offset < member->offset + member->bytes && member->offset < value->offset + value->bytes;
}

/* Zeros and objects may be longer than a member; a number or an address has the member's place. */
static bool placed(const struct argument_member *value, const struct debug_member *member)
{
    if (member->kind == DEBUG_ANY)
        return value->offset >= member->offset && value->offset + value->bytes <= member->offset + member->bytes;
    bool is_long = value->inner ? value->inner->buffer < 0 && value->inner->role == ARGUMENT_TENSOR_MAP : !value->type;
    return is_long || value->offset == member->offset;
}

/* Finds the member for a value: one that takes it, else one at its place, else one that it overlaps. NULL: none. */
static const struct debug_member *find_member(const struct space *space, const struct argument_member *value,
                                              const struct debug_member *members, size_t count, bool *right)
{
    const struct debug_member *found = NULL;
    *right = false;
    for (size_t i = 0; i < count && !*right; i++) {
        const struct debug_member *member = &members[i];
        if (!overlap(value, member))
            continue;
        *right = placed(value, member) && takes(space, value, member);
        if (*right || !found || (member->offset == value->offset && found->offset != value->offset))
            found = member;
    }
    return found;
}

/* ---- Messages ---- */

static const char *describe(const struct space *space, const struct argument_member *value, char text[TEXT_BYTES])
{
    const struct argument *inner = value->inner;
    if (!inner)
        snprintf(text, TEXT_BYTES, "`%s`", value->type->c_name);
    else if (inner->buffer >= 0)
        snprintf(text, TEXT_BYTES, "the buffer '%s', `%s *`", space->buffers[inner->buffer].name,
                 space->buffers[inner->buffer].type->c_name);
    else if (view_words_of(inner->role))
        snprintf(text, TEXT_BYTES, "a %s", view_words_of(inner->role)->what);
    else
        snprintf(text, TEXT_BYTES, "`%s`", inner->type->c_name);
    return text;
}

static void explain(const struct space *space, const struct argument_member *value, const struct debug_member *member,
                    const char *what, struct error *error)
{
    char text[TEXT_BYTES];
    describe(space, value, text);
    if (!member)
        error_set(error, ERROR_DATA, "%s has %s at byte %u, where the struct has no member", what, text, value->offset);
    else if (!*member->name)
        error_set(error, ERROR_DATA, "%s is `%s`, but gets %s", what, member->type, text);
    else
        error_set(error, ERROR_DATA, "%s has %s at byte %u, but `%s` at byte %llu is `%s`", what, text, value->offset,
                  member->name, (unsigned long long)member->offset, member->type);
}

static void put_place(const struct argument *argument, struct error *error)
{
    space_put_place(&argument->place, error);
    error_hint(error, "%s",
               argument->is_struct ? "the members stand in the order of the struct in the source; `null`, and an array "
                                     "without values such as uchar[4] { }, are zeros"
               : argument->buffer >= 0 ? "a buffer's name is its address; `from` gives a variable the buffer's contents"
                                       : "write the type that it has in the source");
}

/* Returns the first value that is certainly misread, with the member in its place; NULL: none. */
static const struct argument_member *find_wrong(const struct space *space, const struct argument *argument,
                                                const struct debug_member *members, size_t count,
                                                const struct debug_member **member)
{
    for (size_t v = 0; v < argument->member_count; v++) {
        const struct argument_member *value = &argument->members[v];
        bool right;
        *member = find_member(space, value, members, count, &right);
        if (!right && (*member || value->type || value->inner))
            return value;
    }
    return NULL;
}

/* Returns a member without a value; NULL: none. Members of unknown content may be empty classes. */
static const struct debug_member *find_missing(const struct argument *argument, const struct debug_member *members,
                                               size_t count)
{
    for (size_t m = 0; m < count; m++) {
        bool given = members[m].kind == DEBUG_ANY;
        for (size_t v = 0; v < argument->member_count && !given; v++)
            given = overlap(&argument->members[v], &members[m]);
        if (!given)
            return &members[m];
    }
    return NULL;
}

bool struct_members_agree(const struct space *space, const struct argument *argument,
                          const struct debug_member *members, size_t count, const char *what, struct error *error)
{
    const struct argument_member self = {.inner = argument, .bytes = argument->bytes};
    struct argument own = *argument;
    const struct debug_member *member = NULL, *missing = NULL;
    if (argument->buffer >= 0 || argument->role != ARGUMENT_PLAIN) {
        own.members = &self;
        own.member_count = 1;
    }
    const struct argument_member *wrong = find_wrong(space, &own, members, count, &member);
    if (wrong)
        explain(space, wrong, member, what, error);
    else if (own.member_count && (missing = find_missing(&own, members, count)))
        error_set(error, ERROR_DATA, "%s has no value for `%s` at byte %llu, `%s`", what, missing->name,
                  (unsigned long long)missing->offset, missing->type);
    if (wrong || missing)
        put_place(argument, error);
    return !wrong && !missing;
}
