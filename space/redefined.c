#include "space/redefined.h"

#include <string.h>

/* The lines of a C++ source, without comments. */
struct reader {
    const char *at, *end, *line_start;
    int line;
};

struct directive_line {
    const char *word, *name; /* NULL: none; into the text */
    size_t word_length, name_length;
    int line, column; /* of the name */
};

static bool follows(const struct reader *reader, const char *text)
{
    size_t length = strlen(text);
    return (size_t)(reader->end - reader->at) >= length && memcmp(reader->at, text, length) == 0;
}

static void step(struct reader *reader)
{
    if (*reader->at++ == '\n') {
        reader->line++;
        reader->line_start = reader->at;
    }
}

/* Skips a comment, a literal, a continued line's end, or a character. */
static void skip(struct reader *reader)
{
    const char quote = *reader->at;
    if (follows(reader, "//")) {
        while (reader->at < reader->end && *reader->at != '\n')
            (*reader->at == '\\' ? skip : step)(reader);
    } else if (follows(reader, "/*")) {
        const char *begin = reader->at;
        while (reader->at < reader->end && (reader->at < begin + 4 || memcmp(reader->at - 2, "*/", 2) != 0))
            step(reader);
    } else if (quote == '\\') {
        step(reader);
        if (follows(reader, "\r"))
            step(reader);
        if (reader->at < reader->end)
            step(reader);
    } else if (quote == '"' || quote == '\'') {
        for (step(reader); reader->at < reader->end && *reader->at != quote && *reader->at != '\n'; step(reader))
            if (*reader->at == '\\' && reader->at + 1 < reader->end)
                step(reader);
        if (reader->at < reader->end && *reader->at == quote)
            step(reader);
    } else {
        step(reader);
    }
}

static void skip_blanks(struct reader *reader)
{
    while (reader->at < reader->end && (*reader->at == ' ' || *reader->at == '\t' || follows(reader, "/*")))
        skip(reader);
}

static size_t word_length(const struct reader *reader)
{
    size_t length = 0;
    while (reader->at + length < reader->end && lexer_is_name_part(reader->at[length]))
        length++;
    return length;
}

/* Advances to the next directive; false: there is none. */
static bool next_directive(struct reader *reader, struct directive_line *found)
{
    while (reader->at < reader->end) {
        skip_blanks(reader);
        bool directive = follows(reader, "#");
        if (directive) {
            step(reader);
            skip_blanks(reader);
            found->word = reader->at;
            found->word_length = word_length(reader);
            reader->at += found->word_length;
            skip_blanks(reader);
            found->name = reader->at;
            found->name_length = word_length(reader);
            found->line = reader->line;
            found->column = (int)(reader->at - reader->line_start) + 1;
        }
        while (reader->at < reader->end && *reader->at != '\n')
            skip(reader);
        if (reader->at < reader->end)
            step(reader);
        if (directive)
            return true;
    }
    return false;
}

static bool is(const struct directive_line *directive, const char *word)
{
    return directive->word_length == strlen(word) && memcmp(directive->word, word, directive->word_length) == 0;
}

static bool same_name(const struct directive_line *a, const struct directive_line *b)
{
    return a->name_length == b->name_length && memcmp(a->name, b->name, a->name_length) == 0;
}

/* The kind of macro that the compiler gets under this name; NULL: none. */
static const char *macro_kind(const struct space *space, const struct directive_line *directive)
{
    const struct name *name = names_find(&space->private->names, directive->name, directive->name_length);
    if (name && name->kind == NAME_PARAMETER)
        return "a parameter";
    for (size_t i = 0; i < space->private->define_count; i++) {
        const char *macro = space->private->defines[i].name;
        if (strlen(macro) == directive->name_length && memcmp(macro, directive->name, directive->name_length) == 0)
            return "a macro of the space";
    }
    return NULL;
}

static int redefined(const struct source_text *source, const struct directive_line *directive, const char *kind,
                     struct error *error)
{
    int length = (int)directive->name_length;
    error_set(error, ERROR_DATA, "'%.*s' is %s, whose values this #define replaces", length, directive->name, kind);
    source_place(source, directive->line, directive->column, error);
    error_hint(error, "delete the line, or put `#ifndef %.*s` before it and `#endif` behind it", length,
               directive->name);
    return ERROR_DATA;
}

int redefined_check(const struct space *space, const struct source_text *source, struct error *error)
{
    struct reader reader = {source->text, source->text + source->length, source->text, 1};
    struct directive_line directive, first = {0};
    size_t depth = 0, guard = 0;
    for (size_t count = 0; next_directive(&reader, &directive); count++) {
        if (count == 0)
            first = directive;
        if (is(&directive, "if") || is(&directive, "ifdef") || is(&directive, "ifndef"))
            depth++;
        else if (is(&directive, "endif") && depth)
            depth--;
        if (!is(&directive, "define"))
            continue;
        if (count == 1 && is(&first, "ifndef") && same_name(&first, &directive)) {
            guard = 1;
            continue;
        }
        const char *kind = depth <= guard ? macro_kind(space, &directive) : NULL;
        if (kind)
            return redefined(source, &directive, kind, error);
    }
    return 0;
}
