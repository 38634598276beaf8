/* pipeline: transfers from and to host memory around the kernel, chunk by chunk, in streams. */
#include <string.h>

#include "language/clauses.h"
#include "language/techniques.h"

struct pipeline_copy {
    uint32_t buffer;
    bool in, out;
};

struct pipeline_statement {
    size_t copy_count;
    struct pipeline_copy copies[SPACE_COPIES_MAX];
    struct setting split, chunks; /* both or neither */
    struct setting streams, order, host_memory, pieces, packed, host_work, placement, allocation;
};

static const struct word_list order_words = {"an order", 2, {"depth", "breadth"}};
static const struct word_list placement_words = {"a placement", 2, {"before", "overlapped"}};
static const struct word_list allocation_words = {"a way of allocation", 3, {"reuse", "each", "pool"}};
static const struct word_list host_memory_words = {
    "a kind of host memory", HOST_COUNT, {"pageable", "pinned", "registered", "write_combined", "mapped", "managed"}};

/* ---- The statement ---- */

static struct pipeline_copy *find_copy(struct pipeline_statement *pipeline, uint32_t buffer)
{
    for (size_t i = 0; i < pipeline->copy_count; i++)
        if (pipeline->copies[i].buffer == buffer)
            return &pipeline->copies[i];
    return NULL;
}

/* Reads BUFFER, BUFFER, ... */
static int parse_copies(struct parser *parser, bool out, struct pipeline_statement *pipeline)
{
    for (;;) {
        uint32_t buffer = 0;
        const struct token token = parser->lexer.token;
        TRY(technique_buffer(parser, &buffer));
        struct pipeline_copy *copy = find_copy(pipeline, buffer);
        const struct buffer *named = &parser->space->buffers[buffer];
        if (copy && (out ? copy->out : copy->in))
            return parser_error(parser, &token, ERROR_SYNTAX, "'%s' is given twice", named->name);
        if (!out && named->role == BUFFER_SCRATCH)
            return parser_error(parser, &token, ERROR_SYNTAX, "'%s' is scratch: it has no contents to copy",
                                named->name);
        if (out && !buffer_roles[named->role].compared) {
            int code = parser_error(parser, &token, ERROR_SYNTAX, "'%s' is not an output", named->name);
            error_hint(parser->error, "copied-out data is compared with the reference's: declare buffer %s ... output",
                       named->name);
            return code;
        }
        if (!copy && pipeline->copy_count == SPACE_COPIES_MAX)
            return parser_error(parser, &token, ERROR_SYNTAX, "more than %d buffers", SPACE_COPIES_MAX);
        if (!copy) {
            copy = &pipeline->copies[pipeline->copy_count++];
            copy->buffer = buffer;
        }
        *(out ? &copy->out : &copy->in) = true;
        if (!lexer_at_sign(&parser->lexer, ','))
            return 0;
        TRY(lexer_next(&parser->lexer));
    }
}

static int parse_copy_in(struct parser *parser, void *statement)
{
    return parse_copies(parser, false, statement);
}

static int parse_copy_out(struct parser *parser, void *statement)
{
    return parse_copies(parser, true, statement);
}

/* Reads EXPRESSION over EXPRESSION. Later statements can use the chunk's length. */
static int parse_split(struct parser *parser, void *statement)
{
    struct pipeline_statement *pipeline = statement;
    struct space *space = parser->space;
    TRY(parser_expression(parser, &parser_rules, &pipeline->split.value));
    if (!lexer_at_word(&parser->lexer, "over"))
        return lexer_expected(&parser->lexer, "an operator or 'over'");
    TRY(lexer_next(&parser->lexer));
    TRY(parser_expression(parser, &parser_rules, &pipeline->chunks.value));
    const char *text =
        arena_printf(&space->arena, "ceildiv((%s), (%s))", pipeline->split.value->text, pipeline->chunks.value->text);
    return expr_compile_made(space, text, pipeline->split.value, "chunk_length", &space->private->chunk_length,
                             parser->error);
}

static const struct clause clauses[] = {
    {"copy_in", false, parse_copy_in, 0, NULL, "buffers that are copied to the device: `BUFFER, BUFFER, ...`"},
    {"copy_out", false, parse_copy_out, 0, NULL, "outputs that are copied to the host: `BUFFER, BUFFER, ...`"},
    {"split", false, parse_split, 0, NULL,
     "`N over CHUNKS`: divides N elements into chunks of `ceildiv(N, CHUNKS)`, the last "
     "of the rest; every copied buffer has a multiple of N elements; by default one chunk"},
    {"streams", false, NULL, offsetof(struct pipeline_statement, streams), NULL,
     "number of streams, which the chunks take in turn; by default 1"},
    {"order", false, NULL, offsetof(struct pipeline_statement, order), &order_words,
     "`depth` queues all stages of a chunk together, `breadth` all copies in, then all kernels, "
     "then all copies out; by default `depth`"},
    {"host_memory", false, NULL, offsetof(struct pipeline_statement, host_memory), &host_memory_words,
     "kind of host memory; with `mapped` the kernel accesses host memory and nothing is copied, "
     "with `managed` memory is prefetched; by default `pinned`"},
    {"pieces", false, NULL, offsetof(struct pipeline_statement, pieces), NULL,
     "number of transfers that a chunk of a buffer is divided into; by default 1"},
    {"packed", false, NULL, offsetof(struct pipeline_statement, packed), NULL,
     "1: the host packs the pieces into one transfer, which is timed, too; by default 0"},
    {"host_work", false, NULL, offsetof(struct pipeline_statement, host_work), NULL,
     "work of the host for each run, in ns; by default 0"},
    {"placement", false, NULL, offsetof(struct pipeline_statement, placement), &placement_words,
     "`before` does the work of the host before the device starts, `overlapped` while it runs; by"
     " default `before`"},
    {"allocation", false, NULL, offsetof(struct pipeline_statement, allocation), &allocation_words,
     "device memory of the copied buffers: `reuse` keeps it, `each` allocates it in every run "
     "with cudaMalloc, `pool` with cudaMallocAsync; by default `reuse`"},
};

static int parse(struct parser *parser)
{
    struct pipeline_statement *pipeline = technique_make(parser, TECHNIQUE_pipeline, sizeof *pipeline);
    if (!pipeline)
        return ERROR_MEMORY;
    *pipeline = (struct pipeline_statement){.host_memory = {NULL, HOST_PINNED}};
    TRY(clauses_parse(parser, clauses, sizeof clauses / sizeof *clauses, pipeline));
    if (pipeline->copy_count == 0)
        return parser_error(parser, &parser->keyword, ERROR_SYNTAX,
                            "the pipeline copies nothing: there is neither 'copy_in' nor 'copy_out'");
    return 0;
}

/* ---- The arguments chunk_offset and chunk_length ---- */

static int parse_argument(struct parser *parser, const struct name *name, struct argument *argument)
{
    if (!parser->space->private->chunk_length) {
        int code = parser_error(parser, NULL, ERROR_SYNTAX, "there are no chunks");
        error_hint(parser->error, technique_data(parser->space, TECHNIQUE_pipeline)
                                      ? "add to the pipeline: split N over CHUNKS"
                                      : "a chunk is a part of a pipeline: pipeline ... split N over CHUNKS");
        return code;
    }
    if (argument->type->family == FAMILY_FLOAT) {
        int code = parser_error(parser, NULL, ERROR_SYNTAX, "a chunk's offset and length are integers, not %s",
                                argument->type->name);
        error_hint(parser->error, "for example: long chunk_offset");
        return code;
    }
    argument->role = (enum argument_role)name->index;
    TRY(lexer_next(&parser->lexer));
    if (parser->lexer.token.kind != TOKEN_END && !lexer_at_sign(&parser->lexer, ',') &&
        !lexer_at_sign(&parser->lexer, '}')) {
        int code = lexer_expected(&parser->lexer, "',' or the end of the statement");
        error_hint(parser->error,
                   "the names of a chunk cannot be part of an expression; the kernel can calculate with them");
        return code;
    }
    return 0;
}

/* A launch sets a chunk's offset and length; the reference's chunk is the whole. */
static int evaluate_argument(const struct argument *argument, const struct expr_inputs *inputs, bool reference,
                             struct launch *launch, struct launch_argument *result, struct error *error)
{
    const struct pipeline_statement *pipeline = technique_data(inputs->space, TECHNIQUE_pipeline);
    const struct expr *split = pipeline->split.value;
    const struct element_type *type = argument->type;
    unsigned char bytes[sizeof(uint64_t)] = {0};
    int64_t total;
    TRY(expr_integer(split, inputs, "what is split", 1, INT64_MAX, &total, error));
    if (!element_put_integer(type, total, bytes))
        return expr_error(split, inputs, error, "%lld, which is split, does not fit the type %s", (long long)total,
                          type->name);
    result->bytes = type->bytes;
    if (!reference)
        result->role = (uint16_t)argument->role;
    else if (argument->role == ARGUMENT_CHUNK_LENGTH)
        memcpy(launch_take(launch, result), bytes, type->bytes);
    else
        launch_take(launch, result);
    return 0;
}

/* ---- Evaluating a configuration ---- */

static int evaluate_split(const struct pipeline_statement *statement, const struct expr_inputs *inputs,
                          struct launch_pipeline *pipeline, struct error *error)
{
    const struct space *space = inputs->space;
    uint64_t chunks = 1;
    pipeline->total = pipeline->chunk_length = 1;
    if (!statement->split.value)
        return 0;
    TRY(setting_number(&statement->split, inputs, "what is split", 1, INT64_MAX, &pipeline->total, error));
    uint64_t most = pipeline->total < PIPELINE_CHUNKS_MAX ? pipeline->total : PIPELINE_CHUNKS_MAX;
    TRY(setting_number(&statement->chunks, inputs, "the number of chunks", 1, (int64_t)most, &chunks, error));
    pipeline->chunk_length = (pipeline->total - 1) / chunks + 1;
    for (size_t i = 0; i < statement->copy_count; i++) {
        const struct buffer *buffer = &space->buffers[statement->copies[i].buffer];
        if (buffer->count % pipeline->total)
            return expr_error(statement->split.value, inputs, error,
                              "the %llu elements of '%s' are not a multiple of the %llu that are split",
                              (unsigned long long)buffer->count, buffer->name, (unsigned long long)pipeline->total);
    }
    return 0;
}

/* Normalises settings without effect. */
static void unify(struct launch_pipeline *pipeline)
{
    uint64_t chunks = (pipeline->total - 1) / pipeline->chunk_length + 1;
    if (pipeline->streams > chunks)
        pipeline->streams = (uint32_t)chunks;
    if (chunks == 1)
        pipeline->order = ORDER_DEPTH;
    if (pipeline->host_work_ns == 0)
        pipeline->placement = PLACEMENT_BEFORE;
    if (pipeline->host_memory == HOST_MAPPED || pipeline->host_memory == HOST_MANAGED) {
        pipeline->pieces = 1;
        pipeline->packed = 0;
        pipeline->allocation = ALLOCATION_REUSE;
    }
}

static int evaluate(const struct expr_inputs *inputs, struct launch *launch, struct error *error)
{
    const struct pipeline_statement *statement = technique_data(inputs->space, TECHNIQUE_pipeline);
    struct launch_pipeline *pipeline = &launch->pipeline;
    uint64_t streams = 1, pieces = 1, packed = 0;
    TRY(evaluate_split(statement, inputs, pipeline, error));
    if (statement->streams.value)
        TRY(setting_number(&statement->streams, inputs, "the number of streams", 1, PIPELINE_STREAMS_MAX, &streams,
                           error));
    if (statement->pieces.value)
        TRY(setting_number(&statement->pieces, inputs, "the number of pieces", 1, PIPELINE_PIECES_MAX, &pieces, error));
    TRY(setting_number(&statement->packed, inputs, "`packed`", 0, 1, &packed, error));
    TRY(setting_number(&statement->host_work, inputs, "the host's work in ns", 0, PIPELINE_WORK_NS_MAX,
                       &pipeline->host_work_ns, error));
    const struct {
        const struct setting *setting;
        const struct word_list *words;
        uint16_t *result;
    } words[] = {{&statement->order, &order_words, &pipeline->order},
                 {&statement->host_memory, &host_memory_words, &pipeline->host_memory},
                 {&statement->placement, &placement_words, &pipeline->placement},
                 {&statement->allocation, &allocation_words, &pipeline->allocation}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        TRY(setting_word(words[i].setting, inputs, words[i].words, words[i].result, error));
    pipeline->streams = (uint32_t)streams;
    pipeline->pieces = (uint32_t)pieces;
    pipeline->packed = (uint16_t)packed;
    unify(pipeline);
    pipeline->copy_count = (uint16_t)statement->copy_count;
    for (size_t i = 0; i < statement->copy_count; i++) {
        pipeline->copies[i].buffer = statement->copies[i].buffer;
        pipeline->copies[i].in = statement->copies[i].in;
        pipeline->copies[i].out = statement->copies[i].out;
    }
    return 0;
}

/* The number of units must divide the elements of each copied buffer. */
static int demand_split(struct demand_list *list, const struct pipeline_statement *pipeline)
{
    const char *total = pipeline->split.value->text;
    for (size_t i = 0; i < pipeline->copy_count; i++) {
        const struct buffer *buffer = &list->space->buffers[pipeline->copies[i].buffer];
        DEMAND(list, demand_text(list, "(%s) %% (%s) == 0", buffer->size->text, total),
               demand_text(list, "the $ elements of '%s' are not a multiple of the $ that are split", buffer->name),
               buffer->size->text, total);
    }
    return 0;
}

static int demand(struct demand_list *list)
{
    const struct pipeline_statement *pipeline = technique_data(list->space, TECHNIQUE_pipeline);
    if (!pipeline)
        return 0;
    list->place = list->space->buffers[pipeline->copies[0].buffer].size;
    const char *mapped = technique_is_word(list, &pipeline->host_memory, &host_memory_words, HOST_MAPPED);
    const char *registered = technique_is_word(list, &pipeline->host_memory, &host_memory_words, HOST_REGISTERED);
    const char *managed = technique_is_word(list, &pipeline->host_memory, &host_memory_words, HOST_MANAGED);
    const char *pool = technique_is_word(list, &pipeline->allocation, &allocation_words, ALLOCATION_POOL);
    const char *streams = demand_part(list, pipeline->streams.value, "1");
    const char *chunks = demand_part(list, pipeline->chunks.value, "1");
    if (!mapped || !registered || !managed || !pool || !streams || !chunks)
        return error_memory(list->error);
    if (pipeline->split.value)
        TRY(demand_split(list, pipeline));
    DEMAND(list, demand_text(list, "!%s || host_mapped", mapped), "the device cannot map host memory");
    DEMAND(list, demand_text(list, "!%s || host_registered", registered), "the device cannot register host memory");
    DEMAND(list, demand_text(list, "!%s || managed_memory && managed_concurrent", managed),
           "the device cannot prefetch managed memory");
    DEMAND(list, demand_text(list, "!%s || %s || %s || memory_pools", pool, mapped, managed),
           "the device has no memory pools");
    list->run_only = true; /* all known devices have one */
    DEMAND(list, demand_text(list, "%s <= 1 || %s <= 1 || copy_engines > 0", streams, chunks),
           "the device has no copy engine: streams would not overlap anything");
    return 0;
}

/* ---- For other techniques ---- */

static bool moves(const struct space *space, uint32_t buffer)
{
    return find_copy(technique_data(space, TECHNIQUE_pipeline), buffer) != NULL;
}

static void transfers(const struct space *space, double *in_bytes, double *out_bytes)
{
    const struct pipeline_statement *pipeline = technique_data(space, TECHNIQUE_pipeline);
    for (size_t i = 0; i < pipeline->copy_count; i++) {
        const struct pipeline_copy *copy = &pipeline->copies[i];
        const struct buffer *buffer = &space->buffers[copy->buffer];
        double bytes = (double)buffer->count * buffer->type->bytes;
        *in_bytes += copy->in ? bytes : 0;
        *out_bytes += copy->out ? bytes : 0;
    }
}

static const struct language_name chunk_names[] = {{"chunk_offset", NAME_CHUNK, ARGUMENT_CHUNK_OFFSET},
                                                   {"chunk_length", NAME_CHUNK, ARGUMENT_CHUNK_LENGTH},
                                                   {NULL, NAME_FREE, 0}};

const struct technique technique_pipeline = {
    .statement =
        {
            .keyword = "pipeline",
            .most = 1,
            .phase = PHASE_VIEWS,
            .flags = STATEMENT_BUFFERS | STATEMENT_SINGLE,
            .parse = parse,
            .usage = "pipeline copy_in BUFFER, ... copy_out BUFFER, ... split E over E streams E order depth|breadth "
                     "host_memory KIND pieces E packed 0|1 host_work NS placement before|overlapped allocation "
                     "reuse|each|pool",
            .summary = "transfers between host and device around the kernel",
            .text = "The pipeline copies inputs to the device, runs the kernel, and copies outputs to the host; the "
                    "measured time covers all of this. The clauses "
                    "may come in any order; a word may also be the value of a parameter. "
                    "Buffers that no clause names stay on the device.\nWith `split`, the "
                    "kernel runs once for each chunk, on whole buffers: `args` passes its "
                    "part as `chunk_offset` and `chunk_length`, each behind an integer "
                    "type. In `block`, `grid` and conditions, `chunk_length` is that of a "
                    "full chunk; a shorter last chunk has the same grid. The reference gets"
                    " everything as one chunk.",
            .example = "param CHUNKS = 1, 4, 16\n"
                       "param STREAMS = 1, 2, 4\n"
                       "param HOST = pageable, pinned\n"
                       "pipeline copy_in in copy_out out split ROWS over CHUNKS \\\n"
                       "    streams STREAMS host_memory HOST\n"
                       "args out, in, int COLS, long chunk_offset, int chunk_length",
            .clauses = clauses,
            .clause_count = sizeof clauses / sizeof *clauses,
            .names = chunk_names,
        },
    .typed_argument_names = 1u << NAME_CHUNK,
    .argument_roles = 1u << ARGUMENT_CHUNK_OFFSET | 1u << ARGUMENT_CHUNK_LENGTH,
    .parse_argument = parse_argument,
    .evaluate_argument = evaluate_argument,
    .evaluate = evaluate,
    .demand = demand,
    .moves = moves,
    .transfers = transfers,
    .streams = true,
};
