/* A library that is tuned for twelve GPUs. Its users need neither cutune nor the database. */
#ifndef LIBRARY_H
#define LIBRARY_H

#ifdef __cplusplus
extern "C" {
#endif

struct library_choice {
    int tile, block_rows;
    const char *rule; /* the rule that chose them */
};

/* Chooses for a matrix on a GPU, which has a name, a compute capability (10 * major + minor), multiprocessors and bytes
 * of L2 cache. */
struct library_choice library_choose(const char *gpu, int cc, int sm_count, long long l2_bytes, long long rows,
                                     long long cols);

/* Queues out = in^T of a matrix in device memory. Returns an error of CUDA, 0 for none. */
int library_turn(float *out, const float *in, int rows, int cols, void *stream);

#ifdef __cplusplus
}
#endif

#endif
