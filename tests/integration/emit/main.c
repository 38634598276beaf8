/* Compiled as C11 and as C++17. */
#include "check.h"

int main(void)
{
    enum { rows = 1, cols = 2 };
    return check() || T_ORDER != cols;
}
