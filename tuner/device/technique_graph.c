/* graph: captures the launches of a run, and launches them together. The first gpu_enter of loaded kernels captures the
 * graph, after the stream's attributes are set, which the graph keeps. Unloading the kernels destroys it. */
#include "device/gpu.h"
#include "device/launch.h"
#include "device/techniques.h"

static bool used(const struct launch *launch)
{
    return launch->graph;
}

static cudaError_t enter(struct gpu *gpu, struct gpu_kernel *kernel)
{
    cudaGraph_t graph = NULL;
    if (kernel->graph)
        return cudaSuccess;
    cudaError_t result = cudaStreamBeginCapture(gpu->stream, cudaStreamCaptureModeThreadLocal);
    if (result)
        return result;
    result = gpu_launch_steps(gpu, kernel, gpu_own_places(gpu));
    cudaError_t ended = cudaStreamEndCapture(gpu->stream, &graph);
    if (!result)
        result = ended;
    if (!result)
        result = cudaGraphInstantiate(&kernel->graph, graph, 0);
    if (!result)
        result = cudaGraphUpload(kernel->graph, gpu->stream);
    if (graph)
        cudaGraphDestroy(graph);
    return result;
}

static void detach(struct gpu_kernel *kernel)
{
    if (kernel->graph)
        cudaGraphExecDestroy(kernel->graph);
    kernel->graph = NULL;
}

static cudaError_t run(struct gpu *gpu, struct gpu_kernel *kernel, bool checked)
{
    (void)checked;
    return cudaGraphLaunch(kernel->graph, gpu->stream);
}

static const struct gpu_way way = {.run = run};
const struct gpu_technique gpu_technique_graph = {.used = used, .detach = detach, .enter = enter, .way = &way};
