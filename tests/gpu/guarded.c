/* Measures all configurations of a space with guards, and prints for each: "NAME=VALUE ...; STATUS TIME ns, launches
 * NUMBER, compared NUMBER, guarding MS ms of MS ms, EVIDENCE ...; MESSAGE". Then the rate:
 *
 *     gpu_guarded SPACE each|shared|off [NAME=VALUE ...]
 *
 * each: a process for each configuration; shared: one for all; off: without guards. With guards, the value of the first
 * parameter is the expectation: honest_*: ok without evidence; cheat_*: a failure or, if the cheat gains nothing, ok;
 * note_*: ok with evidence. Exits with 1 if an outcome differs, and with 77 without a GPU. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "evaluate/eval_gpu.h"

/* Cheats whose key hardly ever comes again gain nothing. */
static const char *const harmless[] = {"cheat_data", "cheat_place"};

static int complain(const struct error *error)
{
    char text[4096];
    fprintf(stderr, "%s\n", error_format(error, text, sizeof text));
    return error->code == ERROR_NO_DEVICE ? 77 : 1;
}

static bool is_expected(const char *name, const struct measurement *got)
{
    const char *kind = strchr(name, '=') + 1;
    const bool right = got->status == STATUS_OK, caught = status_class(got->status) == OUTCOME_FAILED;
    bool gains = true;
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        gains &= strncmp(kind, harmless[i], strlen(harmless[i])) != 0;
    if (strncmp(kind, "cheat_", 6) == 0)
        return caught || !gains;
    return right && (got->suspicions != 0) == (strncmp(kind, "note_", 5) == 0);
}

static void print(const char *name, const struct measurement *got)
{
    printf("%s; %s %.0f ns, launches %u, compared %u, guarding %.1f ms of %.1f ms,", name, status_name(got->status),
           got->value, (unsigned)got->launches, (unsigned)got->compared, (double)got->guarding_ns * 1e-6,
           (double)got->measure_ns * 1e-6);
    for (enum suspicion s = 0; s < SUSPICION_COUNT; s++)
        if (got->suspicions >> s & 1)
            printf(" %s", suspicion_name(s));
    printf("; %s\n", got->message);
    fflush(stdout);
}

/* Measures all configurations; *wrong counts those with another outcome than expected. */
static int measure(struct evaluator *evaluator, struct space *space, struct valid_set *set, bool guarded, size_t *wrong,
                   struct error *error)
{
    const uint64_t count = valid_set_count(set);
    uint64_t asked = 0, finished = 0;
    const int64_t begin_ns = clock_now_ns();
    int code = 0;
    while (finished < count && !code) {
        struct evaluation done;
        size_t got = 0;
        for (; asked < count && asked < finished + 4 && !code; asked++)
            code = evaluator->ops->submit(evaluator->state, asked, true, EVALUATOR_ANY_DEVICE, error);
        if (!code)
            code = evaluator->ops->wait(evaluator->state, INT64_MAX, &done, 1, &got, error);
        if (code || !got)
            continue;
        uint32_t choices[SPACE_PARAMETERS_MAX];
        struct text text = {0};
        finished++;
        valid_set_get(set, done.index, choices);
        space_config_text(space, choices, &text);
        print(text_string(&text), &done.measurement);
        *wrong += guarded && !is_expected(text_string(&text), &done.measurement);
        text_free(&text);
    }
    printf("%.2f configurations a second\n", (double)count * 1e9 / (double)(clock_now_ns() - begin_ns));
    return code;
}

static int run(struct device *device, struct space *space, struct valid_set *set, const char *mode, size_t *wrong,
               struct error *error)
{
    const bool guarded = strcmp(mode, "off") != 0;
    struct evaluator_setup setup = {.space = space,
                                    .set = set,
                                    .devices = &device,
                                    .device_count = 1,
                                    .jobs = 4,
                                    .timeout_ns = 20000000000,
                                    .seed = 1,
                                    .sampling = {.samples = 128, .confidence = 0.95, .target_interval = 0.005}};
    struct evaluator evaluator;
    if (guarded)
        setup.sampling.guarding = device_guarding;
    setup.sampling.guarding.shared = strcmp(mode, "shared") == 0;
    int code = evaluator_open_gpu(&evaluator, &setup, error);
    if (!code)
        code = measure(&evaluator, space, set, guarded, wrong, error);
    evaluator_close(&evaluator);
    return code;
}

int main(int argument_count, char **arguments)
{
    struct error error = {0};
    struct device *device = NULL;
    struct space *space = NULL;
    struct valid_set *set = NULL;
    size_t wrong = 0;
    if (argument_count < 3)
        return 2;
    int code = device_open(&device, "0", &error);
    if (!code)
        code = space_parse(&space, arguments[1], &error);
    if (!code)
        code = space_bind(space, (const char *const *)arguments + 3, (size_t)argument_count - 3, device_limits(device),
                          &error);
    if (!code)
        code = valid_set_build(&set, space, VALID_SET_DEFAULT_BYTES, &error);
    if (!code)
        code = run(device, space, set, arguments[2], &wrong, &error);
    valid_set_free(set);
    space_free(space);
    device_close(device);
    if (!code && wrong)
        fprintf(stderr, "%zu outcomes differ from the expected ones\n", wrong);
    return code ? complain(&error) : wrong > 0;
}
