/* Verdicts about candidates: what a session reports becomes a row for each candidate and problem size. */
#ifndef CUTUNE_COMMANDS_JUDGE_H
#define CUTUNE_COMMANDS_JUDGE_H

#include <stdbool.h>
#include <stddef.h>

#include "analyse/verdict.h"
#include "base/arena.h"
#include "base/limits.h"
#include "session/session.h"

/* The verdicts, the worst last. */
enum judged_verdict {
    JUDGED_RIGHT,
    JUDGED_SUSPICIOUS, /* its results are right, but something speaks against its time */
    JUDGED_FAILED,     /* it has no results: it does not compile, crashes or is late */
    JUDGED_WRONG,
    JUDGED_VERDICTS
};
const char *judged_verdict_name(enum judged_verdict verdict);

/* The measurements that a candidate is compared with. */
enum judged_base { BASE_DEFAULT, BASE_LIBRARY, BASE_BEST_KNOWN, JUDGED_BASES };
const char *judged_base_name(enum judged_base base);

/* A candidate at one problem size, or the space's own kernels there. Texts are in the arena. */
struct judged {
    const char *name, *file, *problem, *configuration, *journal;
    const char *why; /* the evidence of a verdict, or a remark; "": none */
    bool own;        /* the space's own kernels: no candidate */
    enum judged_verdict verdict;
    bool measured;
    struct measurement measurement;
    struct verdict_ratio over[JUDGED_BASES]; /* its time over the base's; NaN: unknown, or it is not right */
};

/* Zeroed: empty. */
struct judging {
    struct arena arena;
    struct judged *rows; /* of each size, in the order of the candidates behind the space's own kernels */
    size_t count, room;
    const char *library; /* its name; NULL: not measured */
};
void judging_free(struct judging *judging);

/* Runs a session with a judgement, and appends a row for each configuration of it, also after an error: candidates
 * without a measurement have failed. `has_library`: the space has a library, which is measured before. Replaces the
 * request's listener by one that calls `listener` for each event. */
int judge_run(struct judging *judging, const struct session_request *request, bool has_library,
              session_listener *listener, void *context, struct error *error);

/* The verdict about all sizes of the candidate in a row: the worst. *where gets the first row with it. */
enum judged_verdict judged_overall(const struct judging *judging, const char *name, const struct judged **where);

/* Prints the rows: `format` as in output_rows. */
int judge_print(const struct judging *judging, const char *format, struct error *error);

#endif
