/* Reads any lines as those of a saved search, with a hash that fits them: an error with a message, or a search that
 * continues and is saved as the same. */
#include <stdint.h>
#include <string.h>

#include "api/api_search.h"
#include "base/hash.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const tiles[] = {"8", "16", "32", "64"}, *const loads[] = {"ca", "cg"};
static const struct cutune_search_parameter parameters[] = {{"TILE", 4, tiles}, {"LOAD", 2, loads}};
static const struct cutune_search_space space = {
    .parameter_count = 2, .parameters = parameters, .default_ = "TILE=16 LOAD=ca"};

static struct cutune_search *open_search(void)
{
    struct cutune_search *search;
    struct error error = {0};
    if (search_open(&search, &space, &error))
        __builtin_trap();
    return search;
}

/* Reads its own text: all the same is known. */
static void read_again(const struct cutune_search *search)
{
    struct cutune_search *again = open_search();
    struct text text = {0};
    struct error error = {0};
    bool same = false;
    search_print(search, &text);
    if (search_parse(again, "again", text_string(&text), text.length, &same, &error) || !same ||
        again->told != search->told || again->archive.count != search->archive.count)
        __builtin_trap();
    text_free(&text);
    cutune_search_close(again);
}

/* The space's hash stands for "SPACE" in the lines. */
static void complete(const char *lines, size_t size, const char *space_hash, struct text *text)
{
    char hash[HASH_HEX_BYTES];
    const char *at = size ? memmem(lines, size, "SPACE", 5) : NULL;
    text_append(text, lines, at ? (size_t)(at - lines) : size);
    if (at) {
        text_append(text, space_hash, strlen(space_hash));
        text_append(text, at + 5, size - (size_t)(at + 5 - lines));
    }
    hash_hex(text_string(text), text->length, hash);
    text_printf(text, "end %s\n", hash);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cutune_search *search = open_search();
    struct text text = {0};
    struct error error = {0};
    unsigned long long proposal;
    size_t count;
    bool same;
    complete((const char *)data, size, search->space_hash, &text);
    int code = search_parse(search, "fuzz", text_string(&text), text.length, &same, &error);
    if (code && (error.code == ERROR_NONE || !*error.message))
        __builtin_trap();
    if (!code && cutune_search_ask(search, &proposal, 1, &count, NULL))
        __builtin_trap();
    if (!code)
        read_again(search);
    text_free(&text);
    cutune_search_close(search);
    return 0;
}
