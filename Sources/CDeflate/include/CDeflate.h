/* CDeflate: compresses request bodies with libdeflate. */
#ifndef TRACKERD_CDEFLATE_H
#define TRACKERD_CDEFLATE_H

#include <stddef.h>

/* Writes the data as one gzip member (RFC 1952) without name and time, so that the same data give the same bytes.
 * Returns the length; 0 if the length exceeds the capacity, or if the program is out of memory. */
size_t cdeflate_gzip(const void *data, size_t bytes, void *out, size_t capacity);

#endif
