#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/pairs.h"
#include "base/text.h"
#include "choose/selection.h"
#include "choose/selection_fit.h"
#include "commands/find.h"
#include "commands/show_for.h"
#include "commands/show_front.h"
#include "commands/stale.h"
#include "database/database.h"
#include "terminal/command.h"
#include "terminal/output_format.h"
#include "terminal/width.h"

struct show_values {
    const char *database, *kernel, *device, *problem, *sort, *format, *generation, *asking, *journals, *front;
    struct option_list spaces, defines;
    int64_t cc, sm_count, l2_bytes;
    bool wide;
};

/* A row to show, before formatting. */
struct shown {
    const struct best *best;
    const char *generation;          /* of the file */
    const struct csv_column *column; /* to sort by; NULL: the database's order */
    bool descending;
    size_t row;
    enum stale stale;
    const char *value_name; /* heading of the values: their objective if all rows have the same */
    bool any_unverified;    /* some shown row is unverified */
    bool any_library;       /* some shown row has a library's time */
    bool any_fit;           /* some shown row is a fit */
    bool any_state;         /* some shown row is known to be current or stale */
};

static const struct option_row rows[] = {
    {.name = "db",
     .argument = "FILE",
     .type = OPTION_TEXT,
     .offset = offsetof(struct show_values, database),
     .default_ = "cutune.csv",
     .help = "file to show" FIND_RESULTS_HELP},
    {.name = "kernel",
     .values = "kernels",
     .argument = "NAME",
     .type = OPTION_TEXT,
     .offset = offsetof(struct show_values, kernel),
     .help = "show only this kernel"},
    {.name = "device",
     .values = "devices",
     .argument = "TEXT",
     .type = OPTION_TEXT,
     .offset = offsetof(struct show_values, device),
     .help = "show only devices whose name contains this text, in any case"},
    {.name = "problem",
     .values = "problems",
     .argument = "TEXT",
     .type = OPTION_TEXT,
     .offset = offsetof(struct show_values, problem),
     .help = "show only problems that contain this text, in any case, as in \"ROWS=8192\""},
    {.name = "for",
     .values = "devices",
     .argument = "DEVICE",
     .type = OPTION_TEXT,
     .offset = offsetof(struct show_values, asking),
     .help = "show the configuration that a program gets on this device: a name in the database or of a known GPU, or "
             "words of it. --cc names any other GPU"},
    {.name = "define",
     .short_name = 'D',
     .argument = "NAME=V",
     .type = OPTION_LIST,
     .offset = offsetof(struct show_values, defines),
     .help = "problem size that --for asks for; may be repeated"},
    {.name = "cc",
     .argument = "CC",
     .type = OPTION_INT,
     .offset = offsetof(struct show_values, cc),
     .min = 0,
     .max = SELECTION_CC_MAX,
     .help = "compute capability of the device of --for, as in 80 for 8.0; its name is then taken as it is"},
    {.name = "sm",
     .argument = "COUNT",
     .type = OPTION_INT,
     .offset = offsetof(struct show_values, sm_count),
     .min = 0,
     .max = INT_MAX,
     .help = "multiprocessors of the device of --for"},
    {.name = "l2-bytes",
     .argument = "BYTES",
     .type = OPTION_INT,
     .offset = offsetof(struct show_values, l2_bytes),
     .min = 0,
     .max = INT64_C(1) << 50,
     .help = "L2 cache of the device of --for"},
    {.name = "journal",
     .argument = "FILE",
     .type = OPTION_TEXT,
     .offset = offsetof(struct show_values, journals),
     .help =
         "journal, or directory of journals, with times for a search of configurations that are fast on all devices; "
         "`recorded` has its own"},
    {.name = "front",
     .argument = "JOURNAL",
     .type = OPTION_TEXT,
     .offset = offsetof(struct show_values, front),
     .help = "show instead the energies that a journal has (--objective), and which configurations are on the front of "
             "time and energy: no other is measurably better in one and as good in the other"},
    {.name = "sort",
     .values = "columns",
     .argument = "[-]COLUMN",
     .type = OPTION_TEXT,
     .offset = offsetof(struct show_values, sort),
     .help = "sort by this column of --format csv; with a minus sign, the largest first"},
    GENERATION_OPTION(struct show_values, generation),
    STALE_SPACE_OPTION(struct show_values, spaces),
    OUTPUT_FORMAT_OPTION(struct show_values, format),
    {.name = "wide",
     .type = OPTION_FLAG,
     .offset = offsetof(struct show_values, wide),
     .help = "a line per row with all columns, wider than the terminal if need be"},
};

/* Options without effect beside others. */
static const struct option_mode modes[] = {
    {.unless = "format=text", .unused = "wide"},
    {.unless = "for", .unused = "define cc sm l2-bytes journal"},
    {.beside = "front",
     .unused = "db kernel device problem for define cc sm l2-bytes journal sort generation space wide"},
    {.beside = "for", .unused = "device problem sort space wide"},
};

static bool matches(const struct show_values *wanted, const struct best *best)
{
    return (!wanted->kernel || strcmp(wanted->kernel, best->provenance.kernel) == 0) &&
           (!wanted->device || strcasestr(best->provenance.device.name, wanted->device)) &&
           (!wanted->problem || strcasestr(best->provenance.problem, wanted->problem));
}

/* Adds the most important quality of a fit, on held-out sizes or else on its own, and the loss of its choice at the
 * worst of these sizes. */
static void add_fit(cJSON *row, const struct best *best)
{
    size_t length;
    bool held;
    const char *mean = selection_fit_mean(best, &held, &length);
    const int mean_length = mean ? (int)length : 0;
    const char *taken = pairs_value(best->fit_quality, "taken_percent", &length);
    char text[96] = "";
    if (database_is_fit(best))
        snprintf(text, sizeof text, "%.*s%s%s%.*s%s", mean_length, mean ? mean : "",
                 held ? " held out" : " on its sizes", taken ? ", loses up to " : "", taken ? (int)length : 0,
                 taken ? taken : "", taken ? "%" : "");
    cJSON_AddStringToObject(row, "fit", text);
}

/* text: rounded values for people. */
static void add_summary(cJSON *row, const struct shown *shown)
{
    const struct best *best = shown->best;
    const struct objective *objective = objective_find(best->objective);
    char value[32];
    cJSON_AddStringToObject(row, "kernel", best->provenance.kernel);
    cJSON_AddStringToObject(row, "device", best->provenance.device.name);
    cJSON_AddStringToObject(row, "problem", best->provenance.problem);
    cJSON_AddStringToObject(row, "configuration", best->configuration);
    if (!objective || isnan(best->value))
        cJSON_AddNullToObject(row, shown->value_name);
    else
        cJSON_AddStringToObject(row, shown->value_name, objective->print(value, sizeof value, best->value));
    output_add_real(row, "speed-up", round(best->speedup * 100) / 100);
    output_add_real(row, "% of ceiling", round(best->ceiling_percent * 10) / 10);
    cJSON_AddStringToObject(row, "date", best->provenance.date);
    if (shown->any_state)
        cJSON_AddStringToObject(row, "state", stale_name(shown->stale));
    if (shown->any_library)
        output_add_real(row, "of library", round(best->library_ratio * 100) / 100);
    if (shown->any_fit)
        add_fit(row, best);
    if (shown->any_unverified && database_is_fit(best))
        cJSON_AddStringToObject(row, "outputs", "");
    else if (shown->any_unverified)
        cJSON_AddStringToObject(row, "outputs", provenance_unverified(&best->provenance) ? "unverified" : "verified");
}

/* csv, json: every column. */
static void add_columns(cJSON *row, const struct shown *shown)
{
    output_add_best(row, shown->best);
    cJSON_AddStringToObject(row, "generation", shown->generation);
    if (shown->stale == STALE_UNKNOWN)
        cJSON_AddNullToObject(row, "state");
    else
        cJSON_AddStringToObject(row, "state", stale_name(shown->stale));
}

static int nothing(const struct show_values *wanted, const struct database *database, struct error *error)
{
    struct text kernels = {0};
    const char *before = "";
    if (database_count(database) == 0) {
        error_set(error, ERROR_NOT_FOUND, "no results in %s", wanted->database);
        error_hint(error,
                   "cutune --space FILE tunes a kernel and saves its best configuration; --db names another file");
        return ERROR_NOT_FOUND;
    }
    error_set(error, ERROR_NOT_FOUND, "%s has no row%s%.100s%s%.100s%s%.100s", wanted->database,
              wanted->kernel ? " of the kernel " : "", wanted->kernel ? wanted->kernel : "",
              wanted->device ? " on a device named " : "", wanted->device ? wanted->device : "",
              wanted->problem ? " for a problem with " : "", wanted->problem ? wanted->problem : "");
    for (size_t i = 0; i < database_count(database); before = database_get(database, i++)->provenance.kernel)
        if (strcmp(database_get(database, i)->provenance.kernel, before) != 0)
            text_printf(&kernels, "%s%s", *before ? ", " : "", database_get(database, i)->provenance.kernel);
    error_hint(error, "it has the kernels %s; cutune show lists their devices", text_string(&kernels));
    text_free(&kernels);
    return ERROR_NOT_FOUND;
}

/* ---- Order ---- */

/* Unknown values come last in both directions; equal rows stay in the database's order. */
static int compare_shown(const void *left, const void *right)
{
    const struct shown *a = left, *b = right;
    const struct csv_column *column = a->column;
    int order = 0;
    if (column->kind == CSV_TEXT || column->kind == CSV_NAME) {
        const char *x = *(const char *const *)((const char *)a->best + column->offset);
        const char *y = *(const char *const *)((const char *)b->best + column->offset);
        order = !*x || !*y ? 0 : strverscmp(x, y) * (a->descending ? -1 : 1);
        order = order ? order : !*x - !*y;
    } else {
        double x = csv_cell_number(column, a->best), y = csv_cell_number(column, b->best);
        order = ((x > y) - (x < y)) * (a->descending ? -1 : 1);
        order = order ? order : isnan(x) - isnan(y);
    }
    return order ? order : (a->row > b->row) - (a->row < b->row);
}

static int find_order(const struct show_values *wanted, struct shown *pattern, struct error *error)
{
    const char *name = wanted->sort, *names[CSV_CELLS_MAX];
    if (!name)
        return 0;
    pattern->descending = *name == '-';
    name += pattern->descending;
    size_t count;
    const struct csv_column *columns = database_columns(&count);
    int column = csv_column_find(columns, count, name);
    if (column >= 0) {
        pattern->column = &columns[column];
        return 0;
    }
    for (size_t i = 0; i < count; i++)
        names[i] = columns[i].name;
    const char *near = text_nearest(name, names, count);
    error_set(error, ERROR_USAGE, "--sort: there is no column '%.60s'", name);
    error_hint(error, near ? "did you mean %s?" : "cutune show --format csv shows the columns' names", near);
    return ERROR_USAGE;
}

/* ---- Output ---- */

static int choose(const struct show_values *wanted, const struct database *database, const struct shown *pattern,
                  struct shown *rows_shown, size_t *count, struct error *error)
{
    struct stale_check *check;
    int code = stale_open(&check, &wanted->spaces, true, error);
    for (size_t i = 0; i < database_count(database) && !code; i++) {
        struct shown *shown = &rows_shown[*count];
        if (!matches(wanted, database_get(database, i)))
            continue;
        *shown = *pattern;
        shown->best = database_get(database, i);
        shown->row = i;
        code = stale_row(check, shown->best, &shown->stale, error);
        ++*count;
    }
    if (pattern->column && *count)
        qsort(rows_shown, *count, sizeof *rows_shown, compare_shown);
    stale_close(check);
    return code;
}

/* Fits the table into the terminal and names the columns left out. */
static int print_table(const cJSON *list, struct error *error)
{
    static const struct output_step steps[] = {{"configuration", true}, {"date", false},     {"% of ceiling", false},
                                               {"problem", true},       {"speed-up", false}, {NULL, false}};
    const struct output_fit fit = {.width = (size_t)terminal_columns(STDOUT_FILENO), .steps = steps};
    struct text out = {0}, left_out = {0};
    output_table(list, &fit, &out, &left_out);
    int code = output_lines(&out, error);
    if (!code && left_out.length)
        output_note("too narrow for %s; --wide shows all columns", text_string(&left_out));
    text_free(&out);
    text_free(&left_out);
    return code;
}

static int print(const struct show_values *wanted, struct shown *rows_shown, size_t count, struct error *error)
{
    cJSON *list = cJSON_CreateArray();
    bool any = false, unverified = false, library = false, fit = false;
    /* An objective unknown to this version has no values. */
    const char *name = objective_find(rows_shown[0].best->objective) ? rows_shown[0].best->objective : "value";
    for (size_t i = 0; i < count; i++) {
        unverified |= !database_is_fit(rows_shown[i].best) && provenance_unverified(&rows_shown[i].best->provenance);
        library |= !isnan(rows_shown[i].best->library_ratio);
        fit |= database_is_fit(rows_shown[i].best);
        any |= rows_shown[i].stale != STALE_UNKNOWN;
        if (strcmp(rows_shown[i].best->objective, name) != 0)
            name = "value";
    }
    for (size_t i = 0; list && i < count; i++) {
        rows_shown[i].any_state = any;
        rows_shown[i].any_unverified = unverified;
        rows_shown[i].any_library = library;
        rows_shown[i].any_fit = fit;
        rows_shown[i].value_name = name;
        cJSON *row = cJSON_CreateObject();
        if (!row)
            break;
        (output_format(wanted->format)->people ? add_summary : add_columns)(row, &rows_shown[i]);
        cJSON_AddItemToArray(list, row);
    }
    bool whole = list && (size_t)cJSON_GetArraySize(list) == count;
    bool fits = output_format(wanted->format)->prose && !wanted->wide;
    int code = !whole ? error_memory(error)
               : fits ? print_table(list, error)
                      : output_rows(list, wanted->format, false, error);
    cJSON_Delete(list);
    return code;
}

/* A paragraph behind the table. */
static int print_generation(const struct database *database, struct error *error)
{
    struct text line = {0};
    text_printf(&line, "\nGeneration: %s\n", database_generation(database));
    int code = line.failed ? error_memory(error) : output_file(NULL, &line, error);
    text_free(&line);
    return code;
}

static int show(const struct show_values *wanted, const struct database *database, struct error *error)
{
    struct shown pattern = {.generation = database_generation(database)},
                 *rows_shown = calloc(database_count(database) + 1, sizeof *rows_shown);
    size_t count = 0;
    int code = rows_shown ? find_order(wanted, &pattern, error) : error_memory(error);
    if (!code)
        code = choose(wanted, database, &pattern, rows_shown, &count, error);
    if (!code)
        code = count ? print(wanted, rows_shown, count, error) : nothing(wanted, database, error);
    if (!code && output_format(wanted->format)->people)
        code = print_generation(database, error);
    free(rows_shown);
    return code;
}

/* The journals of `recorded` count unless others are given. */
static int answer(const struct show_values *wanted, const char *path, const char *journals,
                  const struct database *database, struct error *error)
{
    const struct show_for asked = {.device = wanted->asking,
                                   .cc = wanted->cc,
                                   .sm_count = wanted->sm_count,
                                   .l2_bytes = wanted->l2_bytes,
                                   .defines = wanted->defines,
                                   .kernel = wanted->kernel,
                                   .path = path,
                                   .journals = wanted->journals ? wanted->journals : journals,
                                   .generation = wanted->generation,
                                   .format = wanted->format};
    return show_for(&asked, database, error);
}

static int run(const void *values, const char *const *arguments, size_t argument_count, struct error *error)
{
    const struct show_values *wanted = values;
    struct database *database = NULL;
    (void)arguments;
    (void)argument_count;
    struct arena arena = {0};
    const char *path, *journals;
    if (wanted->front)
        return show_front(wanted->front, wanted->format, error);
    int code = find_results_file(&arena, wanted->database, &path, &journals, error);
    if (!code)
        code = find_results(&arena, path, &path, &database, error);
    if (!code)
        code = find_generation(database, wanted->generation, error);
    if (!code)
        code = wanted->asking && database_count(database) ? answer(wanted, path, journals, database, error)
                                                          : show(wanted, database, error);
    database_close(database);
    arena_free(&arena);
    return code;
}

static const struct command_example examples[] = {
    {"cutune show", "list the database cutune.csv"},
    {"cutune show --kernel transpose --device h200", "list the rows of a kernel on one model of GPU"},
    {"cutune show --db recorded --kernel transpose --for A100 -D ROWS=4096 -D COLS=4096",
     "show what a program gets on a GPU, and by which rule"},
    {"cutune show --front cutune.d/matmul.NVIDIA-H200.csv", "show the front of time and energy of a journal"},
    {"cutune show --sort -speedup", "list the largest speed-up first"},
    {"cutune show --format csv", "write all columns, for other programs"},
};

const struct command command_show = {
    .name = "show",
    .arguments = "",
    .summary = "show the best configurations in the database",
    .description = "cutune lists the best configuration of each kernel, device and problem in a database, with"
                   " its time, its speed-up over the default and the share of the limit that it reaches. A row"
                   " is stale if the kernel's source or space has changed since.\n"
                   "With --for, it looks one configuration up as headers and the library do, for a device and sizes "
                   "that may match no row. `rule` says how it was chosen.",
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .modes = modes,
    .mode_count = sizeof modes / sizeof *modes,
    .values_size = sizeof(struct show_values),
    .run = run};
