/* The common part of the readers of JSON results: parameters and values, times, and the places of errors. */
#ifndef CUTUNE_EXCHANGE_JSON_IMPORT_H
#define CUTUNE_EXCHANGE_JSON_IMPORT_H

#include "exchange/exchange.h"
#include "exchange/json_read.h"

struct json_import {
    struct exchange exchange;
    struct json_text json;
    const char **values; /* of the current result, in the order of the header's parameters */
    size_t room;         /* for parameters; 0: none is named yet */
    bool named;          /* the header has all parameters */
    struct arena row;    /* of the current result */
};

/* Starts the journal and parses the file; json_import_free frees both, also after an error. */
int json_import_start(struct json_import *import, const struct exchange_setup *setup, const char *text, size_t length,
                      cJSON **root, size_t *at, struct error *error);
void json_import_free(struct json_import *import, cJSON *root);

/* Adds the place to an error without one. Returns `code`. */
int json_import_placed(const struct json_import *import, int code, size_t at);
/* The exact text of the value at `at`, a string without its escapes; of `import->row`, NULL when out of memory. */
const char *json_import_words(struct json_import *import, const cJSON *item, size_t at);

/* A configuration is read value by value. The first one names the parameters; those that follow must have the same.
 * `count` is the number of values that follow, and `at` the configuration's place. */
int json_import_configuration(struct json_import *import, size_t count, size_t at);
/* Gives the parameter `name`, whose place is `key`, a value. */
int json_import_value(struct json_import *import, const char *name, size_t key, const cJSON *item, size_t at);
/* Ends the configuration: each parameter has a value. */
int json_import_configured(struct json_import *import, size_t at);
/* Reads a configuration that is an object, whose members are the parameters. */
int json_import_object(struct json_import *import, const struct json_member *configuration);
/* Takes the parameters from a list of their names, before the first configuration. */
int json_import_names(struct json_import *import, const struct json_member *names);
/* The number of a parameter; that of all parameters for another name. */
size_t json_import_find(const struct json_import *import, const char *name);

/* Reads a member that is a list; a missing one and null are empty. `take` reads an item at `at`. Frees `import->row`
 * behind each item. */
typedef int json_take(struct json_import *import, const cJSON *item, size_t at);
int json_import_list(struct json_import *import, const struct json_member *list, json_take *take);
/* Reads all results, a list of one or more, twice: each gets the median of its configuration. */
int json_import_results(struct json_import *import, const struct json_member *results, json_take *take);

/* A member that is a string; NULL if it is missing or another value. */
const char *json_import_text(const struct json_member *member);
/* Adds a duration, unless the member is missing or null, to *sum_ns; -1: no duration yet. */
int json_import_duration(struct json_import *import, const struct json_member *member, double unit_ns, int64_t *sum_ns);
/* Takes a number as the time of a result. */
int json_import_time(struct json_import *import, const struct json_member *member, double unit_ns,
                     struct measurement *measurement);
/* For json_members: the member has no place in a journal. */
int json_import_leave_out(void *import, const cJSON *item, size_t key);
/* Adds a row with the values of the current result, which begins at `at`. */
int json_import_add(struct json_import *import, const struct measurement *measurement, size_t at);

#endif
