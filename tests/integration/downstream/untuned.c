#include <stdio.h>

#include "transpose_tuned.h"

int main(void)
{
    printf("TILE=%d\n", TRANSPOSE_TILE);
    return 0;
}
