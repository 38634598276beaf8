/* A fit over sizes: few configurations of one kernel and device, and a tree that orders them for any sizes. Made by
 * analyse/fit.h, stored as text in a row of the database, written as C by `cutune emit`.
 *
 * Its text is a list of statements, each ended by ";", words separated by one space:
 *
 *     fit 2;
 *     size ROWS 64 16384;
 *     take TILE=32 PAD=1 where (COLS <= 65535);
 *     take TILE=64 PAD=1;
 *     blocks 0 ceildiv(ROWS, 32);
 *     blocks 1 ceildiv(ROWS, 64);
 *     if relative_waves 0 1 <= 150;
 *     order 0 1;
 *     order 1 0;
 *
 * - `fit`: the version of this text.
 * - `size`: a problem size with its least and greatest measured value.
 * - `take`: a configuration and its condition (db/sizes/size_condition.h), if any.
 * - `blocks`: the number of blocks of a configuration's main launch, an expression as in conditions; absent in version
 * 1.
 * - `if`: a feature (size_features.def) with its sizes or configurations and number. If its value is at most the last
 * number, the next subtree applies, else the one after it.
 * - `order`: all configurations by number, the best first.
 *
 * Earlier programs wrote `if formula` into texts of version 1. Such a fit is read without its tree: it chooses
 * nothing. */
#ifndef CUTUNE_SIZES_SIZE_FIT_H
#define CUTUNE_SIZES_SIZE_FIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "sizes/size_condition.h"

enum {
    SIZE_FIT_CONFIGURATIONS_MAX = 32,
    SIZE_FIT_SIZES_MAX = 16,
    SIZE_FIT_DEPTH_MAX = 6,
    SIZE_FIT_NODES_MAX = (2 << SIZE_FIT_DEPTH_MAX) - 1,
    SIZE_FIT_LISTS = 3 /* integers of a leaf's list */
};

enum size_feature {
#define FEATURE(name, of, count, first, last, meaning) SIZE_FEATURE_##name,
#include "sizes/size_features.def"
#undef FEATURE
    SIZE_FEATURE_COUNT
};

enum size_feature_of { SIZE_FEATURE_OF_sizes, SIZE_FEATURE_OF_blocks };

struct size_feature_row {
    const char *name;
    enum size_feature_of of;
    unsigned count; /* number of operands */
    int first, last;
    const char *meaning;
};
extern const struct size_feature_row size_feature_rows[SIZE_FEATURE_COUNT];

/* Any sizes, or sizes inside of the measured region, where conditions are simpler. */
enum size_fit_place { SIZE_FIT_ANYWHERE, SIZE_FIT_INSIDE, SIZE_FIT_PLACES };

struct size_fit_node {
    bool leaf;
    /* not a leaf: the next node applies if the feature is at most `most`, else `high` */
    enum size_feature feature;
    unsigned a, b; /* sizes or configurations */
    int by;
    int64_t most;
    size_t high;
    /* leaf: the configurations, the best first */
    uint8_t order[SIZE_FIT_CONFIGURATIONS_MAX];
};

struct size_fit_size {
    const char *name;
    int64_t least, most; /* measured */
};

struct size_fit_configuration {
    const char *text;   /* "TILE=32 PAD=1" */
    const char *where;  /* its condition as text; "": none */
    const char *blocks; /* the expression of its blocks as text; "": no feature uses it */
    const struct size_condition *conditions[SIZE_FIT_PLACES], *block_counts[SIZE_FIT_PLACES];
};

/* Zeroed: empty. Texts and conditions belong to an arena of the owner. */
struct size_fit {
    size_t size_count, configuration_count, node_count;
    struct size_fit_size sizes[SIZE_FIT_SIZES_MAX];
    struct size_fit_configuration configurations[SIZE_FIT_CONFIGURATIONS_MAX];
    struct size_fit_node nodes[SIZE_FIT_NODES_MAX]; /* in preorder; the first is the root */
    bool earlier;                                   /* has no nodes: an earlier program decided by formulas */
};

/* Parses the text. ERROR_SYNTAX with the column. */
int size_fit_parse(struct arena *arena, const char *text, struct size_fit *fit, struct error *error);
/* True if the text decides by formulas, as earlier programs did. */
bool size_fit_is_earlier(const char *text);
/* Parses the conditions and blocks of a fit whose other members, texts and sizes, are set. ERROR_SYNTAX as above. */
int size_fit_prepare(struct arena *arena, struct size_fit *fit, struct error *error);
/* Appends the text of a fit that is not `earlier`, as size_fit_parse reads it. */
void size_fit_print(const struct size_fit *fit, struct text *text);

/* Computes a node's feature from two sizes or numbers of blocks, the product of all sizes, and a device. */
int64_t size_feature_value(const struct size_fit_node *node, int64_t a, int64_t b, int64_t all, int sm_count,
                           int64_t l2_bytes);
/* Returns the product of all sizes. */
int64_t size_fit_volume(const int64_t *sizes, size_t count);
/* Packs the first `count` configurations of a leaf for choose_first in db/sizes/choose_fit.h. */
void size_fit_list(const struct size_fit_node *leaf, size_t count, uint64_t *list);
/* Returns the number of the leaf's first configuration for these sizes whose condition holds and that is `allowed` (a
 * bit for each configuration); SIZE_MAX: none. */
size_t size_fit_choose(const struct size_fit *fit, const int64_t *sizes, int sm_count, int64_t l2_bytes,
                       uint32_t allowed);
/* True if a configuration is known to be valid at all sizes inside of the measured region. */
bool size_fit_serves_all(const struct size_fit_configuration *configuration);
/* True if a size lies outside of the measured region. */
bool size_fit_extrapolates(const struct size_fit *fit, const int64_t *sizes);

/* Appends "ROWS * COLS <= 4096" or "waves of 0 in per cent of those of 1 <= 150", for people. */
void size_fit_decision(const struct size_fit *fit, const struct size_fit_node *node, struct text *text);

#endif
