// CExpat: reads an XML document with expat and reports its elements and their text. See README.md.

#ifndef CEXPAT_H
#define CEXPAT_H

#include <stddef.h>
#include <stdint.h>

/// The functions that receive the parts of a document, in order. Names are as in the document, prefix included; text is UTF-8.
struct cexpat_visitor {
    /// The first argument of each function.
    void *context;
    /// An element begins. `attributes` has names and values in turn, and NULL at the end.
    void (*begin)(void *context, const char *name, const char *const *attributes);
    /// A piece of text, `count` bytes without a NUL at the end; one text may come in several pieces.
    void (*text)(void *context, const char *bytes, int count);
    /// An element ends.
    void (*end)(void *context, const char *name);
};

/// Where a document cannot be read, and why.
struct cexpat_error {
    const char *cause;      ///< in English, valid for ever; NULL if the document was read to its end
    uint64_t line;          ///< counted from 1
    uint64_t column;        ///< counted from 1
};

/// Reads a whole document and calls the visitor. Refuses a document that declares an entity.
struct cexpat_error cexpat_read(const uint8_t *bytes, size_t count, const struct cexpat_visitor *visitor);

#endif
