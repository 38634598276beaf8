/* Order of winners in a warm start: databases as text, and the configurations taken from them. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "../scratch.h"
#include "base/text.h"
#include "prior/warm_start.h"

static const char text[] =
    "space 2\nkernel k \"k.cu\"\nproblem N = 1000\nproblem M = 10\nparam A = 1..9\nparam C = x, y\n"
    "require A != 7\nbuffer out float[64] output\nargs out\nblock 32\ngrid 1\n"
    "reference r block 32 grid 1\n";
/* The current run: on H200, N=1000 M=10. */
static const struct provenance now = {.kernel = "k",
                                      .device.name = "H200",
                                      .device.cc = 90,
                                      .device.sm_count = 132,
                                      .device.l2_bytes = 60 << 20,
                                      .problem = "N=1000 M=10",
                                      .source_hash = "s",
                                      .space_hash = "t",
                                      .options = "o",
                                      .nvrtc = "13.0",
                                      .device.driver = "1"};

#define HEADER                                                                                                         \
    "schema,kernel,device,cc,sm_count,l2_bytes,problem,objective,configuration,source_hash,space_hash,options,nvrtc,"  \
    "driver\n"
#define HEADER_BUILD                                                                                                   \
    "schema,kernel,device,cc,sm_count,l2_bytes,problem,objective,configuration,source_hash,space_hash,options,nvrtc,"  \
    "driver,nvrtc_build\n"
#define ROW(device, cc, sms, problem, configuration)                                                                   \
    "1,k," device "," cc "," sms ",62914560," problem ",time," configuration ",s,t,o,13.0,1\n"

static const struct {
    const char *database, *expected; /* the configurations in order */
    size_t most, left_out;
    const char *incumbent; /* NULL: none */
} cases[] = {
    {"", "", 8, 0, NULL},
    {HEADER, "", 8, 0, NULL},
    /* other kernels and objectives are skipped */
    {HEADER "1,other,H100,90,132,1,N=1000 M=10,time,A=1 C=x,s,t,o,13.0,1\n"
            "1,k,H100,90,132,1,N=1000 M=10,energy,A=1 C=x,s,t,o,13.0,1\n",
     "", 8, 0, NULL},
    /* the row for the same question is the incumbent, whatever its tools */
    {HEADER ROW("H200", "90", "132", "N=1000 M=10", "A=1 C=x"), "", 8, 0, "A=1 C=x"},
    {HEADER ROW("H200", "90", "132", "M=10 N=1000", "A=1 C=x"), "", 0, 0, "A=1 C=x"},
    {HEADER "1,k,H200,90,132,62914560,N=1000 M=10,time,A=1 C=x,old,t,o,13.0,1\n", "A=1 C=x;", 8, 0, NULL},
    {HEADER "1,k,H200,90,132,62914560,N=1000 M=10,time,A=1 C=x,s,t,o,12.9,1\n", "", 8, 0, "A=1 C=x"},
    {HEADER "1,k,H200,90,132,62914560,N=1000 M=10,time,A=1 C=x,s,t,o,13.0,2\n", "", 8, 0, "A=1 C=x"},
    {HEADER_BUILD "1,k,H200,90,132,62914560,N=1000 M=10,time,A=1 C=x,s,t,o,13.0,1,another\n", "", 8, 0, "A=1 C=x"},
    {HEADER_BUILD "1,k,H200,90,132,62914560,N=1000 M=10,time,A=1 C=x,s,t,o,13.0,1,\n", "", 8, 0, "A=1 C=x"},
    {HEADER "1,k,H200,90,132,62914560,N=1000 M=10,time,A=1 C=x,s,t,other,13.0,1\n", "A=1 C=x;", 8, 0, NULL},
    {HEADER "1,k,H200,90,132,62914560,N=1000 M=10,energy,A=1 C=x,s,t,o,13.0,1\n", "", 8, 0, NULL},
    {HEADER ROW("H200", "90", "132", "N=1000 M=10", "A=7 C=x"), "", 8, 0, NULL}, /* not valid here */
    /* this device's nearest sizes, then this compute capability, this major version, then any device by its sizes */
    {HEADER ROW("A100", "80", "108", "N=1000 M=10", "A=1 C=x") ROW("B1", "93", "100", "N=1000 M=10", "A=2 C=x")
         ROW("H100", "90", "114", "N=1000 M=10", "A=3 C=x") ROW("H100", "90", "114", "N=2000 M=10", "A=4 C=x")
             ROW("H20", "90", "78", "N=1000 M=10", "A=5 C=x") ROW("H200", "90", "132", "N=4000 M=10", "A=6 C=x")
                 ROW("H200", "90", "132", "N=500 M=10", "A=6 C=y") ROW("V100", "70", "80", "N=100 M=10", "A=8 C=x"),
     "A=6 C=y;A=6 C=x;A=3 C=x;A=4 C=x;A=5 C=x;A=2 C=x;A=1 C=x;A=8 C=x;", 8, 0, NULL},
    {HEADER ROW("A100", "80", "108", "N=10 M=10", "A=1 C=x") ROW("V100", "70", "80", "N=1000 M=10", "A=2 C=x"),
     "A=2 C=x;A=1 C=x;", 8, 0, NULL},
    /* at most the requested number, without duplicates */
    {HEADER ROW("A100", "80", "108", "N=1000 M=10", "A=1 C=x") ROW("H100", "90", "132", "N=1000 M=10", "C=x A=1")
         ROW("V100", "70", "80", "N=900 M=10", "A=2 C=x") ROW("W", "70", "80", "N=100 M=10", "A=3 C=x"),
     "A=1 C=x;A=2 C=x;", 2, 0, NULL},
    /* invalid here, of another version of the space, or not a configuration */
    {HEADER ROW("A100", "80", "108", "N=1000 M=10", "A=7 C=x") ROW("H100", "90", "132", "N=1000 M=10", "A=1 B=2")
         ROW("V100", "70", "80", "N=900 M=10", "nonsense") ROW("W", "70", "80", "N=100 M=10", "A=3 C=x"),
     "A=3 C=x;", 2, 3, NULL},
    /* counted in any position */
    {HEADER ROW("A100", "80", "108", "N=1000 M=10", "A=7 C=x") ROW("H100", "90", "132", "N=1000 M=10", "A=1 C=x"),
     "A=1 C=x;", 1, 1, NULL},
    /* sizes of another version of the space are far away */
    {HEADER ROW("A100", "80", "108", "N=1000", "A=1 C=x") ROW("B", "80", "108", "", "A=2 C=x")
         ROW("C", "80", "108", "N=x M=10", "A=3 C=x") ROW("D", "80", "108", "M=10 N=7", "A=4 C=x"),
     "A=4 C=x;A=1 C=x;A=3 C=x;A=2 C=x;", 8, 0, NULL},
};

static struct space *space;
static struct valid_set *set;

static void open_set(void)
{
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, "t.space", text, strlen(text), "A C", &error), 0);
    CU_ASSERT_EQUAL_FATAL(space_bind(space, NULL, 0, NULL, &error), 0);
    CU_ASSERT_EQUAL_FATAL(valid_set_build(&set, space, VALID_SET_DEFAULT_BYTES, &error), 0);
}

static void close_set(void)
{
    valid_set_free(set);
    space_free(space);
}

static void takes_the_nearest(void)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/cutune-warm-%ld.csv", (long)getpid());
    open_set();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct warm_start warm = {0};
        struct warm_start_setup setup = {space, set, &now, "time", NULL, 0, cases[i].most};
        struct error error = {0};
        struct text taken = {0};
        if (*cases[i].database)
            write_file(path, cases[i].database);
        CU_ASSERT_EQUAL(warm_start_find(&warm, path, &setup, &error), 0);
        CU_ASSERT_EQUAL(warm.incumbent != NULL, cases[i].incumbent != NULL);
        if (warm.incumbent && cases[i].incumbent) {
            uint32_t choices[SPACE_PARAMETERS_MAX];
            struct text incumbent = {0};
            valid_set_get(set, warm.incumbent_index, choices);
            space_config_text(space, choices, &incumbent);
            CU_ASSERT_STRING_EQUAL(text_string(&incumbent), cases[i].incumbent);
            text_free(&incumbent);
        }
        for (size_t k = 0; k < warm.count; k++) {
            uint32_t choices[SPACE_PARAMETERS_MAX];
            valid_set_get(set, warm.indices[k], choices);
            space_config_text(space, choices, &taken);
            text_printf(&taken, ";");
            CU_ASSERT_PTR_EQUAL(warm_start_row(&warm, warm.indices[k]), warm.rows[k]);
        }
        CU_ASSERT_STRING_EQUAL(text_string(&taken), cases[i].expected);
        CU_ASSERT_EQUAL(warm.left_out, cases[i].left_out);
        CU_ASSERT_PTR_NULL(warm_start_row(&warm, UINT64_MAX));
        text_free(&taken);
        warm_start_free(&warm);
        unlink(path);
    }
    close_set();
}

/* The strategy proposes the winners of the prior runs that it learned from. */
static void leaves_the_known(void)
{
    char path[64];
    const struct provenance known = {.device.name = "A100", .problem = "M=10 N=1000"};
    struct warm_start warm = {0};
    struct error error = {0};
    snprintf(path, sizeof path, "/tmp/cutune-warm-%ld.csv", (long)getpid());
    open_set();
    write_file(path, HEADER ROW("A100", "80", "108", "N=1000 M=10", "A=1 C=x") ROW(
                         "A100", "80", "108", "N=900 M=10", "A=2 C=x") ROW("B", "80", "1", "N=1000 M=10", "A=3 C=x"));
    const struct warm_start_setup setup = {space, set, &now, "time", &known, 1, 8};
    CU_ASSERT_EQUAL(warm_start_find(&warm, path, &setup, &error), 0);
    CU_ASSERT_EQUAL_FATAL(warm.count, 2);
    CU_ASSERT_STRING_EQUAL(warm.rows[0]->configuration, "A=3 C=x");
    CU_ASSERT_STRING_EQUAL(warm.rows[1]->configuration, "A=2 C=x");
    warm_start_free(&warm);
    unlink(path);
    close_set();
}

/* In a set of more than 2^64, configurations without an index cannot be requested. */
static void huge_sets(void)
{
    char path[64];
    struct text wide = {0}, names = {0}, row = {0};
    struct warm_start warm = {0};
    struct error error = {0};
    snprintf(path, sizeof path, "/tmp/cutune-warm-%ld.csv", (long)getpid());
    text_printf(&wide, "space 2\nkernel k \"k.cu\"\nproblem N = 1000\nproblem M = 10\n");
    text_printf(&row, HEADER);
    for (int last = 0; last < 2; last++) {
        text_printf(&row, "1,k,GPU%d,90,132,1,N=1000 M=10,time,", last);
        for (int p = 0; p < 18; p++)
            text_printf(&row, "P%d=%d ", p, last ? 16 : 1);
        text_printf(&row, ",s,t,o,13.0,1\n");
    }
    for (int p = 0; p < 18; p++) {
        text_printf(&wide, "param P%d = 1..16\n", p);
        text_printf(&names, "P%d ", p);
    }
    text_printf(&wide, "buffer out float[64] output\nargs out\nblock 32\ngrid 1\nreference r block 32 grid 1\n");
    CU_ASSERT_EQUAL_FATAL(
        space_parse_text(&space, "t.space", text_string(&wide), wide.length, text_string(&names), &error), 0);
    CU_ASSERT_EQUAL_FATAL(space_bind(space, NULL, 0, NULL, &error), 0);
    CU_ASSERT_EQUAL_FATAL(valid_set_build(&set, space, VALID_SET_DEFAULT_BYTES, &error), 0);
    CU_ASSERT_EQUAL(valid_set_count(set), UINT64_MAX);
    write_file(path, text_string(&row));
    CU_ASSERT_EQUAL(
        warm_start_find(&warm, path, &(struct warm_start_setup){space, set, &now, "time", NULL, 0, 8}, &error), 0);
    CU_ASSERT(warm.count == 1 && warm.indices[0] == 0 && warm.left_out == 1);
    warm_start_free(&warm);
    unlink(path);
    text_free(&wide);
    text_free(&names);
    text_free(&row);
    close_set();
}

static void damaged_is_an_error(void)
{
    char path[64];
    struct warm_start warm = {0};
    struct error error = {0};
    snprintf(path, sizeof path, "/tmp/cutune-warm-%ld.csv", (long)getpid());
    open_set();
    write_file(path, "schema,kernel\n99,k\n");
    CU_ASSERT_NOT_EQUAL(
        warm_start_find(&warm, path, &(struct warm_start_setup){space, set, &now, "time", NULL, 0, 8}, &error), 0);
    CU_ASSERT(strstr(error.message, "schema") != NULL);
    CU_ASSERT_EQUAL(warm.count, 0);
    warm_start_free(&warm);
    unlink(path);
    close_set();
}

CU_TestInfo tests_warm_start[] = {{"takes the nearest rows' winners, each once", takes_the_nearest},
                                  {"leaves the winners that the strategy knows", leaves_the_known},
                                  {"configurations without a number are left out", huge_sets},
                                  {"a database that cannot be read is an error", damaged_is_an_error},
                                  CU_TEST_INFO_NULL};
