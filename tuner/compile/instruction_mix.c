#include "compile/instruction_mix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "compile/dependence_chain.h"
#include "compile/listing.h"
#include "compile/loops.h"
#include "compile/operands.h"

/* ---- Kinds of instructions ---- */

enum kind {
    KIND_OTHER,
    GLOBAL_LOAD,
    GLOBAL_STORE,
    SHARED_LOAD,
    SHARED_STORE,
    LOCAL_ACCESS,
    ASYNC_COPY,
    GLOBAL_ATOMIC,
    SHARED_ATOMIC,
    TEXTURE,
    CONSTANT_LOAD,
    BARRIER,
    FMA,
    TENSOR,
    TRANSCENDENTAL,
    INTEGER,
    BRANCH,
    KINDS
};

/* CUDA Binary Utilities, Instruction Set Reference. LD and ST access any memory, mostly global memory. */
static const struct {
    const char *name;
    enum kind kind;
} operations[] = {
    {"LDG", GLOBAL_LOAD},    {"LD", GLOBAL_LOAD},     {"STG", GLOBAL_STORE},
    {"ST", GLOBAL_STORE},    {"LDS", SHARED_LOAD},    {"LDSM", SHARED_LOAD},
    {"STS", SHARED_STORE},   {"STSM", SHARED_STORE},  {"LDL", LOCAL_ACCESS},
    {"STL", LOCAL_ACCESS},   {"LDGSTS", ASYNC_COPY},  {"UBLKCP", ASYNC_COPY},
    {"UTMALDG", ASYNC_COPY}, {"ATOM", GLOBAL_ATOMIC}, {"ATOMG", GLOBAL_ATOMIC},
    {"RED", GLOBAL_ATOMIC},  {"REDG", GLOBAL_ATOMIC}, {"ATOMS", SHARED_ATOMIC},
    {"TEX", TEXTURE},        {"TLD", TEXTURE},        {"TLD4", TEXTURE},
    {"TXD", TEXTURE},        {"LDC", CONSTANT_LOAD},  {"BAR", BARRIER},
    {"FADD", FMA},           {"FMUL", FMA},           {"FFMA", FMA},
    {"FADD2", FMA},          {"FMUL2", FMA},          {"FFMA2", FMA},
    {"HADD2", FMA},          {"HMUL2", FMA},          {"HFMA2", FMA},
    {"DADD", FMA},           {"DMUL", FMA},           {"DFMA", FMA},
    {"HMMA", TENSOR},        {"IMMA", TENSOR},        {"DMMA", TENSOR},
    {"BMMA", TENSOR},        {"QMMA", TENSOR},        {"OMMA", TENSOR},
    {"HGMMA", TENSOR},       {"IGMMA", TENSOR},       {"QGMMA", TENSOR},
    {"BGMMA", TENSOR},       {"UTCHMMA", TENSOR},     {"UTCIMMA", TENSOR},
    {"UTCQMMA", TENSOR},     {"UTCOMMA", TENSOR},     {"MUFU", TRANSCENDENTAL},
    {"IADD", INTEGER},       {"IADD3", INTEGER},      {"VIADD", INTEGER},
    {"IMAD", INTEGER},       {"LEA", INTEGER},        {"LOP3", INTEGER},
    {"SHF", INTEGER},        {"SHL", INTEGER},        {"SHR", INTEGER},
    {"ISETP", INTEGER},      {"FSETP", INTEGER},      {"DSETP", INTEGER},
    {"HSETP2", INTEGER},     {"PLOP3", INTEGER},      {"IMNMX", INTEGER},
    {"VIMNMX", INTEGER},     {"VIADDMNMX", INTEGER},  {"SEL", INTEGER},
    {"MOV", INTEGER},        {"PRMT", INTEGER},       {"POPC", INTEGER},
    {"FLO", INTEGER},        {"BREV", INTEGER},       {"SGXT", INTEGER},
    {"BMSK", INTEGER},       {"IABS", INTEGER},       {"CS2R", INTEGER},
    {"R2UR", INTEGER},       {"IDP", INTEGER},        {"BRA", BRANCH},
    {"BRX", BRANCH},         {"BRXU", BRANCH},        {"JMP", BRANCH},
    {"JMX", BRANCH},
};

static enum kind kind_of_name(struct listing_part name)
{
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (listing_part_is(name, operations[i].name))
            return operations[i].kind;
    return KIND_OTHER;
}

static bool contains(struct listing_part part, const char *text)
{
    return memmem(part.text, part.length, text, strlen(text)) != NULL;
}

static enum kind kind_of(const struct listing_line *line)
{
    struct listing_part name = listing_name(line);
    enum kind kind = kind_of_name(name);
    if (kind == KIND_OTHER && name.length > 1 && *name.text == 'U') { /* uniform datapath */
        kind = kind_of_name((struct listing_part){name.text + 1, name.length - 1});
        return kind == INTEGER || kind == FMA ? kind : KIND_OTHER;
    }
    if (kind == FMA && contains(line->operands, "-RZ, RZ")) /* adding zero to a number is a move */
        return INTEGER;
    if (kind == BARRIER && listing_has(line, "ARV"))
        return KIND_OTHER;
    return kind;
}

/* True if LDC reads at an address in a register; false at a fixed one such as c[0x0][0x210]. */
static bool is_indexed(const struct listing_line *line)
{
    const char *address = memmem(line->operands.text, line->operands.length, "][R", 3);
    return address && address + 3 < line->operands.text + line->operands.length && address[3] != 'Z';
}

/* ---- Instructions ---- */

struct instruction {
    struct listing_line line;
    enum kind kind;
};

struct code {
    struct instruction *instructions;
    struct flow_step *steps;
    size_t count, room;
    struct code_label {
        struct listing_part name;
        size_t at;
    } * labels;
    size_t label_count, label_room;
};

static void code_free(struct code *code)
{
    free(code->instructions);
    free(code->steps);
    free(code->labels);
}

static int compare_parts(struct listing_part a, struct listing_part b)
{
    int order = memcmp(a.text, b.text, a.length < b.length ? a.length : b.length);
    return order ? order : (a.length > b.length) - (a.length < b.length);
}

static int compare_labels(const void *a, const void *b)
{
    return compare_parts(((const struct code_label *)a)->name, ((const struct code_label *)b)->name);
}

/* The label in "UR4, `(.L_x_1)"; of length 0 without one. */
static struct listing_part label_of(struct listing_part operands)
{
    const char *open = memmem(operands.text, operands.length, "`(", 2);
    const char *close = open ? memchr(open, ')', (size_t)(operands.text + operands.length - open)) : NULL;
    return close ? (struct listing_part){open + 2, (size_t)(close - open) - 2} : (struct listing_part){open, 0};
}

static int add_line(struct code *code, const struct listing_line *line, struct error *error)
{
    if (line->label.length) {
        struct code_label *labels =
            array_grow(code->labels, &code->label_room, code->label_count + 1, sizeof *code->labels);
        if (!labels)
            return error_memory(error);
        code->labels = labels;
        labels[code->label_count++] = (struct code_label){line->label, code->count};
        return 0;
    }
    /* Never executed: padding, and the marks of a workaround. */
    if (listing_part_is(listing_name(line), "NOP") || listing_part_is(line->predicate, "!PT"))
        return 0;
    struct instruction *instructions =
        array_grow(code->instructions, &code->room, code->count + 1, sizeof *code->instructions);
    if (!instructions)
        return error_memory(error);
    code->instructions = instructions;
    instructions[code->count++] = (struct instruction){*line, kind_of(line)};
    return 0;
}

static struct flow_step flow_of(const struct code *code, const struct instruction *instruction)
{
    static const char *const ends[] = {"EXIT", "RET", "BRX", "BRXU", "JMX", "KILL"};
    const struct listing_line *line = &instruction->line;
    bool always = line->predicate.length == 0;
    struct listing_part name = listing_name(line), label = label_of(line->operands);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (always && listing_part_is(name, ends[i]))
            return (struct flow_step){.flow = FLOW_END, .target = LOOPS_NONE};
    if (instruction->kind != BRANCH || !label.length)
        return (struct flow_step){.flow = FLOW_NEXT, .target = LOOPS_NONE};
    const struct code_label key = {label, 0};
    const struct code_label *found =
        code->label_count ? bsearch(&key, code->labels, code->label_count, sizeof key, compare_labels) : NULL;
    always = always && *line->operands.text == '`'; /* otherwise a predicate is among the operands */
    return (struct flow_step){.flow = always ? FLOW_JUMP : FLOW_BRANCH, .target = found ? found->at : LOOPS_NONE};
}

static int code_read(struct code *code, const char *text, const char *kernel, struct error *error)
{
    struct listing listing = {.at = text, .kernel = kernel};
    struct listing_line line;
    int result = 0;
    while (!result && listing_next(&listing, &line))
        result = add_line(code, &line, error);
    if (result || code->count == 0)
        return result;
    code->steps = calloc(code->count, sizeof *code->steps);
    if (!code->steps)
        return error_memory(error);
    if (code->label_count)
        qsort(code->labels, code->label_count, sizeof *code->labels, compare_labels);
    for (size_t i = 0; i < code->count; i++)
        code->steps[i] = flow_of(code, &code->instructions[i]);
    size_t last = code->count - 1; /* a jump to itself behind the end */
    if (code->steps[last].flow == FLOW_JUMP && code->steps[last].target == last)
        code->count--;
    return 0;
}

/* ---- Counts ---- */

/* Items of all the code and of the hottest loop, and the kinds of instructions in them. */
static const struct {
    size_t code, loop; /* offsets in struct evidence; 0: none */
    unsigned kinds;    /* bits */
    bool bytes;
} items[] = {
#define AT(name) offsetof(struct evidence, name)
    {AT(code_global_loads), AT(loop_global_loads), 1u << GLOBAL_LOAD, false},
    {AT(code_global_load_bytes), AT(loop_global_load_bytes), 1u << GLOBAL_LOAD, true},
    {AT(code_global_stores), 0, 1u << GLOBAL_STORE, false},
    {AT(code_global_store_bytes), 0, 1u << GLOBAL_STORE, true},
    {AT(code_shared_loads), AT(loop_shared_loads), 1u << SHARED_LOAD, false},
    {AT(code_shared_load_bytes), AT(loop_shared_load_bytes), 1u << SHARED_LOAD, true},
    {AT(code_shared_stores), 0, 1u << SHARED_STORE, false},
    {AT(code_shared_store_bytes), 0, 1u << SHARED_STORE, true},
    {0, AT(loop_stores), 1u << GLOBAL_STORE | 1u << SHARED_STORE, false},
    {AT(code_local_accesses), AT(loop_local_accesses), 1u << LOCAL_ACCESS, false},
    {AT(code_async_copies), AT(loop_async_copies), 1u << ASYNC_COPY, false},
    {AT(code_atomics), AT(loop_atomics), 1u << GLOBAL_ATOMIC, false},
    {AT(code_shared_atomics), AT(loop_shared_atomics), 1u << SHARED_ATOMIC, false},
    {AT(code_texture), AT(loop_texture), 1u << TEXTURE, false},
    {AT(code_constant_indexed), AT(loop_constant_indexed), 1u << CONSTANT_LOAD, false},
    {AT(code_barriers), AT(loop_barriers), 1u << BARRIER, false},
    {AT(code_fma), AT(loop_fma), 1u << FMA, false},
    {AT(code_tensor), AT(loop_tensor), 1u << TENSOR, false},
    {AT(code_transcendental), AT(loop_transcendental), 1u << TRANSCENDENTAL, false},
    {AT(code_branches), 0, 1u << BRANCH, false},
    {0, AT(loop_overhead), 1u << INTEGER | 1u << BRANCH, false},
#undef AT
};

static double bytes_of(const struct listing_line *line)
{
    if (listing_part_is(listing_name(line), "LDSM") || listing_part_is(listing_name(line), "STSM"))
        return listing_has(line, "4") ? 16 : listing_has(line, "2") ? 8 : 4;
    return listing_bits(line) / 8.0;
}

static void add_to(struct evidence *evidence, size_t offset, double value)
{
    if (offset)
        *(double *)((char *)evidence + offset) += value;
}

static void count_instruction(struct evidence *counts, const struct instruction *instruction, bool hot)
{
    if (instruction->kind == CONSTANT_LOAD && !is_indexed(&instruction->line))
        return;
    for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
        if (!(items[i].kinds & 1u << instruction->kind))
            continue;
        double value = items[i].bytes ? bytes_of(&instruction->line) : 1;
        add_to(counts, items[i].code, value);
        add_to(counts, hot ? items[i].loop : 0, value);
    }
}

/* ---- The hottest loop ---- */

/* The last instruction of the loop before `end` that writes the register `written`, with its operands; LOOPS_NONE
 * without one. `counts`: only instructions that read a number and a register. */
static size_t writer_of(const struct code *code, const struct loops *loops, size_t loop, size_t end, int written,
                        bool counts, struct operands *operands)
{
    for (size_t i = end; i-- > 0;) {
        if (loops->of[i] != loop)
            continue;
        *operands = operands_of(&code->instructions[i].line);
        for (size_t w = 0; w < operands->written_count; w++)
            if (operands->written[w] == written &&
                (!counts || (operands->has_number && operands->number && operands->read_count)))
                return i;
    }
    return LOOPS_NONE;
}

/* The predicate that a loop's branch back depends on; -1: none. */
static int predicate_of(const struct code *code, const struct loop *loop)
{
    struct operands operands = operands_of(&code->instructions[loop->latch].line);
    return operands.read_count && operands.read[0] >= REGISTERS - 2 * REGISTERS_PREDICATE ? operands.read[0] : -1;
}

/* True if the instruction makes an attempt that may fail and be repeated. */
static bool tries(const struct listing_line *line)
{
    return listing_has(line, "CAS") || listing_has(line, "CAST") || listing_has(line, "EXCH") ||
           listing_has(line, "TRYWAIT");
}

/* True if a loop waits or retries: its branch depends on an instruction that makes an attempt, or on a comparison of
 * that instruction's result. Turing waits for threads of the warp in loops with YIELD and no condition. */
static bool waits(const struct code *code, const struct loops *loops, size_t loop)
{
    size_t latch = loops->all[loop].latch;
    int predicate = predicate_of(code, &loops->all[loop]);
    struct operands operands, ignored;
    if (predicate < 0)
        for (size_t i = latch; i-- > 0 && loops->of[i] == loop;)
            if (listing_part_is(listing_name(&code->instructions[i].line), "YIELD"))
                return true;
    size_t writer = predicate < 0 ? LOOPS_NONE : writer_of(code, loops, loop, latch, predicate, false, &operands);
    if (writer == LOOPS_NONE || tries(&code->instructions[writer].line))
        return writer != LOOPS_NONE;
    for (size_t r = 0; r < operands.read_count; r++) {
        size_t source = writer_of(code, loops, loop, writer, operands.read[r], false, &ignored);
        if (source != LOOPS_NONE && tries(&code->instructions[source].line))
            return true;
    }
    return false;
}

/* Moves instructions of waiting loops to the loop around, as if they never had to wait. */
static void absorb_waits(const struct code *code, struct loops *loops)
{
    for (size_t l = loops->count; l-- > 0;) { /* outer loops come first */
        size_t parent = loops->all[l].parent;
        if (!waits(code, loops, l))
            continue;
        for (size_t i = 0; i < code->count; i++)
            loops->of[i] = loops->of[i] == l ? parent : loops->of[i];
        if (parent != LOOPS_NONE)
            loops->all[parent].instructions += loops->all[l].instructions;
        loops->all[l].instructions = 0;
    }
}

/* Iterations of a loop whose branch back depends on the comparison of a register with a number in the code. Assumes
 * that the register begins at about 0; each iteration changes it by a number. */
static double iterations(const struct code *code, const struct loops *loops, size_t loop)
{
    static const double unknown = 256, most = 1 << 20;
    size_t latch = loops->all[loop].latch;
    struct operands comparison, step;
    int predicate = predicate_of(code, &loops->all[loop]);
    if (predicate < 0 || writer_of(code, loops, loop, latch, predicate, true, &comparison) == LOOPS_NONE ||
        writer_of(code, loops, loop, latch, comparison.read[0], true, &step) == LOOPS_NONE)
        return unknown;
    double count = fabs((double)comparison.number / (double)step.number);
    return count < 1 ? 1 : count > most ? most : count;
}

static int hottest(const struct code *code, const struct loops *loops, struct arena *arena, size_t *found,
                   struct error *error)
{
    double *runs = arena_array(arena, loops->count, sizeof *runs), most = 0;
    if (!runs)
        return error_memory(error);
    for (size_t l = 0; l < loops->count; l++) {
        const struct loop *loop = &loops->all[l];
        runs[l] = loop->parent == LOOPS_NONE ? 1 : runs[loop->parent];
        if (loop->instructions == 0) /* absorbed */
            continue;
        runs[l] *= iterations(code, loops, l);
        if (runs[l] * (double)loop->instructions >= most) {
            most = runs[l] * (double)loop->instructions;
            *found = l;
        }
    }
    return 0;
}

/* ---- The chains ---- */

/* Approximate cycles from an instruction to one that needs its result; loads hit L1. Luo et al., "Dissecting the
 * NVIDIA Hopper Architecture through Microbenchmarking and Multiple Level Analysis", 2025. */
static double latency_of(enum kind kind)
{
    static const double cycles[KINDS] = {
        [GLOBAL_LOAD] = 40, [SHARED_LOAD] = 29,   [LOCAL_ACCESS] = 40, [GLOBAL_ATOMIC] = 40,  [SHARED_ATOMIC] = 29,
        [TEXTURE] = 100,    [CONSTANT_LOAD] = 29, [TENSOR] = 32,       [TRANSCENDENTAL] = 18,
    };
    return cycles[kind] > 0 ? cycles[kind] : 4;
}

static bool is_load(enum kind kind)
{
    return kind == GLOBAL_LOAD || kind == SHARED_LOAD || kind == LOCAL_ACCESS || kind == TEXTURE ||
           kind == CONSTANT_LOAD || kind == GLOBAL_ATOMIC || kind == SHARED_ATOMIC;
}

/* Lengths of an instruction in the dependence chains: arithmetic instructions, loads, cycles. */
static double arithmetic(enum kind kind)
{
    return !is_load(kind);
}

static double loads(enum kind kind)
{
    return is_load(kind) && kind != CONSTANT_LOAD;
}

static void measure_chains(struct evidence *counts, const struct code *code, const struct loops *found, size_t loop,
                           struct dependence_chain_step *steps)
{
    const struct {
        double (*of)(enum kind kind);
        double *length;
    } measures[] = {{arithmetic, &counts->loop_chain},
                    {loads, &counts->loop_chain_loads},
                    {latency_of, &counts->loop_chain_cycles}};
    size_t latch = LOOPS_NONE;
    for (size_t m = 0; m < sizeof measures / sizeof *measures; m++) {
        size_t count = 0;
        for (size_t i = 0; i < code->count; i++) {
            if (loop != LOOPS_NONE && found->of[i] != loop)
                continue;
            if (m == 0)
                steps[count].operands = operands_of(&code->instructions[i].line);
            if (loop != LOOPS_NONE && i == found->all[loop].latch)
                latch = count;
            steps[count++].length = measures[m].of(code->instructions[i].kind);
        }
        *measures[m].length =
            loop == LOOPS_NONE ? dependence_chain_of_code(steps, count) : dependence_chain_of_loop(steps, count);
        if (measures[m].of == latency_of)
            counts->loop_cycles = dependence_chain_cycles(steps, count, loop != LOOPS_NONE);
        if (m == 0)
            counts->loop_control = latch == LOOPS_NONE ? 0 : (double)dependence_chain_control(steps, count, latch);
    }
}

/* ---- All ---- */

static void clear(struct evidence *counts)
{
    *counts = evidence_unknown();
    for (size_t i = 0; i < evidence_count; i++)
        if (evidence_rows[i].source == EVIDENCE_CODE)
            evidence_put(counts, &evidence_rows[i], 0);
}

static int read_code(const struct code *code, struct arena *arena, struct evidence *evidence, struct error *error)
{
    struct loops found;
    struct evidence counts;
    size_t loop = LOOPS_NONE;
    struct dependence_chain_step *steps = arena_array(arena, code->count, sizeof *steps);
    int result = steps ? loops_find(code->steps, code->count, arena, &found, error) : error_memory(error);
    if (!result)
        absorb_waits(code, &found);
    if (!result && found.count)
        result = hottest(code, &found, arena, &loop, error);
    if (result)
        return result;
    clear(&counts);
    for (size_t i = 0; i < code->count; i++) {
        bool hot = loop == LOOPS_NONE || found.of[i] == loop;
        counts.loop_instructions += hot;
        count_instruction(&counts, &code->instructions[i], hot);
    }
    counts.code_instructions = (double)code->count;
    for (size_t l = 0; l < found.count; l++)
        counts.code_loops += found.all[l].instructions > 0;
    measure_chains(&counts, code, &found, loop, steps);
    for (size_t i = 0; i < evidence_count; i++)
        if (evidence_rows[i].source == EVIDENCE_CODE)
            evidence_put(evidence, &evidence_rows[i], evidence_get(&counts, &evidence_rows[i]));
    return 0;
}

int instruction_mix_read(const char *listing, const char *kernel, struct evidence *evidence, struct error *error)
{
    struct code code = {0};
    struct arena arena = {0};
    int result = code_read(&code, listing, kernel, error);
    if (!result && code.count)
        result = read_code(&code, &arena, evidence, error);
    arena_free(&arena);
    code_free(&code);
    return result;
}
