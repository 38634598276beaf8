#define __global__ __attribute__((global))
#define none 0
#define wrong 1
#define crash 2
#define hang 3

#if FAULT == crash
#pragma clang __debug crash
#elif FAULT == hang
constexpr unsigned long long count() {
    unsigned long long turns = 0;
    while (turns + 1) {
        turns++;
    }
    return turns;
}
static_assert(count() == 1, "never reached");
#endif

extern "C" __global__ void twice(const float *x, float *out) {
    int i = __nvvm_read_ptx_sreg_ctaid_x() * BLOCK + __nvvm_read_ptx_sreg_tid_x();
    out[i] = x[i] * (FAULT == wrong ? 3 : 2);
}
