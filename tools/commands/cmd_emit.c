#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "choose/timing_history.h"
#include "commands/emit_prefer.h"
#include "commands/find.h"
#include "commands/stale.h"
#include "database/database.h"
#include "emit/emit.h"
#include "sizes/size_fit.h"
#include "space/space.h"
#include "terminal/command.h"
#include "terminal/output.h"

struct emit_values {
    const char *kernel, *database, *prefix, *format, *output, *check, *generation, *prefer;
    struct option_list devices, sizes, journals, spaces;
    bool stale, plain_macros;
    struct emit_prefer preferred; /* of `prefer` */
};

static const struct option_row rows[] = {
    {.name = "kernel",
     .values = "kernels",
     .argument = "NAME",
     .type = OPTION_TEXT,
     .offset = offsetof(struct emit_values, kernel),
     .help =
         "kernel whose configurations to write, or `all` for one header of all kernels; by default, that of --space, "
         "or the only one of the file"},
    {.name = "db",
     .argument = "FILE",
     .type = OPTION_TEXT,
     .offset = offsetof(struct emit_values, database),
     .default_ = "cutune.csv",
     .help = "file to read" FIND_RESULTS_HELP},
    {.name = "device",
     .values = "devices",
     .argument = "NAME",
     .type = OPTION_LIST,
     .offset = offsetof(struct emit_values, devices),
     .help = "write only the rows of this device, by a part of its name; may be repeated"},
    {.name = "define",
     .short_name = 'D',
     .argument = "NAME=V",
     .type = OPTION_LIST,
     .offset = offsetof(struct emit_values, sizes),
     .help = "problem size of the macros, variables and flags; by default, the newest row's; may be repeated"},
    {.name = "journal",
     .argument = "FILE",
     .type = OPTION_LIST,
     .offset = offsetof(struct emit_values, journals),
     .help =
         "journal, or directory of journals, with times for a search of configurations that are fast on all devices; "
         "may be repeated. `recorded` has its own"},
    {.name = "stale",
     .type = OPTION_FLAG,
     .offset = offsetof(struct emit_values, stale),
     .help = "also write rows from another version of the space or its source"},
    {.name = "space",
     .values = "templates",
     .argument = "FILE",
     .type = OPTION_LIST,
     .offset = offsetof(struct emit_values, spaces),
     .help = "space that the rows must match; others are left out as stale. A header gets the sizes of its launches. "
             "Without a row, its default configuration is written, and a note says so. May be repeated"},
    GENERATION_OPTION(struct emit_values, generation),
    {.name = "prefer",
     .argument = "time|energy|power|energy_delay|weight=W",
     .type = OPTION_TEXT,
     .offset = offsetof(struct emit_values, prefer),
     .default_ = "time",
     .help =
         "write the rows that are the best by this objective, which cutune --objective has measured; weight=W: those "
         "of the front in --journal, by this weight of energy, from 0 to 1, against time"},
    {.name = "prefix",
     .argument = "NAME",
     .type = OPTION_TEXT,
     .offset = offsetof(struct emit_values, prefix),
     .help = "prefix of all names; by default, the kernel's name. With --kernel all, it precedes the kernels' names"},
    {.name = "plain-macros",
     .type = OPTION_FLAG,
     .offset = offsetof(struct emit_values, plain_macros),
     .help = "also write each macro by the parameter's own name, unless the source or the compiler has defined it"},
    {.name = "format",
     .argument = emit_format_names + 1,
     .type = OPTION_CHOICE,
     .offset = offsetof(struct emit_values, format),
     .choices = emit_format_names + 1,
     .default_ = "header",
     .help = "a header, variables of CMake, JSON, or -DNAME=VALUE options of a compiler"},
    {.name = "output",
     .short_name = 'o',
     .argument = "FILE",
     .type = OPTION_TEXT,
     .offset = offsetof(struct emit_values, output),
     .help = "file to write, untouched if it would not change; by default, standard output"},
    {.name = "check",
     .argument = "FILE",
     .type = OPTION_TEXT,
     .offset = offsetof(struct emit_values, check),
     .help = "write nothing, and say if this header is up to date: exit with 1 unless its rows, space and options are "
             "those of this command"},
};

static bool is_all(const struct emit_values *wanted)
{
    return wanted->kernel && strcmp(wanted->kernel, "all") == 0;
}

/* Takes the kernel of the only space. */
static int take_kernel(struct arena *arena, struct emit_values *wanted, struct error *error)
{
    struct space *space = NULL;
    const char *path = find_space(arena, wanted->spaces.items[0], error);
    int code = path ? space_parse(&space, path, error) : (int)error->code;
    if (!code && !space->kernel)
        code = error_set(error, ERROR_DATA, "%s has no kernel, so no row comes from it", path);
    if (!code && !(wanted->kernel = arena_copy(arena, space->name, strlen(space->name))))
        code = error_memory(error);
    space_free(space);
    return code;
}

static int no_rows(const struct emit_values *wanted, const struct database *database, struct error *error)
{
    const char *near = NULL;
    for (size_t i = 0; i < database_count(database) && !near; i++) {
        const struct best *best = database_get(database, i);
        if (strcmp(best->provenance.kernel, wanted->kernel) == 0) {
            error_set(error, ERROR_NOT_FOUND, "%s has rows of the kernel '%.100s' for the objective %.100s only",
                      wanted->database, wanted->kernel, best->objective);
            error_hint(error, "--prefer %s takes the rows for %s; cutune --objective measures others", wanted->prefer,
                       wanted->preferred.objective->name);
            return ERROR_NOT_FOUND;
        }
        near = text_nearest(wanted->kernel, &best->provenance.kernel, 1);
    }
    error_set(error, ERROR_NOT_FOUND, "%s has no row of the kernel '%.100s'", wanted->database, wanted->kernel);
    if (near)
        error_hint(error, "did you mean %s?", near);
    else
        error_hint(
            error,
            "cutune show --db %s lists its rows; cutune --space FILE tunes a kernel; emit --space FILE writes its "
            "default configuration",
            wanted->database);
    return ERROR_NOT_FOUND;
}

/* Keeps the rows that are not known to be from another version than the given space. */
static int keep_current(const struct emit_values *wanted, const struct best **bests, size_t *count, struct error *error)
{
    struct stale_check *check = NULL;
    size_t kept = 0;
    int code = stale_open(&check, &wanted->spaces, false, error);
    if (!code) {
        size_t files;
        const char *const *inputs = stale_inputs(check, &files);
        code = output_check(wanted->output, FILE_KIND_OTHER, inputs, files, error);
    }
    for (size_t i = 0; i < *count && !code; i++) {
        enum stale stale = STALE_UNKNOWN;
        code = stale_row(check, bests[i], &stale, error);
        if (stale == STALE_UNKNOWN || stale == STALE_NO)
            bests[kept++] = bests[i];
    }
    stale_close(check);
    *count = kept;
    return code;
}

/* Drops results of another version of the kernel than the given space's or, without one, than the newest row's. */
static int leave_stale(const struct emit_values *wanted, const struct best **bests, size_t *count, struct error *error)
{
    size_t fresh = *count;
    int code = wanted->stale ? 0 : keep_current(wanted, bests, &fresh, error);
    if (!code && !wanted->stale)
        fresh = selection_fresh(bests, fresh, bests);
    if (code)
        return code;
    if (*count && !fresh) {
        code = error_set(error, ERROR_NOT_FOUND, "every row of %s is from another version of the space or its source",
                         wanted->kernel);
        error_hint(error, "tune it again, or use them anyway with --stale");
        return code;
    }
    if (fresh < *count)
        output_note("left out: %zu of %zu rows of %s, tuned for another version of the space or its source; --stale "
                    "takes them too",
                    *count - fresh, *count, wanted->kernel);
    *count = fresh;
    return 0;
}

/* Returns the given space of the kernel; NULL: none. */
static int open_space(const struct emit_values *wanted, struct space **space, struct error *error)
{
    struct arena arena = {0};
    int code = 0;
    for (size_t i = 0; i < wanted->spaces.count && !*space && !code; i++) {
        const char *path = find_space(&arena, wanted->spaces.items[i], error);
        code = path ? space_parse(space, path, error) : (int)error->code;
        if (!code && strcmp((*space)->name, wanted->kernel) != 0) {
            space_free(*space);
            *space = NULL;
        }
    }
    arena_free(&arena);
    return code;
}

/* Limits of the space or, for each row, of the database. A single configuration has those of its row's own device. */
static void note_unchecked(const struct emit_values *wanted, const struct best *const *of_kernel, size_t count)
{
    size_t unchecked = 0;
    for (size_t i = 0; i < count; i++)
        unchecked += !of_kernel[i]->condition || !*of_kernel[i]->condition;
    if (unchecked && strcmp(wanted->format, "flags") != 0)
        output_note("%zu of %zu rows of %s do not say where they are valid; --space FILE checks them for other GPUs",
                    unchecked, count, wanted->kernel);
}

/* such fits choose nothing */
static void note_earlier(const struct emit_values *wanted, const struct best *const *of_kernel, size_t count)
{
    size_t earlier = 0;
    for (size_t i = 0; i < count; i++)
        earlier += database_is_fit(of_kernel[i]) && size_fit_is_earlier(of_kernel[i]->fit);
    if (earlier)
        output_note("passed over: %zu fit%s of %s, made by an earlier cutune: run `cutune fit` again", earlier,
                    earlier == 1 ? "" : "s", wanted->kernel);
}

static bool is_preferred(const struct emit_values *wanted, const struct best *best)
{
    return strcmp(objective_aim(best->objective), wanted->preferred.objective->name) == 0;
}

/* Lists the rows of the kernel. */
static size_t list_rows(const struct emit_values *wanted, const struct database *database,
                        const struct best **of_kernel)
{
    size_t count = 0;
    for (size_t i = 0; i < database_count(database); i++) {
        const struct best *best = database_get(database, i);
        if (strcmp(best->provenance.kernel, wanted->kernel) == 0 && is_preferred(wanted, best))
            of_kernel[count++] = best;
    }
    return count;
}

/* A kernel to write, and what it borrows. */
struct gathered {
    const struct best **rows;
    size_t count;
    struct space *space;
    struct timing_history *history;
    const char *journal; /* that the database was made of; NULL: a database */
    struct arena arena;  /* of the times */
};

/* Takes the rows that a weight prefers. A database of a journal has its energies. */
static int weigh(const struct emit_values *wanted, struct gathered *own, struct error *error)
{
    const size_t all = own->count;
    int code = own->journal ? timing_history_add(own->history, own->journal, error) : 0;
    if (!code)
        code = emit_prefer_weighted(&wanted->preferred, own->history, &own->arena, own->rows, &own->count, error);
    if (!code && !own->count) {
        code = error_set(error, ERROR_NOT_FOUND, "no journal has energies of %s", wanted->kernel);
        error_hint(error, "--prefer weight=W needs --journal FILE, or the journal as --db; cutune --objective "
                          "time,energy measures energies");
    } else if (!code && own->count < all) {
        output_note("left out: %zu of %zu rows of %s, without energies in the journals", all - own->count, all,
                    wanted->kernel);
    }
    return code;
}

static int read_times(const struct emit_values *wanted, const char *recorded, struct gathered *own,
                      struct emit_kernel *kernel, struct error *error)
{
    size_t stale = 0, different = 0;
    int code = timing_history_open(&own->history, error);
    for (size_t i = 0; i < wanted->journals.count && !code; i++)
        code = timing_history_add(own->history, wanted->journals.items[i], error);
    if (!code && recorded && !wanted->journals.count)
        code = timing_history_add_kernel(own->history, recorded, wanted->kernel, error);
    if (emit_prefer_is_weight(&wanted->preferred))
        return code ? code : weigh(wanted, own, error);
    if (!code)
        code = timing_history_times(own->history, &own->arena, own->rows, own->count, &kernel->times,
                                    &kernel->time_count, &stale, error);
    if (!code)
        code = timing_history_different(own->history, own->rows, own->count, &different, error);
    if (!code && stale)
        output_note("left out: %zu of the journals of %s, of another version of the space or its source", stale,
                    wanted->kernel);
    if (!code && different)
        output_note("left out: %zu of the journals of %s, measured with other options, data or objectives", different,
                    wanted->kernel);
    return code;
}

/* Gathers the rows of wanted->kernel. `recorded`: a folder of its journals; NULL: none. */
static int gather(const struct emit_values *wanted, const struct database *database, const char *recorded,
                  struct gathered *own, struct emit_kernel *kernel, struct text *note, struct error *error)
{
    own->rows = calloc(database_count(database) + 1, sizeof *own->rows);
    if (!own->rows)
        return error_memory(error);
    own->count = list_rows(wanted, database, own->rows);
    own->journal = database_count(database) && !database_line(database, 0) ? database_path(database) : NULL;
    int code = leave_stale(wanted, own->rows, &own->count, error);
    if (!code)
        code = open_space(wanted, &own->space, error);
    if (!code && own->count)
        code = read_times(wanted, recorded, own, kernel, error);
    else if (!code && !own->space)
        code = no_rows(wanted, database, error);
    else if (!code)
        text_printf(note, "%s%s has no row of %s", note->length ? "; " : "", wanted->database, wanted->kernel);
    if (!code && !own->space)
        note_unchecked(wanted, own->rows, own->count);
    if (!code)
        note_earlier(wanted, own->rows, own->count);
    kernel->name = wanted->kernel;
    kernel->rows = own->rows;
    kernel->count = own->count;
    kernel->space = own->space;
    return code;
}

static void free_gathered(struct gathered *own)
{
    arena_free(&own->arena);
    timing_history_close(own->history);
    space_free(own->space);
    free(own->rows);
}

/* True if the database has a row of the kernel to write. */
static bool has_rows(const struct emit_values *wanted, const struct database *database, const char *kernel)
{
    bool any = false;
    for (size_t i = 0; i < database_count(database) && !any; i++)
        any = strcmp(database_get(database, i)->provenance.kernel, kernel) == 0 &&
              is_preferred(wanted, database_get(database, i));
    return any;
}

/* Lists the kernels to write: one, or for `all` those of the rows. */
static int list_kernels(const struct emit_values *wanted, const struct database *database, const char **names,
                        size_t *count, struct error *error)
{
    *count = 0;
    if (!is_all(wanted)) {
        names[(*count)++] = wanted->kernel;
        return 0;
    }
    for (size_t i = 0; i < database_count(database); i++) {
        const char *kernel = database_get(database, i)->provenance.kernel;
        if ((!*count || strcmp(names[*count - 1], kernel) != 0) && has_rows(wanted, database, kernel))
            names[(*count)++] = kernel; /* rows are sorted by kernel */
    }
    return *count ? 0 : error_set(error, ERROR_NOT_FOUND, "no results in %s", wanted->database);
}

static int write_kernels(const struct emit_values *wanted, const struct database *database, const char *recorded,
                         struct text *text, struct error *error)
{
    const size_t room = database_count(database) + 1;
    const char **names = calloc(room, sizeof *names);
    struct gathered *gathered = calloc(room, sizeof *gathered);
    struct emit_kernel *kernels = calloc(room, sizeof *kernels);
    struct text note = {0};
    size_t count = 0;
    int code =
        names && gathered && kernels ? list_kernels(wanted, database, names, &count, error) : error_memory(error);
    for (size_t i = 0; i < count && !code; i++) {
        struct emit_values one = *wanted;
        one.kernel = names[i];
        code = gather(&one, database, recorded, &gathered[i], &kernels[i], &note, error);
    }
    const struct emit_request request = {
        .kernels = kernels,
        .kernel_count = count,
        .together = is_all(wanted),
        .prefix = wanted->prefix,
        .devices = wanted->devices,
        .sizes = wanted->sizes,
        .format = wanted->format,
        .plain_macros = wanted->plain_macros,
        .note = &note,
        .generation =
            wanted->generation /* of a pinned file alone: else rows of other devices would change the output */
    };
    if (!code)
        code = emit_write(&request, text, error);
    if (!code && note.length)
        output_note("%s", text_string(&note));
    text_free(&note);
    for (size_t i = 0; gathered && i < count; i++)
        free_gathered(&gathered[i]);
    free(names);
    free(gathered);
    free(kernels);
    return code;
}

static int find_kernel(struct arena *arena, struct emit_values *wanted, const struct database *database,
                       struct error *error)
{
    if (wanted->spaces.count == 1)
        return take_kernel(arena, wanted, error);
    int code = find_only_kernel(database, wanted->database, "emit", &wanted->kernel, error);
    if (code == ERROR_NOT_FOUND)
        error_hint(error,
                   "cutune --space FILE tunes a kernel and saves its best configuration; --db names another file; "
                   "emit --space FILE writes the default configuration");
    return code;
}

static int check_file(const char *path, const struct text *fresh, struct error *error)
{
    struct text old = {0}, said = {0};
    int code = file_read(path, SIZE_MAX, &old, error);
    if (!code)
        code = emit_compare(path, &old, fresh, error);
    if (!code) {
        text_printf(&said, "%s is up to date\n", path);
        code = output_file(NULL, &said, error);
    }
    text_free(&old);
    text_free(&said);
    return code;
}

static int run(const void *values, const char *const *arguments, size_t argument_count, struct error *error)
{
    struct emit_values wanted = *(const struct emit_values *)values;
    struct database *database = NULL;
    struct arena arena = {0};
    struct text text = {0};
    (void)arguments;
    (void)argument_count;
    const struct option_list *journals = &wanted.journals;
    const char *recorded;
    int code = emit_prefer_read(wanted.prefer, &wanted.preferred, error);
    if (!code)
        code = find_results_file(&arena, wanted.database, &wanted.database, &recorded, error);
    if (!code)
        code = find_results(&arena, wanted.database, &wanted.database, &database, error);
    if (!code)
        code = find_generation(database, wanted.generation, error);
    if (!code)
        code = output_check(wanted.output, FILE_KIND_OTHER, &wanted.database, 1, error);
    if (!code)
        code = output_check(wanted.output, FILE_KIND_OTHER, journals->items, journals->count, error);
    if (!code && (!wanted.kernel || !*wanted.kernel))
        code = find_kernel(&arena, &wanted, database, error);
    if (!code)
        code = write_kernels(&wanted, database, recorded, &text, error);
    if (!code && wanted.check)
        code = check_file(wanted.check, &text, error);
    else if (!code)
        code = output_file(wanted.output, &text, error);
    text_free(&text);
    database_close(database);
    arena_free(&arena);
    return code;
}

/* Options without effect beside others. */
static const struct option_mode modes[] = {
    {.beside = "check", .unused = "output"},
    {.unless = "format=header", .unused = "check"},
    {.beside = "format=json", .unused = "prefix"},
    {.beside = "format=flags", .unused = "prefix"},
};

static const struct command_example examples[] = {
    {"cutune emit --kernel transpose -o transpose_tuned.h", "write a header"},
    {"cutune emit --kernel transpose -D ROWS=4096 -D COLS=4096 -o transpose_tuned.h",
     "choose the sizes that the macros are for"},
    {"cutune emit --kernel transpose --device H200 --format flags", "write -DNAME=VALUE options for one GPU"},
    {"cutune emit --db cutune.d/transpose.NVIDIA-H200.dcc9ad13a63e262d.csv -o transpose_tuned.h",
     "write a header from a journal"},
    {"cutune emit --db recorded --kernel transpose -o transpose_tuned.h",
     "write one from the runs that come with cutune"},
    {"cutune emit --db recorded --kernel all -o tuned.h",
     "write one header of all kernels, with their shared code once"},
    {"cutune emit --kernel transpose --check transpose_tuned.h", "say in CI if a header is up to date"},
    {"cutune emit --space transpose.space -o transpose_tuned.h",
     "write a header also before anyone has tuned: it has the default configuration"},
    {"cutune emit --kernel transpose --prefer weight=0.3 --journal cutune.d -o transpose_tuned.h",
     "write the configurations that are the best for 30% energy and 70% time"},
    {"cutune emit --kernel transpose --journal cutune.d -o transpose_tuned.h",
     "use all measured times to find configurations that are fast on every device"},
};

const struct command command_emit = {
    .name = "emit",
    .arguments = "",
    .summary = "write a kernel's best configurations as a header or for a build",
    .description = "cutune writes tuned configurations in a form for builds: a header for C, C++ and CUDA, variables "
                   "of CMake, JSON, or options for a compiler. The header has a function that chooses a row for a "
                   "device and sizes. The same file always gives the same bytes.",
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .modes = modes,
    .mode_count = sizeof modes / sizeof *modes,
    .values_size = sizeof(struct emit_values),
    .run = run};
