#include "CZlib.h"

#include <limits.h>

size_t czlib_gzip(const void *data, size_t bytes, void *out, size_t capacity, int level) {
    /* 15 bits of window, plus 16 for the header and the trailer of gzip; 9 is the most memory, which helps with short bodies. */
    enum { WINDOW = 15 + 16, MEMORY = 9 };
    z_stream stream = { .next_in = (Bytef *)data, .next_out = out };
    if (bytes > UINT_MAX || capacity > UINT_MAX) return 0;
    stream.avail_in = (uInt)bytes;
    stream.avail_out = (uInt)capacity;
    if (deflateInit2(&stream, level, Z_DEFLATED, WINDOW, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
    int status = deflate(&stream, Z_FINISH);
    size_t length = stream.total_out;
    deflateEnd(&stream);
    return status == Z_STREAM_END ? length : 0;
}
