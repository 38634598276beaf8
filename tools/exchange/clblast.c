/* Reads the JSON file that a tuner of CLBlast writes: facts of the device, the arguments as `arg_m` and the like, and a
 * list of `results`, each with a time in milliseconds with three decimals. Configurations that fail are not in it. */
#include <string.h>

#include "base/pairs.h"
#include "exchange/json_import.h"

#define MS_NS    1e6
#define ARGUMENT "arg_"
#define SCORES   "_kernel_selection" /* ends the names of kernels whose `time` is a score */

struct clblast {
    struct json_import in; /* first: json_members and the functions of lists get it */
    const char *kernel;    /* of the first result; NULL: none yet */
    struct text problem;
};

/* ---- Results ---- */

static int take_kernel(struct clblast *clblast, const struct json_member *kernel, size_t at)
{
    struct json_import *in = &clblast->in;
    const char *name = json_import_text(kernel);
    if (!name)
        return json_fail(&in->json, at, "a result without 'kernel'");
    if (clblast->kernel && strcmp(clblast->kernel, name) == 0)
        return 0;
    if (clblast->kernel)
        return json_fail(&in->json, kernel->at, "results of two kernels, '%.60s' and '%.60s'", clblast->kernel, name);
    size_t length = strlen(name), end = strlen(SCORES);
    if (length >= end && strcmp(name + length - end, SCORES) == 0) {
        json_fail(&in->json, kernel->at, "the numbers of '%.60s' are no times, but scores of sizes", name);
        error_hint(in->json.error, "the files of CLBlast's kernel tuners have times, such as clblast_xgemm_1_32.json");
        return ERROR_DATA;
    }
    clblast->kernel = name;
    return exchange_describe(&in->exchange, name, NULL, NULL);
}

static int take_time(struct json_import *in, const struct json_member *time, size_t at, struct measurement *measurement)
{
    if (!time->item)
        return json_fail(&in->json, at, "a result without 'time'");
    if (cJSON_IsNumber(time->item) && time->item->valuedouble == 0) {
        json_fail(&in->json, time->at, "the time is below the microsecond that CLBlast writes: the fastest is unknown");
        error_hint(in->json.error, "tune larger sizes, as with -m, -n and -k");
        return ERROR_DATA;
    }
    return json_import_time(in, time, MS_NS, measurement);
}

static int take_result(struct json_import *in, const cJSON *result, size_t at)
{
    struct clblast *clblast = (struct clblast *)in;
    struct json_member members[] = {{.name = "kernel"}, {.name = "time"}, {.name = "parameters"}};
    struct measurement measurement = measurement_unknown(STATUS_OK);
    int code = json_members(&in->json, result, at, "a result", members, 3, json_import_leave_out, in);
    if (!code)
        code = take_kernel(clblast, &members[0], at);
    if (!code)
        code = members[2].item ? json_import_object(in, &members[2])
                               : json_fail(&in->json, at, "a result without 'parameters'");
    if (!code)
        code = take_time(in, &members[1], at, &measurement);
    return code ? code : json_import_add(in, &measurement, at);
}

/* ---- The file ---- */

/* Whole numbers are sizes: arg_m=1024. */
static int take_member(void *context, const cJSON *item, size_t key)
{
    struct clblast *clblast = context;
    const char *value = cJSON_IsString(item) ? item->valuestring : "";
    bool size = strncmp(item->string, ARGUMENT, strlen(ARGUMENT)) == 0 &&
                pairs_identifier(item->string, strlen(item->string)) && *value && !value[strspn(value, "0123456789")];
    (void)key;
    if (!size)
        return exchange_leave_out(&clblast->in.exchange, item->string);
    text_printf(&clblast->problem, "%s%s=%s", clblast->problem.length ? " " : "", item->string, value);
    return 0;
}

static int take_root(struct clblast *clblast, const cJSON *root, size_t at)
{
    struct json_import *in = &clblast->in;
    struct json_member members[] = {{.name = "results"},
                                    {.name = "device"},
                                    {.name = "best_kernel"},
                                    {.name = "best_time"},
                                    {.name = "best_parameters"}};
    int code = json_members(&in->json, root, at, "the file", members, 5, take_member, clblast);
    if (!code && clblast->problem.failed)
        code = error_memory(in->json.error);
    if (!code)
        code = exchange_describe(&in->exchange, NULL, json_import_text(&members[1]),
                                 clblast->problem.length ? text_string(&clblast->problem) : NULL);
    return code ? code : json_import_results(in, &members[0], take_result);
}

int clblast_import(const struct exchange_setup *setup, const char *text, size_t length, struct text *journal,
                   struct error *error)
{
    struct error unread = {0};
    struct clblast clblast = {.kernel = NULL};
    cJSON *root = NULL;
    size_t at = 0;
    error = error ? error : &unread;
    int code = json_import_start(&clblast.in, setup, text, length, &root, &at, error);
    if (!code)
        code = take_root(&clblast, root, at);
    if (!code)
        code = exchange_finish(&clblast.in.exchange, journal);
    text_free(&clblast.problem);
    json_import_free(&clblast.in, root);
    return code;
}
