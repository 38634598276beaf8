/* A fit's quality from journals: the sizes, the configuration chosen there, and its loss. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "../scratch.h"
#include "fit/fit_seen.h"

#define HEADER "# device = D\n# limit.sm_count = 7\n# limit.l2_bytes = 4096\n"
#define OTHER  "# device = E\n# limit.sm_count = 7\n# limit.l2_bytes = 4096\n"
enum { FILES_MAX = 16 };

/* A is the best of small sizes, B of large even ones; C is chosen where B is not valid. */
static const char text[] =
    "fit 1; size M 3 3; size N 1 100; take P=A; take P=B where ((N % 2) == 0); take P=C; if size N "
    "<= 10; order 0 1 2; order 1 2 0;";

struct file {
    const char *header, *problem, *rows;
};

struct seen_size {
    int64_t n;
    bool sample;
    size_t taken;
    double quality;
};

struct world {
    struct scratch scratch;
    struct fit_seen seen;
    struct best row;
    struct error error;
    struct arena arena; /* of the paths */
    const char *list[FILES_MAX];
    size_t count;
};

static void open_world(struct world *world, const char *quality)
{
    *world = (struct world){.row = {.objective = "time", .fit = text, .fit_quality = quality}};
    world->row.provenance = provenance_unknown();
    world->row.provenance.kernel = "k";
    world->row.provenance.options = "";
    snprintf(world->row.provenance.device.name, sizeof world->row.provenance.device.name, "D");
    world->row.provenance.device.sm_count = 7;
    world->row.provenance.device.l2_bytes = 4096;
    world->scratch = scratch_open("journal");
}

static void add(struct world *world, const struct file *file)
{
    struct text journal = {0}, name = {0};
    text_printf(&name, "%s/%zu.csv", world->scratch.folder, world->count);
    const char *path = arena_copy(&world->arena, text_string(&name), name.length);
    text_free(&name);
    CU_ASSERT_PTR_NOT_NULL_FATAL(path);
    text_printf(&journal,
                "# cutune journal 1\n# kernel = k\n%s# problem = %s\n# default = P=A\n# parameters = 1\n"
                "P,status,time_ns,low_ns,high_ns,samples,proposer,playoff,message\n%s",
                file->header, file->problem, file->rows);
    CU_ASSERT_EQUAL_FATAL(file_replace(path, journal.bytes, journal.length, NULL), 0);
    text_free(&journal);
    world->list[world->count++] = path;
}

static void see(struct world *world)
{
    int code = fit_seen_make(&world->seen, &world->row, world->list, world->count, NULL, &world->error);
    if (code)
        printf("%s\n", world->error.message);
    CU_ASSERT_EQUAL_FATAL(code, 0);
}

static void close_world(struct world *world)
{
    fit_seen_free(&world->seen);
    arena_free(&world->arena);
    scratch_close(&world->scratch);
}

static void expect(const struct fit_seen *seen, const struct seen_size *sizes, size_t count)
{
    CU_ASSERT_EQUAL_FATAL(seen->count, count);
    for (size_t i = 0; i < count; i++) {
        CU_ASSERT_EQUAL(seen->sizes[i].sizes[1], sizes[i].n);
        CU_ASSERT_EQUAL(seen->sizes[i].sample, sizes[i].sample);
        CU_ASSERT_EQUAL(seen->sizes[i].taken, sizes[i].taken);
        CU_ASSERT_EQUAL(isnan(seen->sizes[i].quality), isnan(sizes[i].quality));
        CU_ASSERT(isnan(sizes[i].quality) || fabs(seen->sizes[i].quality - sizes[i].quality) < 1e-12);
    }
}

/* Samples are the journals with measurements of the fit; others are those of the same device, conditions and region. */
static void sees(void)
{
    static const struct file files[] = {
        {HEADER, "M=3 N=50",
         "A,ok,9,9,9,9,default,,\nB,ok,4,4,4,9,strategy,,\nB,ok,5,5,5,9,fit,,\nA,ok,10,10,10,9,fit,,\n"
         "C,ok,4,4,4,9,fit,,\n"},
        {HEADER, "M=3 N=8",
         "A,ok,6,6,6,9,default,,\nA,ok,6,6,6,9,fit,,\nB,ok,3,3,3,9,fit,,\nC,wrong_result,,,,,fit,,bad\n"},
        {HEADER, "N=51 M=3",
         "A,ok,5,5,5,9,default,,\nC,ok,4,4,4,9,strategy,,\nA,ok,5,5,5,9,fit,,\nC,crashed,,,,,fit,,bad\n"},
        {HEADER, "M=3 N=20", "A,ok,9,9,9,9,default,,\nB,ok,8,8,8,9,strategy,,\nC,ok,2,2,2,9,strategy,,\n"},
        {HEADER, "M=3 N=60", "A,ok,1,1,1,9,default,,\nB,slower,8,8,8,9,strategy,,\n"},
        {HEADER, "M=3 N=70", "A,ok,1,1,1,9,default,,\nB,compile_error,,,,,strategy,,bad\n"},
        {HEADER, "M=3 N=80", "A,ok,1,1,1,9,default,,\n"},
        /* These sizes have a sample. */
        {HEADER, "M=3 N=8", "A,ok,1,1,1,9,default,,\n"},
        /* From another region, device, condition, version, data or driver. */
        {HEADER, "M=3 N=101", "A,ok,1,1,1,9,default,,\n"},
        {HEADER, "M=4 N=30", "A,ok,1,1,1,9,default,,\n"},
        {OTHER, "M=3 N=31", "A,ok,1,1,1,9,default,,\n"},
        {HEADER "# options = cache=warm\n", "M=3 N=32", "A,ok,1,1,1,9,default,,\n"},
        {HEADER "# source_hash = 1\n", "M=3 N=32", "A,ok,1,1,1,9,default,,\nA,ok,1,1,1,9,fit,,\n"},
        {HEADER "# data_hash = 1\n", "M=3 N=32", "A,ok,1,1,1,9,default,,\n"},
        {HEADER "# driver = 1\n", "M=3 N=32", "A,ok,1,1,1,9,default,,\n"},
    };
    static const struct seen_size sizes[] = {{8, true, 0, 0.5},    {50, true, 1, 0.8},    {51, true, 2, 0},
                                             {20, false, 1, 0.25}, {60, false, 1, 0.125}, {70, false, 1, 0},
                                             {80, false, 1, NAN}};
    struct world world;
    open_world(&world, "sizes=3 mean=0.5 limit_percent=5");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        add(&world, &files[i]);
    see(&world);
    expect(&world.seen, sizes, sizeof sizes / sizeof *sizes);
    CU_ASSERT_EQUAL(world.seen.sample_count, 3);
    CU_ASSERT_EQUAL(world.seen.left_out, 4);
    for (size_t i = 0; i < 3; i++)
        CU_ASSERT_EQUAL(world.seen.rules[i], 1);
    CU_ASSERT(world.seen.whole);
    CU_ASSERT_DOUBLE_EQUAL(world.seen.unseen.worst, 0.0001, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(world.seen.unseen.mean, cbrt(0.25 * 0.125 * 0.0001), 1e-9);
    close_world(&world);
}

/* The row has the quality at held-out samples, if all are there. */
static void reads_held(void)
{
    static const int64_t n[] = {1, 2, 3, 4, 5, 98};
    for (size_t lacking = 0; lacking < 2; lacking++) {
        struct world world;
        open_world(&world, "sizes=6 loss_percent=0 limit_percent=5 held=0.5/1/-/1/1/0.25");
        for (size_t i = lacking; i < 6; i++) {
            char problem[32];
            snprintf(problem, sizeof problem, "M=3 N=%lld", (long long)n[i]);
            add(&world, &(struct file){HEADER, problem,
                                       i < 5 ? "A,ok,1,1,1,9,default,,\nA,ok,1,1,1,9,fit,,\nB,ok,4,4,4,9,fit,,\n"
                                             : "A,ok,8,8,8,9,default,,\nB,ok,2,2,2,9,strategy,,\n"
                                               "A,ok,8,8,8,9,fit,,\nB,ok,2,2,2,9,fit,,\n"});
        }
        see(&world);
        CU_ASSERT_EQUAL(world.seen.whole, lacking == 0);
        CU_ASSERT_EQUAL_FATAL(world.seen.count, 6 - lacking);
        const struct fit_seen_size *last = &world.seen.sizes[5 - lacking];
        CU_ASSERT_DOUBLE_EQUAL(last->quality, 1, 1e-12);
        CU_ASSERT(lacking ? isnan(last->held) : last->held == 0.25);
        CU_ASSERT(lacking ? isnan(world.seen.sizes[0].held) : world.seen.sizes[0].held == 0.5);
        CU_ASSERT(isnan(world.seen.sizes[2].held));
        close_world(&world);
    }
}

/* A probed size is neither a sample nor another size, whatever it has; it counts for the configurations. */
static void sees_probed(void)
{
    static const struct file files[] = {
        {HEADER, "M=3 N=50", "A,ok,9,9,9,9,default,,\nB,ok,5,5,5,9,fit,,\nA,ok,10,10,10,9,fit,,\n"},
        {HEADER, "M=3 N=40", "A,ok,3,3,3,9,fit,,\nB,ok,6,6,6,9,fit,,\n"},
        {HEADER, "M=3 N=7", "A,ok,3,3,3,9,fit,,\nB,ok,1,1,1,9,fit,,\n"},
        {HEADER, "M=3 N=60", "A,ok,1,1,1,9,default,,\nB,ok,4,4,4,9,strategy,,\n"}};
    static const struct seen_size sizes[] = {{50, true, 1, 1}, {60, false, 1, 0.25}};
    struct world world;
    open_world(&world, "sizes=1 probed=2 mean=1 held=-");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        add(&world, &files[i]);
    see(&world);
    expect(&world.seen, sizes, sizeof sizes / sizeof *sizes);
    CU_ASSERT_EQUAL(world.seen.sample_count, 1);
    CU_ASSERT(world.seen.whole);
    CU_ASSERT_EQUAL(world.seen.rules[0], 1);
    CU_ASSERT_EQUAL(world.seen.rules[1], 2);
    close_world(&world);
}

/* Without journals, only the fit; an unreadable fit is an error. */
static void empty(void)
{
    struct world world;
    open_world(&world, "sizes=3 mean=0.5");
    see(&world);
    CU_ASSERT_EQUAL(world.seen.count, 0);
    CU_ASSERT(!world.seen.whole);
    CU_ASSERT_EQUAL(world.seen.fit.configuration_count, 3);
    CU_ASSERT(isnan(world.seen.unseen.mean));
    CU_ASSERT_EQUAL(fit_seen_number(&world.row, "mean"), 0.5);
    CU_ASSERT(isnan(fit_seen_number(&world.row, "held_mean")));
    fit_seen_free(&world.seen);
    world.row.fit = "fit 1; order 0;";
    CU_ASSERT_EQUAL(fit_seen_make(&world.seen, &world.row, NULL, 0, NULL, &world.error), ERROR_SYNTAX);
    close_world(&world);
}

CU_TestInfo tests_fit_seen[] = {{"sees sizes", sees},
                                {"reads held-out samples", reads_held},
                                {"sees probed sizes", sees_probed},
                                {"empty", empty},
                                CU_TEST_INFO_NULL};
