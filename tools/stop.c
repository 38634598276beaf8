#include "tools/stop.h"

#include <stddef.h>

static volatile sig_atomic_t stop_requests;

static void request_stop(int number)
{
    (void)number;
    if (stop_requests < 2)
        stop_requests++;
}

const volatile sig_atomic_t *stop_catch(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = request_stop};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &action, NULL);
    return &stop_requests;
}
