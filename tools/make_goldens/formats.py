#!/usr/bin/env python3
"""Makes tests/data/formats/goldens.json: weight blocks encoded and decoded by the `gguf` Python package.

Needs `pip install gguf==0.19.0`. With --check nothing is written: exit status 1 and a line say that the file differs.
"""

import argparse
import json
import pathlib
import sys

import numpy
from gguf import GGML_QUANT_SIZES, GGMLQuantizationType, quants

GOLDENS = pathlib.Path(__file__).resolve().parents[2] / "tests/data/formats/goldens.json"
FORMATS = ["F32", "F16", "BF16", "Q4_0", "Q4_1", "Q8_0"]
HALF_BYTES_AT = {"Q4_0": [0], "Q4_1": [0, 2], "Q8_0": [0]}
# Half bit patterns: zeros, smallest and largest subnormal, smallest and largest normal, one, a few between.
EXTREME_HALFS = [0x0000, 0x8000, 0x0001, 0x83FF, 0x0400, 0x7BFF, 0xFBFF, 0x3C00, 0x2E66, 0xB555]


def blocks_to_decode(name, random):
    """Blocks with random integers under random and extreme scales, and the extreme integers."""
    elements, size = GGML_QUANT_SIZES[GGMLQuantizationType[name]]
    if elements == 1:
        values = random.standard_normal(64).astype(numpy.float32) * numpy.float32(10) ** random.integers(-8, 5, 64)
        return quants.quantize(values.astype(numpy.float32), GGMLQuantizationType[name]).view(numpy.uint8).reshape(-1, size)
    blocks = random.integers(0, 256, (24, size), dtype=numpy.uint8)
    blocks[-1] = 0x80  # Q8_0: -128 everywhere
    blocks[-2] = 0xFF
    blocks[-3] = 0x00
    for at in HALF_BYTES_AT[name]:
        halfs = random.standard_normal(len(blocks)).astype(numpy.float16).view(numpy.uint16)
        halfs[: len(EXTREME_HALFS)] = random.permutation(EXTREME_HALFS)
        blocks[:, at : at + 2] = halfs.astype("<u2").view(numpy.uint8).reshape(-1, 2)
    return blocks


def values_to_encode(random):
    """Rows of 32: random at many scales, constants, one spike, ties, subnormal halfs, integers, equal magnitudes."""
    rows = random.standard_normal((20, 32)).astype(numpy.float32)
    rows *= numpy.float32(10) ** numpy.arange(-14, 6, dtype=numpy.float32).reshape(20, 1)
    special = numpy.zeros((8, 32), numpy.float32)
    special[1] = 1.5
    special[2, 7] = -3.25
    special[3] = numpy.linspace(-8, 7, 32, dtype=numpy.float32)
    special[4] = numpy.arange(32, dtype=numpy.float32) - 127
    special[5] = numpy.where(numpy.arange(32) % 2 == 0, 2.0, -2.0)
    special[6] = numpy.where(numpy.arange(32) % 2 == 0, -1.0, 0.5) * (numpy.arange(32) % 16 + 1) / 2
    special[7] = numpy.float32(1e-24) * (numpy.arange(32) + 1)
    return numpy.concatenate([rows, special])


def goldens():
    random = numpy.random.Generator(numpy.random.PCG64(20240611))
    document = {"made_by": "tools/make_goldens/formats.py", "gguf": "0.19.0", "formats": {}}
    for name in FORMATS:
        kind = GGMLQuantizationType[name]
        blocks = blocks_to_decode(name, random)
        values = values_to_encode(random)
        decoded = numpy.asarray(quants.dequantize(blocks, kind), dtype="<f4")
        with numpy.errstate(over="ignore"):  # beyond a half's range: infinite
            encoded = numpy.ascontiguousarray(quants.quantize(values, kind)).view(numpy.uint8)
        document["formats"][name] = {
            "decode": {"blocks": blocks.tobytes().hex(), "values": decoded.tobytes().hex()},
            "encode": {"values": values.tobytes().hex(), "blocks": encoded.tobytes().hex()},
        }
    return json.dumps(document, indent=1) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare with the committed file instead of writing it")
    arguments = parser.parse_args()
    text = goldens()
    if arguments.check:
        same = GOLDENS.read_text() == text
        print(f"{GOLDENS.name}: {'as made' if same else 'differs from what this tool makes'}")
        return 0 if same else 1
    GOLDENS.parent.mkdir(parents=True, exist_ok=True)
    GOLDENS.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
