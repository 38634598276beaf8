/* The part of Python that descriptions of tuning spaces are written in: lists of values such as
 * `[2**i for i in range(0, 6)]` and conditions such as `32 <= x * y <= 1024 and not z`. It is parsed to a tree,
 * evaluated with Python's meaning, and translated to the .space language where that gives the same results. */
#ifndef CUTUNE_EXCHANGE_PYTHON_H
#define CUTUNE_EXCHANGE_PYTHON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"

enum {
    PYTHON_DEPTH_MAX = 200,     /* nodes within one another */
    PYTHON_ITEMS_MAX = 1 << 20, /* of one list */
    PYTHON_STEPS_MAX = 1 << 22, /* nodes that are evaluated, for all expressions of one struct python */
    PYTHON_NAMES_MAX = 64
};

/* ---- Values ---- */

enum python_kind { PYTHON_BOOL, PYTHON_INT, PYTHON_FLOAT, PYTHON_TEXT, PYTHON_LIST, PYTHON_RANGE };

struct python_value {
    enum python_kind kind;
    size_t count; /* list, range */
    union {
        int64_t integer; /* bool, int */
        double real;
        const char *text;
        const struct python_value *items;
        struct {
            int64_t start, step;
        } range;
    };
};

/* Item number `index` of a list or range. */
struct python_value python_item(const struct python_value *list, size_t index);
/* Python's ==. */
bool python_equal(const struct python_value *a, const struct python_value *b);
/* "list", "int" */
const char *python_kind_name(enum python_kind kind);

/* ---- Trees ---- */

enum python_operation {
    PYTHON_BIT_OR,
    PYTHON_BIT_XOR,
    PYTHON_BIT_AND,
    PYTHON_SHIFT_LEFT,
    PYTHON_SHIFT_RIGHT,
    PYTHON_ADD,
    PYTHON_SUBTRACT,
    PYTHON_MULTIPLY,
    PYTHON_DIVIDE,
    PYTHON_FLOOR_DIVIDE,
    PYTHON_REMAINDER,
    PYTHON_POWER,
    PYTHON_NEGATE,
    PYTHON_PLUS,
    PYTHON_INVERT,
    PYTHON_EQUAL,
    PYTHON_NOT_EQUAL,
    PYTHON_LESS,
    PYTHON_LESS_EQUAL,
    PYTHON_GREATER,
    PYTHON_GREATER_EQUAL,
    PYTHON_IN,
    PYTHON_NOT_IN
};

enum python_node_kind {
    NODE_CONSTANT,
    NODE_NAME,
    NODE_UNARY,  /* operation, 1 child */
    NODE_BINARY, /* operation, 2 children */
    NODE_NOT,
    NODE_AND, /* 2 children or more */
    NODE_OR,
    NODE_COMPARE,    /* children, and between each two of them operations[i] */
    NODE_IF,         /* condition, then, else */
    NODE_LIST,       /* literal */
    NODE_CALL,       /* name, arguments */
    NODE_COMPREHEND, /* children: the item, then the clauses */
    NODE_FOR,        /* a clause: name, what it runs over */
    NODE_WHEN        /* a clause: the condition */
};

/* What a translation knows of a node's value. */
struct python_fact {
    bool may_be_int, may_be_real, may_be_word;
    bool truth; /* only ever 0 or 1 */
    bool whole; /* a quotient that Python makes a float and that is a whole number for all values */
    bool known; /* the integers lie in low .. high */
    int64_t low, high;
};

struct python_node {
    enum python_node_kind kind;
    enum python_operation operation;
    size_t at; /* where it stands in the text: its operator or first byte */
    int depth;
    const char *name;
    struct python_value value;
    size_t count;
    struct python_node **children;
    const enum python_operation *operations;
    bool has_fact;
    struct python_fact fact;
};

/* A name with its values: what a condition is about, with all the values it can have. */
struct python_name {
    const char *name;
    const struct python_value *values;
    size_t count;
};

struct python {
    struct arena *arena;  /* of trees and lists */
    struct error *error;  /* the first error, ERROR_DATA or ERROR_MEMORY, without a place */
    size_t error_at;      /* its place in the text */
    bool json;            /* true, false are constants too */
    uint64_t steps;       /* evaluated so far */
    uint64_t proof_steps; /* the same for looking whether a quotient is always a whole number */
    size_t name_count;    /* that conditions may use */
    const struct python_name *names;
};

/* Records an error at a place of the text and returns its code. */
int python_fail(struct python *python, size_t at, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Parses one expression: the whole text. */
int python_parse(struct python *python, const char *text, size_t length, struct python_node **node);

/* A variable while an expression is evaluated. */
struct python_binding {
    const char *name;
    struct python_value value;
    const struct python_binding *next;
};
int python_eval(struct python *python, const struct python_node *node, const struct python_binding *bindings,
                struct python_value *value);

/* Appends the condition in the .space language: true for exactly the values of `names` for which Python's is. What the
 * language cannot say, or not with the same result, is an error. */
int python_translate(struct python *python, struct python_node *node, struct text *out);

/* True when the text is a name of Python and of the .space language. */
bool python_is_name(const char *text);

#endif
