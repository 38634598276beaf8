#include "base/npy.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/damage.h"
#include "base/file.h"

/* The header's text: a Python dictionary literal. */
struct reader {
    const char *at, *end;
};

static void skip_space(struct reader *reader)
{
    while (reader->at < reader->end && strchr(" \t\r\n", *reader->at) && *reader->at)
        reader->at++;
}

static bool take(struct reader *reader, const char *text)
{
    size_t length = strlen(text);
    skip_space(reader);
    if ((size_t)(reader->end - reader->at) < length || memcmp(reader->at, text, length) != 0)
        return false;
    reader->at += length;
    return true;
}

/* Reads a quoted string without escapes. */
static bool take_string(struct reader *reader, char *string, size_t room)
{
    skip_space(reader);
    if (reader->at == reader->end || (*reader->at != '\'' && *reader->at != '"'))
        return false;
    const char *close = memchr(reader->at + 1, *reader->at, (size_t)(reader->end - reader->at - 1));
    size_t length = close ? (size_t)(close - reader->at - 1) : room;
    if (length >= room)
        return false;
    memcpy(string, reader->at + 1, length);
    string[length] = '\0';
    reader->at = close + 1;
    return true;
}

static bool take_number(struct reader *reader, uint64_t *number)
{
    skip_space(reader);
    const char *start = reader->at;
    *number = 0;
    for (; reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9'; reader->at++)
        if (__builtin_mul_overflow(*number, (uint64_t)10, number) ||
            __builtin_add_overflow(*number, (uint64_t)(*reader->at - '0'), number))
            return false;
    return reader->at > start;
}

/* "(3, 4)", "(3,)" or "()" */
static bool take_shape(struct reader *reader, struct npy *npy)
{
    npy->count = 1;
    if (!take(reader, "("))
        return false;
    while (!take(reader, ")")) {
        if (npy->axes == NPY_AXES_MAX || !take_number(reader, &npy->shape[npy->axes]) ||
            __builtin_mul_overflow(npy->count, npy->shape[npy->axes], &npy->count))
            return false;
        npy->axes++;
        if (!take(reader, ","))
            return take(reader, ")");
    }
    return true;
}

static int wrong(const char *path, struct error *error, const char *what)
{
    return error_set(error, ERROR_DATA, "%s: %s", path, what);
}

static int take_type(const char *path, const char *text, struct npy *npy, struct error *error)
{
    char *end;
    unsigned long bytes = strlen(text) > 2 ? strtoul(text + 2, &end, 10) : 0;
    bool plain =
        bytes > 0 && *end == '\0' && text[2] >= '1' && text[2] <= '9' && strchr("biuf", text[1]) && bytes <= 16;
    if (plain && text[0] == '>' && bytes > 1) {
        wrong(path, error, "the array is big-endian");
        error_hint(error, "write it with numpy.save(file, array.astype(array.dtype.newbyteorder('<')))");
        return ERROR_DATA;
    }
    if (!plain || !strchr("<>|=", text[0])) {
        error_set(error, ERROR_DATA, "%s: the type '%.40s' is not of plain numbers", path, text);
        error_hint(error, "expected booleans, integers or floats, such as '<f4'");
        return ERROR_DATA;
    }
    npy->kind = text[1];
    npy->bytes = (uint32_t)bytes;
    return 0;
}

static int parse_dictionary(const char *path, struct reader *reader, struct npy *npy, struct error *error)
{
    char key[32], type[64] = "";
    bool has_order = false, has_shape = false, column_major = false, good = take(reader, "{");
    while (good && !take(reader, "}")) {
        good = take_string(reader, key, sizeof key) && take(reader, ":");
        if (good && strcmp(key, "descr") == 0) {
            if (!*type && take(reader, "["))
                return wrong(path, error, "the array has named fields, not plain numbers");
            good = !*type && take_string(reader, type, sizeof type);
        } else if (good && strcmp(key, "fortran_order") == 0) {
            column_major = take(reader, "True");
            good = !has_order && (column_major || take(reader, "False"));
            has_order = true;
        } else if (good && strcmp(key, "shape") == 0) {
            good = !has_shape && take_shape(reader, npy);
            has_shape = true;
        } else {
            good = false;
        }
        if (good && !take(reader, ",")) {
            good = take(reader, "}");
            break;
        }
    }
    if (!good || !*type || !has_order || !has_shape)
        return wrong(path, error, "the header is not one of NumPy's");
    if (column_major && npy->axes > 1) {
        wrong(path, error, "the array is in Fortran's order");
        error_hint(error, "write it with numpy.save(file, numpy.ascontiguousarray(array))");
        return ERROR_DATA;
    }
    return take_type(path, type, npy, error);
}

int npy_parse(const char *path, const char *bytes, size_t length, struct npy *npy, struct error *error)
{
    static const char magic[] = "\x93NUMPY";
    const unsigned char *head = (const unsigned char *)bytes;
    enum { MAGIC = sizeof magic - 1 };
    memset(npy, 0, sizeof *npy);
    if (length < MAGIC + 6 || memcmp(bytes, magic, MAGIC) != 0)
        return wrong(path, error, "not a .npy file");
    if (head[MAGIC] < 1 || head[MAGIC] > 3)
        return wrong(path, error, "a .npy file of an unknown version");
    size_t start = MAGIC + (head[MAGIC] == 1 ? 4 : 6), text = head[MAGIC + 2] + ((size_t)head[MAGIC + 3] << 8);
    if (head[MAGIC] > 1)
        text += ((size_t)head[MAGIC + 4] << 16) + ((size_t)head[MAGIC + 5] << 24);
    if (text > length - start)
        return wrong(path, error, "the header is longer than the file, or than 64 KiB");
    struct reader reader = {bytes + start, bytes + start + text};
    int code = parse_dictionary(path, &reader, npy, error);
    npy->offset = start + text;
    return code;
}

int npy_open(const char *path, struct npy *npy, struct error *error)
{
    struct stat about = {0};
    uint64_t bytes;
    int code = file_check_regular(path, error);
    FILE *file = code ? NULL : fopen(path, "rbe");
    if (code)
        return code;
    if (!file)
        return error_errno(error, errno == ENOENT ? ERROR_NOT_FOUND : ERROR_IO, "cannot open %s", path);
    char *head = malloc(NPY_HEAD_MAX);
    if (!head)
        code = error_memory(error);
    size_t length = head ? fread(head, 1, NPY_HEAD_MAX, file) : 0;
    if (!code && (ferror(file) || fstat(fileno(file), &about) != 0))
        code = error_errno(error, ERROR_IO, "cannot read %s", path);
    if (!code)
        code = npy_parse(path, head, length, npy, error);
    if (!code && (__builtin_mul_overflow(npy->count, (uint64_t)npy->bytes, &bytes) ||
                  bytes != (uint64_t)about.st_size - npy->offset))
        code = wrong(path, error, "the file's size is not that of its array");
    if (code && head)
        damage_explain(DAMAGE_NPY, path, head, length, code, error);
    free(head);
    fclose(file);
    return code;
}

void npy_head(struct text *text, char kind, uint32_t bytes, uint64_t count, uint32_t components)
{
    enum { VERSION = 10, ALIGN = 64 }; /* magic, version and length; where NumPy's own files begin their data */
    char dictionary[2 * ALIGN], axis[16] = "";
    if (components > 1)
        snprintf(axis, sizeof axis, " %u", (unsigned)components);
    int length =
        snprintf(dictionary, sizeof dictionary, "{'descr': '%c%c%u', 'fortran_order': False, 'shape': (%llu,%s), }",
                 bytes > 1 ? '<' : '|', kind, (unsigned)bytes, (unsigned long long)count, axis);
    int padded = (VERSION + length + ALIGN) / ALIGN * ALIGN - VERSION; /* with a newline at its end */
    const char start[VERSION] = {'\x93', 'N', 'U', 'M', 'P', 'Y', 1, 0, (char)padded, 0};
    text_append(text, start, VERSION);
    text_printf(text, "%s%*s", dictionary, padded - length, "\n");
}
