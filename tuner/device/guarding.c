/* Guarded measuring, in the coordinator. */
#include "device/device.h"

const struct guarding device_guarding = {.on = true, .share = 0.25, .compared_least = 3};
