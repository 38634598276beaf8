// space: copy. Bulk copies of the Hopper architecture through shared memory; plain ones for other places and lengths.
extern "C" __global__ void copy(float *out, const float *in, long long count)
{
    __shared__ __align__(128) float stage[256];
    __shared__ __align__(8) unsigned long long barrier;
    const long long first = (long long)blockIdx.x * 256, left = count - first;
    const bool aligned = ((unsigned long long)(out + first) | (unsigned long long)(in + first)) % 16 == 0;
    const unsigned bytes = left >= 256 ? 1024 : 0;
    if (!aligned || !bytes) {
        if (threadIdx.x < left)
            out[first + threadIdx.x] = in[first + threadIdx.x];
        return;
    }
    if (threadIdx.x != 0)
        return;
    const unsigned to = (unsigned)__cvta_generic_to_shared(stage), gate = (unsigned)__cvta_generic_to_shared(&barrier);
    asm volatile("mbarrier.init.shared.b64 [%0], 1;\nfence.mbarrier_init.release.cluster;" ::"r"(gate) : "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(gate), "r"(bytes) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
                 "l"(in + first), "r"(bytes), "r"(gate)
                 : "memory");
    asm volatile(
        "{\n.reg .pred done;\nagain:\nmbarrier.try_wait.parity.shared.b64 done, [%0], 0;\n@!done bra again;\n}" ::"r"(
            gate)
        : "memory");
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out + first), "r"(to), "r"(bytes)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
}
