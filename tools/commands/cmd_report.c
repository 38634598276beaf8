#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "compare/compared.h"
#include "database/database.h"
#include "report/report.h"
#include "terminal/command.h"
#include "terminal/output.h"
#include "terminal/progress.h"

struct report_values {
    const char *kernel, *output, *fits, *figures;
    double margin_percent;
    int64_t top;
};

#define FIELD(field) .offset = offsetof(struct report_values, field)
static const struct option_row rows[] = {
    {.name = "output",
     .short_name = 'o',
     .argument = "FILE",
     .type = OPTION_TEXT,
     FIELD(output),
     .help = "file to write; by default, standard output"},
    {.name = "figures",
     .argument = "DIR",
     .type = OPTION_TEXT,
     FIELD(figures),
     .help = "write every chart to this folder, as SVG for a column of 85 mm and as CSV"},
    {.name = "kernel",
     .values = "kernels",
     .argument = "NAME",
     .type = OPTION_TEXT,
     FIELD(kernel),
     .help = "report only this kernel"},
    {.name = "fits",
     .argument = "DB",
     .type = OPTION_TEXT,
     FIELD(fits),
     .help = "report on the fits over sizes in this database instead; the journals tell how good they are where"},
    {.name = "top",
     .argument = "N",
     .type = OPTION_INT,
     FIELD(top),
     .min = 1,
     .max = 10000,
     .default_ = "100",
     .help = "list this many of the best configurations in a table"},
    {.name = "margin",
     .argument = "PCT",
     .type = OPTION_REAL,
     FIELD(margin_percent),
     .min = 0,
     .max = 100,
     .default_ = "1",
     .help = "treat two times as the same if their ratio is certainly within PCT per cent of 1"},
};

static const char *const default_files[] = {"cutune.d"};

/* ---- Runs ---- */

static int put_runs(const struct report_values *values, const char *const *files, size_t count, struct text *page,
                    struct figures *figures, struct error *error)
{
    struct progress progress = progress_of_terminal(false);
    struct compared compared = {.work = progress_work(&progress)};
    int code = compared_load(&compared, files, count, values->kernel, error);
    if (code == ERROR_NOT_FOUND && files == default_files)
        error_hint(error, "name the journals, databases or folders to report on");
    if (!code)
        code = compared_find(&compared, (size_t)values->top, values->margin_percent / 100, error);
    if (!code) {
        compared_warn(&compared);
        code = report_page(compared.findings, compared.comparisons.count, (size_t)values->top, page, figures, error);
    }
    compared_close(&compared);
    return code;
}

/* ---- Fits ---- */

/* Appends the journals among a folder's files, or a file that is a journal. Arena memory. */
static int find_journals(struct arena *arena, const char *path, const char ***journals, size_t *journal_count,
                         struct error *error)
{
    const char *const *paths = &path;
    size_t count = 1;
    struct stat status;
    int code = 0;
    if (*path && stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        code = file_list_csv(arena, path, "", &paths, &count, error);
    const char **all = code ? NULL : arena_array(arena, *journal_count + count + 1, sizeof *all);
    if (!all)
        return code ? code : error_memory(error);
    for (size_t i = 0; i < *journal_count; i++)
        all[i] = (*journals)[i];
    *journals = all;
    for (size_t i = 0; i < count && !code; i++) {
        enum file_kind kind;
        code = file_kind_find(paths[i], &kind, error);
        if (!code && kind == FILE_KIND_JOURNAL &&
            !(all[*journal_count] = arena_copy(arena, paths[i], strlen(paths[i]))))
            code = error_memory(error);
        *journal_count += !code && kind == FILE_KIND_JOURNAL;
    }
    return code;
}

static bool is_wanted(const struct report_values *values, const struct best *row)
{
    return database_is_fit(row) && (!values->kernel || strcmp(values->kernel, row->provenance.kernel) == 0);
}

static int see_fits(const struct report_values *values, const struct database *database, const char *const *journals,
                    size_t journal_count, struct fit_seen *seen, size_t *count, struct error *error)
{
    struct progress progress = progress_of_terminal(false);
    struct work *work = progress_work(&progress);
    size_t wanted = 0;
    int code = 0;
    for (size_t i = 0; i < database_count(database); i++)
        wanted += is_wanted(values, database_get(database, i));
    work_begin(work, "files read", wanted * journal_count); /* once for each fit */
    for (size_t i = 0; i < database_count(database) && !code; i++) {
        const struct best *row = database_get(database, i);
        if (!is_wanted(values, row))
            continue;
        code = fit_seen_make(&seen[*count], row, journals, journal_count, work, error);
        if (!code && seen[*count].left_out)
            output_note(
                "left out: %zu of the journals of %s, of another version or measured in another way than its fit",
                seen[*count].left_out, row->provenance.kernel);
        *count += !code;
    }
    if (code || *count)
        return code;
    error_set(error, ERROR_NOT_FOUND, "%s has no fit over sizes%s%.100s", values->fits, values->kernel ? " of " : "",
              values->kernel ? values->kernel : "");
    error_hint(error, "`cutune fit` makes one");
    return ERROR_NOT_FOUND;
}

static int put_fits(const struct report_values *values, const char *const *files, size_t count, struct text *page,
                    struct figures *figures, struct error *error)
{
    struct arena arena = {0};
    struct database *database = NULL;
    const char **journals = NULL;
    size_t journal_count = 0, seen_count = 0;
    int code = database_open(&database, values->fits, error);
    /* There may be only a database. */
    for (size_t i = 0; i < count && !code && !(files == default_files && access(*files, F_OK) != 0); i++)
        code = find_journals(&arena, files[i], &journals, &journal_count, error);
    struct fit_seen *seen = code ? NULL : arena_array(&arena, database_count(database) + 1, sizeof *seen);
    if (!code && !seen)
        code = error_memory(error);
    if (!code)
        code = see_fits(values, database, journals, journal_count, seen, &seen_count, error);
    if (!code)
        code = report_fits(seen, seen_count, page, figures, error);
    for (size_t i = 0; i < seen_count; i++)
        fit_seen_free(&seen[i]);
    database_close(database);
    arena_free(&arena);
    return code;
}

/* ---- Files ---- */

/* Writes the figures of a report to a folder, which may exist. */
static int write_figures(const char *folder, const struct figures *figures, struct error *error)
{
    struct arena arena = {0};
    int code = file_make_folder(folder, error);
    for (size_t i = 0; i < figures->count && !code; i++) {
        const struct figure *figure = &figures->items[i];
        const struct {
            const char *ending;
            const struct text *text;
        } files[] = {{"svg", &figure->svg}, {"csv", &figure->csv}};
        for (size_t f = 0; f < sizeof files / sizeof *files && !code; f++) {
            const char *path = arena_printf(&arena, "%s/%s.%s", folder, figure->name, files[f].ending);
            code = !path ? error_memory(error) : output_check(path, FILE_KIND_OTHER, NULL, 0, error);
            if (!code)
                code = output_file(path, files[f].text, error);
        }
    }
    arena_free(&arena);
    return code;
}

static int run(const void *options, const char *const *arguments, size_t argument_count, struct error *error)
{
    const struct report_values *values = options;
    const char *const *files = argument_count ? arguments : default_files;
    size_t count = argument_count ? argument_count : 1;
    struct text page = {0};
    struct figures figures = {0};
    int code = output_check(values->output, FILE_KIND_OTHER, arguments, argument_count, error);
    if (!code && values->fits)
        code = output_check(values->output, FILE_KIND_OTHER, &values->fits, 1, error);
    for (size_t i = 0; i < count && !code && values->figures; i++)
        if (file_same(values->figures, files[i])) {
            code = error_set(error, ERROR_USAGE, "--figures: %s is an input, whose CSV files are results of runs",
                             values->figures);
            error_hint(error, "name a folder of its own");
        }
    if (!code)
        code =
            (values->fits ? put_fits : put_runs)(values, files, count, &page, values->figures ? &figures : NULL, error);
    if (!code && values->figures)
        code = write_figures(values->figures, &figures, error);
    if (!code && (values->output || !values->figures))
        code = output_file(values->output, &page, error);
    figures_free(&figures);
    text_free(&page);
    return code;
}

/* Options without effect beside others. */
static const struct option_mode modes[] = {
    {.beside = "fits", .unused = "top margin"},
};

static const struct command_example examples[] = {
    {"cutune report -o report.html", "report on the journals in cutune.d"},
    {"cutune report before.csv after.csv -o report.html", "compare two runs in a report"},
    {"cutune report --figures figures transpose.csv", "write the charts as SVG and CSV, for a paper"},
    {"cutune report --fits cutune.csv cutune.d -o fits.html", "report on fits over sizes"},
};

const struct command command_report = {
    .name = "report",
    .arguments = "[FILE...]",
    .summary = "write a report on runs as one HTML page; without FILE, on the journals in cutune.d",
    .description = "cutune writes a page with charts of one run or of a comparison, or, with `--fits`, of fits over "
                   "sizes. The page needs no network and no other file. With `--figures`, the charts become files, and "
                   "the page is written only if `--output` names a file.",
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .modes = modes,
    .mode_count = sizeof modes / sizeof *modes,
    .values_size = sizeof(struct report_values),
    .arguments_max = 1024,
    .run = run};
