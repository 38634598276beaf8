/* Requests to a replay, and the parts left out. */
#include "session/subset.h"
#include "session_world.h"

/* Makes session_text with another beginning. */
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

static void parts_are_read(void)
{
    static const struct {
        const char *text;
        int code;
        struct part part;
    } rows[] = {{"1/1", 0, {1, 1}},          {"3/8", 0, {3, 8}},          {"8/8", 0, {8, 8}},
                {"", ERROR_USAGE, {0}},      {"3", ERROR_USAGE, {0}},     {"3/", ERROR_USAGE, {0}},
                {"/8", ERROR_USAGE, {0}},    {"0/8", ERROR_USAGE, {0}},   {"9/8", ERROR_USAGE, {0}},
                {"-1/8", ERROR_USAGE, {0}},  {"3/-8", ERROR_USAGE, {0}},  {"3/8x", ERROR_USAGE, {0}},
                {"3 / 8", ERROR_USAGE, {0}}, {"3/8/9", ERROR_USAGE, {0}}, {"3:8", ERROR_USAGE, {0}},
                {"1/0", ERROR_USAGE, {0}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct part part;
        struct error error = {0};
        CU_ASSERT_EQUAL(part_read(rows[i].text, &part, &error), rows[i].code);
        if (rows[i].code == 0)
            CU_ASSERT(part.number == rows[i].part.number && part.of == rows[i].part.of);
    }
}

/* Every configuration is in exactly one part, and the sizes of parts differ by one at most. */
static void parts_make_up_the_set(void)
{
    static const uint64_t numbers[] = {1, 2, 3, 7, 74, 100};
    struct session_world world;
    struct space *space = NULL;
    session_world_open(&world);
    CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, "s", session_text, strlen(session_text), "A", NULL), 0);
    CU_ASSERT_EQUAL_FATAL(space_bind(space, NULL, 0, NULL, NULL), 0);
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++) {
        unsigned found[74] = {0};
        for (uint64_t k = 1; k <= numbers[n]; k++) {
            struct valid_set *all = NULL, *set = NULL;
            const struct part part = {k, numbers[n]};
            CU_ASSERT_EQUAL_FATAL(valid_set_build(&all, space, VALID_SET_DEFAULT_BYTES, NULL), 0);
            CU_ASSERT_EQUAL_FATAL(valid_set_build(&set, space, VALID_SET_DEFAULT_BYTES, NULL), 0);
            CU_ASSERT_EQUAL_FATAL(valid_set_count(all), 74);
            CU_ASSERT_EQUAL_FATAL(part_set(&set, space, &part, VALID_SET_DEFAULT_BYTES, NULL), 0);
            uint64_t size = valid_set_count(set), index;
            CU_ASSERT(size == 74 / numbers[n] || size == 74 / numbers[n] + 1);
            for (uint64_t i = 0; i < size; i++) {
                uint32_t choices[SPACE_PARAMETERS_MAX];
                valid_set_get(set, i, choices);
                CU_ASSERT_FATAL(valid_set_find(all, choices, &index));
                found[index]++;
            }
            valid_set_free(all);
            valid_set_free(set);
        }
        for (size_t i = 0; i < 74; i++)
            CU_ASSERT_EQUAL(found[i], 1);
    }
    struct valid_set *set = NULL;
    struct error error = {0};
    const struct part half = {1, 2};
    CU_ASSERT_EQUAL_FATAL(valid_set_build(&set, space, VALID_SET_DEFAULT_BYTES, NULL), 0);
    size_t bytes = 37 * space->parameter_count * sizeof(uint32_t);
    CU_ASSERT_EQUAL(part_set(&set, space, &half, bytes - 1, &error), ERROR_USAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "a part has 37 configurations"));
    CU_ASSERT_EQUAL(part_set(&set, space, &half, bytes, &error), 0);
    valid_set_free(set);
    space_free(space);
    session_world_close(&world);
}

CU_TestInfo tests_subset[] = {{"parts are read", parts_are_read},
                              {"parts make up the set", parts_make_up_the_set},
                              {"answers", answers},
                              {"knows seconds", knows_seconds},
                              CU_TEST_INFO_NULL};
