/* The internals of a public search: its space (api_search_space.c) and prior runs (api_search_prior.c), its dialogue
 * (api_search.c) and its file (api_search_file.c). */
#ifndef CUTUNE_API_API_SEARCH_H
#define CUTUNE_API_API_SEARCH_H

#include <cutune.h>

#include "base/text.h"
#include "search/archive.h"
#include "search/search.h"

/* A step of the dialogue. */
struct search_event {
    enum search_event_kind {
        EVENT_ASK,      /* of the strategy, for up to `room` configurations; the proposals follow */
        EVENT_DEFAULT,  /* the space's default is proposed, and follows */
        EVENT_PROPOSAL, /* of `configuration` */
        EVENT_ANSWER    /* of `configuration`, by `answer` */
    } kind;
    size_t room;
    uint64_t configuration;
    struct cutune_answer answer;
};

enum { SEARCH_ROOM_MAX = 64 }; /* of an EVENT_ASK */

struct cutune_search {
    struct arena arena; /* owns `values` */
    struct space *space;
    struct valid_set *set;
    const char *const **values; /* texts by parameter and choice */
    bool has_default;           /* `default_` is proposed first */
    uint64_t default_;
    char space_hash[HASH_HEX_BYTES]; /* of parameters, sizes and conditions */
    size_t prior_run_count;
    struct prior_run prior_runs[PRIOR_RUNS_MAX]; /* of `arena` */
    struct strategy_choice choice;
    const char *strategy; /* as chosen */
    uint64_t seed;
    struct search search;
    struct archive archive; /* of proposals and answers */
    size_t told;
    struct search_event *events; /* the whole dialogue in order */
    size_t event_count, event_room;
    uint64_t best; /* if best_value is finite */
    double best_value;
};

/* ---- api_search_space.c ---- */

/* Makes space, set, values, default and hash. */
int search_make_space(struct cutune_search *search, const struct cutune_search_space *from, struct error *error);

/* ---- api_search_prior.c ---- */

/* Checks and copies the prior runs; the space is known. */
int search_copy_prior_runs(struct cutune_search *search, const struct cutune_search_space *from, struct error *error);
/* Appends what a hash of the space covers of them. */
void search_hash_prior_runs(const struct cutune_search *search, struct text *text);

/* ---- api_search.c ---- */

/* Opens a search without a strategy; close it with cutune_search_close, also after an error. */
int search_open(struct cutune_search **search, const struct cutune_search_space *space, struct error *error);
/* Starts a strategy, or starts it again without any proposals and answers. `strategy` is borrowed. */
int search_start(struct cutune_search *search, const char *strategy, uint64_t seed, struct error *error);

/* A step each, with its events: the proposal of the default, if due; a request to the strategy, for at most
 * SEARCH_ROOM_MAX configurations; an answer. */
int search_propose_default(struct cutune_search *search, uint64_t *configuration, size_t *count, struct error *error);
int search_propose(struct cutune_search *search, uint64_t *configurations, size_t room, size_t *count,
                   struct error *error);
int search_answer(struct cutune_search *search, uint64_t configuration, const struct cutune_answer *answer,
                  struct error *error);

/* ---- api_search_file.c ---- */

/* Appends the text of a file. */
void search_print(const struct cutune_search *search, struct text *text);
/* Starts the strategy of a file's text and repeats the dialogue. `path` is for errors. *same as in
 * cutune_search_restore. */
int search_parse(struct cutune_search *search, const char *path, const char *text, size_t length, bool *same,
                 struct error *error);

#endif
