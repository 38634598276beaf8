/* Walks the list of techniques. */
#include "language/techniques.h"

const struct technique *const techniques[TECHNIQUE_COUNT] = {
#define TECHNIQUE(name, effect) &technique_##name,
#include "lists/techniques.def"
#undef TECHNIQUE
};

const struct technique *technique_of_name(enum name_kind kind, bool typed)
{
    for (int i = 0; i < TECHNIQUE_COUNT; i++)
        if ((typed ? techniques[i]->typed_argument_names : techniques[i]->argument_names) >> kind & 1u)
            return techniques[i];
    return NULL;
}

const struct view_words *view_words_of(enum argument_role role)
{
    static const struct view_words words[] = {
        [ARGUMENT_TEXTURE] = {"texture", "cudaTextureObject_t"},
        [ARGUMENT_SURFACE] = {"surface", "cudaSurfaceObject_t"},
        [ARGUMENT_TENSOR_MAP] = {"tensor map", "const __grid_constant__ CUtensorMap"},
    };
    return role < sizeof words / sizeof *words && words[role].what ? &words[role] : NULL;
}

/* Returns the technique with arguments of this role; NULL: none. */
static const struct technique *technique_of_role(enum argument_role role)
{
    for (int i = 0; i < TECHNIQUE_COUNT; i++)
        if (techniques[i]->argument_roles >> role & 1u)
            return techniques[i];
    return NULL;
}

bool technique_viewed(const struct space *space, const struct argument *argument, uint32_t *buffer)
{
    const struct technique *technique = argument->buffer < 0 ? technique_of_role(argument->role) : NULL;
    return technique && technique->holds && technique->holds(space, argument->view, buffer);
}

int technique_evaluate_argument(const struct argument *argument, const struct expr_inputs *inputs, bool reference,
                                struct launch *launch, struct launch_argument *result, struct error *error)
{
    return technique_of_role(argument->role)->evaluate_argument(argument, inputs, reference, launch, result, error);
}

/* Refuses a buffer whose address a statement holds if another technique moves it. */
static int check_place(struct parser *parser, uint32_t buffer, const char *holder)
{
    const struct space *space = parser->space;
    const struct buffer *held = &space->buffers[buffer];
    for (int i = 0; i < TECHNIQUE_COUNT; i++) {
        if (!techniques[i]->moves || !technique_data(space, i) || !techniques[i]->moves(space, buffer))
            continue;
        const char *mover = techniques[i]->statement.keyword;
        int code = source_error(held->size->source, held->line, 1, parser->error, ERROR_SYNTAX,
                                "'%s' is in a %s and in a '%s' statement", held->name, mover, holder);
        error_hint(parser->error, "a %s moves its buffers: use another buffer for '%s'", mover, holder);
        return code;
    }
    return 0;
}

static int check_places(struct parser *parser, const struct technique *technique)
{
    uint32_t buffer;
    for (size_t at = 0; technique->holds && technique->holds(parser->space, at, &buffer); at++)
        TRY(check_place(parser, buffer, technique->statement.keyword));
    return 0;
}

int techniques_check(struct parser *parser)
{
    for (int i = TECHNIQUE_COUNT - 1; i >= 0; i--) {
        if (!technique_data(parser->space, i))
            continue;
        if (techniques[i]->check)
            TRY(techniques[i]->check(parser));
        TRY(check_places(parser, techniques[i]));
    }
    return 0;
}

void techniques_mark(struct space *space, const char *name, size_t length)
{
    for (int i = 0; i < TECHNIQUE_COUNT; i++)
        if (techniques[i]->mark && technique_data(space, i))
            techniques[i]->mark(space, name, length);
}

int techniques_check_source(const struct space *space, struct error *error)
{
    for (int i = 0; i < TECHNIQUE_COUNT; i++)
        if (techniques[i]->check_source && technique_data(space, i))
            TRY(techniques[i]->check_source(space, error));
    return 0;
}

int techniques_evaluate(const struct expr_inputs *inputs, bool reference, struct launch *launch, struct error *error)
{
    for (int i = TECHNIQUE_COUNT - 1; i >= 0; i--)
        if (techniques[i]->evaluate && technique_data(inputs->space, i) && (!reference || techniques[i]->reference))
            TRY(techniques[i]->evaluate(inputs, launch, error));
    return 0;
}

int techniques_demand(struct space *space, struct error *error)
{
    for (int i = 0; i < TECHNIQUE_COUNT; i++) {
        struct demand_list list = {
            .space = space,
            .name = techniques[i]->statement.keyword,
            .of = 1u << LAUNCH_OF_RUN |
                  (techniques[i]->reference ? 1u << LAUNCH_OF_REFERENCE | 1u << LAUNCH_OF_ACCEPT : 0),
            .error = error};
        if (techniques[i]->demand)
            TRY(techniques[i]->demand(&list));
    }
    return 0;
}

void space_transfers(const struct space *space, double *in_bytes, double *out_bytes)
{
    *in_bytes = *out_bytes = 0;
    for (int i = 0; i < TECHNIQUE_COUNT; i++)
        if (techniques[i]->transfers && technique_data(space, i))
            techniques[i]->transfers(space, in_bytes, out_bytes);
}

bool space_uses_streams(const struct space *space)
{
    bool streams = false;
    for (int i = 0; i < TECHNIQUE_COUNT; i++)
        streams |= techniques[i]->streams && technique_data(space, i);
    return streams;
}

bool space_keeps_l2(const struct space *space)
{
    bool keeps = false;
    for (int i = 0; i < TECHNIQUE_COUNT; i++)
        keeps |= techniques[i]->keeps_l2 && technique_data(space, i);
    return keeps;
}
