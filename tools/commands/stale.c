#include "commands/stale.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/generator.h"
#include "commands/find.h"
#include "space/space.h"

/* Current versions of one kernel. */
struct found {
    const char *kernel;
    bool there;
    char source_hash[HASH_HEX_BYTES], space_hash[HASH_HEX_BYTES];
};

struct stale_check {
    struct arena arena;
    struct found *found;
    size_t count, room;
    const char **inputs; /* space files, and the files of their sources */
    size_t input_count, input_room;
    bool looks;
};

const char *stale_name(enum stale stale)
{
    return stale == STALE_UNKNOWN ? "" : stale == STALE_NO ? "current" : "stale";
}

static struct found *find(const struct stale_check *check, const char *kernel)
{
    for (size_t i = 0; i < check->count; i++)
        if (strcmp(check->found[i].kernel, kernel) == 0)
            return &check->found[i];
    return NULL;
}

/* `space` NULL: not found. */
static struct found *add(struct stale_check *check, const char *kernel, const struct space *space)
{
    if (check->count == check->room) {
        size_t room = check->room * 2 + 8;
        struct found *grown = realloc(check->found, room * sizeof *grown);
        if (!grown)
            return NULL;
        check->found = grown;
        check->room = room;
    }
    struct found *found = &check->found[check->count];
    *found = (struct found){.kernel = arena_copy(&check->arena, kernel, strlen(kernel)), .there = space != NULL};
    if (!found->kernel)
        return NULL;
    if (space) {
        memcpy(found->source_hash, space->source_hash, sizeof found->source_hash);
        memcpy(found->space_hash, space->text_hash, sizeof found->space_hash);
    }
    check->count++;
    return found;
}

static int add_input(void *context, const char *path, struct error *error)
{
    struct stale_check *check = context;
    if (check->input_count == check->input_room) {
        size_t room = 2 * check->input_room + 8;
        const char **grown = arena_array(&check->arena, room, sizeof *grown);
        if (!grown)
            return error_memory(error);
        if (check->input_count)
            memcpy(grown, check->inputs, check->input_count * sizeof *grown);
        check->inputs = grown;
        check->input_room = room;
    }
    const char *copy = arena_copy(&check->arena, path, strlen(path));
    check->inputs[check->input_count] = copy;
    check->input_count += copy != NULL;
    return copy ? 0 : error_memory(error);
}

static int add_given(struct stale_check *check, const char *name, struct error *error)
{
    const char *path = find_space(&check->arena, name, error);
    struct space *space = NULL;
    int code = path ? space_parse(&space, path, error) : (int)error->code;
    if (!code && !space->kernel)
        code = error_set(error, ERROR_DATA, "%s has no kernel, so no row comes from it", path);
    if (!code && find(check, space->name))
        code = error_set(error, ERROR_USAGE, "--space: a second space of the kernel %s", space->name);
    if (!code && !add(check, space->name, space))
        code = error_memory(error);
    if (!code)
        code = add_input(check, path, error);
    if (!code)
        code = space->generated ? 0 : add_input(check, space->source_path, error);
    if (!code && space->source_command)
        code = generator_each_file(space->source_command, space->source_folder, add_input, check, error);
    if (!code && space->compiler_command)
        code = generator_each_file(space->compiler_command, space->compiler_folder, add_input, check, error);
    space_free(space);
    return code;
}

const char *const *stale_inputs(const struct stale_check *check, size_t *count)
{
    *count = check->input_count;
    return check->inputs;
}

int stale_open(struct stale_check **result, const struct option_list *spaces, bool looks, struct error *error)
{
    struct stale_check *check = calloc(1, sizeof *check);
    int code = check ? 0 : error_memory(error);
    *result = NULL;
    if (check)
        check->looks = looks;
    for (size_t i = 0; i < spaces->count && !code; i++)
        code = add_given(check, spaces->items[i], error);
    if (code)
        stale_close(check);
    else
        *result = check;
    return code;
}

static struct found *look(struct stale_check *check, const char *kernel)
{
    struct error error = {0};
    struct space *space = NULL;
    const char *path = check->looks ? find_kernel_space(&check->arena, kernel, &error) : NULL;
    if (path)
        space_parse(&space, path, &error);
    bool right = space && space->kernel && strcmp(space->name, kernel) == 0;
    struct found *found = add(check, kernel, right ? space : NULL);
    space_free(space);
    return found;
}

int stale_row(struct stale_check *check, const struct best *best, enum stale *stale, struct error *error)
{
    struct found *found = find(check, best->provenance.kernel);
    *stale = STALE_UNKNOWN;
    if (!*best->provenance.source_hash || !*best->provenance.space_hash)
        return 0;
    if (!found && !(found = look(check, best->provenance.kernel)))
        return error_memory(error);
    if (found->there)
        *stale = strcmp(found->source_hash, best->provenance.source_hash) != 0 ? STALE_SOURCE
                 : strcmp(found->space_hash, best->provenance.space_hash) != 0 ? STALE_SPACE
                                                                               : STALE_NO;
    return 0;
}

void stale_close(struct stale_check *check)
{
    if (!check)
        return;
    free(check->found);
    arena_free(&check->arena);
    free(check);
}
