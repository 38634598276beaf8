/* From a Python condition to one of the .space language, which has C's operators: comparisons, what ties conditions
 * together, functions. */
#include <inttypes.h>
#include <string.h>

#include "exchange/python_writer.h"
#include "space/value.h"

enum {
    LENGTH_MAX = 1 << 14, /* of a translated condition: operands that occur twice can make it grow */
    MEMBERS_MAX = 256     /* of a list behind `in` */
};

/* ---- Values ---- */

static bool is_value_of_any(const struct python *python, const char *word)
{
    for (size_t i = 0; i < python->name_count; i++)
        for (size_t v = 0; v < python->names[i].count; v++)
            if (python->names[i].values[v].kind == PYTHON_TEXT && strcmp(python->names[i].values[v].text, word) == 0)
                return true;
    return false;
}

static int write_value(struct writer *writer, const struct python_node *node, const struct python_value *value,
                       int need)
{
    char text[VALUE_TEXT_BYTES];
    struct value same = {.kind = VALUE_INT, .integer = value->integer};
    bool negative = value->integer < 0;
    if (value->kind == PYTHON_TEXT) {
        if (!is_value_of_any(writer->python, value->text))
            return python_fail(writer->python, node->at, "'%.64s' is not a value of any parameter", value->text);
        text_printf(writer->out, "%s", value->text);
        return 0;
    }
    if (value->kind >= PYTHON_LIST)
        return refuse(writer, node, "a list stands where a number is needed");
    if (value->kind == PYTHON_FLOAT) {
        same = (struct value){.kind = VALUE_FLOAT, .real = value->real};
        negative = value->real < 0;
    } else if (value->integer == INT64_MIN) {
        return refuse(writer, node, "the number is too large for an integer of 64 bits");
    }
    bool round = negative && need > BIND_SIGN;
    open_if(writer, round);
    text_printf(writer->out, "%s", value_text(&same, text, sizeof text));
    close_if(writer, round);
    return 0;
}

static int unknown_name(struct writer *writer, const struct python_node *node)
{
    const char *names[PYTHON_NAMES_MAX], *near;
    size_t count = writer->python->name_count;
    for (size_t i = 0; i < count; i++)
        names[i] = writer->python->names[i].name;
    int code = python_fail(writer->python, node->at, "there is no parameter '%.64s'", node->name);
    if ((near = text_nearest(node->name, names, count)))
        error_hint(writer->python->error, "did you mean '%s'?", near);
    return code;
}

/* ---- Comparisons ---- */

static bool is_zero(const struct python_node *node)
{
    return node->kind == NODE_CONSTANT && node->value.kind <= PYTHON_INT && node->value.integer == 0;
}

static bool is_remainder(const struct python_node *node)
{
    return node->kind == NODE_BINARY && node->operation == PYTHON_REMAINDER;
}

static int check_compared(struct writer *writer, const struct python_node *node, enum python_operation operation,
                          const struct python_fact *a, const struct python_fact *b)
{
    const struct python_fact *facts[] = {a, b};
    for (int i = 0; i < 2; i++) {
        if (!facts[i]->may_be_int && !facts[i]->may_be_real && !facts[i]->may_be_word)
            return refuse(writer, node, "a list cannot be compared");
        if (facts[i]->may_be_word && operation > PYTHON_NOT_EQUAL)
            return refuse(writer, node, "strings have no order here: only == and != compare them");
        if (facts[!i]->may_be_real && !fact_is_exact(facts[i]))
            return refuse(writer, node, "an integer that may be too large for a float is compared with a float");
    }
    return 0;
}

static int write_pair(struct writer *writer, const struct python_node *node, enum python_operation operation,
                      struct python_node *a, struct python_node *b, int need)
{
    static const char *const texts[] = {" == ", " != ", " < ", " <= ", " > ", " >= "};
    int bind = operation <= PYTHON_NOT_EQUAL ? BIND_EQUALITY : BIND_ORDER;
    bool equality = operation <= PYTHON_NOT_EQUAL;
    TRY(check_compared(writer, node, operation, fact_of(writer->python, a), fact_of(writer->python, b)));
    open_if(writer, bind < need);
    TRY(write_node(writer, a, bind + 1, equality && is_remainder(a) && is_zero(b)));
    text_printf(writer->out, "%s", texts[operation - PYTHON_EQUAL]);
    TRY(write_node(writer, b, bind + 1, equality && is_remainder(b) && is_zero(a)));
    close_if(writer, bind < need);
    return 0;
}

/* An integer in a range of many: by its bounds. */
static int write_range(struct writer *writer, struct python_node *a, const struct python_value *range, bool inside,
                       int need)
{
    int64_t first = range->range.start, last = python_item(range, range->count - 1).integer, step = range->range.step;
    int64_t low = first < last ? first : last, high = first < last ? last : first;
    bool round = need > (inside ? BIND_AND : BIND_OR);
    open_if(writer, round);
    TRY(write_node(writer, a, BIND_SHIFT, false));
    text_printf(writer->out, " %s %" PRId64 " %s ", inside ? ">=" : "<", low, inside ? "&&" : "||");
    TRY(write_node(writer, a, BIND_SHIFT, false));
    text_printf(writer->out, " %s %" PRId64, inside ? "<=" : ">", high);
    if (step != 1 && step != -1) {
        text_printf(writer->out, " %s (", inside ? "&&" : "||");
        TRY(write_node(writer, a, BIND_SUM, false));
        text_printf(writer->out, " - %s%" PRId64 "%s) %% %" PRId64 " %s 0", low < 0 ? "(" : "", low, low < 0 ? ")" : "",
                    step < 0 ? -step : step, inside ? "==" : "!=");
    }
    close_if(writer, round);
    return 0;
}

/* The list behind `in`: its nodes, or its values as nodes. */
static int members(struct writer *writer, struct python_node *list, struct python_value *range,
                   struct python_node ***nodes, size_t *count)
{
    struct python_value value;
    struct python *python = writer->python;
    *nodes = list->children;
    *count = list->count;
    if (list->kind == NODE_LIST)
        return 0;
    TRY(python_eval(python, list, NULL, &value));
    if (value.kind < PYTHON_LIST)
        return refuse(writer, list, "'in' needs a list");
    *range = value;
    *count = value.count;
    *nodes = arena_array(python->arena, value.count ? value.count : 1, sizeof **nodes);
    struct python_node *made = arena_array(python->arena, value.count ? value.count : 1, sizeof *made);
    if (!*nodes || !made)
        return error_memory(python->error);
    for (size_t i = 0; i < value.count; i++) {
        made[i] =
            (struct python_node){.kind = NODE_CONSTANT, .at = list->at, .depth = 1, .value = python_item(&value, i)};
        (*nodes)[i] = &made[i];
    }
    return 0;
}

static int write_membership(struct writer *writer, const struct python_node *node, bool inside, struct python_node *a,
                            struct python_node *list, int need)
{
    enum { FEW = 4 };
    struct python_value range = {.kind = PYTHON_LIST};
    struct python_node **items;
    size_t count;
    TRY(members(writer, list, &range, &items, &count));
    if (range.kind == PYTHON_RANGE && count > FEW && fact_is_integer(fact_of(writer->python, a)))
        return write_range(writer, a, &range, inside, need);
    if (count > MEMBERS_MAX)
        return python_fail(writer->python, list->at, "the list behind 'in' is longer than %d", MEMBERS_MAX);
    if (count == 0) {
        text_printf(writer->out, inside ? "0" : "1");
        return 0;
    }
    int bind = count == 1 ? BIND_EQUALITY : inside ? BIND_OR : BIND_AND;
    open_if(writer, bind < need);
    for (size_t i = 0; i < count; i++) {
        text_printf(writer->out, "%s", !i ? "" : inside ? " || " : " && ");
        TRY(write_pair(writer, node, inside ? PYTHON_EQUAL : PYTHON_NOT_EQUAL, a, items[i], BIND_EQUALITY));
    }
    close_if(writer, bind < need);
    return 0;
}

static int write_compare(struct writer *writer, const struct python_node *node, int need)
{
    bool round = node->count > 2 && need > BIND_AND;
    int inner = node->count > 2 ? BIND_AND : need;
    open_if(writer, round);
    for (size_t i = 0; i + 1 < node->count; i++) {
        enum python_operation operation = node->operations[i];
        struct python_node *a = node->children[i], *b = node->children[i + 1];
        text_printf(writer->out, "%s", i ? " && " : "");
        if (operation >= PYTHON_IN)
            TRY(write_membership(writer, node, operation == PYTHON_IN, a, b, inner));
        else
            TRY(write_pair(writer, node, operation, a, b, inner));
    }
    close_if(writer, round);
    return 0;
}

/* ---- and, or, if ---- */

static int check_truth(struct writer *writer, struct python_node *node)
{
    const struct python_fact *fact = fact_of(writer->python, node);
    if (fact->may_be_word)
        return refuse(writer, node, "a string stands where a condition is needed");
    if (!fact->may_be_int && !fact->may_be_real)
        return refuse(writer, node, "a list stands where a condition is needed");
    return 0;
}

static int write_logical(struct writer *writer, struct python_node *const *children, size_t count, bool conjunction,
                         int need)
{
    int bind = conjunction ? BIND_AND : BIND_OR;
    bool round = bind < need && count > 1;
    open_if(writer, round);
    for (size_t i = 0; i < count; i++) {
        text_printf(writer->out, "%s", !i ? "" : conjunction ? " && " : " || ");
        TRY(check_truth(writer, children[i]));
        TRY(write_node(writer, children[i], count > 1 ? bind : need, true));
    }
    close_if(writer, round);
    return 0;
}

/* `a and b` as a value is (a ? b : a), `a or b` is (a ? a : b). */
static int write_chosen(struct writer *writer, const struct python_node *node, size_t first)
{
    struct python_node *child = node->children[first];
    if (first + 1 == node->count)
        return write_node(writer, child, BIND_OR, false);
    TRY(check_truth(writer, child));
    text_printf(writer->out, "(");
    TRY(write_node(writer, child, BIND_OR, true));
    text_printf(writer->out, " ? ");
    TRY(node->kind == NODE_AND ? write_chosen(writer, node, first + 1) : write_node(writer, child, BIND_OR, false));
    text_printf(writer->out, " : ");
    TRY(node->kind == NODE_AND ? write_node(writer, child, BIND_OR, false) : write_chosen(writer, node, first + 1));
    text_printf(writer->out, ")");
    return 0;
}

static int write_if(struct writer *writer, const struct python_node *node, int need, bool as_truth)
{
    open_if(writer, need > BIND_NONE);
    TRY(check_truth(writer, node->children[0]));
    TRY(write_node(writer, node->children[0], BIND_OR, true));
    text_printf(writer->out, " ? ");
    TRY(write_node(writer, node->children[1], BIND_OR, as_truth));
    text_printf(writer->out, " : ");
    TRY(write_node(writer, node->children[2], BIND_NONE, as_truth));
    close_if(writer, need > BIND_NONE);
    return 0;
}

static int write_not(struct writer *writer, const struct python_node *node, int need)
{
    bool round = need > BIND_SIGN;
    TRY(check_truth(writer, node->children[0]));
    open_if(writer, round);
    text_printf(writer->out, "!");
    TRY(write_node(writer, node->children[0], BIND_VALUE, true));
    close_if(writer, round);
    return 0;
}

/* ---- Functions ---- */

static int write_extreme(struct writer *writer, const struct python_node *node, int need)
{
    struct python_node *const *items = node->children;
    size_t count = node->count;
    if (count == 1 && items[0]->kind == NODE_LIST) {
        count = items[0]->count;
        items = items[0]->children;
    }
    if (count == 1 && items != node->children)
        return write_node(writer, items[0], need, false);
    if (count < 2)
        return refuse(writer, node, "a list of two numbers or more was expected");
    text_printf(writer->out, "%s(", node->name);
    for (size_t i = 0; i < count; i++) {
        const struct python_fact *fact = fact_of(writer->python, items[i]);
        if ((!fact->may_be_int && !fact->may_be_real) || fact->may_be_word)
            return refuse(writer, items[i], "a number was expected");
        text_printf(writer->out, "%s", i ? ", " : "");
        TRY(write_node(writer, items[i], BIND_NONE, false));
    }
    text_printf(writer->out, ")");
    return 0;
}

/* int(a / b) is what C's division of integers gives; int(a) of an integer is that integer. */
static int write_int(struct writer *writer, const struct python_node *node, int need)
{
    struct python_node *child = node->children[0];
    const struct python_fact *fact = fact_of(writer->python, child);
    if (fact_is_integer(fact))
        return write_node(writer, child, need, false);
    if (child->kind == NODE_BINARY && child->operation == PYTHON_DIVIDE) {
        const struct python_fact *a = fact_of(writer->python, child->children[0]);
        const struct python_fact *b = fact_of(writer->python, child->children[1]);
        if (fact_is_integer(a) && fact_is_integer(b) && fact_is_exact(a) && fact_is_exact(b))
            return write_plain(writer, child, need);
    }
    return refuse(writer, node, "int of a fraction can only be translated for a quotient of two integers: int(a / b)");
}

static int write_one(struct writer *writer, const struct python_node *node, int need)
{
    struct python_node *child = node->children[0];
    const struct python_fact *fact = fact_of(writer->python, child);
    if ((!fact->may_be_int && !fact->may_be_real) || fact->may_be_word)
        return refuse(writer, node, "the function takes a number");
    if (strcmp(node->name, "int") == 0)
        return write_int(writer, node, need);
    if (strcmp(node->name, "abs") == 0) {
        text_printf(writer->out, "abs(");
        TRY(write_node(writer, child, BIND_NONE, false));
        text_printf(writer->out, ")");
        return 0;
    }
    bool is_float = strcmp(node->name, "float") == 0;
    int bind = is_float ? BIND_PRODUCT : BIND_EQUALITY;
    if (is_float && !fact_is_exact(fact))
        return refuse(writer, node, "the integer may be too large for a float");
    open_if(writer, bind < need);
    text_printf(writer->out, "%s", is_float ? "1.0 * " : "");
    TRY(write_node(writer, child, bind + 1, !is_float));
    text_printf(writer->out, "%s", is_float ? "" : " != 0");
    close_if(writer, bind < need);
    return 0;
}

static bool has_names(const struct python_node *node)
{
    bool found = node->kind == NODE_NAME;
    for (size_t i = 0; i < node->count && !found; i++)
        found = has_names(node->children[i]);
    return found;
}

static int write_call(struct writer *writer, struct python_node *node, int need)
{
    static const char *const ones[] = {"abs", "int", "float", "bool"};
    struct python_value value;
    bool extreme = strcmp(node->name, "min") == 0 || strcmp(node->name, "max") == 0;
    bool all = strcmp(node->name, "all") == 0, any = strcmp(node->name, "any") == 0;
    if (!has_names(node) && !all && !any) {
        TRY(python_eval(writer->python, node, NULL, &value));
        return write_value(writer, node, &value, need);
    }
    for (size_t i = 0; i < sizeof ones / sizeof *ones; i++)
        if (strcmp(node->name, ones[i]) == 0 && node->count == 1)
            return write_one(writer, node, need);
    if (extreme && node->count > 0)
        return write_extreme(writer, node, need);
    if ((all || any) && node->count == 1 && node->children[0]->kind == NODE_LIST && node->children[0]->count > 0)
        return write_logical(writer, node->children[0]->children, node->children[0]->count, all, need);
    int code = python_fail(writer->python, node->at, "%.64s(...) cannot be translated here", node->name);
    error_hint(writer->python->error, "functions of parameters are min max abs int float bool, and all any of a list");
    return code;
}

/* ---- Any node ---- */

int write_node(struct writer *writer, struct python_node *node, int need, bool as_truth)
{
    if (writer->out->length - writer->start > LENGTH_MAX)
        return refuse(writer, node, "the condition becomes too long");
    switch (node->kind) {
    case NODE_CONSTANT:
        return write_value(writer, node, &node->value, need);
    case NODE_NAME:
        if (!find_name(writer->python, node->name))
            return unknown_name(writer, node);
        text_printf(writer->out, "%s", node->name);
        return 0;
    case NODE_UNARY:
        return write_unary(writer, node, need);
    case NODE_BINARY:
        return write_binary(writer, node, need, as_truth);
    case NODE_NOT:
        return write_not(writer, node, need);
    case NODE_AND:
    case NODE_OR:
        if (as_truth || fact_of(writer->python, node)->truth)
            return write_logical(writer, node->children, node->count, node->kind == NODE_AND, need);
        return write_chosen(writer, node, 0);
    case NODE_COMPARE:
        return write_compare(writer, node, need);
    case NODE_IF:
        return write_if(writer, node, need, as_truth);
    case NODE_CALL:
        return write_call(writer, node, need);
    default:
        return refuse(writer, node, "a list can only stand behind 'in', and in min, max, all and any");
    }
}

/* Names are checked first: with an unknown one, nothing else that could be said would help. */
static int check_names(struct writer *writer, const struct python_node *node)
{
    if (node->kind == NODE_COMPREHEND) /* its variables are its own */
        return 0;
    if (node->kind == NODE_NAME && !find_name(writer->python, node->name))
        return unknown_name(writer, node);
    for (size_t i = 0; i < node->count; i++)
        TRY(check_names(writer, node->children[i]));
    return 0;
}

int python_translate(struct python *python, struct python_node *node, struct text *out)
{
    struct writer writer = {python, out, out->length};
    TRY(check_names(&writer, node));
    TRY(check_truth(&writer, node));
    TRY(write_node(&writer, node, BIND_NONE, true));
    return out->failed ? error_memory(python->error) : 0;
}
