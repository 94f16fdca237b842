#!/usr/bin/env python3
"""Runs the commands of README.md and docs/*.md, so that they keep working.

Every ```bash block is run; what is only to be read is fenced ```text or ```console. A block runs in a scratch folder
that looks like the checkout (links to its entries) with ridge on the PATH; the blocks of one page share it, in order.
In a block with lines that begin with "$ ", those are the commands and the rest is what they print.
Usage: run_docs.py [PAGE...]"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```bash\n(.*?)^```$", re.M | re.S)
SECONDS = 300


def commands(block):
    marked = [line[2:] for line in block.splitlines() if line.startswith("$ ")]
    return "\n".join(marked) if marked else block


def blocks(text):
    """[(line of the first command, commands)] of a page."""
    return [(text.count("\n", 0, match.start(1)) + 1, commands(match[1])) for match in BLOCK.finditer(text)]


def run(script, folder):
    """None, or what went wrong."""
    path = os.pathsep.join([str(ROOT / "build/release"), os.environ["PATH"]])
    try:
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=folder, env={**os.environ, "PATH": path},
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return f"ran longer than {SECONDS} s"
    return None if done.returncode == 0 else f"exit {done.returncode}\n{done.stdout[-2000:]}"


def run_page(page):
    """[(line, problem or None)] of every block of a page."""
    with tempfile.TemporaryDirectory() as folder:
        for entry in ROOT.iterdir():
            pathlib.Path(folder, entry.name).symlink_to(entry)
        return [(line, run(script, folder)) for line, script in blocks(page.read_text(encoding="utf-8"))]


def main():
    pages = [pathlib.Path(name) for name in sys.argv[1:]] or [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    passed = failed = 0
    for page in pages:
        for line, problem in run_page(page):
            print(f"{'FAILED' if problem else 'ok'} {page}:{line}{': ' + problem if problem else ''}", flush=True)
            passed, failed = passed + (problem is None), failed + (problem is not None)
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
