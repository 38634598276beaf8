#include "terminal/progress.h"

#include <math.h>

#include "capture.h"
#include "space/valid_set.h"

struct scene {
    struct space *space;
    struct valid_set *set;
    struct session_subject subject;
    struct run_progress run;
};

static void open_scene(struct scene *scene)
{
    static const char text[] = "space 1\nparam A = 1, 2\n";
    struct error error = {0};
    *scene = (struct scene){0};
    CU_ASSERT_EQUAL_FATAL(space_parse_text(&scene->space, "t.space", text, strlen(text), "", &error), 0);
    CU_ASSERT_EQUAL_FATAL(space_bind(scene->space, NULL, 0, NULL, &error), 0);
    CU_ASSERT_EQUAL_FATAL(valid_set_build(&scene->set, scene->space, VALID_SET_DEFAULT_BYTES, &error), 0);
    scene->subject = (struct session_subject){.space = scene->space, .set = scene->set, .floor_ns = NAN};
}

static void close_scene(struct scene *scene)
{
    valid_set_free(scene->set);
    space_free(scene->space);
}

/* The progress line of a run: what is done, the best so far, the other outcomes, and the remaining time. */
static void lines(void)
{
    static const struct {
        struct run_progress run;
        double bytes, floor_ns;
        const char *line;
    } rows[] = {{{.evaluated = 1, .total = 9}, NAN, NAN, "1 / 9  no result yet  "},
                {{.evaluated = 2, .total = 9, .counts = {2}, .has_best = true, .best.value = 2000},
                 NAN,
                 NAN,
                 "2 / 9  best 2.000 us  ok 2"},
                {{.evaluated = 2, .total = 9, .counts = {2}, .has_best = true, .best.value = 2000},
                 4000,
                 NAN,
                 "2 / 9  best 2.000 us, 2.000 GB/s  ok 2"},
                {{.evaluated = 2, .total = 9, .counts = {2}, .has_best = true, .best.value = 2000},
                 4000,
                 500,
                 "2 / 9  best 2.000 us, 2.000 GB/s, 25.0% of the limit  ok 2"},
                {{.evaluated = 4, .total = 64, .fresh = 2, .known_ns = 1000000000, .elapsed_ns = 5000000000},
                 NAN,
                 NAN,
                 "4 / 64  no result yet    2:00 left"},
                {{.total = 9, .known = 7}, NAN, NAN, "0 / 9  7 compiled to learn from  "}};
    struct scene scene;
    open_scene(&scene);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char buffer[512];
        struct progress progress = {.line = true};
        const struct session_event event = {.kind = SESSION_PROGRESS, .subject = &scene.subject, .run = &rows[i].run};
        scene.space->bytes = rows[i].bytes;
        scene.subject.floor_ns = rows[i].floor_ns;
        struct capture capture = capture_begin(stderr);
        progress_show(&progress, &event);
        progress_show(&progress, &event); /* too soon for another */
        capture_end(&capture, buffer, sizeof buffer);
        CU_ASSERT_FATAL(strncmp(buffer, "\r\033[K", 4) == 0);
        CU_ASSERT_STRING_EQUAL(buffer + 4, rows[i].line);
        CU_ASSERT_TRUE(progress.shown);
        capture = capture_begin(stderr);
        progress_end(&progress);
        progress_end(&progress); /* erased */
        CU_ASSERT_STRING_EQUAL(capture_end(&capture, buffer, sizeof buffer), "\r\033[K");
    }
    close_scene(&scene);
}

/* With --verbose, one line for each new outcome; a message cannot control the terminal. */
static void evaluations(void)
{
    static const struct {
        struct measurement measurement;
        bool fresh, verbose;
        const char *line;
    } rows[] = {{{.status = STATUS_OK, .value = 2000}, true, true, "ok                  2.000 us  A=2\n"},
                {{.status = STATUS_OK, .value = 2000}, false, true, ""},
                {{.status = STATUS_OK, .value = 2000}, true, false, ""},
                {{.status = STATUS_CRASHED, .value = NAN, .message = "a\033[31m"},
                 true,
                 true,
                 "crashed                       A=2  # a [31m\n"},
                {{.status = STATUS_OK, .playoff = PLAYOFF_LOST, .value = 2000},
                 true,
                 true,
                 "lost                2.000 us  A=2\n"}};
    struct scene scene;
    open_scene(&scene);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char buffer[512];
        struct progress progress = {.verbose = rows[i].verbose};
        const struct session_event event = {.kind = SESSION_EVALUATION,
                                            .subject = &scene.subject,
                                            .run = &scene.run,
                                            .index = 1,
                                            .measurement = &rows[i].measurement,
                                            .fresh = rows[i].fresh};
        struct capture capture = capture_begin(stderr);
        progress_show(&progress, &event);
        CU_ASSERT_STRING_EQUAL(capture_end(&capture, buffer, sizeof buffer), rows[i].line);
    }
    close_scene(&scene);
}

CU_TestInfo tests_progress[] = {
    {"the line of a run", lines}, {"a line for each outcome", evaluations}, CU_TEST_INFO_NULL};
