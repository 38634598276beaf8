#include "exchange/gzip.h"

#include <limits.h>
#include <string.h>

#include <zlib.h>

enum { PIECE_BYTES = 64 << 10 };

static int fail(const char *path, const char *what, const char *cure, struct error *error)
{
    error_set(error, ERROR_DATA, "%s", what);
    error_place(error, path, 0, 0);
    error_hint(error, "%s", cure);
    return ERROR_DATA;
}

/* Expands one part, and what follows it. */
static int expand(z_stream *stream, size_t bytes_max, const char *path, struct text *out, struct error *error)
{
    unsigned char piece[PIECE_BYTES];
    for (;;) {
        stream->next_out = piece;
        stream->avail_out = sizeof piece;
        int result = inflate(stream, Z_NO_FLUSH);
        size_t got = sizeof piece - stream->avail_out;
        if (result == Z_MEM_ERROR)
            return error_memory(error);
        if (result == Z_BUF_ERROR || (result == Z_OK && got == 0))
            return fail(path, "the file ends within its compressed data: it was cut off", "take a complete copy",
                        error);
        if (result != Z_OK && result != Z_STREAM_END)
            return fail(path, "the file is compressed by gzip, and damaged", "take another copy; gzip -t FILE tests it",
                        error);
        if (got > bytes_max - out->length) {
            error_set(error, ERROR_DATA, "%s is larger than %zu MiB when it is expanded", path, bytes_max >> 20);
            return ERROR_DATA;
        }
        text_append(out, piece, got);
        if (out->failed)
            return error_memory(error);
        if (result == Z_STREAM_END && (stream->avail_in == 0 || *stream->next_in != 0x1f))
            return 0; /* gzip ignores other bytes behind a part, such as a tape's padding */
        if (result == Z_STREAM_END && inflateReset(stream) != Z_OK)
            return error_memory(error);
    }
}

int gzip_expand(const char *path, size_t bytes_max, struct text *text, struct error *error)
{
    struct text out = {0};
    z_stream stream = {0};
    if (text->length < 2 || memcmp(text->bytes, "\x1f\x8b", 2) != 0)
        return 0;
    if (text->length > UINT_MAX)
        return fail(path, "the file is larger than 4 GiB", "cutune reads no file of that size", error);
    if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK) /* 16: the header of gzip */
        return error_memory(error);
    stream.next_in = (unsigned char *)text->bytes;
    stream.avail_in = (unsigned)text->length;
    int code = expand(&stream, bytes_max, path, &out, error);
    inflateEnd(&stream);
    if (code) {
        text_free(&out);
    } else {
        text_free(text);
        *text = out;
    }
    return code;
}
