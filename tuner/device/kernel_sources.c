/* Sources of the kernels that the device layer brings. */
#include "device/device.h"

#include "device_kernels.inc"
#include "device_roofline.inc"

/* In the order of enum helper (gpu.h). */
const struct device_source device_kernels_source = {
    device_kernels,
    "cutune_fill\0cutune_poison\0cutune_compare\0cutune_guard\0cutune_checksum\0cutune_clock\0cutune_stream_gate\0"
    "cutune_store\0cutune_stamp\0cutune_widen\0cutune_error\0cutune_special",
    12};
const struct device_source device_roofline_source = {
    device_roofline, "roofline_l2\0roofline_shared\0roofline_issue\0roofline_fma\0roofline_tensor", 5};
