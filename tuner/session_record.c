#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/floor.h"
#include "base/provenance.h"
#include "tuner/session_state.h"

/* ---- The journal ---- */

const char *session_config(struct session *session, uint64_t index)
{
    struct text text = {0};
    uint32_t choices[SPACE_PARAMETERS_MAX];
    if (index == UINT64_MAX && session->space->no_default)
        return "";
    if (index == UINT64_MAX)
        space_default(session->space, choices);
    else
        valid_set_get(session->set, index, choices);
    space_config_text(session->space, choices, &text);
    const char *copy = arena_copy(&session->arena, text_string(&text), text.length);
    text_free(&text);
    return copy ? copy : "";
}

static int make_fingerprint(struct session *session, struct error *error)
{
    char schema[16], cc[16];
    snprintf(schema, sizeof schema, "%d", JOURNAL_SCHEMA);
    snprintf(cc, sizeof cc, "%d", (int)session->limits->cc);
    conditions_text(&session->conditions, &session->options);
    int code = session->options.failed ? error_memory(error) : compile_nvrtc_version(&session->nvrtc, error);
    if (!code)
        code = space_data_hash(session->space, session->data_hash, error);
    if (code)
        return code;
    return provenance_fingerprint(&(struct provenance){.schema = schema,
                                                       .kernel = session->space->kernel,
                                                       .problem = text_string(&session->problem),
                                                       .options = text_string(&session->options),
                                                       .source = session->space->source_hash,
                                                       .space = session->space->text_hash,
                                                       .toolkit = session->space->toolkit_hash,
                                                       .data = session->data_hash,
                                                       .device = session->limits->name,
                                                       .cc = cc,
                                                       .driver = session->limits->driver,
                                                       .nvrtc = session->nvrtc.number,
                                                       .nvrtc_build = session->nvrtc.build,
                                                       .cutune = CUTUNE_VERSION},
                                  session->fingerprint, error);
}

static int ask_ceilings(struct session *session, struct journal_header *header, struct error *error)
{
    struct ceilings ceilings = {NAN, NAN, NAN, NAN};
    const struct evaluator *evaluator = &session->evaluator;
    int code = evaluator->ops->ceilings ? evaluator->ops->ceilings(evaluator->state, &ceilings, error) : 0;
    header->copy_ceiling = ceilings.copy;
    header->link_to_device = ceilings.link_to_device;
    header->link_to_host = ceilings.link_to_host;
    header->link_both = ceilings.link_both;
    struct traffic traffic = {.bytes = session->space->bytes};
    space_transfers(session->space, &traffic.in_bytes, &traffic.out_bytes);
    header->floor_ns = floor_of_traffic(&traffic, &ceilings);
    return code;
}

int session_open_journal(struct session *session, struct error *error)
{
    const char *names[SPACE_PARAMETERS_MAX];
    char created[CLOCK_UTC_BYTES];
    int line, code = make_fingerprint(session, error);
    clock_utc(created);
    for (size_t p = 0; p < session->space->parameter_count; p++)
        names[p] = session->space->parameters[p].name;
    struct journal_header header = {.kernel = session->space->name,
                                    .title = session->space->title,
                                    .problem = text_string(&session->problem),
                                    .fingerprint = session->fingerprint,
                                    .source_hash = session->space->source_hash,
                                    .space_hash = session->space->text_hash,
                                    .options = text_string(&session->options),
                                    .nvrtc = session->nvrtc.number,
                                    .nvrtc_build = session->nvrtc.build,
                                    .toolkit_hash = session->space->toolkit_hash,
                                    .data_hash = session->data_hash,
                                    .created = created,
                                    .version = CUTUNE_VERSION,
                                    .default_ = session_config(session, UINT64_MAX),
                                    .bytes = session->space->bytes,
                                    .flops = session->space->flops,
                                    .copy_ceiling = NAN,
                                    .link_to_device = NAN,
                                    .link_to_host = NAN,
                                    .link_both = NAN,
                                    .floor_ns = NAN,
                                    .limits = *session->limits,
                                    .parameter_count = session->space->parameter_count,
                                    .parameters = names};
    const struct session_list *list = session->request->list;
    if (!code && list)
        code = list_check(list->journal, list->fingerprint, session->fingerprint, error);
    const char *path = code   ? NULL
                       : list ? list->journal
                              : journal_path(&session->arena, session->request->journal, &header);
    if (!code && !path)
        code = error_memory(error);
    /* A journal that is there knows the ceilings; the header of a new one has to be told. */
    if (!code && !journal_begun(path))
        code = ask_ceilings(session, &header, error);
    if (!code)
        code = journal_open(&session->journal, path, &header, error);
    if (!code && journal_torn(session->journal, &line))
        session_note(session, "%s:%d: the last line was torn by an earlier end and is cut off", path, line);
    if (!code && journal_row_count(session->journal))
        session_note(session, "%zu evaluations are in %s already", journal_row_count(session->journal), path);
    return code;
}

/* ---- Logs of compilations ---- */

static int append_log(const char *path, const char *title, const char *log, struct error *error)
{
    FILE *file = fopen(path, "a");
    if (!file)
        return error_errno(error, ERROR_IO, "cannot open %s", path);
    bool written = fprintf(file, "---- %s\n%s\n", title, log) >= 0;
    return fclose(file) || !written ? error_errno(error, ERROR_IO, "cannot write %s", path) : 0;
}

int session_keep_log(void *context, uint64_t index, const char *log, struct error *error)
{
    struct session *session = context;
    const char *path = arena_printf(&session->arena, "%s.log", journal_file(session->journal));
    int code = path ? append_log(path, session_config(session, index), log, error) : error_memory(error);
    session->has_log |= code == 0;
    return code;
}

/* ---- The best row ---- */

double session_floor_ns(const struct session *session)
{
    const struct journal_header *header = journal_get_header(session->recorded ? session->recorded : session->journal);
    return floor_of_record(header->floor_ns, header->bytes, header->copy_ceiling);
}

struct best session_best(struct session *session, char date[CLOCK_UTC_BYTES])
{
    const struct journal_header *header = journal_get_header(session->recorded ? session->recorded : session->journal);
    const struct measurement *best = &session->run.best;
    double bytes = session->space->bytes, default_ns = session->run.has_default ? session->run.default_.time_ns : NAN;
    const char *strategy = session->request->strategy;
    double floor_ns = session_floor_ns(session);
    clock_utc(date);
    return (struct best){.schema = DATABASE_SCHEMA,
                         .kernel = session->space->name,
                         .device = session->limits->name,
                         .problem = text_string(&session->problem),
                         .objective = "time",
                         .configuration = session_config(session, session->run.best_index),
                         .time_ns = best->time_ns,
                         .low_ns = best->low_ns,
                         .high_ns = best->high_ns,
                         .samples = best->samples,
                         .default_configuration = session_config(session, UINT64_MAX),
                         .default_time_ns = default_ns,
                         .speedup = default_ns / best->time_ns,
                         .bytes = bytes,
                         .flops = session->space->flops,
                         .copy_ceiling = header->copy_ceiling,
                         .link_to_device = header->link_to_device,
                         .link_to_host = header->link_to_host,
                         .link_both = header->link_both,
                         .floor_ns = floor_ns,
                         .ceiling_percent = 100 * floor_ns / best->time_ns,
                         .valid = (int64_t)valid_set_count(session->set),
                         .evaluated = (int64_t)session->run.evaluated,
                         .strategy = strategy && strchr(strategy, ':') ? strategy : session->strategy.ops->name,
                         .seed = (int64_t)session->request->seed,
                         .options = header->options,
                         .cc = session->limits->cc,
                         .sm_count = session->limits->sm_count,
                         .l2_bytes = session->limits->l2_bytes,
                         .memory_bytes = session->limits->memory_bytes,
                         .driver = session->limits->driver,
                         .cuda = session->limits->cuda,
                         .nvrtc = header->nvrtc,
                         .nvrtc_build = header->nvrtc_build,
                         .toolkit_hash = header->toolkit_hash,
                         .data_hash = header->data_hash,
                         .uuid = session->limits->uuid,
                         .source_hash = session->space->source_hash,
                         .space_hash = session->space->text_hash,
                         .date = session->recorded ? header->created : date,
                         .version = CUTUNE_VERSION};
}
