// In the manner of Kernel Tuner: sizes of the block and of the tile by name, sizes of the problem by #define.
#define image_height 1024
#define image_width 2048

#ifndef filter_width
    #define filter_width 17
#endif
#ifndef filter_height
    #define filter_height 17
#endif

#define input_width (image_width + filter_width - 1)

__constant__ float d_filter[33 * 33];

__global__ void convolution_kernel(float *output, float *input, float *filter)
{
    int ty = threadIdx.y, tx = threadIdx.x;
    int by = blockIdx.y * block_size_y * tile_size_y, bx = blockIdx.x * block_size_x * tile_size_x;
    for (int yi = 0; yi < tile_size_y; yi++)
        for (int xi = 0; xi < tile_size_x; xi++) {
            float sum = 0;
            for (int i = 0; i < filter_height; i++)
                for (int j = 0; j < filter_width; j++)
#if use_constant == 1
                    sum += input[(by + ty + yi * block_size_y + i) * input_width + bx + tx + xi * block_size_x + j] *
                           d_filter[i * filter_width + j];
#else
                    sum += input[(by + ty + yi * block_size_y + i) * input_width + bx + tx + xi * block_size_x + j] *
                           filter[i * filter_width + j];
#endif
            output[(by + ty + yi * block_size_y) * image_width + bx + tx + xi * block_size_x] = sum;
        }
}
