#include "fit/fit_sizes.h"

#include <math.h>
#include <string.h>

#include "base/pairs.h"
#include "base/random.h"
#include "base/text.h"
#include "expression/expr.h"

/* TRIES: points of the sequence for each wanted point, as most of a small region repeat. */
enum { TRIES = 64, CORNERS_MAX = 4, ROOT_STEPS = 64, KINDS = 6 };

/* ---- The region ---- */

/* Reads a bound as the text "NAME=VALUE": the space knows its names and evaluates expressions. */
static int read_bound(struct fit_region *region, struct space *space, const char *range, const char *name,
                      size_t name_length, const char *value, size_t length, int64_t *bound, struct error *error)
{
    const char *text = arena_printf(&region->arena, "%.*s=%.*s", (int)name_length, name, (int)length, value);
    struct value read;
    size_t problem;
    int code = text ? space_override(space, text, &problem, &read, error) : error_memory(error);
    if (code)
        return code;
    if (read.kind != VALUE_INT || space->problems[problem].value.kind != VALUE_INT)
        return error_set(error, ERROR_USAGE, "--over %s: a fit is over integers", range);
    if (read.integer < 1)
        return error_set(error, ERROR_USAGE, "--over %s: a size is at least 1", range);
    *bound = read.integer;
    return 0;
}

static bool has_problem(const struct space *space, const char *name, size_t length)
{
    bool has = false;
    for (size_t i = 0; i < space->problem_count && !has; i++)
        has = strlen(space->problems[i].name) == length && memcmp(space->problems[i].name, name, length) == 0;
    return has;
}

static int read_range(struct fit_region *region, struct space *space, const char *range, struct error *error)
{
    struct size_fit_size *size = &region->sizes[region->count];
    struct pair_parts parts;
    const char *dots = strstr(range, "..");
    if (!pairs_split(range, strlen(range), &parts) || !dots || dots < parts.value) {
        error_set(error, ERROR_USAGE, "--over %s: not NAME=LEAST..GREATEST", range);
        error_hint(error, "--over \"ROWS=64..16384, COLS=64..16384\"");
        return ERROR_USAGE;
    }
    if (!has_problem(space, parts.name, parts.name_length))
        return error_set(error, ERROR_USAGE, "--over %s: the space has no problem size of that name", range);
    if (region->count == SIZE_FIT_SIZES_MAX)
        return error_set(error, ERROR_USAGE, "--over: a fit is over at most %d sizes", SIZE_FIT_SIZES_MAX);
    int code = read_bound(region, space, range, range, parts.name_length, parts.value, (size_t)(dots - parts.value),
                          &size->least, error);
    if (!code)
        code =
            read_bound(region, space, range, range, parts.name_length, dots + 2, strlen(dots + 2), &size->most, error);
    if (code)
        return code;
    if (size->least > size->most)
        return error_set(error, ERROR_USAGE, "--over %s: the range is empty", range);
    size->name = arena_copy(&region->arena, range, parts.name_length);
    for (size_t i = 0; size->name && i < region->count; i++)
        if (strcmp(size->name, region->sizes[i].name) == 0)
            return error_set(error, ERROR_USAGE, "--over %s: the problem size is given twice", range);
    region->count++;
    return size->name ? 0 : error_memory(error);
}

/* Splits at the commas between ranges; those in parentheses belong to a bound. */
static int read_ranges(struct fit_region *region, struct space *space, const char *over, struct error *error)
{
    int code = 0;
    for (const char *at = over; !code; at++) {
        size_t depth = 0, length = 0;
        at += strspn(at, " ");
        for (; at[length] && (depth || at[length] != ','); length++)
            depth += at[length] == '(' ? 1 : at[length] == ')' && depth ? (size_t)-1 : 0;
        size_t end = length;
        while (end && at[end - 1] == ' ')
            end--;
        const char *range = arena_copy(&region->arena, at, end);
        code = range ? read_range(region, space, range, error) : error_memory(error);
        at += length;
        if (!*at)
            break;
    }
    return code;
}

/* ---- The condition ---- */

static int read_where(struct fit_region *region, const char *where, struct error *error)
{
    struct text text = {0};
    if (!where)
        return 0;
    if (strpbrk(where, "\n\r#\\"))
        return error_set(error, ERROR_USAGE, "--where: not one expression");
    text_printf(&text, "space 2\nparam _ = 0\n");
    for (size_t i = 0; i < region->count; i++)
        text_printf(&text, "problem %s = 1\n", region->sizes[i].name);
    text_printf(&text, "require %s\n", where);
    int code = text.failed ? error_memory(error)
                           : space_parse_text(&region->where, "--where", text_string(&text), text.length, NULL, error);
    text_free(&text);
    if (code == ERROR_SYNTAX)
        error_hint(error, "an expression over the sizes of --over: --where \"ROWS %% 8 == 0\"");
    return code;
}

int fit_region_has(const struct fit_region *region, const int64_t *sizes, bool *has, struct error *error)
{
    static const struct value nothing[1];
    *has = true;
    for (size_t i = 0; i < region->count; i++)
        *has = *has && sizes[i] >= region->sizes[i].least && sizes[i] <= region->sizes[i].most;
    if (!*has || !region->where)
        return 0;
    const struct expr_inputs inputs = {.space = region->where, .values = nothing};
    for (size_t i = 0; i < region->count; i++)
        region->where->problems[i].value = value_integer(sizes[i]);
    return expr_true(region->where->constraints[0].condition, &inputs, has, error);
}

int fit_region_read(struct fit_region *region, struct space *space, const char *over, const char *where,
                    struct error *error)
{
    int code = read_ranges(region, space, over, error);
    return code ? code : read_where(region, where, error);
}

void fit_region_free(struct fit_region *region)
{
    space_free(region->where);
    arena_free(&region->arena);
    *region = (struct fit_region){0};
}

/* ---- Rounding ---- */

static bool is_prime(int64_t number)
{
    for (int64_t divisor = 2; divisor <= number / divisor; divisor++)
        if (number % divisor == 0)
            return false;
    return number > 1;
}

static bool is_odd(int64_t number)
{
    return number % 2 != 0;
}

/* An odd multiple of 2, 4 or 8. */
static bool is_odd_multiple(int64_t number)
{
    return number % 16 != 0 && number % 2 == 0;
}

static bool is_any(int64_t number)
{
    (void)number;
    return true;
}

static bool is_power(int64_t number)
{
    return (number & (number - 1)) == 0;
}

static bool is_vector_multiple(int64_t number)
{
    return number % 16 == 0 && !is_power(number);
}

/* Returns the nearest number of a kind within the range; the number itself if none is near. */
static int64_t round_to(bool (*is)(int64_t), int64_t number, const struct size_fit_size *size)
{
    for (int64_t away = 0; away <= number / 2 + 1; away++) {
        if (number - away >= size->least && is(number - away))
            return number - away;
        if (away <= size->most - number && is(number + away))
            return number + away;
    }
    return number;
}

/* The same for powers of two, which may be far away. */
static int64_t round_to_power(int64_t number, const struct size_fit_size *size)
{
    int64_t below = 1;
    while (below <= number / 2)
        below *= 2;
    int64_t above = below < number ? 2 * below : below;
    bool has_above = above <= size->most && above - number <= number / 2 + 1;
    if (below >= size->least && (!has_above || number - below <= above - number))
        return below;
    return has_above ? above : number;
}

static int64_t round_size(double exact, size_t kind, const struct size_fit_size *size)
{
    static bool (*const kinds[KINDS])(int64_t) = {is_prime,           is_odd_multiple, is_odd,
                                                  is_vector_multiple, is_any,          is_power};
    int64_t number = exact >= (double)size->most ? size->most : (int64_t)exact;
    number = number < size->least ? size->least : number;
    if (number > (int64_t)1 << 30) /* a test of primality takes long */
        return number;
    return kinds[kind % KINDS] == is_power ? round_to_power(number, size) : round_to(kinds[kind % KINDS], number, size);
}

/* ---- Sampling ---- */

/* Returns the root above 1 of x^(count + 1) = x + 1. */
static double root_of(size_t count)
{
    double root = 2;
    for (int i = 0; i < ROOT_STEPS; i++)
        root = pow(1 + root, 1.0 / (double)(count + 1));
    return root;
}

static void put_corner(const struct fit_region *region, size_t corner, int64_t *point)
{
    for (size_t i = 0; i < region->count; i++) {
        bool most = corner == 1 || (corner == 2 && i % 2) || (corner == 3 && i % 2 == 0);
        point[i] = most ? region->sizes[i].most : region->sizes[i].least;
    }
}

static void put_point(const struct fit_region *region, uint64_t seed, uint64_t number, int64_t *point)
{
    struct random random;
    double root = root_of(region->count), step = 1;
    random_seed(&random, seed);
    for (size_t i = 0; i < region->count; i++) {
        const struct size_fit_size *size = &region->sizes[i];
        step /= root;
        double at = random_unit(&random) + step * (double)number, low = log((double)size->least);
        at -= floor(at);
        /* Each round pairs the kinds of the sizes differently. */
        point[i] = round_size(exp(low + at * (log((double)size->most + 1) - low)),
                              number + i * (1 + number / KINDS % (KINDS - 1)), size);
    }
}

static bool is_new(const int64_t *points, size_t count, size_t width, const int64_t *point)
{
    for (size_t i = 0; i < count; i++)
        if (memcmp(points + i * width, point, width * sizeof *point) == 0)
            return false;
    return true;
}

int fit_sizes_sample(const struct fit_region *region, uint64_t seed, size_t room, int64_t *points, size_t *count,
                     struct error *error)
{
    size_t corners = region->count > 1 ? CORNERS_MAX : 2;
    uint64_t tries = corners + room * TRIES;
    int code = 0;
    *count = 0;
    for (uint64_t i = 0; i < tries && *count < room && !code; i++) {
        int64_t *point = points + *count * region->count;
        bool has = false;
        if (i < corners)
            put_corner(region, (size_t)i, point);
        else
            put_point(region, seed, i - corners, point);
        code = fit_region_has(region, point, &has, error);
        *count += !code && has && is_new(points, *count, region->count, point);
    }
    return code;
}

double fit_sizes_distance(const int64_t *a, const int64_t *b, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        double ratio = log((double)a[i] / (double)b[i]);
        sum += ratio * ratio;
    }
    return sum;
}
