#include "commands/check_reference.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/npy.h"
#include "base/random.h"
#include "evaluate/command.h"
#include "terminal/stop.h"

static const int64_t timeout_ns = 600 * (int64_t)1000000000;

/* ---- Inputs ---- */

enum { CHUNK_NUMBERS = 1 << 16, NUMBER_BYTES_MAX = 8, FLOAT_BITS = 24 };

/* A number of a random fill: within its bounds; without them from -1 to 1, or any integer. */
static void put_random(const struct buffer *buffer, struct random *random, unsigned char *bytes)
{
    const struct element_type *scalar = element_component(buffer->type);
    const struct fill_range *range = &buffer->range;
    uint64_t bits = random_u64(random);
    if (scalar->family == FAMILY_FLOAT) {
        double low = -1, high = 1;
        if (range->given) {
            memcpy(&low, &range->low, sizeof low);
            memcpy(&high, &range->high, sizeof high);
        }
        element_put_real(scalar, low + (high - low) * random_unit(random), bytes);
        return;
    }
    if (range->given) {
        uint64_t span = range->high - range->low;
        bits = range->low + (span == UINT64_MAX ? bits : random_below(random, span + 1));
    }
    memcpy(bytes, &bits, scalar->bytes);
    if (scalar->scalar == SCALAR_bool)
        bytes[0] &= 1;
}

/* The numbers of iota are those of a run: small formats of floats wrap, too. */
static void put_number(const struct buffer *buffer, uint64_t number, struct random *random, unsigned char *bytes)
{
    const struct element_type *scalar = element_component(buffer->type);
    memset(bytes, 0, NUMBER_BYTES_MAX);
    if (buffer->fill == FILL_RANDOM)
        put_random(buffer, random, bytes);
    else if (buffer->fill == FILL_IOTA && scalar->family == FAMILY_FLOAT)
        element_put_real(scalar, (double)(scalar->bits < FLOAT_BITS ? number % (1u << scalar->bits) : number), bytes);
    else if (buffer->fill == FILL_IOTA)
        memcpy(bytes, &number, scalar->bytes); /* small integers wrap */
}

static int write_numbers(const struct buffer *buffer, FILE *file)
{
    uint32_t bytes = element_component(buffer->type)->bytes;
    uint64_t count = buffer->count * buffer->type->components;
    unsigned char *chunk = malloc((size_t)CHUNK_NUMBERS * bytes + NUMBER_BYTES_MAX);
    struct random random;
    bool good = chunk;
    random_seed(&random, 1);
    for (uint64_t at = 0; at < count && good;) {
        size_t fill = 0;
        for (; fill < CHUNK_NUMBERS && at < count; fill++, at++)
            put_number(buffer, at, &random, chunk + fill * bytes);
        good = fwrite(chunk, bytes, fill, file) == fill;
    }
    free(chunk);
    return good;
}

static bool copy_file(const struct buffer *buffer, FILE *to)
{
    char chunk[1 << 16];
    uint64_t left = buffer->count * buffer->type->bytes;
    FILE *from = fopen(buffer->path, "rbe");
    bool good = from && fseeko(from, (off_t)buffer->file_offset, SEEK_SET) == 0;
    while (good && left) {
        size_t want = left < sizeof chunk ? (size_t)left : sizeof chunk;
        good = fread(chunk, 1, want, from) == want && fwrite(chunk, 1, want, to) == want;
        left -= want;
    }
    if (from)
        fclose(from);
    return good;
}

static int write_input(const struct buffer *buffer, const char *folder, struct error *error)
{
    const struct element_type *type = buffer->type;
    char path[PATH_MAX];
    struct text head = {0};
    if (snprintf(path, sizeof path, "%s/%s.npy", folder, buffer->name) >= (int)sizeof path)
        return error_set(error, ERROR_IO, "the path of the temporary folder is too long");
    npy_head(&head, element_npy_kind(type), type->bytes / type->components, buffer->count, type->components);
    FILE *file = head.failed ? NULL : fopen(path, "wbe");
    bool good = file && fwrite(head.bytes, 1, head.length, file) == head.length &&
                (buffer->fill == FILL_FILE ? copy_file(buffer, file) : write_numbers(buffer, file));
    if (file)
        good &= fclose(file) == 0;
    text_free(&head);
    return good ? 0 : error_errno(error, ERROR_IO, "cannot write %s", path);
}

/* ---- Outputs ---- */

/* "float[1000]" of raw data, or the shape of an array: "float[500,2]". */
static int say_elements(const struct buffer *buffer, const char *path, struct text *elements, struct error *error)
{
    size_t length = strlen(path);
    struct npy npy;
    text_clear(elements);
    text_printf(elements, "%s[", buffer->type->name);
    if (length > 4 && strcmp(path + length - 4, ".npy") == 0) {
        int code = npy_open(path, &npy, error);
        if (code)
            return code;
        for (size_t i = 0; i < npy.axes; i++)
            text_printf(elements, "%s%llu", i ? "," : "", (unsigned long long)npy.shape[i]);
    } else {
        text_printf(elements, "%llu", (unsigned long long)(buffer->count - buffer->ignored));
    }
    text_printf(elements, "]");
    return elements->failed ? error_memory(error) : 0;
}

static int take_outputs(const struct space *space, const struct device_file *expected, check_reference_take *take,
                        void *context, struct error *error)
{
    struct text elements = {0};
    int code = 0;
    for (size_t i = 0; i < space->buffer_count && !code; i++) {
        const struct buffer *buffer = &space->buffers[i];
        const char *path = buffer->expected_path ? buffer->expected_path : expected[i].path;
        if (!path)
            continue;
        code = say_elements(buffer, path, &elements, error);
        if (!code)
            take(context, buffer->name, text_string(&elements),
                 buffer->expected_path ? path : space->reference_command);
    }
    text_free(&elements);
    return code;
}

/* ---- The command ---- */

/* A command that fails may have looked for another name. */
static void hint_inputs(const struct space *space, struct error *error)
{
    struct text names = {0};
    for (size_t i = 0; i < space->buffer_count; i++)
        if (space->buffers[i].fill != FILL_NONE)
            text_printf(&names, "%s%s.npy", names.length ? ", " : "", space->buffers[i].name);
    error_hint(error, "the folder that is its last argument has %s", names.length ? text_string(&names) : "no input");
    text_free(&names);
}

static int run_command(const struct space *space, struct command *command, struct device_file *expected,
                       struct error *error)
{
    uint32_t choices[SPACE_PARAMETERS_MAX];
    int code = command_open(command, space, error);
    for (size_t i = 0; i < space->buffer_count && !code; i++)
        if (space->buffers[i].fill != FILL_NONE)
            code = write_input(&space->buffers[i], command->folder.path, error);
    space_default(space, choices);
    if (!code)
        code = command_run(command, space, choices, timeout_ns, stop_requests, expected, error);
    if (code == ERROR_VALUE && !*error->hint)
        hint_inputs(space, error);
    if (code)
        space_put_place(&(struct space_place){space->reference->source, space->reference->line, 1}, error);
    return code;
}

int check_reference(struct space *space, check_reference_take *take, void *context, struct error *error)
{
    struct command command = {.keeper = {0}};
    struct device_file *expected = calloc(space->buffer_count + 1, sizeof *expected);
    bool some = space->reference_kind == REFERENCE_COMMAND;
    int code = expected ? space_check_files(space, error) : error_memory(error);
    for (size_t i = 0; i < space->buffer_count; i++)
        some |= space->buffers[i].expected_path != NULL;
    if (!code && !some) {
        code = error_set(error, ERROR_USAGE, "--reference: the reference of %s is neither a command nor a file",
                         space->path);
        error_hint(error, "--compile default compiles a reference that is a kernel, and compares its arguments");
    }
    if (!code && space->reference_kind == REFERENCE_COMMAND)
        code = run_command(space, &command, expected, error);
    if (!code)
        code = take_outputs(space, expected, take, context, error);
    command_close(&command);
    free(expected);
    return code;
}
