#include "compile/operands.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* ---- Registers ---- */

static const struct {
    const char *prefix;
    int first, count;
} files[] = {
    {"UR", REGISTERS_GENERAL, REGISTERS_UNIFORM},
    {"UP", REGISTERS_GENERAL + REGISTERS_UNIFORM + REGISTERS_PREDICATE, REGISTERS_PREDICATE},
    {"R", 0, REGISTERS_GENERAL - 1},
    {"P", REGISTERS_GENERAL + REGISTERS_UNIFORM, REGISTERS_PREDICATE},
};

static bool is_word(char c)
{
    return text_is_digit(c) || text_is_letter(c);
}

/* The register whose name begins at `at`, and the name's length. */
static int register_at(const char *at, const char *end, size_t *length)
{
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        size_t prefix = strlen(files[f].prefix), digits = prefix;
        int number = 0;
        if ((size_t)(end - at) <= prefix || memcmp(at, files[f].prefix, prefix) != 0)
            continue;
        while (at + digits < end && text_is_digit(at[digits]) && number < REGISTERS)
            number = number * 10 + (at[digits++] - '0');
        if (digits == prefix || number >= files[f].count || (at + digits < end && is_word(at[digits])))
            continue;
        *length = digits;
        return files[f].first + number;
    }
    return -1;
}

int operands_register(struct listing_part part)
{
    if (!part.length)
        return -1;
    const char *end = part.text + part.length, *at = part.text + (*part.text == '!');
    size_t length;
    int found = at < end ? register_at(at, end, &length) : -1;
    return found >= 0 && (at + length == end || at[length] == '.') ? found : -1;
}

static bool is_predicate(struct listing_part part)
{
    return part.length >= 2 && (memcmp(part.text, "P", 1) == 0 || memcmp(part.text, "UP", 2) == 0) &&
           (operands_register(part) >= 0 || listing_part_is(part, "PT") || listing_part_is(part, "UPT"));
}

/* ---- Operands ---- */

/* Takes the next operand: commas outside of brackets separate operands. */
static bool next_operand(struct listing_part *rest, struct listing_part *operand)
{
    const char *at = rest->text, *end = at + rest->length;
    int depth = 0;
    while (at < end && strchr(" \t", *at))
        at++;
    *operand = (struct listing_part){at, 0};
    if (at == end)
        return false;
    for (; at < end && (depth > 0 || *at != ','); at++)
        depth += *at == '[' || *at == '(' ? 1 : *at == ']' || *at == ')' ? -1 : 0;
    operand->length = (size_t)(at - operand->text);
    at += at < end;
    *rest = (struct listing_part){at, (size_t)(end - at)};
    return true;
}

static void add(unsigned short *list, size_t *count, size_t most, int number)
{
    if (*count < most)
        list[(*count)++] = (unsigned short)number;
}

static void read_all(struct operands *operands, struct listing_part operand)
{
    if (!operand.length || *operand.text == '`') /* nothing, or a label */
        return;
    const char *at = operand.text, *end = at + operand.length;
    while (at < end) {
        size_t length = 1;
        int number = register_at(at, end, &length);
        if (number >= 0)
            add(operands->read, &operands->read_count, REGISTERS_READ_MOST, number);
        else
            while (at + length < end && is_word(*at) && is_word(at[length]))
                length++;
        at += length;
    }
}

static void read_number(struct operands *operands, struct listing_part operand)
{
    char text[32], *end;
    if (operand.length == 0 || operand.length >= sizeof text || !strchr("-0123456789", *operand.text))
        return;
    memcpy(text, operand.text, operand.length);
    text[operand.length] = '\0';
    long long number = strtoll(text, &end, 0);
    if (*end)
        return;
    operands->has_number = true;
    operands->number = number;
}

/* The number of consecutive registers of the result. */
static size_t result_registers(const struct listing_line *line)
{
    static const char *const loads[] = {"LDG",   "LDS",  "LDL",   "LD",  "LDC", "ULDC",
                                        "ATOMG", "ATOM", "ATOMS", "TLD", "TEX"};
    static const struct {
        const char *name;
        size_t count;
    } wide[] = {{"DFMA", 2}, {"DADD", 2}, {"DMUL", 2}, {"HMMA", 4}, {"IMMA", 4}, {"DMMA", 4}, {"CS2R", 2}};
    struct listing_part name = listing_name(line);
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++)
        if (listing_part_is(name, loads[i]))
            return listing_bits(line) > 32 ? listing_bits(line) / 32 : 1;
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        if (listing_part_is(name, wide[i].name))
            return wide[i].count;
    if (listing_part_is(name, "LDSM"))
        return listing_has(line, "4") ? 4 : listing_has(line, "2") ? 2 : 1;
    return listing_has(line, "WIDE") || listing_has(line, "64") ? 2 : 1;
}

static void write_result(struct operands *operands, const struct listing_line *line, int first)
{
    size_t count = first < REGISTERS_GENERAL + REGISTERS_UNIFORM ? result_registers(line) : 1;
    for (size_t i = 0; i < count; i++)
        if (first + (int)i < REGISTERS)
            add(operands->written, &operands->written_count, REGISTERS_WRITTEN_MOST, first + (int)i);
}

static bool ends_with(struct listing_part part, const char *end)
{
    size_t length = strlen(end);
    return part.length >= length && memcmp(part.text + part.length - length, end, length) == 0;
}

enum stage { BEFORE_RESULT, BEHIND_RESULT, SOURCES };

/* Returns the first stage: an instruction may have no result. *tests: predicates may be results. */
static enum stage first_stage(struct listing_part name, bool *tests)
{
    /* Their first operand is read, or is a target. */
    static const char *const without_result[] = {"BRA",  "BRX",      "BRXU",      "BAR",  "CALL", "RET",
                                                 "EXIT", "WARPSYNC", "NANOSLEEP", "KILL", "JMX",  "DEPBAR"};
    *tests = ends_with(name, "SETP") || ends_with(name, "SETP2") || ends_with(name, "PLOP3") || ends_with(name, "FCHK");
    for (size_t i = 0; i < sizeof without_result / sizeof *without_result; i++)
        if (listing_part_is(name, without_result[i]))
            return SOURCES;
    return BEFORE_RESULT;
}

struct operands operands_of(const struct listing_line *line)
{
    struct operands operands = {.kept = line->predicate.length > 0};
    struct listing_part rest = line->operands, operand;
    bool tests;
    size_t predicates = 0;
    enum stage stage = first_stage(listing_name(line), &tests);
    read_all(&operands, line->predicate);
    while (next_operand(&rest, &operand)) {
        int whole = operands_register(operand);
        if (stage != SOURCES && is_predicate(operand)) { /* a test has two; an addition, two carries behind its sum */
            if (whole >= 0)
                write_result(&operands, line, whole);
            if (++predicates == 2)
                stage = SOURCES;
        } else if (stage == BEFORE_RESULT && !tests &&
                   (whole >= 0 || listing_part_is(operand, "RZ") || listing_part_is(operand, "URZ"))) {
            if (whole >= 0)
                write_result(&operands, line, whole);
            stage = BEHIND_RESULT;
            predicates = 0;
        } else {
            stage = SOURCES;
            read_all(&operands, operand);
            read_number(&operands, operand);
        }
    }
    return operands;
}
