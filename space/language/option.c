#include "language/option.h"

#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/includes.h"
#include "language/outline.h"
#include "language/untrusted.h"

/* ---- nvcc options that a space may not use ---- */

static const char blanks[] = " \t";

static const struct refused {
    const char *cause;
    const char *options[16]; /* with all their spellings */
} refused_options[] = {
    {"cutune compiles for the device that it tunes",
     {"-arch", "--gpu-architecture", "-code", "--gpu-code", "-gencode", "--generate-code"}},
    {"cutune loads the cubin without linking it",
     {"-rdc", "--relocatable-device-code", "-dlto", "--dlink-time-opt", "-dc", "--device-c", "-dw", "--device-w",
      "-dlink", "--device-link", "-lib", "--lib", "-link", "--link"}},
    {"cutune chooses what nvcc makes and where",
     {"-o", "--output-file", "-c", "--compile", "-ptx", "--ptx", "-cubin", "--cubin", "-fatbin", "--fatbin", "-E",
      "--preprocess", "-cuda", "--cuda", "-run", "--run"}},
    {"cutune chooses what nvcc makes and where",
     {"-M", "-MD", "-MM", "-MMD", "-MF", "--generate-dependencies", "--generate-dependencies-with-compile",
      "--dependency-output", "-keep", "--keep", "-keep-dir", "--keep-dir", "-dryrun", "--dryrun", "-odir",
      "--output-directory"}},
};

/* Errors name the option at the token. A blank or '=' ends the option. */
static int check_option(struct parser *parser, const struct token *token, const char *option)
{
    size_t length = strcspn(option, "= \t");
    for (size_t i = 0; i < sizeof refused_options / sizeof *refused_options; i++)
        for (size_t j = 0; j < 16 && refused_options[i].options[j]; j++) {
            const char *name = refused_options[i].options[j];
            if (strlen(name) != length || strncmp(option, name, length) != 0)
                continue;
            int code = parser_error(parser, token, ERROR_SYNTAX, "a space cannot set nvcc's option %s", name);
            error_hint(parser->error, "leave it out: %s", refused_options[i].cause);
            return code;
        }
    return 0;
}

/* ---- Paths ---- */

/* Compilers run in the folder of the space file, but a path in an included file is relative to that file's folder.
 * Inserts the relative folder before the path in *option. `before`: the previous option; NULL: none. `has_value`: the
 * value of an expression follows the option. */
static int resolve(struct parser *parser, const char *before, bool has_value, const char **option)
{
    struct space *space = parser->space;
    const char *own = file_below(space->folder, parser->lexer.source->path), *path, *file;
    bool is_folder, waits = before && (path = includes_path(before, &is_folder)) && !*path && !strchr(before, '=');
    path = waits ? *option : includes_path(*option, &is_folder);
    if (!file_folder_length(own) || !path || *path == '/' || !(*path || has_value))
        return 0;
    if (!(file = parser_path(parser, path)))
        return error_memory(parser->error);
    if (!is_folder && access(file, F_OK)) /* a file that the compiler finds in its include folders */
        return 0;
    *option = arena_printf(&space->arena, "%.*s%.*s%s", (int)(path - *option), *option, (int)file_folder_length(own),
                           own, path);
    return *option ? 0 : error_memory(parser->error);
}

/* ---- The statements ---- */

int parse_option(struct parser *parser)
{
    struct space *space = parser->space;
    const struct token token = parser->lexer.token;
    struct compile_option *option = &space->options[space->option_count];
    const struct compile_option *before = space->option_count && !option[-1].value ? option - 1 : NULL;
    option->place = parser_place(parser);
    TRY(parser_string(parser, "an option in quotes", false, &option->prefix));
    if (outline_has(parser->outline, "compiler") && !compiler_is_command(parser))
        TRY(check_option(parser, &token, option->prefix));
    TRY(untrusted_option(parser, &token, option->prefix, parser->lexer.token.kind != TOKEN_END));
    if (parser->lexer.token.kind != TOKEN_END)
        TRY(parser_expression(parser, &parser_rules, &option->value));
    TRY(resolve(parser, before ? before->prefix : NULL, option->value != NULL, &option->prefix));
    space->option_count++;
    return 0;
}

int option_words(struct parser *parser, const struct token *token, const char *words, struct text *options,
                 size_t *count)
{
    const char *before = NULL, *option;
    for (const char *at = words + strspn(words, blanks); *at; at += strspn(at, blanks)) {
        size_t length = strcspn(at, blanks);
        TRY(check_option(parser, token, at));
        if (!(option = arena_copy(&parser->space->arena, at, length)))
            return error_memory(parser->error);
        TRY(resolve(parser, before, false, &option));
        text_append(options, option, strlen(option) + 1);
        before = option;
        ++*count;
        at += length;
    }
    return options->failed ? error_memory(parser->error) : 0;
}

/* Inserts each word before the options that other statements have added and will add. */
static int add_words(struct parser *parser, const struct token *token, const char *words)
{
    struct space *space = parser->space;
    struct text list = {0};
    size_t count = 0, room = outline_count(parser->outline, "option") + strlen(words) + 1;
    struct compile_option *options = arena_array(&space->arena, room, sizeof *options);
    int code = options ? option_words(parser, token, words, &list, &count) : error_memory(parser->error);
    const char *at = code ? NULL : arena_copy(&space->arena, text_string(&list), list.length);
    text_free(&list);
    if (!at)
        return code ? code : error_memory(parser->error);
    for (size_t i = 0; i < count; i++, at += strlen(at) + 1)
        options[i] = (struct compile_option){.prefix = at, .place = {parser->lexer.source, token->line, token->column}};
    memcpy(options + count, space->options, space->option_count * sizeof *options);
    space->options = options;
    space->option_count += count;
    return 0;
}

bool compiler_is_command(const struct parser *parser)
{
    const struct statement *row = statements[statement_row_of("compiler")];
    for (size_t i = 0; i < parser->outline->count; i++) {
        struct lexer lexer = parser->outline->places[i].lexer;
        if (parser->outline->places[i].statement == row && !lexer_next(&lexer) && lexer_at_word(&lexer, "command"))
            return true;
    }
    return false;
}

/* Reads `command "COMMAND"`. */
static int parse_command(struct parser *parser)
{
    struct space *space = parser->space;
    TRY(lexer_next(&parser->lexer));
    TRY(parser_string(parser, "a command in quotes", false, &space->compiler_command));
    space->compiler_folder = parser_path(parser, ".");
    if (!space->compiler_folder)
        return error_memory(parser->error);
    /* Behind it, because kernels without a file are errors in a space without a command. */
    return untrusted_refuse(parser, &parser->keyword, "a compiler command", "a shell runs it");
}

int parse_compiler(struct parser *parser)
{
    const char *words = NULL;
    parser->space->compiler_place =
        (struct space_place){parser->lexer.source, parser->keyword.line, parser->keyword.column};
    if (lexer_at_word(&parser->lexer, "command"))
        return parse_command(parser);
    if (!lexer_at_word(&parser->lexer, "nvcc")) {
        int code = lexer_expected(&parser->lexer, "nvcc, or 'command' and a command in quotes");
        error_hint(parser->error, "without the statement, NVRTC compiles CUDA C++");
        return code;
    }
    TRY(untrusted_refuse(parser, &parser->keyword, "`compiler nvcc`", "nvcc runs the programs that its options name"));
    TRY(lexer_next(&parser->lexer));
    parser->space->nvcc = true;
    if (parser->lexer.token.kind == TOKEN_END)
        return 0;
    const struct token token = parser->lexer.token;
    TRY(parser_string(parser, "nvcc's options in quotes", true, &words));
    return add_words(parser, &token, words);
}
