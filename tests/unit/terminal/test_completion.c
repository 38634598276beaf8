/* tests/cli/completion.py runs the scripts in their shells; this suite checks their contents. */
#include "terminal/completion.h"

#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "command_kit.h"

static void scripts(void)
{
    static const struct {
        void (*write)(const struct command_list *commands, struct text *text);
        const char *parts[9];
    } rows[] = {{completion_bash,
                 {"local command=make ", "make | choose) command=", "    'make --count') :; return ;;\n",
                  "'make --output' | 'make -o') compopt -o filenames; COMPREPLY=($(compgen -f -- \"$current\")); "
                  "_cutune_values templates; return ;;\n",
                  "'make --define' | 'make -D') _cutune_values kernels; return ;;\n",
                  "'make --cache') COMPREPLY=($(compgen -W 'cold warm' -- \"$current\"))",
                  "options=' --quiet --count --share --output --cache --define --help --usage --version'",
                  "compgen -W 'red blue'", "compgen -d"}},
                {completion_zsh, {"#compdef cutune\n", "--quiet", "cold warm", "red blue", "_files", "_files -/"}},
                {completion_fish,
                 {"complete -c cutune -f\n", "-l quiet", "-s 'q'", "cold warm", "red blue", "-l cache",
                  "-l output -s 'o' -r -F -a '(__cutune_values templates)'",
                  "-l define -s 'D' -x -a '(__cutune_values kernels)'"}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text text = {0};
        rows[i].write(&kit_list, &text);
        CU_ASSERT_FALSE(text.failed);
        for (size_t p = 0; p < 9 && rows[i].parts[p]; p++) {
            CU_ASSERT_PTR_NOT_NULL(strstr(text_string(&text), rows[i].parts[p]));
            if (!strstr(text_string(&text), rows[i].parts[p]))
                printf("no %s in\n%s\n", rows[i].parts[p], text_string(&text));
        }
        text_free(&text);
    }
}

static void value_kinds(void)
{
    static const struct {
        const char *choices, *argument;
        enum value_kind kind;
    } rows[] = {{NULL, NULL, VALUE_ANY},          {NULL, "N", VALUE_ANY},       {NULL, "FILE", VALUE_FILES},
                {NULL, "[FILE...]", VALUE_FILES}, {NULL, "DIR", VALUE_FOLDERS}, {NULL, "a|b", VALUE_CHOICES},
                {"a|b", "FILE", VALUE_CHOICES},   {"a|b", "WAY", VALUE_CHOICES}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CU_ASSERT_EQUAL(completion_value_kind(rows[i].choices, rows[i].argument), rows[i].kind);
}

CU_TestInfo tests_completion[] = {
    {"what scripts are made of", scripts}, {"kinds of values", value_kinds}, CU_TEST_INFO_NULL};
