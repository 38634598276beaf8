/* Valid results of T4, each with its row in the journal. */
#ifndef CUTUNE_TESTS_EXCHANGE_T4_RESULTS_H
#define CUTUNE_TESTS_EXCHANGE_T4_RESULTS_H

#include "journals.h"

static const struct {
    const char *text, *unit, *row;
} read_rows[] = {
    {WITH("{\"a\":1}"), NULL, "1|ok|2000 0 -1 -1|\n"},
    {WITH("{\"a\":-0.50}"), NULL, "-0.50|ok|2000 0 -1 -1|\n"},
    {WITH("{\"a\":\"=1+2\"}"), NULL, "=1+2|ok|2000 0 -1 -1|\n"},
    {WITH("{\"a\":false}"), NULL, "false|ok|2000 0 -1 -1|\n"},
    {WITH("{\"a\":\"16\"}"), NULL, "16|ok|2000 0 -1 -1|\n"},
    {MEASURED("[{\"name\":\"time\",\"value\":3}]"), "s", "1|ok|3000000000 0 -1 -1|\n"},
    {MEASURED("[{\"name\":\"loop\",\"value\":3,\"unit\":\"ns\"}],\"objectives\":[\"loop\"]"), NULL,
     "1|ok|3 0 -1 -1|\n"},
    {TIMES("{\"compilation\":1,\"validation\":2,\"framework\":9,\"runtimes\":[1,3]}"), NULL,
     "1|ok|2000 2 1000000000 6000000000|\n"},
    {FILE_OF(
         "{\"configuration\":{\"a\":1},\"times\":{\"runtimes\":[1,3]},\"invalidity\":\"correct\",\"correctness\":1}"),
     NULL, "1|ok|2000000000 2 -1 4000000000|\n"},
    {INVALID("\"timeout\""), NULL, "1|timeout|-1 0 -1 -1|\n"},
    {INVALID("\"compile\""), NULL, "1|compile_error|-1 0 -1 -1|\n"},
    {INVALID("\"correctness\""), NULL, "1|wrong_result|-1 0 -1 -1|\n"},
    {INVALID("\"constraints\""), NULL, "1|pruned_limit|-1 0 -1 -1|\n"},
};

#endif
