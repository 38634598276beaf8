/* Imports, and short forms of journals. */
#ifndef CUTUNE_TESTS_EXCHANGE_JOURNALS_H
#define CUTUNE_TESTS_EXCHANGE_JOURNALS_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "exchange/exchange.h"

/* The rows of a journal without unknown fields: "values|status|time samples compile measure|message", times in ns, one
 * line each. */
static inline void describe(const struct text *journal, struct text *rows)
{
    struct journal *read = NULL;
    struct error error = {0};
    int code = journal_parse(&read, "j.csv", text_string(journal), journal->length, &error);
    if (code)
        fprintf(stderr, "\n%s: %s", error.source, error.message);
    CU_ASSERT_EQUAL_FATAL(code, 0);
    for (size_t r = 0; r < journal_row_count(read); r++) {
        struct journal_row row = journal_get_row(read, r);
        const struct measurement *m = &row.measurement;
        for (size_t p = 0; p < journal_get_header(read)->parameter_count; p++)
            text_printf(rows, "%s%s", p ? " " : "", row.values[p]);
        text_printf(rows, "|%s|%.17g %u %lld %lld|%s\n", status_name(m->status), isnan(m->value) ? -1 : m->value,
                    m->samples, (long long)m->compile_ns, (long long)m->measure_ns, m->message);
        CU_ASSERT(isnan(m->low) && isnan(m->high) && m->registers == -1);
    }
    journal_close(read, NULL);
}

static inline int t4(const char *text, size_t length, const char *unit, struct text *journal, struct error *error)
{
    const struct exchange_setup setup = {.path = "r.json", .unit = unit};
    return t4_import(&setup, text, length, journal, error);
}

#define RESULT(configuration, rest)                                                                                    \
    "{\"configuration\":" configuration ",\"times\":{},\"invalidity\":\"correct\",\"correctness\":1" rest "}"
#define TIME(value)            ",\"measurements\":[{\"name\":\"time\",\"value\":" value ",\"unit\":\"us\"}]"
#define FILE_OF(results)       "{\"metadata\":{\"timeunit\":\"s\"},\"results\":[" results "]}"
#define WITH(configuration)    FILE_OF(RESULT(configuration, TIME("2")))
#define MEASURED(measurements) FILE_OF(RESULT("{\"a\":1}", ",\"measurements\":" measurements))
#define TIMES(times)                                                                                                   \
    FILE_OF("{\"configuration\":{\"a\":1},\"times\":" times                                                            \
            ",\"invalidity\":\"correct\",\"correctness\":1" TIME("2") "}")
#define INVALID(invalidity)                                                                                            \
    FILE_OF("{\"configuration\":{\"a\":1},\"times\":{},\"invalidity\":" invalidity ",\"correctness\":0}")
#define OWN(head) "{\"metadata\":{\"cutune_journal\":" head "},\"results\":[" RESULT("{\"a\":1}", "") "]}"

#endif
