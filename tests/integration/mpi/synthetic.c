/* cutune-mpi on the formula of evaluate/eval_synth.h, without devices: mpi_synthetic SPACE, in the folder of its
 * results. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "mpi/ranks.h"
#include "terminal/program.h"

static int listen_to(void *context, const struct session_event *event, struct error *error)
{
    (void)context, (void)error;
    if (event->kind == SESSION_NOTE)
        fprintf(stderr, "%s\n", event->note);
    if (event->kind == SESSION_RESULT)
        printf("%s, %llu evaluated\n", event->result->best->configuration,
               (unsigned long long)event->result->run->evaluated);
    return 0;
}

static int tune(const char *path, const struct tune_team *team, struct error *error)
{
    struct text text = {0};
    struct arena arena = {0};
    int code = file_read(path, 1 << 20, &text, error);
    struct session_request request = {.space_path = path,
                                      .space_text = text_string(&text),
                                      .space_length = text.length,
                                      .synthetic = true,
                                      .links = team->links,
                                      .link_count = team->link_count,
                                      .silence_s = 20,
                                      .strategy = "exhaustive",
                                      .seed = 1,
                                      .database = "cutune.csv",
                                      .journal = "cutune.d",
                                      .listener = listen_to};
    if (!code)
        code = conditions_read(&request.conditions, &arena, "", error);
    if (!code)
        code = session_run(&request, error);
    text_free(&text);
    arena_free(&arena);
    return code;
}

static int dispatch(int argc, char **argv, struct error *error)
{
    struct rank rank = {0};
    struct tune_team team = {0};
    int code = argc == 2 ? ranks_start(&rank, error) : error_set(error, ERROR_USAGE, "mpi_synthetic SPACE");
    if (code || rank.place.rank > 0)
        return code ? code : ranks_serve(&rank, "0", 1, error);
    code = ranks_team(&rank, true, &team, error);
    if (!code)
        code = tune(argv[1], &team, error);
    ranks_leave(&rank, &team);
    return code;
}

int main(int argc, char **argv)
{
    return program_main(dispatch, argc, argv);
}
