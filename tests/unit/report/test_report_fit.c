/* The page on a fit. */
#include <math.h>

#include "page.h"

#define TWO                                                                                                            \
    "fit 1; size ROWS 64 256; size COLS 16 64; size K 7 7; take T=1; take T=<2> where ((COLS % 4) == 0); if product "  \
    "ROWS "                                                                                                            \
    "COLS <= 4096; order 0 1; order 1 0;"
#define EARLIER "fit 1; size N 1 3; take T=1; take T=2; if formula 0 1 (log2(N, 64) * 3) <= 5; order 0 1; order 1 0;"
#define ONE     "fit 1; size N 1 3; take T=1; order 0;"
#define NONE    "fit 1; size N 4 5; take T=1 where (N == 4); order 0;"
#define THREE   "fit 1; size A 2 8; size B 2 8; size C 2 8; take T=1; order 0;"

static const int64_t sizes[][3] = {{64, 16, 7}, {256, 64, 7}, {100, 20, 7}};
static struct fit_seen_size seen_sizes[] = {
    {sizes[0], true, 0, 1, 0.5}, {sizes[1], true, 1, 0.875, NAN}, {sizes[2], false, SIZE_MAX, 0.25, NAN}};

static void parts(void)
{
    static const struct {
        const char *fit, *quality;
        size_t count;
        bool whole;
        const char *part;
        bool there;
    } rows[] = {
        /* The answer. */
        {TWO, "mean=0.9", 0, false,
         "<p class=\"headline good\"><b>2 configurations</b> for R=1..2: <b>0.900</b> of the best on "
         "average</p>",
         true},
        {TWO, "mean=0.9 held_mean=0.8", 0, false, "<b>0.800</b> of the best on average on sizes that were held out",
         true},
        {EARLIER, "mean=0.9", 0, false, "this fit chooses nothing: run <code>cutune fit</code> again", true},
        {EARLIER, "mean=0.9", 0, false, "<td>1<td><code>T=2</code>", false},
        {EARLIER, "mean=0.9", 0, false, "The tree in words", false},
        {ONE, "mean=0.9", 0, false, "chooses nothing", false},
        {ONE, "mean=0.9 loss_percent=5 limit_percent=5", 0, false, "headline good\"><b>1 configuration</b>", true},
        {ONE, "mean=0.9 loss_percent=60 limit_percent=5", 0, false, "headline bad", true},
        {ONE, "mean=0.9 loss_percent=60 limit_percent=5", 0, false,
         "One size loses 60.0%, more than the 5.0% that were asked for.", true},
        {ONE, "mean=0.9 loss_percent=0 taken_percent=60 limit_percent=5", 0, false,
         "With the tree's choices, one size loses 60.0%; with the best of the configurations, at most 0.0%.", true},
        {ONE, "mean=0.9 loss_percent=0 taken_percent=5 limit_percent=5", 0, false, "what the tree takes", false},
        {ONE, "sizes=40 mean=0.9 fifth=0.85 worst=0.75", 0, false,
         "<tr><th scope=\"row\">in sample<td class=\"n\">40<td class=\"n\">0.900<td class=\"n\">0.850<td "
         "class=\"n\">0.750<td>the",
         true},
        {ONE, "sizes=40 mean=0.9", 0, false, ">held out<", false},
        {TWO, "mean=0.9", 3, true, "<tr><th scope=\"row\">not seen<td class=\"n\">1<td class=\"n\">0.250", true},
        /* Over the sizes: those that vary. */
        {TWO, "mean=0.9", 0, false, "The files have no journals of its sizes.", true},
        {TWO, "mean=0.9", 0, false, "<figure class=\"quality\"", false},
        {TWO, "mean=0.9", 3, true,
         "<pre>ROWS * COLS,in sample,held out,not seen,ROWS,COLS,takes\n1024,100,50,,64,16,0\n16384,87.5,,,256,64,1\n"
         "2000,,,25,100,20,none\n</pre>",
         true},
        {TWO, "mean=0.9", 3, true, ">not seen</text>", true},
        {TWO, "mean=0.9", 2, true, ">not seen</text>", false},
        {TWO, "mean=0.9", 3, true, "The files lack journals", false},
        {TWO, "mean=0.9", 3, false,
         "The files lack journals of sizes that the fit was made from: of these, there are 2.", true},
        /* The configurations. */
        {TWO, "mean=0.9", 0, false, "<code>T=1</code><td class=\"n\">–<td>all sizes of the region</tr>", true},
        {TWO, "mean=0.9", 3, true, "<code>T=&lt;2&gt;</code><td class=\"n\">5<td><code>((COLS % 4) == 0)</code></tr>",
         true},
        /* The map. */
        {TWO, "mean=0.9", 0, false, "<figcaption>ROWS (down) and COLS (across)</figcaption>", true},
        {TWO, "mean=0.9", 0, false, "<pre>ROWS,16,32,64\n64,0,0,0\n128,0,0,1\n256,0,1,1\n</pre>", true},
        {ONE, "mean=0.9", 0, false, "<figcaption>N</figcaption>", true},
        {ONE, "mean=0.9", 0, false, "<pre>,1,2,3\n,0,0,0\n</pre>", true},
        {NONE, "mean=0.9", 0, false, "<pre>,4,5\n,0,\n</pre>", true},
        {THREE, "mean=0.9", 0, false, "<figcaption>A (down) and B (across), C=4</figcaption>", true},
        {THREE, "mean=0.9", 0, false, "<figcaption>B (down) and C (across), A=4</figcaption>", true},
        /* The tree. */
        {TWO, "mean=0.9", 0, false, "<li>Where ROWS * COLS &lt;= 4096: take <b>0</b> <code>T=1</code></li>", true},
        {TWO, "mean=0.9", 0, false,
         "<li>Else: take <b>1</b> <code>T=&lt;2&gt;</code>; where that is not valid, <b>0</b> "
         "<code>T=1</code></li>",
         true},
        {ONE, "mean=0.9", 0, false, "<p>For all sizes: take <b>0</b> <code>T=1</code></p>", true},
        {ONE, "mean=0.9", 0, false, "<script>", false},
    };
    static size_t rules[] = {1, 5};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct best row = {.fit = rows[i].fit, .fit_quality = rows[i].quality};
        struct fit_seen seen = {.row = &row,
                                .count = rows[i].count,
                                .sample_count = rows[i].count < 2 ? rows[i].count : 2,
                                .sizes = seen_sizes,
                                .rules = rules,
                                .unseen = {NAN, NAN, NAN},
                                .whole = rows[i].whole};
        struct page page;
        row.provenance = provenance_unknown();
        row.provenance.kernel = "<script>";
        row.provenance.problem = "R=1..2";
        row.provenance.options = row.provenance.date = row.provenance.title = "";
        row.provenance.device.sm_count = 1;
        if (rows[i].count == 3)
            seen.unseen = (struct fit_quality){0.25, 0.25, 0.25};
        CU_ASSERT_EQUAL_FATAL(size_fit_parse(&seen.arena, row.fit, &seen.fit, NULL), 0);
        page_begin(&page);
        report_fit(&page.report, &seen, 1);
        page_end(&page);
        expect_part(&page.text, rows[i].part, rows[i].there);
        page_free(&page);
        arena_free(&seen.arena);
    }
}

CU_TestInfo tests_report_fit[] = {{"parts", parts}, CU_TEST_INFO_NULL};
