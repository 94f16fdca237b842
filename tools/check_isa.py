#!/usr/bin/env python3
"""Checks the objects of a build: one compiled for an instruction set (x_avx2.cpp, x_avx512.cpp) defines no weak symbol,
because the linker could hand that copy to an older CPU; no other object of src/ uses a vector register wider than
SSE's. Usage: check_isa.py BUILD_FOLDER"""
import pathlib
import re
import subprocess
import sys

import tree

FOR_INSTRUCTION_SET = re.compile(r"_(avx2|avx512|avx512bf16|avxvnni|amx)\.cpp\.o$")
# What the compiler itself shares between objects: data that holds no instructions.
HARMLESS = re.compile(r"^(DW\.ref\.|vtable for __cxxabiv1|typeinfo)")


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def weak_symbols(path):
    """Names of the weak and unique symbols that an object defines."""
    rows = [line.split(maxsplit=2) for line in output_of("nm", "-C", "--defined-only", str(path)).splitlines()]
    return [row[2] for row in rows if len(row) == 3 and row[1] in "WwVvu" and not HARMLESS.match(row[2])]


def wide_register(path):
    """The first function of an object that uses a ymm, zmm or tile register, or None."""
    function = None
    for line in output_of("objdump", "-dC", "--no-show-raw-insn", str(path)).splitlines():
        if line.endswith(">:"):
            function = line.split(" ", 1)[1][1:-2]
        elif re.search(r"%[yz]mm\d|%tmm\d", line):
            return function
    return None


def check(build):
    """(rows of the table, findings) of a build folder."""
    objects = sorted(path for path in pathlib.Path(build).rglob("*.cpp.o")
                     if "/src/" in path.as_posix() and "verify_interface" not in path.as_posix())
    objects = [path for path in objects if not re.search(r"_(test|fuzz)\.cpp\.o$", path.name)]
    findings = [] if objects else [f"{build}: holds no objects of src/: build first"]
    special = [path for path in objects if FOR_INSTRUCTION_SET.search(path.name)]
    for path in objects:
        source = "src/" + path.as_posix().rsplit("/src/", 1)[1].removesuffix(".o")
        if path in special:
            findings += [f"{source}:1: defines the weak symbol {name}: keep what is compiled for an instruction set "
                         "in an anonymous namespace" for name in weak_symbols(path)]
        elif (function := wide_register(path)) is not None:
            findings.append(f"{source}:1: {function} uses a wide vector register: move it to a file with the suffix")
    return [["for an instruction set", len(special)], ["portable", len(objects) - len(special)]], findings


def main():
    rows, findings = check(sys.argv[1] if len(sys.argv) > 1 else "build/release")
    tree.table(["objects", "count"], rows)
    tree.finish(findings)


if __name__ == "__main__":
    main()
