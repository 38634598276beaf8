/* Scripts of kernels of the fake runtime and their execution, and counters shared by all processes. */
#include <elf.h>
#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "fake_private.h"

/* ---- Scripts ---- */

static void wrong(const char *script, const char *what)
{
    fprintf(stderr, "the fake CUDA runtime does not understand '%s' in '%s'\n", what, script);
    abort();
}

size_t fake_cubin_bytes(const void *code)
{
    Elf64_Ehdr head; /* a cubin in a message is unaligned */
    if (memcmp(code, ELFMAG, SELFMAG) != 0)
        return 0;
    memcpy(&head, code, sizeof head);
    size_t sections = head.e_shoff + (size_t)head.e_shnum * head.e_shentsize;
    size_t segments = head.e_phoff + (size_t)head.e_phnum * head.e_phentsize;
    return sections > segments ? sections : segments;
}

void fake_script_of(const void *code, size_t room, char *script)
{
    const char *text = code;
    size_t bytes = fake_cubin_bytes(code);
    *script = '\0';
    if (bytes)
        text = memmem(code, bytes, "fake:", 5);
    if (text && strncmp(text, "fake:", 5) == 0)
        snprintf(script, room, "%s", text);
}

static const struct {
    const char *name;
    size_t offset;
} numbers[] = {
#define NUMBER(name)                                                                                                   \
    {                                                                                                                  \
#name, offsetof(struct fake_script, name)                                                                      \
    }
    NUMBER(time_ns), NUMBER(first_ns),  NUMBER(cold_ns), NUMBER(hidden_ns), NUMBER(real_ns), NUMBER(noise),
    NUMBER(drift),   NUMBER(registers), NUMBER(local),   NUMBER(shared),    NUMBER(power),   NUMBER(watts),
#undef NUMBER
};
static const char *const faults[] = {
#define FAULT(name, text) #name,
    FAKE_FAULTS
#undef FAULT
};

static bool parse_word(struct fake_script *script, const char *name, const char *value)
{
    char *end;
    if (strcmp(name, "id") == 0)
        return true;
    if (strcmp(name, "letter") == 0) {
        script->letter = *value;
        return value[0] && !value[1];
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strcmp(name, numbers[i].name) == 0) {
            *(double *)((char *)script + numbers[i].offset) = text_number(value, &end);
            return end != value && !*end;
        }
    for (size_t i = 0; i < FAKE_FAULT_COUNT; i++)
        if (strcmp(name, faults[i]) == 0) {
            struct fake_strike *strike = &script->strikes[i];
            strike->first = (unsigned)strtoul(value, &end, 10);
            strike->every = *end == '/' ? (unsigned)strtoul(end + 1, &end, 10) : 1;
            return end != value && !*end;
        }
    return false;
}

struct fake_script fake_parse(const char *text)
{
    struct fake_script script = {.time_ns = 10000, .registers = 32, .power = 1, .letter = 'k'};
    char words[FAKE_SCRIPT_BYTES], *rest = words, *word;
    snprintf(words, sizeof words, "%s", text + (*text ? strlen("fake:") : 0));
    while ((word = strtok_r(rest, " ", &rest))) {
        char *value = strchr(word, '=');
        if (value)
            *value++ = '\0';
        if (!value || !parse_word(&script, word, value))
            wrong(text, word);
    }
    return script;
}

/* ---- Counters shared by all processes ---- */

struct fake_count {
    char script[FAKE_SCRIPT_BYTES], kernel[64];
    unsigned tries, launches;
};

enum { COUNTS = 256, TRACE_BYTES = 1 << 18 };
struct shared {
    unsigned lives, mappings;
    int connections;
    size_t traced;
    struct fake_count counts[COUNTS];
    char trace[TRACE_BYTES];
};
static struct shared *shared;

struct fake_count *fake_count_of(const char *script, const char *kernel)
{
    for (size_t i = 0; i < COUNTS; i++) {
        struct fake_count *count = &shared->counts[i];
        if (!*count->kernel) {
            snprintf(count->script, sizeof count->script, "%s", script);
            snprintf(count->kernel, sizeof count->kernel, "%s", kernel);
        }
        if (strcmp(count->script, script) == 0 && strcmp(count->kernel, kernel) == 0)
            return count;
    }
    fprintf(stderr, "the fake CUDA runtime has room for %d scripts\n", COUNTS);
    abort();
}

void fake_count_life(void)
{
    const char *connections = getenv("CUDA_DEVICE_MAX_CONNECTIONS");
    shared->connections = connections ? atoi(connections) : 0;
    __atomic_add_fetch(&shared->lives, 1, __ATOMIC_SEQ_CST);
}

unsigned fake_lives(void)
{
    return shared->lives;
}

void fake_count_mapping(void)
{
    __atomic_add_fetch(&shared->mappings, 1, __ATOMIC_SEQ_CST);
}

unsigned fake_mappings(void)
{
    return shared->mappings;
}

int fake_connections(void)
{
    return shared->connections;
}

unsigned fake_launches(const char *script)
{
    unsigned launches = 0;
    for (size_t i = 0; i < COUNTS; i++)
        if (*shared->counts[i].kernel && strcmp(shared->counts[i].script, script) == 0)
            launches += shared->counts[i].launches;
    return launches;
}

/* Drops letters when the buffer is full: tests that read the trace clear it first. */
void fake_note(char letter)
{
    size_t at = __atomic_fetch_add(&shared->traced, 1, __ATOMIC_SEQ_CST);
    if (at < TRACE_BYTES - 1)
        shared->trace[at] = letter;
}

/* Writes the work behind a batch, an event and a kernel many times, as one letter. */
const char *fake_trace(void)
{
    static char trace[TRACE_BYTES];
    size_t length = 0;
    for (const char *at = shared->trace; *at; at++) {
        if (at[0] == 'E' && at[1] == 't')
            continue;
        if (*at != 't' || !length || trace[length - 1] != 't')
            trace[length++] = *at;
    }
    trace[length] = '\0';
    return trace;
}

void fake_trace_clear(void)
{
    memset(shared->trace, 0, sizeof shared->trace);
    shared->traced = 0;
}

void fake_forget(void)
{
    if (!shared)
        shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        abort();
    memset(shared, 0, sizeof *shared);
}

/* ---- Running ---- */

static bool strikes(const struct fake_loaded *loaded, enum fake_fault fault, unsigned number)
{
    const struct fake_strike *strike = &loaded->script.strikes[fault];
    if (!strike->first || number < strike->first || shared->lives < fake.faults_from)
        return false;
    return strike->every ? (number - strike->first) % strike->every == 0 : number == strike->first;
}

static unsigned count(unsigned *counter)
{
    return __atomic_add_fetch(counter, 1, __ATOMIC_SEQ_CST);
}

cudaError_t fake_loading(const struct fake_loaded *loaded)
{
    unsigned number = count(&loaded->count->tries);
    return strikes(loaded, FAKE_load, number)      ? cudaErrorMemoryAllocation
           : strikes(loaded, FAKE_invalid, number) ? cudaErrorInvalidKernelImage
                                                   : cudaSuccess;
}

cudaError_t fake_launching(const struct fake_loaded *loaded)
{
    unsigned number = count(&loaded->count->tries);
    return strikes(loaded, FAKE_refuse, number)     ? cudaErrorLaunchOutOfResources
           : strikes(loaded, FAKE_nomemory, number) ? cudaErrorMemoryAllocation
                                                    : cudaSuccess;
}

/* Returns a number from -1 to 1. */
static double deviation(unsigned number)
{
    uint64_t bits = (number + 1) * 0x9e3779b97f4a7c15u;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
    return (double)(bits >> 11) * 0x1p-52 - 1;
}

enum { PAGE_BYTES = 1 << 21 };

static double cost_ns(struct fake_loaded *loaded, unsigned number, uint64_t flushes)
{
    const struct fake_script *script = &loaded->script;
    double ns = script->time_ns * (1 + script->drift * (number - 1)) * (1 + script->noise * deviation(number)) *
                (1 + 0.001 * fake.slower * fake.device) *
                (1 + 0.001 * fake.places * deviation((unsigned)(fake.device_used / PAGE_BYTES)));
    if (loaded->runs == 1)
        ns += script->first_ns;
    if (loaded->flushes != flushes)
        ns += script->cold_ns;
    loaded->flushes = flushes;
    return ns;
}

/* Waits longer than any test, but not for ever. */
static void spin(void)
{
    for (int s = 0; s < 60; s++)
        sleep(1);
    fprintf(stderr, "nobody ended a kernel that spins\n");
    abort();
}

static bool cheats(const struct fake_kernel *kernel, const uint64_t *arguments, unsigned number)
{
    for (enum fake_fault cheat = 0; cheat < FAKE_FAULT_COUNT; cheat++)
        if (strikes(kernel->loaded, cheat, number) && fake_cheats(kernel, arguments, cheat))
            return true;
    return false;
}

double fake_run(const struct fake_kernel *kernel, const uint64_t *arguments, uint64_t flushes)
{
    struct fake_loaded *loaded = kernel->loaded;
    float *first = (float *)(uintptr_t)arguments[0], *second = (float *)(uintptr_t)arguments[1];
    static unsigned runs; /* of this process */
    unsigned number = count(&loaded->count->launches);
    loaded->runs++;
    if (strikes(loaded, FAKE_kill, number) || (fake.dies && shared->lives >= fake.dies && ++runs == 5)) {
        signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
    }
    if (strikes(loaded, FAKE_spin, number))
        spin();
    if (loaded->script.real_ns > 0)
        clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){.tv_nsec = (long)loaded->script.real_ns}, NULL);
    if (strikes(loaded, FAKE_sticky, number))
        fake.broken = cudaErrorIllegalAddress;
    else if (!strikes(loaded, FAKE_unwritten, number) && !strikes(loaded, FAKE_stale, loaded->runs) &&
             !cheats(kernel, arguments, number))
        kernel->run(arguments);
    if (strikes(loaded, FAKE_jitter, number))
        first[0] *= number % 2 ? 1.000001f : 0.999999f;
    if (strikes(loaded, FAKE_count_launches, number))
        ++*(unsigned *)fake.symbol;
    if (strikes(loaded, FAKE_wrong, number))
        first[0] += 1;
    if (strikes(loaded, FAKE_nan, number))
        first[0] = NAN;
    if (strikes(loaded, FAKE_beside, number))
        first[-1] = 0;
    if (strikes(loaded, FAKE_input, number))
        second[0] += 1;
    return cost_ns(loaded, number, flushes);
}
