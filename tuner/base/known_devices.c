#include "base/known_devices.h"

#include <string.h>

const struct device_limits known_devices[] = {
#include "known_devices.inc"
};
const size_t known_device_count = sizeof known_devices / sizeof *known_devices;

const struct device_limits *known_device_find(const char *name)
{
    for (size_t i = 0; i < known_device_count; i++)
        if (strcmp(known_devices[i].name, name) == 0)
            return &known_devices[i];
    return NULL;
}
