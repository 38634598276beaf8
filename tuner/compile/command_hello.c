#include "compile/command_hello.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/generator.h"
#include "base/hash.h"
#include "compile/command.h"
#include "compile/dependencies.h"
#include "compile/json_text.h"

bool compile_command_is_build(const char *build)
{
    return strncmp(build, COMMAND_BUILD, sizeof COMMAND_BUILD - 1) == 0;
}

void command_path(const struct compile_command *command, const char *path, struct text *to)
{
    if (*path != '/' && *command->folder)
        text_printf(to, "%s/", command->folder);
    text_append(to, path, strlen(path) + 1);
}

/* ---- Reading ---- */

static const struct json_place whole = {.what = "the hello"};

/* A text for people and for journals: printable, in one line. */
static int read_label(const cJSON *item, const char *member, const char **label, struct error *error)
{
    const struct json_place place = json_below(&whole, member);
    int code = json_string(item, &place, label, error);
    for (const char *at = *label; !code && *at; at++)
        if (*at < ' ' || *at > '~')
            code = error_set(error, ERROR_DATA, "the hello's %s is not printable ASCII", member);
    return code;
}

static int read_version(const cJSON *compiler, const cJSON *version, struct nvrtc_version *to, struct error *error)
{
    const char *name = "", *number = "";
    int code = read_label(compiler, "compiler", &name, error);
    if (!code)
        code = read_label(version, "version", &number, error);
    if (!code && snprintf(to->number, sizeof to->number, "%s %s", name, number) >= (int)sizeof to->number)
        code = error_set(error, ERROR_DATA,
                         "the hello's compiler and version are too long: '%.60s %.60s' has more than %zu "
                         "characters",
                         name, number, sizeof to->number - 1);
    return code;
}

static int read_packages(struct command_hello *hello, const struct compile_command *command, const cJSON *packages,
                         struct error *error)
{
    const struct json_place place = json_below(&whole, "packages");
    const cJSON *package;
    if (packages && !cJSON_IsObject(packages))
        return error_set(error, ERROR_DATA, "the hello's packages must be an object");
    cJSON_ArrayForEach(package, packages)
    {
        const cJSON *version = NULL, *file = NULL;
        const struct json_member members[] = {{"version", &version, true}, {"file", &file, false}};
        const struct json_place at = json_below(&place, package->string), of_version = json_below(&at, "version"),
                                of_file = json_below(&at, "file");
        const char *number = "", *path = NULL;
        int code = json_text_members(package, &at, members, 2, error);
        if (!code)
            code = json_string(version, &of_version, &number, error);
        if (!code && file)
            code = json_string(file, &of_file, &path, error);
        if (code)
            return code;
        text_printf(&hello->packages, "%s %s\n", package->string, number);
        if (path)
            command_path(command, path, &hello->files);
    }
    return 0;
}

static int read_lists(struct command_hello *hello, const struct compile_command *command, const cJSON *files,
                      const cJSON *variables, const cJSON *params, struct error *error)
{
    const struct json_place of_files = json_below(&whole, "files"), of_variables = json_below(&whole, "variables"),
                            of_params = json_below(&whole, "params");
    struct text paths = {0};
    int code = files ? json_strings(files, &of_files, &paths, error) : 0;
    for (size_t at = 0; !code && at < paths.length; at += strlen(paths.bytes + at) + 1)
        command_path(command, paths.bytes + at, &hello->own_files);
    text_append(&hello->files, text_string(&hello->own_files), hello->own_files.length);
    if (!code && variables)
        code = json_strings(variables, &of_variables, &hello->variables, error);
    if (!code && params)
        code = json_strings(params, &of_params, &hello->params, error);
    hello->lists_params = params != NULL;
    text_free(&paths);
    return code;
}

static int add_word(void *context, const char *path, struct error *error)
{
    (void)error;
    text_append(context, path, strlen(path) + 1);
    return 0;
}

/* ---- Identity ---- */

static void add_variables(struct text *text, const struct command_hello *hello)
{
    const char *at = text_string(&hello->variables), *end = at + hello->variables.length;
    for (; at < end; at += strlen(at) + 1) {
        const char *value = getenv(at);
        text_printf(text, "variable %s%s%s\n", at, value ? "=" : "", value ? value : "");
    }
}

static void add_states(struct text *states, const struct command_hello *hello)
{
    const char *at = text_string(&hello->files), *end = at + hello->files.length;
    for (; at < end; at += strlen(at) + 1)
        dependencies_state(states, at);
    add_variables(states, hello);
}

/* Folders are not part of the identity: the same files in another place make the same code. */
static int add_contents(struct text *digest, const struct command_hello *hello, struct error *error)
{
    const char *at = text_string(&hello->files), *end = at + hello->files.length;
    for (int code; at < end; at += strlen(at) + 1) {
        char content[HASH_HEX_BYTES];
        struct stat about;
        const char *slash = strrchr(at, '/');
        if (stat(at, &about) || !S_ISREG(about.st_mode))
            return error_set(error, ERROR_IO, "the hello names %s, which is not a file", at);
        if ((code = hash_file(at, (uint64_t)about.st_size, content, error)))
            return code;
        text_printf(digest, "file %s %s\n", slash ? slash + 1 : at, content);
    }
    return 0;
}

static int identify(struct command_hello *hello, const struct compile_command *command, struct error *error)
{
    struct text digest = {0};
    char hex[HASH_HEX_BYTES];
    text_clear(&hello->states);
    add_states(&hello->states, hello);
    text_printf(&digest, "command %s\nhello %s\n%sparams %d ", command->line, hello->version.number,
                text_string(&hello->packages), hello->lists_params);
    text_append(&digest, text_string(&hello->params), hello->params.length);
    add_variables(&digest, hello);
    int code = add_contents(&digest, hello, error);
    if (!code && (digest.failed || hello->states.failed))
        code = error_memory(error);
    if (!code) {
        hash_hex(digest.bytes, digest.length, hex);
        snprintf(hello->version.build, sizeof hello->version.build, COMMAND_BUILD "%s", hex);
    }
    text_free(&digest);
    return code;
}

int command_hello_renew(struct command_hello *hello, const struct compile_command *command, struct error *error)
{
    struct text states = {0};
    add_states(&states, hello);
    const bool same = !states.failed && states.length == hello->states.length &&
                      memcmp(text_string(&states), text_string(&hello->states), states.length) == 0;
    text_free(&states);
    return same ? 0 : identify(hello, command, error);
}

bool command_hello_uses(const struct command_hello *hello, const char *param)
{
    bool found = !hello->lists_params;
    const char *at = text_string(&hello->params), *end = at + hello->params.length;
    for (; at < end && !found; at += strlen(at) + 1)
        found = strcmp(at, param) == 0;
    return found;
}

/* Another schema may have other members, so it is checked first. */
static int check_schema(const cJSON *object, struct error *error)
{
    const struct json_place place = json_below(&whole, "schema");
    const cJSON *schema = cJSON_GetObjectItemCaseSensitive(object, "schema");
    int64_t number = COMMAND_SCHEMA;
    int code = schema ? json_integer(schema, &place, 1, INT32_MAX, &number, error) : 0;
    if (!code && number != COMMAND_SCHEMA)
        code = error_set(error, ERROR_DATA, "the hello has schema %lld: this cutune speaks schema %d",
                         (long long)number, COMMAND_SCHEMA);
    return code;
}

static int read_members(struct command_hello *hello, const struct compile_command *command, const cJSON *object,
                        struct error *error)
{
    const cJSON *schema, *compiler, *version, *packages, *files, *variables, *params;
    const struct json_member members[] = {{"schema", &schema, true},   {"compiler", &compiler, true},
                                          {"version", &version, true}, {"packages", &packages, false},
                                          {"files", &files, false},    {"variables", &variables, false},
                                          {"params", &params, false}};
    int code = check_schema(object, error);
    if (!code)
        code = json_text_members(object, &whole, members, sizeof members / sizeof *members, error);
    if (!code)
        code = read_version(compiler, version, &hello->version, error);
    if (!code)
        code = generator_each_file(command->line, *command->folder ? command->folder : ".", add_word, &hello->files,
                                   error);
    if (!code)
        code = read_packages(hello, command, packages, error);
    if (!code)
        code = read_lists(hello, command, files, variables, params, error);
    return code ? code : identify(hello, command, error);
}

int command_hello_read(struct command_hello *hello, const struct compile_command *command, const struct text *line,
                       struct error *error)
{
    cJSON *object;
    command_hello_free(hello);
    int code = json_object(text_string(line), line->length, "the hello", &object, error);
    if (!code)
        code = read_members(hello, command, object, error);
    text_append(&hello->line, text_string(line), line->length);
    cJSON_Delete(object);
    if (!code && (hello->line.failed || hello->files.failed || hello->packages.failed))
        code = error_memory(error);
    if (code)
        command_hello_free(hello);
    return code;
}

void command_hello_free(struct command_hello *hello)
{
    struct text *const texts[] = {&hello->line,      &hello->files,  &hello->own_files, &hello->packages,
                                  &hello->variables, &hello->params, &hello->states};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        text_free(texts[i]);
    *hello = (struct command_hello){0};
}

/* ---- The cache ---- */

static bool make_key(const struct compile_command *command, char key[HASH_HEX_BYTES])
{
    struct text digest = {0};
    char folder[PATH_MAX];
    bool good = realpath(*command->folder ? command->folder : ".", folder) != NULL;
    text_printf(&digest, "hello %d %s\n%s", COMMAND_SCHEMA, command->line, good ? folder : "");
    good = good && !digest.failed;
    if (good)
        hash_hex(digest.bytes, digest.length, key);
    text_free(&digest);
    return good;
}

/* The hello itself says which files matter: a second key covers their states. */
static bool make_own_key(const struct command_hello *hello, const char *key, int64_t before_s,
                         char own_key[HASH_HEX_BYTES])
{
    struct text digest = {0};
    bool good = dependencies_key(key, &hello->files, before_s, own_key);
    text_printf(&digest, "%s\n", own_key);
    add_variables(&digest, hello);
    good = good && !digest.failed;
    if (good)
        hash_hex(digest.bytes, digest.length, own_key);
    text_free(&digest);
    return good;
}

bool command_hello_recall(struct command_hello *hello, const struct compile_command *command,
                          const struct compile_cache *cache)
{
    struct text line = {0}, identity = {0};
    char key[HASH_HEX_BYTES], own_key[HASH_HEX_BYTES];
    bool found = make_key(command, key) && compile_cache_load(cache, key, &line) &&
                 !command_hello_read(hello, command, &line, NULL) && make_own_key(hello, key, INT64_MAX, own_key) &&
                 compile_cache_load(cache, own_key, &identity) &&
                 strcmp(text_string(&identity), hello->version.build) == 0;
    if (!found)
        command_hello_free(hello);
    text_free(&line);
    text_free(&identity);
    return found;
}

void command_hello_keep(const struct command_hello *hello, const struct compile_command *command,
                        const struct compile_cache *cache, int64_t started_s)
{
    char key[HASH_HEX_BYTES], own_key[HASH_HEX_BYTES];
    if (make_key(command, key) && make_own_key(hello, key, started_s, own_key) &&
        compile_cache_store(cache, own_key, hello->version.build, strlen(hello->version.build)))
        compile_cache_store(cache, key, hello->line.bytes, hello->line.length);
}
