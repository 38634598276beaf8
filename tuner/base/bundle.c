#include "base/bundle.h"

#include <stdio.h>
#include <string.h>

#include "base/pack.h"

static const char magic[] = "cutune's bundle"; /* with its NUL, 16 bytes; a cubin begins with another text */

size_t bundle_option_count(const struct bundle_plan *plan)
{
    size_t count = 0;
    for (size_t p = 0; p < plan->part_count; p++)
        count += plan->option_counts[p];
    return count;
}

void bundle_write(struct text *text, const struct bundle *bundle, size_t kernel_count)
{
    text_append(text, magic, sizeof magic);
    pack_u64(text, bundle->part_count);
    pack_u64(text, kernel_count);
    for (size_t k = 0; k < kernel_count; k++)
        pack_u64(text, bundle->of[k]);
    for (size_t p = 0; p < bundle->part_count; p++)
        pack_bytes(text, bundle->parts[p].bytes, bundle->parts[p].length);
}

bool bundle_read(const void *bytes, size_t length, struct bundle *bundle)
{
    *bundle = (struct bundle){.part_count = 1, .parts = {{bytes, length}}};
    if (length < sizeof magic || memcmp(bytes, magic, sizeof magic) != 0)
        return true;
    struct unpack unpack = unpack_start((const char *)bytes + sizeof magic, length - sizeof magic);
    bundle->part_count = (size_t)unpack_u64(&unpack);
    const uint64_t kernels = unpack_u64(&unpack);
    bool good = bundle->part_count && bundle->part_count <= BUNDLE_PARTS_MAX && kernels <= BUNDLE_KERNELS_MAX;
    for (size_t k = 0; k < kernels && good; k++) {
        bundle->of[k] = (uint32_t)unpack_u64(&unpack);
        good = bundle->of[k] < bundle->part_count;
    }
    for (size_t p = 0; p < bundle->part_count && good; p++) {
        bundle->parts[p].bytes = unpack_bytes(&unpack, &bundle->parts[p].length);
        good = !unpack.failed && bundle->parts[p].length > 0;
    }
    return good && unpack_finished(&unpack);
}

struct bundle_part bundle_part_of(const void *bytes, size_t length, size_t kernel)
{
    struct bundle bundle;
    const bool good = bundle_read(bytes, length, &bundle) && kernel < BUNDLE_KERNELS_MAX;
    return good ? bundle.parts[bundle.of[kernel]] : (struct bundle_part){bytes, length};
}

void bundle_log_begin(struct text *log, size_t part)
{
    text_printf(log, "cutune: compilation %zu\n", part);
}

const char *bundle_log(const char *log, size_t part)
{
    char line[64];
    snprintf(line, sizeof line, "cutune: compilation %zu\n", part);
    const char *found = strstr(log, line);
    return found ? found + strlen(line) : log;
}
