#include "journal.h"

static void expect_overview(const char *const *files, size_t count, const char *const *parts, size_t part_count)
{
    struct compared compared;
    struct page page;
    struct error error = {0};
    memset(&compared, 0, sizeof compared);
    CU_ASSERT_EQUAL_FATAL(compared_load(&compared, files, count, NULL, &error), 0);
    CU_ASSERT_EQUAL_FATAL(compared_find(&compared, 10, 0.01, &error), 0);
    page_begin(&page);
    if (compared.comparisons.count > 1)
        report_overview(&page.report, compared.findings, compared.comparisons.count);
    else
        report_runs(&page.report, compared.findings, 0);
    page_end(&page);
    for (size_t i = 0; i < part_count; i++)
        expect_part(&page.text, parts[i] + (*parts[i] == '!'), *parts[i] != '!');
    page_free(&page);
    compared_close(&compared);
}
#define EXPECT(files, parts)                                                                                           \
    expect_overview(files, sizeof(files) / sizeof *(files), parts, sizeof(parts) / sizeof *(parts))

/* "!" before a part: absent. */
static void two_devices(void)
{
    static const char *const files[] = {DEVICE_A, DEVICE_B};
    static const char *const parts[] = {
        "<b>2 of 2 runs are faster than their default</b>: up to 2.00 times (Sample A), 2.00 times at the median",
        "class=\"overview sortable\"><thead><tr><th scope=\"col\">device",
        "<tr><th scope=\"row\"><a href=\"#first.Sample-A\">[1] Sample A</a><td class=\"n value\" "
        "data-value=\"10000\">10.00 µs<td class=\"n bar gain\" style=\"--w:100\">2.00<td class=\"n bar percent\" "
        "style=\"--w:83\">83.9<td class=\"causes\"><td class=\"n tried\">8</tr>",
        "<a href=\"#first.Sample-B\">[2] Sample B</a>",
        "!<th scope=\"col\">kernel",
        "!<th scope=\"col\">change",
        "!<caption>"};
    EXPECT(files, parts);
}

static void a_change(void)
{
    static const char *const files[] = {DEVICE_A, LATER_A};
    static const char *const parts[] = {
        "<b>Regression on Sample A</b>", "<th scope=\"col\">change",
        "#first.Sample-A\">[1] Sample A</a><td class=\"change\"><td",
        "#first.Sample-A-2\">[2] Sample A</a><td class=\"change\"><b class=\"bad\">regression</b><td",
        "!faster than their default"};
    EXPECT(files, parts);
}

/* Several kernels: their devices are side by side; a single one goes to the caption. A kernel that a device has not
 * measured has empty cells there. */
static void kernels(void)
{
    static const char *const files[] = {DEVICE_A, TEST_FOLDER "/unit/formats/database-1.csv"};
    static const char *const parts[] = {
        "<th scope=\"colgroup\" colspan=\"4\">Sample A<th scope=\"colgroup\"",
        "<tr><th scope=\"col\">kernel<td class=\"device\">Sample A<th",
        "<label>Filter <input",
        "!<caption>",
        "\">transpose</a> <small>COLS=8192 ROWS=8192</small><td class=\"device\"><td><td><td><td><td class=\"device\">",
        "style=\"--w:100\">2526.7", /* no bar is longer than its cell */
        "<b>6 of 6 runs are faster than their default</b>: up to 2.00 times (scale), 1.50 times at the median"};
    EXPECT(files, parts);
    char path[] = "/tmp/cutune-report-XXXXXX";
    int descriptor = mkstemp(path);
    CU_ASSERT_FATAL(descriptor >= 0);
    static const char text[] =
        "# cutune journal 1\n# kernel = <i>\n# device = Sample A\n# parameters = 1\nT,status,time_ns\n1,crashed,\n";
    CU_ASSERT_EQUAL(write(descriptor, text, sizeof text - 1), sizeof text - 1);
    close(descriptor);
    const char *const one_device[] = {DEVICE_A, path};
    static const char *const shared[] = {"<caption>All on Sample A.</caption>", "!class=\"device\"",
                                         "<a href=\"#second\">&lt;i&gt;</a> <small></small><td class=\"n value\" "
                                         "data-value=\"\">–<td class=\"n gain\">–",
                                         "<b>1 of 1 kernels are faster"};
    EXPECT(one_device, shared);
    unlink(path);
}

/* Writes a journal of a kernel whose time is `best_ns` or more and by T alone, and whose default takes `default_ns`. */
static void write_kernel(char *path, const char *kernel, int best_ns, int default_ns)
{
    int descriptor = mkstemp(path);
    CU_ASSERT_FATAL(descriptor >= 0);
    FILE *file = fdopen(descriptor, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fprintf(file, "# cutune journal 1\n# kernel = %s\n# default = T=100 V=0\n# parameters = 2\nT,V,status,time_ns\n",
            kernel);
    fprintf(file, "100,0,ok,%d\n", default_ns);
    for (int t = 0; t < 10; t++)
        for (int v = 0; v < 4; v++)
            fprintf(file, "%d,%d,ok,%d\n", t, v, best_ns * (10 + 5 * t));
    CU_ASSERT_EQUAL(fclose(file), 0);
}

/* The gains are counted, from 1.005 on; their median is that of the sorted ones. A row without a gain has no causes. */
static void gains(void)
{
    char paths[3][sizeof "/tmp/cutune-report-XXXXXX"];
    static const struct {
        const char *kernel;
        int best_ns, default_ns;
    } kernels[3] = {{"one", 1000, 12000}, {"two", 1000, 30000}, {"three", 1000, 10020}};
    for (size_t i = 0; i < 3; i++) {
        strcpy(paths[i], "/tmp/cutune-report-XXXXXX");
        write_kernel(paths[i], kernels[i].kernel, kernels[i].best_ns, kernels[i].default_ns);
    }
    const char *const files[] = {paths[0], paths[1], paths[2]};
    static const char *const parts[] = {
        "<b>2 of 3 kernels are faster than their default</b>: up to 3.00 times (two), 1.20 times at the median",
        "style=\"--w:40\">1.20<td class=\"n percent\">–<td class=\"causes\">T</tr>",
        "style=\"--w:100\">3.00<td class=\"n percent\">–<td class=\"causes\">T</tr>",
        "style=\"--w:33\">1.00<td class=\"n percent\">–<td class=\"causes\"></tr>"};
    EXPECT(files, parts);
    for (size_t i = 0; i < 3; i++)
        unlink(paths[i]);
}

/* The regressions of several comparisons are counted and named. */
static void regressions(void)
{
    static const char *const files[] = {DEVICE_A, LATER_A, TEST_FOLDER "/unit/formats/database-1.csv"};
    static const char *const parts[] = {
        "<p class=\"headline bad\"><b>1 of 1 repeated runs regressed</b>: scale on Sample A</p>"};
    EXPECT(files, parts);
}

CU_TestInfo tests_report_overview[] = {{"two devices", two_devices}, {"a change", a_change},
                                       {"several kernels", kernels}, {"gains", gains},
                                       {"regressions", regressions}, CU_TEST_INFO_NULL};
