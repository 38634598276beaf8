/* tensor_map: a tensor map over a buffer for bulk tensor copies, passed to the kernel by value. */
#include <string.h>

#include "base/text.h"
#include "language/clauses.h"
#include "language/techniques.h"

static const struct {
    const char *name;
    uint32_t bytes;
    bool floating;
} tensor_types[] = {
#define TENSOR_TYPE(name, bytes, floating, cuda) {#name, bytes, floating},
#include "space/tensor_types.def"
#undef TENSOR_TYPE
};
static const struct word_list type_words = {"an element type of tensor maps",
                                            TENSOR_TYPE_COUNT,
                                            {
#define TENSOR_TYPE(name, bytes, floating, cuda) #name,
#include "space/tensor_types.def"
#undef TENSOR_TYPE
                                            }};
static const struct word_list fill_words = {"a fill of elements out of bounds", 2, {"zero", "nan"}};

/* Values of a clause, one for each dimension. */
struct extents {
    size_t count;
    const struct expr *values[TENSOR_RANK_MAX];
};

struct tensor_map_statement {
    const char *name;
    uint32_t buffer;
    int line;
    const struct expr *offset; /* elements of the buffer; NULL: 0 */
    struct extents sizes, strides, box, element_strides;
    struct setting type, interleave, swizzle, atom, flip, l2_promotion, out_of_bounds, when;
};
struct tensor_map_statements {
    size_t count;
    struct tensor_map_statement rows[SPACE_TENSOR_MAPS_MAX];
};

/* ---- Parsing ---- */

static int parse_extents(struct parser *parser, struct extents *extents)
{
    for (;;) {
        if (extents->count == TENSOR_RANK_MAX)
            return parser_error(parser, NULL, ERROR_SYNTAX, "a tensor map has at most %d dimensions", TENSOR_RANK_MAX);
        TRY(parser_expression(parser, &parser_rules, &extents->values[extents->count++]));
        if (!lexer_at_sign(&parser->lexer, ','))
            return 0;
        TRY(lexer_next(&parser->lexer));
    }
}

static int parse_sizes(struct parser *parser, void *statement)
{
    return parse_extents(parser, &((struct tensor_map_statement *)statement)->sizes);
}

static int parse_strides(struct parser *parser, void *statement)
{
    return parse_extents(parser, &((struct tensor_map_statement *)statement)->strides);
}

static int parse_box(struct parser *parser, void *statement)
{
    return parse_extents(parser, &((struct tensor_map_statement *)statement)->box);
}

static int parse_element_strides(struct parser *parser, void *statement)
{
    return parse_extents(parser, &((struct tensor_map_statement *)statement)->element_strides);
}

#define SETTING(member) offsetof(struct tensor_map_statement, member)
static const struct clause clauses[] = {
    {"size", true, parse_sizes, 0, NULL, "elements in each dimension, the innermost first; one to five dimensions"},
    {"box", true, parse_box, 0, NULL, "elements in each dimension that one copy moves"},
    {"stride", false, parse_strides, 0, NULL,
     "bytes from an element to the next in each dimension but the innermost; by default, the tensor is dense"},
    {"element_stride", false, parse_element_strides, 0, NULL,
     "step of the copied elements in each dimension; by default 1"},
    {"type", false, NULL, SETTING(type), &type_words, "type of the elements; by default, the buffer's"},
    {"interleave", false, NULL, SETTING(interleave), NULL,
     "bytes of a slice of channels: 0 (none), 16 or 32; by default 0"},
    {"swizzle", false, NULL, SETTING(swizzle), NULL,
     "bytes within which chunks swap places in shared memory: 0 (none), 32, 64 or 128; by default 0"},
    {"atom", false, NULL, SETTING(atom), NULL, "bytes of a chunk that the swizzle moves: 16, 32 or 64; by default 16"},
    {"flip", false, NULL, SETTING(flip), NULL,
     "1: in every other row, the swizzle also swaps the halves of each 16 bytes; by default 0"},
    {"l2_promotion", false, NULL, SETTING(l2_promotion), NULL,
     "bytes that the L2 fetches at once: 0 (as needed), 64, 128 or 256; by default 0"},
    {"out_of_bounds", false, NULL, SETTING(out_of_bounds), &fill_words,
     "value of elements outside the tensor; by default `zero`"},
    {"when", false, NULL, SETTING(when), NULL,
     "condition: where it is false, the kernel gets 128 zero bytes, and no rule applies"},
};
#undef SETTING

/* Type of tensor elements that matches the buffer's; false: none does. */
static bool own_type(const struct element_type *type, int *own)
{
    static const struct {
        enum scalar scalar;
        enum tensor_type type;
    } rows[] = {{SCALAR_char, TENSOR_uint8},    {SCALAR_uchar, TENSOR_uint8},       {SCALAR_bool, TENSOR_uint8},
                {SCALAR_short, TENSOR_uint16},  {SCALAR_ushort, TENSOR_uint16},     {SCALAR_int, TENSOR_int32},
                {SCALAR_uint, TENSOR_uint32},   {SCALAR_long, TENSOR_int64},        {SCALAR_ulong, TENSOR_uint64},
                {SCALAR_half, TENSOR_float16},  {SCALAR_bfloat16, TENSOR_bfloat16}, {SCALAR_float, TENSOR_float32},
                {SCALAR_double, TENSOR_float64}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows && type->components == 1; i++)
        if (rows[i].scalar == type->scalar) {
            *own = (int)rows[i].type;
            return true;
        }
    return false;
}

static int check_count(struct parser *parser, const char *keyword, size_t count, size_t expected)
{
    if (count == expected || count == 0)
        return 0;
    int code = parser_error(parser, &parser->keyword, ERROR_SYNTAX, "`%s` has %zu value%s instead of %zu", keyword,
                            count, count == 1 ? "" : "s", expected);
    error_hint(parser->error,
               "`size`, `box` and `element_stride` have a value for each dimension, `stride` for each but "
               "the innermost");
    return code;
}

static int parse_over(struct parser *parser, struct tensor_map_statement *map)
{
    if (!lexer_at_word(&parser->lexer, "over"))
        return lexer_expected(&parser->lexer, "'over'");
    TRY(lexer_next(&parser->lexer));
    TRY(technique_buffer(parser, &map->buffer));
    if (!lexer_at_sign(&parser->lexer, '+'))
        return 0;
    TRY(lexer_next(&parser->lexer));
    return parser_expression(parser, &parser_rules, &map->offset);
}

static int parse(struct parser *parser)
{
    struct tensor_map_statements *all = technique_make(parser, TECHNIQUE_tensor_map, sizeof *all);
    if (!all)
        return ERROR_MEMORY;
    struct tensor_map_statement *map = &all->rows[all->count];
    *map = (struct tensor_map_statement){.line = parser->keyword.line,
                                         .type.word = -1,
                                         .atom.word = 16,
                                         .out_of_bounds.word = TENSOR_ZERO,
                                         .when.word = 1};
    TRY(parser_declare(parser, NAME_TENSOR_MAP, all->count, &map->name));
    TRY(parse_over(parser, map));
    TRY(clauses_parse(parser, clauses, sizeof clauses / sizeof *clauses, map));
    TRY(check_count(parser, "box", map->box.count, map->sizes.count));
    TRY(check_count(parser, "element_stride", map->element_strides.count, map->sizes.count));
    if (map->strides.count)
        TRY(check_count(parser, "stride", map->strides.count, map->sizes.count - 1));
    const struct element_type *type = parser->space->buffers[map->buffer].type;
    if (!map->type.value && map->type.word < 0 && !own_type(type, &map->type.word)) {
        int code =
            parser_error(parser, &parser->keyword, ERROR_SYNTAX, "a tensor map has no elements of type %s", type->name);
        error_hint(parser->error, "add the type of the components, such as: type float32");
        return code;
    }
    all->count++;
    return 0;
}

static int check(struct parser *parser)
{
    const struct tensor_map_statements *all = technique_data(parser->space, TECHNIQUE_tensor_map);
    for (size_t i = 0; i < all->count; i++)
        TRY(technique_check_passed(parser, ARGUMENT_TENSOR_MAP, i, all->rows[i].name, all->rows[i].sizes.values[0],
                                   all->rows[i].line));
    return 0;
}

static bool holds(const struct space *space, size_t at, uint32_t *buffer)
{
    const struct tensor_map_statements *all = technique_data(space, TECHNIQUE_tensor_map);
    if (at < all->count)
        *buffer = all->rows[at].buffer;
    return at < all->count;
}

/* ---- As an argument ---- */

static int parse_argument(struct parser *parser, const struct name *name, struct argument *argument)
{
    return technique_parse_view(parser, name, ARGUMENT_TENSOR_MAP, argument);
}

/* ---- Evaluating a configuration ---- */

/* Settings whose number is one of a few. */
static const struct {
    size_t from, to; /* offsets in struct tensor_map_statement and struct launch_tensor_map */
    const char *thing, *list;
    uint16_t allowed[4];
} choices[] = {
#define CHOICE(member) offsetof(struct tensor_map_statement, member), offsetof(struct launch_tensor_map, member)
    {CHOICE(interleave), "the interleave", "0, 16 or 32", {0, 16, 32, 32}},
    {CHOICE(swizzle), "the swizzle", "0, 32, 64 or 128", {0, 32, 64, 128}},
    {CHOICE(atom), "the atom of the swizzle", "16, 32 or 64", {16, 32, 64, 64}},
    {CHOICE(flip), "the flip of the swizzle", "0 or 1", {0, 1, 1, 1}},
    {CHOICE(l2_promotion), "the L2 promotion", "0, 64, 128 or 256", {0, 64, 128, 256}},
#undef CHOICE
};

static int choose(size_t row, const struct tensor_map_statement *statement, const struct expr_inputs *inputs,
                  struct launch_tensor_map *map, struct error *error)
{
    const struct setting *setting = (const struct setting *)((const char *)statement + choices[row].from);
    uint16_t *result = (uint16_t *)((char *)map + choices[row].to);
    int64_t number = setting->word;
    if (setting->value)
        TRY(expr_integer(setting->value, inputs, choices[row].thing, INT64_MIN, INT64_MAX, &number, error));
    for (size_t i = 0; i < 4; i++)
        if (number == choices[row].allowed[i]) {
            *result = choices[row].allowed[i];
            return 0;
        }
    return expr_error(setting->value, inputs, error, "%s must be %s, not %lld", choices[row].thing, choices[row].list,
                      (long long)number);
}

static int numbers(const struct extents *extents, const struct expr_inputs *inputs, const char *thing, int64_t most,
                   uint64_t values[TENSOR_RANK_MAX], struct error *error)
{
    for (size_t i = 0; i < extents->count; i++) {
        const struct setting setting = {.value = extents->values[i]};
        TRY(setting_number(&setting, inputs, thing, 0, most, &values[i], error));
    }
    return 0;
}

static uint64_t multiply(uint64_t a, uint64_t b)
{
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static int evaluate_extents(const struct tensor_map_statement *statement, const struct expr_inputs *inputs,
                            struct launch_tensor_map *map, struct error *error)
{
    uint64_t box[TENSOR_RANK_MAX], steps[TENSOR_RANK_MAX] = {1, 1, 1, 1, 1}, strides[TENSOR_RANK_MAX];
    TRY(numbers(&statement->sizes, inputs, "the size of a tensor map", INT64_MAX, map->sizes, error));
    TRY(numbers(&statement->box, inputs, "the box of a tensor map", UINT32_MAX, box, error));
    TRY(numbers(&statement->element_strides, inputs, "the element stride of a tensor map", UINT32_MAX, steps, error));
    strides[0] = multiply(map->sizes[0], tensor_types[map->type].bytes);
    for (unsigned i = 1; i < map->rank; i++)
        strides[i] = multiply(strides[i - 1], map->sizes[i]);
    TRY(numbers(&statement->strides, inputs, "the stride of a tensor map", INT64_MAX, strides, error));
    for (unsigned i = 0; i < map->rank; i++) {
        map->box[i] = (uint32_t)box[i];
        map->element_strides[i] = (uint32_t)steps[i];
        if (i + 1 < map->rank)
            map->strides[i] = strides[i];
    }
    return 0;
}

static int evaluate_one(const struct tensor_map_statement *statement, const struct expr_inputs *inputs,
                        struct launch_tensor_map *map, struct error *error)
{
    bool used = true;
    int64_t offset = 0;
    if (statement->when.value)
        TRY(expr_true(statement->when.value, inputs, &used, error));
    if (!used)
        return 0;
    map->buffer = statement->buffer;
    map->rank = (uint16_t)statement->sizes.count;
    if (statement->offset)
        TRY(expr_integer(statement->offset, inputs, "the offset of a tensor map", 0, INT64_MAX, &offset, error));
    map->offset_bytes = multiply((uint64_t)offset, inputs->space->buffers[map->buffer].type->bytes);
    TRY(setting_word(&statement->type, inputs, &type_words, &map->type, error));
    TRY(setting_word(&statement->out_of_bounds, inputs, &fill_words, &map->out_of_bounds, error));
    for (size_t row = 0; row < sizeof choices / sizeof *choices; row++)
        TRY(choose(row, statement, inputs, map, error));
    if (map->swizzle == 0) { /* they have no effect */
        map->atom = 16;
        map->flip = 0;
    }
    return evaluate_extents(statement, inputs, map, error);
}

static int evaluate(const struct expr_inputs *inputs, struct launch *launch, struct error *error)
{
    const struct tensor_map_statements *all = technique_data(inputs->space, TECHNIQUE_tensor_map);
    launch->tensor_map_count = (uint16_t)all->count;
    for (size_t i = 0; i < all->count; i++)
        TRY(evaluate_one(&all->rows[i], inputs, &launch->tensor_maps[i], error));
    return 0;
}

/* ---- Rules ---- */

/* Parts of the map that rules name, in the language. */
struct parts {
    struct demand_list *list;
    const struct tensor_map_statement *map;
    const char *offset, *buffer, *end, *row, *bytes, *floating, *nan; /* bytes: of an element */
    const char *sizes[TENSOR_RANK_MAX], *strides[TENSOR_RANK_MAX], *box[TENSOR_RANK_MAX], *steps[TENSOR_RANK_MAX];
    const char *settings[sizeof choices / sizeof *choices];
};

static const struct {
    char each; /* asked for: 1, once; D, each dimension; S, each dimension with a stride */
    const char *condition, *why, *numbers[2];
} rules[] = {
#define TENSOR_RULE(each, condition, why, ...) {each, condition, why, {__VA_ARGS__}},
#include "technique/tensor_map_rules.def"
#undef TENSOR_RULE
};

/* Expansion of @X in a rule; "" for a letter without meaning. */
static const char *part_of(const struct parts *parts, char letter, unsigned i)
{
    static const char *const digits[TENSOR_RANK_MAX + 1] = {"0", "1", "2", "3", "4", "5"};
    const char *const *setting = strchr("IWAF", letter) ? &parts->settings[strchr("IWAF", letter) - "IWAF"] : NULL;
    switch (letter) {
    case 'i':
        return digits[i];
    case 'n':
        return digits[parts->map->sizes.count];
    case 'O':
        return parts->offset;
    case 'S':
        return parts->sizes[i];
    case 'T':
        return parts->strides[i];
    case 'B':
        return parts->box[i];
    case 'E':
        return parts->steps[i];
    case 'R':
        return parts->row;
    case 'Z':
        return parts->end;
    case 'L':
        return parts->buffer;
    case 'P':
        return parts->floating;
    case 'N':
        return parts->nan;
    case 'Y':
        return parts->map->type.value ? parts->map->type.value->text : type_words.words[parts->map->type.word];
    default:
        return setting ? *setting : "";
    }
}

static const char *expand(const struct parts *parts, const char *text, unsigned i)
{
    struct text own = {0};
    for (const char *c = text; *c; c++)
        if (*c == '@')
            text_printf(&own, "%s", part_of(parts, *++c, i));
        else
            text_append(&own, c, 1);
    const char *copy = own.failed ? NULL : arena_copy(&parts->list->space->arena, text_string(&own), own.length);
    text_free(&own);
    return copy;
}

static int demand_rule(const struct parts *parts, size_t rule, unsigned i)
{
    const char *message[3], *why = expand(parts, rules[rule].why, i);
    size_t count = 1;
    message[0] = why ? demand_text(parts->list, "the tensor map '%s': %s", parts->map->name, why) : NULL;
    for (; count < 3 && rules[rule].numbers[count - 1]; count++)
        message[count] = expand(parts, rules[rule].numbers[count - 1], i);
    return demand_add(parts->list, expand(parts, rules[rule].condition, i), message, count);
}

/* "1" or "0" for a setting with one of the types: the sum over all types of `number` times that condition. */
static const char *sum_types(struct demand_list *list, const struct setting *setting, bool floating)
{
    const char *sum = "0";
    for (int type = 0; type < TENSOR_TYPE_COUNT && sum; type++) {
        const char *is = technique_is_word(list, setting, &type_words, type);
        const unsigned number = floating ? tensor_types[type].floating : (unsigned)tensor_types[type].bytes;
        if (is && strcmp(is, "0") == 0)
            continue;
        sum = is ? demand_text(list, "%s + %s * %u", sum, is, number) : NULL;
    }
    return sum ? demand_text(list, "(%s)", sum) : NULL;
}

static bool fill_extents(struct parts *parts)
{
    struct demand_list *list = parts->list;
    const struct tensor_map_statement *map = parts->map;
    const char *stride = parts->bytes, *end = parts->offset;
    for (size_t i = 0; i < map->sizes.count && stride && end; i++) {
        const char *size = demand_part(list, map->sizes.values[i], "1");
        const char *before = i && parts->strides[i - 1] ? parts->strides[i - 1] : stride;
        end = !size ? NULL
              : i   ? demand_text(list, "%s + (%s - 1) * %s", end, size, before)
                    : demand_text(list, "%s + %s * %s", end, size, parts->bytes);
        stride = size ? demand_text(list, "%s * %s", stride, size) : NULL;
        parts->sizes[i] = size;
        parts->strides[i] = i < map->strides.count ? demand_part(list, map->strides.values[i], "1") : stride;
        parts->box[i] = demand_part(list, map->box.values[i], "1");
        parts->steps[i] = demand_part(list, map->element_strides.values[i], "1");
        if (!parts->strides[i] || !parts->box[i] || !parts->steps[i])
            return false;
    }
    parts->end = end;
    return stride && end;
}

static bool fill_parts(struct parts *parts)
{
    struct demand_list *list = parts->list;
    const struct tensor_map_statement *map = parts->map;
    const char *offset = demand_part(list, map->offset, "0");
    parts->bytes = sum_types(list, &map->type, false);
    parts->floating = sum_types(list, &map->type, true);
    parts->nan = technique_is_word(list, &map->out_of_bounds, &fill_words, TENSOR_NAN);
    parts->buffer = demand_buffer_bytes(list, map->buffer);
    parts->offset =
        offset ? demand_text(list, "%s * %u", offset, (unsigned)list->space->buffers[map->buffer].type->bytes) : NULL;
    parts->row =
        parts->bytes ? demand_text(list, "%s * %s", demand_part(list, map->box.values[0], "1"), parts->bytes) : NULL;
    for (size_t row = 0; row < sizeof choices / sizeof *choices; row++) {
        const struct setting *setting = (const struct setting *)((const char *)map + choices[row].from);
        parts->settings[row] =
            setting->value ? demand_part(list, setting->value, "") : demand_text(list, "%d", setting->word);
        if (!parts->settings[row])
            return false;
    }
    return parts->bytes && parts->floating && parts->nan && parts->buffer && parts->offset && parts->row &&
           fill_extents(parts);
}

static int demand_one(struct demand_list *list, const struct tensor_map_statement *map)
{
    struct parts parts = {.list = list, .map = map};
    list->place = map->sizes.values[0];
    list->when = map->when.value ? map->when.value->text : NULL;
    if (!fill_parts(&parts))
        return error_memory(list->error);
    for (size_t rule = 0; rule < sizeof rules / sizeof *rules; rule++) {
        const size_t rank = map->sizes.count, count = rules[rule].each == '1' ? 1 : rank - (rules[rule].each == 'S');
        for (unsigned i = 0; i < count; i++)
            TRY(demand_rule(&parts, rule, i));
    }
    return 0;
}

static int demand(struct demand_list *list)
{
    const struct tensor_map_statements *all = technique_data(list->space, TECHNIQUE_tensor_map);
    for (size_t i = 0; all && i < all->count; i++)
        TRY(demand_one(list, &all->rows[i]));
    return 0;
}

const struct technique technique_tensor_map = {
    .statement =
        {
            .keyword = "tensor_map",
            .most = SPACE_TENSOR_MAPS_MAX,
            .phase = PHASE_VIEWS,
            .flags = STATEMENT_BUFFERS | STATEMENT_DECLARES,
            .parse = parse,
            .usage =
                "tensor_map NAME over BUFFER + OFFSET size W, H box X, Y ...   (+ OFFSET may be left out; then perhaps "
                "stride, element_stride, type, interleave, swizzle, atom, flip, l2_promotion, out_of_bounds, when)",
            .summary = "a tensor map over a buffer, for bulk tensor copies",
            .text =
                "`args` passes it by its name, by value. The kernel's parameter is `const __grid_constant__ T NAME`, "
                "where T is any type of 128 bytes that is aligned to 64, such as "
                "`struct alignas(64) T { char bytes[128]; };`: NVRTC cannot read `cuda.h` with its CUtensorMap. OFFSET "
                "counts elements of the buffer. The clauses may come in any order, and each value may be an "
                "expression.\n"
                "A configuration becomes `pruned_limit`, with the broken rule, if its map breaks a rule of the "
                "driver's "
                "cuTensorMapEncodeTiled, leaves its buffer, or is for a device below compute capability 9.0.",
            .example = "param SWIZZLE = 0, 64, 128\n"
                       "tensor_map tiles over in size COLS, ROWS box 16, TILE swizzle SWIZZLE\n"
                       "args out, tiles, int ROWS, int COLS",
            .clauses = clauses,
            .clause_count = sizeof clauses / sizeof *clauses,
        },
    .reference = true,
    .argument_names = 1u << NAME_TENSOR_MAP,
    .argument_roles = 1u << ARGUMENT_TENSOR_MAP,
    .parse_argument = parse_argument,
    .evaluate_argument = technique_evaluate_view,
    .check = check,
    .holds = holds,
    .evaluate = evaluate,
    .demand = demand,
};
