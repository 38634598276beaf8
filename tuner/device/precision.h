/* Errors against results in double precision, which the reference's launches with `fp64` compute.
 *
 * Method: relative errors in two norms, |x - r| / |r| with r the double-precision results: in the maximum norm and in
 * the Euclidean one (Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition, section 6). Both of a
 * kernel's may be at most a factor times the reference's own, as in the tests of FlashAttention
 * (Dao-AILab/flash-attention, tests/test_flash_attn.py). The unit roundoff of the type is the least error that counts
 * for the reference: a reference whose results happen to be exact demands no more than correct rounding. */
#ifndef CUTUNE_DEVICE_PRECISION_H
#define CUTUNE_DEVICE_PRECISION_H

#include "base/error.h"
#include "base/measurement.h"
#include "device/launch.h"

struct gpu;
struct gpu_buffer;
struct gpu_verdict;

/* Bytes of the double-precision results of a buffer; 0: it has none. */
uint64_t gpu_fp64_bytes(const struct gpu_buffer *buffer);
/* The places that a launch with `fp64` gets instead. */
struct gpu_places gpu_fp64_places(const struct gpu *gpu, const struct gpu_places *places);
/* Gives the double-precision results their contents before the reference runs: those of an inout buffer, else NaN. */
int gpu_fp64_prepare(struct gpu *gpu, struct error *error);
/* Queues the measurement of the error of an output, whose contents are at `data`. */
int gpu_fp64_measure(struct gpu *gpu, const struct gpu_buffer *buffer, const unsigned char *data,
                     struct gpu_verdict *verdict, struct error *error);
/* Keeps the measured errors as those of the reference. ERROR_VALUE if the double-precision results are no numbers, or
 * so different that the two do not compute the same. */
int gpu_fp64_keep(struct gpu *gpu, const char *who, struct error *error);
/* Explains an error that the tolerance does not allow; false: it allows it. */
bool gpu_fp64_explain(const struct gpu *gpu, const struct gpu_buffer *buffer, const struct gpu_verdict *verdict,
                      struct measurement *measurement);

#endif
