/* The source files that the statements `launch`, `reference`, `accept` and `buffer ... by` name for their kernels. */
#ifndef CUTUNE_LANGUAGE_KERNEL_FILE_H
#define CUTUNE_LANGUAGE_KERNEL_FILE_H

#include "language/parser.h"

/* Reads the name of the kernel's file, if the current token is a string, into step->file. */
int kernel_file_parse(struct parser *parser, bool joined, struct step *step);

/* The file if it is compiled alone; NULL: the kernel is compiled with the kernel's source. */
static inline const struct kernel_file *kernel_file_alone(const struct kernel_file *file)
{
    return file && !file->joined ? file : NULL;
}

/* Path and text of a kernel's own file, or else of the kernel's source. */
const char *kernel_file_path(const struct space *space, const struct kernel_file *file);
const char *kernel_file_source(const struct space *space, const struct kernel_file *file);

/* Appends the path as the compiler finds it from the kernel's source: relative to its folder, or absolute. */
void kernel_file_append_path(const struct space *space, const char *path, struct text *text);

/* Adds an #include of each joined file to the text for the compiler. */
int kernel_files_join(struct space *space, struct error *error);

#endif
