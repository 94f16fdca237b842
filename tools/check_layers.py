#!/usr/bin/env python3
"""Checks which way includes point, where heavy headers, macros and environment variables may appear, and that no file
names a machine's folders or a package host. Usage: check_layers.py [ROOT]"""
import re
import sys

import tree

# What each layer may include besides itself; an application may include everything.
LAYERS = {
    "core": [],
    "formats": ["core"],
    "sched": ["core"],
    "text": ["core"],
    "device": ["core"],
    "ops": ["core", "formats", "device"],
    "model": ["core", "formats", "device", "ops", "text"],
    "engine": ["core", "formats", "device", "ops", "text", "model", "sched"],
    "lab": ["core", "formats", "device", "ops", "text", "model", "sched", "engine"],
}
HEAVY_HEADERS = re.compile(r"nlohmann/json\.hpp|CLI/|boost/|spdlog/|openssl/|pcre2\.h")
ENVIRONMENT_FILE = "src/core/env.cpp"
MAX_ENVIRONMENT_VARIABLES = 10
MAX_MACROS = 5
# Macros that configure a system or library header before it is included.
CONFIGURATION_MACROS = {"PCRE2_CODE_UNIT_WIDTH", "_GNU_SOURCE"}
FOREIGN_NAMES = re.compile(
    r"(?<![\w.])/(?:work|root)/|(?:deb|security)\.debian\.org|pypi\.org|pythonhosted\.org|registry\.npmjs\.org")

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">]', re.M)
DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.M)
GETENV = re.compile(r"\b(?:secure_)?getenv\s*\(|\benviron\b")


def check_includes(path, code):
    """Findings of one file's include lines, and how many of them name a layer."""
    findings = []
    count = 0
    layer = path.parts[1] if path.parts[0] == "src" else None
    for match in INCLUDE.finditer(code):
        where = f"{path}:{tree.line_of(code, match.start(2))}"
        name = match[2]
        if HEAVY_HEADERS.match(name) and path.suffix != ".cpp":
            findings.append(f"{where}: {name} is a heavy header: include it in .cpp files only")
        if ".." in name.split("/"):
            findings.append(f"{where}: {name}: an include names a layer and a path in it, never ../")
        target = name.split("/")[0]
        if match[1] != '"' or target not in LAYERS:
            continue
        count += 1
        if layer is not None and target != layer and target not in LAYERS.get(layer, []):
            findings.append(f"{where}: src/{layer} may not include {name}: it sees "
                            f"{', '.join(LAYERS.get(layer, [])) or 'no other layer'}")
    return findings, count


def check_environment(path, code):
    """Findings about environment variables of one file; `code` keeps its strings."""
    bare = tree.without_comments(code)
    if str(path) != ENVIRONMENT_FILE:
        return [f"{path}:{tree.line_of(bare, match.start())}: the environment is read in {ENVIRONMENT_FILE} only"
                for match in GETENV.finditer(bare)]
    names = sorted(set(re.findall(r'"([A-Z][A-Z0-9_]+)"', code)))
    if len(names) <= MAX_ENVIRONMENT_VARIABLES:
        return []
    return [f"{path}:1: {len(names)} environment variables, at most {MAX_ENVIRONMENT_VARIABLES}: {', '.join(names)}"]


def check_macros(macros):
    """Findings about the macros of the tree, given as [(where, name)]."""
    ours = [(where, name) for where, name in macros if name not in CONFIGURATION_MACROS]
    findings = [f"{where}: macro {name}: a macro of ours is named RIDGE_..., and a function or constant is better"
                for where, name in ours if not name.startswith("RIDGE_")]
    named = sorted({name for _, name in ours})
    if len(named) > MAX_MACROS:
        findings.append(f"{ours[-1][0]}: {len(named)} macros in the tree, at most {MAX_MACROS}: {', '.join(named)}")
    return findings


def check_names(root):
    findings = []
    for path in tree.files(root):
        if path.parts[0] == "tools":  # the checks and their samples spell what they look for
            continue
        text = tree.read(root, path)
        findings += [f"{path}:{tree.line_of(text, match.start())}: names a machine's folder or a package host: {match[0]}"
                     for match in FOREIGN_NAMES.finditer(text)]
    return findings


def check(root):
    """(rows of the table, findings) of a tree."""
    findings, macros = [], []
    rows = {layer: [layer, 0, 0] for layer in [*LAYERS, "apps", "tests"]}
    for path in tree.cpp_files(root):
        code = tree.without_comments(tree.read(root, path), keep_strings=True)
        layer = path.parts[1] if path.parts[0] == "src" else path.parts[0]
        if layer not in rows:
            findings.append(f"{path}:1: src/{layer} is not a layer: add it to LAYERS in tools/check_layers.py")
            continue
        found, count = check_includes(path, code)
        rows[layer][1] += 1
        rows[layer][2] += count
        findings += found + check_environment(path, code)
        macros += [(f"{path}:{tree.line_of(code, match.start(1))}", match[1]) for match in DEFINE.finditer(code)]
    return list(rows.values()), findings + check_macros(macros) + check_names(root)


def main():
    rows, findings = check(sys.argv[1] if len(sys.argv) > 1 else ".")
    tree.table(["layer", "files", "includes"], rows)
    tree.finish(findings)


if __name__ == "__main__":
    main()
