/* The part of CUPTI's interface that cutune uses. It is declared here because CUPTI's headers are C++ and not part of
 * the CUDA packages that cutune builds with; where they are installed, tests/unit/device/test_cupti.c compares the
 * declarations. Each struct begins with its size, up to its last member in this version, and a pointer that stays
 * NULL. */
#ifndef CUTUNE_DEVICE_CUPTI_TYPES_H
#define CUTUNE_DEVICE_CUPTI_TYPES_H

#include <stddef.h>
#include <stdint.h>

/* CUptiResult */
enum {
    CUPTI_OK = 0,
    CUPTI_NOT_COMPATIBLE = 14,
    CUPTI_NOT_INITIALIZED = 15,
    CUPTI_BUSY = 26,
    CUPTI_VIRTUALIZED = 33,
    CUPTI_FORBIDDEN = 35,
    CUPTI_OTHER_API = 36,
    CUPTI_LEGACY = 38,
    CUPTI_OTHER_SUBSCRIBER = 39,
    CUPTI_VIRTUALIZED_FORBIDDEN = 40,
    CUPTI_CONFIDENTIAL = 41,
    CUPTI_CMP = 42,
    CUPTI_MIG = 43,
    CUPTI_SLI = 44,
    CUPTI_WSL = 45,
    CUPTI_CHIP = 46
};

enum { CUPTI_RANGE_PROFILER = 0, CUPTI_AUTO_RANGE = 1, CUPTI_USER_REPLAY = 3 };

#define CUPTI_HEAD                                                                                                     \
    size_t bytes_of_struct;                                                                                            \
    void *reserved

struct cupti_initialize {
    CUPTI_HEAD;
};
struct cupti_chip_name {
    CUPTI_HEAD;
    size_t device;
    const char *chip;
};
struct cupti_availability {
    CUPTI_HEAD;
    void *context;
    size_t bytes;
    uint8_t *image;
};
struct cupti_host_initialize {
    CUPTI_HEAD;
    int profiler_type;
    const char *chip;
    const uint8_t *availability;
    void *host;
};
struct cupti_host_deinitialize {
    CUPTI_HEAD;
    void *host;
};
struct cupti_metric_properties {
    CUPTI_HEAD;
    void *host;
    const char *name, *description, *unit, *dimension;
    int type;
};
struct cupti_add_metrics {
    CUPTI_HEAD;
    void *host;
    const char **names;
    size_t count;
};
struct cupti_config_size {
    CUPTI_HEAD;
    void *host;
    size_t bytes;
};
struct cupti_config_image {
    CUPTI_HEAD;
    void *host;
    size_t bytes;
    uint8_t *image;
};
struct cupti_passes {
    CUPTI_HEAD;
    size_t bytes;
    uint8_t *image;
    size_t passes;
};
struct cupti_evaluate {
    CUPTI_HEAD;
    void *host;
    const uint8_t *image;
    size_t bytes, range;
    const char **names;
    size_t count;
    double *values;
};
struct cupti_enable {
    CUPTI_HEAD;
    void *context, *profiler;
};
struct cupti_disable {
    CUPTI_HEAD;
    void *profiler;
};
struct cupti_data_size {
    CUPTI_HEAD;
    void *profiler;
    const char **names;
    size_t count, ranges;
    uint32_t nodes;
    size_t bytes;
};
struct cupti_data_initialize {
    CUPTI_HEAD;
    void *profiler;
    size_t bytes;
    uint8_t *image;
};
struct cupti_set_config {
    CUPTI_HEAD;
    void *profiler;
    size_t config_bytes;
    const uint8_t *config;
    size_t bytes;
    uint8_t *image;
    int range, replay;
    size_t ranges;
    uint16_t nesting_levels, least_nesting_level;
    size_t pass;
    uint16_t nesting_level;
};
struct cupti_start {
    CUPTI_HEAD;
    void *profiler;
};
struct cupti_stop {
    CUPTI_HEAD;
    void *profiler;
    size_t pass, nesting_level;
    uint8_t all_submitted;
};
struct cupti_decode {
    CUPTI_HEAD;
    void *profiler;
    size_t dropped;
};

#endif
