/* Logs of compilers, as text; test_nvrtc.c and test_nvcc.c produce them. */
#include "compile/log.h"

#include <string.h>

#include <CUnit/Basic.h>

static void errors_become_messages(void)
{
    static const struct {
        char *log;
        enum status status;
        const char *message; /* NULL: the log has no error */
    } rows[] = {
        {"", STATUS_OK, NULL},
        {"k.cu(1): warning #177-D: variable \"error\" is unused\n      int error;\n", STATUS_OK, NULL},
        {"ptxas info    : no error\nptxas warning : error\nptxas  : error", STATUS_OK, NULL},
        {"    an error in a quotation\n\tfatal\n", STATUS_OK, NULL},
        {"noise\nk.cu(3): error: one \r\nk.cu(4): error: two\n", STATUS_COMPILE_ERROR, "k.cu(3): error: one"},
        {"k.cu:3:10: fatal error: x.h: No such file\n", STATUS_COMPILE_ERROR,
         "k.cu:3:10: fatal error: x.h: No such file"},
        {"nvrtc: error: unrecognized option", STATUS_COMPILE_ERROR, "unrecognized option"},
        {"ptxas error   : Unresolved extern function 'f'\n", STATUS_COMPILE_ERROR, "Unresolved extern function 'f'"},
        {"ptxas error   : Entry function 'k' uses too much shared data (0x2 bytes, 0x1 max)\n", STATUS_PRUNED_LIMIT,
         "Entry function 'k' uses too much shared data (0x2 bytes, 0x1 max)"},
        {"k.cu(1): Error: Formal parameter space overflowed (9 bytes)", STATUS_PRUNED_LIMIT,
         "k.cu(1): Error: Formal parameter space overflowed (9 bytes)"},
        {"k.cu(2): error: #error uses too much shared data", STATUS_COMPILE_ERROR,
         "k.cu(2): error: #error uses too much shared data"},
        {"__nv_name_map(1): error: identifier is undefined\n  #pragma nv_mangled_name b<2>\n", STATUS_COMPILE_ERROR,
         "kernel 'b<2>' in k.cu: identifier is undefined"},
        {LOG_KERNELS "(2): error: identifier is undefined\n", STATUS_COMPILE_ERROR,
         "kernel 'b<2>' in k.cu: identifier is undefined"},
        {LOG_KERNELS "(1): error: a\n", STATUS_COMPILE_ERROR, "kernel 'a' in k.cu: a"},
        {LOG_KERNELS "(9): error: a\n", STATUS_COMPILE_ERROR, "kernel 'a' in k.cu: a"},
        {"__nv_name_map(1): error: no quotation\n", STATUS_COMPILE_ERROR, "kernel 'a' in k.cu: no quotation"},
    };
    const struct request request = {.job = {.path = "k.cu", .name_expressions = "a\0b<2>", .name_count = 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct compile_reply reply = {.status = STATUS_OK, .log = rows[i].log};
        CU_ASSERT_EQUAL(log_explain_error(&reply, &request), rows[i].message != NULL);
        CU_ASSERT_EQUAL(reply.status, rows[i].status);
        CU_ASSERT_STRING_EQUAL(reply.message, rows[i].message ? rows[i].message : "");
    }
}

static void a_message_is_one_clean_line(void)
{
    struct compile_reply reply = {.status = STATUS_OK};
    log_explain(&reply, STATUS_COMPILE_ERROR, "a\nb\033%d%s", 1, "c\xff");
    CU_ASSERT_EQUAL(reply.status, STATUS_COMPILE_ERROR);
    CU_ASSERT_STRING_EQUAL(reply.message, "a b 1c ");
    log_explain(&reply, STATUS_COMPILE_ERROR, "%0300d", 7);
    CU_ASSERT_EQUAL(strlen(reply.message), sizeof reply.message - 1);
    CU_ASSERT_STRING_EQUAL(reply.message + sizeof reply.message - 5, "0...");
}

static void words_are_found(void)
{
    CU_ASSERT(log_mentions("a Catastrophic error", "catastrophic"));
    CU_ASSERT(!log_mentions("a catastroph", "catastrophic"));
    CU_ASSERT(!log_mentions("", "memory"));
}

CU_TestInfo tests_log[] = {{"errors become messages", errors_become_messages},
                           {"a message is one clean line", a_message_is_one_clean_line},
                           {"words are found", words_are_found},
                           CU_TEST_INFO_NULL};
