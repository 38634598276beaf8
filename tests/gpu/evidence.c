/* Prints the evidence of the evaluator `gpu` about the launches of a space's feasible configurations, after measuring
 * all:
 *
 *     gpu_evidence SPACE MOST [NAME=VALUE ...]
 *
 * MOST limits the number of configurations, which are then spread evenly. First prints a line "NAME=VALUE ...; TIME ns"
 * for each. Then, as evidence arrives, prints "NAME=VALUE ...; MS ms" with the time of collecting, a line "no counters:
 * REASON" if there are none, and a line "  ITEM=NUMBER ..." for each launch. Exits with 3 if any had no counters, and
 * with 77 without a GPU. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "evaluate/eval_gpu.h"

enum { CONFIGURATIONS_MAX = 256 };

struct printer {
    struct space *space;
    struct valid_set *set;
    int64_t begin_ns;
    uint64_t most;
    size_t uncounted, working;
    uint64_t indices[CONFIGURATIONS_MAX]; /* of the feasible configurations */
};

static int complain(const struct error *error)
{
    char text[4096];
    fprintf(stderr, "%s\n", error_format(error, text, sizeof text));
    return error->code == ERROR_NO_DEVICE ? 77 : 1;
}

static int print(void *context, const struct evaluator_evidence *evidence, struct error *error)
{
    struct printer *printer = context;
    uint32_t choices[SPACE_PARAMETERS_MAX];
    struct text text = {0};
    int64_t now_ns = clock_now_ns();
    (void)error;
    valid_set_get(printer->set, evidence->index, choices);
    space_config_text(printer->space, choices, &text);
    printf("%s; %.1f ms\n", text_string(&text), (double)(now_ns - printer->begin_ns) * 1e-6);
    if (*evidence->no_counters)
        printf("  no counters: %s\n", evidence->no_counters);
    printer->uncounted += *evidence->no_counters != '\0';
    for (size_t s = 0; s < evidence->launch_count; s++) {
        text_clear(&text);
        evidence_append(&text, &evidence->launches[s]);
        printf("  %s\n", text_string(&text));
    }
    text_free(&text);
    printer->begin_ns = now_ns;
    return 0;
}

/* Times all configurations, as a run does before it collects evidence. */
static int measure(struct evaluator *evaluator, struct printer *printer, struct error *error)
{
    struct evaluation done;
    size_t count;
    int code = 0;
    uint64_t valid = valid_set_count(printer->set), step = valid / printer->most + (valid % printer->most > 0);
    for (uint64_t i = 0; i < valid && !code; i += step) {
        uint32_t choices[SPACE_PARAMETERS_MAX];
        struct text text = {0};
        code = evaluator->ops->submit(evaluator->state, i, true, EVALUATOR_ANY_DEVICE, error);
        for (count = 0; !code && !count;)
            code = evaluator->ops->wait(evaluator->state, INT64_MAX, &done, 1, &count, error);
        if (code)
            break;
        valid_set_get(printer->set, i, choices);
        space_config_text(printer->space, choices, &text);
        printf("%s; %.0f ns %s\n", text_string(&text), done.measurement.value, done.measurement.message);
        text_free(&text);
        if (measurement_timed(&done.measurement) && printer->working < CONFIGURATIONS_MAX)
            printer->indices[printer->working++] = i;
    }
    return code;
}

static int show(struct device *device, struct printer *printer, struct error *error)
{
    struct evaluator_setup setup = {
        .space = printer->space,
        .set = printer->set,
        .devices = &device,
        .device_count = 1,
        .jobs = 4,
        .timeout_ns = 20000000000,
        .seed = 1,
        .sampling = {
            .warm = space_keeps_l2(printer->space), .samples = 500, .confidence = 0.95, .target_interval = 0.005}};
    struct evaluator evaluator;
    int code = evaluator_open_gpu(&evaluator, &setup, error);
    if (!code)
        code = measure(&evaluator, printer, error);
    printer->begin_ns = clock_now_ns();
    if (!code)
        code = evaluator.ops->device->evidence(evaluator.state, printer->indices, printer->working, INT64_MAX, print,
                                               printer, error);
    evaluator_close(&evaluator);
    return code;
}

int main(int argument_count, char **arguments)
{
    struct error error = {0};
    struct device *device = NULL;
    struct printer printer = {0};
    if (argument_count < 3 || (printer.most = strtoull(arguments[2], NULL, 10)) < 1)
        return 2;
    int code = device_open(&device, "0", &error);
    if (!code)
        code = space_parse(&printer.space, arguments[1], &error);
    if (!code)
        code = space_bind(printer.space, (const char *const *)arguments + 3, (size_t)argument_count - 3,
                          device_limits(device), &error);
    if (!code)
        code = valid_set_build(&printer.set, printer.space, VALID_SET_DEFAULT_BYTES, &error);
    if (!code)
        code = show(device, &printer, &error);
    valid_set_free(printer.set);
    space_free(printer.space);
    device_close(device);
    return code ? complain(&error) : printer.uncounted ? 3 : 0;
}
