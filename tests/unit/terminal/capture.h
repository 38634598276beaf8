/* Captures the output of a test to a standard stream. */
#ifndef CUTUNE_TESTS_TERMINAL_CAPTURE_H
#define CUTUNE_TESTS_TERMINAL_CAPTURE_H

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

struct capture {
    FILE *stream, *file;
    int kept;
};

static inline struct capture capture_begin(FILE *stream)
{
    struct capture capture = {.stream = stream, .file = tmpfile()};
    fflush(stream);
    CU_ASSERT_PTR_NOT_NULL_FATAL(capture.file);
    capture.kept = dup(fileno(stream));
    CU_ASSERT_FATAL(capture.kept >= 0 && dup2(fileno(capture.file), fileno(stream)) >= 0);
    return capture;
}

/* The captured text. */
static inline const char *capture_end(struct capture *capture, char *buffer, size_t room)
{
    fflush(capture->stream);
    dup2(capture->kept, fileno(capture->stream));
    close(capture->kept);
    rewind(capture->file);
    buffer[fread(buffer, 1, room - 1, capture->file)] = '\0';
    fclose(capture->file);
    return buffer;
}

#endif
