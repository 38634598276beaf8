/* Shell completion scripts, made from the option tables. Appends all text; `text` records a lack of memory. */
#ifndef CUTUNE_TERMINAL_COMPLETION_H
#define CUTUNE_TERMINAL_COMPLETION_H

#include "base/text.h"
#include "terminal/command.h"

/* Values of an option or a command's argument. */
enum value_kind { VALUE_ANY, VALUE_FILES, VALUE_FOLDERS, VALUE_CHOICES };
/* `choices` and `argument` are those of an option row; `choices` may be NULL. */
enum value_kind completion_value_kind(const char *choices, const char *argument);

void completion_bash(const struct command_list *commands, struct text *text);
void completion_zsh(const struct command_list *commands, struct text *text);
void completion_fish(const struct command_list *commands, struct text *text);

#endif
