/* The output of emit_write for a few rows, in any format. */
#ifndef CUTUNE_TESTS_EMIT_ROWS_H
#define CUTUNE_TESTS_EMIT_ROWS_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "emit/emit.h"

enum { ROWS_MAX = 3 };

/* One call: rows as "device|problem|configuration|default|date", then perhaps "|objective|options". */
struct emit_call {
    const char *rows[ROWS_MAX];
    const char *prefix;
    const char *choice; /* a device, or NAME=NUMBER of a problem size; NULL: neither */
    int code;
    const char *has; /* in the output, or in the error's message or hint */
};

static inline size_t make_rows(const char *const *texts, char copies[ROWS_MAX][256], struct best *rows)
{
    size_t count = 0;
    for (; count < ROWS_MAX && texts[count]; count++) {
        char *fields[7] = {0}, *rest = strcpy(copies[count], texts[count]);
        for (int i = 0; i < 7; i++)
            fields[i] = strsep(&rest, "|");
        rows[count] = (struct best){.provenance.kernel = "k",
                                    .provenance.problem = fields[1],
                                    .objective = fields[5] ? fields[5] : "time",
                                    .configuration = fields[2],
                                    .value = 1500.5,
                                    .provenance.options = fields[6],
                                    .low = NAN,
                                    .high = NAN,
                                    .speedup = NAN,
                                    .provenance.default_ = fields[3],
                                    .provenance.source_hash = "",
                                    .provenance.space_hash = "",
                                    .provenance.device.cc = 90,
                                    .provenance.device.sm_count = 132,
                                    .provenance.device.l2_bytes = 50,
                                    .provenance.date = fields[4]};
        snprintf(rows[count].provenance.device.name, sizeof rows[count].provenance.device.name, "%s", fields[0]);
    }
    return count;
}

/* Emits rows of the kernel k. */
static inline int emit_kernel_k(const struct best *const *rows, size_t count, const struct space *space,
                                struct emit_request request, struct text *text, struct error *error)
{
    const struct emit_kernel kernel = {.name = "k", .rows = rows, .count = count, .space = space};
    request.kernels = &kernel;
    request.kernel_count = 1;
    return emit_write(&request, text, error);
}

static inline void expect_call(const struct emit_call *call, const char *format)
{
    char copies[ROWS_MAX][256];
    struct best rows[ROWS_MAX];
    const struct best *pointers[ROWS_MAX] = {&rows[0], &rows[1], &rows[2]};
    struct emit_request request = {.prefix = call->prefix, .format = format};
    if (call->choice)
        *(strchr(call->choice, '=') ? &request.sizes : &request.devices) = (struct option_list){1, {call->choice}};
    struct text text = {0};
    struct error error = {0};
    size_t count = make_rows(call->rows, copies, rows);
    int code = emit_kernel_k(pointers, count, NULL, request, &text, &error);
    CU_ASSERT_EQUAL(code, call->code);
    bool has = code ? strstr(error.message, call->has) || strstr(error.hint, call->has)
                    : strstr(text_string(&text), call->has) != NULL;
    if (!has)
        printf("no %s in\n%s%s\n%s\n", call->has, text_string(&text), error.message, error.hint);
    CU_ASSERT(has);
    text_free(&text);
}

#define EXPECT_CALLS(calls, format)                                                                                    \
    for (size_t i = 0; i < sizeof(calls) / sizeof *(calls); i++)                                                       \
    expect_call(&(calls)[i], format)

#endif
