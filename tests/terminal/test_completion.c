/* tests/cli/completion.py runs the scripts in their shells; this suite checks their contents. */
#include "terminal/manual.h"

#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "command_kit.h"

static void scripts(void)
{
    static const struct {
        void (*write)(const struct command_list *commands, struct text *text);
        const char *parts[8];
    } rows[] = {
        {completion_bash,
         {"local command=make ", "make | choose) command=", "    'make --count') :; return ;;\n",
          "'make --output' | 'make -o') compopt -o filenames; COMPREPLY=($(compgen -f -- \"$current\"))",
          "'make --cache') COMPREPLY=($(compgen -W 'cold warm' -- \"$current\"))",
          "options=' --quiet --count --share --output --cache --define --help --usage --version'",
          "compgen -W 'red blue'", "compgen -d"}},
        {completion_zsh, {"#compdef cutune\n", "--quiet", "cold warm", "red blue", "_files", "_files -/"}},
        {completion_fish, {"complete -c cutune -f\n", "-l quiet", "-s 'q'", "cold warm", "red blue", "-l cache"}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text text = {0};
        rows[i].write(&kit_list, &text);
        CU_ASSERT_FALSE(text.failed);
        for (size_t p = 0; p < 8 && rows[i].parts[p]; p++) {
            CU_ASSERT_PTR_NOT_NULL(strstr(text_string(&text), rows[i].parts[p]));
            if (!strstr(text_string(&text), rows[i].parts[p]))
                printf("no %s in\n%s\n", rows[i].parts[p], text_string(&text));
        }
        text_free(&text);
    }
}

CU_TestInfo tests_completion[] = {{"what scripts are made of", scripts}, CU_TEST_INFO_NULL};
