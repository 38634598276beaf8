#include "terminal/progress.h"

#include <math.h>

#include "capture.h"
#include "set/valid_set.h"
#include "terminal/output.h"

struct scene {
    struct space *space;
    struct valid_set *set;
    struct session_subject subject;
    struct provenance provenance;
    struct run_progress run;
};

static void open_scene(struct scene *scene)
{
    static const char text[] = "space 2\nparam A = 1, 2\n";
    struct error error = {0};
    *scene = (struct scene){0};
    CU_ASSERT_EQUAL_FATAL(space_parse_text(&scene->space, "t.space", text, strlen(text), "", &error), 0);
    CU_ASSERT_EQUAL_FATAL(space_bind(scene->space, NULL, 0, NULL, &error), 0);
    CU_ASSERT_EQUAL_FATAL(valid_set_build(&scene->set, scene->space, VALID_SET_DEFAULT_BYTES, &error), 0);
    scene->subject =
        (struct session_subject){.space = scene->space, .set = scene->set, .provenance = &scene->provenance};
    scene->provenance = provenance_unknown();
}

static void close_scene(struct scene *scene)
{
    valid_set_free(scene->set);
    space_free(scene->space);
}

#define HALF                                                                                                           \
    {                                                                                                                  \
        .evaluated = 532, .total = 1062, .fresh = 500, .counts = {50, [STATUS_CRASHED] = 2, [STATUS_SLOWER] = 480},    \
        .has_best = true, .has_default = true, .best.value = 133250, .default_.value = 210000,                         \
        .elapsed_ns = 60500000000, .plan.left_s = 1.9                                                                  \
    }

/* Contents of the line, and the parts left out of a narrow one. */
static void line(void)
{
    enum { WIDE = 200 };
    static const struct {
        struct run_progress run;
        size_t width;
        double roofline_ns;
        int64_t spent_ns;
        bool replay;
        const char *line;
    } rows[] = {
        {HALF, WIDE, 125000, 2000000000, false,
         "[############-------------]  532 / 1062  best 133.2 us, 1.58x the default, 93.8% of the limit  ok 50, "
         "crashed 2, slower 480  250/s, 0:02 left"},
        {HALF, WIDE, NAN, 2000000000, true,
         "[############-------------]  532 / 1062  best 133.2 us, 1.58x the default  ok 50, crashed 2, slower 480  "
         "250/s, 0:02 left, 60.5 recorded s"},
        {HALF, 120, 125000, 250000000000, false,
         "[#######--------]  532 / 1062  best 133.2 us, 1.58x the default, 93.8% of the limit  2/s, 0:02 left"},
        {HALF, 100, 125000, 2000000000, true,
         "[######------]  532 / 1062  best 133.2 us, 1.58x the default  250/s, 0:02 left, 60.5 recorded s"},
        {HALF, 80, 125000, 2000000000, true,
         "[#####-----]  532 / 1062  best 133.2 us, 1.58x the default  250/s, 0:02 left"},
        {HALF, 79, 125000, 2000000000, false,
         "[#####-----]  532 / 1062  best 133.2 us, 1.58x the default  250/s, 0:02 left"},
        {HALF, 60, 125000, 2000000000, false, "[#####-----]  532 / 1062  best 133.2 us  250/s, 0:02 left"},
        {HALF, 40, 125000, 2000000000, false, "532 / 1062  best 133.2 us  0:02 left"},
        {HALF, 26, 125000, 2000000000, false, "532 / 1062  best 133.2 us"},
        {HALF, 1, 125000, 2000000000, false, "532 / 1062"},
        {{.evaluated = 1, .total = 9}, 79, NAN, 5, false, "[#---------]  1 / 9  no result yet"},
        {{.total = 0}, 79, NAN, 5, true, "[----------]  0 / 0  no result yet  0.0 recorded s"},
        {{.evaluated = 4, .total = 64, .fresh = 2, .plan.left_s = 119.6},
         79,
         NAN,
         4000000000,
         false,
         "[----------]  4 / 64  no result yet  0.5/s, 2:00 left"},
        {{.evaluated = 64, .total = 64, .fresh = 2},
         79,
         NAN,
         4000000000,
         false,
         "[##########]  64 / 64  no result yet  0.5/s"},
        {HALF, 120, 125000, 1000000, true,
         "[#######--------]  532 / 1062  best 133.2 us, 1.58x the default, 93.8% of the limit  0:02 left, 60.5 "
         "recorded "
         "s"},
        {{.evaluated = 4, .total = 64, .plan.left_s = NAN}, 79, NAN, 0, false, "[----------]  4 / 64  no result yet"},
    };
    struct scene scene;
    open_scene(&scene);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text text = {0};
        scene.provenance.roofline_ns = rows[i].roofline_ns;
        const struct progress_state state = {&scene.subject, &rows[i].run, rows[i].spent_ns, rows[i].replay, NULL};
        progress_line(&state, rows[i].width, &text);
        if (strcmp(text_string(&text), rows[i].line) != 0)
            printf("\n    [%s]\n", text_string(&text));
        CU_ASSERT_STRING_EQUAL(text_string(&text), rows[i].line);
        CU_ASSERT(text_width(text_string(&text)) <= rows[i].width || rows[i].width == 1);
        text_free(&text);
    }
    close_scene(&scene);
}

/* The line is rewritten in place, not too often, and erased at the end. A replay's rate is of real time. */
static void rewriting(void)
{
    struct scene scene;
    open_scene(&scene);
    for (int replay = 0; replay < 2; replay++) {
        struct run_progress run = {.total = 9};
        char buffer[512];
        struct progress progress = {.line = true, .replay = replay};
        const struct run_event tick = {.kind = RUN_TICK, .progress = &run};
        const struct session_event event = {.kind = SESSION_RUN, .subject = &scene.subject, .run = &tick};
        struct capture capture = capture_begin(stderr);
        progress_show(&progress, &event);
        progress_show(&progress, &event); /* too soon for another */
        capture_end(&capture, buffer, sizeof buffer);
        CU_ASSERT(strncmp(buffer, "\r\033[K[---", 7) == 0 && !strchr(buffer + 1, '\r'));
        run =
            (struct run_progress){.total = 9, .evaluated = 2, .fresh = 2, .elapsed_ns = 4000000000, .plan.left_s = 14};
        progress.last_ns = 0;
        progress.begun_ns -= 1000000000;
        capture = capture_begin(stderr);
        progress_show(&progress, &event);
        capture_end(&capture, buffer, sizeof buffer);
        CU_ASSERT_PTR_NOT_NULL(strstr(buffer, replay ? "left, 4.0 recorded s" : "0.5/s, 0:14 left"));
        CU_ASSERT(!replay || strstr(buffer, "2/s") || strstr(buffer, "1.9"));
        capture = capture_begin(stderr);
        output_status("");
        output_status(""); /* erased */
        CU_ASSERT_STRING_EQUAL(capture_end(&capture, buffer, sizeof buffer), "\r\033[K");
    }
    close_scene(&scene);
}

/* If the line cannot be rewritten: the first line after an interval, the next one after another. */
static void lines(void)
{
    struct scene scene;
    open_scene(&scene);
    struct run_progress run = {.total = 9, .evaluated = 3};
    char buffer[512];
    struct progress progress = {.lines_ns = 1000000000};
    const struct run_event tick = {.kind = RUN_TICK, .progress = &run};
    const struct session_event event = {.kind = SESSION_RUN, .subject = &scene.subject, .run = &tick};
    for (int passed = 0; passed < 2; passed++) {
        struct capture capture = capture_begin(stderr);
        progress.last_ns -= passed ? 1000000000 : 0;
        progress_show(&progress, &event);
        progress_show(&progress, &event);
        CU_ASSERT_STRING_EQUAL(capture_end(&capture, buffer, sizeof buffer),
                               passed ? "cutune: [#####----------]  3 / 9  no result yet\n" : "");
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
        const struct run_event outcome = {.kind = RUN_OUTCOME,
                                          .progress = &scene.run,
                                          .index = 1,
                                          .measurement = &rows[i].measurement,
                                          .fresh = rows[i].fresh};
        const struct session_event event = {.kind = SESSION_RUN, .subject = &scene.subject, .run = &outcome};
        struct capture capture = capture_begin(stderr);
        progress_show(&progress, &event);
        CU_ASSERT_STRING_EQUAL(capture_end(&capture, buffer, sizeof buffer), rows[i].line);
    }
    close_scene(&scene);
}

/* Work other than a run has no best value. */
static void other_work(void)
{
    static const struct {
        struct run_progress run;
        int64_t spent_ns;
        const char *line;
    } rows[] = {
        {{.total = 62}, 0, "[----------]  0 / 62  compiled for sm_80"},
        {{.evaluated = 31, .total = 62, .fresh = 31, .counts = {30, [STATUS_COMPILE_ERROR] = 1}, .plan.left_s = 4},
         3100000000,
         "[#####-----]  31 / 62  compiled for sm_80  ok 30, compile_error 1  10/s, 0:04 left"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text line = {0};
        const struct progress_state state = {
            .run = &rows[i].run, .doing = "compiled for sm_80", .spent_ns = rows[i].spent_ns};
        progress_line(&state, 82, &line);
        CU_ASSERT_STRING_EQUAL(text_string(&line), rows[i].line);
        text_free(&line);
    }
}

/* Shows work only on a terminal: its beginning, and then not too often. A message removes the line. */
static void work_on_a_terminal(void)
{
    static const uint64_t counts[STATUS_COUNT] = {5};
    for (int line = 0; line < 2; line++) {
        struct progress progress = {.line = line};
        struct work *work = progress_work(&progress);
        char shown[300];
        struct capture capture = capture_begin(stderr);
        work_begin(work, "read", 10);
        work_step(work, 5); /* too soon for another */
        work->counts = counts;
        progress.last_ns = 0;
        work_step(work, 0);
        output_note("done");
        CU_ASSERT_STRING_EQUAL(capture_end(&capture, shown, sizeof shown),
                               line ? "\r\033[K[----------]  0 / 10  read\r\033[K[#####-----]  5 / 10  read  ok 5"
                                      "\r\033[Kcutune: done\n"
                                    : "cutune: done\n");
    }
}

CU_TestInfo tests_progress[] = {{"other work", other_work},
                                {"work on a terminal", work_on_a_terminal},
                                {"the line of a run", line},
                                {"the line is rewritten", rewriting},
                                {"lines at intervals", lines},
                                {"a line for each outcome", evaluations},
                                CU_TEST_INFO_NULL};
