#include "compile/ptx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/hash_table.h"

struct range {
    const char *begin, *end;
};

static bool is_part(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
           c == '%';
}

static struct range word_at(const char *at, const char *end)
{
    struct range word = {at, at};
    while (word.end < end && is_part(*word.end))
        word.end++;
    return word;
}

static bool is_word(struct range word, const char *text)
{
    return (size_t)(word.end - word.begin) == strlen(text) && memcmp(word.begin, text, strlen(text)) == 0;
}

static bool has_word(struct range text, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = text.begin; length && (at = memmem(at, (size_t)(text.end - at), word, length)); at += length)
        if ((at == text.begin || (!is_part(at[-1]) && at[-1] != '.')) && !is_part(at[length]))
            return true;
    return false;
}

static bool has(struct range text, const char *part)
{
    return memmem(text.begin, (size_t)(text.end - text.begin), part, strlen(part)) != NULL;
}

/* Finds the end of the block that begins at `open`, by counting braces: a line with a lone '}' may end an asm
 * statement. */
static const char *block_end(const char *open)
{
    size_t depth = 0;
    for (const char *at = open; *at; at++) {
        depth += *at == '{';
        depth -= *at == '}';
        if (depth == 0)
            return at;
    }
    return NULL;
}

/* Finds the body, from the end of the parameters to the closing brace. */
static bool find_body(const char *ptx, const char *kernel, struct range *body)
{
    static const char entry[] = ".entry ";
    size_t length = strlen(kernel);
    for (const char *at = ptx; (at = strstr(at, entry));) {
        at += sizeof entry - 1;
        if (strncmp(at, kernel, length) != 0 || is_part(at[length]))
            continue;
        body->begin = strstr(at, "\n{");
        body->end = body->begin ? block_end(body->begin + 1) : NULL;
        return body->end != NULL;
    }
    return false;
}

/* ---- Registers ---- */

struct reading {
    const char *kernel;
    uint64_t pointers;
    struct item {
        struct range name;
        uint64_t holds; /* parameters that its value derives from */
        uint32_t uses;
    } * registers;
    size_t count, room;
    struct hash_table table;
    struct ptx_use *use;
    bool failed, fresh;
};

static bool same_name(const void *owner, uint32_t item, const void *key)
{
    const struct range *a = &((const struct reading *)owner)->registers[item].name, *b = key;
    return a->end - a->begin == b->end - b->begin && memcmp(a->begin, b->begin, (size_t)(a->end - a->begin)) == 0;
}

static struct item *register_of(struct reading *reading, struct range name)
{
    static struct item none;
    const struct hash_key key = {hash_u64(name.begin, (size_t)(name.end - name.begin), 0), same_name, reading, &name};
    struct item *grown = array_grow(reading->registers, &reading->room, reading->count + 1, sizeof *grown);
    uint32_t item = (uint32_t)reading->count;
    if (grown)
        reading->registers = grown;
    if (!grown || hash_table_put(&reading->table, &key, &item)) {
        reading->failed = true;
        return &none;
    }
    if (item == reading->count)
        reading->registers[reading->count++] = (struct item){.name = name};
    return &reading->registers[item];
}

/* The parameters that an operand derives from: by a register, or as the kernel's parameter itself. */
static uint64_t holds(struct reading *reading, struct range word)
{
    static const char mark[] = "_param_";
    size_t length = strlen(reading->kernel);
    if (*word.begin == '%')
        return register_of(reading, word)->holds;
    if ((size_t)(word.end - word.begin) <= length + sizeof mark - 1 ||
        strncmp(word.begin, reading->kernel, length) != 0 || strncmp(word.begin + length, mark, sizeof mark - 1) != 0)
        return 0;
    unsigned long number = strtoul(word.begin + length + sizeof mark - 1, NULL, 10);
    return number < PTX_PARAMETERS_MAX ? (uint64_t)1 << number & reading->pointers : 0;
}

/* ---- Instructions ---- */

struct instruction {
    struct range opcode;      /* "st.global.f32" */
    struct range first, rest; /* the operands */
    uint64_t address, values; /* parameters in the operands between brackets; those in the others, without the first */
};

/* Splits "add.s64 %rd3, %rd1, %rd2", behind a predicate. False without an instruction. */
static bool split(struct reading *reading, struct range text, struct instruction *instruction)
{
    const char *at = text.begin, *end = text.end;
    int depth = 0;
    memset(instruction, 0, sizeof *instruction);
    for (;;) {
        while (at < end && strchr(" \t\n{}", *at))
            at++;
        if (at + 1 < end && at[0] == '/' && at[1] == '/') { /* a comment */
            while (at < end && *at != '\n')
                at++;
        } else if (at < end && *at == '@') {
            while (at < end && *at != ' ' && *at != '\t')
                at++;
        } else if (at < end && *at == '$' && memchr(at, ':', (size_t)(end - at))) {
            at = (const char *)memchr(at, ':', (size_t)(end - at)) + 1;
        } else {
            break;
        }
    }
    instruction->opcode.begin = at;
    while (at < end && *at != ' ' && *at != '\t')
        at++;
    instruction->opcode.end = at;
    if (at == instruction->opcode.begin || *instruction->opcode.begin == '.')
        return false;
    instruction->first = (struct range){at, at};
    for (; at < end && (depth || *at != ','); at++)
        depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
    instruction->first.end = at;
    instruction->rest = (struct range){at, end};
    for (at = instruction->first.begin, depth = 0; at < end; at++) {
        depth += (*at == '[') - (*at == ']');
        if (!is_part(*at))
            continue;
        struct range word = word_at(at, end);
        uint64_t held = holds(reading, word);
        if (depth)
            instruction->address |= held;
        else if (word.begin >= instruction->rest.begin)
            instruction->values |= held;
        at = word.end - 1;
    }
    return true;
}

/* Adds the parameters to all registers of the operand. */
static void give(struct reading *reading, struct range operand, uint64_t held)
{
    for (const char *at = operand.begin; held && at < operand.end; at++) {
        struct range word = word_at(at, operand.end);
        if (word.end == at)
            continue;
        if (*word.begin == '%') {
            struct item *item = register_of(reading, word);
            reading->fresh |= (item->holds | held) != item->holds;
            item->holds |= held;
        }
        at = word.end - 1;
    }
}

static void change(struct reading *reading, uint64_t held)
{
    reading->use->changed |= held;
    if (held && !(held & (held - 1))) /* a single one */
        reading->use->written |= held;
}

/* True if components other than the first are used, besides in the fetch itself. */
static bool uses_vector(struct reading *reading, struct range operand)
{
    size_t number = 0;
    for (const char *at = operand.begin; at < operand.end; at++) {
        struct range word = word_at(at, operand.end);
        if (word.end == at)
            continue;
        if (number++ > 0 && register_of(reading, word)->uses > 1)
            return true;
        at = word.end - 1;
    }
    return false;
}

static void fetch(struct reading *reading, const struct instruction *instruction)
{
    if (has(instruction->opcode, ".v4.f32") || has(instruction->opcode, ".v2.f16"))
        reading->use->as_float |= instruction->address;
    else if (has(instruction->opcode, ".v4.s32") || has(instruction->opcode, ".v4.u32"))
        reading->use->as_integer |= instruction->address;
    if (uses_vector(reading, instruction->first))
        reading->use->as_vector |= instruction->address;
}

/* True if the instruction's name, up to a '.' or the end, is one of the names. */
static bool among(struct range opcode, const char *const *names, size_t count)
{
    const char *dot = memchr(opcode.begin, '.', (size_t)(opcode.end - opcode.begin));
    const struct range name = {opcode.begin, dot ? dot : opcode.end};
    for (size_t i = 0; i < count; i++)
        if (is_word(name, names[i]))
            return true;
    return false;
}

#define AMONG(opcode, names) among(opcode, names, sizeof(names) / sizeof *(names))

static void obey(struct reading *reading, struct range text)
{
    static const char *const pure[] = {"mov",  "cvta", "add",  "sub", "mul", "mad",  "and",   "or",   "xor", "not",
                                       "shl",  "shr",  "shf",  "bfi", "bfe", "prmt", "selp",  "min",  "max", "cvt",
                                       "lop3", "neg",  "slct", "fma", "rem", "div",  "mul24", "mad24"},
                             *const reads[] = {"ld",  "ldu",      "prefetch",     "prefetchu", "setp",
                                               "set", "isspacep", "bra",          "ldmatrix",  "suld",
                                               "txq", "ret",      "createpolicy", "tld4"},
                             *const writes[] = {"st", "red", "atom", "discard", "sust", "sured", "multimem"};
    struct instruction instruction;
    if (!split(reading, text, &instruction))
        return;
    const struct range opcode = instruction.opcode;
    bool reads_only = has(opcode, "shared.global") || has(opcode, "shared::cluster.global") ||
                      has(opcode, "shared::cta.global") || has(opcode, ".prefetch") || has(opcode, "wmma.load");
    if (has(opcode, "ld.param"))
        give(reading, instruction.first, instruction.address);
    else if (AMONG(opcode, pure))
        give(reading, instruction.first, instruction.values | instruction.address);
    else if (strncmp(opcode.begin, "tex.", 4) == 0)
        fetch(reading, &instruction);
    else if (AMONG(opcode, writes) && !has(opcode, ".param")) {
        change(reading, instruction.address);
        reading->use->changed |= instruction.values;
    } else if (!AMONG(opcode, reads) && !reads_only) {
        reading->use->changed |=
            instruction.address | instruction.values |
            holds(reading,
                  word_at(instruction.first.begin + strspn(instruction.first.begin, " \t"), instruction.first.end));
    }
}

/* Statements end in ';'. */
static void each_statement(struct reading *reading, struct range body, void (*take)(struct reading *, struct range))
{
    for (const char *at = body.begin; at < body.end && !reading->failed;) {
        const char *end = memchr(at, ';', (size_t)(body.end - at));
        struct range text = {at, end ? end : body.end};
        take(reading, text);
        at = text.end + 1;
    }
}

static void count_uses(struct reading *reading, struct range text)
{
    for (const char *at = text.begin; at < text.end; at++)
        if (*at == '%') {
            struct range word = word_at(at, text.end);
            register_of(reading, word)->uses++;
            at = word.end - 1;
        }
}

/* The dimensions of a special register that the code reads: "%tid" of "%tid.x". */
static unsigned dimensions_of(struct range body, const char *name)
{
    unsigned bits = 0;
    for (unsigned d = 0; d < 3; d++) {
        char word[16];
        snprintf(word, sizeof word, "%s.%c", name, "xyz"[d]);
        bits |= (unsigned)has_word(body, word) << d;
    }
    return bits;
}

bool ptx_use_of(const char *ptx, const char *kernel, uint64_t pointers, struct ptx_use *use)
{
    enum { PASSES = 16 };
    static const char shared[] = ".extern .shared ";
    struct reading reading = {.kernel = kernel, .pointers = pointers, .use = use};
    struct range body;
    *use = (struct ptx_use){0};
    if (!find_body(ptx, kernel, &body))
        return false;
    for (const char *at = ptx; (at = strstr(at, shared)) && !use->dynamic_shared;) {
        const char *end = at + strcspn(at, ";\n"), *open = memchr(at, '[', (size_t)(end - at)),
                   *begin = open ? open : end;
        char name[PTX_NAME_BYTES];
        while (begin > at && is_part(begin[-1]))
            begin--;
        snprintf(name, sizeof name, "%.*s", (int)((open ? open : end) - begin), begin);
        use->dynamic_shared = has_word(body, name);
        at = end;
    }
    use->calls = has_word(body, "call");
    use->threads = dimensions_of(body, "%tid");
    use->blocks = dimensions_of(body, "%ctaid");
    use->grid_sync = has(body, "%envreg1") && has(body, "trap;");
    each_statement(&reading, body, count_uses);
    reading.fresh = true;
    for (int pass = 0; pass < PASSES && reading.fresh && !reading.failed; pass++) {
        reading.fresh = false;
        use->written = use->changed = use->as_float = use->as_integer = use->as_vector = 0;
        each_statement(&reading, body, obey);
    }
    free(reading.registers);
    hash_table_free(&reading.table);
    return !reading.failed && !reading.fresh;
}

bool ptx_next_constant(const char *ptx, const char *kernel, const char **at, char name[PTX_NAME_BYTES])
{
    struct range body;
    if (!find_body(ptx, kernel, &body))
        return false;
    while (**at) {
        const char *line = *at, *end = line + strcspn(line, "\n");
        *at = end + (*end == '\n');
        const struct range text = {line, end};
        if (!has(text, ".const ") || has(text, "ld.const") || memchr(line, '=', (size_t)(end - line)))
            continue;
        const char *stop = line + strcspn(line, "[;\n"), *begin = stop;
        while (begin > line && is_part(begin[-1]))
            begin--;
        if (stop == begin || stop - begin >= PTX_NAME_BYTES || *stop == '\n')
            continue;
        snprintf(name, PTX_NAME_BYTES, "%.*s", (int)(stop - begin), begin);
        if (has_word(body, name))
            return true;
    }
    return false;
}
