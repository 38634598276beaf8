#include "evaluate/set_code.h"

#include <stdio.h>
#include <string.h>

#include "evaluate/arguments.h"
#include "evaluate/assemble.h"
#include "evaluate/command_request.h"

/* ---- Kernels of one compilation ---- */

int own_code_take(struct own_code *own, const struct compile_result *result, struct error *error)
{
    text_append(&own->cubin, result->cubin, result->cubin_bytes);
    text_append(&own->names, result->lowered_names, text_strings_bytes(result->lowered_names, result->name_count));
    return own->cubin.failed || own->names.failed ? error_memory(error) : 0;
}

void own_code_free(struct own_code *own)
{
    text_free(&own->cubin);
    text_free(&own->names);
}

int own_code_check(const struct own_code *own, const char *names, const struct launch *launch,
                   const struct launch_step *step, const char *kernel, const struct step *of, struct error *error)
{
    const struct device_kernel code = {
        .cubin = own->cubin.bytes, .cubin_bytes = own->cubin.length, .lowered_names = names, .launch = launch};
    char why[256];
    if (arguments_suit(&code, step, kernel, why, sizeof why))
        return 0;
    error_set(error, ERROR_DATA, "%s", why);
    space_put_arguments_place(of, error);
    return ERROR_DATA;
}

/* ---- The parts of a set ---- */

static void name_parts(const struct space *space, struct set_code *code)
{
    struct text values = {0};
    if (space->per_count) {
        text_printf(&values, " at ");
        space_set_text(space, code->set, &values);
    }
    snprintf(code->name, sizeof code->name, "%s%.80s",
             space->reference_kind == REFERENCE_DEFAULT ? "the default configuration" : "the reference kernel",
             text_string(&values));
    snprintf(code->accept_name, sizeof code->accept_name, "the accept kernel%.80s", text_string(&values));
    text_free(&values);
}

int set_code_make(const struct space *space, struct set_code *code, struct error *error)
{
    uint32_t choices[SPACE_PARAMETERS_MAX];
    int made = 0;
    space_set_choices(space, code->set, choices);
    code->parts[SET_REFERENCE].used = space_reference_launches(space);
    code->parts[SET_ACCEPT].used = space->accept;
    name_parts(space, code);
    for (enum set_part part = 0; part < SET_PARTS && !made; part++) {
        struct launch *launch = &code->parts[part].launch;
        const enum launch_of of = part == SET_ACCEPT                          ? LAUNCH_OF_ACCEPT
                                  : space->reference_kind == REFERENCE_KERNEL ? LAUNCH_OF_REFERENCE
                                                                              : LAUNCH_OF_RUN;
        char why[256];
        if (!code->parts[part].used)
            continue;
        made = part == SET_ACCEPT ? space_accept_launch(space, code->set, launch, error)
                                  : space_reference_launch(space, code->set, launch, error);
        if (made || space_launch_fits(space, of, choices, why, sizeof why))
            continue;
        made = error_set(error, ERROR_DATA, "%s cannot be launched: %s", set_code_part_name(code, part), why);
        if (part == SET_ACCEPT || space->reference_kind == REFERENCE_KERNEL)
            error_hint(error, "it gets the textures, surfaces and tensor maps of the `default` configuration");
    }
    return made;
}

static const char *kernel_of(const struct space *space, const struct set_code *code, enum set_part part, size_t k)
{
    return part == SET_ACCEPT ? space->accept->step.kernel
                              : space_reference_kernel(space, &code->parts[SET_REFERENCE].launch, k);
}

void set_code_name(const struct space *space, const struct set_code *code, enum set_part part, struct text *expressions,
                   size_t *count)
{
    size_t kernels = part == SET_ACCEPT ? 1 : code->parts[part].launch.kernel_count;
    for (size_t k = 0; k < kernels; k++, ++*count) {
        const char *name = kernel_of(space, code, part, k);
        text_append(expressions, name, strlen(name) + 1);
    }
}

int set_code_job(const struct space *space, const struct set_code *code, enum set_part part, const char *build,
                 struct set_code_texts *texts, struct compile_job *job, struct error *error)
{
    uint32_t choices[SPACE_PARAMETERS_MAX];
    const struct step *step = part == SET_ACCEPT ? &space->accept->step : space->reference;
    job->path = space_step_path(space, step);
    job->folder = space->folder;
    job->nvcc = space->nvcc;
    job->source = space_step_source(space, step);
    set_code_name(space, code, part, &texts->expressions, &job->name_count);
    space_set_choices(space, code->set, choices);
    const bool run = part == SET_REFERENCE && space->reference_kind == REFERENCE_DEFAULT;
    int made =
        run ? space_launch_options(space, &code->parts[part].launch, choices, NULL, &texts->options, &job->plan, error)
            : space_step_options(space, step, code->set, &texts->options, &job->option_count, error);
    if (run)
        job->option_count = bundle_option_count(&job->plan);
    if (!made)
        made = space_generator(space, step, choices, &texts->values, &job->generator, error);
    if (!made && run)
        made = command_job(space, choices, &code->parts[part].launch, build, &texts->request, job, error);
    job->options = text_string(&texts->options);
    job->name_expressions = text_string(&texts->expressions);
    return made ? made : texts->expressions.failed ? error_memory(error) : 0;
}

int set_code_take(const struct space *space, struct set_code *code, enum set_part part,
                  const struct compile_result *result, struct error *error)
{
    uint32_t choices[SPACE_PARAMETERS_MAX];
    char why[256];
    space_set_choices(space, code->set, choices);
    if (!assemble_launch(space, choices, &code->parts[part].launch, result, why, sizeof why)) {
        error_set(error, ERROR_DATA, "%s", why);
        error_place(error, space->path, 0, 0);
        return ERROR_DATA;
    }
    return own_code_take(&code->parts[part].own, result, error);
}

void set_code_texts_free(struct set_code_texts *texts)
{
    text_free(&texts->request);
    text_free(&texts->options);
    text_free(&texts->expressions);
    text_free(&texts->values);
}

/* Returns the first step in the space file with a kernel of a part. */
static const struct step *step_of(const struct space *space, enum set_part part, uint32_t kernel)
{
    const struct step *step = space->reference;
    if (part == SET_ACCEPT)
        return &space->accept->step;
    if (space->reference_kind == REFERENCE_DEFAULT)
        return space->kernel_steps[kernel];
    while (step->number != kernel && step + 1 < space->reference + space->reference_count)
        step++;
    return step;
}

int set_code_check(const struct space *space, const struct set_code *code, struct error *error)
{
    int good = 0;
    for (enum set_part part = 0; part < SET_PARTS && !good; part++) {
        const struct set_part_code *own = &code->parts[part];
        for (size_t s = 0; own->used && s < own->launch.step_count && !good; s++) {
            const struct launch_step *step = &own->launch.steps[s];
            good = own_code_check(&own->own, text_string(&own->own.names), &own->launch, step,
                                  kernel_of(space, code, part, step->kernel),
                                  step_of(space, part, own->launch.kernels[step->kernel]), error);
        }
    }
    return good;
}

static struct device_kernel kernel_for_device(const struct set_part_code *part)
{
    return (struct device_kernel){.cubin = part->own.cubin.bytes,
                                  .cubin_bytes = part->own.cubin.length,
                                  .lowered_names = text_string(&part->own.names),
                                  .name_count = part->launch.kernel_count,
                                  .launch = &part->launch};
}

struct device_expected set_code_expected(const struct set_code *code)
{
    return (struct device_expected){.reference_name = code->name,
                                    .reference = kernel_for_device(&code->parts[SET_REFERENCE]),
                                    .accept = kernel_for_device(&code->parts[SET_ACCEPT])};
}

const char *set_code_part_name(const struct set_code *code, enum set_part part)
{
    return part == SET_ACCEPT ? code->accept_name : code->name;
}

void set_code_free(struct set_code *code)
{
    for (enum set_part part = 0; part < SET_PARTS; part++)
        own_code_free(&code->parts[part].own);
}
