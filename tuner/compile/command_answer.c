#include "compile/command_answer.h"

#include <stdbool.h>
#include <string.h>

#include "compile/json_text.h"

static const struct json_place whole = {.what = "the answer"};

/* ---- Sizes ---- */

struct sizes {
    const char *member;
    int64_t most[3], product;
};
static const struct sizes block_sizes = {"block", {1024, 1024, 64}, 1024},
                          grid_sizes = {"grid", {INT32_MAX, INT32_MAX, INT32_MAX}, INT64_MAX - 1},
                          cluster_sizes = {"cluster", {16, 16, 16}, 16};

/* Reads one to three sizes; the others become 1. */
static int read_sizes(const cJSON *item, const struct json_place *kernel, const struct sizes *sizes, uint32_t to[3],
                      struct error *error)
{
    const struct json_place place = json_below(kernel, sizes->member);
    char name[JSON_NAME_BYTES];
    int64_t product = 1;
    if (!item)
        return 0;
    int code = json_array(item, &place, 1, 3, error);
    for (int axis = 0; axis < 3 && !code; axis++) {
        const cJSON *size = cJSON_GetArrayItem(item, axis);
        const struct json_place at = json_at(&place, (size_t)axis);
        int64_t number = 1;
        code = size ? json_integer(size, &at, 1, sizes->most[axis], &number, error) : 0;
        to[axis] = (uint32_t)number;
        product = number > sizes->product / product ? sizes->product + 1 : product * number;
    }
    if (!code && product > sizes->product)
        code = error_set(error, ERROR_DATA, "%s has %u x %u x %u: at most %lld in all are possible",
                         json_name(&place, name), to[0], to[1], to[2], (long long)sizes->product);
    return code;
}

/* ---- Parameters ---- */

static void list_arguments(const cJSON *arguments, struct text *names)
{
    const cJSON *argument;
    cJSON_ArrayForEach(argument, arguments)
    {
        const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(argument, "name"));
        text_printf(names, "%s%s", names->length ? ", " : "", name ? name : "");
    }
}

/* Finds an argument of the request's kernel by its name. */
static int find_argument(const cJSON *kernel, const char *wanted, const struct json_place *place, uint32_t *number,
                         const cJSON **found, struct error *error)
{
    const cJSON *arguments = cJSON_GetObjectItemCaseSensitive(kernel, "arguments"), *argument;
    char at[JSON_NAME_BYTES];
    uint32_t i = 0;
    cJSON_ArrayForEach(argument, arguments)
    {
        const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(argument, "name"));
        if (name && strcmp(name, wanted) == 0) {
            *number = i;
            *found = argument;
            return 0;
        }
        i++;
    }
    struct text names = {0};
    const char *kernel_name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(kernel, "name"));
    list_arguments(arguments, &names);
    int code = error_set(error, ERROR_DATA, "%s names '%.60s': the arguments of %.60s are %.200s", json_name(place, at),
                         wanted, kernel_name ? kernel_name : "the kernel", text_string(&names));
    text_free(&names);
    return code;
}

/* Reads the type of an integer that cutune passes. */
static int read_type(const cJSON *type, const struct json_place *of, uint32_t *bytes, struct error *error)
{
    const struct json_place place = json_below(of, "type");
    const char *name = "";
    char at[JSON_NAME_BYTES];
    int code = json_string(type, &place, &name, error);
    if (!code && strcmp(name, "int") != 0 && strcmp(name, "int64") != 0)
        code = error_set(error, ERROR_DATA, "%s is '%.60s': it must be 'int' or 'int64'", json_name(&place, at), name);
    *bytes = strcmp(name, "int") == 0 ? 4 : 8;
    return code;
}

/* Reads {"extent": "x", "dimension": 0, "type": "int"}, and the same with "stride". */
static int read_measure(const cJSON *item, const cJSON *kernel, const char *member, const struct json_place *place,
                        struct answer_parameter *to, struct error *error)
{
    const cJSON *of, *dimension, *type, *argument = NULL;
    const struct json_member members[] = {{member, &of, true}, {"dimension", &dimension, true}, {"type", &type, true}};
    const struct json_place of_name = json_below(place, member), of_dimension = json_below(place, "dimension");
    const char *name = "";
    char at[JSON_NAME_BYTES];
    int64_t number = 0;
    int code = json_text_members(item, place, members, 3, error);
    if (!code)
        code = json_string(of, &of_name, &name, error);
    if (!code)
        code = find_argument(kernel, name, &of_name, &to->argument, &argument, error);
    if (code)
        return code;
    const int dimensions = cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(argument, "extents"));
    if (dimensions == 0)
        return error_set(error, ERROR_DATA, "%s names '%.60s', which is a %.20s: only buffers and tensor maps have %ss",
                         json_name(&of_name, at), name,
                         cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(argument, "kind")), member);
    code = json_integer(dimension, &of_dimension, 0, INT32_MAX, &number, error);
    if (!code && number >= dimensions)
        code = error_set(error, ERROR_DATA, "%s is %lld: '%.60s' has %d dimension%s, from 0",
                         json_name(&of_dimension, at), (long long)number, name, dimensions, dimensions > 1 ? "s" : "");
    to->dimension = (uint32_t)number;
    return code ? code : read_type(type, place, &to->bytes, error);
}

/* Reads {"tensor_map": "a", "box": [64, 64], "swizzle": 128}. */
static int read_map(const cJSON *item, const cJSON *kernel, const struct json_place *place, struct answer_parameter *to,
                    struct error *error)
{
    enum { BOX_MAX = 256 };
    const cJSON *map, *box, *swizzle, *argument = NULL;
    const struct json_member members[] = {{"tensor_map", &map, true}, {"box", &box, true}, {"swizzle", &swizzle, true}};
    const struct json_place of_map = json_below(place, "tensor_map"), of_box = json_below(place, "box"),
                            of_swizzle = json_below(place, "swizzle");
    const char *name = "";
    char at[JSON_NAME_BYTES];
    int64_t number = 0;
    int code = json_text_members(item, place, members, 3, error);
    if (!code)
        code = json_string(map, &of_map, &name, error);
    if (!code)
        code = find_argument(kernel, name, &of_map, &to->argument, &argument, error);
    if (code)
        return code;
    const cJSON *asked = cJSON_GetObjectItemCaseSensitive(argument, "box");
    const size_t rank = asked ? (size_t)cJSON_GetArraySize(asked) : 0;
    if (!rank || rank > ANSWER_RANK_MAX)
        return error_set(error, ERROR_DATA, "%s names '%.60s', which is no tensor map with a box",
                         json_name(&of_map, at), name);
    code = json_array(box, &of_box, rank, rank, error);
    for (size_t d = 0; d < rank && !code; d++) {
        const struct json_place of_size = json_at(&of_box, d);
        code = json_integer(cJSON_GetArrayItem(box, (int)d), &of_size, 1, BOX_MAX, &number, error);
        to->box[d] = (uint32_t)number;
    }
    if (!code)
        code = json_integer(swizzle, &of_swizzle, 0, 128, &number, error);
    if (!code && number != 0 && number != 32 && number != 64 && number != 128)
        code = error_set(error, ERROR_DATA, "%s is %lld: it must be 0, 32, 64 or 128", json_name(&of_swizzle, at),
                         (long long)number);
    to->swizzle = (uint32_t)number;
    return code;
}

/* Reads {"value": 4, "type": "int64"}. */
static int read_value(const cJSON *item, const struct json_place *place, struct answer_parameter *to,
                      struct error *error)
{
    static const int64_t exact = (int64_t)1 << 53; /* of the integers that all readers of JSON keep */
    const cJSON *value, *type;
    const struct json_member members[] = {{"value", &value, true}, {"type", &type, true}};
    const struct json_place of_value = json_below(place, "value");
    int code = json_text_members(item, place, members, 2, error);
    if (!code)
        code = read_type(type, place, &to->bytes, error);
    const bool narrow = to->bytes == 4;
    return code ? code
                : json_integer(value, &of_value, narrow ? INT32_MIN : -exact, narrow ? INT32_MAX : exact, &to->value,
                               error);
}

static int read_null(const cJSON *item, const struct json_place *place, struct answer_parameter *to,
                     struct error *error)
{
    enum { BYTES_MAX = 4096 };
    const cJSON *null;
    const struct json_member members[] = {{"null", &null, true}};
    const struct json_place of_null = json_below(place, "null");
    int64_t number = 0;
    int code = json_text_members(item, place, members, 1, error);
    if (!code)
        code = json_integer(null, &of_null, 1, BYTES_MAX, &number, error);
    to->bytes = (uint32_t)number;
    return code;
}

static int read_scratch(const cJSON *item, const struct json_place *place, struct answer_parameter *to,
                        struct error *error)
{
    enum { ALIGNMENT_MAX = 256 };
    static const int64_t bytes_max = (int64_t)1 << 40;
    const cJSON *scratch, *alignment;
    const struct json_member members[] = {{"scratch", &scratch, true}, {"alignment", &alignment, true}};
    const struct json_place of_scratch = json_below(place, "scratch"), of_alignment = json_below(place, "alignment");
    char at[JSON_NAME_BYTES];
    int64_t bytes = 0, number = 1;
    int code = json_text_members(item, place, members, 2, error);
    if (!code)
        code = json_integer(scratch, &of_scratch, 0, bytes_max, &bytes, error);
    if (!code)
        code = json_integer(alignment, &of_alignment, 1, ALIGNMENT_MAX, &number, error);
    if (!code && (number & (number - 1)))
        code = error_set(error, ERROR_DATA, "%s is %lld: it must be a power of two", json_name(&of_alignment, at),
                         (long long)number);
    to->scratch_bytes = (uint64_t)bytes;
    to->alignment = (uint32_t)number;
    return code;
}

static int read_parameter(const cJSON *item, const cJSON *kernel, const struct json_place *place,
                          struct answer_parameter *to, struct error *error)
{
    const cJSON *found;
    char at[JSON_NAME_BYTES];
    *to = (struct answer_parameter){.kind = ANSWER_ARGUMENT};
    if (cJSON_IsString(item))
        return find_argument(kernel, item->valuestring, place, &to->argument, &found, error);
    if (cJSON_GetObjectItemCaseSensitive(item, "tensor_map")) {
        to->kind = ANSWER_MAP;
        return read_map(item, kernel, place, to, error);
    }
    if (cJSON_GetObjectItemCaseSensitive(item, "value")) {
        to->kind = ANSWER_VALUE;
        return read_value(item, place, to, error);
    }
    if (cJSON_GetObjectItemCaseSensitive(item, "null")) {
        to->kind = ANSWER_NULL;
        return read_null(item, place, to, error);
    }
    if (cJSON_GetObjectItemCaseSensitive(item, "scratch")) {
        to->kind = ANSWER_SCRATCH;
        return read_scratch(item, place, to, error);
    }
    if (cJSON_GetObjectItemCaseSensitive(item, "extent")) {
        to->kind = ANSWER_EXTENT;
        return read_measure(item, kernel, "extent", place, to, error);
    }
    if (cJSON_GetObjectItemCaseSensitive(item, "stride")) {
        to->kind = ANSWER_STRIDE;
        return read_measure(item, kernel, "stride", place, to, error);
    }
    return error_set(error, ERROR_DATA,
                     "%s is no parameter: it must be an argument's name, or an object with 'extent', 'stride', "
                     "'tensor_map', 'value', 'null', 'scratch' or 'struct'",
                     json_name(place, at));
}

static int next_parameter(struct command_answer *answer, struct answer_parameter **to, const struct json_place *place,
                          struct error *error)
{
    char at[JSON_NAME_BYTES];
    if (answer->parameter_count == ANSWER_PARAMETERS_MAX)
        return error_set(error, ERROR_DATA, "%s is beyond the %d parameters that an answer may have in all",
                         json_name(place, at), ANSWER_PARAMETERS_MAX);
    *to = &answer->parameters[answer->parameter_count++];
    return 0;
}

/* Reads {"struct": ["x", {"value": 4, "type": "int"}, {"null": 4}]}. */
static int read_struct(const cJSON *item, const cJSON *kernel, const struct json_place *place,
                       struct command_answer *answer, struct answer_parameter *to, struct error *error)
{
    static const char *const no_members[] = {"tensor_map", "scratch", "struct"};
    const cJSON *list, *member;
    const struct json_member members[] = {{"struct", &list, true}};
    const struct json_place of_list = json_below(place, "struct");
    struct answer_parameter *each = NULL;
    char at[JSON_NAME_BYTES];
    int code = json_text_members(item, place, members, 1, error);
    if (!code)
        code = json_array(list, &of_list, 1, ANSWER_PARAMETERS_MAX, error);
    *to = (struct answer_parameter){.kind = ANSWER_STRUCT};
    if (code)
        return code;
    cJSON_ArrayForEach(member, list)
    {
        const struct json_place of_member = json_at(&of_list, to->members++);
        if ((code = next_parameter(answer, &each, &of_member, error)))
            return code;
        for (size_t i = 0; i < sizeof no_members / sizeof *no_members; i++)
            if (cJSON_GetObjectItemCaseSensitive(member, no_members[i]))
                return error_set(error, ERROR_DATA,
                                 "%s has '%s': a struct may have arguments, extents, strides, values and zeros",
                                 json_name(&of_member, at), no_members[i]);
        if ((code = read_parameter(member, kernel, &of_member, each, error)))
            return code;
    }
    return 0;
}

static int read_parameters(const cJSON *list, const cJSON *kernel, const struct json_place *of,
                           struct command_answer *answer, struct kernel_answer *to, struct error *error)
{
    const struct json_place place = json_below(of, "parameters");
    const cJSON *item;
    size_t i = 0;
    if (!list)
        return 0;
    const size_t first = answer->parameter_count;
    struct answer_parameter *parameter = NULL;
    int code = json_array(list, &place, 0, ANSWER_PARAMETERS_MAX - first, error);
    if (code)
        return code;
    to->lists = 1;
    cJSON_ArrayForEach(item, list)
    {
        const struct json_place at = json_at(&place, i++);
        if ((code = next_parameter(answer, &parameter, &at, error)))
            return code;
        code = cJSON_GetObjectItemCaseSensitive(item, "struct")
                   ? read_struct(item, kernel, &at, answer, parameter, error)
                   : read_parameter(item, kernel, &at, parameter, error);
        if (code)
            return code;
    }
    to->parameter_count = (uint32_t)(answer->parameter_count - first);
    return 0;
}

/* ---- Kernels ---- */

static int read_kernel(const cJSON *item, const cJSON *asked, size_t number, struct command_answer *answer,
                       struct error *error)
{
    const struct json_place kernels = json_below(&whole, "kernels"), place = json_at(&kernels, number),
                            of_entry = json_below(&place, "entry"), of_file = json_below(&place, "file"),
                            of_shared = json_below(&place, "shared"),
                            of_cooperative = json_below(&place, "cooperative"),
                            of_programmatic = json_below(&place, "programmatic");
    struct kernel_answer *to = &answer->answers[number];
    const cJSON *entry, *file, *block, *grid, *shared, *cluster, *cooperative, *programmatic, *parameters;
    const struct json_member members[] = {{"entry", &entry, true},
                                          {"file", &file, false},
                                          {"block", &block, false},
                                          {"grid", &grid, false},
                                          {"shared", &shared, false},
                                          {"cluster", &cluster, false},
                                          {"cooperative", &cooperative, false},
                                          {"programmatic", &programmatic, false},
                                          {"parameters", &parameters, false}};
    *to = (struct kernel_answer){.shared_bytes = -1};
    int code = json_text_members(item, &place, members, sizeof members / sizeof *members, error);
    if (!code)
        code = json_string(entry, &of_entry, &answer->kernels[number].entry, error);
    if (!code && file)
        code = json_string(file, &of_file, &answer->kernels[number].file, error);
    if (!code)
        code = read_sizes(block, &place, &block_sizes, to->block, error);
    if (!code)
        code = read_sizes(grid, &place, &grid_sizes, to->grid, error);
    if (!code)
        code = read_sizes(cluster, &place, &cluster_sizes, to->cluster, error);
    if (!code && shared)
        code = json_integer(shared, &of_shared, 0, INT32_MAX, &to->shared_bytes, error);
    if (!code && cooperative)
        code = json_bool(cooperative, &of_cooperative, &to->cooperative, error);
    if (!code && programmatic)
        code = json_bool(programmatic, &of_programmatic, &to->programmatic, error);
    return code ? code : read_parameters(parameters, asked, &place, answer, to, error);
}

static int read_kernels(const cJSON *kernels, const struct command_request *request, struct command_answer *answer,
                        struct error *error)
{
    const struct json_place place = json_below(&whole, "kernels");
    const cJSON *asked = request->kernels->child, *item;
    size_t number = 0;
    if (cJSON_IsArray(kernels) && (size_t)cJSON_GetArraySize(kernels) != request->kernel_count)
        return error_set(error, ERROR_DATA, "the answer has %d kernels: the request has %zu",
                         cJSON_GetArraySize(kernels), request->kernel_count);
    int code = json_array(kernels, &place, 1, COMPILE_KERNELS_MAX, error);
    if (code)
        return code;
    cJSON_ArrayForEach(item, kernels)
    {
        if ((code = read_kernel(item, asked, number++, answer, error)))
            return code;
        asked = asked->next;
    }
    return 0;
}

/* ---- The whole ---- */

static int read_error(const cJSON *object, struct command_answer *answer, struct error *error)
{
    const cJSON *id, *text, *file, *line;
    const struct json_member members[] = {
        {"id", &id, true}, {"error", &text, true}, {"file", &file, false}, {"line", &line, false}};
    const struct json_place of_text = json_below(&whole, "error"), of_file = json_below(&whole, "file"),
                            of_line = json_below(&whole, "line");
    const char *said = "", *path = "";
    int64_t number = 0;
    int code = json_text_members(object, &whole, members, sizeof members / sizeof *members, error);
    if (!code)
        code = json_string(text, &of_text, &said, error);
    if (!code && file)
        code = json_string(file, &of_file, &path, error);
    if (!code && line)
        code = json_integer(line, &of_line, 1, INT32_MAX, &number, error);
    if (code)
        return code;
    text_printf(&answer->error, "%s", path);
    if (number)
        text_printf(&answer->error, "%s%lld", *path ? ":" : "line ", (long long)number);
    text_printf(&answer->error, "%s%s", answer->error.length ? ": " : "", said);
    return answer->error.failed ? error_memory(error) : 0;
}

static int read_code(const cJSON *object, const struct command_request *request, struct command_answer *answer,
                     struct error *error)
{
    const cJSON *id, *kernels, *files, *ptxas;
    const struct json_member members[] = {
        {"id", &id, true}, {"kernels", &kernels, true}, {"files", &files, false}, {"ptxas", &ptxas, false}};
    const struct json_place of_files = json_below(&whole, "files"), of_ptxas = json_below(&whole, "ptxas");
    int code = json_text_members(object, &whole, members, sizeof members / sizeof *members, error);
    if (!code && files)
        code = json_strings(files, &of_files, &answer->files, error);
    if (!code && ptxas)
        code = json_string(ptxas, &of_ptxas, &answer->ptxas, error);
    return code ? code : read_kernels(kernels, request, answer, error);
}

int command_answer_read(struct command_answer *answer, const struct text *line, uint64_t id,
                        const struct command_request *request, struct error *error)
{
    memset(answer, 0, sizeof *answer);
    if (json_object(text_string(line), line->length, "the answer", &answer->tree, error)) {
        if (error)
            error->code = ERROR_WORKER;
        return ERROR_WORKER;
    }
    const cJSON *said = cJSON_GetObjectItemCaseSensitive(answer->tree, "id");
    if (!cJSON_IsNumber(said) || said->valuedouble != (double)id)
        return error_set(error, ERROR_WORKER, "the answer has %s: the request's id is %llu",
                         cJSON_IsNumber(said) ? "another id" : "no id", (unsigned long long)id);
    return cJSON_GetObjectItemCaseSensitive(answer->tree, "error") ? read_error(answer->tree, answer, error)
                                                                   : read_code(answer->tree, request, answer, error);
}

void command_answer_free(struct command_answer *answer)
{
    cJSON_Delete(answer->tree);
    text_free(&answer->files);
    text_free(&answer->error);
    answer->tree = NULL;
}
