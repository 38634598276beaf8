/* graph: captures the launches of a run, and launches them together. Captured in gpu_enter, after the stream's
 * attributes are set, which the graph keeps; so it also follows kernels that are loaded again. */
#include "device/techniques.h"

static bool used(const struct launch *launch)
{
    return launch->graph;
}

static cudaError_t enter(struct gpu *gpu, struct gpu_kernel *kernel)
{
    cudaGraph_t graph = NULL;
    cudaError_t result = cudaStreamBeginCapture(gpu->stream, cudaStreamCaptureModeThreadLocal);
    if (result)
        return result;
    result = gpu_launch_steps(gpu, kernel);
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

static cudaError_t leave(struct gpu *gpu, struct gpu_kernel *kernel)
{
    cudaGraphExec_t graph = kernel->graph;
    (void)gpu;
    kernel->graph = NULL;
    return graph ? cudaGraphExecDestroy(graph) : cudaSuccess;
}

static cudaError_t run(struct gpu *gpu, struct gpu_kernel *kernel, bool checked)
{
    (void)checked;
    return cudaGraphLaunch(kernel->graph, gpu->stream);
}

static const struct gpu_way way = {.run = run};
const struct gpu_technique gpu_technique_graph = {.used = used, .enter = enter, .leave = leave, .way = &way};
