#include "CZlib.h"

#include <string.h>

/* The window has 8 KiB, because the texts are short. A negative value omits the header and the checksum, which saves six bytes
 * per row. */
enum { window_bits = -13, memory_level = 5 };

ptrdiff_t czlib_shrink(struct czlib_dictionary dictionary, const uint8_t *input, size_t count, uint8_t *output,
                       size_t capacity)
{
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    if (deflateInit2(&stream, 9, Z_DEFLATED, window_bits, memory_level, Z_DEFAULT_STRATEGY) != Z_OK)
        return -1;
    if (dictionary.count > 0)
        deflateSetDictionary(&stream, dictionary.bytes, (uInt)dictionary.count);
    stream.next_in = (Bytef *)input;
    stream.avail_in = (uInt)count;
    stream.next_out = output;
    stream.avail_out = (uInt)capacity;
    int status = deflate(&stream, Z_FINISH);
    ptrdiff_t made = (ptrdiff_t)stream.total_out;
    deflateEnd(&stream);
    return status == Z_STREAM_END ? made : -1;
}

ptrdiff_t czlib_expand(struct czlib_dictionary dictionary, const uint8_t *input, size_t count, uint8_t *output,
                       size_t capacity)
{
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    if (inflateInit2(&stream, window_bits) != Z_OK)
        return -1;
    if (dictionary.count > 0)
        inflateSetDictionary(&stream, dictionary.bytes, (uInt)dictionary.count);
    stream.next_in = (Bytef *)input;
    stream.avail_in = (uInt)count;
    stream.next_out = output;
    stream.avail_out = (uInt)capacity;
    int status = inflate(&stream, Z_FINISH);
    ptrdiff_t made = (ptrdiff_t)stream.total_out;
    int is_full = stream.avail_out == 0;
    inflateEnd(&stream);
    if (status == Z_STREAM_END)
        return made;
    return is_full && (status == Z_BUF_ERROR || status == Z_OK) ? -2 : -1;
}
