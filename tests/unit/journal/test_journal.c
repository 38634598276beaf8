#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../scratch.h"
#include "base/clock.h"
#include "journal/journal.h"

static const char *const names[] = {"TILE", "status"}; /* a parameter may have the name of a column */

static struct journal_header make_header(void)
{
    struct journal_header header = {.provenance.kernel = "k<1>",
                                    .provenance.title = "a, \"b\"\nc \\n",
                                    .provenance.problem = "N=1",
                                    .provenance.fingerprint = "0123456789abcdef0123",
                                    .provenance.source_hash = "aa",
                                    .provenance.space_hash = "",
                                    .provenance.options = " x=1 ",
                                    .provenance.nvrtc = "13.0",
                                    .provenance.nvrtc_build = "dd",
                                    .provenance.toolkit_hash = "ee",
                                    .provenance.data_hash = "ff",
                                    .provenance.date = "2025-01-01T00:00:00Z",
                                    .provenance.version = "0.1.0",
                                    .provenance.default_ = "T=1 U=2",
                                    .provenance.bytes = 1.0 / 3,
                                    .provenance.flops = 2.0 / 3,
                                    .provenance.ceilings = {4e12, NAN, NAN, NAN},
                                    .parameter_count = 2,
                                    .parameters = names};
    snprintf(header.provenance.device.name, sizeof header.provenance.device.name, "Sample, /A");
    snprintf(header.provenance.device.uuid, sizeof header.provenance.device.uuid, "GPU-1");
    snprintf(header.provenance.device.driver, sizeof header.provenance.device.driver, "580.1");
    header.provenance.device.cuda = 13000;
    for (size_t i = 0; i < limit_count; i++)
        limit_put(&header.provenance.device, &limit_rows[i], (int64_t)i * 1000003);
    return header;
}

static struct measurement make_measurement(int i)
{
    struct measurement measurement = measurement_unknown((enum status)(i % STATUS_COUNT));
    if (i % 3) {
        measurement.value = 1000.0 / i;
        measurement.low = 0.1 * i;
        measurement.high = 1e9 * i;
        measurement.samples = (uint32_t)i;
        measurement.registers = i;
        measurement.compile_ns = INT64_MAX - i;
        measurement.occupancy = 0.75;
        measurement_explain(&measurement, "why, \"%d\" # ", i);
    }
    return measurement;
}

static bool same_real(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static void check_measurement(const struct measurement *a, const struct measurement *b)
{
    CU_ASSERT(a->status == b->status && a->samples == b->samples && a->registers == b->registers);
    CU_ASSERT(a->shared_bytes == b->shared_bytes && a->local_bytes == b->local_bytes);
    CU_ASSERT(a->compile_ns == b->compile_ns && a->measure_ns == b->measure_ns);
    CU_ASSERT(same_real(a->value, b->value) && same_real(a->low, b->low));
    CU_ASSERT(same_real(a->high, b->high) && same_real(a->occupancy, b->occupancy));
    CU_ASSERT_STRING_EQUAL(a->message, b->message);
}

static void append(struct journal *journal, int i)
{
    char tile[16];
    const char *values[] = {tile, i % 2 ? "odd, #" : "#even"};
    snprintf(tile, sizeof tile, "%d", i);
    struct journal_row row = {.values = values, .measurement = make_measurement(i)};
    CU_ASSERT_EQUAL_FATAL(journal_append(journal, &row, NULL), 0);
}

static void check_rows(const struct journal *journal, size_t count)
{
    CU_ASSERT_EQUAL_FATAL(journal_row_count(journal), count);
    for (size_t i = 0; i < count; i++) {
        const struct journal_row got = journal_get_row(journal, i), *row = &got;
        struct measurement wanted = make_measurement((int)i);
        CU_ASSERT_EQUAL(atoi(row->values[0]), (int)i);
        CU_ASSERT_STRING_EQUAL(row->values[1], i % 2 ? "odd, #" : "#even");
        check_measurement(&row->measurement, &wanted);
    }
}

static void check_header(const struct journal_header *a, const struct journal_header *b)
{
    for (size_t i = 0; i < provenance_field_count; i++) {
        const struct provenance_field *field = &provenance_fields[i];
        const void *x = (const char *)&a->provenance + field->offset, *y = (const char *)&b->provenance + field->offset;
        bool text = field->kind == PROVENANCE_TEXT || field->kind == PROVENANCE_PAIRS;
        CU_ASSERT(!text || strcmp(*(const char *const *)x, *(const char *const *)y) == 0);
        bool real = field->kind == PROVENANCE_REAL || field->kind == PROVENANCE_ABOVE_ZERO;
        CU_ASSERT(!real || same_real(*(const double *)x, *(const double *)y));
    }
    CU_ASSERT_EQUAL(memcmp(&a->provenance.device, &b->provenance.device, sizeof a->provenance.device), 0);
    CU_ASSERT_EQUAL_FATAL(a->parameter_count, b->parameter_count);
    for (size_t i = 0; i < a->parameter_count; i++)
        CU_ASSERT_STRING_EQUAL(a->parameters[i], b->parameters[i]);
}

/* Written, closed, continued, read. */
static void round_trip(void)
{
    struct scratch scratch = scratch_open("new/folder/j.csv");
    struct journal_header header = make_header();
    struct journal *journal = NULL;
    struct error error = {0};
    for (int part = 0; part < 3; part++) {
        CU_ASSERT_EQUAL_FATAL(journal_open(&journal, scratch.path, &header, &error), 0);
        check_rows(journal, (size_t)part * 20);
        check_header(journal_get_header(journal), &header);
        CU_ASSERT_STRING_EQUAL(journal_file(journal), scratch.path);
        for (int i = 0; i < 20; i++)
            append(journal, part * 20 + i);
        CU_ASSERT_EQUAL(journal_close(journal, &error), 0);
    }
    CU_ASSERT_EQUAL_FATAL(journal_read(&journal, scratch.path, &error), 0);
    check_rows(journal, 60);
    check_header(journal_get_header(journal), &header);
    CU_ASSERT_FALSE(journal_torn(journal, NULL));
    struct journal_row row = journal_get_row(journal, 0);
    CU_ASSERT_EQUAL(journal_append(journal, &row, NULL), ERROR_IO); /* open for reading only */
    journal_close(journal, NULL);
    scratch_close(&scratch);
}

static void wrong_rows(void)
{
    struct scratch scratch = scratch_open("j.csv");
    struct journal_header header = make_header();
    struct journal *journal = NULL;
    CU_ASSERT_EQUAL_FATAL(journal_open(&journal, scratch.path, &header, NULL), 0);
    append(journal, 0);
    const char *values[] = {"1", ""};
    struct journal_row row = {.values = values, .measurement = make_measurement(1)};
    CU_ASSERT_EQUAL(journal_append(journal, &row, NULL), ERROR_VALUE);
    values[1] = "x";
    row.measurement.value = INFINITY;
    CU_ASSERT_EQUAL(journal_append(journal, &row, NULL), ERROR_VALUE);
    append(journal, 1);
    journal_close(journal, NULL);
    CU_ASSERT_EQUAL_FATAL(journal_read(&journal, scratch.path, NULL), 0);
    check_rows(journal, 2);
    journal_close(journal, NULL);
    scratch_close(&scratch);
}

/* Evidence is kept through sessions, separately from the evaluations; the last of a launch counts. */
static void kept_evidence(void)
{
    struct scratch scratch = scratch_open("j.csv");
    struct journal_header header = make_header();
    struct journal *journal = NULL;
    const char *values[] = {"16", "x"}, *other[] = {"16", "y"};
    struct evidence launches[2] = {evidence_unknown(), evidence_unknown()};
    const struct journal_evidence evidence = {values, launches, 2};
    strcpy(launches[0].kernel, "k<1, 2>");
    launches[0].launch = 0;
    launches[1].launch = 1;
    for (int session = 0; session < 3; session++) {
        CU_ASSERT_EQUAL_FATAL(journal_open(&journal, scratch.path, &header, NULL), 0);
        CU_ASSERT_EQUAL(journal_evidence_count(journal), (size_t)(session > 0));
        append(journal, session);
        launches[0].blocks = session;
        CU_ASSERT_EQUAL(journal_append_evidence(journal, &evidence, NULL), 0);
        CU_ASSERT_EQUAL(journal_close(journal, NULL), 0);
    }
    CU_ASSERT_EQUAL_FATAL(journal_read(&journal, scratch.path, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(journal_resume(journal, &header, NULL), 0);
    launches[0].blocks = 7;
    CU_ASSERT_EQUAL(journal_append_evidence(journal, &evidence, NULL), 0);
    CU_ASSERT_EQUAL(journal_pause(journal, NULL), 0);
    check_rows(journal, 3);
    CU_ASSERT_EQUAL(journal_evidence_count(journal), 1);
    CU_ASSERT_PTR_NULL(journal_find_evidence(journal, other));
    const struct journal_evidence *found = journal_find_evidence(journal, values);
    CU_ASSERT_PTR_NOT_NULL_FATAL(found);
    CU_ASSERT_EQUAL_FATAL(found->count, 2);
    CU_ASSERT_STRING_EQUAL(found->launches[0].kernel, "k<1, 2>");
    CU_ASSERT_EQUAL(found->launches[0].blocks, 7); /* appended after it was read */
    CU_ASSERT(isnan(found->launches[1].blocks));
    CU_ASSERT_EQUAL(journal_append_evidence(journal, &evidence, NULL), ERROR_IO); /* open for reading only */
    journal_close(journal, NULL);
    scratch_close(&scratch);
}

static void locked(void)
{
    struct scratch scratch = scratch_open("j.csv");
    struct journal_header header = make_header();
    struct journal *first = NULL, *second = NULL;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(journal_open(&first, scratch.path, &header, NULL), 0);
    append(first, 0);
    int64_t start_ns = clock_now_ns();
    CU_ASSERT_EQUAL(journal_open(&second, scratch.path, &header, &error), ERROR_BUSY);
    CU_ASSERT(clock_now_ns() - start_ns < 10000000000);            /* must not wait as long as a run lasts */
    CU_ASSERT_EQUAL(journal_read(&second, scratch.path, NULL), 0); /* reading needs no lock */
    check_rows(second, 1);
    journal_close(second, NULL);
    journal_close(first, NULL);
    CU_ASSERT_EQUAL(journal_open(&second, scratch.path, &header, NULL), 0);
    journal_close(second, NULL);
    scratch_close(&scratch);
}

/* A journal that was read can be continued, unless it has grown since or another run has it. */
static void resumed(void)
{
    static const struct {
        const char *before, *after; /* appended to the file before and after it is read */
        bool taken;
        int code;
    } cases[] = {{"", "", false, 0},
                 {"1,od", "", false, 0},
                 {"", "1,od", false, ERROR_BUSY},
                 {"1,od", "d", false, ERROR_BUSY},
                 {"", "", true, ERROR_BUSY}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scratch scratch = scratch_open("j.csv");
        struct journal_header header = make_header();
        struct journal *journal = NULL, *other = NULL;
        struct error error = {0};
        const char *const texts[] = {cases[i].before, cases[i].after};
        CU_ASSERT_EQUAL_FATAL(journal_open(&journal, scratch.path, &header, NULL), 0);
        append(journal, 0);
        journal_close(journal, NULL);
        for (int after = 0; after < 2; after++) {
            FILE *file = fopen(scratch.path, "a");
            CU_ASSERT_PTR_NOT_NULL_FATAL(file);
            fputs(texts[after], file);
            fclose(file);
            if (!after)
                CU_ASSERT_EQUAL_FATAL(journal_read(&journal, scratch.path, NULL), 0);
        }
        if (cases[i].taken)
            CU_ASSERT_EQUAL_FATAL(journal_open(&other, scratch.path, &header, NULL), 0);
        CU_ASSERT_EQUAL(journal_resume(journal, &header, &error), cases[i].code);
        CU_ASSERT(!cases[i].code || *error.hint);
        journal_close(other, NULL);
        for (int row = 1; row < 3 && !cases[i].code; row++) {
            append(journal, row);
            CU_ASSERT_EQUAL(journal_pause(journal, NULL), 0);
            CU_ASSERT_EQUAL(journal_resume(journal, &header, NULL), 0);
        }
        CU_ASSERT_EQUAL(journal_open(&other, scratch.path, &header, NULL), cases[i].code ? 0 : ERROR_BUSY);
        journal_close(other, NULL);
        check_rows(journal, 1);
        journal_close(journal, NULL);
        CU_ASSERT_EQUAL_FATAL(journal_read(&journal, scratch.path, NULL), 0);
        check_rows(journal, cases[i].code ? 1 : 3);
        journal_close(journal, NULL);
        scratch_close(&scratch);
    }
}

/* Killed while writing: at (nearly) every byte of the file the next run continues behind the complete rows. */
static void torn_anywhere(void)
{
    struct scratch scratch = scratch_open("j.csv");
    struct journal_header header = make_header();
    struct journal *journal = NULL;
    struct text whole = {0};
    CU_ASSERT_EQUAL_FATAL(journal_open(&journal, scratch.path, &header, NULL), 0);
    for (int i = 0; i < 4; i++)
        append(journal, i);
    journal_close(journal, NULL);
    CU_ASSERT_EQUAL_FATAL(file_read(scratch.path, 1 << 20, &whole, NULL), 0);
    size_t head = 1; /* lines: those that begin with #, and the names of the columns */
    for (const char *line = whole.bytes; line && *line == '#'; head++)
        line = (line = strchr(line, '\n')) ? line + 1 : NULL;
    for (size_t length = 0; length <= whole.length; length += length < 1300 ? 13 : 1) {
        size_t lines = 0, rows;
        int line = 0;
        for (size_t i = 0; i < length; i++)
            lines += whole.bytes[i] == '\n';
        rows = lines > head ? lines - head : 0;
        CU_ASSERT_EQUAL_FATAL(file_replace(scratch.path, whole.bytes, length, NULL), 0);
        CU_ASSERT_EQUAL(journal_read(&journal, scratch.path, NULL), lines < head ? ERROR_DATA : 0);
        if (lines >= head)
            journal_close(journal, NULL);
        CU_ASSERT_EQUAL_FATAL(journal_open(&journal, scratch.path, &header, NULL), 0);
        bool torn = length && (whole.bytes[length - 1] != '\n' || lines < head);
        CU_ASSERT_EQUAL(journal_torn(journal, &line), torn);
        CU_ASSERT_EQUAL(line, torn ? (int)lines + 1 : 0);
        check_rows(journal, rows);
        for (int i = (int)rows; i < 4; i++)
            append(journal, i);
        journal_close(journal, NULL);
        CU_ASSERT(scratch_holds(scratch.path, whole.bytes));
    }
    text_free(&whole);
    scratch_close(&scratch);
}

/* Files that are not this run's journal are refused and not changed. */
static void foreign(void)
{
    static const char *const texts[] = {
        "precious\n",
        "precious",
        "# cutune journal 2\n# parameters = 0\nstatus\n",
        "# cutune journal 1\n# fingerprint = other\n# parameters = 2\nTILE,status,status,time_ns\n",
        "# cutune journal 1\n# fingerprint = 0123456789abcdef0123\n# parameters = 2\nstatus,TILE,status\n",
        "# cutune journal 1\n# fingerprint = 0123456789abcdef0123\n# parameters = 2\nTILE,status,status\n",
        "# cutune journal 1\n# fingerprint = 0123456789abcdef0123\n# parameters = 1\nTILE,status\n1,ok\n2,",
    };
    struct journal_header header = make_header();
    struct scratch scratch = scratch_open("j.csv");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct journal *journal = NULL;
        struct error error = {0};
        scratch_write(&scratch, texts[i]);
        int code = journal_open(&journal, scratch.path, &header, &error);
        CU_ASSERT_EQUAL(code, i == 2 ? ERROR_SCHEMA : ERROR_DATA);
        CU_ASSERT_STRING_EQUAL(error.source, scratch.path);
        CU_ASSERT(scratch_holds(scratch.path, texts[i]));
    }
    scratch_close(&scratch);
}

/* Only the fingerprint differs. */
static void another_fingerprint(void)
{
    struct scratch scratch = scratch_open("j.csv");
    struct journal_header header = make_header();
    struct journal *journal = NULL;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(journal_open(&journal, scratch.path, &header, NULL), 0);
    CU_ASSERT_EQUAL(journal_close(journal, NULL), 0);
    header.provenance.fingerprint = "0123456789abcdef0124";
    CU_ASSERT_EQUAL(journal_open(&journal, scratch.path, &header, &error), ERROR_DATA);
    CU_ASSERT_STRING_EQUAL(error.message,
                           "a journal of another fingerprint: '0123456789abcdef0123', not '0123456789abcdef0124'");
    scratch_close(&scratch);
}

#define HEAD "# cutune journal 1\n# parameters = 1\n"
static const struct {
    const char *text;
    int code, line;
} parses[] = {
    {HEAD "TILE,status\n64,ok\n", 0, 0},
    {"\xef\xbb\xbf" HEAD "TILE,status\n64,ok\n", 0, 0},
    {"# cutune journal 1\r\n# parameters = 1\r\n\r\nTILE,status\r\n64,ok\r\n", 0, 0},
    {HEAD "# kernel =\n#title=x\n# limit.cc = 90\nTILE,status,later\n64,ok,\"a\nb\"\n", 0, 0},
    {HEAD "status,time_ns,status\nok,,ok\n", 0, 0},
    {HEAD "TILE,status,kernel,message\n64,evidence,k,launch=0 blocks=2 later=x\n64,ok,,\n64,evidence,,\n", 0, 0},
    {HEAD "TILE,message,status\n64,blocks=1,evidence\n64,,ok\n", 0, 0},
    {HEAD "TILE,status\n64,evidence\n64,ok\n", 0, 0},
    {"", ERROR_DATA, 1},
    {"\n", ERROR_DATA, 1},
    {"TILE,status\n", ERROR_DATA, 1},
    {"# cutune journal\n", ERROR_DATA, 1},
    {"# cutune journal 0\n", ERROR_DATA, 1},
    {"# cutune journal 1x\n", ERROR_DATA, 1},
    {"# cutune journal 2\n", ERROR_SCHEMA, 1},
    {"# cutune journal 99999999999999999999\n", ERROR_SCHEMA, 1},
    {"# cutune journal 1\nTILE,status\n", ERROR_DATA, 2},
    {HEAD, ERROR_DATA, 3},
    {HEAD "# unknown = 1\n", ERROR_DATA, 3},
    {HEAD "# limit.nothing = 1\n", ERROR_DATA, 3},
    {HEAD "# limit.cc = x\n", ERROR_DATA, 3},
    {HEAD "# kernel\n", ERROR_DATA, 3},
    {HEAD "# kernel = a\n# kernel = a\n", ERROR_DATA, 4},
    {HEAD "# kernel = a\\x\n", ERROR_DATA, 3},
    {HEAD "# kernel = a\\\n", ERROR_DATA, 3},
    {HEAD "# bytes = -1\n", ERROR_DATA, 3},
    {HEAD "TILE,time_ns\n", ERROR_DATA, 3},
    {HEAD "status\n", ERROR_DATA, 3},
    {"# cutune journal 1\n# parameters = 4294967295\nstatus\n", ERROR_DATA, 3},
    {HEAD "TILE,status,status\n", ERROR_DATA, 3},
    {"# cutune journal 1\n# parameters = 2\nA,A,status\n", ERROR_DATA, 3},
    {HEAD "TILE,status\n64,fine\n", ERROR_DATA, 4},
    {HEAD "TILE,status\n64\n", ERROR_DATA, 4},
    {HEAD "TILE,status\n64,ok,\n", ERROR_DATA, 4},
    {HEAD "TILE,status\n,ok\n", ERROR_DATA, 4},
    {HEAD "TILE,status,time_ns\n64,ok,fast\n", ERROR_DATA, 4},
    {HEAD "TILE,status\n64,ok\n6\"4,ok\n", ERROR_DATA, 5},
    {HEAD "TILE,status\n64,ok\n\"64,ok\n32,ok\n", ERROR_DATA, 5},
    {HEAD "TILE,status\n64,ok\n# kernel = k\n", ERROR_DATA, 5},
    {HEAD "TILE,status,message\n64,evidence,blocks\n", ERROR_DATA, 4},
    {HEAD "TILE,status,message\n64,evidence,blocks=x\n", ERROR_DATA, 4},
    {HEAD "TILE,status,message\n64,evidence,blocks=1 blocks=1\n", ERROR_DATA, 4},
    {HEAD "TILE,status,message\n64,evidence,launch=0.5\n", ERROR_DATA, 4},
    {HEAD "TILE,status,message\n,evidence,\n", ERROR_DATA, 4},
    {HEAD "TILE,status,kernel,message\n64,evidence,"
          "0123456789012345678901234567890123456789012345678901234567890123,\n",
     ERROR_DATA, 4},
};

static void parsing(void)
{
    for (size_t i = 0; i < sizeof parses / sizeof *parses; i++) {
        struct journal *journal = NULL;
        struct error error = {0};
        int code = journal_parse(&journal, "j.csv", parses[i].text, strlen(parses[i].text), &error);
        CU_ASSERT_EQUAL(code, parses[i].code);
        CU_ASSERT_EQUAL(error.line, parses[i].line);
        CU_ASSERT_STRING_EQUAL(error.source, code ? "j.csv" : "");
        if (!code) {
            CU_ASSERT_EQUAL_FATAL(journal_row_count(journal), 1);
            CU_ASSERT_EQUAL(journal_get_row(journal, 0).measurement.status, STATUS_OK);
            CU_ASSERT(isnan(journal_get_row(journal, 0).measurement.value));
            CU_ASSERT_EQUAL(journal_get_row(journal, 0).measurement.registers, -1);
            journal_close(journal, NULL);
        }
    }
    struct journal *journal = NULL;
    struct error error = {0};
    CU_ASSERT_EQUAL(journal_parse(&journal, "j.csv", HEAD "# kernel = a\0b\n", sizeof HEAD + 15, &error), ERROR_DATA);
    CU_ASSERT_EQUAL(error.line, 3);
}

static void many_rows(void)
{
    struct text text = {0};
    struct journal *journal = NULL;
    enum { ROWS = 100000 };
    text_printf(&text, HEAD "TILE,status,time_ns\n");
    for (int i = 0; i < ROWS; i++)
        text_printf(&text, "%d,ok,%d.5\n", i % 5000, i);
    CU_ASSERT_EQUAL_FATAL(journal_parse(&journal, "j.csv", text.bytes, text.length, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(journal_row_count(journal), ROWS);
    for (int i = 0; i < ROWS; i += 777) {
        CU_ASSERT_EQUAL(atoi(journal_get_row(journal, (size_t)i).values[0]), i % 5000);
        CU_ASSERT_EQUAL(journal_get_row(journal, (size_t)i).measurement.value, i + 0.5);
    }
    journal_close(journal, NULL);
    text_free(&text);
}

static void sample(void)
{
    struct journal *journal = NULL;
    CU_ASSERT_EQUAL_FATAL(journal_read(&journal, TEST_FOLDER "/unit/formats/journal-1.csv", NULL), 0);
    const struct journal_header *header = journal_get_header(journal);
    CU_ASSERT_STRING_EQUAL(header->provenance.kernel, "transpose");
    CU_ASSERT_STRING_EQUAL(header->provenance.device.name, "Sample 90 Big");
    CU_ASSERT_EQUAL(header->provenance.device.l2_bytes, 62914560);
    CU_ASSERT_EQUAL(header->provenance.ceilings.copy, 4.15e12);
    CU_ASSERT_EQUAL_FATAL(header->parameter_count, 4);
    CU_ASSERT_STRING_EQUAL(header->parameters[3], "ORDER");
    CU_ASSERT_EQUAL_FATAL(journal_row_count(journal), 4);
    CU_ASSERT_EQUAL(journal_get_row(journal, 0).measurement.value, 139052.5);
    CU_ASSERT_STRING_EQUAL(journal_get_row(journal, 1).values[3], "cols");
    CU_ASSERT_STRING_EQUAL(journal_get_row(journal, 1).measurement.message, "expected \";\", in line 3");
    CU_ASSERT_EQUAL(journal_get_row(journal, 2).measurement.status, STATUS_PRUNED_LIMIT);
    CU_ASSERT_EQUAL(journal_get_row(journal, 3).measurement.samples, 3);
    journal_close(journal, NULL);
}

/* In a child process, because the file size limit is permanent. Exit status 0: success. */
static int append_to_full_disk(const char *path, off_t room)
{
    struct journal_header header = make_header();
    struct journal *journal = NULL;
    struct error error = {0};
    struct stat status;
    signal(SIGXFSZ, SIG_IGN);
    if (journal_open(&journal, path, &header, &error) || stat(path, &status))
        return 1;
    off_t before = status.st_size;
    struct rlimit limit = {(rlim_t)(before + room), (rlim_t)(before + room + 4096)};
    const char *values[] = {"12345678", "x"};
    struct journal_row row = {.values = values, .measurement = make_measurement(1)};
    if (setrlimit(RLIMIT_FSIZE, &limit) || journal_append(journal, &row, &error) != ERROR_IO)
        return 2;
    if (!strstr(error.message, path) || stat(path, &status) || status.st_size != before)
        return 3;
    limit.rlim_cur = limit.rlim_max; /* with space again, the same journal continues */
    if (setrlimit(RLIMIT_FSIZE, &limit) || journal_append(journal, &row, NULL) || journal_close(journal, NULL))
        return 4;
    if (journal_read(&journal, path, NULL) || journal_row_count(journal) != 1)
        return 5;
    journal_close(journal, NULL);
    return 0;
}

static void full_disk(void)
{
    for (int room = 0; room < 40; room += 13) {
        struct scratch scratch = scratch_open("j.csv");
        int status = -1;
        pid_t child = fork();
        if (child == 0)
            _exit(append_to_full_disk(scratch.path, room));
        waitpid(child, &status, 0);
        CU_ASSERT_EQUAL(status, 0);
        scratch_close(&scratch);
    }
}

static void no_place(void)
{
    struct scratch scratch = scratch_open("j.csv");
    struct journal_header header = make_header();
    struct journal *journal = NULL;
    struct error error = {0};
    CU_ASSERT_EQUAL(journal_open(&journal, scratch.folder, &header, &error), ERROR_IO);
    CU_ASSERT_EQUAL(journal_open(&journal, "/dev/full", &header, NULL), ERROR_IO);
    CU_ASSERT_EQUAL(journal_open(&journal, "/dev/null/j.csv", &header, NULL), ERROR_IO);
    CU_ASSERT_EQUAL(journal_read(&journal, scratch.folder, NULL), ERROR_IO);
    CU_ASSERT_EQUAL(journal_read(&journal, scratch.path, NULL), ERROR_NOT_FOUND);
    if (geteuid() != 0) { /* root can write everywhere */
        chmod(scratch.folder, 0500);
        CU_ASSERT_EQUAL(journal_open(&journal, scratch.path, &header, NULL), ERROR_IO);
        chmod(scratch.folder, 0700);
    }
    scratch_close(&scratch);
}

static void paths(void)
{
    struct arena arena = {0};
    struct journal_header header = make_header();
    CU_ASSERT_STRING_EQUAL(journal_path(&arena, "d/x y", &header), "d/x y/k-1-.Sample---A.0123456789abcdef.csv");
    CU_ASSERT_STRING_EQUAL(journal_path(&arena, "d/", &header), "d/k-1-.Sample---A.0123456789abcdef.csv");
    arena_free(&arena);
}

CU_TestInfo tests_journal[] = {{"written, continued, read", round_trip},
                               {"rows that no file can hold", wrong_rows},
                               {"evidence", kept_evidence},
                               {"one writer at a time", locked},
                               {"continued without reading it again", resumed},
                               {"torn at any byte", torn_anywhere},
                               {"foreign files are not touched", foreign},
                               {"another fingerprint", another_fingerprint},
                               {"parsing", parsing},
                               {"many rows", many_rows},
                               {"the sample of schema 1", sample},
                               {"a full disk", full_disk},
                               {"no place for a file", no_place},
                               {"paths", paths},
                               CU_TEST_INFO_NULL};
