/* Files of Kernel Tuner, KTT, CLBlast and nvbench: their journals, and errors. */
#include "journals.h"

#define CACHE(results)                                                                                                 \
    "{\"device_name\":\"GPU\",\"kernel_name\":\"k\",\"problem_size\":[8,\"n\",2],\"tune_params_keys\":[\"a\",\"b\"],"  \
    "\"cache\":{" results "}}"
#define ENTRY(rest)  "\"1,x\":{\"a\":1,\"b\":\"x\"" rest "}"
#define KTT(results) "{\"Metadata\":{\"Device\":\"GPU\",\"TimeUnit\":\"Microseconds\"},\"Results\":[" results "]}"
#define KTT_RESULT(status, rest)                                                                                       \
    "{\"KernelName\":\"k\",\"Status\":\"" status "\",\"Configuration\":[{\"Name\":\"a\",\"Value\":1}]" rest "}"
#define CLBLAST(results)                                                                                               \
    "{\"kernel_family\":\"k_1\",\"device\":\"GPU\",\"arg_m\":\"8\",\"arg_beta\":\"0.5\",\"results\":[" results "]}"
#define NVBENCH                                                                                                        \
    "Benchmark,Device,Device Name,N (pow2),N,T,Skipped,Samples,Noise,GPU Time (sec),Noise,Samples,Batch GPU (sec),M\n"
#define COPY "copy,0,GPU,2^3,8,F32,No,5,0.1,2e-6,0.1,9,1e-6,\n"

static const struct {
    exchange_reader *read;
    const char *text;
    const char *head; /* "kernel|device|problem"; NULL: an error */
    const char *rows; /* or the message */
} files[] = {
    {kernel_tuner_import, CACHE(ENTRY(",\"time\":2,\"times\":[9,1,2]")), "k|GPU|size_x=8 size_z=2",
     "1 x|ok|2000000 3 -1 -1|\n"},
    {kernel_tuner_import, CACHE(ENTRY(",\"time\":2,\"compile_time\":3,\"verification_time\":1,\"benchmark_time\":0.5")),
     "k|GPU|size_x=8 size_z=2", "1 x|ok|2000000 0 3000000 1500000|\n"},
    {kernel_tuner_import, CACHE(ENTRY(",\"time\":\"InvalidConfig\",\"times\":[]")), "k|GPU|size_x=8 size_z=2",
     "1 x|pruned_limit|-1 0 -1 -1|InvalidConfig\n"},
    {kernel_tuner_import, CACHE(ENTRY(",\"__error__\":\"CompilationFailedConfig\"")), "k|GPU|size_x=8 size_z=2",
     "1 x|compile_error|-1 0 -1 -1|CompilationFailedConfig\n"},
    {kernel_tuner_import, CACHE(ENTRY(",\"time\":2,\"GFLOPS\":\"RuntimeFailedConfig\"")), "k|GPU|size_x=8 size_z=2",
     "1 x|launch_error|-1 0 -1 -1|RuntimeFailedConfig\n"},
    /* a cache that is open, as Kernel Tuner leaves it, with an incomplete line, and without results */
    {kernel_tuner_import, "{\"tune_params_keys\":[\"a\"],\"cache\":{\n\"1\":{\"a\":1,\"time\":2},\n", "f||",
     "1|ok|2000000 0 -1 -1|\n"},
    {kernel_tuner_import, "{\"tune_params_keys\":[\"a\"],\"cache\":{\n\"1\":{\"a\":1,\"time\":2},\n\"2\":{\"a\":2,\"ti",
     "f||", "1|ok|2000000 0 -1 -1|\n"},
    {kernel_tuner_import, "{\"tune_params_keys\":[\"a\"],\"cache\":{", NULL, "the cache has no results"},
    {kernel_tuner_import, "{\"tune_params_keys\":[\"a\"],\"cache\":{\n\"1\":{\"a\":1,", NULL, "not JSON"},
    {kernel_tuner_import, CACHE(""), NULL, "the cache has no results"},
    {kernel_tuner_import, CACHE("\"1\":{\"a\":1,\"time\":2}"), NULL, "has no parameter 'b'"},
    {kernel_tuner_import, CACHE(ENTRY("")), NULL, "neither 'time' nor an error class"},
    {kernel_tuner_import, CACHE(ENTRY(",\"time\":\"fast\"")), NULL, "its 'time' is not a number"},
    {kernel_tuner_import, CACHE(ENTRY(",\"time\":0")), NULL, "0 is not a time"},
    {kernel_tuner_import, CACHE(ENTRY(",\"time\":1,\"times\":[1,-1]")), NULL, "-1 is not a time"},
    {kernel_tuner_import, CACHE(ENTRY(",\"time\":1,\"times\":3")), NULL, "'times' is not a list"},
    {kernel_tuner_import, CACHE(ENTRY(",\"__error__\":\"Tired\"")), NULL, "unknown error class 'Tired'"},
    {kernel_tuner_import, CACHE(ENTRY(",\"a\":2")), NULL, "a second 'a'"},
    {kernel_tuner_import, CACHE("\"1\":[]"), NULL, "a result is not an object"},
    {kernel_tuner_import, "{\"tune_params_keys\":[],\"cache\":{}}", NULL, "without parameters"},
    {kernel_tuner_import, "{\"tune_params_keys\":[\"a\",\"a\"],\"cache\":{}}", NULL, "a second parameter 'a'"},
    {kernel_tuner_import, "{\"tune_params_keys\":[1],\"cache\":{}}", NULL, "is not a string"},
    {kernel_tuner_import, "{\"tune_params_keys\":[\"a\"],\"cache\":[]}", NULL, "'cache' is not an object"},
    {kernel_tuner_import, "{\"cache\":{}}", NULL, "'tune_params_keys' is not a list"},

    {ktt_import, KTT(KTT_RESULT("Ok", ",\"TotalDuration\":2,\"ValidationOverhead\":1,\"CompilationOverhead\":5")),
     "k|GPU|", "1|ok|2000 1 5000 3000|\n"},
    {ktt_import,
     KTT(KTT_RESULT("Ok", ",\"TotalDuration\":2,\"ComputationResults\":[{\"Overhead\":3},{\"Overhead\":4}]")), "k|GPU|",
     "1|ok|2000 1 7000 2000|\n"},
    {ktt_import, KTT(KTT_RESULT("ValidationFailed", "")), "k|GPU|", "1|wrong_result|-1 0 -1 -1|ValidationFailed\n"},
    {ktt_import, KTT(KTT_RESULT("Ok", ",\"TotalDuration\":2") "," KTT_RESULT("Ok", ",\"TotalDuration\":4")), "k|GPU|",
     "1|ok|3000 2 -1 6000|\n"},
    {ktt_import, KTT(KTT_RESULT("Tired", "")), NULL, "unknown 'Status'"},
    {ktt_import, KTT(KTT_RESULT("Ok", "")), NULL, "is not a number"},
    {ktt_import, KTT(KTT_RESULT("Ok", ",\"TotalDuration\":0")), NULL, "0 is not a time"},
    {ktt_import, KTT("{\"Status\":\"Ok\",\"Configuration\":[{\"Name\":\"a\"}]}"), NULL, "a 'Name', which is a string"},
    {ktt_import, KTT("{\"Status\":\"Ok\",\"Configuration\":{}}"), NULL, "'Configuration' is not a list"},
    {ktt_import, KTT(KTT_RESULT("Ok", ",\"TotalDuration\":2") ",{\"KernelName\":\"l\",\"Status\":\"Ok\"}"), NULL,
     "results of two kernels, 'k' and 'l'"},
    {ktt_import, KTT(""), NULL, "not a list of one result or more"},
    {ktt_import, "{\"Metadata\":{\"TimeUnit\":\"Fortnights\"},\"Results\":[]}", NULL, "unknown 'TimeUnit'"},
    {ktt_import, "{\"Metadata\":{},\"Results\":[]}", NULL, "unknown 'TimeUnit'"},

    {clblast_import, CLBLAST("{\"kernel\":\"k\",\"time\":0.250,\"parameters\":{\"a\":1,\"PRECISION\":32}}"),
     "k|GPU|arg_m=8", "1 32|ok|250000 0 -1 -1|\n"},
    {clblast_import, CLBLAST("{\"kernel\":\"k\",\"time\":0.000,\"parameters\":{\"a\":1}}"), NULL,
     "below the microsecond"},
    {clblast_import, CLBLAST("{\"kernel\":\"gemm_kernel_selection\",\"time\":10,\"parameters\":{\"a\":1}}"), NULL,
     "no times, but scores"},
    {clblast_import, CLBLAST("{\"kernel\":\"k\",\"time\":1}"), NULL, "a result without 'parameters'"},
    {clblast_import, CLBLAST("{\"kernel\":\"k\",\"parameters\":{\"a\":1}}"), NULL, "a result without 'time'"},
    {clblast_import, CLBLAST("{\"time\":1,\"parameters\":{\"a\":1}}"), NULL, "a result without 'kernel'"},
    {clblast_import,
     CLBLAST("{\"kernel\":\"k\",\"time\":1,\"parameters\":{\"a\":1}},{\"kernel\":\"k\",\"time\":1,\"parameters\":{"
             "\"b\":1}}"),
     NULL, "the first result has no parameter 'b'"},
    {clblast_import, CLBLAST(""), NULL, "not a list of one result or more"},

    {nvbench_import, NVBENCH COPY "copy,0,GPU,2^4,16,F32,Yes,,,,,,,\n", "copy|GPU|",
     "8 F32|ok|2000 5 -1 -1|\n16 F32|pruned_limit|-1 0 -1 -1|the benchmark skips it\n"},
    {nvbench_import, NVBENCH COPY "scale,0,GPU,2^3,8,F32,No,5,0.1,2e-6,0.1,9,1e-6,4\n", NULL,
     "the table has results of 'copy' and of 'scale'"},
    {nvbench_import, NVBENCH COPY "copy,1,Other,2^3,8,F32,No,5,0.1,2e-6,0.1,9,1e-6,\n", NULL,
     "the table has results of 'GPU' and of 'Other'"},
    {nvbench_import, NVBENCH "copy,0,GPU,2^3,8,F32,No,5,0.1,,0.1,9,1e-6,\n", NULL, "the time is not above 0"},
    {nvbench_import, NVBENCH "copy,0,GPU,2^3,8,F32,Maybe,5,0.1,1,0.1,9,1e-6,\n", NULL, "Skipped cannot be 'Maybe'"},
    {nvbench_import, "Benchmark,Device,Device Name,N,Skipped,CPU Time (sec)\n", NULL,
     "there is no column 'GPU Time (sec)'"},
    {nvbench_import, "Benchmark,N,N,Skipped,GPU Time (sec)\n", NULL, "both named 'N'"},
};

static bool is_right(size_t i, const struct exchange_setup *setup)
{
    struct text journal = {0}, rows = {0}, head = {0};
    struct error error = {0};
    struct journal *read = NULL;
    int code = files[i].read(setup, files[i].text, strlen(files[i].text), &journal, &error);
    bool right = code ? !files[i].head && strstr(error.message, files[i].rows) : files[i].head != NULL;
    if (!code && !journal_parse(&read, "j.csv", text_string(&journal), journal.length, &error)) {
        const struct provenance *provenance = &journal_get_header(read)->provenance;
        text_printf(&head, "%s|%s|%s", provenance->kernel, provenance->device.name, provenance->problem);
        describe(&journal, &rows);
        right &= strcmp(text_string(&head), files[i].head) == 0 && strcmp(text_string(&rows), files[i].rows) == 0;
    }
    if (!right)
        fprintf(stderr, "\n%s\n  %d:%d: %s %s %s", files[i].text, error.line, error.column, error.message,
                text_string(&head), text_string(&rows));
    journal_close(read, NULL);
    text_free(&journal);
    text_free(&rows);
    text_free(&head);
    return right;
}

static void test_files(void)
{
    static const struct exchange_setup setup = {.path = "f.json.gz"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        CU_ASSERT(is_right(i, &setup));
}

/* Options choose rows and columns of nvbench's tables. */
static void choices(void)
{
    static const char text[] = NVBENCH COPY "copy,1,Other,2^3,8,F64,No,5,0.1,3e-6,0.1,9,1e-6,\n"
                                            "scale,0,GPU,2^3,8,F32,No,5,0.1,4e-6,0.1,9,1e-6,4\n"
                                            "scale,0,GPU,2^3,8,F32,No,5,0.1,5e-6,0.1,9,1e-6,8\n";
    static const struct {
        struct exchange_setup setup;
        const char *rows, *message;
    } cases[] = {
        {{.kernel = "copy", .device = "GPU"}, "8 F32|ok|2000 5 -1 -1|\n", NULL},
        {{.kernel = "copy", .device = "Other", .problem = "N=8 K=1"}, "F64|ok|3000 5 -1 -1|\n", NULL},
        {{.kernel = "copy", .device = "GPU", .time = "Batch GPU (sec)"}, "8 F32|ok|1000 0 -1 -1|\n", NULL},
        {{.kernel = "scale", .parameters = "M"}, "4|ok|4000 5 -1 -1|\n8|ok|5000 5 -1 -1|\n", NULL},
        {{.kernel = "scale"}, NULL, "only the columns of the first benchmark, 'copy'"},
        {{.kernel = "copy"}, NULL, "the table has results of 'GPU' and of 'Other'"},
        {{.kernel = "copy", .problem = "N=16"}, NULL, "has no row with Benchmark=copy, N=16"},
        {{.kernel = "scale", .parameters = "L"}, NULL, "--params: there is no column 'L'"},
        {{.kernel = "scale", .parameters = "M,M"}, NULL, "--params and --params both name the column 'M'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct exchange_setup setup = cases[i].setup;
        struct text journal = {0}, rows = {0};
        struct error error = {0};
        setup.path = "f.csv";
        int code = nvbench_import(&setup, text, strlen(text), &journal, &error);
        if (!code)
            describe(&journal, &rows);
        bool right = code ? cases[i].message && strstr(error.message, cases[i].message)
                          : cases[i].rows && strcmp(text_string(&rows), cases[i].rows) == 0;
        if (!right)
            fprintf(stderr, "\n%zu: %s %s", i, error.message, text_string(&rows));
        CU_ASSERT(right);
        text_free(&journal);
        text_free(&rows);
    }
}

/* The default is written as its row has it, so that readers of the journal find it. */
static void defaults(void)
{
    static const struct {
        const char *given, *default_, *note; /* NULL: an error; NULL: no note */
    } cases[] = {{"b=x a=1.0", "a=1 b=x", NULL},
                 {"a=2 b=x", "a=2 b=x", "the default, a=2 b=x, is not among the results"},
                 {"a=1", NULL, NULL},
                 {"a=1 b=x c=3", NULL, NULL},
                 {"a=1 a=1", NULL, NULL},
                 {"", NULL, NULL}};
    static const char text[] = CACHE(ENTRY(",\"time\":2"));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct text journal = {0}, notes = {0};
        struct error error = {0};
        struct journal *read = NULL;
        const struct exchange_setup setup = {.path = "f", .default_ = cases[i].given, .notes = &notes};
        int code = kernel_tuner_import(&setup, text, strlen(text), &journal, &error);
        CU_ASSERT_EQUAL(code, cases[i].default_ ? 0 : ERROR_USAGE);
        CU_ASSERT(!code || strstr(error.message, "does not give each parameter once"));
        CU_ASSERT_EQUAL(strstr(text_string(&notes), cases[i].note ? cases[i].note : "the default") != NULL,
                        cases[i].note != NULL);
        if (!code && !journal_parse(&read, "j", text_string(&journal), journal.length, &error))
            CU_ASSERT_STRING_EQUAL(journal_get_header(read)->provenance.default_, cases[i].default_);
        journal_close(read, NULL);
        text_free(&journal);
        text_free(&notes);
    }
}

/* A note lists the parts that have no place in a journal, once each. */
static void left_out(void)
{
    static const struct {
        exchange_reader *read;
        const char *text, *notes;
    } cases[] = {
        {kernel_tuner_import,
         CACHE(ENTRY(",\"time\":2,\"power\":1") ",\"2\":{\"a\":2,\"b\":\"x\",\"time\":2,\"power\":1}"),
         "not imported, because no column holds them: power\n"},
        {kernel_tuner_import,
         "{\"objective\":\"power\",\"problem_size\":\"callable\",\"tune_params_keys\":[\"a\"],\"cache\":{\"1\":{\"a\":"
         "1,"
         "\"time\":2}}}",
         "not imported, because no column holds them: objective, problem_size\n"},
        {kernel_tuner_import,
         "{\"objective\":[\"time\"],\"tune_params_keys\":[\"a\"],\"cache\":{\"1\":{\"a\":1,\"time\":2}}}", ""},
        {kernel_tuner_import, "{\"tune_params_keys\":[\"a\"],\"cache\":{\n\"1\":{\"a\":1,\"time\":2},\n\"2\":{",
         "the cache is open, as while Kernel Tuner runs; its last line is incomplete, and ignored\n"},
        {clblast_import, CLBLAST("{\"kernel\":\"k\",\"time\":1,\"parameters\":{\"a\":1}}"),
         "not imported, because no column holds them: kernel_family, arg_beta\n"},
        {nvbench_import, NVBENCH COPY,
         "not imported, because no column holds them: Noise, Samples, Batch GPU (sec), M\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct text journal = {0}, notes = {0};
        struct error error = {0};
        const struct exchange_setup setup = {.path = "f", .notes = &notes};
        CU_ASSERT_EQUAL(cases[i].read(&setup, cases[i].text, strlen(cases[i].text), &journal, &error), 0);
        CU_ASSERT_STRING_EQUAL(text_string(&notes), cases[i].notes);
        if (strcmp(text_string(&notes), cases[i].notes) != 0)
            fprintf(stderr, "\n%s", text_string(&notes));
        text_free(&journal);
        text_free(&notes);
    }
}

CU_TestInfo tests_tuners[] = {{"files", test_files},
                              {"choices among rows and columns", choices},
                              {"defaults", defaults},
                              {"parts that are left out", left_out},
                              CU_TEST_INFO_NULL};
