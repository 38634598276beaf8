/* Events of a run: their order, the counts and the elapsed time. */
#include "scripted.h"

enum { FEW = 3 };

struct heard {
    const struct part *parts;
    struct text text;
    char refuse; /* kind of event that is refused */
};

/* Writes kind, number of known outcomes and elapsed seconds: "m2@3". */
static int hear(void *context, const struct run_event *event, struct error *error)
{
    static const char letters[] = {
        [RUN_PLAN] = 'p', [RUN_OUTCOME] = 'm', [RUN_TICK] = 't', [RUN_WAIT] = 'w', [RUN_LOG] = 'l'};
    struct heard *heard = context;
    char letter = letters[event->kind];
    if (event->kind == RUN_OUTCOME && (!event->fresh || event->measurement->playoff != PLAYOFF_NONE))
        letter = event->fresh ? 'f' : 'r';
    if (event->kind == RUN_LOG) {
        CU_ASSERT_EQUAL(heard->parts[event->index].status, STATUS_COMPILE_ERROR);
        CU_ASSERT_STRING_EQUAL(event->log, "the whole log");
    }
    CU_ASSERT_EQUAL(event->measurement != NULL, event->kind == RUN_OUTCOME);
    text_printf(&heard->text, "%s%c%d@%d", heard->text.length ? " " : "", letter, (int)event->progress->evaluated,
                (int)(event->progress->elapsed_ns / WAIT_NS));
    return letter == heard->refuse ? error_set(error, ERROR_IO, "no room") : 0;
}

/* m: measured, w: the play-off begins, f: measured in it, r: recorded, l: log, p: plan, t: tick. An error ends the run;
 * nothing is lost that was measured before. */
static void come_in_order(void)
{
    static const struct {
        const char *name, *expected;
        struct part parts[FEW];
        size_t finalists;
        uint64_t recorded; /* by an earlier run; 0: none */
        bool hesitates;
        char refuse;
    } rows[] = {
        {.name = "a search", .expected = "p0@0 m1@1 m2@2 m3@3 t3@3"},
        {"pauses", "p0@0 t0@1 m1@2 t1@3 m2@4 t2@5 m3@6 t3@6", .hesitates = true},
        {.name = "a log",
         .expected = "p0@0 m1@1 l1@2 m2@2 m3@3 t3@3",
         .parts = {[1] = {.status = STATUS_COMPILE_ERROR}}},
        {"a play-off", "p0@0 m1@1 m2@2 m3@3 w3@3 f3@13 f3@13 f3@13 t3@13", .finalists = FEW},
        {"a full journal", "r1@0 r2@0 r3@0 p3@0 t3@0", .recorded = FEW},
        {"a refused plan", "p0@0 t0@0", .refuse = 'p'},
        {"a refused outcome", "p0@0 m1@1 t1@1", .refuse = 'm'},
        {"a refused pause", "p0@0 t0@1 t0@1", .hesitates = true, .refuse = 't'},
        {"a refused log", "p0@0 m1@1 l1@2 m2@2 t2@2", {[1] = {.status = STATUS_COMPILE_ERROR}}, .refuse = 'l'},
        {"a refused play-off", "p0@0 m1@1 m2@2 m3@3 w3@3 f3@13 f3@13 f3@13 t3@13", .finalists = FEW, .refuse = 'f'},
        {"a refused row", "r1@0 p1@0 t1@0", .recorded = 1, .refuse = 'r'},
        {"a refused end", "r1@0 r2@0 r3@0 p3@0 t3@0", .recorded = FEW, .refuse = 't'},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct heard heard = {.parts = rows[i].parts, .refuse = rows[i].refuse};
        struct scripted scripted = {.parts = rows[i].parts, .speed = 1};
        struct run_progress progress;
        struct stage stage;
        set_up(&stage);
        if (rows[i].recorded)
            session(&stage, &scripted, &(struct limits){.values = "A=1,2,3", .max_evals = rows[i].recorded}, &progress);
        scripted.hesitates = rows[i].hesitates;
        session(&stage, &scripted,
                &(struct limits){.values = "A=1,2,3",
                                 .finalists = rows[i].finalists,
                                 .on = hear,
                                 .seen = &heard,
                                 .code = rows[i].refuse ? ERROR_IO : 0},
                &progress);
        if (strcmp(text_string(&heard.text), rows[i].expected) != 0)
            printf("\n    %s: '%s', not '%s'\n", rows[i].name, text_string(&heard.text), rows[i].expected);
        CU_ASSERT_STRING_EQUAL(text_string(&heard.text), rows[i].expected);
        text_free(&heard.text);
        clear(&stage);
    }
}

CU_TestInfo tests_events[] = {{"they come in order", come_in_order}, CU_TEST_INFO_NULL};
