/* Events that the listener of a session receives. */
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "session/session_state.h"

struct listener {
    size_t calls;
    struct session_event last;
    char note[512];
    int answer;
};

static int hear(void *context, const struct session_event *event, struct error *error)
{
    struct listener *listener = context;
    listener->calls++;
    listener->last = *event;
    snprintf(listener->note, sizeof listener->note, "%s", event->note ? event->note : "");
    return listener->answer ? error_set(error, (enum error_code)listener->answer, "nobody listens") : 0;
}

/* Each event has the subject. The first error is kept, and no event follows it. */
static void events(void)
{
    struct listener listener = {0};
    struct error error = {0};
    const struct session_request request = {.listener = hear, .context = &listener};
    struct session session = {.request = &request, .error = &error, .subject = {.problem = "N=1"}};
    const struct run_event tick = {.kind = RUN_TICK};
    session_tell(&session, (struct session_event){.kind = SESSION_RUN, .run = &tick});
    CU_ASSERT_EQUAL(listener.calls, 1);
    CU_ASSERT_EQUAL(listener.last.kind, SESSION_RUN);
    CU_ASSERT_PTR_EQUAL(listener.last.run, &tick);
    CU_ASSERT_PTR_EQUAL(listener.last.subject, &session.subject);
    session_note(&session, "%d of %s", 3, "four");
    CU_ASSERT_EQUAL(listener.last.kind, SESSION_NOTE);
    CU_ASSERT_STRING_EQUAL(listener.note, "3 of four");
    CU_ASSERT_PTR_EQUAL(listener.last.subject, &session.subject);
    CU_ASSERT_EQUAL(session.told, 0);
    listener.answer = ERROR_IO;
    session_note(&session, "the last");
    CU_ASSERT_EQUAL(session.told, ERROR_IO);
    CU_ASSERT_STRING_EQUAL(error.message, "nobody listens");
    listener.answer = ERROR_DATA;
    session_note(&session, "too late");
    session_tell(&session, (struct session_event){.kind = SESSION_STARTED});
    CU_ASSERT_EQUAL(listener.calls, 3);
    CU_ASSERT_STRING_EQUAL(listener.note, "the last");
    CU_ASSERT_EQUAL(session.told, ERROR_IO);
}

static void nobody(void)
{
    const struct session_request request = {0};
    struct session session = {.request = &request};
    session_note(&session, "%s", "unheard");
    session_tell(&session, (struct session_event){.kind = SESSION_STARTED});
    CU_ASSERT_EQUAL(session.told, 0);
}

CU_TestInfo tests_session_events[] = {{"events", events}, {"no listener", nobody}, CU_TEST_INFO_NULL};
