// The kernel with the constants of each architecture, and its launch by the row that the running code was compiled with.
#include "library.h"
#include "turn_tuned.h"

#include "turn.cu"

int library_turn(float *out, const float *in, int rows, int cols, void *stream)
{
    cudaFuncAttributes attributes;
    cudaError_t error = cudaFuncGetAttributes(&attributes, turn);
    if (error != cudaSuccess)
        return error;
    turn_tuned_launch launch[TURN_TUNED_LAUNCHES];
    if (turn_tuned_launches(turn_tuned_compiled(attributes.binaryVersion), rows, cols, launch) != 1)
        return cudaErrorInvalidValue;
    const dim3 grid(launch->grid[0], launch->grid[1], launch->grid[2]), block(launch->block[0], launch->block[1], launch->block[2]);
    turn<<<grid, block, launch->shared_bytes, static_cast<cudaStream_t>(stream)>>>(out, in, rows, cols);
    return cudaGetLastError();
}
