/* The .space that a T1 description becomes, as it is gathered and written. */
#ifndef CUTUNE_EXCHANGE_T1_WRITE_H
#define CUTUNE_EXCHANGE_T1_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "exchange/python.h"

#define T1_NO_DEFAULT SIZE_MAX

/* Zeroed, it is empty. */
struct t1_space {
    struct text title, notes, statements, standard;
    size_t without_default; /* parameters */
    bool has_default;
    size_t lines; /* in `statements` */
    size_t head;  /* lines that were written above them */
    struct t1_origin_row {
        size_t line, at;
    } * origins;
    size_t origin_count, origin_room;
    bool failed;
};

/* False when the name does not fit between quotes. */
bool t1_set_title(struct t1_space *space, const char *title);
/* Something of the file that is not in the space; control characters become spaces. */
void t1_note(struct t1_space *space, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* `standard`: number of the default, or T1_NO_DEFAULT. `at`: its place in the T1 text. Not 0: out of memory. */
int t1_add_parameter(struct t1_space *space, const struct python_name *name, size_t standard, size_t at);
int t1_add_condition(struct t1_space *space, const char *condition, size_t at);
/* Appends the file; `name` is that of the T1 file. Appends a line per note to `notes`. Not 0: out of memory. */
int t1_write(struct t1_space *space, const char *name, struct text *out, struct text *notes);
/* The place in the T1 text of what line `line` of the written file came from. */
size_t t1_origin(const struct t1_space *space, int line);
void t1_free(struct t1_space *space);

#endif
