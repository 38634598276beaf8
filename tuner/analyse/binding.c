#include "analyse/binding.h"

#include <math.h>
#include <string.h>

#include "analyse/launch_numbers.h"
#include "base/evidence.h"
#include "base/roofline_time.h"
#include "base/text.h"

static const struct {
    const char *name, *unit;
} resource_rows[] = {
#define RESOURCE(id, name, unit) {name, unit},
#include "analyse/resources.def"
#undef RESOURCE
    {"latency", ""}, {"unknown", ""}};

const char *resource_name(enum resource resource)
{
    return resource_rows[resource].name;
}

const char *resource_unit(enum resource resource)
{
    return resource_rows[resource].unit;
}

/* The counters of a run: sums over its launches. */
struct totals {
    double seconds; /* of the measured run; NaN: the objective is not a time */
    double cycles;
    double dram_bytes, l2_bytes, instructions, issued;
    double shares[RESOURCE_COUNT]; /* weighted by the launches' cycles */
};

static double run_seconds(const struct measurement *measurement)
{
    if (!isnan(measurement->run_ns))
        return measurement->run_ns * 1e-9;
    double seconds = measurement_objective(measurement)->seconds;
    return seconds > 0 ? measurement->value * seconds : NAN;
}

static void add_launch(struct totals *totals, const struct evidence *e)
{
    double times = launch_repeats(e), active = isnan(e->sm_active) ? 1 : e->sm_active;
    const double shares[RESOURCE_COUNT] = {
        [RESOURCE_DRAM] = e->dram_busy,
        [RESOURCE_L2] = e->l2_busy,
        [RESOURCE_L1] = e->l1_busy * active,
        [RESOURCE_ISSUE] = e->issue_active * active,
        [RESOURCE_FMA] = e->fma_pipe * active,
        [RESOURCE_ALU] = e->alu_pipe * active,
        [RESOURCE_FP64] = e->fp64_pipe * active,
        [RESOURCE_XU] = e->xu_pipe * active,
        [RESOURCE_TENSOR] = e->tensor_pipe * active,
        [RESOURCE_LINK] = NAN,
        [RESOURCE_ALLOCATION] = NAN,
        [RESOURCE_COPIES_IN] = NAN,
        [RESOURCE_KERNEL] = NAN,
        [RESOURCE_COPIES_OUT] = NAN,
        [RESOURCE_HOST_WORK] = NAN,
    };
    totals->cycles += times * e->cycles;
    totals->dram_bytes += times * (e->dram_read_bytes + e->dram_write_bytes);
    totals->l2_bytes += times * e->l2_bytes;
    totals->instructions += times * e->instructions;
    totals->issued += times * (isnan(e->instructions_issued) ? e->instructions : e->instructions_issued);
    for (size_t r = 0; r < RESOURCE_COUNT; r++)
        totals->shares[r] += times * e->cycles * shares[r];
}

static struct totals totals_of(const struct explanation_configuration *configuration)
{
    struct totals totals = {.seconds = run_seconds(configuration->measurement)};
    if (!configuration->launch_count)
        totals.cycles = totals.dram_bytes = totals.l2_bytes = totals.instructions = totals.issued = NAN;
    for (size_t i = 0; i < configuration->launch_count; i++)
        add_launch(&totals, &configuration->launches[i]);
    for (size_t r = 0; r < RESOURCE_COUNT; r++)
        totals.shares[r] /= totals.cycles;
    return totals;
}

/* Returns the ceilings: of the input, else of the first launch. */
static struct evidence ceilings_of(const struct explanation_input *input,
                                   const struct explanation_configuration *configuration)
{
    struct evidence ceilings = input->ceilings ? *input->ceilings : evidence_unknown();
    if (configuration->launch_count)
        evidence_add(&ceilings, &configuration->launches[0]);
    if (isnan(ceilings.ceiling_dram))
        ceilings.ceiling_dram = input->provenance->ceilings.copy;
    return ceilings;
}

/* Computes the share from an amount if its ceiling is known, else from the counter of the share. */
static struct explain_input_resource by_amount(double amount, double seconds, double ceiling, double share)
{
    struct explain_input_resource resource = {amount / seconds, ceiling, amount / seconds / ceiling};
    if (isnan(resource.share))
        resource.share = share;
    return resource;
}

static struct explain_input_resource by_share(double share, double ceiling)
{
    return (struct explain_input_resource){share * ceiling, ceiling, share};
}

static double bytes_needed(const struct explanation_input *input, const struct measurement *measurement)
{
    return isnan(measurement->bytes) ? input->provenance->bytes : measurement->bytes;
}

static void fill_resources(struct explain_input_configuration *bound, const struct totals *totals,
                           const struct evidence *ceilings)
{
    struct explain_input_resource *resources = bound->resources;
    resources[RESOURCE_DRAM] = by_amount(bound->counters ? bound->bytes_moved : bound->bytes_needed, totals->seconds,
                                         ceilings->ceiling_dram, totals->shares[RESOURCE_DRAM]);
    resources[RESOURCE_L2] =
        by_amount(totals->l2_bytes, totals->seconds, ceilings->ceiling_l2, totals->shares[RESOURCE_L2]);
    resources[RESOURCE_L1] = by_share(totals->shares[RESOURCE_L1], ceilings->ceiling_shared);
    resources[RESOURCE_ISSUE] =
        by_amount(totals->issued, totals->seconds, ceilings->ceiling_issue, totals->shares[RESOURCE_ISSUE]);
    resources[RESOURCE_FMA] = by_share(totals->shares[RESOURCE_FMA], ceilings->ceiling_fma);
    resources[RESOURCE_TENSOR] = by_share(totals->shares[RESOURCE_TENSOR], ceilings->ceiling_tensor);
    for (enum resource r = RESOURCE_ALU; r <= RESOURCE_XU; r++)
        resources[r] = by_share(totals->shares[r], NAN);
}

/* True for a run that copies over the host link: its roofline time is the link's, not that of its traffic in device
 * memory. */
static bool over_link(const struct provenance *provenance)
{
    double traffic_ns = roofline_time_of_traffic(&(struct traffic){.bytes = provenance->bytes}, &provenance->ceilings);
    return provenance->roofline_ns > 0 && !(fabs(provenance->roofline_ns / traffic_ns - 1) < 0.01);
}

static void fill_link(struct explain_input_configuration *bound, const struct explanation_input *input,
                      const struct measurement *measurement)
{
    const struct provenance *provenance = input->provenance;
    double roofline_ns = over_link(provenance) ? amounts_of(provenance, measurement).roofline_ns : NAN;
    double share = objective_percent(measurement_objective(measurement), roofline_ns, measurement->value) / 100;
    bound->resources[RESOURCE_LINK] = by_share(share, isnan(share) ? NAN : provenance->ceilings.link_both);
}

/* Fills the shares of a pipeline's stages, which are of the run. Device memory is irrelevant for them. */
static void fill_stages(struct explain_input_configuration *bound, const struct evidence *launch)
{
    const struct {
        enum resource resource;
        double ns;
    } stages[] = {{RESOURCE_ALLOCATION, launch->allocate_ns},
                  {RESOURCE_COPIES_IN, launch->in_ns},
                  {RESOURCE_KERNEL, launch->kernel_ns},
                  {RESOURCE_COPIES_OUT, launch->out_ns},
                  {RESOURCE_HOST_WORK, launch->host_work_ns}};
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        double share = stages[i].ns / launch->run_ns;
        bound->resources[stages[i].resource] = by_share(share > 1 ? 1 : share, NAN);
    }
    if (bound->pipeline)
        bound->resources[RESOURCE_DRAM] = by_share(NAN, NAN);
}

static void fill_points(struct explain_input_configuration *bound, const struct totals *totals)
{
    const struct {
        enum resource level;
        double bytes;
    } levels[ROOFLINE_LEVELS] = {{RESOURCE_DRAM, totals->dram_bytes},
                                 {RESOURCE_L2, totals->l2_bytes},
                                 {RESOURCE_L1, bound->resources[RESOURCE_L1].used * totals->seconds}};
    for (size_t i = 0; i < ROOFLINE_LEVELS; i++)
        bound->points[i] =
            (struct roofline_point){levels[i].level, totals->instructions / levels[i].bytes,
                                    totals->instructions / totals->seconds, bound->resources[levels[i].level].ceiling};
}

/* True if a resource cannot bind. A link near its ceiling binds instead of the stages that use it, each of which may
 * take all of the run; otherwise the link does not bind. */
static bool is_passed_over(const struct explain_input_configuration *bound, const struct evidence *launch,
                           enum resource resource)
{
    bool linked = bound->resources[RESOURCE_LINK].share >= binding_least;
    bool uses_link = resource == RESOURCE_COPIES_IN || resource == RESOURCE_COPIES_OUT ||
                     (resource == RESOURCE_KERNEL && launch->in_place == 1);
    return resource == RESOURCE_LINK ? !linked && launch->run_ns > 0 : linked && uses_link;
}

static void find_binding(struct explain_input_configuration *bound, const struct evidence *launch)
{
    bound->binds = RESOURCE_UNKNOWN;
    bound->share = NAN;
    for (enum resource r = 0; r < RESOURCE_COUNT; r++)
        if (bound->resources[r].share > 0 && !(bound->share >= bound->resources[r].share) &&
            !is_passed_over(bound, launch, r)) {
            bound->binds = r;
            bound->share = bound->resources[r].share;
        }
}

/* Returns the longest launch; without counters the first. */
static const struct evidence *longest(const struct explanation_configuration *configuration)
{
    const struct evidence *longest = configuration->launches;
    for (size_t i = 1; i < configuration->launch_count; i++) {
        const struct evidence *e = &configuration->launches[i];
        if (e->cycles * launch_repeats(e) > longest->cycles * launch_repeats(longest))
            longest = e;
    }
    return longest;
}

/* True for a wait. A warp that is ready while another one issues is not waiting. */
static bool is_wait(const struct evidence_row *row)
{
    return strncmp(row->name, "stall_", strlen("stall_")) == 0 && strcmp(row->name, "stall_not_selected") != 0;
}

/* Returns the main wait of a launch's warps; *share: of their time. NULL: unknown. */
static const char *main_stall(const struct evidence *e, double *share)
{
    double most = 0, total = 1 + (isnan(e->stall_not_selected) ? 0 : e->stall_not_selected); /* a cycle to issue */
    const char *meaning = NULL;
    for (size_t i = 0; i < evidence_count; i++) {
        double value = is_wait(&evidence_rows[i]) ? evidence_get(e, &evidence_rows[i]) : NAN;
        if (isnan(value))
            continue;
        total += value;
        if (value > most) {
            most = value;
            meaning = evidence_rows[i].meaning;
        }
    }
    *share = most / total;
    return meaning;
}

/* From this share on, a resource is at its ceiling, within the accuracy of measuring. */
static const double ceiling_reached = 0.98;

const char *binding_missing(const struct explain_input_configuration *bound)
{
    return bound->pipeline ? "the times of the pipeline's stages" : "hardware counters";
}

bool binding_is_stage(enum resource resource)
{
    return resource >= RESOURCE_ALLOCATION && resource < RESOURCE_COUNT;
}

void binding_print_stage(struct text *text, const struct explain_input_configuration *bound)
{
    bool one = bound->binds == RESOURCE_KERNEL || bound->binds == RESOURCE_HOST_WORK;
    text_printf(text, "%s take%s %.0f%% of the run", resource_name(bound->binds), one ? "s" : "", 100 * bound->share);
}

void binding_print(struct text *text, const struct explain_input_configuration *bound, enum resource resource,
                   const char *verb)
{
    double share = bound->resources[resource].share;
    const char *ceiling = resource == RESOURCE_DRAM ? "the copy ceiling" : "its ceiling";
    text_printf(text, "%s%s", resource_name(resource), verb);
    if (share < ceiling_reached)
        text_printf(text, "%.0f%% of %s", 100 * share, ceiling);
    else
        text_printf(text, "%s", ceiling);
}

static void print_latency(struct text *text, const struct explain_input_configuration *bound, enum resource busiest,
                          const struct evidence *launch)
{
    double share;
    const char *stall = main_stall(launch, &share);
    text_printf(text, "latency binds: the busiest resource, ");
    binding_print(text, bound, busiest, ", is at ");
    if (stall)
        text_printf(text, "; a warp %s for %.0f%% of its time", stall, 100 * share);
}

static void print_traffic(struct text *text, const struct explain_input_configuration *bound)
{
    if (bound->bytes_moved > 0 && bound->bytes_needed > 0)
        text_printf(text, "; DRAM moves %.2f times the bytes needed", bound->bytes_moved / bound->bytes_needed);
}

/* Returns the share of the link's ceiling at which the longest stage copies, or the kernel accesses host memory. */
static double stage_on_link(enum resource stage, const struct evidence *launch, const struct ceilings *ceilings)
{
    if (stage == RESOURCE_COPIES_IN)
        return 1e9 * launch->in_bytes / launch->in_ns / ceilings->link_to_device;
    if (stage == RESOURCE_COPIES_OUT)
        return 1e9 * launch->out_bytes / launch->out_ns / ceilings->link_to_host;
    if (stage == RESOURCE_KERNEL && launch->in_place == 1)
        return 1e9 * (launch->in_bytes + launch->out_bytes) / launch->kernel_ns / ceilings->link_both;
    return NAN;
}

static void print_stage(struct text *text, const struct explain_input_configuration *bound,
                        const struct evidence *launch, const struct ceilings *ceilings)
{
    double reached = stage_on_link(bound->binds, launch, ceilings);
    binding_print_stage(text, bound);
    if (reached > 0)
        text_printf(text, ", %sat %.0f%% of the link's ceiling",
                    bound->binds == RESOURCE_KERNEL ? "with accesses to host memory " : "", 100 * reached);
}

static void print_sentence(struct text *text, struct explain_input_configuration *bound, const struct evidence *launch,
                           const struct ceilings *ceilings)
{
    enum resource busiest = bound->binds;
    if (binding_is_stage(busiest)) {
        print_stage(text, bound, launch, ceilings);
    } else if (bound->share >= binding_least) {
        binding_print(text, bound, busiest, bound->share < ceiling_reached ? " binds: " : " binds: at ");
    } else if (bound->counters && bound->share > 0) {
        bound->binds = RESOURCE_LATENCY;
        print_latency(text, bound, busiest, launch);
    } else {
        bound->binds = RESOURCE_UNKNOWN;
        text_printf(text, "what binds is unknown without %s", binding_missing(bound));
        if (bound->share > 0)
            text_printf(text, "; the least traffic is at %.0f%% of %s", 100 * bound->share,
                        busiest == RESOURCE_LINK ? "the link's ceiling" : "the copy ceiling");
    }
    print_traffic(text, bound);
}

int binding_of(struct explain_input_configuration *bound, struct arena *arena, const struct explanation_input *input,
               const struct explanation_configuration *configuration, struct error *error)
{
    struct totals totals = totals_of(configuration);
    const struct evidence ceilings = ceilings_of(input, configuration), unknown = evidence_unknown();
    const struct evidence *launch = configuration->launch_count ? longest(configuration) : &unknown;
    *bound =
        (struct explain_input_configuration){.counters = totals.cycles > 0, .pipeline = launch_is_pipeline(launch)};
    bound->bytes_moved = bound->counters ? totals.dram_bytes : NAN;
    bound->bytes_needed = bytes_needed(input, configuration->measurement);
    bound->occupancy = isnan(launch->warps_active) ? launch->occupancy : launch->warps_active;
    fill_resources(bound, &totals, &ceilings);
    fill_link(bound, input, configuration->measurement);
    fill_stages(bound, launch);
    fill_points(bound, &totals);
    find_binding(bound, launch);
    struct text text = {0};
    print_sentence(&text, bound, launch, &input->provenance->ceilings);
    bound->sentence = text.failed ? NULL : arena_copy(arena, text_string(&text), text.length);
    text_free(&text);
    return bound->sentence ? 0 : error_memory(error);
}
