/* Recognition of files, and files that gzip has compressed. */
#include <zlib.h>

#include "exchange/formats.h"
#include "exchange/gzip.h"
#include "journals.h"

static void recognition(void)
{
    static const struct {
        const char *text, *name; /* NULL: unknown */
    } rows[] = {
        {"{\"cache\":{},\"tune_params_keys\":[]}", "Kernel Tuner caches"},
        {"{\"tune_params_keys\":[\"a\"],\"cache\":{\"1\":{\"a\":1},", "Kernel Tuner caches"}, /* still open */
        {"{\"Metadata\":{},\"Results\":[]}", "KTT results"},
        {"{\"results\":[],\"kernel_family\":\"k\"}", "CLBlast tuning results"},
        {"\xef\xbb\xbf\n {\"metadata\":{\"Results\":1}, \"results\" : []}", "T4 results"},
        {"{\"ConfigurationSpace\":", "T1 descriptions"},
        {"Benchmark,Device,Device Name,N,Skipped,Samples\n", "nvbench results"},
        {"\"Benchmark\",\"Skipped\"", "nvbench results"},
        {"Benchmark,N\nSkipped,1\n", NULL},
        {"Benchmark Skipped", NULL},
        {"{\"Benchmark\":1,\"Skipped\":2}", NULL},
        {"cache,tune_params_keys\n", NULL},
        {"{\"Results\":[]}", NULL},
        {"{\"cache\":{\"tune_params_keys\":1}}", NULL},
        {"[\"results\"]", NULL},
        {"{\"results", NULL},
        {"{", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct exchange_format *format = exchange_recognise(rows[i].text, strlen(rows[i].text));
        bool right = rows[i].name ? format && strcmp(format->name, rows[i].name) == 0 : !format;
        if (!right)
            fprintf(stderr, "\n%s: %s", rows[i].text, format ? format->name : "unknown");
        CU_ASSERT(right);
    }
}

static void unknown(void)
{
    static const struct {
        const char *text;
        int code;
        const char *message, *hint;
    } rows[] = {
        {"a,b\n1,2\n", ERROR_USAGE, "f is a table: --time COLUMN must name", "--time time_ms"},
        {"a\n1\n", ERROR_DATA, "f is no file that import knows", "Kernel Tuner caches, KTT results, CLBlast"},
        {"{\"a,b\":1}", ERROR_DATA, "f is no file that import knows", "and tables in CSV"},
        {"{'a':1}", ERROR_DATA, "this is not JSON", ""},
        {"", ERROR_DATA, "f is no file that import knows", "T1 descriptions, nvbench results"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error error = {0};
        CU_ASSERT_EQUAL(exchange_unknown("f", rows[i].text, strlen(rows[i].text), &error), rows[i].code);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.message, rows[i].message));
        CU_ASSERT_PTR_NOT_NULL(strstr(error.hint, rows[i].hint));
    }
}

/* Appends a part that gzip would make. */
static void compress_part(struct text *out, const char *text, size_t length)
{
    unsigned char buffer[4096];
    z_stream stream = {.next_in = (unsigned char *)text, .avail_in = (unsigned)length};
    CU_ASSERT_EQUAL_FATAL(deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    stream.next_out = buffer;
    stream.avail_out = sizeof buffer;
    CU_ASSERT_EQUAL_FATAL(deflate(&stream, Z_FINISH), Z_STREAM_END);
    text_append(out, buffer, sizeof buffer - stream.avail_out);
    deflateEnd(&stream);
}

static void compressed(void)
{
    struct text parts = {0}, zeros = {0}, bomb = {0};
    static const char no_gzip[] = "\x1f";
    compress_part(&parts, "one, ", 5);
    size_t first = parts.length;
    compress_part(&parts, "", 0);
    compress_part(&parts, "two", 3);
    for (size_t i = 0; i < 300000; i++)
        text_append(&zeros, "0", 1);
    compress_part(&bomb, zeros.bytes, zeros.length);
    const struct {
        const char *bytes;
        size_t length;
        const char *text, *message; /* one of them is NULL */
    } rows[] = {
        {"", 0, "", NULL},
        {no_gzip, 1, no_gzip, NULL},
        {"plain", 5, "plain", NULL},
        {parts.bytes, parts.length, "one, two", NULL},
        {parts.bytes, first, "one, ", NULL},
        {bomb.bytes, bomb.length, NULL, "f is larger than 0 MiB when it is expanded"},
        {parts.bytes, parts.length - 1, NULL, "cut off"},
        {parts.bytes, first - 9, NULL, "cut off"},
        {parts.bytes, first + 5, NULL, "cut off"},
        {parts.bytes, 2, NULL, "cut off"},
        {"\x1f\x8b\x07\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00", 14, NULL, "damaged"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text text = {0};
        struct error error = {0};
        text_append(&text, rows[i].bytes, rows[i].length);
        int code = gzip_expand("f", 100000, &text, &error);
        CU_ASSERT_EQUAL(code, rows[i].message ? ERROR_DATA : 0);
        bool right = code ? strstr(error.message, rows[i].message ? rows[i].message : "") != NULL
                          : strcmp(text_string(&text), rows[i].text ? rows[i].text : "") == 0;
        if (!right)
            fprintf(stderr, "\n%zu: %s %s", i, text_string(&text), error.message);
        CU_ASSERT(right);
        text_free(&text);
    }
    text_free(&parts);
    text_free(&zeros);
    text_free(&bomb);
}

CU_TestInfo tests_formats[] = {
    {"recognition", recognition}, {"unknown files", unknown}, {"compressed files", compressed}, CU_TEST_INFO_NULL};
