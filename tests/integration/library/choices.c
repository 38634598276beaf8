/* Prints what the library chooses: choices GPU CC MULTIPROCESSORS L2_BYTES ROWS COLS */
#include <stdio.h>
#include <stdlib.h>

#include "library.h"

int main(int count, char **arguments)
{
    if (count != 7)
        return 2;
    struct library_choice choice = library_choose(arguments[1], atoi(arguments[2]), atoi(arguments[3]),
                                                  atoll(arguments[4]), atoll(arguments[5]), atoll(arguments[6]));
    printf("TILE=%d BLOCK_ROWS=%d by %s\n", choice.tile, choice.block_rows, choice.rule);
    return 0;
}
