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

/* Measurements do not depend on the library, so journals and results of the space remain valid without it. Rows about
 * the library have their own hash, of its file and options. */
static int leave_out_of_hash(struct parser *parser)
{
    struct space *space = parser->space;
    const struct text *files = &parser->outline->digest; /* empty without includes */
    const struct source_text *main_text = &space->private->source;
    const char *all = files->length ? files->bytes : main_text->text;
    size_t length = files->length ? files->length : main_text->length;
    const char *start = parser->keyword.start, *end = parser->lexer.token.start;
    while (start > parser->lexer.source->text && strchr(" \t", start[-1]))
        start--;
    end += *end == '\n';
    const char *found = memmem(all, length, start, (size_t)(end - start));
    struct text rest = {0};
    if (found) {
        text_append(&rest, all, (size_t)(found - all));
        found += end - start;
        text_append(&rest, found, (size_t)(all + length - found));
    }
    int code = rest.failed ? error_memory(parser->error) : 0;
    if (!code && found)
        hash_hex(text_string(&rest), rest.length, space->text_hash);
    text_free(&rest);
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
    if (parser->lexer.token.kind != TOKEN_END)
        TRY(read_options(parser));
    return parser->lexer.token.kind == TOKEN_END ? leave_out_of_hash(parser) : 0;
}
