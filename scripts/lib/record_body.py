"""Reads and writes records in the database, as Sources/Store does: a body is a text, or a blob that is shrunk with a dictionary."""

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
#: The number of the first dictionary.
FIRST = 1
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


def blob_of(record: dict) -> bytes:
    """Returns the blob of a record, as the program writes it."""
    words, numbers = marked(json.dumps(record, separators=(",", ":"), sort_keys=True).encode())
    digits = [digit for number in numbers for digit in [*map(CHARACTERS.index, number), END]]
    digits += [END] * (len(digits) % 2)
    packed = bytes(high << 4 | low for high, low in zip(digits[::2], digits[1::2], strict=True))
    shrinker = zlib.compressobj(9, zlib.DEFLATED, WINDOW, 5, zlib.Z_DEFAULT_STRATEGY, dictionary())
    return bytes([FIRST, len(packed) >> 8, len(packed) & 255]) + packed + shrinker.compress(words) + shrinker.flush()


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
    return marked(text.encode())[0]


def marked(text: bytes) -> tuple[bytes, list[bytes]]:
    """Returns the words, with a mark in place of each number, and the numbers."""
    # Numbers in quotation marks are words, not numbers.
    words, numbers, is_quoted, is_number = bytearray(), [], False, False
    for byte in text:
        is_digit = not is_quoted and (chr(byte).isdigit() or chr(byte) in "-" or is_number and chr(byte) in ".+eE")
        if is_digit and not is_number:
            words.append(MARK)
            numbers.append(bytearray())
        if is_digit:
            numbers[-1].append(byte)
        else:
            words.append(byte)
            is_quoted ^= byte == ord('"')
        is_number = is_digit
    return bytes(words), [bytes(number) for number in numbers]
