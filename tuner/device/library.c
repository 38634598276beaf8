/* A library that is compared with the winner: a shared object whose function `run` queues its work on the stream.
 *
 * A device process that measures nothing else loads it and never unloads it, because unloading would free what it has
 * allocated for later runs. */
#include "device/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "device/gpu.h"

typedef int library_run(void *const *buffers, const long *sizes, cudaStream_t stream);
typedef const char *library_version(void);

struct gpu_library {
    const char *path;  /* for messages, and to load without `bytes`; borrowed from the message */
    const void *bytes; /* of the shared object; borrowed from the message; NULL: load `path` */
    size_t byte_count;
    long sizes[SPACE_PROBLEMS_MAX];
    library_run *run; /* NULL: not loaded */
    char name[sizeof((struct measurement *)0)->message];
    int error;
};

static struct gpu_library library;

void gpu_shared_take(struct gpu_kernel *kernel, const struct device_kernel *said)
{
    if (!said->library)
        return;
    kernel->shared_object = &library;
    library.path = said->library;
    library.bytes = said->cubin_bytes ? said->cubin : NULL;
    library.byte_count = said->cubin_bytes;
    for (size_t i = 0; i < said->size_count; i++)
        library.sizes[i] = (long)said->sizes[i];
}

static bool write_all(int file, const char *bytes, size_t left)
{
    while (left) {
        ssize_t wrote = write(file, bytes, left);
        if (wrote <= 0)
            return false;
        bytes += wrote;
        left -= (size_t)wrote;
    }
    return true;
}

/* Loads the bytes through a nameless file, so that no file is left behind. */
static void *load_bytes(const char **why)
{
    char path[64];
    void *handle = NULL;
    int file = memfd_create("cutune-library", MFD_CLOEXEC);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    *why = "out of memory";
    if (file >= 0 && write_all(file, library.bytes, library.byte_count) &&
        !(handle = dlopen(path, RTLD_NOW | RTLD_LOCAL)))
        *why = dlerror();
    if (file >= 0)
        close(file);
    return handle;
}

/* Prefixes a name without a slash, for which dlopen would search the system's folders. */
static void *load_path(const char **why)
{
    char path[4096];
    snprintf(path, sizeof path, "%s%s", strchr(library.path, '/') ? "" : "./", library.path);
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        *why = dlerror();
    return handle;
}

static bool refuse(struct measurement *measurement, const char *what, const char *why)
{
    measurement->status = STATUS_LAUNCH_ERROR;
    measurement_explain(measurement, "%s%s", what, why ? why : "");
    return false;
}

bool gpu_shared_load(struct gpu_kernel *kernel, struct measurement *measurement)
{
    const char *why = NULL;
    library_version *version;
    if (kernel->shared_object->run)
        return true;
    void *handle = library.bytes ? load_bytes(&why) : load_path(&why), *run = NULL, *named = NULL;
    if (!handle)
        return refuse(measurement, "it cannot be loaded; install its dependencies, or set LD_LIBRARY_PATH: ", why);
    if (!(run = dlsym(handle, "run")))
        return refuse(measurement, "it has no function `run`, which must be extern \"C\"", NULL);
    memcpy(&library.run, &run, sizeof run);
    if ((named = dlsym(handle, "version"))) {
        memcpy(&version, &named, sizeof named);
        const char *name = version();
        snprintf(library.name, sizeof library.name, "%s", name ? name : "");
    }
    return true;
}

cudaError_t gpu_shared_run(struct gpu *gpu, struct gpu_kernel *kernel)
{
    void *buffers[GPU_BUFFERS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < gpu->buffer_count; i++)
        if (gpu->buffers[i].role != BUFFER_SCRATCH)
            buffers[count++] = gpu->buffers[i].data;
    struct gpu_library *own = kernel->shared_object;
    own->error = own->run(buffers, own->sizes, gpu->stream);
    return own->error ? cudaErrorUnknown : cudaSuccess;
}

int gpu_shared_error(void)
{
    return library.error;
}

const char *gpu_shared_name(void)
{
    return library.name;
}
