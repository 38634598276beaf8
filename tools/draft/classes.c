#include "draft/classes.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "evaluate/argument_types.h"

enum { ADDRESS_BYTES = 8, VALUES_MAX = 8 /* of an array; those of a longer one are left to a person */ };

/* ---- Learning ---- */

/* Takes the members, which it frees. */
static int keep(struct draft *draft, struct debug_member *members, size_t count, struct draft_class *class,
                struct error *error)
{
    class->members = count ? arena_array(&draft->arena, count, sizeof *members) : NULL;
    class->count = class->members ? count : 0;
    if (class->members)
        memcpy(class->members, members, count * sizeof *members);
    free(members);
    return count && !class->members ? error_memory(error) : 0;
}

int classes_learn(struct draft *draft, const struct ask *ask, struct error *error)
{
    const struct answer *answer = &draft->answer;
    const struct code_answer *uses = &draft->code;
    struct compile_result result;
    struct debug_member *members;
    bool wanted = uses->constant_count > 0;
    draft->classes = arena_array(&draft->arena, answer->parameter_count, sizeof *draft->classes);
    if (!draft->classes)
        return error_memory(error);
    for (size_t p = 0; p < answer->parameter_count; p++)
        wanted |= !answer->parameters[p].points && !answer->parameters[p].element;
    int code = wanted ? ask_debug(ask, draft->expression, &result, error) : 0;
    if (!wanted || code || result.status != STATUS_OK)
        return code;
    for (size_t p = 0; p < answer->parameter_count && !code; p++) {
        if (answer->parameters[p].points || answer->parameters[p].element)
            continue;
        size_t count = debug_parameter(result.cubin, result.cubin_bytes, result.lowered_names, p, &members);
        code = keep(draft, members, count, &draft->classes[p], error);
    }
    for (size_t i = 0; i < uses->constant_count && !code; i++) {
        size_t count = debug_variable(result.cubin, result.cubin_bytes, uses->constants[i], &members);
        code = keep(draft, members, count, &draft->constants[i], error);
    }
    return code;
}

/* ---- Writing ---- */

/* A list of members in a text, which ends at byte `end` of the class. */
struct members {
    struct writer *writer;
    const char *parameter; /* its name */
    const struct debug_member *all;
    struct text *text;
    uint64_t end;
    bool first, failed;
};

static void put(struct members *members, const char *text)
{
    text_printf(members->text, "%s%s", members->first ? "" : ", ", text);
    members->first = false;
}

/* Moves the end to the member's place: by alignment, as C does, and by a member of zeros where that is not enough. */
static void reach(struct members *members, uint64_t offset, uint64_t alignment)
{
    uint64_t next = (members->end + alignment - 1) / alignment * alignment;
    if (next < offset)
        put(members, writer_say(members->writer, "uchar[%llu] { }", (unsigned long long)(offset - members->end)));
    members->failed |= next > offset;
    members->end = offset;
}

/* "grid_dims_0" for "dims[0]" of the parameter `grid`. */
static const char *base_of(struct members *members, const char *name)
{
    const char *base = writer_say(members->writer, "%s_%s", members->parameter, name);
    char *copy = arena_copy(&members->writer->draft->arena, base, strlen(base)), *out = copy;
    for (const char *at = copy; copy && *at; at++)
        if (*at != ']')
            *out++ = (char)(*at == '.' || *at == '[' ? '_' : *at);
    if (copy)
        *out = '\0';
    return copy ? copy : "";
}

/* The element type of a number or, by its name alone, of a pointer's target; NULL: it has none in the language. */
static const struct element_type *type_of(const struct debug_member *member)
{
    const char *type = member->type;
    while (strncmp(type, "const ", 6) == 0 || strncmp(type, "volatile ", 9) == 0)
        type += *type == 'c' ? 6 : 9;
    const char *star = strchr(type, '*'),
               *name = argument_types_in_space(type, star ? (size_t)(star - type - 1) : strlen(type));
    for (size_t i = 0; i < element_type_count; i++) {
        const struct element_type *row = &element_types[i];
        bool integer = !star && member->kind == (row->family == FAMILY_UINT ? DEBUG_UNSIGNED : DEBUG_SIGNED) &&
                       row->family != FAMILY_FLOAT && row->components == 1; /* an enumeration */
        if (name ? strcmp(row->name, name) == 0 : integer && row->bytes == member->bytes)
            return row;
    }
    return NULL;
}

/* True if the language can express all members. The bits of a half have an integer's type. */
static bool can_write(const struct draft_class *class)
{
    for (size_t i = 0; i < class->count; i++) {
        const struct debug_member *member = &class->members[i];
        const struct element_type *type = type_of(member);
        size_t length = strlen(member->name);
        bool bits = length > 3 && strcmp(member->name + length - 3, "__x") == 0;
        bool number = type && type->components == 1 && type->bytes == member->bytes;
        if (member->kind == DEBUG_ANY || bits || length + 1 >= DEBUG_NAME_BYTES ||
            (member->kind == DEBUG_POINTER ? member->pointed == DEBUG_POINTER : !number))
            return false;
    }
    return class->count > 0;
}

static const char *what_of(struct members *members, const struct debug_member *member)
{
    return writer_say(members->writer, "%s.%s", members->parameter, member->name);
}

static const char *number_of(struct members *members, const struct debug_member *member)
{
    return writer_number(members->writer, base_of(members, member->name), what_of(members, member));
}

static void put_pointer(struct members *members, const struct debug_member *member)
{
    struct argument_answer answer = {
        .points = true, .constant = strncmp(member->type, "const ", 6) == 0, .element = type_of(member)};
    memcpy(answer.type, member->type, sizeof member->type);
    if (!members->failed)
        put(members, writer_buffer(members->writer, &answer, !answer.constant, base_of(members, member->name),
                                   what_of(members, member)));
}

static void put_scalar(struct members *members, const struct debug_member *member)
{
    const struct element_type *type = type_of(member);
    reach(members, member->offset, member->bytes);
    members->end += member->bytes;
    if (member->kind == DEBUG_POINTER)
        put_pointer(members, member);
    else if (writer_is_view(member->type))
        put(members, writer_view(members->writer, member->type,
                                 draft_name(members->writer->draft, base_of(members, member->name), DRAFT_BUFFER)));
    else
        put(members, writer_say(members->writer, "%s %s", type->name, number_of(members, member)));
}

static void put_array(struct members *members, const struct debug_member *member, size_t count)
{
    struct writer *writer = members->writer;
    const struct element_type *type = type_of(member);
    if (member->kind == DEBUG_POINTER || writer_is_view(member->type)) {
        for (size_t i = 0; i < count; i++)
            put_scalar(members, &member[i]);
        return;
    }
    reach(members, member->offset, member->bytes);
    members->end += count * member->bytes;
    const char *values = count > VALUES_MAX ? "???" : number_of(members, member);
    for (size_t i = 1; i < count && count <= VALUES_MAX; i++)
        values = writer_say(writer, "%s, %s", values, number_of(members, &member[i]));
    put(members, writer_say(writer, "%s[%zu] { %s }", type->name, count, values));
}

static void put_members(struct members *members, size_t first, size_t last, size_t prefix);

/* The number of members from the first on whose names begin with its first `length` characters. */
static size_t alike(const struct debug_member *first, const struct debug_member *end, size_t length)
{
    size_t count = 0;
    while (&first[count] < end && strncmp(first[count].name, first->name, length) == 0)
        count++;
    return count;
}

/* Writes a struct of members whose names have the same prefix. */
static void put_struct(struct members *members, size_t first, size_t count, size_t prefix)
{
    struct text text = {0};
    uint64_t alignment = 1, begin = members->all[first].offset;
    for (size_t i = first; i < first + count; i++)
        alignment = members->all[i].bytes > alignment ? members->all[i].bytes : alignment;
    reach(members, begin, alignment);
    struct members inner = *members;
    inner.text = &text;
    inner.first = true;
    put_members(&inner, first, first + count, prefix);
    put(members, writer_say(members->writer, "struct { %s }", text_string(&text)));
    members->failed |= inner.failed || text.failed;
    members->end = begin + (inner.end - begin + alignment - 1) / alignment * alignment;
    text_free(&text);
}

/* Writes a list of members, of whose names the first `prefix` characters are known. */
static void put_members(struct members *members, size_t first, size_t last, size_t prefix)
{
    for (size_t i = first, count; i < last && !members->failed; i += count) {
        const struct debug_member *member = &members->all[i];
        const char *name = member->name + prefix;
        size_t length = prefix + strcspn(name, ".[");
        const char *close = member->name[length] == '[' ? strchr(member->name + length, ']') : NULL;
        count = 1;
        if (!member->name[length])
            put_scalar(members, member);
        else if (close && !close[1])
            put_array(members, member, count = alike(member, &members->all[last], length + 1));
        else if (close)
            put_struct(members, i, count = alike(member, &members->all[last], (size_t)(close + 1 - member->name)),
                       (size_t)(close + 1 - member->name) + (close[1] == '.'));
        else
            put_struct(members, i, count = alike(member, &members->all[last], length + 1), length + 1);
    }
}

bool classes_write(struct writer *writer, const struct draft_class *class, uint64_t bytes, const char *name,
                   struct text *text)
{
    struct members members = {.writer = writer, .parameter = name, .all = class->members, .text = text, .first = true};
    uint64_t alignment = 1;
    if (!can_write(class))
        return false;
    text_printf(text, "struct { ");
    for (size_t i = 0; i < class->count; i++) {
        const struct debug_member *member = &class->members[i];
        alignment = member->bytes > alignment ? member->bytes : alignment;
    }
    put_members(&members, 0, class->count, 0);
    if (bytes && members.end < bytes && (members.end + alignment - 1) / alignment * alignment != bytes)
        put(&members, writer_say(writer, "uchar[%llu] { }", (unsigned long long)(bytes - members.end)));
    text_printf(text, " }");
    return !members.failed && (!bytes || members.end <= bytes);
}

bool classes_write_constant(struct writer *writer, size_t number, struct text *text)
{
    const struct draft *draft = writer->draft;
    const struct draft_class *class = &draft->constants[number];
    const char *colon = strrchr(draft->code.constants[number], ':');
    const char *name = colon ? colon + 1 : draft->code.constants[number];
    if (!can_write(class) || class->members[0].name[0] == '[')
        return false;
    if (class->members[0].name[0])
        return classes_write(writer, class, 0, name, text);
    if (class->members[0].kind != DEBUG_POINTER)
        text_printf(text, "%s %s", type_of(&class->members[0])->name, writer_number(writer, name, name));
    return class->members[0].kind != DEBUG_POINTER;
}
