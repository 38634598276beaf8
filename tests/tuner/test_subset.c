/* Requests to a replay, and what it leaves out. */
#include "session_world.h"
#include "tuner/subset.h"

/* session_text with another beginning. */
static void make_text(char *text, size_t room, const char *kernel, const char *title)
{
    const char *rest = strstr(session_text, "problem ");
    snprintf(text, room, "space 2\nkernel %s \"k.cu\"\n%s%s", kernel, title, rest);
}

static void answers(void)
{
    static const char *const sizes[] = {"N=128"}, *const some[] = {"A=4 B=2 C=x", "A=12 B=4 C=y"};
    static const struct {
        const char *name, *kernel, *title;
        size_t defines, configurations;
        double max_time_s;
        const char *cut; /* text appended to the journal */
        int code;
        const char *message, *note; /* $JOURNAL, $SPACE: the paths */
        uint64_t evaluated;
    } rows[] = {
        {"as recorded", "k", "", 0, 0, 0, "", 0, "", "54 of 74 valid configurations are not in $JOURNAL", 20},
        {"another kernel", "other", "", 0, 0, 0, "", ERROR_DATA, "$JOURNAL belongs to the kernel k, not to other", "",
         0},
        {"other sizes", "k", "", 1, 0, 0, "", ERROR_DATA, "$JOURNAL was recorded for N=64, not for N=128", "", 0},
        {"seconds", "k", "", 0, 0, 1, "", ERROR_USAGE, "--max-time: $JOURNAL has no durations", "", 0},
        {"another version", "k", "title \"new\"\n", 0, 0, 0, "", 0, "",
         "$JOURNAL was recorded from another version of $SPACE or of its kernel", 20},
        {"the default alone", "k", "", 0, 1, 0, "", 0, "", "", 1},
        {"what is not recorded", "k", "", 0, 2, 0, "", ERROR_USAGE, "--config: A=12 B=4 C=y is not valid here", "", 0},
        {"a torn line", "k", "", 0, 0, 0, "4,2,x,o", 0, "", "the last line is incomplete and ignored", 20},
    };
    struct session_world world;
    char recorded[256], text[1024];
    struct text whole = {0};
    session_world_open(&world);
    world.request.strategy = "exhaustive";
    world.request.max_evals = 20;
    session_world_expect(&world, "recording", 0, "");
    session_copy(recorded, sizeof recorded, world.heard.journal);
    CU_ASSERT_EQUAL_FATAL(file_read(recorded, 1 << 20, &whole, NULL), 0);
    world.request.synthetic = false;
    world.request.replay = recorded;
    world.request.max_evals = 0;
    world.request.defines = sizes;
    world.request.configurations = some;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char message[512], note[512];
        struct text journal = {0};
        make_text(text, sizeof text, rows[i].kernel, rows[i].title);
        text_printf(&journal, "%s%s", text_string(&whole), rows[i].cut);
        CU_ASSERT_EQUAL_FATAL(file_replace(recorded, journal.bytes, journal.length, NULL), 0);
        text_free(&journal);
        world.request.space_text = text;
        world.request.space_length = strlen(text);
        world.request.define_count = rows[i].defines;
        world.request.configuration_count = rows[i].configurations;
        world.request.max_time_s = rows[i].max_time_s;
        session_name(message, sizeof message, rows[i].message, recorded, world.space_path);
        session_name(note, sizeof note, rows[i].note, recorded, world.space_path);
        session_world_expect(&world, rows[i].name, rows[i].code, message);
        if (!strstr(world.heard.notes, note))
            fprintf(stderr, "\n%s: %s\n", rows[i].name, world.heard.notes);
        CU_ASSERT_PTR_NOT_NULL(strstr(world.heard.notes, note));
        CU_ASSERT_EQUAL(world.heard.evaluated, rows[i].evaluated);
    }
    text_free(&whole);
    session_world_close(&world);
}

/* A journal has durations if one row does: of compiling or of measuring. */
static void knows_seconds(void)
{
    static const struct {
        int64_t compile_ns, measure_ns;
        bool known;
    } rows[] = {{-1, -1, false}, {0, -1, true}, {-1, 0, true}, {5, 7, true}};
    static const char *const names[] = {"A"}, *const values[] = {"1"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct scratch scratch = scratch_open("j.csv");
        struct journal *journal = NULL;
        struct measurement measurement = measurement_unknown(STATUS_OK);
        struct journal_header header = {.provenance = provenance_unknown(), .parameter_count = 1, .parameters = names};
        CU_ASSERT_EQUAL_FATAL(journal_open(&journal, scratch.path, &header, NULL), 0);
        CU_ASSERT_EQUAL(
            journal_append(journal, &(struct journal_row){.values = values, .measurement = measurement}, NULL), 0);
        measurement.compile_ns = rows[i].compile_ns;
        measurement.measure_ns = rows[i].measure_ns;
        CU_ASSERT_EQUAL(
            journal_append(journal, &(struct journal_row){.values = values, .measurement = measurement}, NULL), 0);
        CU_ASSERT_EQUAL(journal_close(journal, NULL), 0);
        CU_ASSERT_EQUAL_FATAL(journal_read(&journal, scratch.path, NULL), 0);
        CU_ASSERT_EQUAL(replayed_check_seconds(journal, NULL), rows[i].known ? 0 : ERROR_USAGE);
        journal_close(journal, NULL);
        scratch_close(&scratch);
    }
}

CU_TestInfo tests_subset[] = {{"answers", answers}, {"knows seconds", knows_seconds}, CU_TEST_INFO_NULL};
