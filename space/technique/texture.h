/* Statements of textures, for parsing and for the demands on the device. */
#ifndef CUTUNE_TECHNIQUE_TEXTURE_H
#define CUTUNE_TECHNIQUE_TEXTURE_H

#include "language/clauses.h"
#include "language/demand.h"
#include "language/parser.h"

struct texture_statement {
    const char *name;
    uint32_t buffer;
    const struct element_type *type;
    const struct expr *extents[TEXTURE_RANK_MAX]; /* elements: width, height, depth */
    unsigned rank;
    struct setting filter, coordinates, read, memory, layers; /* layers without a value: none */
    struct setting address[TEXTURE_RANK_MAX];
    size_t address_count; /* 0: no such clause */
    /* The first tokens of the values, for errors. */
    struct token filter_place, address_place, coordinates_place, read_place, memory_place, layers_place;
    int line;
};
struct texture_statements {
    size_t count;
    struct texture_statement rows[SPACE_TEXTURES_MAX];
};

extern const struct word_list texture_filter_words, texture_address_words, texture_memory_words, texture_unit_words;

/* True if the setting is the word in some configuration, as far as the statement tells. */
bool texture_may_be(const struct setting *setting, int word);
/* Textures of three dimensions and layered ones cannot be in linear memory. */
bool texture_needs_array(const struct texture_statement *texture);
/* Appends the demands of one texture. */
int texture_demand(struct demand_list *list, const struct texture_statement *texture);

#endif
