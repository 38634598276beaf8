// Copy of an array through shared memory by the copy engine of a multiprocessor, beside copies by threads. One instruction of one
// thread moves a whole box by a bulk copy; threads need an instruction and registers, or at least an address, for every 16 bytes.
//
// METHOD  plain: loads and stores; async: cp.async, then stores; bulk: cp.async.bulk in and out; tensor1, tensor2: tensor copies of
//         one and two dimensions in and out
// BYTES   of a box: what a block moves at once
// STAGES  boxes in shared memory
// BLOCK   threads of a block; those of a bulk or tensor copy begin the copies one after the other, so one warp is enough
// BLOCKS  of the grid, for each multiprocessor; each takes every gridDim-th box. 0: as many as needed
// BOXES   that a block takes if BLOCKS is 0, one behind the other: blocks then begin where others end, so that fast multiprocessors
//         copy more

enum method { plain, async, bulk, tensor1, tensor2 };
enum {
    row = 1024, // bytes of a row of a box: tensor copies take at most 256 elements in each dimension
    vectors = BYTES / 16 / BLOCK > 0 ? BYTES / 16 / BLOCK : 1, // of a thread, in a box
    by_threads = METHOD == plain || METHOD == async
};

struct alignas(64) tensor_map {
    unsigned char bytes[128];
};

extern "C" __global__ void bulk_copy_naive(float *out, const float *in, long long count)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = in[i];
}

// The boxes of a block.
struct walk {
    long long number, end;

    __device__ walk(long long numbers)
        : number(BLOCKS ? blockIdx.x : blockIdx.x * (long long)BOXES), end(BLOCKS ? numbers : min(number + BOXES, numbers))
    {
    }
    __device__ long long stride() const { return BLOCKS ? gridDim.x : 1; }
};

static __device__ unsigned shared_address(const void *at)
{
    return (unsigned)__cvta_generic_to_shared(at);
}

// ---- Copies by threads ----

static __device__ void by_plain_loads(float4 *out, const float4 *in, long long count)
{
    for (walk w((count + BYTES / 16 - 1) / (BYTES / 16)); w.number < w.end; w.number += w.stride()) {
        const long long first = w.number * (BYTES / 16);
        float4 held[vectors];
#pragma unroll
        for (int u = 0; u < vectors; u++)
            if (first + u * BLOCK + threadIdx.x < count)
                held[u] = in[first + u * BLOCK + threadIdx.x];
#pragma unroll
        for (int u = 0; u < vectors; u++)
            if (first + u * BLOCK + threadIdx.x < count)
                out[first + u * BLOCK + threadIdx.x] = held[u];
    }
}

static __device__ void fetch(float4 *box, const float4 *in, long long number, long long end, long long count)
{
#pragma unroll
    for (int u = 0; u < vectors; u++) {
        const int at = u * BLOCK + threadIdx.x;
        const long long from = number * (BYTES / 16) + at;
        if (number < end && from < count)
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(&box[at])), "l"(&in[from]) : "memory");
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
}

// Each thread uses only what it copied itself, so that no barrier is needed.
static __device__ void by_async_copies(float4 *out, const float4 *in, long long count, float4 *boxes)
{
    walk w((count + BYTES / 16 - 1) / (BYTES / 16));
#pragma unroll
    for (int s = 0; s < STAGES - 1; s++)
        fetch(boxes + s * (BYTES / 16), in, w.number + s * w.stride(), w.end, count);
    for (int used = 0; w.number < w.end; w.number += w.stride()) {
        fetch(boxes + (used == 0 ? STAGES - 1 : used - 1) * (BYTES / 16), in, w.number + (STAGES - 1) * w.stride(), w.end, count);
        asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 1) : "memory");
#pragma unroll
        for (int u = 0; u < vectors; u++) {
            const int at = u * BLOCK + threadIdx.x;
            const long long to = w.number * (BYTES / 16) + at;
            if (to < count)
                out[to] = boxes[used * (BYTES / 16) + at];
        }
        used = used + 1 == STAGES ? 0 : used + 1;
    }
}

// ---- Copies by the engine ----

static __device__ void wait(unsigned long long *barrier, unsigned parity)
{
    asm volatile("{\n\t.reg .pred done;\n"
                 "again:\n\t"
                 "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n\t"
                 "@!done bra again;\n\t}" ::"r"(shared_address(barrier)), "r"(parity) : "memory");
}

// Begins the copy of box number `number` to shared memory. Tensor copies fill a box beyond the end with zeros, and count them.
static __device__ void load(char *box, const char *in, const tensor_map *map, long long number, long long bytes,
                            unsigned long long *barrier)
{
    const unsigned size = METHOD == bulk ? (unsigned)min((long long)BYTES, bytes - number * BYTES) : BYTES;
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)), "r"(size) : "memory");
    if (METHOD == bulk)
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                         shared_address(box)), "l"(in + number * BYTES), "r"(size), "r"(shared_address(barrier)) : "memory");
    else if (METHOD == tensor2)
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {0, %2}], [%3];" ::
                         "r"(shared_address(box)), "l"(map), "r"((int)(number * (BYTES / row))), "r"(shared_address(barrier))
                     : "memory");
    else
        for (int r = 0; r < BYTES / row; r++)
            asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2}], [%3];" ::
                             "r"(shared_address(box + r * row)), "l"(map), "r"((int)(number * (BYTES / 4) + r * (row / 4))),
                         "r"(shared_address(barrier)) : "memory");
}

static __device__ void store(char *out, const char *box, const tensor_map *map, long long number, long long bytes)
{
    if (METHOD == bulk)
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out + number * BYTES),
                     "r"(shared_address(box)), "r"((unsigned)min((long long)BYTES, bytes - number * BYTES)) : "memory");
    else if (METHOD == tensor2)
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {0, %1}], [%2];" ::"l"(map),
                     "r"((int)(number * (BYTES / row))), "r"(shared_address(box)) : "memory");
    else
        for (int r = 0; r < BYTES / row; r++)
            asm volatile("cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%0, {%1}], [%2];" ::"l"(map),
                         "r"((int)(number * (BYTES / 4) + r * (row / 4))), "r"(shared_address(box + r * row)) : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

// One thread does it all: what the engine writes, the engine reads, so nobody else has to be told.
static __device__ void by_engine(char *out, const char *in, const tensor_map *map_out, const tensor_map *map_in, long long bytes,
                                 char *boxes)
{
    __shared__ unsigned long long full[STAGES];
    if (threadIdx.x != 0)
        return;
    for (int s = 0; s < STAGES; s++)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&full[s])) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    walk w((bytes + BYTES - 1) / BYTES);
    for (int s = 0; s < STAGES - 1; s++)
        if (w.number + s * w.stride() < w.end)
            load(boxes + s * BYTES, in, map_in, w.number + s * w.stride(), bytes, &full[s]);
    int used = 0;
    unsigned parity = 0;
    for (; w.number < w.end; w.number += w.stride()) {
        wait(&full[used], parity);
        store(out, boxes + used * BYTES, map_out, w.number, bytes);
        const int free = used == 0 ? STAGES - 1 : used - 1;
        const long long next = w.number + (STAGES - 1) * w.stride();
        if (next < w.end) {
            asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory"); // the store of the free box has read it
            load(boxes + free * BYTES, in, map_in, next, bytes, &full[free]);
        }
        used = used + 1 == STAGES ? 0 : used + 1;
        parity ^= used == 0;
    }
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    bulk_copy(float *__restrict__ out, const float *__restrict__ in, const __grid_constant__ tensor_map out_1d,
              const __grid_constant__ tensor_map in_1d, const __grid_constant__ tensor_map out_2d,
              const __grid_constant__ tensor_map in_2d, long long count)
{
    extern __shared__ __align__(128) char boxes[];
    if constexpr (METHOD == plain)
        by_plain_loads((float4 *)out, (const float4 *)in, count / 4);
    else if constexpr (METHOD == async)
        by_async_copies((float4 *)out, (const float4 *)in, count / 4, (float4 *)boxes);
    else
        by_engine((char *)out, (const char *)in, METHOD == tensor1 ? &out_1d : &out_2d, METHOD == tensor1 ? &in_1d : &in_2d,
                  count * 4, boxes);
}
