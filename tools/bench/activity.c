/* Writes the activity times of all kernels of a program, as CUPTI reports them, to the file $ACTIVITY_FILE: a line "NS
 * NAME" for each launch. CUDA loads it where CUDA_INJECTION64_PATH names it. Built by tools/bench/truth. */
#include <cupti.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BUFFER_BYTES = 64 << 10, ALIGNMENT = 8, FLUSH_NS = 2000000 };

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
            if (kernel->end > kernel->start) /* else it has not ended */
                fprintf(file, "%llu %s\n", (unsigned long long)(kernel->end - kernel->start), kernel->name);
        }
    if (file)
        fclose(file);
    free(buffer);
}

/* Writes often, because a process that is killed writes nothing at its end. */
static void *flush(void *unused)
{
    const struct timespec pause = {.tv_nsec = FLUSH_NS};
    (void)unused;
    while (!nanosleep(&pause, NULL))
        cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    return NULL;
}

int InitializeInjection(void);
int InitializeInjection(void)
{
    pthread_t thread;
    return cuptiActivityRegisterCallbacks(provide, take) == CUPTI_SUCCESS &&
           cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) == CUPTI_SUCCESS &&
           pthread_create(&thread, NULL, flush, NULL) == 0;
}
