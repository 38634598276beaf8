#include "device/messages.h"

#define NUMBER(member) PACK_NUMBER(struct guarding, member)
PACK_OWN_TABLE(guarding_table, struct guarding, NUMBER(on), NUMBER(shared), NUMBER(share), NUMBER(compared_least));
#undef NUMBER

#define NUMBER(member) PACK_NUMBER(struct sampling, member)
PACK_OWN_TABLE(sampling_table, struct sampling, NUMBER(warm), NUMBER(sustained),
               PACK_BELOW(struct sampling, samples, SERIES_SAMPLES_MAX + 1), NUMBER(confidence),
               NUMBER(target_interval), NUMBER(power_ns), NUMBER(kept), NUMBER(special),
               PACK_STRUCT(struct sampling, guarding, guarding_table));
#undef NUMBER

PACK_TABLE(calibration_table, struct gpu_calibration, PACK_STRUCT(struct gpu_calibration, ceilings, ceilings_table),
           PACK_NUMBER(struct gpu_calibration, settled_mhz),
           PACK_STRUCT(struct gpu_calibration, timer, event_timer_table), PACK_NUMBER(struct gpu_calibration, counter));

PACK_TABLE(asking_table, struct launch_message, PACK_NUMBER(struct launch_message, launches),
           PACK_NUMBER(struct launch_message, over), PACK_NUMBER(struct launch_message, ready),
           PACK_NUMBER(struct launch_message, value_ns));
PACK_TABLE(permit_table, struct permit_message, PACK_BELOW(struct permit_message, permit, PERMIT_COUNT),
           PACK_NUMBER(struct permit_message, seed), PACK_NUMBER(struct permit_message, count),
           PACK_NUMBER(struct permit_message, contents));
PACK_TABLE(results_table, struct results_message, PACK_NUMBER(struct results_message, buffer),
           PACK_NUMBER(struct results_message, at), PACK_RANGE(struct results_message, bytes, length),
           PACK_NUMBER(struct results_message, mapped), PACK_NUMBER(struct results_message, from));
PACK_TABLE(judge_table, struct judge_message, PACK_NUMBER(struct judge_message, seed));

#define NUMBER(member) PACK_NUMBER(struct fill_range, member)
PACK_OWN_TABLE(range_table, struct fill_range, NUMBER(given), NUMBER(low), NUMBER(high));
#undef NUMBER

#define NUMBER(member) PACK_NUMBER(struct tolerance, member)
PACK_OWN_TABLE(tolerance_table, struct tolerance, NUMBER(relative), NUMBER(absolute), NUMBER(fp64));
#undef NUMBER

#define NUMBER(member) PACK_NUMBER(struct setup_buffer, member)
PACK_OWN_TABLE(buffer_table, struct setup_buffer, NUMBER(type), NUMBER(count),
               PACK_BELOW(struct setup_buffer, fill, FILL_COUNT), PACK_BELOW(struct setup_buffer, role, BUFFER_ROLES),
               NUMBER(offset), NUMBER(ignored), NUMBER(accepted), PACK_STRUCT(struct setup_buffer, range, range_table),
               PACK_STRUCT(struct setup_buffer, tolerance, tolerance_table), PACK_STRING(struct setup_buffer, name),
               PACK_STRING(struct setup_buffer, path), NUMBER(expected_offset),
               PACK_STRING(struct setup_buffer, expected));
#undef NUMBER

#define NUMBER(member) PACK_NUMBER(struct setup_message, member)
PACK_TABLE(setup_table, struct setup_message, NUMBER(seed), NUMBER(transfers), NUMBER(notes),
           PACK_STRUCT(struct setup_message, sampling, sampling_table),
           PACK_ROWS(struct setup_message, buffers, buffer_count, buffer_table),
           PACK_STRING(struct setup_message, accept_name), PACK_STRING(struct setup_message, accept_command),
           PACK_STRING(struct setup_message, accept_folder), PACK_STRING(struct setup_message, inputs_folder),
           PACK_RANGE(struct setup_message, helpers, helpers_bytes),
           PACK_BELOW(struct setup_message, fill_count, SPACE_FILL_KERNELS_MAX + 1));
#undef NUMBER

PACK_TABLE(set_table, struct set_message, PACK_NUMBER(struct set_message, referenced),
           PACK_NUMBER(struct set_message, has_accept), PACK_STRING(struct set_message, reference_name));

#define NUMBER(member) PACK_NUMBER(struct device_job, member)
PACK_TABLE(job_table, struct device_job, NUMBER(playoff), NUMBER(further), NUMBER(energy),
           PACK_BELOW(struct device_job, kernel_count, DEVICE_KERNELS_MAX + 1), NUMBER(incumbent_ns),
           PACK_BELOW(struct device_job, incumbent_state, POWER_STATE_COUNT), NUMBER(capped), NUMBER(timeout_ns));
#undef NUMBER

PACK_OWN_TABLE(kernel_table, struct device_kernel, PACK_RANGE(struct device_kernel, cubin, cubin_bytes),
               PACK_STRINGS(struct device_kernel, lowered_names, name_count), PACK_NUMBER(struct device_kernel, work),
               PACK_BELOW(struct device_kernel, set, SPACE_SETS_MAX),
               PACK_STRINGS(struct device_kernel, environment, environment_count),
               PACK_STRINGS(struct device_kernel, variables, variable_count),
               PACK_NUMBER(struct device_kernel, results_checksum), PACK_STRING(struct device_kernel, library),
               PACK_NUMBERS(struct device_kernel, sizes),
               PACK_BELOW(struct device_kernel, size_count, SPACE_PROBLEMS_MAX + 1));

PACK_TABLE(error_table, struct error, PACK_NUMBER(struct error, code), PACK_TEXT(struct error, message),
           PACK_TEXT(struct error, hint));

void message_pack_kernel(struct text *text, const struct device_kernel *kernel)
{
    struct device_kernel packed = *kernel;
    if (!kernel->environment)
        packed.environment = "";
    if (!kernel->variables)
        packed.variables = "";
    if (!kernel->library)
        packed.library = "";
    else
        packed.lowered_names = "";
    pack_struct(text, &kernel_table, &packed);
    if (!kernel->library)
        space_pack_launch(text, kernel->launch);
}

void message_pack_set(struct text *text, const struct device_expected *expected)
{
    const struct set_message message = {.referenced = expected->reference.cubin,
                                        .has_accept = expected->accept.cubin,
                                        .reference_name = expected->reference_name ? expected->reference_name : ""};
    pack_struct(text, &set_table, &message);
    if (message.referenced)
        message_pack_kernel(text, &expected->reference);
    if (message.has_accept)
        message_pack_kernel(text, &expected->accept);
}

static int describe_buffers(const struct device_setup *setup, struct setup_message *message, struct error *error)
{
    const struct space *space = setup->space;
    size_t most = sizeof message->buffers / sizeof *message->buffers;
    if (space->buffer_count > most)
        return error_set(error, ERROR_VALUE, "%zu buffers, more than %zu", space->buffer_count, most);
    message->buffer_count = space->buffer_count;
    for (size_t i = 0; i < space->buffer_count; i++) {
        const struct buffer *buffer = &space->buffers[i];
        const struct device_file *expected = setup->expected && setup->expected[i].path ? &setup->expected[i] : NULL;
        message->buffers[i] = (struct setup_buffer){.type = (uint32_t)(buffer->type - element_types),
                                                    .count = buffer->count,
                                                    .fill = buffer->fill,
                                                    .role = buffer->role,
                                                    .range = buffer->range,
                                                    .tolerance = buffer->tolerance,
                                                    .ignored = buffer->ignored,
                                                    .accepted = buffer->accepted,
                                                    .offset = buffer->file_offset,
                                                    .name = buffer->name,
                                                    .path = buffer->path ? buffer->path : "",
                                                    .expected_offset = expected ? expected->offset : 0,
                                                    .expected = expected ? expected->path : ""};
    }
    return 0;
}

int message_pack_setup(struct text *text, const struct device_setup *setup, const char *inputs_folder,
                       struct error *error)
{
    struct setup_message message = {.seed = setup->seed,
                                    .sampling = setup->sampling,
                                    .transfers = setup->transfers,
                                    .notes = setup->space->reference_notes,
                                    .accept_name = setup->accept_name ? setup->accept_name : "",
                                    .accept_command = setup->accept_command ? setup->accept_command : "",
                                    .accept_folder = setup->accept_folder ? setup->accept_folder : "",
                                    .inputs_folder = inputs_folder,
                                    .helpers = setup->helpers.cubin,
                                    .helpers_bytes = setup->helpers.cubin_bytes,
                                    .fill_count = setup->fill_count};
    int code = describe_buffers(setup, &message, error);
    if (code)
        return code;
    text_clear(text);
    pack_struct(text, &setup_table, &message);
    message_pack_set(text, &setup->first);
    for (size_t i = 0; i < setup->fill_count; i++)
        message_pack_kernel(text, &setup->fills[i]);
    return text->failed ? error_memory(error) : 0;
}

bool message_unpack_kernel(struct unpack *unpack, struct device_kernel *kernel, struct launch *launch)
{
    bool whole = unpack_struct(unpack, &kernel_table, kernel);
    if (whole && *kernel->library)
        *launch = (struct launch){0};
    else
        whole = whole && space_unpack_launch(unpack, launch);
    if (!whole || !*kernel->library)
        kernel->library = NULL;
    kernel->launch = launch;
    return whole && kernel->name_count == launch->kernel_count;
}

void message_pack_measurements(struct text *text, const struct measurement *measurements, const struct energy *energies,
                               size_t count, const char *samples)
{
    for (size_t i = 0; i < count; i++)
        pack_struct(text, &measurement_table, &measurements[i]);
    for (size_t i = 0; i < count && energies; i++)
        pack_struct(text, &energy_table, &energies[i]);
    pack_string(text, samples);
}

bool message_unpack_measurements(const struct message *message, struct measurement *measurements,
                                 struct energy *energies, size_t count, const char **samples)
{
    struct unpack unpack = unpack_start(message->bytes, message->length);
    for (size_t i = 0; i < count && !unpack.failed; i++)
        unpack_struct(&unpack, &measurement_table, &measurements[i]);
    for (size_t i = 0; i < count && energies && !unpack.failed; i++)
        unpack_struct(&unpack, &energy_table, &energies[i]);
    *samples = unpack_string(&unpack);
    return unpack_finished(&unpack);
}

int message_take_error(const struct message *message, struct error *error)
{
    struct error said;
    if (!unpack_whole(message->bytes, message->length, &error_table, &said) || said.code == ERROR_NONE)
        return error_set(error, ERROR_WORKER, "the device process gave a garbled answer");
    int code = error_set(error, said.code, "%s", said.message);
    if (*said.hint)
        error_hint(error, "%s", said.hint);
    return code;
}
