#include "library.h"

#include "turn_tuned.h"

struct library_choice library_choose(const char *gpu, int cc, int sm_count, long long l2_bytes, long long rows,
                                     long long cols)
{
    int rule;
    const struct turn_tuned *row = turn_tuned_select(gpu, cc, sm_count, l2_bytes, rows, cols, &rule);
    struct library_choice choice = {row->tuned_TILE, row->tuned_BLOCK_ROWS, turn_tuned_rules()[rule].name};
    return choice;
}
