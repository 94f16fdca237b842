"""What holds for the command line as a whole."""
from harness import CommandLine

VERBS = ("machine", "inspect", "predict", "run", "chat", "bench", "profile", "tokenize", "logits", "doctor")


class Basics(CommandLine):
    def test_version(self):
        self.assertRegex(self.ridge("--version").stdout, r"^ridge \d+\.\d+\.\d+")

    def test_help_names_every_verb(self):
        text = self.ridge("--help").stdout
        for verb in VERBS:
            self.assertRegex(text, rf"\b{verb}\b")

    def test_help_of_every_verb_has_two_examples(self):
        for verb in VERBS:
            with self.subTest(verb):
                text = self.ridge(verb, "--help").stdout
                self.assertGreaterEqual(text.count(f"ridge {verb} "), 2, text)

    def test_unknown_verb_suggests_the_nearest(self):
        self.ridge_fails("inspct", says=["inspct", "inspect"], code=2)

    def test_unknown_flag_suggests_the_nearest(self):
        self.ridge_fails("inspect", "x.gguf", "--jsn", says=["--jsn", "--json"], code=2)

    def test_no_verb_is_bad_usage(self):
        self.assertEqual(self.ridge(code=2).stdout, "")

    def test_missing_file_is_one_line(self):
        self.ridge_fails("inspect", "no/such/file.gguf", says=["no/such/file.gguf"])
