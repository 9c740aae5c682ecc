/* CZlib: reads plain and gzipped files alike (gzopen() examines the first bytes, not the name), and compresses request bodies. */
#ifndef TRACKERD_CZLIB_H
#define TRACKERD_CZLIB_H

#include <zlib.h>

/* Writes the data as one gzip member (RFC 1952) without name and time, so that the same data give the same bytes.
 * Gives the length; 0 if it exceeds the capacity, or if there is no memory. */
size_t czlib_gzip(const void *data, size_t bytes, void *out, size_t capacity, int level);

#endif
