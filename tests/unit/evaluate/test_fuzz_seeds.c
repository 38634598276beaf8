/* The seeds of fuzz_pack (tests/fuzz/pack/): one for each message, in its present form, so that fuzzing begins behind
 * the checks of counts and lengths. With CUTUNE_TEST_UPDATE=1 in the environment, the test writes them anew. */
#include <stdlib.h>

#include "../../fuzz/pack_tables.h"
#include "../language/support.h"
#include "base/file.h"

static const char folder[] = TEST_FOLDER "/fuzz/";

/* ---- Structs ---- */

enum { ROWS = 2 }; /* of arrays, and bytes and strings of others */
static const char strings[] = "a\0b";

static void store(char *to, size_t bytes, uint64_t number)
{
    memcpy(to, &number, bytes); /* little-endian */
}

/* Fills a struct with numbers that are not zero where they need not be, two rows, and short texts. */
static void fill(const struct pack_table *table, char *to)
{
    for (size_t f = 0; f < table->field_count; f++) {
        const struct pack_field *field = &table->fields[f];
        const double real = 0.5;
        const char *pointer = strings;
        char *at = to + field->offset;
        if (field->other_bytes)
            store(to + field->other_offset, field->other_bytes, ROWS);
        switch (field->kind) {
        case PACK_KIND_UNSIGNED:
        case PACK_KIND_SIGNED:
            for (size_t i = 0; i < field->count; i++)
                store(at + i * field->bytes, field->bytes, field->limit ? (i + 1) % field->limit : i + 1);
            break;
        case PACK_KIND_REAL:
            for (size_t i = 0; i < field->count; i++)
                memcpy(at + i * field->bytes, &real, sizeof real);
            break;
        case PACK_KIND_TEXT:
        case PACK_KIND_RAW:
            memcpy(at, strings, ROWS);
            break;
        case PACK_KIND_STRING:
        case PACK_KIND_RANGE:
        case PACK_KIND_STRINGS:
            memcpy(at, &pointer, sizeof pointer);
            break;
        case PACK_KIND_ROWS:
            for (size_t i = 0; i < (field->other_bytes ? ROWS : field->count); i++)
                fill(field->table, at + i * field->bytes);
            break;
        }
    }
}

static void pack_filled(const struct pack_table *table, struct text *text)
{
    char *bytes = calloc(1, table->bytes);
    CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
    fill(table, bytes);
    pack_struct(text, table, bytes);
    free(bytes);
}

/* ---- Kernels, whose launches must make sense ---- */

static void pack_kernel_of(const char *space_file, const char *source, struct text *text)
{
    static const uint32_t choices[SPACE_PARAMETERS_MAX] = {1};
    const struct device_limits limits = h200_limits();
    struct text file = {0};
    struct error error = {0};
    struct launch launch;
    char path[512];
    snprintf(path, sizeof path, "%sspace/%s", folder, space_file);
    CU_ASSERT_EQUAL_FATAL(file_read(path, 1 << 20, &file, &error), 0);
    struct space *space = bound(text_string(&file), source, &limits);
    CU_ASSERT_PTR_NOT_NULL_FATAL(space);
    CU_ASSERT_EQUAL_FATAL(space_launch(space, choices, &launch, &error), 0);
    message_pack_kernel(text, &(struct device_kernel){.cubin = "cubin",
                                                      .cubin_bytes = 5,
                                                      .lowered_names = "a\0b\0c\0d",
                                                      .name_count = launch.kernel_count,
                                                      .launch = &launch,
                                                      .work = 2.5,
                                                      .set = 1});
    space_free(space);
    text_free(&file);
}

static void pack_kernels(struct text *text)
{
    static const int64_t size = 64;
    struct device_kernel library = {
        .cubin = "so", .cubin_bytes = 2, .lowered_names = "", .library = "a.so", .size_count = 1};
    library.sizes[0] = size;
    pack_kernel_of("technique.space", "__constant__ float out[4];", text);
    pack_kernel_of("loops.space", "", text);
    message_pack_kernel(text, &library);
}

/* ---- The seeds ---- */

static void write_seed(const char *path, size_t number)
{
    struct text text = {0};
    const char first = (char)number;
    text_append(&text, &first, 1);
    if (pack_tables[number].table)
        pack_filled(pack_tables[number].table, &text);
    else
        pack_kernels(&text);
    FILE *file = fopen(path, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT_EQUAL(fwrite(text.bytes, 1, text.length, file), text.length);
    fclose(file);
    text_free(&text);
}

static bool is_struct(const struct pack_table *table, const char *bytes, size_t length)
{
    void *to = malloc(table->bytes);
    CU_ASSERT_PTR_NOT_NULL_FATAL(to);
    bool whole = unpack_whole(bytes, length, table, to);
    free(to);
    return whole;
}

static bool are_kernels(const char *bytes, size_t length)
{
    struct unpack unpack = unpack_start(bytes, length);
    struct device_kernel kernel;
    struct launch launch;
    while (unpack.at < unpack.end && message_unpack_kernel(&unpack, &kernel, &launch))
        ;
    return unpack_finished(&unpack);
}

static void present_form(void)
{
    const char *update = getenv("CUTUNE_TEST_UPDATE");
    for (size_t i = 0; i < PACK_TABLES; i++) {
        const struct pack_table *table = pack_tables[i].table;
        struct text seed = {0};
        struct error error = {0};
        char path[512];
        snprintf(path, sizeof path, "%spack/%s", folder, pack_tables[i].seed);
        if (update && strcmp(update, "1") == 0)
            write_seed(path, i);
        CU_ASSERT_EQUAL_FATAL(file_read(path, 1 << 20, &seed, &error), 0);
        bool right =
            seed.length && (unsigned char)*seed.bytes == i &&
            (table ? is_struct(table, seed.bytes + 1, seed.length - 1) : are_kernels(seed.bytes + 1, seed.length - 1));
        if (!right)
            fprintf(stderr, "\n%s has another form: write it anew with CUTUNE_TEST_UPDATE=1\n", path);
        CU_ASSERT(right);
        text_free(&seed);
    }
}

CU_TestInfo tests_fuzz_seeds[] = {{"present form", present_form}, CU_TEST_INFO_NULL};
