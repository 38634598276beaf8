#include "device/special.h"

#include "base/random.h"
#include "device/buffers.h"
#include "device/gpu.h"

/* KINDS: as in kernels.cu. MOST: about so many elements of a buffer, and at most a quarter of it: a kernel that
 * combines elements has other results, too. */
enum { KINDS = 5, MOST = 16, SHARE = 4 };

/* One kind in a launch, because the order of additions decides what a sum of several is. */
static int kind_of(uint64_t seed)
{
    return (int)(random_mix(seed, KINDS) % (2 * (uint64_t)KINDS));
}

bool special_suits(uint64_t seed, uint64_t launch)
{
    const int kind = kind_of(seed);
    return launch % 2 ? kind == (int)(launch / 2 % KINDS) : kind >= KINDS;
}

int gpu_make_special(struct gpu *gpu, const struct gpu_buffer *buffer, struct error *error)
{
    unsigned long long count = buffer->count, seed = random_mix(gpu->seed, (uint64_t)(buffer - gpu->buffers)),
                       often = UINT64_MAX / (count / MOST > SHARE ? count / MOST : SHARE);
    int scalar = (int)buffer->scalar, kind = kind_of(gpu->seed);
    unsigned char *data = buffer->data;
    void *arguments[] = {&data, &count, &scalar, &kind, &seed, &often};
    if (!gpu->sampling.special || buffer->fill != FILL_RANDOM || buffer->range.given ||
        buffer->type->family != FAMILY_FLOAT || kind >= KINDS)
        return 0;
    return gpu_helper(gpu, HELPER_SPECIAL, count, arguments, error);
}
