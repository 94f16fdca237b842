#!/usr/bin/env python3
"""Writes what Python's jinja2 makes of tests/data/jinja_cases.json, set up as transformers' apply_chat_template is.

The file holds {"generator": ..., "cases": [{"name", "template", "context", "output" or "error"}]}; this tool fills in
the last of these. An "error" is the kind of jinja::ErrorKind in lower case, a "message" follows where the template
raised it itself. A case with "limit": true breaks a limit of ours that Python does not have, and is left alone.
Usage: jinja.py [--check]   (needs jinja2)"""
import argparse
import datetime
import json
import pathlib
import sys

import jinja2
import jinja2.ext
import jinja2.nodes
import jinja2.sandbox

CASES = pathlib.Path(__file__).resolve().parents[2] / "tests/data/jinja_cases.json"
NOW = datetime.datetime(2024, 7, 26, 13, 5, 9)  # what strftime_now reads; the test passes the same


class Generation(jinja2.ext.Extension):
    """{% generation %}: renders its body, as a block of its own."""

    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return jinja2.nodes.CallBlock(self.call_method("_support"), [], [], body).set_lineno(line)

    @staticmethod
    def _support(caller):
        return caller()


class Raised(jinja2.TemplateError):
    """What raise_exception throws."""


def _raise_exception(message):
    raise Raised(message)


def _tojson(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def environment():
    env = jinja2.sandbox.ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, jinja2.ext.loopcontrols])
    env.filters["tojson"] = _tojson
    env.globals["raise_exception"] = _raise_exception
    env.globals["strftime_now"] = NOW.strftime
    return env


def _error_kind(error):
    kinds = [
        (jinja2.TemplateSyntaxError, "syntax"),
        (SyntaxError, "syntax"),
        (jinja2.sandbox.SecurityError, "forbidden"),
        (jinja2.UndefinedError, "undefined"),
        (Raised, "raised"),
    ]
    return next((kind for class_, kind in kinds if isinstance(error, class_)), "runtime")


def expectation(env, case):
    """{"output": text} or {"error": kind}."""
    try:
        return {"output": env.from_string(case["template"]).render(**case["context"])}
    except Exception as error:  # pylint: disable=broad-except
        kind = _error_kind(error)
        return {"error": kind, "message": str(error)} if kind == "raised" else {"error": kind}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    arguments = parser.parse_args()
    document = json.loads(CASES.read_text(encoding="utf-8"))
    env = environment()
    cases = []
    for case in document["cases"]:
        given = {key: case[key] for key in ("name", "template", "context", "limit") if key in case}
        cases.append({**given, **({"error": "limit"} if case.get("limit") else expectation(env, case))})
    made = {"generator": f"jinja2 {jinja2.__version__}", "cases": cases}
    lines = ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases)
    text = f'{{"generator": {json.dumps(made["generator"])}, "cases": [\n{lines}\n]}}\n'
    if not arguments.check:
        CASES.write_text(text, encoding="utf-8")
        print(f"{len(cases)} cases")
        return 0
    changed = [case["name"] for case, old in zip(cases, document["cases"]) if case != old]
    for name in changed:
        print(f"{CASES.name}: {name} differs from jinja2 {jinja2.__version__}")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
