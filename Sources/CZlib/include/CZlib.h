/* CZlib: reads plain and gzipped files alike (gzopen() examines the first bytes, not the name), and shrinks short texts. */
#ifndef TRACKERD_CZLIB_H
#define TRACKERD_CZLIB_H

#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

/* The dictionary contains texts that the input probably repeats; only its last 8 KiB count. It may be empty. */
struct czlib_dictionary {
    const uint8_t *bytes;
    size_t count;
};

/* Shrinks `input` to raw deflate (RFC 1951); returns the number of bytes, or -1 if they do not fit into `capacity`. */
ptrdiff_t czlib_shrink(struct czlib_dictionary dictionary, const uint8_t *input, size_t count, uint8_t *output,
                       size_t capacity);

/* Restores what czlib_shrink made with the same dictionary; returns the number of bytes, -1 if the input is damaged, or -2 if
   they do not fit into `capacity`. */
ptrdiff_t czlib_expand(struct czlib_dictionary dictionary, const uint8_t *input, size_t count, uint8_t *output,
                       size_t capacity);

#endif
