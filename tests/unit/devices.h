/* Rows of a database, ready for selection. */
#ifndef CUTUNE_TESTS_DB_DEVICES_H
#define CUTUNE_TESTS_DB_DEVICES_H

#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "choose/selection.h"

#define HEAD                                                                                                           \
    "schema,kernel,device,cc,sm_count,l2_bytes,problem,objective,time_ns,configuration,default_configuration,"         \
    "default_time_ns,source_hash,space_hash,date\n"

struct world {
    struct database *database;
    const struct best *rows[8];
    size_t count;
    struct selection *selection;
};

static inline int open_world(struct world *world, const char *text, const struct selection_time *times,
                             size_t time_count, struct error *error)
{
    memset(world, 0, sizeof *world);
    CU_ASSERT_EQUAL_FATAL(database_parse(&world->database, "d.csv", text, strlen(text), error), 0);
    for (size_t i = 0; i < database_count(world->database) && i < 8; i++)
        world->rows[world->count++] = database_get(world->database, i);
    return selection_build(&world->selection, world->rows, world->count, times, time_count, error);
}

static inline void close_world(struct world *world)
{
    selection_free(world->selection);
    database_close(world->database);
}

/* Three devices of two generations. The default T=1 takes twice the best on A and B. */
static const char three[] = HEAD "1,k,A,90,100,1000,N=100,time,10,T=2,T=1,20,s,p,2024\n"
                                 "1,k,A,90,100,1000,N=1000,time,100,T=3,T=1,200,s,p,2026\n"
                                 "1,k,B,90,50,1000,N=100,time,30,T=4,T=1,60,s,p,2025\n"
                                 "1,k,C,80,100,500,N=100,time,50,T=5,T=1,,s,p,2025\n";

#endif
