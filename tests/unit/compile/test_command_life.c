/* The life of the workers of compiler commands: when one starts, what it is asked, and that none is left behind. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "command_kit.h"
#include "compile/command_module.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static char folder[CACHE_FOLDER_BYTES];

static void write_file(const char *name, const char *text)
{
    char path[CACHE_FOLDER_BYTES + 32];
    const struct timespec past[2] = {{.tv_sec = 1000000000}, {.tv_sec = 1000000000 + (long)strlen(text)}};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    write_bytes(path, text, strlen(text));
    /* Files of this second may have changed since they were read. */
    CU_ASSERT_EQUAL(utimensat(AT_FDCWD, path, past, 0), 0);
}

/* Returns the number of lines; `last` gets the last one. */
static size_t lines_in(const char *name, char *last, size_t room)
{
    char path[CACHE_FOLDER_BYTES + 32];
    size_t lines = 0;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    while (file && fgets(last, (int)room, file))
        lines++;
    if (file)
        fclose(file);
    last[strcspn(last, "\n")] = '\0';
    return lines;
}

static size_t starts(void)
{
    char line[PATH_MAX];
    return lines_in("starts", line, sizeof line);
}

static int remove_starts(void)
{
    char path[CACHE_FOLDER_BYTES + 32];
    snprintf(path, sizeof path, "%s/starts", folder);
    return unlink(path);
}

static struct compile_pool *open_cached(size_t jobs, const struct compile_cache *cache)
{
    struct compile_pool *pool = NULL;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(compile_pool_open(&pool, jobs, 20 * second_ns, cache, &error), 0);
    return pool;
}

static void enter(struct compile_cache *files)
{
    *files = new_files();
    strcpy(folder, files->folder);
    write_file("a.py", "a");
    write_file("h.py", "h");
    write_file("p.py", "p");
}

static void expect_compiled(struct compile_pool *pool, const struct compile_job *job, bool cached)
{
    const struct compile_result result = compile_one(pool, job);
    CU_ASSERT_EQUAL(result.status, STATUS_OK);
    CU_ASSERT_EQUAL(result.cached, cached);
    if (result.status != STATUS_OK)
        fprintf(stderr, "\n%s\n%s", result.message, result.log);
}

#define COUNTED WORKER "start=count:starts file=k.cubin "
#define NAMED                                                                                                          \
    COUNTED "'hello={\"schema\": 1, \"compiler\": \"c\", \"version\": \"1\", \"files\": [\"h.py\"], \"packages\": "    \
            "{\"p\": {\"version\": \"2\", \"file\": \"p.py\"}}, \"variables\": [\"CUTUNE_TEST_V\"]}' "

/* A worker starts only if something that the hello names has changed, and its content decides whether the run is the
 * same. */
static void stored_hello(void)
{
    static const struct {
        const char *line, *file, *text, *variable;
        size_t starts;
        bool same; /* identity as in the row before */
    } rows[] = {
        {NAMED "; : a.py", NULL, NULL, NULL, 1, false},   {NAMED "; : a.py", NULL, NULL, NULL, 1, true},
        {NAMED "; : a.py", "h.py", "h2", NULL, 2, false}, {NAMED "; : a.py", NULL, NULL, NULL, 2, true},
        {NAMED "; : a.py", "p.py", "p2", NULL, 3, false}, {NAMED "; : a.py", "a.py", "a2", NULL, 4, false},
        {NAMED "; : a.py", "other", "o", NULL, 4, true},  {NAMED "; : a.py", NULL, NULL, "x", 5, false},
        {NAMED "; : a.py", NULL, NULL, "y", 6, false},    {NAMED "; : a.py", NULL, NULL, "y", 6, true},
        {NAMED "; : a.py b", NULL, NULL, "y", 7, false},
    };
    struct compile_cache files, cache = new_cache();
    struct nvrtc_version version = {0}, before;
    struct error error = {0};
    enter(&files);
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct compile_command command = {.line = rows[i].line, .folder = folder};
        before = version;
        if (rows[i].file)
            write_file(rows[i].file, rows[i].text);
        if (rows[i].variable)
            setenv("CUTUNE_TEST_V", rows[i].variable, 1);
        CU_ASSERT_EQUAL(compile_command_version(&command, &cache, 20 * second_ns, &version, NULL, &error), 0);
        CU_ASSERT_EQUAL(starts(), rows[i].starts);
        CU_ASSERT_EQUAL(strcmp(version.build, before.build) == 0, rows[i].same);
        if (starts() != rows[i].starts)
            fprintf(stderr, "\nrow %zu: %zu starts %s", i, starts(), error.message);
    }
    unsetenv("CUTUNE_TEST_V");
    remove_folder(cache.folder);
    remove_folder(folder);
}

/* A file that may have changed while the worker read it: the hello is not stored. */
static void new_file_is_not_stored(void)
{
    const struct timespec later[2] = {{.tv_sec = time(NULL) + 1000}, {.tv_sec = time(NULL) + 1000}};
    struct compile_cache files, cache = new_cache();
    char path[CACHE_FOLDER_BYTES + 8];
    enter(&files);
    const struct compile_command command = {.line = NAMED, .folder = folder};
    snprintf(path, sizeof path, "%s/h.py", folder);
    CU_ASSERT_EQUAL(utimensat(AT_FDCWD, path, later, 0), 0);
    for (size_t i = 1; i <= 2; i++) {
        struct nvrtc_version version = {0};
        CU_ASSERT_EQUAL(compile_command_version(&command, &cache, 20 * second_ns, &version, NULL, NULL), 0);
        CU_ASSERT_EQUAL(starts(), i);
    }
    remove_folder(cache.folder);
    remove_folder(folder);
}

/* The same code in another place, or with other times of its files, is the same run. */
static void identity_is_of_contents(void)
{
    struct nvrtc_version versions[2] = {0};
    for (int i = 0; i < 2; i++) {
        struct compile_cache files;
        enter(&files);
        if (i == 1)
            write_bytes(strcat(files.folder, "/h.py"), "h", 1);
        command_job(NAMED, folder, &versions[i]);
        remove_folder(folder);
    }
    CU_ASSERT_STRING_EQUAL(versions[0].build, versions[1].build);
}

static void a_change_ends_the_run(void)
{
    struct compile_cache files, cache = new_cache();
    struct nvrtc_version version = {0};
    enter(&files);
    for (int cached = 0; cached < 2; cached++) {
        struct compile_pool *pool = open_cached(1, cached ? &cache : NULL);
        version = (struct nvrtc_version){0};
        const struct compile_job job = command_job(NAMED, folder, &version);
        expect_compiled(pool, &job, false);
        write_file("h.py", cached ? "changed twice" : "changed");
        const struct compile_result result = compile_one(pool, &job);
        CU_ASSERT_EQUAL(result.status, STATUS_COMPILE_ERROR);
        CU_ASSERT(result.fatal);
        CU_ASSERT_PTR_NOT_NULL(strstr(result.message, "the compiler command has changed since the run began"));
        compile_pool_close(pool);
    }
    remove_folder(cache.folder);
    remove_folder(folder);
}

#define LISTED COUNTED "'hello={\"schema\": 1, \"compiler\": \"c\", \"version\": \"1\", \"params\": [\"T\"]}' "
/* The shell's words do not name the file. */
#define ANSWERS "'answer={\"id\": ID, \"kernels\": [{\"entry\": \"k\"}], \"files\": [\"h.p\\u0079\", \"a.p\\u0079\"]}' "

#define REQUEST_OF(params)                                                                                             \
    "{\"architecture\":\"sm_90a\",\"params\":{" params "},\"sizes\":{\"N\": 18446744073709551615},\"kernels\":"        \
    "[{\"name\":\"k\",\"arguments\":[]}]}"

/* One compilation for all values of parameters that the compiler does not use. A run whose answers are all in the cache
 * starts no worker. */
static void requests_share_answers(void)
{
    static const struct {
        const char *request, *file, *text;
        bool cached, anew; /* with a new pool */
        size_t starts;
    } rows[] = {
        {REQUEST_OF("\"T\": 1, \"U\": 1"), NULL, NULL, false, true, 1},
        {REQUEST_OF("\"T\": 1, \"U\": 2"), NULL, NULL, true, false, 1},
        {REQUEST_OF("\"V\": {\"a\": [1, \"}\"]}, \"T\": 1"), NULL, NULL, true, true, 1},
        {REQUEST_OF("\"T\": 2, \"U\": 2"), NULL, NULL, false, false, 2},
        {REQUEST_OF("\"T\": 2, \"U\": 2"), "h.py", "h2", false, false, 2},
        {REQUEST_OF("\"T\": 2, \"U\": 3"), NULL, NULL, true, true, 2},
        {REQUEST_OF("\"T\": 2, \"U\": 3"), "h.py", "h", true, true, 2},
        {REQUEST_OF("\"T\": 2, \"U\": 3"), "a.py", "a2", false, true, 3},
    };
    struct compile_cache files, cache = new_cache();
    struct compile_pool *pool = NULL;
    enter(&files);
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *line = LISTED ANSWERS "'expect=\"params\":{\"T\": '";
        struct nvrtc_version version = {0};
        struct error error = {0};
        const struct compile_command command = {.line = line, .folder = folder};
        if (i == 0) /* as a run does first */
            CU_ASSERT_EQUAL(compile_command_version(&command, &cache, 20 * second_ns, &version, NULL, &error), 0);
        if (i == 0)
            CU_ASSERT_EQUAL(remove_starts(), 0);
        CU_ASSERT_EQUAL(compile_command_version(&command, &cache, 20 * second_ns, &version, NULL, &error), 0);
        struct compile_job job = command_job(line, folder, &version);
        job.command.request = rows[i].request;
        if (rows[i].file)
            write_file(rows[i].file, rows[i].text);
        if (rows[i].anew) {
            compile_pool_close(pool);
            pool = open_cached(1, &cache);
        }
        expect_compiled(pool, &job, rows[i].cached);
        CU_ASSERT_EQUAL(starts(), rows[i].starts);
        if (starts() != rows[i].starts)
            fprintf(stderr, "\nrow %zu: %zu starts", i, starts());
    }
    compile_pool_close(pool);
    remove_folder(cache.folder);
    remove_folder(folder);
}

/* The assembler that an answer names counts among the files of its PTX, but not of machine code. */
static void assemblers_are_files(void)
{
    static const struct {
        const char *file, *comment;
        bool cached;
    } rows[] = {{"k.ptx", "one", false},
                {"k.ptx", "one", true},
                {"k.ptx", "another", false},
                {"k.cubin", "another", false},
                {"k.cubin", "the third", true}};
    struct compile_cache files, cache = new_cache();
    struct text ptxas = {0};
    enter(&files);
    struct compile_pool *pool = open_cached(1, &cache);
    CU_ASSERT_FATAL(command_assembler(&ptxas));
    for (size_t i = 0; i < COUNT(rows); i++) {
        char path[CACHE_FOLDER_BYTES + 32], script[PATH_MAX + 64], line[512];
        struct nvrtc_version version = {0};
        snprintf(script, sizeof script, "#!/bin/sh\n# %s\nexec '%s' \"$@\"\n", rows[i].comment, text_string(&ptxas));
        write_file("own", script);
        snprintf(path, sizeof path, "%s/own", folder);
        CU_ASSERT_EQUAL(chmod(path, 0700), 0);
        snprintf(line, sizeof line,
                 WORKER "file=%s 'answer={\"id\": ID, \"kernels\": [{\"entry\": \"k\"}], \"ptxas\": \"ow\\u006e\"}'",
                 rows[i].file);
        const struct compile_job job = command_job(line, folder, &version);
        expect_compiled(pool, &job, rows[i].cached);
    }
    compile_pool_close(pool);
    text_free(&ptxas);
    remove_folder(cache.folder);
    remove_folder(folder);
}

/* Waits until nobody holds the lock that a worker's child took, and the worker's TMPDIR is gone. */
static bool all_gone(void)
{
    char path[CACHE_FOLDER_BYTES + 32], temporary[PATH_MAX] = "";
    snprintf(path, sizeof path, "%s/lock", folder);
    lines_in("starts", temporary, sizeof temporary);
    int lock = open(path, O_RDWR);
    for (int i = 0; i < 1000; i++) {
        if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0 && *temporary && access(temporary, F_OK) &&
            errno == ENOENT) {
            close(lock);
            return true;
        }
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    if (lock >= 0)
        close(lock);
    return false;
}

enum ending { CLOSES, ABANDONED, EMPTIED, RESTS, COMPILER_KILLED, LATE, COORDINATOR_KILLED, ENDINGS };

static void end_pool(struct compile_pool *pool, const struct compile_job *job, enum ending how)
{
    struct worker *worker;
    struct compile_result result;
    if (how == RESTS) {
        compile_pool_rest(pool);
    } else if (how == ABANDONED) {
        CU_ASSERT(compile_pool_abandon(pool, job->id));
    } else if (how == EMPTIED) {
        compile_pool_empty(pool);
    } else if (how == COMPILER_KILLED && compile_pool_workers(pool, &worker, 1)) {
        kill(worker->pid, SIGKILL);
    } else if (how == LATE) {
        CU_ASSERT_EQUAL(next_result(pool, &result), 1);
        CU_ASSERT_EQUAL(result.status, STATUS_TIMEOUT);
        CU_ASSERT(!result.fatal);
    }
}

/* Runs as a second coordinator until it is killed. */
static void coordinate(const struct compile_job *job)
{
    struct compile_pool *pool = open_pool(1, 20 * second_ns);
    struct compile_result result;
    if (compile_pool_submit(pool, job, NULL) == 0)
        next_result(pool, &result);
    _exit(1);
}

static void await_lines(const char *name)
{
    char line[PATH_MAX];
    for (int i = 0; i < 2000 && !lines_in(name, line, sizeof line); i++)
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    CU_ASSERT(lines_in(name, line, sizeof line) > 0);
}

/* Also processes that have left the worker's session, and files in folders of its TMPDIR. */
static void nothing_is_left(void)
{
    for (int how = 0; how < ENDINGS; how++) {
        struct compile_cache files;
        struct nvrtc_version version = {0};
        struct error error = {0};
        const bool hangs = how != CLOSES && how != RESTS;
        const char *line = hangs ? COUNTED "start=child:lock request=count:asked request=hang"
                                 : COUNTED "start=child:lock request=count:asked";
        enter(&files);
        struct compile_job job = command_job(line, folder, &version);
        CU_ASSERT_EQUAL(remove_starts(), 0);
        job.timeout_ns = how == LATE ? second_ns : 0;
        pid_t coordinator = how == COORDINATOR_KILLED ? fork() : 0;
        if (how == COORDINATOR_KILLED && coordinator == 0)
            coordinate(&job);
        struct compile_pool *pool = open_pool(1, 20 * second_ns);
        if (!coordinator && !hangs)
            expect_compiled(pool, &job, false);
        else if (!coordinator)
            CU_ASSERT_EQUAL(compile_pool_submit(pool, &job, &error), 0);
        await_lines("asked");
        if (coordinator) {
            kill(coordinator, SIGKILL);
            CU_ASSERT_EQUAL(waitpid(coordinator, NULL, 0), coordinator);
        }
        end_pool(pool, &job, how);
        if (how == CLOSES)
            compile_pool_close(pool);
        CU_ASSERT(all_gone());
        if (how != CLOSES)
            compile_pool_close(pool);
        remove_folder(folder);
    }
}

/* Workers that live on take the next job; one that has ended meanwhile, or rested, starts again. */
static void workers_live_on(void)
{
    static const struct {
        const char *line;
        bool rest;
        size_t starts;
    } rows[] = {{COUNTED, false, 1}, {COUNTED "then=exit:0", false, 3}, {COUNTED, true, 3}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct compile_cache files;
        struct nvrtc_version version = {0};
        enter(&files);
        struct compile_pool *pool = open_pool(1, 20 * second_ns);
        const struct compile_job job = command_job(rows[i].line, folder, &version);
        CU_ASSERT_EQUAL(remove_starts(), 0);
        for (int turn = 0; turn < 3; turn++) {
            expect_compiled(pool, &job, false);
            if (rows[i].rest)
                compile_pool_rest(pool);
            nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
        }
        CU_ASSERT_EQUAL(starts(), rows[i].starts);
        compile_pool_close(pool);
        remove_folder(folder);
    }
}

static void memory_is_limited(void)
{
    struct compile_cache files;
    struct nvrtc_version version = {0};
    enter(&files);
    struct compile_pool *pool = open_pool(1, 20 * second_ns);
    const struct compile_job job =
        command_job("test \"$(ulimit -d)\" != unlimited && " WORKER "file=k.cubin", folder, &version);
    expect_compiled(pool, &job, false);
    compile_pool_close(pool);
    remove_folder(folder);
}

/* Two files are a bundle, with the kernels in the request's order; kernels of one file share it. */
static void several_kernels(void)
{
    static const struct {
        const char *files[3], *entries[3];
        size_t parts;
    } rows[] = {{{"k.cubin", "j.cubin", "k.cubin"}, {"k", "j", "k"}, 2},
                {{"k.cubin", "k.cubin", "k.cubin"}, {"k", "k", "k"}, 1}};
    static const char request[] =
        "{\"architecture\":\"sm_90a\",\"params\":{},\"kernels\":[{\"name\":\"a\",\"arguments\":[]},"
        "{\"name\":\"b\",\"arguments\":[]},{\"name\":\"c\",\"arguments\":[{\"name\":\"x\"}]}]}";
    struct compile_cache files, cache = new_cache();
    enter(&files);
    for (size_t i = 0; i < COUNT(rows); i++) {
        char line[1024];
        struct nvrtc_version version = {0};
        struct bundle bundle;
        const char *const *file = rows[i].files, *const *entry = rows[i].entries;
        snprintf(
            line, sizeof line,
            WORKER
            "'answer={\"id\": ID, \"kernels\": [{\"entry\": \"%s\", \"file\": \"%s\", \"parameters\": [{\"null\": "
            "4}]}, "
            "{\"entry\": \"%s\", \"file\": \"%s\"}, {\"entry\": \"%s\", \"file\": \"%s\", \"parameters\": [\"x\"]}]}'",
            entry[0], file[0], entry[1], file[1], entry[2], file[2]);
        struct compile_job job = command_job(line, folder, &version);
        job.command.request = request;
        struct compile_pool *pool = open_cached(1, &cache);
        for (int turn = 0; turn < 2; turn++) {
            const struct compile_result result = compile_one(pool, &job);
            CU_ASSERT_EQUAL_FATAL(result.status, STATUS_OK);
            CU_ASSERT_EQUAL(result.cached, turn == 1);
            CU_ASSERT_EQUAL(result.name_count, 3);
            CU_ASSERT_EQUAL(result.answer_count, 3);
            CU_ASSERT(bundle_read(result.cubin, result.cubin_bytes, &bundle));
            CU_ASSERT_EQUAL(bundle.part_count, rows[i].parts);
            CU_ASSERT_EQUAL(bundle.of[1], rows[i].parts - 1);
            CU_ASSERT_EQUAL(bundle.of[2], 0);
            CU_ASSERT_STRING_EQUAL(result.lowered_names + 2, entry[1]);
            CU_ASSERT(result.resources[1].registers > 0);
            CU_ASSERT_EQUAL(result.answers[0].parameter_count, 1);
            CU_ASSERT_EQUAL(result.answers[1].lists, 0);
            CU_ASSERT_EQUAL(result.answers[1].shared_bytes, -1);
            CU_ASSERT_EQUAL(result.answers[1].block[0], 0);
            CU_ASSERT_EQUAL_FATAL(result.parameter_count, 2);
            CU_ASSERT_EQUAL(result.parameters[0].kind, ANSWER_NULL);
            CU_ASSERT_EQUAL(result.parameters[1].kind, ANSWER_ARGUMENT);
        }
        compile_pool_close(pool);
    }
    remove_folder(cache.folder);
    remove_folder(folder);
}

static void commands_need_no_nvrtc(void)
{
    struct compile_cache files;
    struct nvrtc_version version = {0};
    struct error error = {0};
    enter(&files);
    setenv("CUTUNE_NVRTC", "/nonexistent/libnvrtc.so", 1);
    struct compile_pool *pool = open_pool(1, 20 * second_ns);
    const struct compile_job job = command_job(WORKER "file=k.cubin", folder, &version), other = job_of(KERNEL, "k");
    expect_compiled(pool, &job, false);
    CU_ASSERT_EQUAL(compile_pool_submit(pool, &other, &error), ERROR_NOT_FOUND);
    unsetenv("CUTUNE_NVRTC");
    compile_pool_close(pool);
    remove_folder(folder);
}

static void ptx_needs_an_assembler(void)
{
    struct compile_cache files;
    char path[CACHE_FOLDER_BYTES + 16];
    struct text ptx = {0}, log = {0};
    struct compile_reply reply = {.status = STATUS_OK};
    const struct compile_job job = {.cc = 90, .name_expressions = ""};
    enter(&files);
    snprintf(path, sizeof path, "%s/k.ptx", folder);
    struct command_module module = {
        .kernel = "k", .file = path, .entry = "k", .architecture = "sm_90a", .folder = folder};
    CU_ASSERT(!command_module_read(&module, &job, &ptx, &log, &reply));
    CU_ASSERT_EQUAL(reply.status, STATUS_COMPILE_ERROR);
    CU_ASSERT_PTR_NOT_NULL(strstr(reply.message, "kernel 'k' is PTX, and there is no ptxas to assemble it: install"));
    text_free(&module.code);
    text_free(&ptx);
    text_free(&log);
    remove_folder(folder);
}

CU_TestInfo tests_command_life[] = {{"stored hello", stored_hello},
                                    {"a new file is not stored", new_file_is_not_stored},
                                    {"identity is of contents", identity_is_of_contents},
                                    {"a change ends the run", a_change_ends_the_run},
                                    {"requests share answers", requests_share_answers},
                                    {"assemblers are files", assemblers_are_files},
                                    {"nothing is left", nothing_is_left},
                                    {"workers live on", workers_live_on},
                                    {"memory is limited", memory_is_limited},
                                    {"several kernels", several_kernels},
                                    {"commands need no NVRTC", commands_need_no_nvrtc},
                                    {"PTX needs an assembler", ptx_needs_an_assembler},
                                    CU_TEST_INFO_NULL};
