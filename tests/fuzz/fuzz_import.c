/* Imports any bytes as what they are recognised as, and as the files of other tuners: an error, or a valid journal. */
#include <stdint.h>

#include "exchange/formats.h"
#include "exchange/gzip.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void import(exchange_reader *read, const struct exchange_setup *setup, const struct text *text)
{
    struct exchange_setup own = *setup;
    struct text journal = {0}, notes = {0};
    struct error error = {0};
    struct journal *parsed = NULL;
    own.notes = &notes;
    int code = read(&own, text_string(text), text->length, &journal, &error);
    if (code ? error.code == ERROR_NONE || !*error.message
             : journal_parse(&parsed, "fuzz.csv", text_string(&journal), journal.length, &error) != 0)
        __builtin_trap();
    journal_close(parsed, NULL);
    text_free(&journal);
    text_free(&notes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static exchange_reader *const readers[] = {kernel_tuner_import, ktt_import, clblast_import, nvbench_import};
    static const struct exchange_setup setups[] = {{.path = "fuzz.json"},
                                                   {.path = "fuzz.json.gz",
                                                    .kernel = "copy",
                                                    .problem = "Elements=1024",
                                                    .default_ = "a=1",
                                                    .time = "Batch GPU (sec)",
                                                    .parameters = "T"}};
    struct text text = {0};
    struct error error = {0};
    text_append(&text, data, size);
    if (gzip_expand("fuzz.gz", 1 << 20, &text, &error) == 0) {
        const struct exchange_format *format = exchange_recognise(text_string(&text), text.length);
        for (size_t i = 0; i < sizeof setups / sizeof *setups; i++) {
            if (format && format->read)
                import(format->read, &setups[i], &text);
            for (size_t r = 0; r < sizeof readers / sizeof *readers; r++)
                import(readers[r], &setups[i], &text);
        }
        if (!format && (exchange_unknown("fuzz", text_string(&text), text.length, &error) == 0 || !*error.message))
            __builtin_trap();
    } else if (error.code == ERROR_NONE || !*error.message) {
        __builtin_trap();
    }
    text_free(&text);
    return 0;
}
