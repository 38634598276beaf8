#include "compile/kernel_filter.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text_set.h"
#include "compile/tokens.h"

/* ---- Everything that is known of the job's texts ---- */

struct word {
    uint32_t mentions;    /* number of mentions, directives included */
    uint32_t needed_by;   /* last kernel found to need it, from 1 */
    bool common;          /* part of the language or of CUDA */
    bool macro, declares; /* is a macro; is a macro that may stand for whole functions */
    bool seen;            /* occurs where declarations stand */
    bool shared;          /* declared outside functions, or makes a string constant */
};

/* A declaration of a kernel that could become a function. */
struct kernel {
    const char *begin, *end; /* behind `__global__` */
    struct token name;
    bool defined, alone; /* it has a body; it is omitted */
};

struct macro {
    struct token name;
    const char *body, *end;
    uint32_t needed_by; /* as a word's */
};

/* Beyond this number, kernels are compiled although nobody needs them. */
enum { KERNELS_MAX = 64 };

struct texts {
    const struct compile_job *job;
    struct text_set set;
    struct word *words; /* in the set's order, and an additional one */
    char *room, *free;  /* the words' copies */
    struct kernel kernels[KERNELS_MAX];
    size_t kernel_count;
    struct macro *macros;
    size_t macro_count, macro_room;
    bool calls;   /* the text has functions that kernels may call */
    bool unclear; /* nothing can be omitted: the meaning depends on more than words, or memory is out */
};

static struct word *word_of(struct texts *texts, const struct token *token)
{
    memcpy(texts->free, token->at, token->length);
    texts->free[token->length] = '\0';
    const char **place = text_set_place(&texts->set, texts->free);
    if (!place) {
        texts->unclear = true;
        return &texts->words[texts->set.count];
    }
    if (!*place) {
        *place = texts->free;
        texts->free += token->length + 1;
    }
    return &texts->words[place - texts->set.texts];
}

static struct word *word_named(struct texts *texts, const char *name)
{
    const struct token token = {TOKEN_WORD, name, strlen(name)};
    return word_of(texts, &token);
}

/* ---- Names ---- */

static bool same(const struct token *name, const char *other, size_t length)
{
    return name->length == length && memcmp(name->at, other, length) == 0;
}

/* True if the job requests the kernel: "scale" of "space::scale<TILE>" and of "(void (*)(float *))scale". */
static bool is_asked(const struct compile_job *job, const struct token *name)
{
    const char *expression = job->name_expressions;
    for (size_t i = 0; i < job->name_count; i++, expression += strlen(expression) + 1) {
        size_t end = *expression == '(' ? strlen(expression) : strcspn(expression, "<("), begin;
        while (end > 0 && !token_has(expression[end - 1]))
            end--;
        begin = end;
        while (begin > 0 && token_has(expression[begin - 1]))
            begin--;
        if (same(name, expression + begin, end - begin))
            return true;
    }
    return false;
}

/* True if an option gives the name another meaning, or uses it. */
static bool is_in_options(const struct compile_job *job, const struct token *name)
{
    const char *option = job->options;
    for (size_t i = 0; i < job->option_count; i++, option += strlen(option) + 1) {
        const char *found = memmem(option, strlen(option), name->at, name->length);
        if (found && !token_has(found[name->length]))
            return true;
    }
    return false;
}

static bool is_attribute(const struct token *token)
{
    static const char *const attributes[] = {"__launch_bounds__", "__cluster_dims__", "__maxnreg__",
                                             "__block_size__",    "__attribute__",    "alignas"};
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        if (token_is(token, attributes[i]))
            return true;
    return false;
}

/* Reads from behind `__global__` to the end of the declaration. False if it has no name before its parameters (a
 * specialisation, or macros), or declares more than one thing. */
static bool read_kernel(const char *at, struct kernel *kernel)
{
    struct token token;
    while ((token = token_next(&at)).kind == TOKEN_WORD)
        if (is_attribute(&token) && (token = token_next(&at), token_is_sign(&token, '(')))
            token_close(&at, '(', ')');
        else
            kernel->name = token;
    if (!kernel->name.length || !token_is_sign(&token, '(') || !token_close(&at, '(', ')'))
        return false;
    do {
        token = token_next(&at);
        if (token.kind == TOKEN_END || token_is_sign(&token, ',') || token_is_sign(&token, '='))
            return false;
    } while (!token_is_sign(&token, ';') && !token_is_sign(&token, '{'));
    kernel->defined = token_is_sign(&token, '{');
    bool closed = !kernel->defined || token_close(&at, '{', '}');
    kernel->end = at;
    return closed;
}

/* ---- Declarations outside functions ---- */

/* The words before a name in its declaration, or before a block. */
struct declaration {
    bool fixed;          /* a template, or static */
    bool space;          /* a namespace */
    bool other;          /* a kernel or an enumeration: kernels cannot call its block */
    bool named, literal; /* the last tokens: `extern`, and then a literal */
};

static void read_on(struct declaration *declaration, const struct token *token)
{
    if (token->kind == TOKEN_SIGN && strchr(";{}", *token->at))
        *declaration = (struct declaration){0};
    declaration->fixed = declaration->fixed || token_is(token, "template") || token_is(token, "static");
    declaration->space = declaration->space || token_is(token, "namespace");
    declaration->other = declaration->other || token_is(token, "enum") || token_is(token, "__global__");
    declaration->literal = declaration->named && token->kind == TOKEN_LITERAL;
    declaration->named = token_is(token, "extern");
}

/* Notes a kernel that could become a function, from behind `__global__`. Returns its end; NULL for any other. */
static const char *note_kernel(struct texts *texts, const struct declaration *declaration, const char *at)
{
    struct kernel kernel = {.begin = at};
    if (declaration->fixed || texts->kernel_count == KERNELS_MAX || !read_kernel(at, &kernel) ||
        is_asked(texts->job, &kernel.name) || is_in_options(texts->job, &kernel.name))
        return NULL;
    texts->kernels[texts->kernel_count++] = kernel;
    word_of(texts, &kernel.name)->shared = true;
    return kernel.end;
}

/* Notes a declared name. A macro declares the names that it stands for. Operators are used without being named. */
static void note_shared(struct texts *texts, const struct token *token)
{
    struct word *word = word_of(texts, token);
    if (word->common || word->seen || text_is_digit(*token->at))
        return;
    word->seen = true;
    word->shared = word->shared || !word->macro;
    texts->unclear = texts->unclear || word->declares || token_is(token, "operator");
    for (size_t i = 0; i < texts->macro_count && word->macro; i++) {
        const struct macro *macro = &texts->macros[i];
        const char *at = macro->body;
        if (!same(token, macro->name.at, macro->name.length))
            continue;
        for (struct token part = token_next(&at); part.kind != TOKEN_END && part.at < macro->end;
             part = token_next(&at))
            if (part.kind == TOKEN_WORD)
                note_shared(texts, &part);
    }
}

/* Skips a block or a kernel of the source, in which nothing is declared for others, and returns the token that ends
 * a declaration, or the given token. */
static struct token skip_inside(struct texts *texts, const struct declaration *declaration, const struct token *token,
                                const char **at, bool is_source)
{
    const char *end = is_source && token_is(token, "__global__") ? note_kernel(texts, declaration, *at) : NULL;
    if (end) {
        *at = end;
    } else if (token_is_sign(token, '{') && !declaration->space && !declaration->literal) {
        texts->calls = texts->calls || !declaration->other;
        texts->unclear = texts->unclear || !token_close(at, '{', '}');
    } else {
        return *token;
    }
    return (struct token){TOKEN_SIGN, ";", 1};
}

/* Finds the names that a text declares outside functions and classes. Looks for kernels only in the source, in which
 * a block of `extern "C"` can have no templates. */
static void find_declarations(struct texts *texts, const char *at, bool is_source)
{
    struct declaration declaration = {0};
    struct token token, last = {0};
    long parentheses = 0, spaces = 0;
    bool of_macro = false; /* the parentheses belong to a macro, and their contents may be declared */
    for (; (token = token_next(&at)).kind != TOKEN_END && !texts->unclear; last = token) {
        texts->unclear = token_is_sign(&token, '{') && (parentheses || (is_source && declaration.literal));
        token = skip_inside(texts, &declaration, &token, &at, is_source && !parentheses);
        spaces += token_is_sign(&token, '{');
        spaces -= token_is_sign(&token, '}');
        if (token_is_sign(&token, '(') && parentheses++ == 0)
            of_macro = last.kind == TOKEN_WORD && word_of(texts, &last)->macro;
        parentheses -= token_is_sign(&token, ')');
        if (token.kind == TOKEN_WORD && (!parentheses || of_macro))
            note_shared(texts, &token);
        read_on(&declaration, &token);
        texts->unclear = texts->unclear || parentheses < 0 || spaces < 0;
    }
    texts->unclear = texts->unclear || parentheses || spaces;
}

/* ---- Mentions and macros ---- */

/* True for a macro with a block, or with a name that it concatenates. */
static bool may_declare(const char *at, const char *end)
{
    for (struct token token = token_next(&at); token.kind != TOKEN_END && token.at < end; token = token_next(&at))
        if (token.kind == TOKEN_DIRECTIVE || token_is_sign(&token, '{'))
            return true;
    return false;
}

static void note_macro(struct texts *texts, const struct token *name, const char *body, const char *end)
{
    struct macro *macros = array_grow(texts->macros, &texts->macro_room, texts->macro_count + 1, sizeof *macros);
    texts->unclear = texts->unclear || !macros;
    if (!macros)
        return;
    texts->macros = macros;
    struct word *word = word_of(texts, name);
    word->macro = true;
    word->declares = word->declares || may_declare(body, end);
    macros[texts->macro_count++] = (struct macro){.name = *name, .body = body, .end = end};
}

static void read_directive(struct texts *texts, const struct token *directive)
{
    const char *at = directive->at + 1, *end = directive->at + directive->length;
    struct token token = token_next(&at);
    bool defines = token_is(&token, "define");
    texts->calls = texts->calls || token_is(&token, "include");
    while ((token = token_next(&at)).kind != TOKEN_END && token.at < end)
        if (token.kind == TOKEN_WORD) {
            word_of(texts, &token)->mentions++;
            if (defines)
                note_macro(texts, &token, at, end);
            defines = false;
        }
}

/* True at a lambda or a class, perhaps within a kernel. */
static bool begins_functions(const struct token *last, const struct token *token)
{
    return (token_is_sign(last, ']') && (token_is_sign(token, '(') || token_is_sign(token, '{'))) ||
           token_is(token, "struct") || token_is(token, "class") || token_is(token, "union");
}

/* Counts all words, and finds the macros. */
static void read_all(struct texts *texts, const char *at)
{
    struct token token, last = {.at = at};
    for (; (token = token_next(&at)).kind != TOKEN_END; last = token) {
        bool raw =
            token.kind == TOKEN_LITERAL && last.length && token.at == last.at + last.length && token.at[-1] == 'R';
        /* a literal of several lines; a word of two lines; words that stand for others */
        if (raw || token_is_sign(&token, '\\') || (token_is(&token, "namespace") && token_is(&last, "using")))
            texts->unclear = true;
        texts->calls = texts->calls || begins_functions(&last, &token);
        if (token.kind == TOKEN_WORD)
            word_of(texts, &token)->mentions++;
        else if (token.kind == TOKEN_DIRECTIVE)
            read_directive(texts, &token);
    }
}

static void read_options(struct texts *texts)
{
    static const char *const forms[] = {"-D", "--define-macro="};
    const char *option = texts->job->options;
    for (size_t i = 0; i < texts->job->option_count; i++, option += strlen(option) + 1) {
        texts->unclear = texts->unclear || token_is(&(struct token){0, option, strlen(option)}, "-D") ||
                         token_is(&(struct token){0, option, strlen(option)}, "--define-macro");
        for (size_t form = 0; form < sizeof forms / sizeof *forms; form++) {
            const char *at = option + strlen(forms[form]);
            if (strncmp(option, forms[form], strlen(forms[form])) == 0) {
                const struct token name = token_next(&at);
                note_macro(texts, &name, at, option + strlen(option));
            }
        }
    }
}

/* ---- The words of a kernel ---- */

/* Marks the words as needed by kernel `number`. False if one of them, or a string, is shared with other code:
 * without this kernel, the compiler may number or order parts of the others differently. */
static bool is_free(struct texts *texts, uint32_t number, const char *at, const char *end, bool is_macro)
{
    const struct token *name = &texts->kernels[number - 1].name;
    struct token token;
    while ((token = token_next(&at)).kind != TOKEN_END && token.at < end) {
        bool directive = token.kind == TOKEN_DIRECTIVE, literal = token.kind == TOKEN_LITERAL;
        if ((literal && *token.at == '"') || (token_is_sign(&token, ':') && *at == ':') || (directive && is_macro) ||
            (directive && (memmem(token.at, token.length, "include", 7) || memmem(token.at, token.length, "embed", 5))))
            return false;
        if (token.kind != TOKEN_WORD || same(&token, name->at, name->length))
            continue;
        struct word *word = word_of(texts, &token);
        word->needed_by = number;
        if (word->shared)
            return false;
    }
    return true;
}

/* Checks the replacements of the needed macros in the same way. */
static bool macros_are_free(struct texts *texts, uint32_t number)
{
    bool more = true;
    while (more) {
        more = false;
        for (size_t i = 0; i < texts->macro_count; i++) {
            struct macro *macro = &texts->macros[i];
            if (macro->needed_by == number || word_of(texts, &macro->name)->needed_by != number)
                continue;
            macro->needed_by = number;
            if (!is_free(texts, number, macro->body, macro->end, true))
                return false;
            more = true;
        }
    }
    return true;
}

/* Decides for all declarations of a kernel: only they mention it, one defines it, and it shares nothing. */
static void decide(struct texts *texts, size_t first)
{
    const struct token *name = &texts->kernels[first].name;
    uint32_t declarations = 0, definitions = 0;
    bool alone = true;
    for (size_t k = 0; k < texts->kernel_count; k++) {
        const struct kernel *kernel = &texts->kernels[k];
        if (!same(name, kernel->name.at, kernel->name.length))
            continue;
        declarations++;
        definitions += kernel->defined;
        alone = alone && is_free(texts, (uint32_t)first + 1, kernel->begin, kernel->end, false);
    }
    texts->kernels[first].alone = alone && definitions && word_of(texts, name)->mentions == declarations &&
                                  macros_are_free(texts, (uint32_t)first + 1);
}

static size_t first_of_name(const struct texts *texts, const struct token *name)
{
    size_t k = 0;
    while (!same(&texts->kernels[k].name, name->at, name->length))
        k++;
    return k;
}

/* ---- The texts ---- */

enum { FIXED_BYTES = 4096 };

static void add_fixed_words(struct texts *texts)
{
#define COMMON(name)  word_named(texts, #name)->common = true;
#define SHARED(name)  word_named(texts, #name)->shared = true;
#define VECTORS(base) COMMON(base) COMMON(base##1) COMMON(base##2) COMMON(base##3) COMMON(base##4)
#include "compile/kernel_filter.def"
#undef COMMON
#undef SHARED
#undef VECTORS
}

static bool open_texts(struct texts *texts, const struct compile_job *job, const char *included, size_t included_count)
{
    size_t bytes = FIXED_BYTES + strlen(job->source) + text_strings_bytes(job->options, job->option_count) +
                   text_strings_bytes(included, included_count);
    texts->job = job;
    texts->free = texts->room = malloc(2 * bytes);
    texts->words = calloc(bytes, sizeof *texts->words);
    return texts->room && texts->words;
}

static void close_texts(struct texts *texts)
{
    text_set_free(&texts->set);
    free(texts->room);
    free(texts->words);
    free(texts->macros);
}

static void read_texts(struct texts *texts, const char *included, size_t included_count)
{
    const char *at = included;
    add_fixed_words(texts);
    read_options(texts);
    read_all(texts, texts->job->source);
    for (size_t i = 0; i < included_count; i++, at += strlen(at) + 1)
        read_all(texts, at);
    find_declarations(texts, texts->job->source, true);
    at = included;
    for (size_t i = 0; i < included_count && texts->kernel_count; i++, at += strlen(at) + 1)
        find_declarations(texts, at, false);
}

/* True if the machine code of a requested kernel could depend on this earlier one: the compiler inlines functions in
 * the order of the kernels that call them. */
static bool keeps_order(const struct texts *texts, const struct kernel *kernel)
{
    const char *at = kernel->end;
    struct token token;
    while (texts->calls && kernel->defined && (token = token_next(&at)).kind != TOKEN_END)
        if (token.kind == TOKEN_WORD && is_asked(texts->job, &token))
            return true;
    return false;
}

static size_t write_source(const struct texts *texts, struct text *alone)
{
    const char *at = texts->job->source;
    size_t count = 0;
    for (size_t k = 0; k < texts->kernel_count; k++) {
        const struct kernel *kernel = &texts->kernels[k];
        size_t first = first_of_name(texts, &kernel->name);
        if (!texts->kernels[first].alone)
            continue;
        text_append(alone, at, (size_t)(kernel->name.at - at));
        text_printf(alone, "cutune_left_out_%zu()%s static __device__ __attribute__((unused)) void ", k,
                    keeps_order(texts, kernel) ? " {}" : ";");
        at = kernel->name.at;
        count += first == k;
    }
    if (count)
        text_append(alone, at, strlen(at));
    return alone->failed ? 0 : count;
}

size_t kernel_filter_source(const struct compile_job *job, const char *included, size_t included_count,
                            struct text *alone)
{
    struct texts texts = {0};
    size_t count = 0;
    if (open_texts(&texts, job, included, included_count)) {
        read_texts(&texts, included, included_count);
        for (size_t k = 0; k < texts.kernel_count && !texts.unclear; k++)
            if (first_of_name(&texts, &texts.kernels[k].name) == k)
                decide(&texts, k);
        if (!texts.unclear)
            count = write_source(&texts, alone);
    }
    close_texts(&texts);
    return count;
}
