/* Journals of a fit over the size N, made of rows, with a space for them. */
#ifndef TESTS_TUNER_FIT_WORLD_H
#define TESTS_TUNER_FIT_WORLD_H

#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "../scratch.h"
#include "base/file.h"
#include "fit/fit_journals.h"

#define COLUMNS "A,B,status,time_ns,low_ns,high_ns,samples,proposer,playoff,message\n"

static const char space_text[] = "space 2\nkernel k \"k.cu\"\nproblem N = 8\nparam A = 1..4\nparam B = 1, 2\n"
                                 "require A == 2 => N % 2 == 0\nrequire A == 4 => N % 4 == 0\n"
                                 "buffer out float[N] output\nargs out\nblock 32\ngrid 1\n"
                                 "reference r block 32 grid 1\n";

struct world {
    struct scratch scratch;
    struct fit_journals journals;
    struct error error;
};

static inline int add_table(struct world *world, const char *name, const char *kernel, const char *problem,
                            const char *columns, const char *rows, bool *same)
{
    struct text text = {0};
    char path[256];
    snprintf(path, sizeof path, "%s.%s", world->scratch.path, name);
    text_printf(&text,
                "# cutune journal 1\n# kernel = %s\n# device = D\n# limit.sm_count = 7\n# limit.l2_bytes = 4096\n# "
                "problem = %s\n"
                "# limit.shared_limit = 1000\n# default = A=1 B=1\n# parameters = 2\n%s%s",
                kernel, problem, columns, rows);
    CU_ASSERT_EQUAL_FATAL(file_replace(path, text.bytes, text.length, NULL), 0);
    text_free(&text);
    return fit_journals_add(&world->journals, path, same, &world->error);
}

static inline int add(struct world *world, const char *name, const char *kernel, const char *problem, const char *rows,
                      bool *same)
{
    return add_table(world, name, kernel, problem, COLUMNS, rows, same);
}

static inline void open_world(struct world *world)
{
    static const char *const names[] = {"N"};
    *world = (struct world){.journals = {.names = names, .name_count = 1}};
    world->scratch = scratch_open("journal");
}

static inline void close_world(struct world *world)
{
    fit_journals_free(&world->journals);
    scratch_close(&world->scratch);
}

#endif
