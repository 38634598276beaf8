/* Events that the listener of a session receives. */
#include "session_world.h"

/* Counts calls, and returns an error from one of them on. */
struct listener {
    size_t calls, refused; /* refused: number of the first call that returns an error; 0: none */
    bool sized;            /* the problem sizes are known */
    const char *problem;
    const struct session_subject *subject; /* of the first event */
};

static int hear(void *context, const struct session_event *event, struct error *error)
{
    struct listener *listener = context;
    bool first = listener->calls++ == 0;
    listener->sized |= event->kind == SESSION_SIZES;
    CU_ASSERT_PTR_NOT_NULL_FATAL(event->subject);
    if (first)
        listener->subject = event->subject;
    CU_ASSERT_PTR_EQUAL(event->subject, listener->subject);
    if (listener->sized)
        CU_ASSERT_STRING_EQUAL(event->subject->problem, listener->problem);
    CU_ASSERT_EQUAL(event->note != NULL, event->kind == SESSION_NOTE);
    CU_ASSERT_EQUAL(event->waits != NULL, event->kind == SESSION_WAIT);
    CU_ASSERT_EQUAL(event->run != NULL, event->kind == SESSION_RUN);
    CU_ASSERT_EQUAL(event->result != NULL, event->kind == SESSION_RESULT);
    return listener->refused && listener->calls >= listener->refused
               ? error_set(error, listener->calls == listener->refused ? ERROR_IO : ERROR_DATA, "nobody listens")
               : 0;
}

/* Each event has the subject and the data of its kind. No event follows the listener's first error, which the session
 * returns after saving its result. */
static void events(void)
{
    static const size_t refused[] = {0, 1, 2, 3, 20};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct session_world world;
        struct database *database = NULL;
        struct listener listener = {.refused = refused[i], .problem = "N=64"};
        session_world_open(&world);
        world.request.listener = hear;
        world.request.context = &listener;
        session_world_expect(&world, "events", refused[i] ? ERROR_IO : 0, refused[i] ? "nobody listens" : "");
        CU_ASSERT(refused[i] ? listener.calls == refused[i] : listener.calls > SESSION_VALID);
        CU_ASSERT_EQUAL_FATAL(database_open(&database, world.scratch.path, NULL), 0);
        CU_ASSERT_EQUAL(database_count(database), 1);
        database_close(database);
        session_world_close(&world);
    }
}

CU_TestInfo tests_session_events[] = {{"events", events}, CU_TEST_INFO_NULL};
