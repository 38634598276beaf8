#include "manual/manual.h"
#include "page_kit.h"

/* The header's comments become text, and its code stays code without the export macro. */
static void library(void)
{
    static const char *const parts[] = {
        ".TH cutune 3 ",
        ".SH DESCRIPTION\nThe public C API of libcutune: finds tuned configurations for a device and ",
        " that the caller takes.\n.PP\nHandles are opaque.",
        ".SH VERSION AND ERRORS\nVersion of the library",
        ".nf\nconst char *cutune_version(void);\n.fi\n",
        "enum cutune_error_code {\n    CUTUNE_OK = 0,\n",
        ".SH TUNING\n",
        ".SH ASK AND TELL\nA search whose caller evaluates",
        ".SH SEE ALSO\n\\fBcutune\\fR(1)"};
    struct text text = {0};
    struct page page = {.format = &page_roff, .text = &text};
    manual_library(&page);
    CU_ASSERT_PTR_NULL(strstr(text_string(&text), "CUTUNE_API"));
    CU_ASSERT_PTR_NULL(strstr(text_string(&text), "*/\n.PP"));
    expect_parts(&text, parts, sizeof parts / sizeof *parts);
    text_free(&text);
}

CU_TestInfo tests_manual_library[] = {{"cutune.h", library}, CU_TEST_INFO_NULL};
