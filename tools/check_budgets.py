#!/usr/bin/env python3
"""Checks the sizes of files and functions, and prints the table of them. Usage: check_budgets.py [ROOT]

A limit is (soft, hard): the 95th percentile of the tree stays within the soft one, no single one exceeds the hard one.
"""
import re
import sys

import tree

FILE_LINES = (400, 700)
FUNCTION_LINES = (45, 80)
HEADER_FUNCTION_LINES = 10  # a longer one in a .h is a template or constexpr

# What may stand between a function's parameters and its body.
AFTER_PARAMETERS = re.compile(r"(\)|\b(const|noexcept|override|final|mutable|try)|->[^(){};=]*|&)\s*$")
SCOPE = re.compile(r"""\b(namespace|class|struct|union|enum)\b[^=]*$|^\s*extern\s*"[^"]*"\s*$""")
LABEL = re.compile(r"^\s*(public|private|protected)\s*:")


def _matching(code, start):
    """The offset of the brace that closes the one at `start`, or the end of the text."""
    depth = 0
    for match in re.compile(r"[{}]").finditer(code, start):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return match.start()
    return len(code) - 1


def _in_parentheses(head):
    return head.count("(") > head.count(")")


def _starts_body(head):
    """Whether a brace after this text opens a function's body (and not an initialiser)."""
    if "(" not in head or _in_parentheses(head):
        return False
    flat = head
    while re.search(r"\([^()]*\)", flat):
        flat = re.sub(r"\([^()]*\)", "\0", flat)
    if re.search(r"(?<![=!<>\w])=(?!=)", flat.replace("operator=", "operator")) and "[" not in flat:
        return False
    initialisers = re.search(r"\0[^:]*(?<!:):(?!:)", flat)
    if initialisers and re.search(r"[\w>]\s*$", flat[initialisers.end():]):
        return False  # a member's brace initialiser: the body comes after the last one
    return bool(AFTER_PARAMETERS.search(head)) or bool(initialisers)


def functions(text):
    """[(first line, lines, whether it must stand in a header)] of every function defined in C++ text."""
    code = re.sub(r"^[ \t]*#(?:.*\\\n)*.*$", lambda m: re.sub(r"[^\n]", " ", m[0]), tree.without_comments(text), flags=re.M)
    found = []
    head_start = position = 0
    template_scopes = []  # offsets where an enclosing class template ends
    while True:
        match = re.compile(r"[{};]").search(code, position)
        if match is None:
            return found
        at = match.start()
        position = at + 1
        head = code[head_start:at]
        if match[0] != "{":
            if not _in_parentheses(head):
                head_start = position
            continue
        label = LABEL.match(head)
        start = head_start + (label.end() if label else 0)
        head = code[start:at]
        if _starts_body(head):
            end = _matching(code, at)
            first = tree.line_of(code, start + len(head) - len(head.lstrip()))
            inside = any(at < scope for scope in template_scopes)
            in_header = inside or re.search(r"\b(template|constexpr|consteval)\b|\([^()]*\bauto\b", head) is not None
            found.append((first, tree.line_of(code, end) - first + 1, in_header))
            head_start = position = end + 1
        elif SCOPE.search(head):
            if "template" in head:
                template_scopes.append(_matching(code, at))
            head_start = position
        else:  # an initialiser: skip it, the statement goes on
            position = _matching(code, at) + 1


def comment_lines(text):
    bare = tree.without_comments(text, keep_strings=True).splitlines()
    return sum(1 for line, rest in zip(text.splitlines(), bare) if line.strip() and len(rest.split()) < len(line.split()))


def check(root):
    """(rows of the table, findings, a line on the whole) of a tree."""
    findings, file_lines, function_lines = [], [], []
    conditionals = comments = lines = 0
    for path in tree.cpp_files(root):
        text = tree.read(root, path)
        length = text.count("\n")
        file_lines.append(length)
        lines += length
        conditionals += len(re.findall(r"^[ \t]*#[ \t]*if", text, re.M))
        comments += comment_lines(text)
        if length > FILE_LINES[1]:
            findings.append(f"{path}:1: {length} lines: a file has at most {FILE_LINES[1]}")
        for first, size, in_header in functions(text):
            function_lines.append(size)
            if size > FUNCTION_LINES[1]:
                findings.append(f"{path}:{first}: a function of {size} lines: at most {FUNCTION_LINES[1]}")
            elif path.suffix == ".h" and size > HEADER_FUNCTION_LINES and not in_header:
                findings.append(f"{path}:{first}: a function of {size} lines in a header: "
                                f"at most {HEADER_FUNCTION_LINES} unless it is a template or constexpr")
    rows = []
    for name, sizes, limit in (("file", file_lines, FILE_LINES), ("function", function_lines, FUNCTION_LINES)):
        high = tree.percentile(sizes, 95)
        rows.append([f"{name} lines", len(sizes), tree.percentile(sizes, 50), high, max(sizes, default=0), *limit])
        if high > limit[0]:
            findings.append(f"the 95th percentile of {name} lines is {high}: at most {limit[0]}")
    thousands = max(lines, 1) / 1000
    summary = f"{lines} lines, #if per 1000 lines {conditionals / thousands:.1f}, comments {comments / max(lines, 1):.0%}"
    return rows, findings, summary


def main():
    rows, findings, summary = check(sys.argv[1] if len(sys.argv) > 1 else ".")
    tree.table(["", "count", "median", "p95", "max", "soft", "hard"], rows)
    print(summary)
    tree.finish(findings)


if __name__ == "__main__":
    main()
