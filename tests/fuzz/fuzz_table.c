/* Imports any bytes as a table whose columns have these names: an error, or a valid journal. */
#include <stdint.h>

#include "exchange/exchange.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct option_list measure = {2, {"bench_ms", "verify_ms"}}, ignore = {1, {"note"}};
    static const struct exchange_setup setups[] = {
        {.path = "fuzz.csv", .time = "time", .unit = "ms"},
        {.path = "fuzz.csv",
         .time = "time_ms",
         .status = "status",
         .compile_time = "compile_s",
         .samples = "n",
         .measure_time = &measure,
         .ignore = &ignore},
    };
    for (size_t i = 0; i < sizeof setups / sizeof *setups; i++) {
        struct text text = {0}, journal = {0};
        struct error error = {0};
        struct journal *read = NULL;
        text_append(&text, data, size);
        int code = table_import(&setups[i], text_string(&text), text.length, &journal, &error);
        if (code ? error.code == ERROR_NONE || !*error.message
                 : journal_parse(&read, "fuzz.csv", text_string(&journal), journal.length, &error) != 0)
            __builtin_trap();
        journal_close(read, NULL);
        text_free(&text);
        text_free(&journal);
    }
    return 0;
}
