#include "compile/loops.h"

#include <stdbool.h>
#include <stdlib.h>

/* ---- Basic blocks ---- */

struct block {
    size_t first, end;
    size_t next[2]; /* successors, or LOOPS_NONE */
    enum { NOT_SEEN, ON_PATH, DONE } state;
    size_t tried;              /* successors that the search has tried */
    size_t loop;               /* loop with this header, or LOOPS_NONE */
    size_t stamp;              /* last loop whose body contained it */
    size_t before, before_end; /* its predecessors in struct graph */
};

struct graph {
    struct block *blocks;
    size_t count;
    size_t *of; /* block of each instruction */
    size_t *before;
    size_t *stack;
};

static size_t target_of(const struct flow_step *step, size_t count)
{
    bool jumps = step->flow == FLOW_BRANCH || step->flow == FLOW_JUMP;
    return jumps && step->target < count ? step->target : LOOPS_NONE;
}

static void divide(struct graph *graph, const struct flow_step *steps, size_t count, bool *leaders)
{
    leaders[0] = true;
    for (size_t i = 0; i < count; i++) {
        if (target_of(&steps[i], count) != LOOPS_NONE)
            leaders[steps[i].target] = true;
        if (steps[i].flow != FLOW_NEXT && i + 1 < count)
            leaders[i + 1] = true;
    }
    for (size_t i = 0; i < count; i++) {
        if (leaders[i])
            graph->blocks[graph->count++] = (struct block){.first = i, .loop = LOOPS_NONE, .stamp = LOOPS_NONE};
        graph->of[i] = graph->count - 1;
        graph->blocks[graph->count - 1].end = i + 1;
    }
}

static void link_blocks(struct graph *graph, const struct flow_step *steps, size_t count)
{
    for (size_t b = 0; b < graph->count; b++) {
        struct block *block = &graph->blocks[b];
        const struct flow_step *last = &steps[block->end - 1];
        size_t target = target_of(last, count);
        bool falls = last->flow == FLOW_NEXT || last->flow == FLOW_BRANCH;
        block->next[0] = falls && b + 1 < graph->count ? b + 1 : LOOPS_NONE;
        block->next[1] = target == LOOPS_NONE ? LOOPS_NONE : graph->of[target];
        for (size_t n = 0; n < 2; n++)
            if (block->next[n] != LOOPS_NONE)
                graph->blocks[block->next[n]].before_end++;
    }
    size_t at = 0;
    for (size_t b = 0; b < graph->count; b++) { /* converts numbers to places */
        size_t number = graph->blocks[b].before_end;
        graph->blocks[b].before = graph->blocks[b].before_end = at;
        at += number;
    }
    for (size_t b = 0; b < graph->count; b++)
        for (size_t n = 0; n < 2; n++)
            if (graph->blocks[b].next[n] != LOOPS_NONE)
                graph->before[graph->blocks[graph->blocks[b].next[n]].before_end++] = b;
}

static int build(struct graph *graph, const struct flow_step *steps, size_t count, struct arena *arena,
                 struct error *error)
{
    bool *leaders = arena_array(arena, count, sizeof *leaders);
    graph->blocks = arena_array(arena, count, sizeof *graph->blocks);
    graph->of = arena_array(arena, count, sizeof *graph->of);
    graph->before = arena_array(arena, 2 * count, sizeof *graph->before);
    graph->stack = arena_array(arena, count + 1, sizeof *graph->stack);
    if (!leaders || !graph->blocks || !graph->of || !graph->before || !graph->stack)
        return error_memory(error);
    divide(graph, steps, count, leaders);
    link_blocks(graph, steps, count);
    return 0;
}

/* ---- Loops ---- */

struct edge {
    size_t latch, other; /* blocks; `other`: the next edge to the same header, or LOOPS_NONE */
};

struct found {
    size_t header, edge, blocks, number; /* number of blocks of its body */
};

struct search {
    struct found *found;
    struct edge *edges;
    size_t count, edge_count;
};

static void note_edge(struct graph *graph, struct search *search, size_t latch, size_t header)
{
    size_t *loop = &graph->blocks[header].loop;
    if (*loop == LOOPS_NONE) {
        *loop = search->count++;
        search->found[*loop] = (struct found){.header = header, .edge = LOOPS_NONE, .number = *loop};
    }
    search->edges[search->edge_count] = (struct edge){latch, search->found[*loop].edge};
    search->found[*loop].edge = search->edge_count++;
}

/* Depth first: an edge to a block on the path goes back. Targets of a jump through a table are unknown, so blocks
 * without a known predecessor are entries, too. */
static void find_edges(struct graph *graph, struct search *search)
{
    for (size_t entry = 0; entry < graph->count; entry++) {
        size_t depth = 0;
        if (graph->blocks[entry].state == NOT_SEEN)
            graph->stack[depth++] = entry;
        while (depth) {
            size_t b = graph->stack[depth - 1];
            struct block *block = &graph->blocks[b];
            block->state = block->tried < 2 ? ON_PATH : DONE;
            if (block->state == DONE) {
                depth--;
                continue;
            }
            size_t next = block->next[block->tried++];
            if (next != LOOPS_NONE && graph->blocks[next].state == ON_PATH)
                note_edge(graph, search, b, next);
            else if (next != LOOPS_NONE && graph->blocks[next].state == NOT_SEEN)
                graph->stack[depth++] = next;
        }
    }
}

/* Calls `visit` for the header and for each block from which a latch is reachable without passing the header. */
static void walk_body(struct graph *graph, const struct search *search, struct found *loop,
                      void (*visit)(struct graph *graph, size_t block, struct found *loop), size_t stamp)
{
    size_t depth = 0;
    graph->blocks[loop->header].stamp = stamp;
    visit(graph, loop->header, loop);
    for (size_t e = loop->edge; e != LOOPS_NONE; e = search->edges[e].other) {
        size_t latch = search->edges[e].latch;
        if (graph->blocks[latch].stamp == stamp)
            continue;
        graph->blocks[latch].stamp = stamp;
        graph->stack[depth++] = latch;
        while (depth) {
            size_t b = graph->stack[--depth];
            visit(graph, b, loop);
            for (size_t p = graph->blocks[b].before; p < graph->blocks[b].before_end; p++) {
                struct block *before = &graph->blocks[graph->before[p]];
                if (before->stamp != stamp) {
                    before->stamp = stamp;
                    graph->stack[depth++] = graph->before[p];
                }
            }
        }
    }
}

static void count_block(struct graph *graph, size_t block, struct found *loop)
{
    (void)graph, (void)block;
    loop->blocks++;
}

/* Loops are visited from outer to inner, so the last claim is that of the innermost loop. */
static void claim_block(struct graph *graph, size_t block, struct found *loop)
{
    graph->blocks[block].loop = loop->number;
}

static int larger_first(const void *a, const void *b)
{
    const struct found *x = a, *y = b;
    return x->blocks != y->blocks ? (x->blocks < y->blocks) - (x->blocks > y->blocks)
                                  : (x->header > y->header) - (x->header < y->header);
}

static void nest(struct graph *graph, struct search *search, struct loops *loops)
{
    for (size_t l = 0; l < search->count; l++)
        walk_body(graph, search, &search->found[l], count_block, l);
    if (search->count)
        qsort(search->found, search->count, sizeof *search->found, larger_first);
    for (size_t b = 0; b < graph->count; b++) {
        graph->blocks[b].loop = LOOPS_NONE;
        graph->blocks[b].stamp = LOOPS_NONE;
    }
    for (size_t l = 0; l < search->count; l++) {
        struct found *found = &search->found[l];
        struct loop *loop = &loops->all[l];
        size_t parent = graph->blocks[found->header].loop;
        found->number = l;
        *loop = (struct loop){.parent = parent, .depth = parent == LOOPS_NONE ? 0 : loops->all[parent].depth + 1};
        for (size_t e = found->edge; e != LOOPS_NONE; e = search->edges[e].other) {
            size_t last = graph->blocks[search->edges[e].latch].end - 1;
            loop->latch = last > loop->latch ? last : loop->latch;
        }
        walk_body(graph, search, found, claim_block, l);
    }
    loops->count = search->count;
}

int loops_find(const struct flow_step *steps, size_t count, struct arena *arena, struct loops *loops,
               struct error *error)
{
    struct graph graph = {0};
    struct search search = {0};
    *loops = (struct loops){0};
    if (count == 0)
        return 0;
    int code = build(&graph, steps, count, arena, error);
    if (code)
        return code;
    search.found = arena_array(arena, graph.count, sizeof *search.found);
    search.edges = arena_array(arena, 2 * graph.count, sizeof *search.edges);
    loops->all = arena_array(arena, graph.count, sizeof *loops->all);
    loops->of = arena_array(arena, count, sizeof *loops->of);
    if (!search.found || !search.edges || !loops->all || !loops->of)
        return error_memory(error);
    find_edges(&graph, &search);
    nest(&graph, &search, loops);
    for (size_t i = 0; i < count; i++) {
        loops->of[i] = graph.blocks[graph.of[i]].loop;
        if (loops->of[i] != LOOPS_NONE)
            loops->all[loops->of[i]].instructions++;
    }
    return 0;
}
