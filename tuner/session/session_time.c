#include "session/session_state.h"

/* library: comparison with a library, whose process starts anew. shortest: a search that is worth starting; search
 * times are announced in such steps. PART: play-off and library each get at most one of so many parts of the time, but
 * a play-off gets up to half of it for FEW finalists. */
static const int64_t library_ns = 3000000000, shortest_ns = 100000000;
enum { PART = 4, FEW = 2 };
static const int64_t energy_ns = 60000000000; /* of about 20 configurations */

int64_t session_left_ns(const struct session *session)
{
    int64_t end_ns = session->request->end_ns;
    return end_ns ? end_ns - SESSION_CLOSING_NS - clock_now_ns() : INT64_MAX;
}

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t playoff_share(const struct run_setup *setup, int64_t left_ns)
{
    const size_t few = setup->finalists < FEW ? setup->finalists : FEW;
    int64_t few_ns = lesser(run_playoff_ns(few, 1, setup->sustained), left_ns / 2);
    int64_t part_ns =
        lesser(run_playoff_ns(setup->finalists, setup->playoff_processes, setup->sustained), left_ns / PART);
    return part_ns > few_ns ? part_ns : few_ns;
}

int session_report_time(const struct session *session, struct error *error)
{
    error_set(error, ERROR_NOTHING_VALID, "the time limit was over before a configuration was measured");
    if (session->recorded)
        error_hint(error, "a larger --max-time allows more");
    else
        error_hint(error,
                   "%.1f s did not suffice for starting, compiling and measuring: a larger --max-time allows more",
                   (double)(clock_now_ns() - session->begin_ns) * 1e-9);
    return ERROR_NOTHING_VALID;
}

int session_share_time(const struct session *session, struct run_setup *setup, struct error *error)
{
    int64_t left_ns = session_left_ns(session), playoff_ns = 0, after_ns = 0;
    if (!session->request->end_ns)
        return 0;
    if (setup->finalists)
        playoff_ns = playoff_share(setup, left_ns);
    if (setup->finalists && session->space->library_path && !session->request->fitted)
        after_ns = lesser(library_ns, left_ns / PART);
    if (setup->energy) {
        after_ns += lesser(energy_ns, left_ns / PART);
        setup->energy->end_ns = clock_now_ns() + left_ns;
    }
    setup->max_time_ns = (left_ns - playoff_ns - after_ns) / shortest_ns * shortest_ns;
    setup->end_ns = clock_now_ns() + left_ns - after_ns;
    return setup->max_time_ns < shortest_ns ? session_report_time(session, error) : 0;
}
