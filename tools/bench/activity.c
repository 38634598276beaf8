/* Writes the activity times of all kernels of a program, as CUPTI reports them, to the file $ACTIVITY_FILE: a line "NS
 * NAME" for each launch. CUDA loads it where CUDA_INJECTION64_PATH names it. Built by tools/bench/truth. */
#include <cupti.h>
#include <stdio.h>
#include <stdlib.h>

enum { BUFFER_BYTES = 64 << 10, ALIGNMENT = 8, FLUSH_MS = 20 };

static void CUPTIAPI provide(uint8_t **buffer, size_t *bytes, size_t *records)
{
    *bytes = BUFFER_BYTES;
    *buffer = aligned_alloc(ALIGNMENT, BUFFER_BYTES);
    *records = 0;
}

static void CUPTIAPI take(CUcontext context, uint32_t stream, uint8_t *buffer, size_t bytes, size_t valid)
{
    const char *path = getenv("ACTIVITY_FILE");
    FILE *file = path ? fopen(path, "a") : NULL;
    CUpti_Activity *record = NULL;
    (void)context, (void)stream, (void)bytes;
    while (file && cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS)
        if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
            const CUpti_ActivityKernel9 *kernel = (const CUpti_ActivityKernel9 *)record;
            fprintf(file, "%llu %s\n", (unsigned long long)(kernel->end - kernel->start), kernel->name);
        }
    if (file)
        fclose(file);
    free(buffer);
}

static void flush(void)
{
    cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
}

int InitializeInjection(void);
int InitializeInjection(void)
{
    atexit(flush);
    return cuptiActivityRegisterCallbacks(provide, take) == CUPTI_SUCCESS &&
           cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) == CUPTI_SUCCESS &&
           cuptiActivityFlushPeriod(FLUSH_MS) == CUPTI_SUCCESS;
}
