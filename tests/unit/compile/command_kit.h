/* Jobs of a compiler command whose worker is stand_in_worker.c, and files for it. */
#ifndef CUTUNE_TESTS_COMPILE_COMMAND_KIT_H
#define CUTUNE_TESTS_COMPILE_COMMAND_KIT_H

#include "base/file.h"
#include "cache_scratch.h"
#include "compile/command.h"
#include "pool_kit.h"

#define WORKER "exec '" STAND_IN_WORKER "' "

#define REQUEST                                                                                                        \
    "{\"architecture\":\"sm_90a\",\"params\":{\"T\":1,\"U\":2},\"sizes\":{},\"defines\":{},\"options\":[],"            \
    "\"kernels\":[{\"name\":\"k\",\"defines\":{},\"arguments\":["                                                      \
    "{\"name\":\"o\",\"type\":\"float\",\"kind\":\"buffer\",\"alignment\":256,\"extents\":[4,8],\"strides\":[8,1]},"   \
    "{\"name\":\"n\",\"type\":\"int\",\"kind\":\"scalar\",\"value\":3},"                                               \
    "{\"name\":\"m\",\"type\":\"half\",\"kind\":\"tensor_map\",\"extents\":[64,128],\"box\":[8,64]}]}]}"

enum { KIT_FILES = 4 };
static const struct {
    const char *name, *kernel, *source;
    int64_t cc;
    bool ptx;
} kit_files[KIT_FILES] = {
    {"k.cubin", "k", KERNEL, 90, false},
    {"k80.cubin", "k", KERNEL, 80, false},
    {"k.ptx", "k", KERNEL, 90, true},
    {"j.cubin", "j", "extern \"C\" __global__ void j(float *o) { o[threadIdx.x] = 2; }", 90, false}};

/* Compiles the files once for each program. */
static inline const struct text *kit_contents(void)
{
    static struct text contents[KIT_FILES];
    if (contents->length)
        return contents;
    struct compile_pool *pool = open_pool(1, 120 * second_ns);
    for (size_t i = 0; i < KIT_FILES; i++) {
        struct compile_job job = job_of(kit_files[i].source, kit_files[i].kernel);
        job.cc = kit_files[i].cc;
        job.wants_ptx = kit_files[i].ptx;
        const struct compile_result result = compile_one(pool, &job);
        CU_ASSERT_EQUAL_FATAL(result.status, STATUS_OK);
        if (kit_files[i].ptx)
            text_append(&contents[i], result.ptx, strlen(result.ptx));
        else
            text_append(&contents[i], result.cubin, result.cubin_bytes);
    }
    compile_pool_close(pool);
    return contents;
}

/* A scratch folder with the files that commands name. */
static inline struct compile_cache new_files(void)
{
    struct compile_cache folder = new_cache();
    const struct text *contents = kit_contents();
    for (size_t i = 0; i < KIT_FILES; i++) {
        char path[CACHE_FOLDER_BYTES + 16];
        snprintf(path, sizeof path, "%s/%s", folder.folder, kit_files[i].name);
        write_bytes(path, contents[i].bytes, contents[i].length);
    }
    return folder;
}

/* Fills in the identity that the command has now. */
static inline struct compile_job command_job(const char *line, const char *folder, struct nvrtc_version *version)
{
    const struct compile_command command = {
        .line = line, .folder = folder, .identity = version->build, .request = REQUEST};
    struct error error = {0};
    if (!*version->build && compile_command_version(&command, NULL, 20 * second_ns, version, NULL, &error))
        snprintf(version->build, sizeof version->build, COMMAND_BUILD "unknown");
    return (struct compile_job){.id = 7, .path = "k.py", .cc = 90, .command = command, .plan.part_count = 2};
}

#endif
