#include "base/directives.h"

#include <string.h>

enum { RAW_DELIMITER_MAX = 16, WORD_BYTES = 32 };

struct keyword {
    const char *word;
    bool next, data;
};
static const struct keyword directive_words[] = {
    {"include", false, false}, {"include_next", true, false}, {"embed", false, true}};
static const struct keyword questions[] = {
    {"__has_include", false, false}, {"__has_include_next", true, false}, {"__has_embed", false, true}};
static const char *const raw_prefixes[] = {"R", "u8R", "uR", "UR", "LR"};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static bool is_word(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c) || c >= 0x80;
}

/* ---- Characters; a backslash at the end of a line joins it with the next ---- */

enum { END = -1 };

static int peek(struct directives *in)
{
    while (in->end - in->at >= 2 && in->at[0] == '\\') {
        size_t length = in->at[1] == '\n' ? 2 : in->end - in->at >= 3 && in->at[1] == '\r' && in->at[2] == '\n' ? 3 : 0;
        if (!length)
            break;
        in->at += length;
    }
    return in->at < in->end ? (unsigned char)*in->at : END;
}

static int take(struct directives *in)
{
    int c = peek(in);
    in->at += c != END;
    return c;
}

static bool take_if(struct directives *in, const char *expected)
{
    struct directives ahead = *in;
    for (; *expected; expected++)
        if (take(&ahead) != (unsigned char)*expected)
            return false;
    *in = ahead;
    return true;
}

/* Returns the character before *at and skips line continuations between them; END at the start. */
static int peek_back(const struct directives *in, const char **at)
{
    for (;;) {
        size_t before = (size_t)(*at - in->start);
        if (before >= 2 && memcmp(*at - 2, "\\\n", 2) == 0)
            *at -= 2;
        else if (before >= 3 && memcmp(*at - 3, "\\\r\n", 3) == 0)
            *at -= 3;
        else
            return before ? (unsigned char)(*at)[-1] : END;
    }
}

/* ---- Tokens ---- */

static void skip_to(struct directives *in, char c)
{
    const char *found = memchr(in->at, c, (size_t)(in->end - in->at));
    in->at = found ? found : in->end;
}

static void skip_comment(struct directives *in)
{
    for (skip_to(in, '*'); in->at < in->end && !take_if(in, "*/"); skip_to(in, '*'))
        in->at++;
}

static void skip_line_comment(struct directives *in)
{
    do {
        const char *before;
        skip_to(in, '\n');
        if (in->at == in->end)
            break;
        before = in->at + 1;
        peek_back(in, &before);
        if (before == in->at + 1)
            break;
        in->at++; /* the comment continues on the next line */
    } while (true);
}

/* Skips blanks and comments within a line; a comment may end on a later line. */
static void skip_blanks(struct directives *in)
{
    for (;;) {
        int c = peek(in);
        if (c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r')
            in->at++;
        else if (c == '/' && take_if(in, "/*"))
            skip_comment(in);
        else if (c == '/' && take_if(in, "//"))
            skip_line_comment(in);
        else
            break;
    }
}

/* True if the apostrophe at hand is a digit separator. */
static bool is_separator(const struct directives *in)
{
    const char *at = in->at;
    int c, first = END;
    while (is_word(c = peek_back(in, &at)) || c == '.' || c == '\'') {
        first = c;
        at--;
    }
    return is_digit(first);
}

/* A literal ends with its line at the latest: an inactive branch may contain a lone apostrophe. */
static void skip_literal(struct directives *in)
{
    int quote = take(in);
    while (peek(in) != END && peek(in) != '\n') {
        int c = take(in);
        if (c == quote)
            break;
        if (c == '\\' && peek(in) != '\n')
            take(in);
    }
}

/* True if a prefix makes the literal at hand a raw string. */
static bool is_raw(const struct directives *in)
{
    char prefix[4] = "";
    const char *at = in->at;
    size_t length = 0;
    for (int c; is_word(c = peek_back(in, &at)); at--) {
        if (++length == sizeof prefix)
            return false;
        memmove(prefix + 1, prefix, length - 1);
        prefix[0] = (char)c;
    }
    for (size_t i = 0; i < COUNT(raw_prefixes); i++)
        if (strcmp(raw_prefixes[i], prefix) == 0)
            return true;
    return false;
}

/* Only the delimiter ends a raw string: backslashes have no meaning in it. */
static void skip_raw_string(struct directives *in)
{
    char closing[RAW_DELIMITER_MAX + 3] = ")";
    const char *open = memchr(in->at, '(', (size_t)(in->end - in->at));
    size_t length = open ? (size_t)(open - in->at) - 1 : RAW_DELIMITER_MAX + 1;
    if (length > RAW_DELIMITER_MAX) {
        skip_literal(in);
        return;
    }
    memcpy(closing + 1, in->at + 1, length);
    closing[length + 1] = '"';
    const char *close = memmem(open, (size_t)(in->end - open), closing, length + 2);
    in->at = close ? close + length + 2 : in->end;
}

/* Reads the word at hand. A word that does not fit into the buffer is not a keyword. */
static void read_word(struct directives *in, char word[WORD_BYTES])
{
    size_t length = 0;
    while (is_word(peek(in))) {
        int c = take(in);
        if (length < WORD_BYTES - 1)
            word[length++] = (char)c;
    }
    word[length] = '\0';
}

static const struct keyword *find_keyword(const struct keyword *keywords, size_t count, const char *word)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(keywords[i].word, word) == 0)
            return &keywords[i];
    return NULL;
}

/* ---- Directives ---- */

/* "?\?=" is a '#' until C++14. */
static bool take_hash(struct directives *in)
{
    return take_if(in, "#") || take_if(in, "%:") || take_if(in, "?\?=");
}

/* Reads a file name. Without one, sets `form` to 0 and reads its first character only. */
static void read_name(struct directives *in, const struct keyword *keyword, bool asks, struct directive *found)
{
    struct directives ahead = *in;
    int open = take(&ahead), close = open == '<' ? '>' : open == '"' ? '"' : END, c = END;
    text_clear(&found->name);
    found->form = 0;
    found->next = keyword->next;
    found->data = keyword->data;
    found->asks = asks;
    found->at = in->at;
    while (close != END && (c = take(&ahead)) != close && c != '\n' && c != '\0' && c != END) {
        char byte = (char)c;
        text_append(&found->name, &byte, 1);
    }
    if (close == END || c != close || found->name.length == 0)
        return;
    found->form = (char)open;
    *in = ahead;
}

/* True for a question with an argument. `#ifdef __has_include` only asks whether the compiler knows it. */
static bool read_question(struct directives *in, const char *word, struct directive *found)
{
    const struct keyword *question = find_keyword(questions, COUNT(questions), word);
    if (!question)
        return false;
    skip_blanks(in);
    if (!take_if(in, "("))
        return false;
    skip_blanks(in);
    read_name(in, question, true, found);
    return true;
}

static bool read_directive(struct directives *in, struct directive *found)
{
    char word[WORD_BYTES];
    skip_blanks(in);
    read_word(in, word);
    const struct keyword *keyword = find_keyword(directive_words, COUNT(directive_words), word);
    if (!keyword)
        return false;
    skip_blanks(in);
    read_name(in, keyword, false, found);
    return true;
}

/* Skips to the next character that may begin a directive, question, comment or literal. */
static void skip_plain(struct directives *in)
{
    static const bool stops[256] = {
        ['\n'] = true, ['"'] = true, ['\''] = true, ['/'] = true, ['\\'] = true, ['_'] = true};
    while (in->at < in->end && !stops[(unsigned char)*in->at])
        in->at++;
}

bool directives_next(struct directives *in, struct directive *found)
{
    for (;;) {
        if (in->fresh) {
            skip_blanks(in);
            in->fresh = false;
            if (take_hash(in) && read_directive(in, found))
                return true;
        }
        skip_plain(in);
        skip_blanks(in); /* comments */
        int c = peek(in);
        if (c == END)
            return false;
        if (c == '_') {
            char word[WORD_BYTES];
            const char *before = in->at;
            bool begins = !is_word(peek_back(in, &before));
            read_word(in, word);
            if (begins && read_question(in, word, found))
                return true;
        } else if (c == '"' && is_raw(in)) {
            skip_raw_string(in);
        } else if (c == '"' || (c == '\'' && !is_separator(in))) {
            skip_literal(in);
        } else {
            take(in);
            in->fresh = c == '\n';
        }
    }
}
