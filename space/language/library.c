#include "language/library.h"

#include <string.h>

#include "language/option.h"
#include "language/outline.h"
#include "language/untrusted.h"

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), own = strlen(end);
    return length > own && strcmp(text + length - own, end) == 0;
}

/* "lib.so", and "lib.so.13" with a version. */
static bool is_shared_object(const char *path)
{
    return ends_with(path, ".so") || strstr(path, ".so.");
}

static int read_options(struct parser *parser)
{
    struct space *space = parser->space;
    const struct token token = parser->lexer.token;
    const char *words = NULL;
    struct text options = {0};
    if (!space->library_source)
        return parser_error(parser, &token, ERROR_SYNTAX, "a shared object is not compiled: it takes no options");
    TRY(parser_string(parser, "nvcc's options in quotes", true, &words));
    int code = option_words(parser, &token, words, &options, &space->library_option_count);
    if (!code && !(space->library_options = arena_copy(&space->arena, text_string(&options), options.length)))
        code = error_memory(parser->error);
    text_free(&options);
    return code;
}

int parse_library(struct parser *parser)
{
    struct space *space = parser->space;
    const struct token token = parser->lexer.token;
    const char *path = NULL;
    space->library_options = "";
    TRY(untrusted_refuse(parser, &parser->keyword, "a library", "cutune loads it and runs its host code"));
    TRY(parser_string(parser, "the library's file in quotes", false, &path));
    space->library_source = ends_with(path, ".cu");
    if (!space->library_source && !is_shared_object(path)) {
        int code =
            parser_error(parser, &token, ERROR_SYNTAX, "'%s' is neither a CUDA source file nor a shared object", path);
        error_hint(parser->error, "expected a name that ends in .cu or .so");
        return code;
    }
    if (outline_has(parser->outline, "pipeline")) {
        int code = parser_error(parser, &parser->keyword, ERROR_SYNTAX,
                                "a library cannot be compared with a pipeline, which copies over the host link");
        error_hint(parser->error, "compare it in a space without `pipeline`");
        return code;
    }
    if (!(space->library_path = parser_path(parser, path)))
        return error_memory(parser->error);
    return parser->lexer.token.kind != TOKEN_END ? read_options(parser) : 0;
}
