/* Statements of textures and surfaces, for parsing and for the demands on the device. */
#ifndef CUTUNE_TECHNIQUE_TEXTURE_H
#define CUTUNE_TECHNIQUE_TEXTURE_H

#include "language/clauses.h"
#include "language/demand.h"
#include "language/parser.h"

enum { TEXTURES_EACH_MAX = SPACE_TEXTURES_MAX / 2 };

/* A texture, or a surface, which has a shape, layers and a condition only. */
struct texture_statement {
    const char *what; /* "texture" or "surface" */
    const char *name;
    uint32_t buffer;
    const struct element_type *type;
    const struct expr *extents[TEXTURE_RANK_MAX]; /* elements: width, height, depth */
    unsigned rank;
    struct setting filter, coordinates, read, memory, layers, when; /* layers without a value: none; when: always */
    struct setting address[TEXTURE_RANK_MAX];
    size_t address_count; /* 0: no such clause */
    /* The first tokens of the values, for errors. */
    struct token filter_place, address_place, coordinates_place, read_place, memory_place, layers_place;
    int line;
};
struct texture_statements {
    size_t count;
    struct texture_statement rows[TEXTURES_EACH_MAX];
};

extern const struct word_list texture_filter_words, texture_address_words, texture_memory_words, texture_unit_words;

/* True if the setting is the word in some configuration, as far as the statement tells. */
bool texture_may_be(const struct setting *setting, int word);
/* Textures of three dimensions, layered ones and surfaces cannot be in linear memory. */
bool texture_needs_array(const struct texture_statement *texture);

/* ---- texture_shape.c ---- */

/* Reads TYPE WIDTH, HEIGHT, DEPTH. */
int texture_parse_shape(struct parser *parser, struct texture_statement *texture);
/* Reads the value of the clause `layers`. */
int texture_parse_layers(struct parser *parser, void *statement);
/* Refuses layers of three dimensions. */
int texture_check_layers(struct parser *parser, const struct texture_statement *texture);
/* Evaluates the shape and checks that the buffer has room for it. */
int texture_evaluate_shape(const struct texture_statement *statement, const struct expr_inputs *inputs,
                           struct launch_texture *texture, struct error *error);

/* Appends the demands of one texture or surface. */
int texture_demand(struct demand_list *list, const struct texture_statement *texture);

#endif
