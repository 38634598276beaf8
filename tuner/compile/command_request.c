#include "compile/command_request.h"

#include <stdbool.h>
#include <string.h>

#include "compile/command.h"

/* ---- Members as text: a number may be longer than a double ---- */

struct member {
    cJSON *name; /* owned */
    const char *begin, *value, *end;
};

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

static const char *skip_value(const char *at)
{
    cJSON_Delete(cJSON_ParseWithOpts(at, &at, 0));
    return at;
}

/* Takes the next member of a valid object; *at is behind its brace or the last member. */
static bool next_member(const char **at, struct member *member)
{
    const char *from = skip_blanks(*at);
    from = skip_blanks(from + (*from == ','));
    cJSON_Delete(member->name);
    member->begin = from;
    member->name = cJSON_ParseWithOpts(from, &from, 0);
    if (!cJSON_IsString(member->name))
        return false;
    from = skip_blanks(from);
    member->value = skip_blanks(from + (*from == ':'));
    member->end = *at = skip_value(member->value);
    return true;
}

static void append_member(struct text *members, const struct member *member)
{
    text_append(members, ",", members->length && members->bytes[members->length - 1] != '{');
    text_append(members, member->begin, (size_t)(member->end - member->begin));
}

static void append_params(struct text *members, const char *object, const struct command_hello *hello)
{
    struct member member = {0};
    const char *at = object + 1;
    text_printf(members, "%s\"params\":{", members->length ? "," : "");
    while (next_member(&at, &member))
        if (command_hello_uses(hello, member.name->valuestring))
            append_member(members, &member);
    text_append(members, "}", 1);
    cJSON_Delete(member.name);
}

/* ---- The request ---- */

int command_request_read(struct command_request *request, const char *text, const struct command_hello *hello,
                         struct error *error)
{
    struct member member = {0};
    *request = (struct command_request){.tree = cJSON_ParseWithOpts(text, NULL, 1)};
    const cJSON *architecture = cJSON_GetObjectItemCaseSensitive(request->tree, "architecture");
    request->kernels = cJSON_GetObjectItemCaseSensitive(request->tree, "kernels");
    request->kernel_count = (size_t)cJSON_GetArraySize(request->kernels);
    request->architecture = cJSON_GetStringValue(architecture);
    if (strchr(text, '\n') || !cJSON_IsObject(request->tree) || !cJSON_IsArray(request->kernels) ||
        !request->architecture || !request->kernel_count || request->kernel_count > COMPILE_KERNELS_MAX) {
        command_request_free(request);
        return error_set(error, ERROR_USAGE, "this is not a request to a compiler command: %.100s", text);
    }
    for (const char *at = skip_blanks(text) + 1; next_member(&at, &member);)
        if (strcmp(member.name->valuestring, "params") == 0 && *member.value == '{')
            append_params(&request->members, member.value, hello);
        else
            append_member(&request->members, &member);
    cJSON_Delete(member.name);
    if (!request->members.failed)
        return 0;
    command_request_free(request);
    return error_memory(error);
}

void command_request_free(struct command_request *request)
{
    cJSON_Delete(request->tree);
    text_free(&request->members);
    *request = (struct command_request){0};
}

void command_request_write(const struct command_request *request, uint64_t id, const char *outputs, struct text *line)
{
    text_printf(line, "{\"schema\":%d,\"id\":%llu,\"outputs\":[", COMMAND_SCHEMA, (unsigned long long)id);
    for (size_t k = 0; k < request->kernel_count; k++, outputs += strlen(outputs) + 1) {
        text_printf(line, "%s\"", k ? "," : "");
        for (const char *at = outputs; *at; at++) {
            if (*at == '"' || *at == '\\')
                text_append(line, "\\", 1);
            text_append(line, at, 1);
        }
        text_append(line, "\"", 1);
    }
    text_append(line, "],", 2);
    text_append(line, request->members.bytes, request->members.length);
    text_append(line, "}\n", 2);
}
