#include "CExpat.h"

#include <expat.h>
#include <stdbool.h>
#include <strings.h>

#if XML_MAJOR_VERSION < 2 || (XML_MAJOR_VERSION == 2 && XML_MINOR_VERSION < 1)
#error "expat before 2.1 is not supported: its hash tables can be filled with collisions"
#endif

enum { CHUNK_BYTES = 1 << 20 };     // XML_Parse takes an int

struct reading {
    const struct cexpat_visitor *visitor;
    XML_Parser parser;
    bool declares_entity;
};

static void begin(void *data, const XML_Char *name, const XML_Char **attributes) {
    const struct cexpat_visitor *visitor = ((struct reading *)data)->visitor;
    visitor->begin(visitor->context, name, (const char *const *)attributes);
}

static void text(void *data, const XML_Char *bytes, int count) {
    const struct cexpat_visitor *visitor = ((struct reading *)data)->visitor;
    visitor->text(visitor->context, bytes, count);
}

static void end(void *data, const XML_Char *name) {
    const struct cexpat_visitor *visitor = ((struct reading *)data)->visitor;
    visitor->end(visitor->context, name);
}

// Entities that contain entities grow without bound ("billion laughs"), and a recording needs none.
static void refuse_entity(
    void *data, const XML_Char *name, int is_parameter, const XML_Char *value, int value_bytes, const XML_Char *base,
    const XML_Char *system, const XML_Char *public, const XML_Char *notation) {
    (void)name, (void)is_parameter, (void)value, (void)value_bytes, (void)base, (void)system, (void)public,
        (void)notation;
    struct reading *reading = data;
    reading->declares_entity = true;
    XML_StopParser(reading->parser, XML_FALSE);
}

// expat knows UTF-8, UTF-16, ISO-8859-1 and ASCII. The other one-byte encodings that old devices write also contain ASCII, and
// names, numbers and dates need only ASCII.
static int read_as_latin(void *data, const XML_Char *name, XML_Encoding *encoding) {
    (void)data;
    if (strncasecmp(name, "windows-125", 11) != 0 && strncasecmp(name, "iso-8859-", 9) != 0) return XML_STATUS_ERROR;
    for (int byte = 0; byte < 256; byte++) encoding->map[byte] = byte;
    encoding->data = NULL;
    encoding->convert = NULL;
    encoding->release = NULL;
    return XML_STATUS_OK;
}

struct cexpat_error cexpat_read(const uint8_t *bytes, size_t count, const struct cexpat_visitor *visitor) {
    struct cexpat_error error = {.cause = "out of memory", .line = 1, .column = 1};
    struct reading reading = {.visitor = visitor, .parser = XML_ParserCreate(NULL)};
    if (reading.parser == NULL) return error;
    XML_SetUserData(reading.parser, &reading);
    XML_SetElementHandler(reading.parser, begin, end);
    XML_SetCharacterDataHandler(reading.parser, text);
    XML_SetEntityDeclHandler(reading.parser, refuse_entity);
    XML_SetUnknownEncodingHandler(reading.parser, read_as_latin, NULL);
    enum XML_Status status;
    size_t done = 0;
    do {
        size_t chunk = count - done < CHUNK_BYTES ? count - done : CHUNK_BYTES;
        status = XML_Parse(reading.parser, (const char *)bytes + done, (int)chunk, done + chunk == count);
        done += chunk;
    } while (status == XML_STATUS_OK && done < count);
    error.cause = NULL;
    if (status != XML_STATUS_OK) {
        error.cause = reading.declares_entity ? "it declares an entity"
                                              : XML_ErrorString(XML_GetErrorCode(reading.parser));
        error.line = XML_GetCurrentLineNumber(reading.parser);
        error.column = XML_GetCurrentColumnNumber(reading.parser) + 1;
    }
    XML_ParserFree(reading.parser);
    return error;
}
