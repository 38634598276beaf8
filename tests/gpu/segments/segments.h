// Values that the source gives itself, as most kernels do; segments.space overrides PER_THREAD and FAULT.
#define PER_THREAD 4
#define FAULT      healthy

enum { healthy, adds_twice, skips_the_last, writes_beside };
