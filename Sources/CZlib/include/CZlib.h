/* CZlib: reads plain and gzipped files alike.  gzopen() looks at the first bytes, not at the name. */
#ifndef TRACKERD_CZLIB_H
#define TRACKERD_CZLIB_H

#include <zlib.h>

#endif
