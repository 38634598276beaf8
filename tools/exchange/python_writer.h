/* Between the parts that write a translated condition. */
#ifndef CUTUNE_EXCHANGE_PYTHON_WRITER_H
#define CUTUNE_EXCHANGE_PYTHON_WRITER_H

#include <string.h>

#include "exchange/python_translate.h"

#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        int try_code = (call);                                                                                         \
        if (try_code)                                                                                                  \
            return try_code;                                                                                           \
    } while (0)

/* How tightly an operator of the .space language binds. */
enum {
    BIND_NONE,
    BIND_OR,
    BIND_AND,
    BIND_BIT_OR,
    BIND_BIT_XOR,
    BIND_BIT_AND,
    BIND_EQUALITY,
    BIND_ORDER,
    BIND_SHIFT,
    BIND_SUM,
    BIND_PRODUCT,
    BIND_SIGN,
    BIND_VALUE
};

struct writer {
    struct python *python;
    struct text *out;
    size_t start; /* length of `out` before */
};

/* Writes a node so that it may stand where an operator binds as tightly as `need`. As a truth: only whether it is 0
 * counts. */
int write_node(struct writer *writer, struct python_node *node, int need, bool as_truth);
int write_binary(struct writer *writer, struct python_node *node, int need, bool as_truth);
int write_unary(struct writer *writer, struct python_node *node, int need);
/* The operator of the same meaning in C, whatever the values. */
int write_plain(struct writer *writer, const struct python_node *node, int need);

static inline void open_if(struct writer *writer, bool round)
{
    if (round)
        text_printf(writer->out, "(");
}

static inline void close_if(struct writer *writer, bool round)
{
    if (round)
        text_printf(writer->out, ")");
}

static inline int refuse(struct writer *writer, const struct python_node *node, const char *message)
{
    return python_fail(writer->python, node->at, "%s", message);
}

#endif
