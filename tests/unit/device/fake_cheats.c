/* Kernels of the fake runtime that cheat: they replay outputs that they keep, or take them from memory. Their first
 * arguments are those of `twice`: the output, the input, the number of floats. */
#include <stdlib.h>
#include <string.h>

#include "fake_private.h"

enum { KEPT_MAX = 256 };
struct fake_kept {
    size_t count;
    struct {
        uint64_t key;
        float *output;
    } outputs[KEPT_MAX];
};

static size_t bytes_of(const uint64_t *arguments)
{
    return (size_t)(uint32_t)arguments[2] * sizeof(float);
}

/* Writes the output that is kept under the key; else runs the kernel and keeps its output. */
static void replay(const struct fake_kernel *kernel, const uint64_t *arguments, uint64_t key)
{
    struct fake_loaded *loaded = kernel->loaded;
    float *output = (float *)(uintptr_t)arguments[0];
    if (!loaded->kept && !(loaded->kept = calloc(1, sizeof *loaded->kept)))
        abort();
    struct fake_kept *kept = loaded->kept;
    for (size_t i = 0; i < kept->count; i++)
        if (kept->outputs[i].key == key) {
            memcpy(output, kept->outputs[i].output, bytes_of(arguments));
            return;
        }
    kernel->run(arguments);
    if (kept->count == KEPT_MAX)
        return;
    float *copy = malloc(bytes_of(arguments));
    if (!copy)
        abort();
    memcpy(copy, output, bytes_of(arguments));
    kept->outputs[kept->count].key = key;
    kept->outputs[kept->count++].output = copy;
}

void fake_forget_kept(struct fake_loaded *loaded)
{
    for (size_t i = 0; loaded->kept && i < loaded->kept->count; i++)
        free(loaded->kept->outputs[i].output);
    free(loaded->kept);
    loaded->kept = NULL;
}

/* Searches all device memory for the first right floats, and copies the output that begins with them. */
static void steal(const uint64_t *arguments)
{
    enum { FLOATS = 16 };
    float *output = (float *)(uintptr_t)arguments[0];
    const float *input = (const float *)(uintptr_t)arguments[1];
    float right[FLOATS];
    for (size_t i = 0; i < FLOATS; i++)
        right[i] = 2 * input[i];
    const void *found = fake_find_bytes(right, sizeof right, bytes_of(arguments));
    if (found)
        memmove(output, found, bytes_of(arguments));
}

/* True if most of the output is right, from an earlier launch. */
static bool is_kept(const uint64_t *arguments)
{
    const float *output = (const float *)(uintptr_t)arguments[0], *input = (const float *)(uintptr_t)arguments[1];
    const size_t count = (size_t)(uint32_t)arguments[2];
    size_t right = 0;
    for (size_t i = 0; i < count; i++)
        right += output[i] == 2 * input[i];
    return right > count / 2;
}

bool fake_cheats(const struct fake_kernel *kernel, const uint64_t *arguments, enum fake_fault cheat)
{
    uint64_t key = 0;
    switch (cheat) {
    case FAKE_replay:
        replay(kernel, arguments, 0);
        return true;
    case FAKE_place_cache:
        replay(kernel, arguments, arguments[1]);
        return true;
    case FAKE_data_cache:
        memcpy(&key, (const void *)(uintptr_t)arguments[1], sizeof(float));
        replay(kernel, arguments, key);
        return true;
    case FAKE_output_kept:
        return is_kept(arguments);
    case FAKE_steal:
        steal(arguments);
        return true;
    default:
        return false;
    }
}
