#include "expression/list.h"

#include "expression/expr.h"

int list_number(struct lexer *lexer, struct value *value)
{
    bool minus = lexer_at_sign(lexer, '-');
    if (minus)
        TRY(lexer_next(lexer));
    const struct token *token = &lexer->token;
    if (token->kind == TOKEN_INT) {
        if (token->integer > (uint64_t)INT64_MAX + minus)
            return source_error(lexer->source, token->line, token->column, lexer->error, ERROR_SYNTAX,
                                "the number is too large for an integer of 64 bits");
        *value = (struct value){.kind = VALUE_INT, .integer = (int64_t)(minus ? -token->integer : token->integer)};
    } else if (token->kind == TOKEN_FLOAT) {
        *value = (struct value){.kind = VALUE_FLOAT, .real = minus ? -token->real : token->real};
    } else {
        return lexer_expected(lexer, minus ? "a number" : "a value");
    }
    return lexer_next(lexer);
}

/* ---- Ranges ---- */

static int range_error(struct lexer *lexer, const struct token *token, const char *subject, const char *message)
{
    return source_error(lexer->source, token->line, token->column, lexer->error, ERROR_SYNTAX, "%s%s", subject,
                        message);
}

static int not_an_integer(struct lexer *lexer, const struct token *token, const char *what)
{
    int code = range_error(lexer, token, what, " of a range must be an integer");
    error_hint(lexer->error, "list floats and words one by one: 0.25, 0.5, 0.75");
    return code;
}

static int range_integer(struct lexer *lexer, const char *what, int64_t *integer)
{
    struct value value = {0};
    struct token token = lexer->token;
    if (token.kind == TOKEN_NAME)
        return not_an_integer(lexer, &token, what);
    TRY(list_number(lexer, &value));
    if (value.kind != VALUE_INT)
        return not_an_integer(lexer, &token, what);
    *integer = value.integer;
    return 0;
}

int list_range(struct lexer *lexer, const struct token *start, const struct value *first, struct value_range *range)
{
    if (first->kind != VALUE_INT)
        return not_an_integer(lexer, start, "the start");
    *range = (struct value_range){.first = first->integer, .step = 1};
    TRY(lexer_next(lexer));
    TRY(range_integer(lexer, "the end", &range->last));
    range->times = lexer_at_word(lexer, "times");
    if (range->times || lexer_at_word(lexer, "step")) {
        const char *what = range->times ? "the factor" : "the step";
        TRY(lexer_next(lexer));
        struct token token = lexer->token;
        TRY(range_integer(lexer, what, &range->step));
        if (range->step < (range->times ? 2 : 1))
            return range_error(lexer, &token, what, range->times ? " must be at least 2" : " must be at least 1");
    }
    if (range->last < range->first)
        return range_error(lexer, start, "the range is empty", ": its end is below its start");
    if (range->times && range->first < 1)
        return range_error(lexer, start, "a range with a factor", " must start at 1 or above");
    return 0;
}

bool list_range_next(const struct value_range *range, int64_t *value)
{
    bool over = range->times ? __builtin_mul_overflow(*value, range->step, value)
                             : __builtin_add_overflow(*value, range->step, value);
    return !over && *value <= range->last;
}
