/* Queries a device through the CUDA runtime and the driver. */
#include "device/query.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <string.h>

#include "device/check.h"

static const struct {
    const char *name;
    enum cudaDeviceAttr attribute;
} attributes[] = {
#define cudaDevAttrNONE                            ((enum cudaDeviceAttr)0)
#define LIMIT(name, attribute, least, description) {#name, cudaDevAttr##attribute},
#include "base/limits.def"
#undef LIMIT
};

/* Finds the version in a line such as "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.04  Wed ...". */
static void driver_version(char *version, size_t room)
{
    char line[256], *word, *rest = line;
    FILE *file = fopen("/proc/driver/nvidia/version", "r");
    snprintf(version, room, "unknown");
    if (!file)
        return;
    if (fgets(line, sizeof line, file))
        while ((word = strtok_r(rest, " \t\n", &rest))) {
            size_t digits = strspn(word, "0123456789");
            if (digits && word[digits] == '.' && strspn(word, "0123456789.") == strlen(word)) {
                snprintf(version, room, "%s", word);
                break;
            }
        }
    fclose(file);
}

/* Prints a UUID in nvidia-smi's format. */
static void print_uuid(const char *kind, const cudaUUID_t *uuid, char *text, size_t room)
{
    static const size_t dashes[] = {4, 6, 8, 10};
    size_t length = (size_t)snprintf(text, room, "%s", kind), next = 0;
    for (size_t i = 0; i < sizeof uuid->bytes && length < room; i++) {
        bool dash = next < sizeof dashes / sizeof *dashes && i == dashes[next];
        next += dash;
        length += (size_t)snprintf(text + length, room - length, "%s%02x", dash ? "-" : "",
                                   (unsigned)(unsigned char)uuid->bytes[i]);
    }
}

int gpu_query(const char *name, struct device_limits *limits, struct error *error)
{
    struct cudaDeviceProp properties;
    int code, version = 0;
    memset(limits, 0, sizeof *limits);
    if ((code = gpu_check(cudaGetDeviceProperties(&properties, 0), "reading the device's properties", error)))
        return code;
    if ((code = gpu_check(cudaDriverGetVersion(&version), "reading the driver's version", error)))
        return code;
    snprintf(limits->name, sizeof limits->name, "%s", properties.name);
    print_uuid(strncmp(name, "MIG-", 4) == 0 ? "MIG-" : "GPU-", &properties.uuid, limits->uuid, sizeof limits->uuid);
    driver_version(limits->driver, sizeof limits->driver);
    limits->cuda = version;
    for (size_t i = 0; i < limit_count; i++) {
        int value = 0;
        if (attributes[i].attribute == cudaDevAttrNONE)
            continue;
        code = gpu_check(cudaDeviceGetAttribute(&value, attributes[i].attribute, 0), attributes[i].name, error);
        if (code)
            return code;
        limit_put(limits, &limit_rows[i], value);
    }
    limits->cc = properties.major * 10 + properties.minor;
    limits->memory_bytes = (int64_t)properties.totalGlobalMem;
    return 0;
}
