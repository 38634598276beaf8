#include "terminal/program.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/error_report.h"
#include "base/timeline.h"
#include "terminal/options.h"
#include "terminal/output.h"
#include "terminal/stop.h"

int program_command(const struct command *command, const char *epilogue, int argc, char **argv, const char **surplus,
                    struct error *error)
{
    struct options_result result = {0};
    void *values = calloc(1, command->values_size + 1);
    result.arguments = calloc((size_t)argc + 1, sizeof *result.arguments);
    *surplus = NULL;
    int code = values && result.arguments ? 0 : error_memory(error);
    if (!code)
        code = options_parse(command, epilogue, argc, argv, values, &result, error);
    if (!code && !result.printed)
        code = command->run(values, result.arguments, result.argument_count, error);
    if (code && result.argument_count)
        *surplus = result.arguments[0];
    free(result.arguments);
    free(values);
    return code;
}

/* If 0, 1 or 2 were closed, the next file opened would become standard output. Opens them in the wrong direction, so
 * that their use fails instead of losing data. */
static bool hold_standard_descriptors(void)
{
    for (int descriptor = 0; descriptor <= 2; descriptor++)
        if (fcntl(descriptor, F_GETFD) < 0 && open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY) != descriptor)
            return false;
    return true;
}

int program_main(program_dispatch *dispatch, int argc, char **argv)
{
    char program[] = "cutune";
    char *no_arguments[] = {program, NULL};
    struct error_list list = {0};
    struct error error = {.list = &list};
    timeline("coordinator", "program begins");
    if (!hold_standard_descriptors())
        return 1;
    int report = error_report_open();
    if (report >= 0)
        prctl(PR_SET_PDEATHSIG, SIGTERM); /* a run belongs to the program that reads its error, and ends with it */
    stop_at_once();
    signal(SIGPIPE, SIG_IGN);    /* a run continues without a reader of its messages; see output_flush */
    signal(SIGXFSZ, SIG_IGN);    /* a file beyond the shell's limit is an ordinary failing write */
    unsetenv("POSIXLY_CORRECT"); /* would end the options at the first argument */
    int code = argc > 0 ? dispatch(argc, argv, &error) : dispatch(1, no_arguments, &error);
    output_status("");
    if (!code)
        code = output_flush(&error);
    if (!code)
        return 0;
    if (!error.code)
        error_set(&error, (enum error_code)code, "%s", error_name((enum error_code)code));
    fflush(stdout);
    output_error(&error);
    error_report_write(report, &error);
    return error_exit_status((enum error_code)code);
}
