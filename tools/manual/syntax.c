#include "manual/syntax.h"

#include <string.h>

#include "base/limits.h"
#include "expression/expr.h"
#include "expression/lexer.h"
#include "language/clauses.h"
#include "language/statement.h"
#include "space/space.h"

enum word_class { STATEMENTS, DECLARATIONS, CLAUSES, TYPES, FUNCTIONS, LIMITS, TRUTHS, CLASSES };

/* The words of each class as alternatives of a regular expression, "a|b|c". */
struct words {
    struct text of[CLASSES];
};

/* Words of the language's parsers that neither a table nor the form of a statement has. */
static const char *const further[] = {"else", "until", "null", "struct", "alignas"};
static const char *const truths[] = {"false", "true"};

static bool has(const struct text *words, const char *word, size_t length)
{
    for (const char *at = text_string(words); (at = strstr(at, word)) != NULL; at++) {
        bool begins = at == words->bytes || at[-1] == '|', ends = at[length] == '|' || at[length] == '\0';
        if (begins && ends)
            return true;
    }
    return false;
}

static void add(struct text *words, const char *word)
{
    if (*word && !has(words, word, strlen(word)))
        text_printf(words, "%s%s", words->length ? "|" : "", word);
}

static bool is_placeholder(char c)
{
    return c >= 'A' && c <= 'Z';
}

/* Adds the words of a form, "args BUFFER, TYPE VALUE, ...   or: NAME   (NOTE)": those in small letters, outside of
 * quotes and up to the note. */
static void add_form(struct text *words, const char *form)
{
    char word[64];
    bool quoted = false;
    while (*form && strncmp(form, "   (", 4) != 0) {
        size_t length = 0;
        bool placeholder = false;
        while (lexer_is_name_part(form[length])) {
            placeholder |= is_placeholder(form[length]);
            length++;
        }
        if (length && lexer_is_name_start(*form) && !placeholder && !quoted && form[length] != ':' &&
            length < sizeof word) {
            memcpy(word, form, length);
            word[length] = '\0';
            add(words, word);
        }
        quoted ^= *form == '"';
        form += length ? length : 1;
    }
}

static void collect(struct words *words)
{
    for (size_t i = 0; i < statement_count; i++) {
        const struct statement *row = statements[i];
        add(&words->of[STATEMENTS], row->keyword);
        if (row->flags & STATEMENT_DECLARES)
            add(&words->of[DECLARATIONS], row->keyword);
        add_form(&words->of[CLAUSES], row->usage);
        for (size_t c = 0; c < row->clause_count; c++) {
            add(&words->of[CLAUSES], row->clauses[c].keyword);
            for (size_t w = 0; row->clauses[c].words && w < row->clauses[c].words->count; w++)
                add(&words->of[CLAUSES], row->clauses[c].words->words[w]);
        }
        for (const struct language_name *name = row->names; name && name->text; name++)
            add(&words->of[LIMITS], name->text);
    }
    for (int i = 0; i < BUFFER_ROLES; i++)
        add(&words->of[CLAUSES], buffer_roles[i].word);
    for (int i = FILL_NONE + 1; i < FILL_COUNT; i++)
        add(&words->of[CLAUSES], fills[i].name);
    for (size_t i = 0; i < sizeof further / sizeof *further; i++)
        add(&words->of[CLAUSES], further[i]);
    for (size_t i = 0; i < element_type_count; i++)
        add(&words->of[TYPES], element_types[i].name);
    for (size_t i = 0; i < expr_function_count; i++)
        add(&words->of[FUNCTIONS], expr_functions[i].name);
    for (size_t i = 0; i < limit_count; i++)
        add(&words->of[LIMITS], limit_rows[i].name);
    for (size_t i = 0; i < sizeof truths / sizeof *truths; i++)
        add(&words->of[TRUTHS], truths[i]);
}

/* Writes the parts of a file with the words in place: `%s` of each line is those of its class. */
struct line {
    const char *format;
    enum word_class words;
};

static void write_lines(const struct line *lines, size_t count, struct text *text)
{
    struct words words = {0};
    collect(&words);
    for (size_t i = 0; i < count; i++)
        for (const char *at = lines[i].format; *at; at++) {
            if (*at == '%')
                text_append(text, words.of[lines[i].words].bytes, words.of[lines[i].words].length);
            else
                text_append(text, at, 1);
        }
    for (int class = 0; class < CLASSES; class ++) {
        text->failed |= words.of[class].failed;
        text_free(&words.of[class]);
    }
}

/* Vim takes the later one of two matches that begin at one place. */
static void write_vim(struct text *text)
{
    static const struct line lines[] = {
        {"\" Vim syntax file of cutune's space language, made by: cutune syntax vim\n"
         "if exists(\"b:current_syntax\")\n"
         "  finish\n"
         "endif\n\n",
         CLASSES},
        {"syntax match cutuneClause /\\v<(%)>/\n", CLAUSES},
        {"syntax match cutuneType /\\v<(%)>/\n", TYPES},
        {"syntax match cutuneLimit /\\v<(%)>/\n", LIMITS},
        {"syntax match cutuneBoolean /\\v<(%)>/\n", TRUTHS},
        {"syntax match cutuneFunction /\\v<(%)>\\ze\\s*\\(/\n", FUNCTIONS},
        {"syntax match cutuneNumber /\\v<(0[xX]\\x+|\\d+(\\.\\d+)?([eE][-+]?\\d+)?)>/\n", CLASSES},
        {"syntax match cutuneStatement /\\v^\\s*(%)>/\n", STATEMENTS},
        {"syntax match cutuneName /\\v(^\\s*(%)\\s+)@<=\\h\\w*/\n", DECLARATIONS},
        {"syntax match cutuneTodo /?\\{3}/\n"
         "syntax region cutuneString start=/\"/ end=/\"/ oneline\n"
         "syntax match cutuneComment /#.*/ contains=@Spell\n\n"
         "highlight default link cutuneClause Keyword\n"
         "highlight default link cutuneType Type\n"
         "highlight default link cutuneLimit Constant\n"
         "highlight default link cutuneBoolean Boolean\n"
         "highlight default link cutuneFunction Function\n"
         "highlight default link cutuneNumber Number\n"
         "highlight default link cutuneStatement Statement\n"
         "highlight default link cutuneName Identifier\n"
         "highlight default link cutuneTodo Todo\n"
         "highlight default link cutuneString String\n"
         "highlight default link cutuneComment Comment\n\n"
         "let b:current_syntax = \"cutune\"\n",
         CLASSES},
    };
    write_lines(lines, sizeof lines / sizeof *lines, text);
}

/* Editors take the earlier one of two matches that begin at one place. */
static void write_textmate(struct text *text)
{
    static const struct line lines[] = {
        {"{\n"
         "  \"comment\": \"Made by: cutune syntax textmate\",\n"
         "  \"name\": \"cutune\",\n"
         "  \"scopeName\": \"source.cutune\",\n"
         "  \"fileTypes\": [\"space\"],\n"
         "  \"patterns\": [\n"
         "    {\"match\": \"#.*\", \"name\": \"comment.line.number-sign.cutune\"},\n"
         "    {\"begin\": \"\\\"\", \"end\": \"\\\"|$\", \"name\": \"string.quoted.double.cutune\"},\n"
         "    {\"match\": \"\\\\?\\\\?\\\\?\", \"name\": \"invalid.illegal.cutune\"},\n",
         CLASSES},
        {"    {\"match\": \"^\\\\s*(%)\\\\s+([A-Za-z_]\\\\w*)\",\n"
         "     \"captures\": {\"1\": {\"name\": \"keyword.control.cutune\"}, \"2\": {\"name\": "
         "\"entity.name.cutune\"}}},\n",
         DECLARATIONS},
        {"    {\"match\": \"^\\\\s*(%)\\\\b\", \"name\": \"keyword.control.cutune\"},\n", STATEMENTS},
        {"    {\"match\": \"\\\\b(0[xX][0-9a-fA-F]+|[0-9]+(\\\\.[0-9]+)?([eE][-+]?[0-9]+)?)\\\\b\", \"name\": "
         "\"constant.numeric.cutune\"},\n",
         CLASSES},
        {"    {\"match\": \"\\\\b(%)(?=\\\\s*\\\\()\", \"name\": \"support.function.cutune\"},\n", FUNCTIONS},
        {"    {\"match\": \"\\\\b(%)\\\\b\", \"name\": \"constant.language.cutune\"},\n", TRUTHS},
        {"    {\"match\": \"\\\\b(%)\\\\b\", \"name\": \"support.constant.cutune\"},\n", LIMITS},
        {"    {\"match\": \"\\\\b(%)\\\\b\", \"name\": \"storage.type.cutune\"},\n", TYPES},
        {"    {\"match\": \"\\\\b(%)\\\\b\", \"name\": \"keyword.other.cutune\"}\n", CLAUSES},
        {"  ]\n"
         "}\n",
         CLASSES},
    };
    write_lines(lines, sizeof lines / sizeof *lines, text);
}

const struct syntax_format syntax_formats[] = {{"vim", write_vim}, {"textmate", write_textmate}};
const size_t syntax_format_count = sizeof syntax_formats / sizeof *syntax_formats;
