/* Reads KTT's JSON output: `Metadata`, and a list of `Results`. KTT runs a configuration once. The first release of a
 * result's CompilationOverhead is 2.2: earlier ones have the compilation in the Overhead of its ComputationResults. */
#include <string.h>

#include "exchange/json_import.h"
#include "exchange/json_place.h"

struct ktt {
    struct json_import in; /* first: the functions of lists get it */
    double unit_ns;
    const char *kernel; /* of the first result; NULL: none yet */
    /* The current result: */
    size_t computations;
    int64_t overhead_ns;
    double registers, local_bytes; /* -1: unknown */
};

/* ---- Computations: the launches of a result ---- */

static double number_or(const struct json_member *member, double other)
{
    return cJSON_IsNumber(member->item) ? member->item->valuedouble : other;
}

static int take_compilation(struct ktt *ktt, const struct json_member *data)
{
    struct json_member members[] = {{.name = "RegistersCount"}, {.name = "PrivateMemorySize"}};
    if (!json_given(data))
        return 0;
    int code = json_members(&ktt->in.json, data->item, data->at, "'CompilationData'", members, 2, NULL, NULL);
    ktt->registers = number_or(&members[0], -1);
    ktt->local_bytes = number_or(&members[1], -1);
    return code;
}

static int take_computation(struct json_import *in, const cJSON *item, size_t at)
{
    enum { OVERHEAD, COMPILATION, DURATION, FUNCTION, GLOBAL, LOCAL, COMPILING, MEMBERS };
    struct ktt *ktt = (struct ktt *)in;
    struct json_member members[MEMBERS] = {[OVERHEAD] = {.name = "Overhead"},
                                           [COMPILATION] = {.name = "CompilationData"},
                                           [DURATION] = {.name = "Duration"},
                                           [FUNCTION] = {.name = "KernelFunction"},
                                           [GLOBAL] = {.name = "GlobalSize"},
                                           [LOCAL] = {.name = "LocalSize"},
                                           [COMPILING] = {.name = "CompilationOverhead"}};
    int code = json_members(&in->json, item, at, "a computation", members, MEMBERS, json_import_leave_out, in);
    ktt->computations++;
    if (!code)
        code = json_import_duration(in, &members[OVERHEAD], ktt->unit_ns, &ktt->overhead_ns);
    return code ? code : take_compilation(ktt, &members[COMPILATION]);
}

/* ---- Results ---- */

static int take_parameter(struct json_import *in, const cJSON *item, size_t at)
{
    struct json_member members[] = {{.name = "Name"}, {.name = "Value"}};
    int code = json_members(&in->json, item, at, "a parameter", members, 2, NULL, NULL);
    if (code)
        return code;
    if (!json_import_text(&members[0]) || !members[1].item)
        return json_fail(&in->json, at, "a parameter needs a 'Name', which is a string, and a 'Value'");
    return json_import_value(in, json_import_text(&members[0]), members[0].at, members[1].item, members[1].at);
}

/* The values outlive the list's items, so that this does not call json_import_list. */
static int take_configuration(struct ktt *ktt, const struct json_member *configuration)
{
    struct json_import *in = &ktt->in;
    struct json_walk walk;
    const cJSON *item;
    if (!cJSON_IsArray(configuration->item))
        return json_fail(&in->json, configuration->at, "'Configuration' is not a list");
    int code = json_import_configuration(in, (size_t)cJSON_GetArraySize(configuration->item), configuration->at);
    json_walk_start(&walk, in->json.source.text, in->json.source.length, configuration->at);
    cJSON_ArrayForEach(item, configuration->item)
    {
        if (code || !json_walk_next(&walk))
            break;
        code = take_parameter(in, item, walk.value);
    }
    return code ? code : json_import_configured(in, configuration->at);
}

enum { KERNEL, STATUS, CONFIGURATION, COMPUTATIONS, TOTAL, MOVEMENT, VALIDATION, COMPILING, EXTRA, RESULT_MEMBERS };

static int take_kernel(struct ktt *ktt, const struct json_member *kernel)
{
    const char *name = json_import_text(kernel);
    if (!name || (ktt->kernel && strcmp(ktt->kernel, name) == 0))
        return 0;
    if (ktt->kernel)
        return json_fail(&ktt->in.json, kernel->at, "results of two kernels, '%.60s' and '%.60s'", ktt->kernel, name);
    ktt->kernel = name;
    return exchange_describe(&ktt->in.exchange, name, NULL, NULL);
}

static int take_status(struct ktt *ktt, const struct json_member *status, size_t at, struct measurement *measurement)
{
    const char *word = json_import_text(status);
    if (word && exchange_status(word, &measurement->status)) {
        if (measurement->status != STATUS_OK)
            measurement_explain(measurement, "%s", word);
        return 0;
    }
    json_fail(&ktt->in.json, status->item ? status->at : at, "unknown 'Status'");
    error_hint(ktt->in.json.error, "expected Ok, ComputationFailed, ValidationFailed, CompilationFailed or "
                                   "DeviceLimitsExceeded");
    return ERROR_DATA;
}

/* Compiling; and verifying with moving data and the launches themselves. */
static int take_costs(struct ktt *ktt, const struct json_member members[RESULT_MEMBERS],
                      struct measurement *measurement)
{
    static const int measuring[] = {TOTAL, MOVEMENT, VALIDATION};
    struct json_import *in = &ktt->in;
    int code = json_import_duration(in, &members[COMPILING], ktt->unit_ns, &measurement->compile_ns);
    if (!json_given(&members[COMPILING]))
        measurement->compile_ns = ktt->overhead_ns;
    for (size_t i = 0; i < sizeof measuring / sizeof *measuring && !code; i++)
        code = json_import_duration(in, &members[measuring[i]], ktt->unit_ns, &measurement->measure_ns);
    return code;
}

static int take_result(struct json_import *in, const cJSON *result, size_t at)
{
    struct ktt *ktt = (struct ktt *)in;
    struct measurement measurement = measurement_unknown(STATUS_OK);
    struct json_member members[RESULT_MEMBERS] = {[KERNEL] = {.name = "KernelName"},
                                                  [STATUS] = {.name = "Status"},
                                                  [CONFIGURATION] = {.name = "Configuration"},
                                                  [COMPUTATIONS] = {.name = "ComputationResults"},
                                                  [TOTAL] = {.name = "TotalDuration"},
                                                  [MOVEMENT] = {.name = "DataMovementOverhead"},
                                                  [VALIDATION] = {.name = "ValidationOverhead"},
                                                  [COMPILING] = {.name = "CompilationOverhead"},
                                                  [EXTRA] = {.name = "ExtraDuration"}}; /* part of TotalDuration */
    ktt->computations = 0;
    ktt->overhead_ns = -1;
    ktt->registers = ktt->local_bytes = -1;
    int code = json_members(&in->json, result, at, "a result", members, RESULT_MEMBERS, json_import_leave_out, in);
    if (!code)
        code = take_kernel(ktt, &members[KERNEL]);
    if (!code)
        code = take_status(ktt, &members[STATUS], at, &measurement);
    if (!code)
        code = json_import_list(in, &members[COMPUTATIONS], take_computation);
    if (!code)
        code = take_configuration(ktt, &members[CONFIGURATION]);
    if (!code)
        code = take_costs(ktt, members, &measurement);
    if (!code && measurement.status == STATUS_OK) {
        code = json_import_time(in, &members[TOTAL], ktt->unit_ns, &measurement);
        measurement.samples = 1;
    }
    if (ktt->computations == 1 && ktt->registers >= 0 && ktt->registers < 1e6)
        measurement.registers = (int64_t)ktt->registers;
    if (ktt->computations == 1 && ktt->local_bytes >= 0 && ktt->local_bytes < 1e15)
        measurement.local_bytes = (int64_t)ktt->local_bytes;
    return code ? code : json_import_add(in, &measurement, at);
}

/* ---- The file ---- */

static int take_metadata(struct ktt *ktt, const struct json_member *metadata)
{
    struct json_import *in = &ktt->in;
    struct json_member members[] = {{.name = "TimeUnit"}, {.name = "Device"}};
    int code =
        json_members(&in->json, metadata->item, metadata->at, "'Metadata'", members, 2, json_import_leave_out, in);
    if (code)
        return code;
    const char *unit = json_import_text(&members[0]);
    ktt->unit_ns = unit ? exchange_unit_ns(unit) : 0;
    if (ktt->unit_ns == 0)
        return json_fail(&in->json, unit ? members[0].at : metadata->at, "unknown 'TimeUnit'");
    return exchange_describe(&in->exchange, NULL, json_import_text(&members[1]), NULL);
}

static int take_root(struct ktt *ktt, const cJSON *root, size_t at)
{
    struct json_import *in = &ktt->in;
    struct json_member members[] = {{.name = "Metadata"}, {.name = "Results"}};
    int code = json_members(&in->json, root, at, "the file", members, 2, json_import_leave_out, in);
    if (!code)
        code = take_metadata(ktt, &members[0]);
    return code ? code : json_import_results(in, &members[1], take_result);
}

int ktt_import(const struct exchange_setup *setup, const char *text, size_t length, struct text *journal,
               struct error *error)
{
    struct error unread = {0};
    struct ktt ktt = {.kernel = NULL};
    cJSON *root = NULL;
    size_t at = 0;
    error = error ? error : &unread;
    int code = json_import_start(&ktt.in, setup, text, length, &root, &at, error);
    if (!code)
        code = take_root(&ktt, root, at);
    if (!code)
        code = exchange_finish(&ktt.in.exchange, journal);
    json_import_free(&ktt.in, root);
    return code;
}
