#include "draft/shape.h"

#include <stdlib.h>
#include <string.h>

static const char axes[] = "xyz";
static const char unknown[] = "???";

static size_t dimensions_of(unsigned bits)
{
    return bits & 4u ? 3 : bits & 2u ? 2 : 1;
}

static bool is_number(const char *text)
{
    return *text && strspn(text, "0123456789") == strlen(text);
}

static const char *join(struct arena *arena, const char *const *parts, size_t count)
{
    const char *joined = count ? parts[0] : unknown;
    for (size_t i = 1; i < count && joined; i++)
        joined = arena_printf(arena, "%s, %s", joined, parts[i]);
    return joined;
}

/* ---- The block ---- */

/* Makes a dimension of the block a parameter that only the launch sees. */
static const char *block_parameter(struct draft *draft, size_t axis, size_t count, const char *value,
                                   struct error *error)
{
    static const char *const names[][2] = {
        {"BLOCK", "THREADS"}, {"BLOCK_X", "THREADS_X"}, {"BLOCK_Y", "THREADS_Y"}, {"BLOCK_Z", "THREADS_Z"}};
    const char *const *both = names[count > 1 ? axis + 1 : 0];
    const char *name = draft_name(draft, both[scan_has_word(&draft->scan, both[0])], DRAFT_MACRO);
    const struct macro macro = {.name = name, .origin = MACRO_BLOCK, .of = both[0]};
    if (!name || macros_add(&draft->macros, &draft->arena, &macro, value, count > 1 ? 3 : 1, error)) {
        error_memory(error);
        return NULL;
    }
    return name;
}

/* The macro of the source whose name is that of a dimension; NULL: none. */
static const char *block_macro(const struct draft *draft, size_t axis, size_t count)
{
    for (int exact = 1; exact >= 0; exact--)
        for (size_t i = 0; i < draft->macros.count; i++) {
            const struct macro *macro = &draft->macros.items[i];
            const char *name = macro->of ? macro->of : macro->name;
            if (macro->origin != MACRO_BLOCK && !macro->elsewhere && macros_is_block(name, exact ? axes[axis] : '\0') &&
                (exact || axis < 2 || count < 3))
                return macro->name;
        }
    return NULL;
}

/* The launch bounds as an expression of the space; NULL: none, or unknown. */
static const char *bounds(struct draft *draft)
{
    const char *text = draft->kernel.launch_bounds;
    return *text && (is_number(text) || macros_find(&draft->macros, text)) ? text : NULL;
}

/* The macro in place `axis` of launch bounds that are a product of `count` macros, as in __launch_bounds__(X * Y). */
static const char *bounds_factor(struct draft *draft, size_t axis, size_t count)
{
    const char *found = NULL;
    size_t factors = 0;
    for (const char *at = draft->kernel.launch_bounds; *at; factors++) {
        at += strspn(at, " *");
        size_t length = strcspn(at, " *");
        const char *name = arena_copy(&draft->arena, at, length);
        if (!name || !macros_find(&draft->macros, name))
            return NULL;
        found = factors == axis ? name : found;
        at += length;
    }
    return factors == count ? found : NULL;
}

static int block_of_uses(struct draft *draft, struct shape *shape, struct error *error)
{
    const char *parts[3], *limit = bounds(draft);
    size_t count = dimensions_of(draft->uses.threads | draft->uses.sizes), known = 0;
    for (; known < count; known++) {
        const char *name = block_macro(draft, known, count);
        name = name ? name : bounds_factor(draft, known, count);
        if (!name && draft->uses.sizes >> known & 1u && !(name = block_parameter(draft, known, count, NULL, error)))
            return error_memory(error);
        if (!name)
            break;
        parts[known] = name;
    }
    shape->block = known == count ? join(&draft->arena, parts, count) : unknown;
    if (known < count)
        shape->block_comment = arena_printf(&draft->arena, "threads of a block%s%s%s",
                                            count > 2   ? " in x, y, z"
                                            : count > 1 ? " in x, y"
                                                        : "",
                                            limit ? ", at most " : "", limit ? limit : "");
    return shape->block && shape->block_comment ? 0 : error_memory(error);
}

/* ---- A launch of the host ---- */

/* Replaces the size of a block by its parameter, and one less, as in (n + 255) / 256, but no fractions. NULL when out
 * of memory. */
static const char *replace_size(struct arena *arena, const char *text, long size, const char *parameter)
{
    struct text out = {0};
    for (const char *at = text; *at;) {
        bool number = lexer_is_digit(*at) && (at == text || !lexer_is_name_part(at[-1]));
        size_t length = number ? strspn(at, "0123456789.") : 1;
        long found = number && !memchr(at, '.', length) ? strtol(at, NULL, 10) : 0;
        if (found > 1 && found == size)
            text_printf(&out, "%s", parameter);
        else if (found > 1 && found == size - 1)
            text_printf(&out, "(%s - 1)", parameter);
        else
            text_append(&out, at, length);
        at += length;
    }
    const char *copy = out.failed ? NULL : arena_copy(arena, text_string(&out), out.length);
    text_free(&out);
    return copy;
}

struct host_block {
    struct scan_range parts[3];
    const char *name, *texts[3];
    size_t count;
};

/* Names the parts of the block in the host's other expressions. */
static void alias_parts(struct draft *draft, const struct host_block *block)
{
    for (size_t i = 0; i < block->count; i++) {
        const struct scan_range range = block->parts[i];
        const char *member = arena_printf(&draft->arena, "%s.%c", block->name, axes[i]);
        if (range.end == range.begin + 1 && draft->scan.tokens[range.begin].kind == CODE_WORD)
            launch_alias(&draft->launch, scan_range_text(&draft->scan, &draft->arena, range), block->texts[i]);
        if (*block->name && member)
            launch_alias(&draft->launch, member, block->texts[i]);
        if (*block->name && block->count == 1)
            launch_alias(&draft->launch, block->name, block->texts[i]);
    }
}

/* The grid in the space language, in which parameters replace the numbers of the block. NULL: unknown, or out of
 * memory. */
static const char *follow_block(struct draft *draft, const struct host_block *block, const struct host_block *tuned)
{
    struct scan_range parts[3];
    const char *name, *texts[3];
    size_t count = launch_dimensions(&draft->launch, draft->launch.grid, parts, &name);
    for (size_t i = 0; i < count; i++) {
        texts[i] = launch_translate(&draft->launch, parts[i]);
        if (texts[i] && i < block->count && tuned->texts[i] != block->texts[i])
            texts[i] = replace_size(&draft->arena, texts[i], strtol(block->texts[i], NULL, 10), tuned->texts[i]);
        if (!texts[i])
            return NULL;
    }
    return count ? join(&draft->arena, texts, count) : NULL;
}

/* Makes numbers of the block parameters if the kernel asks for its size and the grid is known, which then follows. */
static const char *tune_block(struct draft *draft, struct host_block *block, struct error *error)
{
    const struct macros macros = draft->macros;
    size_t names = draft->name_count;
    struct host_block tuned = *block;
    for (size_t i = 0; i < block->count; i++)
        if (is_number(block->texts[i]) && draft->uses.sizes >> i & 1u && strtol(block->texts[i], NULL, 10) > 1 &&
            !(tuned.texts[i] = block_parameter(draft, i, block->count, block->texts[i], error)))
            return NULL;
    alias_parts(draft, &tuned);
    const char *grid = follow_block(draft, block, &tuned);
    if (grid) {
        *block = tuned;
        return grid;
    }
    draft->macros = macros;
    draft->name_count = names;
    return unknown;
}

/* A variable of the host without a value, such as a parameter of its function, stands for a macro of the source or for
 * any size that the kernel asks for. */
static const char *block_variable(struct draft *draft, const struct host_block *block, size_t axis, struct error *error)
{
    const struct scan_range range = block->parts[axis];
    const char *name = block_macro(draft, axis, block->count);
    if (range.end != range.begin + 1 || draft->scan.tokens[range.begin].kind != CODE_WORD)
        return NULL;
    if (name || !(draft->uses.sizes >> axis & 1u))
        return name;
    return block_parameter(draft, axis, block->count, NULL, error);
}

static const char *host_text(struct draft *draft, const char *what, struct scan_range range)
{
    struct scan_range parts[3];
    const char *name, *text = NULL;
    size_t count = launch_dimensions(&draft->launch, range, parts, &name);
    for (size_t i = 0; i < count; i++) {
        const char *part = scan_range_text(&draft->scan, &draft->arena, parts[i]);
        text = !part ? NULL : i ? arena_printf(&draft->arena, "%s, %s", text, part) : part;
        if (!text)
            return NULL;
    }
    return text ? arena_printf(&draft->arena, "%s; for line %d: %s", what, draft->launch.line, text) : what;
}

/* *known: the launch has a block that the space can have. */
static int shape_of_host(struct draft *draft, struct shape *shape, bool *known, struct error *error)
{
    struct host_block block = {.name = ""};
    struct host_launch *launch = &draft->launch;
    block.count = launch_dimensions(launch, launch->block, block.parts, &block.name);
    *known = block.count > 0;
    for (size_t i = 0; i < block.count && *known; i++) {
        block.texts[i] = launch_translate(launch, block.parts[i]);
        if (!block.texts[i])
            block.texts[i] = block_variable(draft, &block, i, error);
        *known = block.texts[i] != NULL;
    }
    if (!*known) {
        shape->block_comment = host_text(draft, "threads of a block", launch->block);
        return shape->block_comment ? 0 : error_memory(error);
    }
    shape->grid = tune_block(draft, &block, error);
    shape->block = shape->grid ? join(&draft->arena, block.texts, block.count) : NULL;
    shape->block_comment = arena_printf(&draft->arena, "as in line %d", launch->line);
    shape->grid_comment = !shape->grid                        ? NULL
                          : strcmp(shape->grid, unknown) == 0 ? host_text(draft, "blocks", launch->grid)
                                                              : shape->block_comment;
    return shape->block && shape->block_comment && shape->grid_comment ? 0 : error_memory(error);
}

/* ---- The grid and the rest ---- */

static int grid_of_uses(struct draft *draft, const char *size, struct shape *shape, struct error *error)
{
    static const char *const dimensions[] = {"", " in x, y", " in x, y, z"};
    const bool block = strcmp(shape->block, unknown) != 0 && !strchr(shape->block, ',');
    size_t count = dimensions_of(draft->uses.blocks);
    if (draft->uses.grid_sync) {
        shape->grid_comment = "`resident`: as many blocks as run at once; or their number";
    } else if (draft->kernel.body.begin < draft->kernel.body.end && !draft->uses.blocks) {
        shape->grid = "1";
        shape->grid_comment = "the kernel does not use blockIdx";
    } else {
        shape->grid_comment =
            arena_printf(&draft->arena, "blocks%s%s%s%s%s%s", dimensions[count - 1],
                         *size && block ? ", as in ceildiv(" : "", *size && block ? size : "",
                         *size && block ? ", " : "", *size && block ? shape->block : "", *size && block ? ")" : "");
    }
    return shape->grid_comment ? 0 : error_memory(error);
}

static int find_shared(struct draft *draft, struct shape *shape, struct error *error)
{
    struct host_launch *launch = &draft->launch;
    if (!*draft->uses.dynamic_shared && !draft->code.dynamic_shared)
        return 0;
    shape->shared = launch->shared.begin < launch->shared.end ? launch_translate(launch, launch->shared) : NULL;
    if (shape->shared) {
        shape->shared_comment = arena_printf(&draft->arena, "bytes, as in line %d", launch->line);
    } else {
        shape->shared = unknown;
        shape->shared_comment =
            arena_printf(&draft->arena, "bytes of '%s', as in 256 * sizeof(float)",
                         *draft->uses.dynamic_shared ? draft->uses.dynamic_shared : "extern __shared__");
    }
    return shape->shared_comment ? 0 : error_memory(error);
}

/* Adds the condition that the block keeps the launch bounds, unless its only size is the bound. */
static int find_limit(struct draft *draft, struct shape *shape, struct error *error)
{
    const char *limit = bounds(draft);
    if (!limit || strcmp(shape->block, unknown) == 0 || strcmp(shape->block, limit) == 0 || is_number(shape->block))
        return 0;
    struct text product = {0};
    for (const char *at = shape->block; *at; at++)
        text_printf(&product, *at == ',' ? " *" : "%c", *at);
    shape->limit = arena_printf(&draft->arena, "%s <= %s", text_string(&product), limit);
    text_free(&product);
    return shape->limit ? 0 : error_memory(error);
}

int shape_find(struct draft *draft, const char *size, struct shape *shape, struct error *error)
{
    bool known = false;
    int code = 0;
    *shape = (struct shape){.block = unknown,
                            .grid = unknown,
                            .shared = "",
                            .block_comment = "",
                            .grid_comment = "",
                            .shared_comment = "",
                            .limit = ""};
    draft->uses.grid_sync |= draft->code.grid_sync;
    /* Macros and included functions may use them. The code of a text with both may use more, for ranks in a grid. */
    if (!draft->uses.threads)
        draft->uses.threads = draft->code.threads;
    if (!draft->uses.blocks)
        draft->uses.blocks = draft->code.blocks;
    if (draft->launch.line)
        code = shape_of_host(draft, shape, &known, error);
    if (!code && !known)
        code = block_of_uses(draft, shape, error);
    if (!code && !known)
        code = grid_of_uses(draft, size, shape, error);
    if (!code)
        code = find_shared(draft, shape, error);
    return code ? code : find_limit(draft, shape, error);
}
