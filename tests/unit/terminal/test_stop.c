#include "terminal/stop.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "base/error.h"

enum { REQUESTS = 100 }; /* the exit status of a child that survives: this plus the requests it counted */

/* Returns the fate of a child that receives the signal `count` times. */
static int ends_by(void (*handle)(void), int number, int count, int ignored)
{
    int status, hush;
    pid_t child = fork();
    if (child == 0) {
        signal(number, number == ignored ? SIG_IGN : SIG_DFL);
        hush = dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
        handle();
        while (hush >= 0 && count--)
            raise(number);
        _exit(REQUESTS + (int)*stop_requests);
    }
    CU_ASSERT_EQUAL_FATAL(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        CU_ASSERT_EQUAL(ends_by(stop_at_once, numbers[i], 1, 0), error_exit_status(ERROR_INTERRUPTED));
        CU_ASSERT_EQUAL(ends_by(stop_in_order, numbers[i], 1, 0), REQUESTS + 1);
        CU_ASSERT_EQUAL(ends_by(stop_in_order, numbers[i], 5, 0), REQUESTS + 2);
        /* As under nohup. */
        CU_ASSERT_EQUAL(ends_by(stop_at_once, numbers[i], 1, numbers[i]), REQUESTS);
        CU_ASSERT_EQUAL(ends_by(stop_in_order, numbers[i], 1, numbers[i]), REQUESTS);
    }
    CU_ASSERT_EQUAL(ends_by(stop_at_once, SIGUSR1, 1, 0), -SIGUSR1);
}

CU_TestInfo tests_stop[] = {{"what signals do", signals}, CU_TEST_INFO_NULL};
