/* Compiler commands: what their workers answer, and what becomes of those that fail. */
#include "command_kit.h"

#include "compile/command_answer.h"
#include "compile/cubin.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void a_command_compiles(void)
{
#define EXTENT  "{\"extent\": \"o\", \"dimension\": 1, \"type\": \"int\"}"
#define STRUCT  "{\"struct\": [\"o\", {\"value\": -2, \"type\": \"int\"}]}"
#define SCRATCH "{\"scratch\": 4096, \"alignment\": 128}"
    struct compile_cache folder = new_files();
    struct compile_pool *pool = open_pool(1, 20 * second_ns);
    struct nvrtc_version version = {0};
    const struct compile_job job = command_job(
        WORKER "file=k.cubin request=print:100 'expect=\"params\":{\"T\":1,\"U\":2}' "
               "'answer={\"id\": ID, \"kernels\": [{\"entry\": \"k\", \"block\": [128], \"shared\": 16, \"grid\": "
               "[4, 2], \"cluster\": [2], \"cooperative\": true, \"parameters\": [\"o\", " EXTENT ", " STRUCT
               ", {\"null\": 8}, " SCRATCH "]}]}'",
        folder.folder, &version);
    CU_ASSERT_STRING_EQUAL(version.number, "stand-in 1.0");
    CU_ASSERT(compile_command_is_build(version.build));
    for (int turn = 0; turn < 2; turn++) {
        const struct compile_result result = compile_one(pool, &job);
        CU_ASSERT_EQUAL(result.status, STATUS_OK);
        CU_ASSERT_STRING_EQUAL(result.message, "");
        if (result.status != STATUS_OK)
            break;
        CU_ASSERT_STRING_EQUAL(result.lowered_names, "k");
        CU_ASSERT(result.resources[0].registers > 0);
        CU_ASSERT_EQUAL(result.answer_count, 1);
        CU_ASSERT_EQUAL(result.answers[0].block[0], 128);
        CU_ASSERT_EQUAL(result.answers[0].block[2], 1);
        CU_ASSERT_EQUAL(result.answers[0].grid[1], 2);
        CU_ASSERT_EQUAL(result.answers[0].cluster[0], 2);
        CU_ASSERT_EQUAL(result.answers[0].shared_bytes, 16);
        CU_ASSERT_EQUAL(result.answers[0].cooperative, 1);
        CU_ASSERT_EQUAL(result.answers[0].programmatic, 0);
        CU_ASSERT_EQUAL(result.answers[0].lists, 1);
        CU_ASSERT_EQUAL_FATAL(result.parameter_count, 7);
        CU_ASSERT_EQUAL(result.parameters[1].kind, ANSWER_EXTENT);
        CU_ASSERT_EQUAL(result.parameters[1].dimension, 1);
        CU_ASSERT_EQUAL(result.parameters[1].bytes, 4);
        CU_ASSERT_EQUAL(result.parameters[2].kind, ANSWER_STRUCT);
        CU_ASSERT_EQUAL(result.parameters[2].members, 2);
        CU_ASSERT_EQUAL(result.parameters[3].kind, ANSWER_ARGUMENT);
        CU_ASSERT_EQUAL(result.parameters[4].value, -2);
        CU_ASSERT_EQUAL(result.parameters[5].bytes, 8);
        CU_ASSERT_EQUAL(result.parameters[6].scratch_bytes, 4096);
        CU_ASSERT_PTR_NOT_NULL(strstr(result.log, "the end\n"));
    }
    compile_pool_close(pool);
    remove_folder(folder.folder);
}

/* The assembler's report is behind the worker's log. */
static void ptx_is_assembled(void)
{
    struct compile_cache folder = new_files();
    struct compile_pool *pool = open_pool(1, 20 * second_ns);
    struct nvrtc_version version = {0};
    struct compile_job job = command_job(WORKER "file=k.ptx request=print:10", folder.folder, &version);
    job.wants_ptx = true;
    const struct compile_result result = compile_one(pool, &job);
    CU_ASSERT_EQUAL(result.status, STATUS_OK);
    CU_ASSERT_EQUAL(cubin_capability(result.cubin, result.cubin_bytes), 90);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.ptx, ".visible .entry k("));
    const char *said = strstr(result.log, "the end\n");
    CU_ASSERT_PTR_NOT_NULL_FATAL(said);
    CU_ASSERT_PTR_NOT_NULL(strstr(said, "Function properties for k\n"));
    compile_pool_close(pool);
    remove_folder(folder.folder);
}

/* The message of a long error is cut. */
static void the_log_has_errors_whole(void)
{
    struct compile_pool *pool = open_pool(1, 20 * second_ns);
    struct nvrtc_version version = {0};
    char line[2048], text[1000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    snprintf(line, sizeof line, WORKER "'answer={\"id\": ID, \"error\": \"%s\", \"line\": 3}'", text);
    const struct compile_job job = command_job(line, "/", &version);
    const struct compile_result result = compile_one(pool, &job);
    CU_ASSERT_EQUAL(result.status, STATUS_COMPILE_ERROR);
    CU_ASSERT_EQUAL(strncmp(result.message, "line 3: xxx", 11), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.message, "x..."));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.log, text));
    compile_pool_close(pool);
}

static void a_long_log_keeps_its_end(void)
{
    struct compile_cache folder = new_files();
    struct compile_pool *pool = open_pool(1, 20 * second_ns);
    struct nvrtc_version version = {0};
    const struct compile_job job = command_job(WORKER "file=k.cubin request=print:300000", folder.folder, &version);
    const struct compile_result result = compile_one(pool, &job);
    CU_ASSERT_EQUAL(result.status, STATUS_OK);
    CU_ASSERT_EQUAL(strncmp(result.log, "(the beginning is left out)\n", 28), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.log, "the end\n"));
    CU_ASSERT(strlen(result.log) > 64 << 10);
    compile_pool_close(pool);
    remove_folder(folder.folder);
}

static void another_hello_ends_the_run(void)
{
    struct compile_cache folder = new_files();
    struct compile_pool *pool = open_pool(1, 20 * second_ns);
    struct nvrtc_version version = {.build = COMMAND_BUILD "0123"};
    const struct compile_job job = command_job(WORKER "file=k.cubin", folder.folder, &version);
    const struct compile_result result = compile_one(pool, &job);
    CU_ASSERT_EQUAL(result.status, STATUS_COMPILE_ERROR);
    CU_ASSERT(result.fatal);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(result.message, "(now stand-in 1.0): the same command continues under a new journal"));
    compile_pool_close(pool);
    remove_folder(folder.folder);
}

/* Runs one job with a pool of its own. */
static struct compile_result run_alone(struct compile_pool **pool, const struct compile_job *job, int64_t timeout_ns)
{
    *pool = open_pool(1, timeout_ns);
    return compile_one(*pool, job);
}

static bool expect_result(const char *what, const struct compile_result *result, enum status status,
                          const char *message)
{
    const bool good = result->status == status && strstr(result->message, message);
    CU_ASSERT(good);
    if (!good)
        fprintf(stderr, "\n%s\n  gives status %d: %s\n  not %d: %s\n", what, result->status, result->message, status,
                message);
    return good;
}

#define HELLO(rest) "'hello={\"schema\": 1, \"compiler\": \"stand-in\", \"version\": \"1.0\"" rest "}'"

#define ANSWER(rest)    "file=k.cubin 'answer={\"id\": ID, \"kernels\": [{\"entry\": \"k\"" rest "}]}'"
#define PARAMETER(text) ANSWER(", \"parameters\": [" text "]")

/* Each kernel has its own parameters, with the members of its structs. */
static void an_answer_has_several_kernels(void)
{
    static const char asked[] = "{\"architecture\": \"sm_90a\", \"params\": {}, \"kernels\": [{\"name\": \"k\", "
                                "\"arguments\": [{\"name\": \"x\"}]}, {\"name\": \"j\", \"arguments\": []}]}";
    static const char line[] =
        "{\"id\": 7, \"kernels\": [{\"entry\": \"k\", \"parameters\": [{\"struct\": [\"x\", "
        "{\"null\": 4}]}]}, {\"entry\": \"j\", \"parameters\": [{\"null\": 8}, {\"null\": 2}]}]}";
    struct command_answer *answer = calloc(1, sizeof *answer);
    const struct command_hello all = {0};
    struct command_request request;
    struct text text = {0};
    struct error error = {0};
    CU_ASSERT_PTR_NOT_NULL_FATAL(answer);
    text_append(&text, line, sizeof line - 1);
    CU_ASSERT_EQUAL_FATAL(command_request_read(&request, asked, &all, &error), 0);
    CU_ASSERT_EQUAL(command_answer_read(answer, &text, 7, &request, &error), 0);
    CU_ASSERT_EQUAL(answer->parameter_count, 5);
    CU_ASSERT_EQUAL(answer->answers[0].parameter_count, 3);
    CU_ASSERT_EQUAL(answer->answers[1].parameter_count, 2);
    CU_ASSERT_EQUAL(answer->parameters[3].bytes, 8);
    command_answer_free(answer);
    command_request_free(&request);
    text_free(&text);
    free(answer);
}

static void an_answer_gives_integers(void)
{
    static const struct {
        const char *options;
        int64_t value;
        uint32_t bytes;
    } rows[] = {{PARAMETER("{\"value\": -5, \"type\": \"int64\"}"), -5, 8},
                {PARAMETER("{\"value\": 2147483647, \"type\": \"int\"}"), INT32_MAX, 4},
                {PARAMETER("{\"value\": 9007199254740992, \"type\": \"int64\"}"), (int64_t)1 << 53, 8}};
    struct compile_cache folder = new_files();
    struct compile_pool *pool = open_pool(1, 20 * second_ns);
    for (size_t i = 0; i < COUNT(rows); i++) {
        char line[512];
        struct nvrtc_version version = {0};
        snprintf(line, sizeof line, WORKER "%s", rows[i].options);
        const struct compile_job job = command_job(line, folder.folder, &version);
        const struct compile_result result = compile_one(pool, &job);
        expect_result(rows[i].options, &result, STATUS_OK, "");
        CU_ASSERT_EQUAL_FATAL(result.parameter_count, 1);
        CU_ASSERT_EQUAL(result.parameters[0].kind, ANSWER_VALUE);
        CU_ASSERT_EQUAL(result.parameters[0].value, rows[i].value);
        CU_ASSERT_EQUAL(result.parameters[0].bytes, rows[i].bytes);
    }
    compile_pool_close(pool);
    remove_folder(folder.folder);
}

/* Workers that do not say hello: each costs its configuration, and the second in a row ends the run. */
static void hello_faults(void)
{
    static const struct {
        const char *options;
        enum status status;
        const char *message;
        bool at_version; /* compile_command_version gives the same message */
    } rows[] = {
        {"start=exit:3", STATUS_COMPILE_ERROR, "the compiler command ended with exit status 3: last words", true},
        {"start=exit:0", STATUS_COMPILE_ERROR, "the compiler command ended with exit status 0: last words", true},
        {"start=kill", STATUS_COMPILE_ERROR, "the compiler command was killed by signal 11", true},
        {"--no-such-option", STATUS_COMPILE_ERROR, "ended with exit status 2: unknown argument --no-such-option", true},
        {"start=hang", STATUS_TIMEOUT, "starting the compiler command took longer than 500.0 ms", false},
        {"start=close", STATUS_COMPILE_ERROR, "the compiler command closed its descriptor without an answer", false},
        {"hello=hi", STATUS_COMPILE_ERROR, "the hello is not JSON at column 1: hi; ", true},
        {"'hello=[1]'", STATUS_COMPILE_ERROR, "the hello is not a JSON object: [1]", true},
        {"'hello={} {}'", STATUS_COMPILE_ERROR, "the hello is not JSON at column 4: {} {}; more text follows the value",
         true},
        {"hello=\"$(printf '{}\\n{}')\"", STATUS_COMPILE_ERROR, "sends two lines: it must answer with one", true},
        {"repeat=1100000", STATUS_COMPILE_ERROR, "sends a line of more than 1 MiB", true},
        {"'hello={\"schema\": 2, \"new\": 1}'", STATUS_COMPILE_ERROR,
         "the hello has schema 2: this cutune speaks schema 1", true},
        {"'hello={\"schema\": \"1\"}'", STATUS_COMPILE_ERROR, "the hello's schema is a string: it must be an integer",
         true},
        {"'hello={\"compiler\": \"a\", \"version\": \"1\"}'", STATUS_COMPILE_ERROR,
         "the hello lacks the member 'schema'", true},
        {HELLO(", \"author\": 1"), STATUS_COMPILE_ERROR,
         "the hello has an unknown member 'author': it may have schema, compiler, version, packages, files, variables, "
         "params",
         true},
        {HELLO(", \"version\": \"2\""), STATUS_COMPILE_ERROR, "the hello has two members 'version'", true},
        {HELLO(", \"files\": \"a\""), STATUS_COMPILE_ERROR, "the hello's files is a string: it must be an array", true},
        {HELLO(", \"files\": [1]"), STATUS_COMPILE_ERROR, "the hello's files[0] is a number: it must be a string",
         true},
        {HELLO(", \"files\": [\"none.py\"]"), STATUS_COMPILE_ERROR, "none.py, which is not a file", true},
        {HELLO(", \"packages\": {\"triton\": {}}"), STATUS_COMPILE_ERROR,
         "the hello's packages.triton lacks the member 'version'", true},
        {"'hello={\"schema\": 1, \"compiler\": \"a long name of it\", \"version\": \"1.0\"}'", STATUS_COMPILE_ERROR,
         "the hello's compiler and version are too long: 'a long name of it 1.0' has more than 15 characters", true},
        {"'hello={\"schema\": 1, \"compiler\": \"\", \"version\": \"1.0\"}'", STATUS_COMPILE_ERROR,
         "the hello's compiler is empty", true},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char line[1024];
        struct compile_pool *pool;
        struct nvrtc_version version = {.build = COMMAND_BUILD "any"};
        struct error error = {0};
        snprintf(line, sizeof line, WORKER "%s", rows[i].options);
        const struct compile_job job = command_job(line, "/", &version);
        struct compile_result result =
            run_alone(&pool, &job, rows[i].status == STATUS_TIMEOUT ? second_ns / 2 : 20 * second_ns);
        expect_result(rows[i].options, &result, rows[i].status, rows[i].message);
        CU_ASSERT(!result.fatal);
        if (i % 4 == 0) {
            result = compile_one(pool, &job);
            expect_result(rows[i].options, &result, rows[i].status, rows[i].message);
            CU_ASSERT(result.fatal);
        }
        compile_pool_close(pool);
        if (!rows[i].at_version)
            continue;
        CU_ASSERT_EQUAL(compile_command_version(&job.command, NULL, 20 * second_ns, &version, NULL, &error),
                        ERROR_COMPILE);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.message, rows[i].message));
    }
}

static void a_silent_command_has_no_version(void)
{
    const struct compile_command command = {.line = WORKER "start=print:10 start=hang", .folder = "/"};
    struct nvrtc_version version;
    struct error error = {0};
    CU_ASSERT_EQUAL(compile_command_version(&command, NULL, second_ns / 2, &version, NULL, &error), ERROR_COMPILE);
    CU_ASSERT_STRING_EQUAL(error.message, "the compiler command says no hello within 500.0 ms: ?the end");
}

/* Files that are no code, or none that can be assembled. */
static void write_faults(const char *folder)
{
    static const char head[] = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n";
    static const struct {
        const char *name, *start, *rest;
    } rows[] = {{"empty", "", ""},
                {"text", "hello", ""},
                {"wrong.ptx", head, "nonsense;\n}\n"},
                {"much.ptx", head, ".shared .b8 s[1000000];\nret;\n}\n"}};
    char path[CACHE_FOLDER_BYTES + 16], text[512];
    for (size_t i = 0; i < COUNT(rows); i++) {
        snprintf(path, sizeof path, "%s/%s", folder, rows[i].name);
        write_bytes(path, text, (size_t)snprintf(text, sizeof text, "%s%s", rows[i].start, rows[i].rest));
    }
    snprintf(path, sizeof path, "%s/large", folder);
    write_bytes(path, "", 0);
    CU_ASSERT_EQUAL(truncate(path, 65 << 20), 0);
}

/* Mistakes of an answer: each costs its configuration, and the next job has an answer. */
static void answer_faults(void)
{
    static const struct {
        const char *options;
        enum status status;
        const char *message;
    } rows[] = {
        {"request=exit:3", STATUS_COMPILE_ERROR, "the compiler command ended with exit status 3: last words"},
        {"request=kill", STATUS_COMPILE_ERROR, "the compiler command was killed by signal 11"},
        {"request=hang", STATUS_TIMEOUT, "compiling took longer than 1.000 s"},
        {"answer=so", STATUS_COMPILE_ERROR, "the answer is not JSON at column 1: so; "},
        {"'answer=3'", STATUS_COMPILE_ERROR, "the answer is not a JSON object: 3"},
        {"answer=\"$(printf '{}\\n{}')\"", STATUS_COMPILE_ERROR, "sends two lines: it must answer with one"},
        {"'answer={\"id\": 77}'", STATUS_COMPILE_ERROR, "the answer has another id: the request's id is "},
        {"'answer={}'", STATUS_COMPILE_ERROR, "the answer has no id: the request's id is "},
        {"'answer={\"id\": ID}'", STATUS_COMPILE_ERROR, "the answer lacks the member 'kernels'"},
        {"'answer={\"id\": ID, \"kernels\": {}}'", STATUS_COMPILE_ERROR,
         "the answer's kernels is an object: it must be an array"},
        {"'answer={\"id\": ID, \"kernels\": []}'", STATUS_COMPILE_ERROR, "the answer has 0 kernels: the request has 1"},
        {"'answer={\"id\": ID, \"kernels\": [{}, {}]}'", STATUS_COMPILE_ERROR,
         "the answer has 2 kernels: the request has 1"},
        {"'answer={\"id\": ID, \"kernels\": [{}]}'", STATUS_COMPILE_ERROR,
         "the answer's kernels[0] lacks the member 'entry'"},
        {"'answer={\"id\": ID, \"kernels\": [{\"entry\": 5}]}'", STATUS_COMPILE_ERROR,
         "the answer's kernels[0].entry is a number: it must be a string"},
        {"'answer={\"id\": ID, \"colour\": 1, \"kernels\": []}'", STATUS_COMPILE_ERROR,
         "the answer has an unknown member 'colour': it may have id, kernels, files, ptxas"},
        {ANSWER(", \"blocks\": 1"), STATUS_COMPILE_ERROR, "the answer's kernels[0] has an unknown member 'blocks'"},
        {ANSWER(", \"block\": 128"), STATUS_COMPILE_ERROR,
         "the answer's kernels[0].block is a number: it must be an array"},
        {ANSWER(", \"block\": []"), STATUS_COMPILE_ERROR, "kernels[0].block has 0 elements: it must have 1 to 3"},
        {ANSWER(", \"block\": [32, -4]"), STATUS_COMPILE_ERROR,
         "the answer's kernels[0].block[1] is -4: it must be an integer from 1 to 1024"},
        {ANSWER(", \"block\": [0.5]"), STATUS_COMPILE_ERROR,
         "block[0] is no integer in that range: it must be an integer from 1"},
        {ANSWER(", \"block\": [512, 2]"), STATUS_OK, ""},
        {ANSWER(", \"block\": [2048]"), STATUS_COMPILE_ERROR, "block[0] is 2048: it must be an integer from 1 to 1024"},
        {ANSWER(", \"block\": [512, 4]"), STATUS_COMPILE_ERROR,
         "kernels[0].block has 512 x 4 x 1: at most 1024 in all"},
        {ANSWER(", \"cluster\": [8, 4]"), STATUS_COMPILE_ERROR, "kernels[0].cluster has 8 x 4 x 1: at most 16 in all"},
        {ANSWER(", \"grid\": [2147483647, 2147483647]"), STATUS_OK, ""},
        {ANSWER(", \"grid\": [2147483647, 2147483647, 3]"), STATUS_COMPILE_ERROR,
         "grid has 2147483647 x 2147483647 x 3: at most 9223372036854775806 in all are possible"},
        {ANSWER(", \"grid\": [1, 0]"), STATUS_COMPILE_ERROR,
         "kernels[0].grid[1] is 0: it must be an integer from 1 to"},
        {ANSWER(", \"shared\": -1"), STATUS_COMPILE_ERROR, "kernels[0].shared is -1: it must be an integer from 0 to"},
        {ANSWER(", \"cooperative\": 1"), STATUS_COMPILE_ERROR, "cooperative is a number: it must be true or false"},
        {PARAMETER("\"z\""), STATUS_COMPILE_ERROR,
         "the answer's kernels[0].parameters[0] names 'z': the arguments of k are o, n, m"},
        {PARAMETER("\"o\", 3"), STATUS_COMPILE_ERROR,
         "the answer's kernels[0].parameters[1] is no parameter: it must be an"},
        {PARAMETER("{\"extent\": \"n\", \"dimension\": 0, \"type\": \"int\"}"), STATUS_COMPILE_ERROR,
         "parameters[0].extent names 'n', which is a scalar: only buffers and tensor maps have extents"},
        {PARAMETER("{\"stride\": \"o\", \"dimension\": 2, \"type\": \"int\"}"), STATUS_COMPILE_ERROR,
         "parameters[0].dimension is 2: 'o' has 2 dimensions, from 0"},
        {PARAMETER("{\"stride\": \"o\", \"dimension\": 1, \"type\": \"long\"}"), STATUS_COMPILE_ERROR,
         "parameters[0].type is 'long': it must be 'int' or 'int64'"},
        {PARAMETER("{\"extent\": \"o\", \"type\": \"int\"}"), STATUS_COMPILE_ERROR,
         "parameters[0] lacks the member 'dimension'"},
        {PARAMETER("{\"value\": 2147483648, \"type\": \"int\"}"), STATUS_COMPILE_ERROR,
         "parameters[0].value is 2147483648: it must be an integer from -2147483648 to 2147483647"},
        {PARAMETER("{\"value\": 1e19, \"type\": \"int64\"}"), STATUS_COMPILE_ERROR,
         "value is no integer in that range: it must be an integer from -9007199254740992 to 9007199254740992"},
        {PARAMETER("{\"value\": 1}"), STATUS_COMPILE_ERROR, "parameters[0] lacks the member 'type'"},
        {PARAMETER("{\"value\": 1, \"type\": \"float\"}"), STATUS_COMPILE_ERROR,
         "parameters[0].type is 'float': it must be 'int' or 'int64'"},
        {PARAMETER("{\"tensor_map\": \"o\", \"box\": [8], \"swizzle\": 0}"), STATUS_COMPILE_ERROR,
         "parameters[0].tensor_map names 'o', which is no tensor map with a box"},
        {PARAMETER("{\"tensor_map\": \"m\", \"box\": [8], \"swizzle\": 0}"), STATUS_COMPILE_ERROR,
         "parameters[0].box has 1 elements: it must have 2 to 2"},
        {PARAMETER("{\"tensor_map\": \"m\", \"box\": [8, 257], \"swizzle\": 0}"), STATUS_COMPILE_ERROR,
         "parameters[0].box[1] is 257: it must be an integer from 1 to 256"},
        {PARAMETER("{\"tensor_map\": \"m\", \"box\": [8, 256], \"swizzle\": 16}"), STATUS_COMPILE_ERROR,
         "parameters[0].swizzle is 16: it must be 0, 32, 64 or 128"},
        {PARAMETER("{\"tensor_map\": \"m\", \"box\": [8, 256], \"swizzle\": 32}"), STATUS_OK, ""},
        {PARAMETER("{\"stride\": \"o\", \"dimension\": 0, \"type\": \"int64\"}"), STATUS_OK, ""},
        {PARAMETER(
             "{\"struct\": [\"o\", {\"extent\": \"o\", \"dimension\": 0, \"type\": \"int64\"}, {\"null\": 4}]}, \"n\""),
         STATUS_OK, ""},
        {PARAMETER(""), STATUS_OK, ""},
        {PARAMETER("{\"struct\": []}"), STATUS_COMPILE_ERROR,
         "parameters[0].struct has 0 elements: it must have 1 to 1024"},
        {PARAMETER("{\"struct\": \"o\"}"), STATUS_COMPILE_ERROR,
         "parameters[0].struct is a string: it must be an array"},
        {PARAMETER("{\"struct\": [\"o\"], \"align\": 8}"), STATUS_COMPILE_ERROR,
         "parameters[0] has an unknown member 'align': it may have struct"},
        {PARAMETER("{\"struct\": [\"o\", \"z\"]}"), STATUS_COMPILE_ERROR,
         "the answer's kernels[0].parameters[0].struct[1] names 'z': the arguments of k are o, n, m"},
        {PARAMETER("{\"struct\": [{\"struct\": [\"o\"]}]}"), STATUS_COMPILE_ERROR,
         "parameters[0].struct[0] has 'struct': a struct may have arguments, extents, strides, values and zeros"},
        {PARAMETER("{\"struct\": [{\"scratch\": 8, \"alignment\": 8}]}"), STATUS_COMPILE_ERROR,
         "parameters[0].struct[0] has 'scratch': a struct may have"},
        {PARAMETER("{\"struct\": [{\"tensor_map\": \"m\", \"box\": [8, 256], \"swizzle\": 32}]}"), STATUS_COMPILE_ERROR,
         "parameters[0].struct[0] has 'tensor_map': a struct may have"},
        {PARAMETER("{\"null\": 0}"), STATUS_COMPILE_ERROR,
         "parameters[0].null is 0: it must be an integer from 1 to 4096"},
        {PARAMETER("{\"scratch\": 8, \"alignment\": 24}"), STATUS_COMPILE_ERROR,
         "alignment is 24: it must be a power of two"},
        {PARAMETER("{\"scratch\": 8, \"alignment\": 8, \"zero\": true}"), STATUS_COMPILE_ERROR,
         "the answer's kernels[0].parameters[0] has an unknown member 'zero': it may have scratch, alignment"},
        {"'answer={\"id\": ID, \"error\": \"no such tile\", \"file\": \"add.py\", \"line\": 12}'", STATUS_COMPILE_ERROR,
         "add.py:12: no such tile"},
        {"'answer={\"id\": ID, \"error\": \"no such tile\"}'", STATUS_COMPILE_ERROR, "no such tile"},
        {"'answer={\"id\": ID, \"error\": \"no such tile\", \"column\": 3}'", STATUS_COMPILE_ERROR,
         "the answer has an unknown member 'column': it may have id, error, file, line"},
        {"", STATUS_COMPILE_ERROR, "the compiler command wrote no file for kernel 'k': cannot open "},
        {"file=empty", STATUS_COMPILE_ERROR, "the compiler command wrote an empty file for kernel 'k'"},
        {"file=text", STATUS_COMPILE_ERROR,
         "the compiler command wrote neither machine code (ELF) nor PTX for kernel 'k'"},
        {"file=/bin/true", STATUS_COMPILE_ERROR, "the file for kernel 'k' is ELF, but not machine code for a GPU"},
        {"file=large", STATUS_COMPILE_ERROR, "the compiler command wrote an unusable file for kernel 'k': "},
        {"file=j.cubin", STATUS_COMPILE_ERROR, "the cubin has no kernel 'k'"},
        {"file=k80.cubin", STATUS_COMPILE_ERROR,
         "the machine code of kernel 'k' is for sm_80: the request is for sm_90"},
        {"file=wrong.ptx", STATUS_COMPILE_ERROR, "the PTX of kernel 'k': "},
        {"file=much.ptx", STATUS_PRUNED_LIMIT, "the PTX of kernel 'k': "},
        {"file=k.ptx 'answer={\"id\": ID, \"kernels\": [{\"entry\": \"k\"}], \"ptxas\": \"/bin/true\"}'",
         STATUS_COMPILE_ERROR, "ptxas: "},
        {"file=k.ptx 'answer={\"id\": ID, \"kernels\": [{\"entry\": \"k\"}], \"ptxas\": \"none\"}'",
         STATUS_COMPILE_ERROR, "cannot start the assembler "},
        {"file=k.cubin request=print:10000000 start=print:10000000", STATUS_OK, ""},
        {"file=k.ptx", STATUS_OK, ""},
    };
    struct compile_cache folder = new_files();
    struct compile_pool *pool = open_pool(1, 20 * second_ns);
    write_faults(folder.folder);
    struct nvrtc_version good_version = {0};
    const struct compile_job good = command_job(WORKER "file=k.cubin", folder.folder, &good_version);
    for (size_t i = 0; i < COUNT(rows); i++) {
        char line[1024];
        struct nvrtc_version version = {0};
        snprintf(line, sizeof line, WORKER "%s", rows[i].options);
        struct compile_job job = command_job(line, folder.folder, &version);
        job.timeout_ns = rows[i].status == STATUS_TIMEOUT ? second_ns : 0;
        struct compile_result result = compile_one(pool, &job);
        expect_result(rows[i].options, &result, rows[i].status, rows[i].message);
        CU_ASSERT(!result.fatal);
        CU_ASSERT(strlen(result.log) <= 80 << 10);
        if (i % 8 == 0) {
            result = compile_one(pool, &good);
            expect_result("the next job", &result, STATUS_OK, "");
        }
    }
    compile_pool_close(pool);
    remove_folder(folder.folder);
}

CU_TestInfo tests_command[] = {{"a command compiles", a_command_compiles},
                               {"PTX is assembled", ptx_is_assembled},
                               {"the log has errors whole", the_log_has_errors_whole},
                               {"a long log keeps its end", a_long_log_keeps_its_end},
                               {"another hello ends the run", another_hello_ends_the_run},
                               {"an answer has several kernels", an_answer_has_several_kernels},
                               {"an answer gives integers", an_answer_gives_integers},
                               {"hello faults", hello_faults},
                               {"a silent command has no version", a_silent_command_has_no_version},
                               {"answer faults", answer_faults},
                               CU_TEST_INFO_NULL};
