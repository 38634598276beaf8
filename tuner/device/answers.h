/* Messages to a device process and the handling of its answers. For answers.c and requests.c alone. */
#ifndef CUTUNE_DEVICE_ANSWERS_H
#define CUTUNE_DEVICE_ANSWERS_H

#include <stdint.h>

#include "base/text.h"
#include "device/start.h"

/* Sends a message. If the process does not read, device_next finds it spoiled and handles it. */
void device_send(struct device *device, uint32_t kind, uint64_t id, const struct text *text, int64_t timeout_ns);
/* Sends the next message that the state of the process allows. */
void device_feed(struct device *device);
/* Replaces the calibration at the end of the set-up message, so that restarted processes get the measured values. */
void device_pack_calibration(struct device *device);

#endif
