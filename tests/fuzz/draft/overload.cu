__global__ void scale(float *data, int count)
{
    if (threadIdx.x < count)
        data[threadIdx.x] *= 2;
}

__global__ void scale(double *data, int count)
{
    if (threadIdx.x < count)
        data[threadIdx.x] *= 2;
}
