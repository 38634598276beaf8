/* Functions and clock event reasons of NVML. They are declared here because nvml.h is not part of the CUDA packages
 * that cutune builds with; where it is installed, tests/unit/device/test_clock.c compares them with it. */
#ifndef CUTUNE_DEVICE_NVML_TYPES_H
#define CUTUNE_DEVICE_NVML_TYPES_H

struct nvmlDevice_st;
typedef unsigned gpu_nvml_init(void);
typedef unsigned gpu_nvml_by_bus(const char *bus, struct nvmlDevice_st **device);
typedef unsigned gpu_nvml_reasons(struct nvmlDevice_st *device, unsigned long long *reasons);
typedef unsigned gpu_nvml_temperature(struct nvmlDevice_st *device, unsigned sensor, unsigned *celsius);
typedef unsigned gpu_nvml_energy(struct nvmlDevice_st *device, unsigned long long *millijoules);
typedef unsigned gpu_nvml_power_limit(struct nvmlDevice_st *device, unsigned *milliwatts);
/* nvmlFieldValue_t, for a field whose value has this type. */
struct gpu_nvml_field {
    unsigned field, scope;
    long long timestamp_us, latency_us;
    unsigned type, result;
    union {
        unsigned milliwatts;
        double widest;
    } value;
};
typedef unsigned gpu_nvml_fields(struct nvmlDevice_st *device, int count, struct gpu_nvml_field *fields);
enum { NVML_POWER_INSTANT = 186, NVML_UNSIGNED = 1 };
enum { NVML_SENSOR_GPU = 0 };
enum { NVML_NOT_SUPPORTED = 3, NVML_NO_PERMISSION = 4 };
enum { NVML_HW_SLOWDOWN = 0x8, NVML_SW_THERMAL = 0x20, NVML_HW_THERMAL = 0x40, NVML_POWER_BRAKE = 0x80 };

#endif
