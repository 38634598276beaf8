/* Compiles the kernel that a program would call, as cutune_kernel_open does for programs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/find.h"
#include "commands/library_calls.h"
#include "database/limits_file.h"
#include "device/device.h"
#include "terminal/command.h"
#include "terminal/output_format.h"

struct compile_values {
    struct option_list defines;
    const char *database, *journals, *device, *device_file, *output, *format;
    bool stale, untrusted;
};

static const struct option_row rows[] = {
    {.name = "define",
     .short_name = 'D',
     .argument = "NAME=V",
     .type = OPTION_LIST,
     .offset = offsetof(struct compile_values, defines),
     .help = "set a problem size of the space; may be repeated"},
    {.name = "db",
     .argument = "FILE",
     .type = OPTION_TEXT,
     .offset = offsetof(struct compile_values, database),
     .default_ = "cutune.csv",
     .help = "database with the best configurations" FIND_RESULTS_HELP},
    {.name = "journal",
     .argument = "FILE",
     .type = OPTION_TEXT,
     .offset = offsetof(struct compile_values, journals),
     .help =
         "journal, or directory of journals, with times for a search of configurations that are fast on all devices; "
         "`recorded` has its own"},
    {.name = "device",
     .argument = "DEVICE",
     .type = OPTION_TEXT,
     .offset = offsetof(struct compile_values, device),
     .help = "CUDA device, by number or UUID, to compile for (default: 0)"},
    {.name = "device-file",
     .argument = "FILE",
     .type = OPTION_TEXT,
     .offset = offsetof(struct compile_values, device_file),
     .help = "compile for an absent device, from a file that `cutune devices --format csv` wrote there"},
    {.name = "stale",
     .type = OPTION_FLAG,
     .offset = offsetof(struct compile_values, stale),
     .help = "also use rows from another version of the space or its source"},
    UNTRUSTED_OPTION(struct compile_values, untrusted),
    {.name = "output",
     .short_name = 'o',
     .argument = "FILE",
     .type = OPTION_TEXT,
     .offset = offsetof(struct compile_values, output),
     .help = "file of the machine code; by default, only the cache of compiled kernels gets it"},
    OUTPUT_FORMAT_OPTION(struct compile_values, format),
};

/* ---- The device ---- */

static int find_limits(const struct compile_values *wanted, struct device_limits *limits, struct error *error)
{
    struct device *device = NULL;
    char name[DEVICE_NAME_BYTES];
    if (wanted->device_file && wanted->device)
        return error_set(error, ERROR_USAGE, "--device and --device-file exclude each other");
    if (wanted->device_file)
        return limits_read(wanted->device_file, limits, error);
    int code = device_choose_one(wanted->device ? wanted->device : "0", name, error);
    if (!code)
        code = device_open(&device, name, error);
    if (code == ERROR_NO_DEVICE)
        error_hint(error, "compile for another machine's GPU with --device-file FILE");
    if (!code)
        *limits = *device_limits(device);
    device_close(device);
    return code;
}

static int make_device(const struct device_limits *limits, struct cutune_device **device, struct error *error)
{
    struct cutune_error failure = {0};
    *device = cutune_device_new(limits->name, (int)limits->cc, (int)limits->sm_count, limits->l2_bytes);
    if (!*device)
        return error_memory(error);
    for (size_t i = 0; i < limit_count; i++)
        if (cutune_device_set(*device, limit_rows[i].name, limit_get(limits, &limit_rows[i]), &failure))
            return library_error(&failure, error);
    return 0;
}

/* ---- The answer ---- */

static void add_dimensions(cJSON *row, const char *name, const unsigned sizes[3])
{
    char text[64];
    snprintf(text, sizeof text, "%u,%u,%u", sizes[0], sizes[1], sizes[2]);
    cJSON_AddStringToObject(row, name, text);
}

/* Prints a row for each launch. */
static int print(const struct cutune_kernel *kernel, const char *format, struct error *error)
{
    const struct cutune_best *best = cutune_kernel_best(kernel);
    const struct cutune_sequence *sequence = cutune_kernel_sequence(kernel);
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < sequence->launch_count; i++) {
        const struct cutune_launch *launch = &sequence->launches[i];
        cJSON *row = cJSON_CreateObject();
        cJSON_AddStringToObject(row, "configuration", best->configuration);
        cJSON_AddStringToObject(row, "rule", cutune_rule_name(best->rule));
        cJSON_AddStringToObject(row, "entry", launch->kernel);
        add_dimensions(row, "block", launch->block);
        add_dimensions(row, "grid", launch->grid);
        output_add_int(row, "shared_bytes", (long long)launch->shared_bytes);
        output_add_int(row, "repeat", launch->repeat);
        output_add_int(row, "cubin", launch->cubin);
        output_add_int(row, "cubin_bytes", (long long)sequence->cubins[launch->cubin].count);
        cJSON_AddItemToArray(list, row);
    }
    int code = output_rows(list, format, true, error);
    cJSON_Delete(list);
    return code;
}

static int write_code(const struct cutune_kernel *kernel, const char *path, struct error *error)
{
    struct text code = {0};
    const struct cutune_sequence *sequence = cutune_kernel_sequence(kernel);
    if (sequence->cubin_count > 1) {
        error_set(error, ERROR_DATA, "the kernels are in %zu cubins, and %s would have one", sequence->cubin_count,
                  path);
        error_hint(error, "leave --output out, and load them by cutune_kernel_open, or by cutune.kernel in Python");
        return ERROR_DATA;
    }
    text_append(&code, sequence->cubins->bytes, sequence->cubins->count);
    int failure = output_file(path, &code, error);
    text_free(&code);
    return failure;
}

static int open_kernel(const struct compile_values *wanted, const char *path, const struct cutune_device *device,
                       struct cutune_kernel **kernel, struct error *error)
{
    struct cutune_database *database = NULL;
    struct cutune_error failure = {0};
    struct text problem = {0};
    unsigned flags = (wanted->stale ? CUTUNE_STALE : 0u) | (wanted->untrusted ? CUTUNE_UNTRUSTED : 0u);
    library_problem(&wanted->defines, &problem);
    int code = problem.failed ? error_memory(error) : 0;
    if (!code && cutune_database_open(&database, wanted->database, wanted->journals, &failure))
        code = library_error(&failure, error);
    if (!code && cutune_kernel_open(kernel, database, path, device, text_string(&problem), flags, &failure))
        code = library_error(&failure, error);
    cutune_database_close(database);
    text_free(&problem);
    return code;
}

static int run(const void *values, const char *const *arguments, size_t argument_count, struct error *error)
{
    struct compile_values wanted = *(const struct compile_values *)values;
    const char *journals;
    struct arena arena = {0};
    struct device_limits limits = {0};
    struct cutune_device *device = NULL;
    struct cutune_kernel *kernel = NULL;
    (void)argument_count;
    const char *path = find_space(&arena, arguments[0], error);
    int code = path ? 0 : (int)error->code;
    if (!code)
        code = find_results_file(&arena, wanted.database, &wanted.database, &journals, error);
    if (!code && !wanted.journals)
        wanted.journals = journals;
    if (!code)
        code = output_check(wanted.output, FILE_KIND_OTHER, (const char *const[]){path, wanted.database}, 2, error);
    if (!code)
        code = find_limits(&wanted, &limits, error);
    if (!code)
        code = make_device(&limits, &device, error);
    if (!code)
        code = open_kernel(&wanted, path, device, &kernel, error);
    if (!code && wanted.output)
        code = write_code(kernel, wanted.output, error);
    if (!code)
        code = print(kernel, wanted.format, error);
    cutune_kernel_close(kernel);
    cutune_device_free(device);
    arena_free(&arena);
    return code;
}

static const struct command_example examples[] = {
    {"cutune compile transpose -D ROWS=4096 -D COLS=4096 -o transpose.cubin",
     "write the machine code of the best known configuration, and show its launch"},
    {"cutune compile transpose --device-file H200.csv --format json", "the same for a GPU of another machine"},
};

const struct command command_compile = {
    .name = "compile",
    .arguments = "FILE",
    .summary = "compile a kernel with its best known configuration",
    .description =
        "Looks up the best configuration of the space's kernel for a device and sizes, compiles the kernel with NVRTC, "
        "or "
        "as the space says, and shows its launches. Without a row in the database, it takes the default configuration. "
        "Nothing is tuned.\n"
        "The machine code is for cudaLibraryLoadData or cuModuleLoadData. The cache of compiled kernels gets it, too, "
        "and "
        "serves programs that call the kernel through libcutune or from Python.",
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .values_size = sizeof(struct compile_values),
    .arguments_min = 1,
    .arguments_max = 1,
    .values = "templates",
    .run = run};
