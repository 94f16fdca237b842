"""Runs ridge as a user would. RIDGE names another binary than build/release/ridge."""
import json
import os
import pathlib
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
RIDGE = ROOT / os.environ.get("RIDGE", "build/release/ridge")
MODEL = ROOT / "models/SmolLM2-135M-Instruct.Q4_1.gguf"


class CommandLine(unittest.TestCase):
    """Helpers that run one command and hold what every command promises."""

    def ridge(self, *arguments, code=0, stdin="", timeout=300, **environment):
        """Runs `ridge ARGUMENTS` off a terminal and expects an exit code; stdout and stderr are text."""
        done = subprocess.run([RIDGE, *map(str, arguments)], input=stdin, capture_output=True, text=True,
                              timeout=timeout, check=False, env={**os.environ, **environment})
        self.assertEqual(done.returncode, code, f"ridge {' '.join(map(str, arguments))}\n{done.stdout}{done.stderr}")
        self.assertNotIn("\x1b", done.stdout + done.stderr, "colours or bars off a terminal")
        return done

    def ridge_fails(self, *arguments, says=(), code=1):
        """Expects nothing on stdout and one line on stderr that has every part of `says`; returns that line."""
        done = self.ridge(*arguments, code=code)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.count("\n"), 1, f"not one line:\n{done.stderr}")
        for part in says:
            self.assertIn(part, done.stderr)
        return done.stderr

    def ridge_json(self, *arguments):
        """The one JSON document that `ridge ARGUMENTS --json` prints on stdout."""
        return json.loads(self.ridge(*arguments, "--json").stdout)
