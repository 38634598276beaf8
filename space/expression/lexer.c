#include "expression/lexer.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static bool is_hex(char c)
{
    return lexer_is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static const char *text_end(const struct lexer *lexer)
{
    return lexer->source->text + lexer->source->length;
}

void lexer_start(struct lexer *lexer, const struct source_text *source, struct error *error)
{
    memset(lexer, 0, sizeof *lexer);
    lexer->source = source;
    lexer->error = error;
    lexer->at = lexer->line_start = source->text;
    lexer->line = 1;
    lexer->token = (struct token){.start = source->text, .line = 1, .column = 1};
}

bool lexer_at_sign(const struct lexer *lexer, int sign)
{
    return lexer->token.kind == TOKEN_SIGN && lexer->token.sign == sign;
}

bool lexer_at_word(const struct lexer *lexer, const char *word)
{
    const struct token *token = &lexer->token;
    return token->kind == TOKEN_NAME && token->length == strlen(word) && memcmp(token->start, word, token->length) == 0;
}

/* ---- Errors ---- */

/* Cuts a long line behind the error's position. If even that does not fit, shows the surroundings only, fewer
 * characters than the column, so that no caret appears under the wrong one. */
static void put_excerpt(const char *line, size_t length, size_t column, struct error *error)
{
    enum { ROOM = sizeof error->excerpt - 1, MARK = 3, AROUND = 80 };
    size_t from = 0, take = length;
    char *out = error->excerpt;
    if (length > ROOM) {
        if (column > ROOM - MARK) {
            from = column - AROUND;
            memcpy(out, "...", MARK);
            out += MARK;
            take = length - from > 2 * AROUND ? 2 * AROUND : length - from;
        } else {
            take = ROOM - MARK;
        }
    }
    for (size_t i = 0; i < take; i++) {
        unsigned char c = (unsigned char)line[from + i];
        *out++ = (c < ' ' && c != '\t') || c == 0x7f ? '?' : (char)c;
    }
    if (from + take < length) {
        memcpy(out, "...", MARK);
        out += MARK;
    }
    *out = '\0';
}

void source_place(const struct source_text *source, int line, int column, struct error *error)
{
    while (source->origin) {
        line = source->origin_line;
        column = source->origin_column;
        source = source->origin;
    }
    if (!error || error->code == ERROR_NONE || error->source[0] || error->line)
        return;
    error_place(error, source->path, line, column);
    const char *start = source->text, *end = source->text + source->length;
    for (int skip = 1; skip < line; skip++) {
        const char *newline = memchr(start, '\n', (size_t)(end - start));
        if (!newline)
            return;
        start = newline + 1;
    }
    const char *stop = memchr(start, '\n', (size_t)(end - start));
    size_t length = (size_t)((stop ? stop : end) - start);
    if (length && start[length - 1] == '\r')
        length--;
    put_excerpt(start, length, column > 0 ? (size_t)column : 1, error);
}

int source_error(const struct source_text *source, int line, int column, struct error *error, enum error_code code,
                 const char *format, ...)
{
    char message[sizeof error->message];
    va_list arguments;
    va_start(arguments, format);
    text_vformat(message, sizeof message, format, arguments);
    va_end(arguments);
    if (error && error->code == ERROR_NONE) {
        error_set(error, code, "%s", message);
        source_place(source, line, column, error);
    }
    return code;
}

static int token_error(struct lexer *lexer, const struct token *token, const char *message)
{
    return source_error(lexer->source, token->line, token->column, lexer->error, ERROR_SYNTAX, "%s", message);
}

int lexer_expected(struct lexer *lexer, const char *what)
{
    enum { SHOWN = 40 };
    const struct token *token = &lexer->token;
    if (token->kind == TOKEN_END)
        return source_error(lexer->source, token->line, token->column, lexer->error, ERROR_SYNTAX,
                            "expected %s, but the statement ends here", what);
    size_t length = token->length > SHOWN ? SHOWN : token->length;
    return source_error(lexer->source, token->line, token->column, lexer->error, ERROR_SYNTAX,
                        "expected %s, not '%.*s%s'", what, (int)length, token->start,
                        length < token->length ? "..." : "");
}

/* ---- Tokens ---- */

/* Skips white space, continuations and a comment, up to the next token or the end of the statement. */
static void skip_blank(struct lexer *lexer)
{
    for (const char *end = text_end(lexer); lexer->at < end;) {
        char c = *lexer->at;
        if (c == ' ' || c == '\t' || c == '\r') {
            lexer->at++;
        } else if (c == '#') {
            const char *newline = memchr(lexer->at, '\n', (size_t)(end - lexer->at));
            lexer->at = newline ? newline : end;
            return;
        } else if (c == '\\') {
            const char *next = lexer->at + 1;
            while (next < end && (*next == ' ' || *next == '\t' || *next == '\r'))
                next++;
            if (next < end && *next != '\n')
                return; /* a lone backslash: an unexpected character */
            lexer->at = next < end ? next + 1 : end;
            lexer->line++;
            lexer->line_start = lexer->at;
        } else {
            return;
        }
    }
}

static int number(struct lexer *lexer)
{
    struct token *token = &lexer->token;
    const char *at = token->start, *end = text_end(lexer);
    bool hex = at[0] == '0' && at + 1 < end && (at[1] == 'x' || at[1] == 'X'), real = false;
    if (hex) {
        at += 2;
        while (at < end && is_hex(*at))
            at++;
    } else {
        while (at < end && lexer_is_digit(*at))
            at++;
        if (at < end && *at == '.' && !(at + 1 < end && at[1] == '.')) { /* "1..8" is a range */
            real = true;
            for (at++; at < end && lexer_is_digit(*at);)
                at++;
        }
        if (at < end && (*at == 'e' || *at == 'E')) {
            const char *digits = at + 1;
            if (digits < end && (*digits == '+' || *digits == '-'))
                digits++;
            if (digits < end && lexer_is_digit(*digits)) {
                real = true;
                for (at = digits; at < end && lexer_is_digit(*at);)
                    at++;
            }
        }
    }
    if (at < end && lexer_is_name_part(*at))
        return token_error(lexer, token, "a letter follows the number: numbers have no suffixes or units");
    if (hex && at == token->start + 2)
        return token_error(lexer, token, "no digits after 0x");
    if (!hex && !real && at - token->start > 1 && token->start[0] == '0')
        return token_error(lexer, token, "an integer starts with 0: C would read it as octal, write it without");
    token->length = (size_t)(at - token->start);
    lexer->at = at;
    if (real) {
        token->kind = TOKEN_FLOAT;
        token->real = text_number(token->start, NULL);
        return isfinite(token->real) ? 0 : token_error(lexer, token, "the number is too large for a float");
    }
    token->kind = TOKEN_INT;
    token->integer = 0;
    for (const char *digit = token->start + (hex ? 2 : 0); digit < at; digit++) {
        uint64_t value = lexer_is_digit(*digit) ? (uint64_t)(*digit - '0') : (uint64_t)((*digit | 0x20) - 'a') + 10;
        if (__builtin_mul_overflow(token->integer, hex ? 16u : 10u, &token->integer) ||
            __builtin_add_overflow(token->integer, value, &token->integer))
            return token_error(lexer, token, "the number is too large for an integer of 64 bits");
    }
    return 0;
}

/* Skips the characters of a string whose quote is at `at`, up to the closing quote or a character that no string
 * contains. */
static const char *string_end(const char *at)
{
    do
        at++;
    while (*at != '"' && (*at == '\t' || (unsigned char)*at >= ' ')); /* the text ends in a NUL */
    return at;
}

static int string(struct lexer *lexer)
{
    struct token *token = &lexer->token;
    const char *at = string_end(token->start), *end = text_end(lexer);
    if (at == end || *at == '\n' || *at == '\r')
        return token_error(lexer, token, "the string does not end on its line");
    if (*at != '"')
        return token_error(lexer, token, "the string contains a control character");
    token->kind = TOKEN_STRING;
    token->length = (size_t)(at + 1 - token->start);
    lexer->at = at + 1;
    return 0;
}

/* Rejects notations of other languages. */
static int foreign(struct lexer *lexer)
{
    static const struct {
        const char *sign, *message, *hint;
    } rows[] = {{"//", "'//' is neither an operator nor the beginning of a comment",
                 "a comment begins with #; between integers, A / B is an integer"},
                {"/*", "'/*' does not begin a comment", "a comment begins with # and ends with its line"},
                {";\n", "unexpected character ';'", "a statement ends with its line"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strncmp(lexer->token.start, rows[i].sign, strlen(rows[i].sign)) == 0) { /* the text ends in a NUL */
            int code = token_error(lexer, &lexer->token, rows[i].message);
            error_hint(lexer->error, "%s", rows[i].hint);
            return code;
        }
    return 0;
}

static int sign(struct lexer *lexer)
{
    static const char doubles[][3] = {"..", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "=>"};
    struct token *token = &lexer->token;
    char c = *token->start, next = lexer->at + 1 < text_end(lexer) ? lexer->at[1] : '\0';
    token->kind = TOKEN_SIGN;
    if (strncmp(token->start, "???", 3) == 0) { /* the text ends in a NUL */
        token->sign = SIGN_FILL_IN;
        token->length = 3;
        lexer->at += 3;
        return 0;
    }
    token->length = 2;
    TRY(foreign(lexer));
    for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++)
        if (c == doubles[i][0] && next == doubles[i][1]) {
            token->sign = PUNCT(c, next);
            lexer->at += 2;
            return 0;
        }
    if (c == '\0' || !strchr("+-*/%~!&|^?:(),=<>[]{}", c)) {
        char message[64];
        if (c > ' ' && c < 0x7f)
            snprintf(message, sizeof message, "unexpected character '%c'", c);
        else
            snprintf(message, sizeof message, "unexpected byte 0x%02x", (unsigned)(unsigned char)c);
        return token_error(lexer, token, message);
    }
    token->length = 1;
    token->sign = c;
    lexer->at++;
    return 0;
}

int lexer_next(struct lexer *lexer)
{
    const char *end = text_end(lexer);
    lexer->consumed = lexer->at;
    skip_blank(lexer);
    lexer->token = (struct token){
        .kind = TOKEN_END, .start = lexer->at, .line = lexer->line, .column = (int)(lexer->at - lexer->line_start) + 1};
    if (lexer->at == end || *lexer->at == '\n')
        return 0;
    char c = *lexer->at;
    if (lexer_is_name_start(c)) {
        while (lexer->at < end && lexer_is_name_part(*lexer->at))
            lexer->at++;
        lexer->token.kind = TOKEN_NAME;
        lexer->token.length = (size_t)(lexer->at - lexer->token.start);
        return 0;
    }
    if (lexer_is_digit(c) || (c == '.' && lexer->at + 1 < end && lexer_is_digit(lexer->at[1])))
        return number(lexer);
    return c == '"' ? string(lexer) : sign(lexer);
}

int lexer_next_statement(struct lexer *lexer)
{
    for (;;) {
        TRY(lexer_next(lexer));
        if (lexer->token.kind != TOKEN_END || lexer->at == text_end(lexer))
            return 0;
        lexer->at++;
        lexer->line++;
        lexer->line_start = lexer->at;
    }
}

void lexer_skip_statement(struct lexer *lexer)
{
    for (const char *end = text_end(lexer); lexer->at < end && *lexer->at != '\n';) {
        const char *before = lexer->at;
        skip_blank(lexer); /* also across a continuation */
        if (lexer->at > before)
            continue;
        const char *quote = *before == '"' ? string_end(before) : before;
        lexer->at = (*quote == '"' ? quote : before) + 1;
    }
    lexer->token = (struct token){
        .kind = TOKEN_END, .start = lexer->at, .line = lexer->line, .column = (int)(lexer->at - lexer->line_start) + 1};
}

int lexer_extend_name(struct lexer *lexer)
{
    const char *at = lexer->at, *end = text_end(lexer);
    while (end - at > 2 && at[0] == ':' && at[1] == ':' && lexer_is_name_start(at[2]))
        for (at += 2; at < end && lexer_is_name_part(*at);)
            at++;
    if (at < end && *at == '<') {
        int angles = 0, rounds = 0; /* inside parentheses a '>' is a comparison */
        do {
            if (at == end || *at == '\n' || *at == '#' || *at == '\\')
                return token_error(lexer, &lexer->token, "the template arguments have no closing '>' on this line");
            rounds += (*at == '(') - (*at == ')');
            angles += rounds > 0 ? 0 : (*at == '<') - (*at == '>');
            at++;
        } while (angles > 0);
    }
    lexer->token.length = (size_t)(at - lexer->token.start);
    lexer->at = at;
    return 0;
}

const char *source_one_line(struct arena *arena, const char *start, const char *end)
{
    char *copy = arena_copy(arena, start, (size_t)(end - start)), *out = copy;
    if (!copy)
        return NULL;
    for (const char *at = copy; *at; at++) {
        if (!strchr(" \t\r\n\\", *at))
            *out++ = *at;
        else if (out > copy && out[-1] != ' ')
            *out++ = ' ';
    }
    while (out > copy && out[-1] == ' ')
        out--;
    *out = '\0';
    return copy;
}
