/* Shared by the suites of sessions: a request in its own folder, and a listener that records events. */
#ifndef CUTUNE_TESTS_SESSION_WORLD_H
#define CUTUNE_TESTS_SESSION_WORLD_H

#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "../scratch.h"
#include "fake_cuda.h"
#include "session/session.h"

/* Searched on the evaluator `synth`: 74 valid configurations. */
static const char session_text[] = "space 2\nkernel k \"k.cu\"\nproblem N = 64\n"
                                   "param A = 1..20\nparam B = 1, 2, 4, 8\nparam C = x, y\nrequire A % B == 0\n"
                                   "buffer out float[N] output\nargs out\nblock 32\ngrid 1\n"
                                   "reference r block 32 grid 1\ndefault A=4 B=2 C=x\n";
enum { SESSION_VALID = 74 };

/* Recorded events. */
struct heard {
    /* Kinds of events in order, a letter each: n note, z sizes, s started, E evaluations (one or more), f searched, R
     * result. Leaves out progress without news. */
    char kinds[64];
    char notes[2048];     /* one per line */
    size_t fresh;         /* evaluations that the search of this session measured */
    size_t started;       /* sessions */
    int64_t limit_ns;     /* the longest of their searches; 0: none */
    char warm_start[128]; /* the configuration evaluated first because it won in a prior run */
    /* Values of the result. */
    char configuration[128], journal[256], strategy[64], why[256];
    char library[64];
    double library_ratio;
    int64_t explain_ns;
    double value, roofline_ns, previous_value;
    uint64_t evaluated, failures, finalists, warm;
    enum incumbent_verdict verdict;
    char incumbent[128];
    enum database_outcome outcome;
    bool saved, replayed, interrupted, has_log, has_usage;
    char refuse;  /* kind of event to which the listener returns an error; 0: none */
    char stop_at; /* kind of event at which it requests a stop */
};

struct session_world {
    struct scratch scratch; /* its path is that of the database */
    char space_path[96];    /* k.cu is in the same folder */
    struct session_request request;
    struct heard heard;
    /* Called at each event, as another process might do something then; NULL: nothing. */
    void (*meanwhile)(struct session_world *world, const struct session_event *event);
    volatile sig_atomic_t stop;
    struct arena arena;
    struct text text; /* text of a space read from a file */
    struct error error;
};

static inline void session_copy(char *to, size_t room, const char *from)
{
    snprintf(to, room, "%s", from ? from : "");
}

static inline void session_hear_result(struct heard *heard, const struct session_result *result)
{
    session_copy(heard->configuration, sizeof heard->configuration, result->best->configuration);
    session_copy(heard->strategy, sizeof heard->strategy, result->best->strategy);
    session_copy(heard->journal, sizeof heard->journal, result->journal);
    session_copy(heard->why, sizeof heard->why, result->why);
    session_copy(heard->library, sizeof heard->library, result->best->library);
    heard->library_ratio = result->best->library_ratio;
    heard->explain_ns = result->explain_ns;
    heard->value = result->run->best.value;
    heard->roofline_ns = result->best->provenance.roofline_ns;
    heard->previous_value = result->previous_value;
    heard->evaluated = result->run->evaluated;
    heard->failures = result->run->counts[STATUS_COMPILE_ERROR];
    heard->finalists = result->run->finalists;
    heard->warm = result->warm_start->count;
    heard->verdict = result->run->verdict;
    session_copy(heard->incumbent, sizeof heard->incumbent, result->incumbent);
    heard->outcome = result->outcome;
    heard->saved = result->database != NULL;
    heard->replayed = result->replayed != NULL;
    heard->interrupted = result->interrupted;
    heard->has_log = result->has_log;
    heard->has_usage = result->usage != NULL;
    if (heard->failures)
        CU_ASSERT(*result->first[STATUS_COMPILE_ERROR].message);
}

static inline int session_hear(void *context, const struct session_event *event, struct error *error)
{
    static const char letters[] = {
        [SESSION_NOTE] = 'n', [SESSION_WAIT] = 0,       [SESSION_SIZES] = 'z', [SESSION_STARTED] = 's',
        [SESSION_RUN] = 'E',  [SESSION_SEARCHED] = 'f', [SESSION_RESULT] = 'R'};
    struct session_world *world = context;
    struct heard *heard = &world->heard;
    const struct run_event *outcome = event->run && event->run->kind == RUN_OUTCOME ? event->run : NULL;
    char letter = event->run && !outcome ? 0 : letters[event->kind];
    size_t count = strlen(heard->kinds), used = strlen(heard->notes);
    if (letter && count < sizeof heard->kinds - 1 && !(letter == 'E' && count && heard->kinds[count - 1] == 'E'))
        heard->kinds[count] = letter;
    if (event->kind == SESSION_NOTE)
        snprintf(heard->notes + used, sizeof heard->notes - used, "%s\n", event->note);
    heard->fresh += outcome && outcome->fresh && outcome->measurement->proposer != PROPOSER_FIT;
    if (event->run && event->run->progress->plan.limit_ns > heard->limit_ns)
        heard->limit_ns = event->run->progress->plan.limit_ns;
    if (outcome && outcome->measurement->proposer == PROPOSER_WARM_START) {
        uint32_t choices[SPACE_PARAMETERS_MAX];
        struct text text = {0};
        valid_set_get(event->subject->set, outcome->index, choices);
        space_config_text(event->subject->space, choices, &text);
        session_copy(heard->warm_start, sizeof heard->warm_start, text_string(&text));
        text_free(&text);
    }
    if (event->kind == SESSION_RESULT)
        session_hear_result(heard, event->result);
    heard->started += event->kind == SESSION_STARTED;
    if (world->meanwhile)
        world->meanwhile(world, event);
    if (letter && letter == heard->stop_at)
        world->stop = 1;
    return letter && letter == heard->refuse ? error_set(error, ERROR_IO, "nobody listens") : 0;
}

/* Makes a request for session_text on the evaluator `synth`. The caller fills in the rest. */
static inline void session_world_open(struct session_world *world)
{
    memset(world, 0, sizeof *world);
    char source[96];
    world->scratch = scratch_open("cutune.csv");
    snprintf(world->space_path, sizeof world->space_path, "%s/t.space", world->scratch.folder);
    snprintf(source, sizeof source, "%s/k.cu", world->scratch.folder);
    CU_ASSERT_EQUAL(file_replace(source, "A B C", 5, NULL), 0);
    world->request = (struct session_request){.space_path = world->space_path,
                                              .space_text = session_text,
                                              .space_length = sizeof session_text - 1,
                                              .synthetic = true,
                                              .seed = 3,
                                              .database = world->scratch.path,
                                              .journal = world->scratch.folder,
                                              .no_cache = true,
                                              .stop = &world->stop,
                                              .listener = session_hear,
                                              .context = world};
    CU_ASSERT_EQUAL(conditions_read(&world->request.conditions, &world->arena, "", &world->error), 0);
}

/* Makes a request for the fake device instead. `set_count` of `sets`. */
static inline void session_world_open_device(struct session_world *world, const char *const *sets, size_t set_count)
{
    static const char path[] = SOURCE_FOLDER "/tests/unit/device/scripted.space";
    session_world_open(world);
    fake_reset();
    CU_ASSERT_EQUAL_FATAL(file_read(path, 1 << 20, &world->text, NULL), 0);
    world->request.synthetic = false;
    world->request.no_cache = false;
    world->request.space_path = path;
    world->request.space_text = text_string(&world->text);
    world->request.space_length = world->text.length;
    world->request.sets = sets;
    world->request.set_count = set_count;
}

static inline void session_world_close(struct session_world *world)
{
    text_free(&world->text);
    scratch_close(&world->scratch);
    arena_free(&world->arena);
}

/* Runs the request again, with new records. */
static inline int session_world_run(struct session_world *world)
{
    char refuse = world->heard.refuse, stop_at = world->heard.stop_at;
    memset(&world->heard, 0, sizeof world->heard);
    memset(&world->error, 0, sizeof world->error);
    world->heard.refuse = refuse;
    world->heard.stop_at = stop_at;
    world->stop = 0;
    return session_run(&world->request, &world->error);
}

/* Runs the request and expects 0, or an error that begins with this text. */
static inline void session_world_expect(struct session_world *world, const char *row, int expected, const char *words)
{
    int code = session_world_run(world);
    bool same = code == expected && strncmp(world->error.message, words, strlen(words)) == 0;
    if (!same)
        fprintf(stderr, "\n%s: %d, %s\n", row, code, world->error.message);
    CU_ASSERT(same);
    CU_ASSERT_EQUAL((int)world->error.code, code);
}

/* Writes a text with paths for $JOURNAL and $SPACE. */
static inline void session_name(char *to, size_t room, const char *text, const char *journal, const char *space)
{
    size_t used = 0;
    to[0] = '\0';
    while (*text && used < room - 1) {
        const char *path = strncmp(text, "$JOURNAL", 8) == 0 ? journal : strncmp(text, "$SPACE", 6) == 0 ? space : NULL;
        int length = snprintf(to + used, room - used, "%.*s", path ? 400 : 1, path ? path : text);
        text += path == journal ? 8 : path ? 6 : 1;
        used += (size_t)length;
    }
}

/* Compares and names the row on failure. */
static inline void session_expect(const char *row, const char *what, const char *expected, const char *found)
{
    if (strcmp(expected, found) != 0)
        fprintf(stderr, "\n%s: %s is '%s', expected '%s'\n", row, what, found, expected);
    CU_ASSERT_STRING_EQUAL(found, expected);
}

#endif
