/* A fit over sizes: few configurations of one kernel and device, and a tree that orders them for any sizes. Made by
 * analyse/fit.h, kept as text in a row of the database, written as C by `cutune emit`.
 *
 * Its text is a list of statements, each ended by ";", words separated by one space:
 *
 *     fit 1;
 *     size ROWS 64 16384;
 *     take TILE=32 PAD=1 where (COLS <= 65535);
 *     if product ROWS COLS <= 4096;
 *     if formula 0 1 (log2(ROWS, 64) * 9) <= 0;
 *     order 0 1;
 *
 * `fit` has the version of this text, `size` a problem size with the least and the greatest measured, `take` a
 * configuration and its condition (db/size_condition.h) if any, and `order` the configurations by number, the best
 * first, all of them. `if` has a feature (size_features.def) with its sizes and number: where it holds, the next
 * subtree counts, else the one after it. A formula is an expression, as in conditions, for the logarithm of one
 * configuration's time over another's, in 2^20ths. */
#ifndef CUTUNE_DB_SIZE_FIT_H
#define CUTUNE_DB_SIZE_FIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "db/size_condition.h"

enum {
    SIZE_FIT_CONFIGURATIONS_MAX = 32,
    SIZE_FIT_SIZES_MAX = 16,
    SIZE_FIT_DEPTH_MAX = 6,
    SIZE_FIT_NODES_MAX = (2 << SIZE_FIT_DEPTH_MAX) - 1
};

enum size_feature {
#define FEATURE(name, sizes, first, last, meaning) SIZE_FEATURE_##name,
#include "db/size_features.def"
#undef FEATURE
    SIZE_FEATURE_COUNT
};

struct size_feature_row {
    const char *name;
    unsigned sizes; /* how many */
    int first, last;
    const char *meaning;
};
extern const struct size_feature_row size_feature_rows[SIZE_FEATURE_COUNT];

/* For any sizes, and for those inside of the measured ones, where conditions and formulas are simpler. */
enum size_fit_place { SIZE_FIT_ANYWHERE, SIZE_FIT_INSIDE, SIZE_FIT_PLACES };

struct size_fit_node {
    bool leaf;
    /* not a leaf: goes to the next node where the feature is at most `most`, else to `high` */
    enum size_feature feature;
    unsigned a, b; /* sizes; of a formula, configurations */
    int by;
    const char *formula;                                  /* instead of the feature; NULL: none */
    const struct size_condition *values[SIZE_FIT_PLACES]; /* of the formula */
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
    const char *text;  /* "TILE=32 PAD=1" */
    const char *where; /* its condition as text; "": none */
    const struct size_condition *conditions[SIZE_FIT_PLACES];
};

/* What a formula has for a logarithm of 1. */
#define SIZE_FIT_FORMULA_ONE ((double)(1 << 20))

/* Zeroed: empty. Texts and conditions belong to an arena of the owner. */
struct size_fit {
    size_t size_count, configuration_count, node_count;
    struct size_fit_size sizes[SIZE_FIT_SIZES_MAX];
    struct size_fit_configuration configurations[SIZE_FIT_CONFIGURATIONS_MAX];
    struct size_fit_node nodes[SIZE_FIT_NODES_MAX]; /* in preorder; the first is the root */
};

/* Parses the text. ERROR_SYNTAX with the column. */
int size_fit_parse(struct arena *arena, const char *text, struct size_fit *fit, struct error *error);
/* Parses the conditions and formulas of a fit whose other members are set: its texts and sizes. ERROR_SYNTAX as above.
 */
int size_fit_prepare(struct arena *arena, struct size_fit *fit, struct error *error);
/* Appends the text; what it writes, size_fit_parse reads. */
void size_fit_print(const struct size_fit *fit, struct text *text);

/* The value of a node's feature for sizes, one per size of the fit, and a device. */
int64_t size_fit_feature(const struct size_fit_node *node, const int64_t *sizes, size_t count, int sm_count,
                         int64_t l2_bytes);
/* The leaf for them. */
const struct size_fit_node *size_fit_leaf(const struct size_fit *fit, const int64_t *sizes, int sm_count,
                                          int64_t l2_bytes);
/* The number of the first configuration of the leaf whose condition holds and that is not `excluded` (may be NULL);
 * SIZE_MAX: none. */
size_t size_fit_choose(const struct size_fit *fit, const int64_t *sizes, int sm_count, int64_t l2_bytes,
                       const bool *excluded);
/* Whether a configuration is known to be valid at all sizes inside of the measured ones. */
bool size_fit_serves_all(const struct size_fit_configuration *configuration);
/* Whether a size lies outside of the measured ones. */
bool size_fit_extrapolates(const struct size_fit *fit, const int64_t *sizes);

/* Appends "ROWS * COLS <= 4096" or "0 should take at most 0.98 times as long as 1", for people. */
void size_fit_decision(const struct size_fit *fit, const struct size_fit_node *node, struct text *text);

#endif
