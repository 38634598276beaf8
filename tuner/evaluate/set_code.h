/* The kernels of a set of expected results: the reference and the accept kernel, from the space to the device. */
#ifndef CUTUNE_EVALUATE_SET_CODE_H
#define CUTUNE_EVALUATE_SET_CODE_H

#include "base/text.h"
#include "compile/pool.h"
#include "device/device.h"
#include "space/space.h"

/* Kernels of one compilation. Names: lowered, consecutive NUL-terminated strings. */
struct own_code {
    struct text cubin, names;
};

/* Keeps a compilation's result. ERROR_MEMORY. */
int own_code_take(struct own_code *own, const struct compile_result *result, struct error *error);
void own_code_free(struct own_code *own);
/* Compares the arguments of a step with the parameters of its kernel. `names` begins with the launch's lowered names;
 * `of` is the step in the space file. ERROR_DATA, with its place. */
int own_code_check(const struct own_code *own, const char *names, const struct launch *launch,
                   const struct launch_step *step, const char *kernel, const struct step *of, struct error *error);

enum set_part { SET_REFERENCE, SET_ACCEPT, SET_PARTS };

struct set_code {
    uint32_t set;
    struct set_part_code {
        bool used; /* the space has such a kernel */
        struct own_code own;
        struct launch launch;
    } parts[SET_PARTS];
    char name[128]; /* the reference's name in messages: "the reference kernel at STEPS=2" */
    char accept_name[128];
};

/* Evaluates the launches of a set, whose number the caller has set; all else is zero. Errors of the launches. */
int set_code_make(const struct space *space, struct set_code *code, struct error *error);
/* Appends the name expressions of a part's kernels. */
void set_code_name(const struct space *space, const struct set_code *code, enum set_part part, struct text *expressions,
                   size_t *count);
/* Makes the compilation of a part. The job borrows from the texts; the caller sets its id, and its cc before. `build`:
 * that of the compiler command, if the space has one. */
struct set_code_texts {
    struct text options, expressions, values, request;
};
int set_code_job(const struct space *space, const struct set_code *code, enum set_part part, const char *build,
                 struct set_code_texts *texts, struct compile_job *job, struct error *error);
void set_code_texts_free(struct set_code_texts *texts);
/* Keeps the result of that compilation. ERROR_DATA if a compiler command's answer does not suit the launch. */
int set_code_take(const struct space *space, struct set_code *code, enum set_part part,
                  const struct compile_result *result, struct error *error);
/* Compares the arguments of the compiled parts with the machine code. */
int set_code_check(const struct space *space, const struct set_code *code, struct error *error);
/* Returns the parts for device_setup or device_expect; borrows. */
struct device_expected set_code_expected(const struct set_code *code);
/* Returns a name such as "the reference kernel at STEPS=2". */
const char *set_code_part_name(const struct set_code *code, enum set_part part);
void set_code_free(struct set_code *code);

#endif
