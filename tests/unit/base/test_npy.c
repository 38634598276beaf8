#include "base/npy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

/* Makes a file with this header and `data_bytes` of data, as numpy.save writes it except for the padding. */
static size_t make(char *file, size_t room, int version, const char *dictionary, size_t data_bytes)
{
    size_t text = strlen(dictionary), start = version == 1 ? 10 : 12;
    memset(file, 0, room);
    memcpy(file, "\x93NUMPY", 6);
    file[6] = (char)version;
    file[8] = (char)(text & 255);
    file[9] = (char)(text >> 8);
    memcpy(file + start, dictionary, text);
    return start + text + data_bytes;
}

static void headers(void)
{
    static const struct {
        int version;
        const char *dictionary;
        char kind;
        uint32_t bytes;
        size_t axes;
        uint64_t last, count;
    } rows[] = {
        {1, "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }  \n", 'f', 4, 2, 4, 12},
        {2, "{'descr': '|u1', 'fortran_order': True, 'shape': (5,), }", 'u', 1, 1, 5, 5},
        {3, "{ 'shape' : ( ) , 'fortran_order' : False , 'descr' : '<i8' }", 'i', 8, 0, 0, 1},
        {1, "{\"descr\": \"|b1\", \"fortran_order\": False, \"shape\": (0, 7)}", 'b', 1, 2, 7, 0},
        {1, "{'descr': '>i1', 'fortran_order': False, 'shape': (2, 2, 2,)}", 'i', 1, 3, 2, 8},
        {1, "{'descr': '=f2', 'fortran_order': False, 'shape': (9,)}", 'f', 2, 1, 9, 9},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char file[512];
        struct npy npy;
        struct error error = {0};
        size_t length = make(file, sizeof file, rows[i].version, rows[i].dictionary, 0);
        CU_ASSERT_EQUAL(npy_parse("a.npy", file, length, &npy, &error), 0);
        CU_ASSERT_STRING_EQUAL(error.message, "");
        CU_ASSERT(npy.kind == rows[i].kind && npy.bytes == rows[i].bytes && npy.axes == rows[i].axes);
        CU_ASSERT(npy.count == rows[i].count && npy.offset == length);
        CU_ASSERT(!npy.axes || npy.shape[npy.axes - 1] == rows[i].last);
    }
}

#define HEAD(type, order, shape) "{'descr': " type ", 'fortran_order': " order ", 'shape': " shape "}"

static void refusals(void)
{
    static const struct {
        int version;
        const char *dictionary, *message;
    } rows[] = {
        {1, HEAD("'>f4'", "False", "(3,)"), "a.npy: the array is big-endian"},
        {1, HEAD("'<f4'", "True", "(3, 4)"), "a.npy: the array is in Fortran's order"},
        {1, HEAD("'<c8'", "False", "(3,)"), "a.npy: the type '<c8' is not of plain numbers"},
        {1, HEAD("'<f'", "False", "(3,)"), "a.npy: the type '<f' is not of plain numbers"},
        {1, HEAD("'<f04'", "False", "(3,)"), "a.npy: the type '<f04' is not of plain numbers"},
        {1, HEAD("'<f17'", "False", "(3,)"), "a.npy: the type '<f17' is not of plain numbers"},
        {1, HEAD("'!f4'", "False", "(3,)"), "a.npy: the type '!f4' is not of plain numbers"},
        {1, HEAD("[('a', '<f4')]", "False", "(3,)"), "a.npy: the array has named fields, not plain numbers"},
        {1, HEAD("'<f4'", "Maybe", "(3,)"), "a.npy: the header is not one of NumPy's"},
        {1, HEAD("'<f4'", "False", "(3"), "a.npy: the header is not one of NumPy's"},
        {1, HEAD("'<f4'", "False", "(3 4)"), "a.npy: the header is not one of NumPy's"},
        {1, HEAD("'<f4'", "False", "(-3,)"), "a.npy: the header is not one of NumPy's"},
        {1, HEAD("'<f4'", "False", "(99999999999999999999,)"), "a.npy: the header is not one of NumPy's"},
        {1, HEAD("'<f4'", "False", "(4294967296, 4294967296)"), "a.npy: the header is not one of NumPy's"},
        {1, "{'descr': '<f4', 'shape': (3,)}", "a.npy: the header is not one of NumPy's"},
        {1, "{'fortran_order': False, 'shape': (3,)}", "a.npy: the header is not one of NumPy's"},
        {1, "{'descr': '<f4', 'fortran_order': False}", "a.npy: the header is not one of NumPy's"},
        {1, "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (3,)}",
         "a.npy: the header is not one of NumPy's"},
        {1, "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), 'more': 1}",
         "a.npy: the header is not one of NumPy's"},
        {1, "", "a.npy: the header is not one of NumPy's"},
        {4, HEAD("'<f4'", "False", "(3,)"), "a.npy: a .npy file of an unknown version"},
        {0, HEAD("'<f4'", "False", "(3,)"), "a.npy: a .npy file of an unknown version"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char file[512];
        struct npy npy;
        struct error error = {0};
        size_t length = make(file, sizeof file, rows[i].version, rows[i].dictionary, 0);
        CU_ASSERT_EQUAL(npy_parse("a.npy", file, length + 2, &npy, &error), ERROR_DATA);
        CU_ASSERT_STRING_EQUAL(error.message, rows[i].message);
    }
}

/* A header that ends too early is refused at every length. */
static void cut(void)
{
    char file[512];
    struct npy npy;
    size_t length = make(file, sizeof file, 1, HEAD("'<f4'", "False", "(3,)"), 0);
    for (size_t i = 0; i < length; i++) {
        struct error error = {0};
        CU_ASSERT_EQUAL(npy_parse("a.npy", file, i, &npy, &error), ERROR_DATA);
    }
    CU_ASSERT_EQUAL(npy_parse("a.npy", file, length, &npy, NULL), 0);
}

static void files(void)
{
    static const struct {
        size_t data_bytes;
        int code;
    } rows[] = {{12, 0}, {11, ERROR_DATA}, {13, ERROR_DATA}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char file[512], path[] = "/tmp/cutune_npy_XXXXXX";
        struct npy npy;
        struct error error = {0};
        size_t length = make(file, sizeof file, 1, HEAD("'<f4'", "False", "(3,)"), rows[i].data_bytes);
        int descriptor = mkstemp(path);
        CU_ASSERT_FATAL(descriptor >= 0);
        CU_ASSERT_EQUAL(write(descriptor, file, length), (ssize_t)length);
        close(descriptor);
        CU_ASSERT_EQUAL(npy_open(path, &npy, &error), rows[i].code);
        unlink(path);
        CU_ASSERT_EQUAL(npy_open(path, &npy, NULL), ERROR_NOT_FOUND);
    }
}

/* Written headers can be read. */
static void written_heads(void)
{
    static const struct {
        char kind;
        uint32_t bytes;
        uint64_t count;
        uint32_t components;
    } rows[] = {{'f', 4, 12, 1}, {'u', 1, 1, 1}, {'b', 1, 7, 4}, {'i', 8, UINT64_MAX / 64, 4}, {'f', 2, 1000, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text text = {0};
        struct error error = {0};
        struct npy npy;
        npy_head(&text, rows[i].kind, rows[i].bytes, rows[i].count, rows[i].components);
        CU_ASSERT_EQUAL(npy_parse("head", text.bytes, text.length, &npy, &error), 0);
        CU_ASSERT(npy.kind == rows[i].kind && npy.bytes == rows[i].bytes && npy.shape[0] == rows[i].count);
        CU_ASSERT_EQUAL(npy.axes, rows[i].components > 1 ? 2 : 1);
        CU_ASSERT_EQUAL(npy.count, rows[i].count * rows[i].components);
        CU_ASSERT(npy.offset == text.length && npy.offset % 64 == 0 && text.bytes[text.length - 1] == '\n');
        text_free(&text);
    }
}

CU_TestInfo tests_npy[] = {{"written heads", written_heads},

                           {"headers", headers},
                           {"refusals", refusals},
                           {"cut", cut},
                           {"files", files},
                           CU_TEST_INFO_NULL};
