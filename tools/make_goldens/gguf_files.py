#!/usr/bin/env python3
"""Makes tests/data/fuzz/gguf/*.gguf with the `gguf` Python package: what the reader is tested on and fuzzed from.

Needs `pip install gguf==0.19.0`. With --check nothing is written: exit status 1 and a line for each file that differs.
"""

import argparse
import pathlib
import sys
import tempfile

import numpy
from gguf import GGMLQuantizationType, GGUFWriter, quants

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "tests/data/fuzz/gguf"


def values(writer):
    """A key of every type, arrays of most, and nested ones."""
    writer.add_uint8("u8", 200)
    writer.add_int8("i8", -100)
    writer.add_uint16("u16", 60000)
    writer.add_int16("i16", -30000)
    writer.add_uint32("u32", 4000000000)
    writer.add_int32("i32", -2000000000)
    writer.add_float32("f32", 1.5)
    writer.add_bool("bool", True)
    writer.add_string("string", "héllo")
    writer.add_uint64("u64", 2**64 - 1)
    writer.add_int64("i64", -(2**63))
    writer.add_float64("f64", 0.25)
    writer.add_array("array.i32", [1, -2, 3])
    writer.add_array("array.f32", [0.5, 1.5])
    writer.add_array("array.bool", [True, False])
    writer.add_array("array.string", ["a", "bc", "déf"])
    writer.add_array("array.nested", [[1, 2], [3]])


def tensors(writer):
    """One tensor of each supported format and one of another, at an alignment of 64."""
    random = numpy.random.Generator(numpy.random.PCG64(1))
    writer.add_custom_alignment(64)
    for name in ["F32", "F16", "BF16", "Q4_0", "Q4_1", "Q8_0", "Q5_0"]:
        kind = GGMLQuantizationType[name]
        packed = quants.quantize(random.standard_normal((2, 32)).astype(numpy.float32), kind)
        writer.add_tensor(f"{name.lower()}.weight", packed, raw_dtype=kind)
    writer.add_tensor("norm", numpy.arange(3, dtype=numpy.float32))


def vocabulary(writer):
    """A tokenizer and no tensors."""
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("smollm")
    writer.add_token_list(["<s>", "</s>", "a", "b", "ab"])
    writer.add_token_types([3, 3, 1, 1, 1])
    writer.add_token_scores([0.0, 0.0, -1.0, -2.0, -3.0])
    writer.add_token_merges(["a b"])
    writer.add_bos_token_id(0)
    writer.add_eos_token_id(1)
    writer.add_unk_token_id(0)
    writer.add_pad_token_id(1)
    writer.add_add_bos_token(True)
    writer.add_add_eos_token(False)
    writer.add_add_space_prefix(False)
    writer.add_chat_template("{% for m in messages %}{{ m.content }}{% endfor %}")


def made(fill):
    """The bytes of a file that `fill` describes to the writer."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "file.gguf"
        writer = GGUFWriter(path, "llama")
        fill(writer)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()
        return path.read_bytes()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare with the committed files instead of writing them")
    check = parser.parse_args().check
    different = 0
    for fill in [values, tensors, vocabulary]:
        path = FOLDER / f"{fill.__name__}.gguf"
        data = made(fill)
        if check:
            same = path.is_file() and path.read_bytes() == data
            different += not same
            print(f"{path.name}: {'as made' if same else 'differs from what this tool makes'}")
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
