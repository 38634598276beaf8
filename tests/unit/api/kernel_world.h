/* A kernel k(N), its space and a database with rows of two devices, for suites that open it. */
#ifndef CUTUNE_TESTS_API_KERNEL_WORLD_H
#define CUTUNE_TESTS_API_KERNEL_WORLD_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include <cutune.h>

struct world {
    char folder[64], space[128], database[128];
    struct cutune_database *opened;
    struct cutune_device *device;
};

static inline void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs(text, file);
    fclose(file);
}

/* A kernel k(N) with rows of two devices; the hashes match the files if `fresh`. */
static inline void make_world(struct world *world, const char *parameters, const char *kernel)
{
    char path[128], text[2048];
    snprintf(world->folder, sizeof world->folder, "/tmp/cutune-api-XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(world->folder));
    setenv("CUTUNE_CACHE", world->folder, 1);
    snprintf(world->space, sizeof world->space, "%s/k.space", world->folder);
    snprintf(world->database, sizeof world->database, "%s/d.csv", world->folder);
    snprintf(path, sizeof path, "%s/k.cu", world->folder);
    write_file(path, kernel);
    snprintf(text, sizeof text,
             "space 2\nkernel k \"k.cu\"\nproblem N = 4096\n%s\nbuffer out float[N] output\nargs out, int N\n"
             "block B\ngrid ceildiv(N, B)\nshared B * 4\ncarveout 50\ncluster 2\nreference k block 32 grid 1\ndefault "
             "B=32\n",
             parameters);
    write_file(world->space, text);
    write_file(world->database,
               "schema,kernel,device,problem,objective,configuration,time_ns,default_configuration,default_time_ns,cc,"
               "sm_count,l2_bytes,date\n"
               "1,k,GPU A,N=1024,time,B=64,100,B=32,200,90,10,1000,2026-01-01T00:00:00Z\n"
               "1,k,GPU A,N=4096,time,B=2048,100,B=32,200,90,10,1000,2026-01-02T00:00:00Z\n"
               "1,k,GPU B,N=1024,time,B=128,100,B=32,200,80,10,1000,2026-01-01T00:00:00Z\n");
    CU_ASSERT_EQUAL_FATAL(cutune_database_open(&world->opened, world->database, NULL, NULL), 0);
    world->device = cutune_device_new("GPU A", 90, 10, 1000);
}

static inline void end_world(struct world *world)
{
    char command[128];
    cutune_database_close(world->opened);
    cutune_device_free(world->device);
    snprintf(command, sizeof command, "rm -rf '%s'", world->folder);
    CU_ASSERT_EQUAL(system(command), 0);
}

static const char kernel_text[] =
    "extern \"C\" __global__ void k(float *out, int n)\n{\n    extern __shared__ float s[];\n"
    "    int i = blockIdx.x * B + threadIdx.x;\n    s[threadIdx.x] = i;\n    if (i < n)\n        out[i] = "
    "s[threadIdx.x];\n}\n";

#endif
