#include "language/code.h"

#include <string.h>

_Static_assert(SPACE_PARAMETERS_MAX + 256 <= 64 * CODE_MACROS_WORDS, "CODE_MACROS_WORDS is too small");

/* ---- Tokens ---- */

struct code code_start(const struct source_text *source)
{
    return (struct code){
        .at = source->text, .end = source->text + source->length, .line_start = source->text, .line = 1};
}

static bool follows(const struct code *code, const char *text)
{
    const char *at = code->at;
    while (*text && at < code->end && *at == *text)
        at++, text++;
    return !*text;
}

static void step(struct code *code)
{
    if (*code->at++ == '\n') {
        code->line++;
        code->line_start = code->at;
    }
}

/* Skips a backslash and the next character, which may be the end of the line. */
static void skip_escape(struct code *code)
{
    step(code);
    if (follows(code, "\r\n"))
        step(code);
    if (code->at < code->end)
        step(code);
}

static bool at_continuation(const struct code *code)
{
    return follows(code, "\\\n") || follows(code, "\\\r\n");
}

static void skip_comment(struct code *code)
{
    const char *begin = code->at;
    if (follows(code, "//"))
        while (code->at < code->end && *code->at != '\n')
            (*code->at == '\\' ? skip_escape : step)(code);
    else
        while (code->at < code->end && (code->at < begin + 4 || memcmp(code->at - 2, "*/", 2) != 0))
            step(code);
}

/* Skips white space and comments; stops at the end of a directive's line. */
static void skip_blanks(struct code *code)
{
    while (code->at < code->end) {
        if (follows(code, "//") || follows(code, "/*")) {
            skip_comment(code);
        } else if (at_continuation(code)) {
            skip_escape(code);
        } else if (*code->at == '\n') {
            if (code->directive)
                return;
            code->inside = false;
            step(code);
        } else if (strchr(" \t\r\f\v", *code->at)) {
            step(code);
        } else {
            return;
        }
    }
}

static void skip_string(struct code *code)
{
    const char quote = *code->at;
    for (step(code); code->at < code->end && *code->at != quote && *code->at != '\n';)
        (*code->at == '\\' ? skip_escape : step)(code);
    if (code->at < code->end && *code->at == quote)
        step(code);
}

/* Skips "DELIMITER(...)DELIMITER" with its quotes. */
static void skip_raw_string(struct code *code)
{
    const char *delimiter = code->at + 1;
    size_t length = 0, room = (size_t)(code->end - delimiter);
    while (length < room && delimiter[length] != '(' && delimiter[length] != '\n')
        length++;
    for (step(code); code->at < code->end; step(code))
        if (*code->at == '"' && (size_t)(code->at - delimiter) > 2 * length + 1 &&
            code->at[-1 - (ptrdiff_t)length] == ')' && memcmp(code->at - length, delimiter, length) == 0)
            break;
    if (code->at < code->end)
        step(code);
}

static bool begins_raw_string(const struct code *code, const char *word)
{
    static const char *const prefixes[] = {"R", "LR", "uR", "UR", "u8R"};
    size_t length = (size_t)(code->at - word);
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (length == strlen(prefixes[i]) && memcmp(word, prefixes[i], length) == 0)
            return follows(code, "\"");
    return false;
}

/* Numbers of the preprocessor, [lex.ppnumber]: 1'000.5e-3f is one token. */
static bool continues_number(char before, char sign)
{
    return sign == '.' || sign == '\'' || ((sign == '+' || sign == '-') && strchr("eEpP", before));
}

static enum code_kind skip_token(struct code *code)
{
    const char *start = code->at;
    if (*start == '#' && !code->inside && !code->directive) {
        code->directive = true;
        step(code);
        return CODE_HASH;
    }
    bool number = lexer_is_digit(*start) || (*start == '.' && code->at + 1 < code->end && lexer_is_digit(start[1]));
    if (lexer_is_name_start(*start) || number) {
        do
            step(code);
        while (code->at < code->end &&
               (lexer_is_name_part(*code->at) || (number && continues_number(code->at[-1], *code->at))));
        if (number)
            return CODE_NUMBER;
        if (!begins_raw_string(code, start))
            return CODE_WORD;
        skip_raw_string(code);
        return CODE_STRING;
    }
    if (*start != '"' && *start != '\'') {
        step(code);
        return CODE_SIGN;
    }
    skip_string(code);
    return CODE_STRING;
}

struct code_token code_next(struct code *code)
{
    skip_blanks(code);
    struct code_token token = {.start = code->at, .line = code->line, .column = (int)(code->at - code->line_start) + 1};
    if (code->directive && (code->at == code->end || *code->at == '\n')) {
        code->directive = code->inside = false;
        token.kind = CODE_LINE_END;
        return token;
    }
    if (code->at == code->end)
        return token;
    token.kind = skip_token(code);
    token.length = (size_t)(code->at - token.start);
    code->inside = true;
    return token;
}

bool code_is(const struct code_token *token, const char *word)
{
    return token->kind == CODE_WORD && token->length == strlen(word) && memcmp(token->start, word, token->length) == 0;
}

bool code_is_sign(const struct code_token *token, char sign)
{
    return token->kind == CODE_SIGN && *token->start == sign;
}

static bool same_word(const struct code_token *a, const struct code_token *b)
{
    return a->kind == CODE_WORD && b->kind == CODE_WORD && a->length == b->length &&
           memcmp(a->start, b->start, a->length) == 0;
}

/* ---- Conditions ---- */

bool code_macro_named(const struct space *space, const char *text, size_t length, size_t *number)
{
    const struct space_private *private = space->private;
    const struct name *name = names_find(&private->names, text, length);
    if (!name)
        return false;
    *number = name->index;
    if (name->kind == NAME_PARAMETER)
        return true;
    for (size_t i = 0; i < private->define_count; i++) {
        *number = SPACE_PARAMETERS_MAX + i;
        if (strcmp(private->defines[i].name, name->text) == 0)
            return true;
    }
    return false;
}

bool code_macro_text(const struct space *space, const char *text, size_t length, size_t *number)
{
    if (code_macro_named(space, text, length, number) &&
        (*number >= SPACE_PARAMETERS_MAX || space->parameters[*number].macro == space->parameters[*number].name))
        return true;
    for (size_t p = 0; p < space->parameter_count; p++) {
        const struct parameter *parameter = &space->parameters[p];
        *number = p;
        if (parameter->macro != parameter->name && strlen(parameter->macro) == length &&
            memcmp(parameter->macro, text, length) == 0)
            return true;
    }
    return false;
}

bool code_macro(const struct space *space, const struct code_token *word, size_t *number)
{
    return word->kind == CODE_WORD && code_macro_text(space, word->start, word->length, number);
}

const char *code_macro_name(const struct space *space, size_t number)
{
    return number < SPACE_PARAMETERS_MAX ? space->parameters[number].name
                                         : space->private->defines[number - SPACE_PARAMETERS_MAX].name;
}

const char *code_macro_word(const struct space *space, size_t number)
{
    return number < SPACE_PARAMETERS_MAX ? space->parameters[number].macro : code_macro_name(space, number);
}

/* True if the compiler gets the word as a macro here. */
static bool is_defined(const struct code_walk *walk, const struct code_token *word)
{
    size_t number;
    return code_macro(walk->space, word, &number) && !(walk->undefined[number / 64] >> number % 64 & 1u);
}

/* True if the next directive is a #define of this word, as in include guards and in values for builds without
 * cutune. */
static bool defines_next(struct code code, const struct code_token *word)
{
    struct code_token token;
    do
        token = code_next(&code);
    while (token.kind != CODE_HASH && token.kind != CODE_END);
    token = code_next(&code);
    if (!code_is(&token, "define"))
        return false;
    token = code_next(&code);
    return same_word(&token, word);
}

static enum code_certainty opposite(enum code_certainty certainty)
{
    return certainty == CODE_SURELY ? CODE_NEVER : certainty == CODE_NEVER ? CODE_SURELY : CODE_MAYBE;
}

/* The certainty that a word is defined. `behind`: end of the directive. A word without a known definition may be
 * defined, unless the source is about to define it. */
static enum code_certainty defined(const struct code_walk *walk, const struct code_token *word, struct code behind)
{
    if (is_defined(walk, word))
        return CODE_SURELY;
    return defines_next(behind, word) ? CODE_NEVER : CODE_MAYBE;
}

/* The certainty of a condition: [!]defined(NAME), [!]defined NAME or a number. */
static enum code_certainty condition(const struct code_walk *walk, struct code code, struct code behind)
{
    struct code_token token = code_next(&code);
    bool not = code_is_sign(&token, '!');
    if (not )
        token = code_next(&code);
    enum code_certainty value = CODE_MAYBE;
    if (token.kind == CODE_NUMBER && token.length == 1) {
        value = *token.start == '0' ? CODE_NEVER : CODE_SURELY;
    } else if (code_is(&token, "defined")) {
        token = code_next(&code);
        bool parenthesis = code_is_sign(&token, '(');
        if (parenthesis)
            token = code_next(&code);
        value = defined(walk, &token, behind);
        if (parenthesis)
            code_next(&code);
    }
    token = code_next(&code);
    return token.kind != CODE_LINE_END ? CODE_MAYBE : not ? opposite(value) : value;
}

static enum code_certainty around(const struct code_walk *walk)
{
    enum code_certainty least = walk->depth > CODE_CONDITIONS_MAX ? CODE_MAYBE : CODE_SURELY;
    for (size_t i = 0; i < walk->depth && i < CODE_CONDITIONS_MAX; i++)
        least = walk->conditions[i].now < least ? walk->conditions[i].now : least;
    return least;
}

/* Follows a conditional directive. `code` is behind its word, `behind` at its end. */
static bool follow(struct code_walk *walk, const struct code_token *word, struct code code, struct code behind)
{
    struct code name_place = code;
    const struct code_token name = code_next(&name_place);
    bool more = code_is(word, "elif") || code_is(word, "elifdef") || code_is(word, "elifndef") || code_is(word, "else");
    bool begins = code_is(word, "if") || code_is(word, "ifdef") || code_is(word, "ifndef");
    if (code_is(word, "endif")) {
        walk->depth -= walk->depth > 0;
        return true;
    }
    if (!more && !begins)
        return false;
    enum code_certainty value = code_is(word, "else")                          ? CODE_SURELY
                                : code_is(word, "if") || code_is(word, "elif") ? condition(walk, code, behind)
                                : code_is(word, "ifdef") || code_is(word, "elifdef")
                                    ? defined(walk, &name, behind)
                                    : opposite(defined(walk, &name, behind));
    if (begins) {
        if (walk->depth++ < CODE_CONDITIONS_MAX)
            walk->conditions[walk->depth - 1] = (struct code_condition){value, value};
        return true;
    }
    if (walk->depth == 0 || walk->depth > CODE_CONDITIONS_MAX)
        return true;
    struct code_condition *now = &walk->conditions[walk->depth - 1];
    enum code_certainty still = opposite(now->before); /* no earlier branch was taken */
    now->now = still < value ? still : value;
    now->before = now->before > value ? now->before : value;
    return true;
}

/* ---- Items ---- */

void code_walk_start(struct code_walk *walk, const struct space *space, const struct source_text *source)
{
    *walk = (struct code_walk){.space = space, .code = code_start(source)};
}

static void skip_line(struct code *code)
{
    while (code->directive)
        code_next(code);
}

static void undefine(struct code_walk *walk, const struct code_item *item)
{
    size_t number;
    if (item->certainty == CODE_SURELY && code_macro(walk->space, &item->token, &number))
        walk->undefined[number / 64] |= (uint64_t)1 << number % 64;
}

void code_walk_next(struct code_walk *walk, struct code_item *item)
{
    static const struct {
        const char *word;
        enum code_item_kind kind;
    } directives[] = {{"define", ITEM_DEFINE},
                      {"undef", ITEM_UNDEF},
                      {"include", ITEM_INCLUDE},
                      {"if", ITEM_CONDITION},
                      {"elif", ITEM_CONDITION}};
    for (;;) {
        *item = (struct code_item){.certainty = around(walk), .token = code_next(&walk->code)};
        item->kind = item->token.kind == CODE_END ? ITEM_END : ITEM_TOKEN;
        if (item->token.kind != CODE_HASH)
            return;
        item->start = item->token.start;
        item->token = code_next(&walk->code);
        item->rest = walk->code;
        skip_line(&walk->code);
        item->kind = ITEM_OTHER;
        for (size_t i = 0; i < sizeof directives / sizeof *directives; i++)
            if (code_is(&item->token, directives[i].word))
                item->kind = directives[i].kind;
        if (follow(walk, &item->token, item->rest, walk->code) && item->kind != ITEM_CONDITION)
            continue;
        if (item->kind == ITEM_DEFINE || item->kind == ITEM_UNDEF)
            item->token = code_next(&item->rest);
        if (item->kind == ITEM_UNDEF)
            undefine(walk, item);
        return;
    }
}
