/* Imports any bytes as a T4 file: an error, or a valid journal, whose export is imported to the same journal. */
#include <stdint.h>
#include <string.h>

#include "check_json.h"
#include "exchange/exchange.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int import(const struct text *text, struct text *journal, struct error *error)
{
    static const struct exchange_setup setup = {.path = "fuzz.json"};
    return t4_import(&setup, text_string(text), text->length, journal, error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct text text = {0}, first = {0}, json = {0}, second = {0};
    struct error error = {0};
    struct journal *journal = NULL;
    char message[4096];
    text_append(&text, data, size);
    if (import(&text, &first, &error)) {
        if (error.code == ERROR_NONE || !*error_format(&error, message, sizeof message))
            __builtin_trap();
    } else {
        if (journal_parse(&journal, "fuzz.csv", text_string(&first), first.length, &error) ||
            t4_export(journal, &json, &error) || import(&json, &second, &error))
            __builtin_trap();
        check_json(text_string(&json));
        /* A byte that is not UTF-8 cannot come back: JSON cannot represent it. */
        if (!strstr(text_string(&json), "\\ufffd") &&
            (first.length != second.length || memcmp(first.bytes, second.bytes, first.length) != 0))
            __builtin_trap();
        journal_close(journal, NULL);
    }
    text_free(&text);
    text_free(&first);
    text_free(&json);
    text_free(&second);
    return 0;
}
