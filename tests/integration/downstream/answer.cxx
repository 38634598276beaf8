#include "answer.h"

int main(int count, char **arguments)
{
    return count == 2 ? answer(arguments[1]) : 2;
}
