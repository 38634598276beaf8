/* A subcommand is one file cmd_NAME.c that defines `const struct command command_NAME`, and one row in commands.def. */
#ifndef CUTUNE_TERMINAL_COMMAND_H
#define CUTUNE_TERMINAL_COMMAND_H

#include <stddef.h>

#include "base/error.h"
#include "base/option.h"

struct page; /* manual/page.h */

/* A command line and its purpose: lower case, no full stop. Words in '...' may have spaces; there is no other shell
 * syntax. */
struct command_example {
    const char *line, *meaning;
};

/* Options without effect: an error beside another option. */
struct option_mode {
    const char *beside; /* the other option, "replay", or "collect=no" for one of its values */
    const char *unless; /* instead: where this option is missing */
    const char *unused; /* names, separated by spaces */
};

struct command {
    const char *name;        /* "check"; the main command is "tune", whose name may be omitted */
    const char *arguments;   /* for the usage line: "FILE", "[FILE...]"; "" for none */
    const char *summary;     /* one sentence, for the list of commands and the top of the command's --help */
    const char *description; /* whole sentences, for the manual; a newline begins a paragraph, and `...` quotes code */
    const struct command_example *examples;
    size_t example_count;
    void (*manual)(struct page *page); /* writes further sections of its manual page; NULL: none */
    const struct option_row *options;
    size_t option_count;
    const struct option_mode *modes;
    size_t mode_count;
    size_t values_size; /* size of the struct that holds the options' values */
    size_t arguments_min, arguments_max;
    const char *argument_option; /* the option that an argument is the value of, "space"; NULL: none */
    const char *values;          /* completion of an argument, as in struct option_row */
    /* Runs the command: results to stdout, messages to stderr. Returns 0 or an error code; main prints the error and
     * derives the exit status. */
    int (*run)(const void *values, const char *const *arguments, size_t argument_count, struct error *error);
};

/* All commands; cutune runs the first without a command name. */
struct command_list {
    const struct command *const *items;
    size_t count;
};

#endif
