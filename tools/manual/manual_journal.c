#include <string.h>

#include "base/arena.h"
#include "base/evidence.h"
#include "base/measurement.h"
#include "database/database.h"
#include "journal/journal.h"
#include "journal/journal_head.h"
#include "manual/manual.h"

/* Describes the cells of a kind. */
static const char *kind_of(enum csv_kind kind)
{
    if (csv_is_real(kind))
        return "number";
    if (csv_is_integer(kind))
        return "integer";
    return kind == CSV_TEXT || kind == CSV_NAME || kind == CSV_CHARS ? "text" : "a word, below";
}

static void put_column(struct page *page, struct arena *arena, const char *prefix, const struct csv_column *column)
{
    const char *name = arena_printf(arena, "%s%s", prefix, column->name);
    const char *meaning =
        arena_printf(arena, "%s%s%s (%s)", column->meaning ? column->meaning : "", column->objective ? ", " : "",
                     column->objective ? column->objective->unit : "", kind_of(column->kind));
    page->text->failed |= !name || !meaning;
    page_item(page, name ? name : "", meaning ? meaning : "");
}

/* Four rows of a real journal, with the keys needed to read them. */
const char manual_journal_example[] =
    "# cutune journal 1\n"
    "# kernel = zero_copy\n"
    "# problem = N=33554432 REUSE=1\n"
    "# default = HOST=pinned VEC=1 UNROLL=1 BLOCK=256\n"
    "# bytes = 268435456\n"
    "# device = NVIDIA H200\n"
    "# parameters = 4\n"
    "HOST,VEC,UNROLL,BLOCK,status,time_ns,low_ns,high_ns,samples,registers,shared_bytes,local_bytes,occupancy\n"
    "pinned,1,1,256,ok,4963616,4955552,4968768,7,8,0,0,1\n"
    "pageable,1,1,256,ok,20585056,20371872,20855520,9,8,0,0,1\n"
    "pageable,2,1,256,slower,21042864,20962368,21123360,2,14,0,0,1\n";

static void put_keys(struct page *page, struct arena *arena)
{
    page_subsection(page, "Header lines");
    page_text(
        page,
        "The first line is `# cutune journal 1`, with the version of the format. A line `# key = value` follows for "
        "each of these keys. In a value, a backslash stands as `\\\\` and a line break as `\\n` or `\\r`; `\\'` stands "
        "for nothing, where a spreadsheet would begin a formula. A missing key, an empty value and a limit of 0 are "
        "unknown.");
    page_items(page, "key", "value");
    for (size_t i = 0; i < journal_head_key_count(); i++) {
        const char *prefix;
        const struct csv_column key = journal_head_key(i, &prefix);
        put_column(page, arena, prefix, &key);
    }
}

static void put_journal_columns(struct page *page, struct arena *arena)
{
    struct csv_column columns[JOURNAL_COLUMNS];
    journal_columns(objective_default(), columns);
    page_subsection(page, "Columns");
    page_text(
        page,
        "Behind the header comes a CSV table with a row for each evaluation, in the order in which they ended. The "
        "first columns are the parameters. These follow, and are found by "
        "name; others are kept as they are. An empty cell is unknown. A space with a `work` statement has times per "
        "unit "
        "of work, in `time_per_work_ns`, `low_per_work_ns` and `high_per_work_ns` instead of `time_ns`, `low_ns` and "
        "`high_ns`.");
    page_items(page, "column", "meaning");
    for (size_t i = 0; i < JOURNAL_COLUMNS; i++)
        put_column(page, arena, "", &columns[i]);
    page_item(
        page, JOURNAL_SAMPLES,
        "only in journals of runs with `--keep-samples`: the samples behind the median, times of a run, ns, in the "
        "order in which they were taken. Spaces separate them, and `TIME*COUNT` stands for equal ones in a row. "
        "Empty: the row of a finalist or a duplicate, or of a run without the option (text)");
}

static void put_words(struct page *page)
{
    page_subsection(page, "Statuses");
    page_items(page, "status", "meaning");
    for (int i = 0; i < STATUS_COUNT; i++)
        page_item(page, status_name((enum status)i), status_description((enum status)i));
    page_subsection(page, "Results of the play-off");
    page_items(page, "playoff", "meaning");
    for (int i = PLAYOFF_NONE + 1; i < PLAYOFF_COUNT; i++)
        page_item(page, playoff_name((enum playoff)i), playoff_description((enum playoff)i));
    page_subsection(page, "Proposers");
    page_items(page, "proposer", "meaning");
    for (int i = PROPOSER_UNKNOWN + 1; i < PROPOSER_COUNT; i++)
        page_item(page, proposer_name((enum proposer)i), proposer_description((enum proposer)i));
}

static void put_evidence(struct page *page, struct arena *arena)
{
    page_subsection(page, "Evidence");
    page_text(page,
              "A row of the status `evidence` is not an evaluation, and nothing is ranked by it. It says how one "
              "launch of its "
              "configuration runs: the kernel in the column `kernel`, and in `message` NAME=VALUE for each number that "
              "is known. The last row of a configuration and launch counts. Numbers that begin with `code_` are of the "
              "machine code, those with `loop_` of one iteration of its hottest loop, and those with `stall_` are the "
              "cycles that a warp waits, per instruction issued.");
    page_items(page, "name", "meaning");
    for (size_t i = 0; i < evidence_count; i++) {
        const struct evidence_row *row = &evidence_rows[i];
        const char *meaning = arena_printf(arena, "%s%s%s (%s)", row->meaning, *row->unit ? ", " : "", row->unit,
                                           evidence_source_name(row->source));
        page->text->failed |= !meaning;
        page_item(page, row->name, meaning ? meaning : "");
    }
}

static void put_database(struct page *page, struct arena *arena)
{
    size_t count;
    const struct csv_column *columns = database_columns(&count);
    page_section(page, "Database");
    page_text(page,
              "A database is a CSV table of the best configurations, by default `cutune.csv`, with one row for each "
              "kernel, device, problem and objective. Its columns are found by name; others are kept as they are. An "
              "empty cell is unknown. A run "
              "replaces its row under a lock (`cutune.csv.lock`), so that runs at the same time lose nothing.");
    page_items(page, "column", "meaning");
    for (size_t i = 0; i < count; i++)
        put_column(page, arena, "", &columns[i]);
}

void manual_journal(struct page *page)
{
    struct arena arena = {0};
    page_title(page, "cutune-journal", 5, "the files of journals and databases");
    page_section(page, "Description");
    page_text(
        page,
        "A run writes every evaluation to its journal, `cutune.d/KERNEL.DEVICE.FINGERPRINT.csv`, as the evaluation "
        "ends, and the best configuration to the database, `cutune.csv`. Both are CSV files in UTF-8. A text "
        "that a spreadsheet would run as a formula has an apostrophe in front, which cutune drops on reading. "
        "`cutune --replay`, `compare`, `report` and `export` read journals; `show`, `emit`, `merge` and `compare` "
        "read databases.");
    page_section(page, "Journal");
    page_text(page, "For example, with some of the header lines and columns:");
    page_code(page, manual_journal_example);
    put_keys(page, &arena);
    put_journal_columns(page, &arena);
    put_words(page);
    page_text(
        page,
        "The last row of a configuration counts, and the result of the play-off takes precedence. A configuration that "
        "failed once has failed. A last line that is cut short, because the run was killed while it wrote, is "
        "reported and skipped.");
    put_evidence(page, &arena);
    put_database(page, &arena);
    page_see_also(page, "`cutune`(1), `cutune-show`(1), `cutune-compare`(1), `cutune-space`(5)");
    arena_free(&arena);
}
