#include "page_kit.h"

static void everything(void)
{
    struct text text = {0};
    write_page(&page_roff, &text);
    expect_text(&text, ".\\\" Made by cutune manual.\n"
                       ".TH cutune\\-x 5 \"\" \"cutune " CUTUNE_VERSION "\" \"File Formats\"\n"
                       ".SH NAME\ncutune\\-x \\- what it is\n"
                       ".SH SEE ALSO\n"
                       "\\fBcutune x\\fR [\\fIOPTION\\fR...] \\fI[FILE]\\fR\n"
                       ".br\n\\fBcutune\\fR [\\fIOPTION\\fR...]\n"
                       ".SH TEXT\n"
                       "\\fBcutune\\fR [\\fIOPTION\\fR...]\n"
                       ".PP\n\\&.first * \\fBa_b\\fR. <c>\n"
                       ".PP\nsecond \\e \\(gaopen\n"
                       ".SS \\fBcode\\fR: more\n"
                       ".RS 4\n.nf\n\\&.one\n  two \\(ha \\(ti\n.fi\n.RE\n"
                       ".TP\n\\fB\\-x\\fR\n\\&'quoted | here\n"
                       ".TP\n\\fB\\-o\\fR, \\fB\\-\\-output\\fR=\\fIA|B\\fR\nwhere to, \\fBx|y\\fR\n"
                       ".SH SEE ALSO\n\\fBcutune\\fR(1)\n");
}

CU_TestInfo tests_roff[] = {{"everything", everything}, CU_TEST_INFO_NULL};
