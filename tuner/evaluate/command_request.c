#include "evaluate/command_request.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/value.h"
#include "space/candidate.h"
#include "space/facts.h"

enum { NUMBER_BYTES = 32 };

/* ---- Values ---- */

/* cJSON's own numbers are doubles. JSON has neither infinities nor NaN: they are strings, like words. */
static cJSON *value_of(const struct value *value)
{
    char text[VALUE_TEXT_BYTES];
    value_text(value, text, sizeof text);
    return value->kind == VALUE_INT || (value->kind == VALUE_FLOAT && isfinite(value->real)) ? cJSON_CreateRaw(text)
                                                                                             : cJSON_CreateString(text);
}

static cJSON *integer(int64_t number)
{
    const struct value value = value_integer(number);
    return value_of(&value);
}

static cJSON *real(double number)
{
    const struct value value = {.kind = VALUE_FLOAT, .real = number};
    return value_of(&value);
}

static void put_value(void *context, const char *name, const struct value *value)
{
    cJSON_AddItemToObject(context, name, value_of(value));
}

/* ---- Arguments ---- */

static const char *kind_text(enum argument_fact_kind kind)
{
    static const char *const texts[] = {"buffer", "scalar", "struct", "tensor_map", "texture", "surface", "null"};
    return texts[kind];
}

/* Names are unique within a kernel. */
static void put_name(cJSON *argument, const struct argument_facts *facts, size_t number)
{
    char name[NUMBER_BYTES + 256];
    size_t same = 1;
    for (size_t i = 0; i < number; i++)
        same += strcmp(facts[i].name, facts[number].name) == 0;
    if (!*facts[number].name || strlen(facts[number].name) > 200)
        snprintf(name, sizeof name, "#%zu", number + 1);
    else if (same > 1)
        snprintf(name, sizeof name, "%s#%zu", facts[number].name, same);
    else
        snprintf(name, sizeof name, "%s", facts[number].name);
    cJSON_AddStringToObject(argument, "name", name);
}

static cJSON *list(const int64_t *numbers, size_t count)
{
    cJSON *array = cJSON_CreateArray();
    for (size_t i = 0; i < count; i++)
        cJSON_AddItemToArray(array, integer(numbers[i]));
    return array;
}

/* The box has the order of the extents: the outermost dimension first. */
static void put_map(cJSON *argument, const struct launch_tensor_map *map)
{
    int64_t box[TENSOR_RANK_MAX];
    for (uint32_t d = 0; d < map->rank; d++)
        box[d] = map->box[map->rank - 1 - d];
    cJSON_AddItemToObject(argument, "box", list(box, map->rank));
    cJSON_AddItemToObject(argument, "swizzle", integer(map->swizzle));
}

static cJSON *argument_of(const struct argument_facts *facts, size_t number)
{
    const struct argument_facts *own = &facts[number];
    cJSON *argument = cJSON_CreateObject();
    put_name(argument, facts, number);
    cJSON_AddStringToObject(argument, "kind", kind_text(own->kind));
    if (own->type)
        cJSON_AddStringToObject(argument, "type", own->type->name);
    if (own->kind == FACT_STRUCT)
        cJSON_AddItemToObject(argument, "bytes", integer(own->bytes));
    if (own->has_value)
        cJSON_AddItemToObject(argument, "value",
                              own->type->family == FAMILY_FLOAT ? real(own->real) : integer(own->integer));
    if (own->kind == FACT_BUFFER)
        cJSON_AddItemToObject(argument, "alignment", integer(own->alignment));
    if (own->extent_count) {
        cJSON_AddItemToObject(argument, "extents", list(own->extents, own->extent_count));
        cJSON_AddItemToObject(argument, "strides", list(own->strides, own->extent_count));
    }
    if (own->map)
        put_map(argument, own->map);
    return argument;
}

/* ---- The request ---- */

static int put_kernels(const struct space *space, const uint32_t *choices, const struct launch *launch, cJSON *request,
                       struct error *error)
{
    struct argument_facts *facts = calloc(SPACE_ARGUMENTS_MAX, sizeof *facts);
    cJSON *kernels = cJSON_AddArrayToObject(request, "kernels");
    int code = facts ? 0 : error_memory(error);
    for (size_t k = 0; k < launch->kernel_count && !code; k++) {
        size_t count = 0;
        cJSON *kernel = cJSON_CreateObject();
        cJSON_AddItemToArray(kernels, kernel);
        cJSON_AddStringToObject(kernel, "name", space->kernels[launch->kernels[k]]);
        code =
            space_each_macro(space, choices, launch, k, put_value, cJSON_AddObjectToObject(kernel, "defines"), error);
        if (!code)
            code = space_argument_facts(space, choices, launch, k, facts, &count, error);
        cJSON *arguments = cJSON_AddArrayToObject(kernel, "arguments");
        for (size_t a = 0; a < count && !code; a++)
            cJSON_AddItemToArray(arguments, argument_of(facts, a));
    }
    free(facts);
    return code;
}

static int put_options(const struct space *space, const uint32_t *choices, cJSON *request, struct error *error)
{
    struct text options = {0};
    size_t count = 0;
    cJSON *array = cJSON_AddArrayToObject(request, "options");
    int code = space_option_texts(space, choices, &options, &count, error);
    const char *option = text_string(&options);
    for (size_t i = 0; i < count && !code; i++, option += strlen(option) + 1)
        cJSON_AddItemToArray(array, cJSON_CreateString(option));
    text_free(&options);
    return code;
}

static int fill(const struct space *space, const uint32_t *choices, const struct launch *launch, cJSON *request,
                struct error *error)
{
    cJSON *params = cJSON_AddObjectToObject(request, "params"), *sizes = cJSON_AddObjectToObject(request, "sizes");
    for (size_t p = 0; p < space->parameter_count; p++)
        put_value(params, space->parameters[p].name, &space->parameters[p].values[choices[p]]);
    for (size_t p = 0; p < space->problem_count; p++)
        put_value(sizes, space->problems[p].name, &space->problems[p].value);
    int code = space_each_define(space, choices, put_value, cJSON_AddObjectToObject(request, "defines"), error);
    if (!code)
        code = put_options(space, choices, request, error);
    return code ? code : put_kernels(space, choices, launch, request, error);
}

int command_request(const struct space *space, const uint32_t *choices, const struct launch *launch, int64_t cc,
                    struct text *request, struct error *error)
{
    enum { OWN_FEATURES_CC = 90 };
    char architecture[NUMBER_BYTES];
    cJSON *object = cJSON_CreateObject();
    snprintf(architecture, sizeof architecture, "sm_%lld%s", (long long)cc, cc >= OWN_FEATURES_CC ? "a" : "");
    cJSON_AddStringToObject(object, "architecture", architecture);
    const struct candidate *candidate = space_candidate(space, choices);
    if (candidate) {
        cJSON_AddStringToObject(object, "candidate", candidate->path);
        cJSON_AddStringToObject(object, "candidate_hash", candidate->hash);
    }
    int code = fill(space, choices, launch, object, error);
    char *printed = code ? NULL : cJSON_PrintUnformatted(object);
    if (printed)
        text_printf(request, "%s", printed);
    cJSON_free(printed);
    cJSON_Delete(object);
    return code ? code : !printed || request->failed ? error_memory(error) : 0;
}

int command_job(const struct space *space, const uint32_t *choices, const struct launch *launch, const char *identity,
                struct text *request, struct compile_job *job, struct error *error)
{
    if (!space->compiler_command)
        return 0;
    text_clear(request);
    int code = command_request(space, choices, launch, job->cc, request, error);
    job->command = (struct compile_command){.line = space->compiler_command,
                                            .folder = space->compiler_folder,
                                            .identity = identity,
                                            .request = text_string(request)};
    return code;
}
