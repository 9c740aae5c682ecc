"""Reads records from the database, as Sources/Store does: a body is a text, or a blob that is shrunk with a dictionary."""

import json
import re
import uuid
import zlib
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "Sources/Store/Compact/RecordBody.swift"
CHARACTERS = b"0123456789.-+eE"
END = 15
MARK = 1
#: The size of zlib's window (Sources/CZlib), without a header.
WINDOW = -13


def record_of(body: str | bytes) -> dict:
    """Returns the record."""
    return json.loads(body if isinstance(body, str) else text_of(body))


def uuid_text(stored: bytes | str) -> str:
    """Returns a UUID as text; the database contains its 16 bytes, or the text if an earlier version wrote the record."""
    return str(uuid.UUID(bytes=stored)) if isinstance(stored, bytes) else stored


def text_of(blob: bytes) -> bytes:
    """Returns the text of a blob."""
    size = blob[1] << 8 | blob[2]
    digits = [digit for byte in blob[3 : 3 + size] for digit in (byte >> 4, byte & 15)]
    decoder = zlib.decompressobj(WINDOW, zdict=dictionary())
    words = decoder.decompress(blob[3 + size :]) + decoder.flush()
    return restore(words, iter(digits))


def restore(words: bytes, digits: object) -> bytes:
    """Returns the words with the numbers in place of their marks."""
    text = bytearray()
    for byte in words:
        if byte != MARK:
            text.append(byte)
            continue
        while (digit := next(digits)) != END:
            text.append(CHARACTERS[digit])
    return bytes(text)


@cache
def dictionary() -> bytes:
    """Returns the first dictionary, in which each number is a mark."""
    source = SOURCE.read_text()
    text = re.search(r'first = #"""\n(.*?)\n *"""#', source, re.DOTALL)[1]
    lines = [line.strip() for line in text.split("\n")]
    text = "\n".join(lines).replace("\\#\n", "")
    # Numbers in quotation marks are words, not numbers.
    words, is_quoted, is_number = bytearray(), False, False
    for byte in text.encode():
        is_digit = not is_quoted and (chr(byte).isdigit() or chr(byte) in "-" or is_number and chr(byte) in ".+eE")
        if is_digit and not is_number:
            words.append(MARK)
        if not is_digit:
            words.append(byte)
            is_quoted ^= byte == ord('"')
        is_number = is_digit
    return bytes(words)
