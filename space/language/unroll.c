/* A step of a launch is as in its first call. A first pass over all calls finds which numbers of a step differ; they
 * become its fields. A second pass notes the order of the calls, and the fields' values in each. A loop whose launches
 * do not name its counter stays a loop. */
#include "language/unroll.h"

#include <stdlib.h>
#include <string.h>

#include "language/arguments.h"

/* ---- A launch ---- */

/* Evaluates sizes; a missing one is 1. */
static int fill_sizes(const struct expr *const exprs[3], const char *thing, const struct expr_inputs *inputs,
                      uint32_t sizes[3], struct error *error)
{
    for (int i = 0; i < 3; i++) {
        int64_t size = 1;
        if (exprs[i])
            TRY(expr_integer(exprs[i], inputs, thing, 1, UINT32_MAX, &size, error));
        sizes[i] = (uint32_t)size;
    }
    return 0;
}

/* Finds the kernel among those in use, or adds it. */
static uint16_t use_kernel(struct launch *launch, uint32_t kernel)
{
    size_t k = 0;
    while (k < launch->kernel_count && launch->kernels[k] != kernel)
        k++;
    if (k == launch->kernel_count)
        launch->kernels[launch->kernel_count++] = (uint16_t)kernel;
    return (uint16_t)k;
}

static int fill_swaps(const struct step *from, const struct expr_inputs *inputs, struct launch *launch,
                      struct launch_step *step, struct error *error)
{
    step->swap_first = (uint32_t)launch->swap_count;
    step->swap_count = (uint32_t)from->swap_count;
    for (size_t i = 0; i < from->swap_count; i++) {
        const struct launch_swap *swap = &from->swaps[i];
        const struct buffer *a = &inputs->space->buffers[swap->a], *b = &inputs->space->buffers[swap->b];
        uint64_t a_bytes = space_buffer_bytes(inputs->space, launch, swap->a);
        uint64_t b_bytes = space_buffer_bytes(inputs->space, launch, swap->b);
        if (a_bytes != b_bytes)
            return expr_error(b->size, inputs, error, "'%s' and '%s' cannot be swapped: they have %llu and %llu bytes",
                              a->name, b->name, (unsigned long long)a_bytes, (unsigned long long)b_bytes);
        launch->swaps[launch->swap_count++] = *swap;
    }
    return 0;
}

int unroll_step(const struct step *from, const struct expr_inputs *inputs, bool reference, struct launch *launch,
                struct error *error)
{
    struct launch_step *step = &launch->steps[launch->step_count];
    bool wanted = true;
    int64_t repeat = 1, shared = 0;
    if (from->when)
        TRY(expr_true(from->when, inputs, &wanted, error));
    if (wanted && from->repeat)
        TRY(expr_integer(from->repeat, inputs, "the number of repeated launches", 0, SPACE_REPEATS_MAX, &repeat,
                         error));
    if (!wanted || repeat == 0)
        return 0;
    if (!from->compiler_block)
        TRY(fill_sizes(from->block, "a block's size", inputs, step->block, error));
    step->undecided =
        (uint16_t)((from->compiler_block ? UNDECIDED_BLOCK : 0) | (from->compiler_shared ? UNDECIDED_SHARED : 0) |
                   (from->compiler_grid ? UNDECIDED_GRID : 0));
    if (!from->resident && !from->compiler_sizes_grid)
        TRY(fill_sizes(from->grid, "a grid's size", inputs, step->grid, error));
    TRY(fill_sizes(from->cluster, "a cluster's size", inputs, step->cluster, error));
    if (step->cluster[0] == 1 && step->cluster[1] == 1 && step->cluster[2] == 1)
        memset(step->cluster, 0, sizeof step->cluster);
    if (from->shared)
        TRY(expr_integer(from->shared, inputs, "the size of shared memory", 0, UINT32_MAX, &shared, error));
    step->kernel = use_kernel(launch, from->number);
    step->cooperative = from->cooperative;
    step->fp64 = from->fp64;
    step->repeat = (uint32_t)repeat;
    step->shared_bytes = (uint64_t)shared;
    step->argument_first = (uint32_t)launch->argument_count;
    step->argument_count = (uint32_t)from->argument_count;
    for (size_t i = 0; i < from->argument_count; i++)
        TRY(argument_evaluate(&from->arguments[i], inputs, reference, launch,
                              &launch->arguments[launch->argument_count++], error));
    launch->step_count++;
    return fill_swaps(from, inputs, launch, step, error);
}

/* ---- Loops ---- */

#define EXIT_UNKNOWN UINT32_MAX

struct unrolling {
    const struct step *steps;
    struct expr_inputs inputs;
    bool reference, again; /* again: in the second pass */
    struct launch *launch;
    struct error *error;
    struct launch *own;                   /* the current call */
    uint64_t parallel, calls, visited;    /* rounds of the loops that stay, around the current call; calls so far */
    uint32_t numbers[SPACE_LAUNCHES_MAX]; /* by statement: its step in the launch, plus 1; 0: not called yet */
    struct {
        uint32_t word, word_count, part, part_count; /* its words and parts in the launch */
    } ranges[SPACE_LAUNCHES_MAX];                    /* by step */
    struct {
        bool shape[FIELD_OFFSET][3];
    } differs[SPACE_LAUNCHES_MAX]; /* by step */
    bool offset_differs[SPACE_POOL_MAX], part_differs[SPACE_PARTS_MAX], word_differs[LAUNCH_WORDS_MAX];
};

static uint64_t shape_of(const struct launch_step *step, enum launch_field_kind kind, uint32_t index)
{
    return kind == FIELD_BLOCK     ? step->block[index]
           : kind == FIELD_GRID    ? step->grid[index]
           : kind == FIELD_CLUSTER ? step->cluster[index]
           : kind == FIELD_SHARED  ? step->shared_bytes
                                   : step->repeat;
}

static uint32_t indices_of(enum launch_field_kind kind)
{
    return kind < FIELD_SHARED ? 3 : 1;
}

static int too_many(const struct unrolling *all, const struct loop *loop, const char *things, size_t most)
{
    int code = expr_error(loop->last, &all->inputs, all->error, "the loops make more than %zu %s", most, things);
    if (most < SPACE_REPEATS_MAX)
        error_hint(all->error, "a loop whose launches do not name its counter may have more rounds");
    return code;
}

/* Notes which numbers of a call are not those of the step's first one. */
static void compare(struct unrolling *all, uint32_t number)
{
    const struct launch_step *first = &all->launch->steps[number], *now = all->own->steps;
    for (enum launch_field_kind kind = 0; kind < FIELD_OFFSET; kind++)
        for (uint32_t i = 0; i < indices_of(kind); i++)
            all->differs[number].shape[kind][i] |= shape_of(first, kind, i) != shape_of(now, kind, i);
    for (uint32_t a = 0; a < first->argument_count; a++)
        all->offset_differs[first->argument_first + a] |=
            all->launch->arguments[first->argument_first + a].offset_bytes != all->own->arguments[a].offset_bytes;
    for (uint32_t p = 0, at = all->ranges[number].part; p < all->ranges[number].part_count; p++)
        all->part_differs[at + p] |= all->launch->parts[at + p].offset_bytes != all->own->parts[p].offset_bytes;
    for (uint32_t w = 0, at = all->ranges[number].word; w < all->ranges[number].word_count; w++)
        all->word_differs[at + w] |= all->launch->words[at + w].bits != all->own->words[w].bits;
}

static int resident_differs(const struct unrolling *all, const struct step *from)
{
    const struct expr *differing = from->block[0] ? from->block[0] : from->cluster[0] ? from->cluster[0] : from->shared;
    int code = expr_error(differing, &all->inputs, all->error,
                          "the resident grid would differ from round to round: its blocks or shared memory do");
    error_hint(all->error, "make them the same in all rounds, or give the grid a size");
    return code;
}

/* Appends the values of a call's fields. */
static int note_call(struct unrolling *all, uint32_t number, const struct step *from)
{
    struct launch *launch = all->launch;
    const struct launch_step *step = &launch->steps[number], *now = all->own->steps;
    if (launch->call_count == LAUNCH_CALLS_MAX)
        return too_many(all, from->loop, "calls", LAUNCH_CALLS_MAX);
    if (launch->value_count + step->field_count > LAUNCH_VALUES_MAX)
        return too_many(all, from->loop, "numbers that differ from round to round", LAUNCH_VALUES_MAX);
    launch->calls[launch->call_count++] =
        (struct launch_call){number, step->field_count ? (uint32_t)launch->value_count : 0};
    for (uint32_t f = 0; f < step->field_count; f++) {
        const struct launch_field *field = &launch->fields[step->field_first + f];
        launch->values[launch->value_count++].bits =
            field->kind == FIELD_OFFSET ? all->own->arguments[field->index - step->argument_first].offset_bytes
            : field->kind == FIELD_PART ? all->own->parts[field->index - all->ranges[number].part].offset_bytes
            : field->kind == FIELD_WORD ? all->own->words[field->index - all->ranges[number].word].bits
                                        : shape_of(now, (enum launch_field_kind)field->kind, field->index);
    }
    return 0;
}

static void clear_own(struct unrolling *all)
{
    struct launch *own = all->own;
    memset(own->steps, 0, sizeof *own->steps);
    memset(own->arguments, 0, own->argument_count * sizeof *own->arguments);
    memset(own->parts, 0, own->part_count * sizeof *own->parts);
    memset(own->words, 0, own->word_count * sizeof *own->words);
    own->step_count = own->argument_count = own->part_count = own->word_count = 0;
    own->swap_count = own->kernel_count = 0;
}

static int visit_steps(struct unrolling *all, size_t first, size_t end, const struct loop *outer);

static int visit_step(struct unrolling *all, size_t s)
{
    const struct step *from = &all->steps[s];
    struct launch *launch = all->launch;
    if (!all->numbers[s]) { /* in the first pass: evaluates it in place */
        const size_t words = launch->word_count, parts = launch->part_count, steps = launch->step_count;
        launch->steps[steps].from = (uint16_t)s;
        TRY(unroll_step(from, &all->inputs, all->reference, launch, all->error));
        if (launch->step_count == steps)
            return 0;
        all->ranges[steps].word = (uint32_t)words;
        all->ranges[steps].word_count = (uint32_t)(launch->word_count - words);
        all->ranges[steps].part = (uint32_t)parts;
        all->ranges[steps].part_count = (uint32_t)(launch->part_count - parts);
        all->numbers[s] = (uint32_t)launch->step_count;
    } else {
        clear_own(all);
        TRY(unroll_step(from, &all->inputs, all->reference, all->own, all->error));
        if (!all->own->step_count)
            return 0;
        if (all->again)
            return note_call(all, all->numbers[s] - 1, from);
        compare(all, all->numbers[s] - 1);
    }
    all->calls += all->parallel;
    return from->loop && all->calls > SPACE_REPEATS_MAX ? too_many(all, from->loop, "launches", SPACE_REPEATS_MAX) : 0;
}

/* Counts the rounds of a loop. */
static int count_rounds(const struct unrolling *all, const struct loop *loop, int64_t *first, int64_t *by,
                        uint64_t *rounds)
{
    const struct expr_inputs *inputs = &all->inputs;
    int64_t last;
    *by = 1;
    TRY(expr_integer(loop->first, inputs, "the first value of the counter", loop->times ? 1 : INT64_MIN, INT64_MAX,
                     first, all->error));
    TRY(expr_integer(loop->last, inputs, "the last value of the counter", INT64_MIN, INT64_MAX, &last, all->error));
    if (loop->by)
        TRY(expr_integer(loop->by, inputs, loop->times ? "the factor of the counter" : "the step of the counter",
                         loop->times ? 2 : INT64_MIN, INT64_MAX, by, all->error));
    if (*by == 0)
        return expr_error(loop->by, inputs, all->error, "the step of the counter is 0");
    *rounds = 0;
    if (loop->times)
        for (int64_t value = *first; value <= last; ++*rounds)
            if (__builtin_mul_overflow(value, *by, &value)) {
                ++*rounds;
                break;
            }
    if (!loop->times && (*by > 0 ? *first <= last : *first >= last)) {
        const uint64_t distance = *by > 0 ? (uint64_t)last - (uint64_t)*first : (uint64_t)*first - (uint64_t)last;
        *rounds = distance / (*by > 0 ? (uint64_t)*by : 0 - (uint64_t)*by) + 1;
    }
    return *rounds > SPACE_REPEATS_MAX ? too_many(all, loop, "rounds", SPACE_REPEATS_MAX) : 0;
}

/* Evaluates the condition that ends a loop. Returns its number in the launch, plus 1. */
static int note_until(struct unrolling *all, const struct loop *loop, uint32_t *number)
{
    struct launch *launch = all->launch;
    const struct element_type *type = all->inputs.space->buffers[loop->buffer].type;
    unsigned char element[sizeof(uint64_t)];
    char text[VALUE_TEXT_BYTES];
    struct value value;
    uint64_t bits;
    TRY(expr_eval(loop->value, &all->inputs, &value, all->error));
    const bool integers = type->family != FAMILY_FLOAT;
    value_text(&value, text, sizeof text);
    if (value.kind == VALUE_WORD || (integers && value.kind != VALUE_INT) ||
        (integers && !element_put_integer(type, value.integer, element)))
        return expr_error(loop->value, &all->inputs, all->error, "the %s '%s' is never %s", type->name,
                          all->inputs.space->buffers[loop->buffer].name, text);
    const double real = value_real(&value);
    if (integers)
        bits = (uint64_t)value.integer;
    else
        memcpy(&bits, &real, sizeof bits);
    const struct launch_until until = {
        .buffer = loop->buffer, .type = (uint16_t)(type - element_types), .sign = (uint16_t)loop->sign, .bits = bits};
    for (*number = 0; *number < launch->until_count; ++*number)
        if (memcmp(&launch->untils[*number], &until, sizeof until) == 0)
            break;
    if (*number == LAUNCH_UNTILS_MAX)
        return too_many(all, loop, "different conditions", LAUNCH_UNTILS_MAX);
    if (*number == launch->until_count)
        launch->untils[launch->until_count++] = until;
    ++*number;
    return 0;
}

/* Notes a loop around the calls since `first`, and the loops since `inner`. */
static int note_loop(struct unrolling *all, const struct loop *loop, uint64_t rounds, uint32_t first, uint32_t inner)
{
    struct launch *launch = all->launch;
    uint32_t until = 0;
    if (!all->again || launch->call_count == first || (rounds == 1 && !loop->until))
        return 0;
    if (loop->until)
        TRY(note_until(all, loop, &until));
    if (launch->loop_count == LAUNCH_LOOPS_MAX)
        return too_many(all, loop, "rounds with `until`", LAUNCH_LOOPS_MAX);
    launch->loops[launch->loop_count++] = (struct launch_loop){.first = first,
                                                               .end = (uint32_t)launch->call_count,
                                                               .rounds = (uint32_t)rounds,
                                                               .inner = inner,
                                                               .until = until,
                                                               .exit = until ? EXIT_UNKNOWN : 0};
    return 0;
}

/* Sets where the rounds of a loop since `inner` continue once its condition holds. */
static void note_exit(struct launch *launch, uint32_t inner)
{
    struct launch_loop *last = NULL;
    for (uint32_t l = inner; l < launch->loop_count; l++)
        if (launch->loops[l].exit == EXIT_UNKNOWN) {
            last = &launch->loops[l];
            last->exit = (uint32_t)launch->call_count;
            last->next = (uint32_t)launch->loop_count;
        }
    if (last)
        last->last = 1;
}

static int visit_loop(struct unrolling *all, const struct loop *loop)
{
    const uint32_t inner = (uint32_t)all->launch->loop_count;
    const uint64_t parallel = all->parallel;
    int64_t *counter = &all->inputs.counters[loop->depth], by = 1;
    uint64_t rounds = 0;
    TRY(count_rounds(all, loop, counter, &by, &rounds));
    all->inputs.loop = loop;
    const uint64_t visits = loop->varies ? rounds : rounds > 0;
    all->parallel *= loop->varies ? 1 : rounds;
    for (uint64_t visit = 0; visit < visits; visit++) {
        const uint32_t first = (uint32_t)all->launch->call_count, before = (uint32_t)all->launch->loop_count;
        if (++all->visited > 2 * SPACE_REPEATS_MAX)
            return too_many(all, loop, "rounds", SPACE_REPEATS_MAX);
        TRY(visit_steps(all, loop->step_first, loop->step_end, loop));
        if (!loop->varies || loop->until)
            TRY(note_loop(all, loop, loop->varies ? 1 : rounds, first, before));
        if (visit + 1 < visits)
            *counter = loop->times ? *counter * by : *counter + by;
    }
    note_exit(all->launch, inner);
    all->parallel = parallel;
    all->inputs.loop = loop->outer;
    return 0;
}

/* Returns the outermost loop around a step within another one; NULL: none. */
static const struct loop *loop_below(const struct step *step, const struct loop *outer)
{
    const struct loop *loop = step->loop;
    while (loop && loop != outer && loop->outer != outer)
        loop = loop->outer;
    return loop == outer ? NULL : loop;
}

static int visit_steps(struct unrolling *all, size_t first, size_t end, const struct loop *outer)
{
    for (size_t s = first; s < end;) {
        const struct loop *loop = loop_below(&all->steps[s], outer);
        TRY(loop ? visit_loop(all, loop) : visit_step(all, s));
        s = loop ? loop->step_end : s + 1;
    }
    return 0;
}

/* ---- Fields ---- */

static int add_field(struct unrolling *all, uint32_t number, enum launch_field_kind kind, uint32_t index)
{
    struct launch *launch = all->launch;
    const struct step *from = all->steps;
    while (all->numbers[from - all->steps] != number + 1)
        from++;
    if (launch->field_count == LAUNCH_FIELDS_MAX)
        return too_many(all, from->loop, "kinds of numbers that differ from round to round", LAUNCH_FIELDS_MAX);
    if (from->resident && (kind == FIELD_BLOCK || kind == FIELD_CLUSTER || kind == FIELD_SHARED))
        return resident_differs(all, from);
    launch->fields[launch->field_count++] = (struct launch_field){(uint16_t)kind, (uint16_t)index};
    launch->steps[number].field_count++;
    return 0;
}

static int add_fields(struct unrolling *all, uint32_t number)
{
    struct launch_step *step = &all->launch->steps[number];
    step->field_first = (uint32_t)all->launch->field_count;
    for (enum launch_field_kind kind = 0; kind < FIELD_OFFSET; kind++)
        for (uint32_t i = 0; i < indices_of(kind); i++)
            if (all->differs[number].shape[kind][i])
                TRY(add_field(all, number, kind, i));
    for (uint32_t a = 0; a < step->argument_count; a++)
        if (all->offset_differs[step->argument_first + a])
            TRY(add_field(all, number, FIELD_OFFSET, step->argument_first + a));
    for (uint32_t p = 0, at = all->ranges[number].part; p < all->ranges[number].part_count; p++)
        if (all->part_differs[at + p])
            TRY(add_field(all, number, FIELD_PART, at + p));
    for (uint32_t w = 0, at = all->ranges[number].word; w < all->ranges[number].word_count; w++)
        if (all->word_differs[at + w])
            TRY(add_field(all, number, FIELD_WORD, at + w));
    return 0;
}

static int unroll(struct unrolling *all, size_t count)
{
    TRY(visit_steps(all, 0, count, NULL));
    for (uint32_t number = 0; number < all->launch->step_count; number++)
        TRY(add_fields(all, number));
    all->again = true;
    all->calls = 0;
    return visit_steps(all, 0, count, NULL);
}

int unroll_steps(const struct step *steps, size_t count, const struct expr_inputs *inputs, bool reference,
                 struct launch *launch, struct error *error)
{
    size_t s = 0;
    while (s < count && !steps[s].loop)
        s++;
    if (s == count) {
        for (s = 0; s < count; s++) {
            launch->steps[launch->step_count].from = (uint16_t)s;
            TRY(unroll_step(&steps[s], inputs, reference, launch, error));
        }
        return 0;
    }
    struct unrolling *all = calloc(1, sizeof *all);
    struct launch *own = calloc(1, sizeof *own);
    int code = ERROR_MEMORY;
    if (all && own) {
        *all = (struct unrolling){.steps = steps,
                                  .inputs = *inputs,
                                  .reference = reference,
                                  .launch = launch,
                                  .error = error,
                                  .own = own,
                                  .parallel = 1};
        memcpy(own->scratch_bytes, launch->scratch_bytes, sizeof own->scratch_bytes);
        code = unroll(all, count);
    } else {
        error_memory(error);
    }
    free(own);
    free(all);
    return code;
}
