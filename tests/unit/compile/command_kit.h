/* Jobs of a compiler command whose worker is stand_in_worker.py, and files for it. */
#ifndef CUTUNE_TESTS_COMPILE_COMMAND_KIT_H
#define CUTUNE_TESTS_COMPILE_COMMAND_KIT_H

#include "base/file.h"
#include "cache_scratch.h"
#include "compile/command.h"
#include "pool_kit.h"

#define WORKER "exec python3 -ES '" TEST_FOLDER "/unit/compile/stand_in_worker.py' "

#define REQUEST                                                                                                        \
    "{\"architecture\":\"sm_90a\",\"params\":{\"T\":1,\"U\":2},\"sizes\":{},\"defines\":{},\"options\":[],"            \
    "\"kernels\":[{\"name\":\"k\",\"defines\":{},\"arguments\":["                                                      \
    "{\"name\":\"o\",\"type\":\"float\",\"kind\":\"buffer\",\"alignment\":256,\"extents\":[4,8],\"strides\":[8,1]},"   \
    "{\"name\":\"n\",\"type\":\"int\",\"kind\":\"scalar\",\"value\":3}]}]}"

/* A scratch folder with the files that commands name. */
static inline struct compile_cache new_files(void)
{
    static const struct {
        const char *name, *source;
        int64_t cc;
        bool ptx;
    } rows[] = {{"k.cubin", KERNEL, 90, false},
                {"k80.cubin", KERNEL, 80, false},
                {"k.ptx", KERNEL, 90, true},
                {"j.cubin", "extern \"C\" __global__ void j(float *o) { o[threadIdx.x] = 2; }", 90, false}};
    struct compile_cache folder = new_cache();
    struct compile_pool *pool = open_pool(1, 120 * second_ns);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char path[CACHE_FOLDER_BYTES + 16];
        struct compile_job job = job_of(rows[i].source, i == 3 ? "j" : "k");
        job.cc = rows[i].cc;
        job.wants_ptx = rows[i].ptx;
        struct compile_result result = compile_one(pool, &job);
        CU_ASSERT_EQUAL_FATAL(result.status, STATUS_OK);
        snprintf(path, sizeof path, "%s/%s", folder.folder, rows[i].name);
        write_bytes(path, rows[i].ptx ? result.ptx : result.cubin,
                    rows[i].ptx ? strlen(result.ptx) : result.cubin_bytes);
    }
    compile_pool_close(pool);
    return folder;
}

/* Fills in the identity that the command has now. */
static inline struct compile_job command_job(const char *line, const char *folder, struct nvrtc_version *version)
{
    const struct compile_command command = {
        .line = line, .folder = folder, .identity = version->build, .request = REQUEST};
    struct error error = {0};
    if (!*version->build && compile_command_version(&command, NULL, 20 * second_ns, version, &error))
        snprintf(version->build, sizeof version->build, COMMAND_BUILD "unknown");
    return (struct compile_job){.id = 7, .path = "k.py", .cc = 90, .command = command};
}

#endif
