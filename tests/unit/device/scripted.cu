// out[i] = 2 * in[i] on the fake runtime, with the duration TIME and the fault FAULT from launch FROM on. The compiler
// causes two faults: `broken` does not compile, and `bounded` allows fewer threads than a block has. ASIDE does not
// change the machine code.
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
struct faults {
    enum name { none, wrong, nan, unwritten, stale, beside, input, refuse, nomemory, sticky, spin, kill, load, invalid, broken, bounded };
};
static_assert(faults::FAULT != faults::broken, "a variant that does not compile");
static_assert(ASIDE >= 0, "nothing depends on it");
extern "C" __global__ void __launch_bounds__(faults::FAULT == faults::bounded ? 32 : 1024) twice(float *, const float *, int);

#define FAKE "fake: time_ns=" TEXT(TIME) " " TEXT(FAULT) "=" TEXT(FROM) " id=" TEXT(SHARED)
#include "fake_kernels.cu"
