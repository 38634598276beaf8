#include "compile/unasked.h"

#include <stdbool.h>
#include <string.h>

/* ---- Tokens ---- */

enum token_kind { TOKEN_END, TOKEN_WORD, TOKEN_LITERAL, TOKEN_DIRECTIVE, TOKEN_SIGN };

struct token {
    enum token_kind kind;
    const char *at;
    size_t length;
};

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Ends with its line at the latest: what follows is read as another token, and an apostrophe may separate digits. */
static const char *literal_end(const char *at)
{
    for (char quote = *at++; *at && *at != '\n'; at++) {
        if (*at == quote)
            return at + 1;
        at += *at == '\\' && at[1] && at[1] != '\n';
    }
    return at;
}

/* A backslash continues it on the next line. */
static const char *line_end(const char *at)
{
    for (; *at && *at != '\n'; at++)
        at += *at == '\\' && at[1];
    return at;
}

static const char *comment_end(const char *at)
{
    const char *end = strstr(at + 2, "*/");
    return end ? end + 2 : at + strlen(at);
}

/* Skips blanks and comments. */
static const char *skip(const char *at)
{
    for (;;)
        if (*at == ' ' || (*at >= '\t' && *at <= '\r'))
            at++;
        else if (at[0] == '/' && at[1] == '/')
            at = line_end(at);
        else if (at[0] == '/' && at[1] == '*')
            at = comment_end(at);
        else
            return at;
}

static struct token next(const char **source)
{
    const char *begin = skip(*source), *end = begin + (*begin != '\0');
    enum token_kind kind = *begin ? TOKEN_SIGN : TOKEN_END;
    if (*begin == '#') {
        kind = TOKEN_DIRECTIVE;
        end = line_end(begin);
    } else if (*begin == '"' || *begin == '\'') {
        kind = TOKEN_LITERAL;
        end = literal_end(begin);
    } else if (is_word(*begin)) {
        kind = TOKEN_WORD;
        while (is_word(*end))
            end++;
    }
    *source = end;
    return (struct token){kind, begin, (size_t)(end - begin)};
}

static bool is(const struct token *token, const char *text)
{
    return strlen(text) == token->length && memcmp(token->at, text, token->length) == 0;
}

/* ---- Names ---- */

static bool same(const struct token *name, const char *other, size_t length)
{
    return name->length == length && memcmp(name->at, other, length) == 0;
}

/* "scale" of "space::scale<TILE>" and of "(void (*)(float *))scale". */
static bool is_asked(const struct compile_job *job, const struct token *name)
{
    const char *expression = job->name_expressions;
    for (size_t i = 0; i < job->name_count; i++, expression += strlen(expression) + 1) {
        size_t end = *expression == '(' ? strlen(expression) : strcspn(expression, "<("), begin;
        while (end > 0 && !is_word(expression[end - 1]))
            end--;
        begin = end;
        while (begin > 0 && is_word(expression[begin - 1]))
            begin--;
        if (same(name, expression + begin, end - begin))
            return true;
    }
    return false;
}

/* Does an option give the name another meaning, or use it? */
static bool is_in_options(const struct compile_job *job, const struct token *name)
{
    const char *option = job->options;
    for (size_t i = 0; i < job->option_count; i++, option += strlen(option) + 1) {
        const char *found = memmem(option, strlen(option), name->at, name->length);
        if (found && !is_word(found[name->length]))
            return true;
    }
    return false;
}

/* Skips what is between parentheses, which open next. */
static void skip_parentheses(const char **at)
{
    size_t depth = 0;
    struct token token;
    do {
        token = next(at);
        depth += token.kind == TOKEN_SIGN && *token.at == '(';
        depth -= token.kind == TOKEN_SIGN && *token.at == ')' && depth;
    } while (depth && token.kind != TOKEN_END);
}

static bool is_attribute(const struct token *token)
{
    static const char *const attributes[] = {"__launch_bounds__", "__cluster_dims__", "__maxnreg__",
                                             "__block_size__",    "__attribute__",    "alignas"};
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        if (is(token, attributes[i]))
            return true;
    return false;
}

/* Behind `__global__`: the name before the parameters. False if there is none: a specialization, or what macros make.
 */
static bool read_name(const char **at, struct token *name)
{
    *name = (struct token){0};
    for (;;) {
        const struct token token = next(at);
        if (token.kind == TOKEN_WORD && is_attribute(&token))
            skip_parentheses(at);
        else if (token.kind == TOKEN_WORD)
            *name = token;
        else
            return name->length && token.kind == TOKEN_SIGN && *token.at == '(';
    }
}

/* ---- Kernels ---- */

/* More are compiled in vain. */
enum { KERNELS_MAX = 64 };

struct kernels {
    struct token names[KERNELS_MAX];
    size_t count;
};

static size_t find(const struct kernels *kernels, const struct token *name)
{
    size_t k = 0;
    while (k < kernels->count && !same(&kernels->names[k], name->at, name->length))
        k++;
    return k;
}

/* What stands before a name in its declaration, or what opens a block. */
struct declaration {
    bool fixed;          /* a template, or static */
    bool named, literal; /* the last tokens: `extern`, and then a literal */
};

static void read_on(struct declaration *declaration, const struct token *token)
{
    if (is(token, "template") || is(token, "static"))
        declaration->fixed = true;
    else if (token->kind == TOKEN_SIGN && strchr(";{}", *token->at))
        declaration->fixed = false;
    declaration->literal = declaration->named && token->kind == TOKEN_LITERAL;
    declaration->named = is(token, "extern");
}

/* Finds the kernels that could become templates. False: the source has an `extern "C"` block. */
static bool find_kernels(const struct compile_job *job, struct kernels *kernels)
{
    const char *at = job->source;
    struct declaration declaration = {0};
    struct token token, name;
    while (kernels->count < KERNELS_MAX && (token = next(&at)).kind != TOKEN_END) {
        if (declaration.literal && *token.at == '{')
            return false;
        read_on(&declaration, &token);
        if (is(&token, "__global__") && read_name(&at, &name) && !declaration.fixed && !is_asked(job, &name) &&
            !is_in_options(job, &name) && find(kernels, &name) == kernels->count)
            kernels->names[kernels->count++] = name;
    }
    return true;
}

/* Removes those whose names the source makes macros of. */
static void drop_macros(const struct compile_job *job, struct kernels *kernels)
{
    const char *at = job->source;
    for (struct token token = next(&at); token.kind != TOKEN_END; token = next(&at)) {
        const char *inside = token.at + 1;
        if (token.kind != TOKEN_DIRECTIVE)
            continue;
        const struct token word = next(&inside), name = next(&inside);
        size_t k = find(kernels, &name);
        if ((is(&word, "define") || is(&word, "undef")) && k < kernels->count)
            kernels->names[k] = kernels->names[--kernels->count];
    }
}

size_t unasked_options(const struct compile_job *job, struct text *options)
{
    struct kernels kernels = {.count = 0};
    if (!find_kernels(job, &kernels))
        return 0;
    drop_macros(job, &kernels);
    for (size_t k = 0; k < kernels.count; k++) {
        const char *name = kernels.names[k].at;
        int length = (int)kernels.names[k].length;
        text_printf(options, "-D%.*s(...)=cutune_unasked_%.*s(); template <int> __global__ void %.*s(__VA_ARGS__)",
                    length, name, length, name, length, name);
        text_append(options, "", 1);
    }
    return kernels.count;
}
