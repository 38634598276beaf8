struct node {
    float value;
    node *next;
};

__global__ void walk(node root, float **rows, void *bytes, node *all, cudaTextureObject_t plane, float *, bool last)
{
    rows[0][threadIdx.x] = root.value + tex2D<float>(plane, 0, 0) + all->value;
    ((char *)bytes)[blockIdx.x] = last;
}
