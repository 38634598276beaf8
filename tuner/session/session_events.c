#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "session/session_state.h"

void session_tell(struct session *session, struct session_event event)
{
    const struct session_request *request = session->request;
    session->amiss |= session->rehearsing;
    if (session->rehearsing)
        return;
    event.subject = &session->subject;
    if (request->listener && !session->told)
        session->told = request->listener(request->context, &event, session->error);
}

void session_wait(struct session *session, const char *waits)
{
    if (!session->rehearsing)
        session_tell(session, (struct session_event){.kind = SESSION_WAIT, .waits = waits});
}

void session_note(struct session *session, const char *format, ...)
{
    va_list arguments;
    char *line = NULL;
    va_start(arguments, format);
    int length = vasprintf(&line, format, arguments);
    va_end(arguments);
    if (length < 0) /* out of memory: drop the note, not the session */
        return;
    session_tell(session, (struct session_event){.kind = SESSION_NOTE, .note = line});
    free(line);
}
