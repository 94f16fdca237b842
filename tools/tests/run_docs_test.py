"""The runner of the documentation's commands runs what it should and names what fails."""
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/docs"))
import run_docs

PAGE = """# Page
```bash
test -e CMakeLists.txt
echo made > made_here
```
```text
exit 9
```
```bash
$ cat made_here
made
```
   ```bash
indented fences are not run
```
```bash
true
false | cat
```
"""


class RunDocs(unittest.TestCase):
    def test_page(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder, "page.md")
            page.write_text(PAGE, encoding="utf-8")
            outcomes = run_docs.run_page(page)
        self.assertEqual([(line, problem is None) for line, problem in outcomes], [(3, True), (10, True), (17, False)])
        self.assertIn("exit 1", outcomes[-1][1])
        self.assertFalse((ROOT / "made_here").exists())


if __name__ == "__main__":
    unittest.main()
