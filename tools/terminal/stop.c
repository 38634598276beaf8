#include "terminal/stop.h"

#include <stddef.h>
#include <termios.h>
#include <unistd.h>

#include "base/error.h"

static volatile sig_atomic_t requests;
const volatile sig_atomic_t *const stop_requests = &requests;

/* The message begins a new line, even if the terminal shows progress. */
static void end(int number)
{
    static const char clear[] = "\r\033[K", message[] = "cutune: error: interrupted\n";
    struct termios terminal;
    (void)number;
    if (tcgetattr(STDERR_FILENO, &terminal) == 0 && write(STDERR_FILENO, clear, sizeof clear - 1) < 0)
        _exit(error_exit_status(ERROR_INTERRUPTED));
    if (write(STDERR_FILENO, message, sizeof message - 1) < 0) {
        /* no reader is left */
    }
    _exit(error_exit_status(ERROR_INTERRUPTED));
}

static void count(int number)
{
    (void)number;
    if (requests < 2)
        requests++;
}

static void handle_by(void (*handler)(int))
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction before, action = {.sa_handler = handler};
        if (!sigaction(numbers[i], NULL, &before) && before.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
    }
}

void stop_at_once(void)
{
    handle_by(end);
}

void stop_in_order(void)
{
    handle_by(count);
}
