#include "compile/folder.h"

#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "pool_kit.h"

/* A folder with two subfolders, each of which has another part.h. */
static char root[64];
static const char *const below[] = {"one", "two"};

static void make_folders(void)
{
    snprintf(root, sizeof root, "/tmp/cutune-folder-XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(root));
    for (size_t i = 0; i < 2; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", root, below[i]);
        CU_ASSERT_EQUAL(mkdir(path, 0700), 0);
        snprintf(path, sizeof path, "%s/%s/part.h", root, below[i]);
        FILE *file = fopen(path, "w");
        CU_ASSERT_PTR_NOT_NULL_FATAL(file);
        fprintf(file, "__shared__ float part[%zu];\n", 256 * (i + 1));
        fclose(file);
    }
}

static void remove_folders(void)
{
    for (size_t i = 0; i < 2; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s/part.h", root, below[i]);
        unlink(path);
        snprintf(path, sizeof path, "%s/%s", root, below[i]);
        rmdir(path);
    }
    rmdir(root);
}

/* One process compiles all jobs, each in its own folder. */
static void jobs_have_folders(void)
{
    static const struct {
        const char *folder, *path; /* in the working directory, which is the root */
        const char *options;
        size_t option_count;
        enum status status;
        int64_t shared_bytes;
        const char *message;
    } rows[] = {{"one/", "one/k.cu", "-Inone", 1, STATUS_OK, 1024, ""},
                {"two/", "two/k.cu", "-Inone", 1, STATUS_OK, 2048, ""},
                {"two/", "two/k.cu", "-I..\0-DDEEP", 2, STATUS_OK, 1024, ""},
                {"", "one/k.cu", "-Inone", 1, STATUS_OK, 1024, ""},
                {NULL, "k.cu", "-Itwo", 1, STATUS_OK, 2048, ""},
                {"one/", "one/k.cu", "-DBROKEN", 1, STATUS_COMPILE_ERROR, 0,
                 "k.cu(4): catastrophic error: #error directive: broken"},
                {"none/", "none/k.cu", "", 0, STATUS_COMPILE_ERROR, 0,
                 "cannot enter the folder none/: No such file or directory"},
                {"two/", "two/k.cu", "", 0, STATUS_OK, 2048, ""}};
    char start[4096];
    make_folders();
    CU_ASSERT_PTR_NOT_NULL_FATAL(getcwd(start, sizeof start));
    CU_ASSERT_EQUAL_FATAL(chdir(root), 0);
    struct compile_pool *pool = open_pool(1, 120 * second_ns);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct compile_job job =
            job_of("#ifdef DEEP\n#include <one/part.h>\n#elif defined BROKEN\n#error broken\n#else\n"
                   "#include \"part.h\"\n#endif\n"
                   "extern \"C\" __global__ void k(float *o) {\n"
                   "    part[threadIdx.x] = o[0];\n    __syncthreads();\n"
                   "    o[threadIdx.x] = part[255 - threadIdx.x];\n}\n",
                   "k");
        job.path = rows[i].path;
        job.folder = rows[i].folder;
        job.options = rows[i].options;
        job.option_count = rows[i].option_count;
        struct compile_result result = compile_one(pool, &job);
        if (strcmp(result.message, rows[i].message) != 0)
            fprintf(stderr, "row %zu: %s\n", i, result.message);
        CU_ASSERT_EQUAL(result.status, rows[i].status);
        CU_ASSERT_STRING_EQUAL(result.message, rows[i].message);
        if (result.status == STATUS_OK)
            CU_ASSERT_EQUAL(result.resources[0].shared_bytes, rows[i].shared_bytes);
    }
    compile_pool_close(pool);
    CU_ASSERT_EQUAL(chdir(start), 0);
    remove_folders();
}

/* Runs in a child process, because it changes environment and folder. Returns the number of failed
 * expectations. */
static int settle(void)
{
    static const struct {
        const char *name, *value, *settled; /* "~" is the working directory; NULL: not set */
    } rows[] = {{"CUDA_HOME", "kit", "~/kit"},
                {"CUDA_PATH", "/kit", "/kit"},
                {"PATH", "bin:/usr/bin::../x", "~/bin:/usr/bin::~/../x"},
                {"TMPDIR", "", ""},
                {"CPATH", NULL, NULL}};
    struct compile_cache cache = {.folder = "cache"}, absolute = {.folder = "/cache"}, longest = {0}, longer = {0};
    char expected[256];
    int wrong = chdir(root) != 0;
    size_t room = sizeof longest.folder - strlen(root) - strlen("/");
    memset(longest.folder, 'x', room - 1);
    memset(longer.folder, 'x', room);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        wrong += rows[i].value ? setenv(rows[i].name, rows[i].value, 1) != 0 : unsetenv(rows[i].name) != 0;
    folder_settle(&cache);
    folder_settle(&absolute);
    folder_settle(&longest);
    folder_settle(&longer);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *value = getenv(rows[i].name);
        size_t length = 0;
        for (const char *at = rows[i].settled; at && *at; at++)
            length += (size_t)snprintf(expected + length, sizeof expected - length, *at == '~' ? "%s" : "%.1s",
                                       *at == '~' ? root : at);
        expected[length] = '\0';
        wrong += !value != !rows[i].settled || (value && strcmp(value, expected) != 0);
    }
    wrong += *longest.folder != '/' || strlen(longest.folder) != sizeof longest.folder - 1;
    wrong += strspn(longer.folder, "x") != room; /* unchanged */
    snprintf(expected, sizeof expected, "%s/cache", root);
    return wrong + (strcmp(cache.folder, expected) != 0) + (strcmp(absolute.folder, "/cache") != 0);
}

static void relative_paths_keep_their_meaning(void)
{
    int status = -1;
    make_folders();
    pid_t child = fork();
    if (child == 0)
        _exit(settle());
    CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
    CU_ASSERT(WIFEXITED(status));
    CU_ASSERT_EQUAL(WEXITSTATUS(status), 0);
    remove_folders();
}

CU_TestInfo tests_folder[] = {{"jobs have folders", jobs_have_folders},
                              {"relative paths keep their meaning", relative_paths_keep_their_meaning},
                              CU_TEST_INFO_NULL};
