#include "evaluate/host_code.h"

#include <stdio.h>

#include <CUnit/Basic.h>

static void names_are_found(void)
{
    static const struct {
        const char *text;
        int line;
        struct host_code found; /* of `f`: defined, on_device, of_host */
    } rows[] = {
        {"", 0, {false, false, false}},
        {"int f() { return 1; }", 1, {true, false, false}},
        {"int f() { return 1; }\n__global__ void k() { f(); }", 1, {true, true, false}},
        {"__device__ int f() { return 1; }\n", 0, {true, false, false}},
        {"__global__ void k() { if (1) { f(); } }", 0, {false, true, false}},
        {"__device__ int a;\nint g() { return f(); }", 0, {true, false, false}}, /* the head ends with ';' */
        {"__device__ int g() { return 1; }\nint h() { f(); }", 0, {true, false, false}},
        {"namespace n { __device__ int g() { return f(); } }", 0, {false, true, false}},
        {"struct s { __device__ int g() { return f; } };", 0, {false, true, false}},
        /* comments, literals and directives are not code */
        {"// f\n/* f } */ const char *a = \"f {\", b = 'f'; // {\n#define X f \\\n f\n", 0, {false, false, false}},
        {"__global__ void k() { /* } */ const char *c = \"}\"; f(); }", 0, {false, true, false}},
        {"char a = 'x'; void f() { k<<<1, 2>>>(); }", 1, {true, false, true}},
        {"char a = '\\''; void f() { k<<<1, 2>>>(); }", 1, {true, false, true}},
        {"#define X\nvoid f() { k<<<1, 2>>>(); }", 2, {true, false, true}},
        {"  #define X f\n", 0, {false, false, false}},
        {"#define X \\\n\nvoid f() { k<<<1, 2>>>(); }", 3, {true, false, true}},
        {"#define XY\nvoid f() { k<<<1, 2>>>(); }", 2, {true, false, true}},
        {"__global__ void k() /* { */{ f(); }", 0, {false, true, false}},
        {"__global__ void k() { for (int i = 0; i < 9; i++) f(); }", 0, {false, true, false}},
        {"int ff() { f2(); }", 0, {false, false, false}},
        /* only the host launches kernels and calls the runtime */
        {"void f() {\n    k<<<1, 2>>>();\n}", 1, {true, false, true}},
        {"void f()\n{\n    { cudaMalloc(0, 1); }\n}", 1, {true, false, true}},
        {"void f() { int cudaX = 1, cudax(); std::cout << 1; }", 1, {true, false, true}},
        {"void f() { int cudaX = 1; cudax(); a << b; }", 1, {true, false, false}},
        {"void g() { k<<<1, 2>>>(); }\nvoid f() { }", 2, {true, false, false}},
        {"void f(int) { }\nvoid f() { k<<<1, 2>>>(); }", 1, {true, false, false}},
        {"void f(int) { }\nvoid f() { k<<<1, 2>>>(); }", 2, {true, false, true}},
        {"}}}} ) f ((( { { f", 0, {true, false, false}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct host_code found = host_code_of(rows[i].text, "f", rows[i].line);
        if (found.defined != rows[i].found.defined || found.on_device != rows[i].found.on_device ||
            found.of_host != rows[i].found.of_host)
            fprintf(stderr, "row %zu: %d %d %d\n", i, found.defined, found.on_device, found.of_host);
        CU_ASSERT_EQUAL(found.defined, rows[i].found.defined);
        CU_ASSERT_EQUAL(found.on_device, rows[i].found.on_device);
        CU_ASSERT_EQUAL(found.of_host, rows[i].found.of_host);
    }
    CU_ASSERT(host_code_of("int main() { return 0; }", "main", 1).of_host);
}

static void deep_blocks_end(void)
{
    char text[1024];
    for (size_t i = 0; i < sizeof text - 1; i++)
        text[i] = i % 3 ? 'f' : '{';
    text[sizeof text - 1] = '\0';
    CU_ASSERT_FALSE(host_code_of(text, "f", 0).on_device);
    CU_ASSERT(host_code_of(text, "ff", 0).defined);
    for (int depth = 64; depth <= 65; depth++) {
        snprintf(text, sizeof text, "__global__ void k() %.*s f", depth,
                 "{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{");
        CU_ASSERT_EQUAL(host_code_of(text, "f", 0).on_device, depth == 64);
    }
}

static void includes(void)
{
    static const struct {
        const char *text, *header;
        bool included;
    } rows[] = {{"#include <cub/device/x.cuh>\n", "cub/device/", true},
                {"#  include  \"a.h\"", "a.h", true},
                {"#include <cub/block/x.cuh>\n", "cub/device/", false},
                {"include", "", false},
                {"#include X\n#include <b.h>", "b.h", true},
                {"", "a.h", false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CU_ASSERT_EQUAL(host_code_includes(rows[i].text, rows[i].header), rows[i].included);
}

CU_TestInfo tests_host_code[] = {{"names are found", names_are_found},
                                 {"deep blocks end", deep_blocks_end},
                                 {"includes", includes},
                                 CU_TEST_INFO_NULL};
