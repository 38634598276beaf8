#include "turn.h"

#if TURN_TILE != 128
#error "TILE of the only device's nearest size"
#endif

int main(void)
{
    size_t count;
    turn_tuned_table(&count);
    return count != 2; /* the device's row and the default */
}
