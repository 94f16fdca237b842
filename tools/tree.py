"""What the checks share: the files of the tree, C++ text without comments, tables and findings."""
import os
import pathlib
import re
import subprocess
import sys

CODE_FOLDERS = ("src", "apps", "tests")
CPP_SUFFIXES = (".h", ".cpp", ".cu", ".cuh")

# Number (its digit separators are no quotes), comment, raw string, string, character.
LEXEME = re.compile(
    r"""(?P<number>(?<!\w)\d(?:'?[\w.])*)
      | (?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<raw>R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)")
      | (?P<string>"(?:\\.|[^"\\\n])*")
      | (?P<char>'(?:\\.|[^'\\\n])+')""",
    re.S | re.X)


def files(root):
    """Every file of the tree that git tracks or would track, relative to root; without git, every file outside build/."""
    listed = subprocess.run(["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            capture_output=True, text=True, check=False)
    if listed.returncode == 0:
        names = [name for name in listed.stdout.split("\0") if name]
    else:
        names = []
        for folder, folders, found in os.walk(root):
            folders[:] = [f for f in folders if f not in ("build", "models", "__pycache__") and not f.startswith(".")]
            names += [os.path.relpath(os.path.join(folder, name), root) for name in found]
    return sorted(pathlib.PurePosixPath(name) for name in set(names) if os.path.isfile(os.path.join(root, name)))


def cpp_files(root):
    return [path for path in files(root) if path.parts[0] in CODE_FOLDERS and path.suffix in CPP_SUFFIXES]


def read(root, path):
    return pathlib.Path(root, path).read_text(encoding="utf-8", errors="replace")


def _blank(text):
    return re.sub(r"[^\n]", " ", text)


def without_comments(text, keep_strings=False):
    """The same text with comments (and the insides of strings) as spaces: lines and columns stay what they were."""

    def replace(match):
        lexeme = match.group(0)
        if match["comment"]:
            return _blank(lexeme)
        if match["number"] or keep_strings:
            return lexeme
        return lexeme[0] + _blank(lexeme[1:-1]) + lexeme[-1]

    return LEXEME.sub(replace, text)


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def percentile(values, share):
    """The smallest value that at least `share` of the values do not exceed; 0 of nothing."""
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * share // 100) - 1)] if ordered else 0


def table(header, rows):
    """Prints rows in aligned columns: the first to the left, the others to the right."""
    rows = [[str(cell) for cell in row] for row in [header, *rows]]
    widths = [max(len(row[i]) for row in rows) for i in range(len(header))]
    for row in rows:
        cells = [row[0].ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]
        print("  ".join(cells).rstrip())


def finish(findings):
    """Prints the findings and exits: 0 when there are none."""
    for finding in findings:
        print(finding, file=sys.stderr)
    sys.exit(1 if findings else 0)
