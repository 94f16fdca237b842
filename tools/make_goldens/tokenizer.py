#!/usr/bin/env python3
"""Makes tests/data/tokenizer/: a small byte-level vocabulary, and texts with the ids that `tokenizers` gives them.

Needs `pip install tokenizers==0.23.3`. With --check nothing is written: exit status 1 and a line say which file differs.
"""

import argparse
import hashlib
import json
import pathlib
import sys

import tokenizers
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "tests/data/tokenizer"
TEXTS = FOLDER / "texts.json"
VERSION = "0.23.3"

# As in the tokenizer.json of the models that name the pre-tokenizer; "default" is llama.cpp's sequence.
GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
QWEN2 = LLAMA3.replace("{1,3}", "")
DEFAULT = [r"[\p{P}\$\+<=>\^~\|]+", GPT2, r"\p{N}+", "[0-9][0-9][0-9]"]

# Bytes that get no token, as rare ones have none in SmolLM2's vocabulary.
MISSING = {0x04, 0xF1, 0xFF}
# A token that the merges never make: only a pre-tokenizer that keeps whole words finds it.
UNMERGED = " zyxwv"
CONTROL = ["<|begin|>", "<|end|>", "<|end|>>", "<|im_end|>"]
USER_DEFINED = ["<tool>", "\u2581\u2581", "[e\u0301]"]
SIZE = 1024


def byte_level(words):
    return pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=words)


def pre_tokenizer(name):
    def split(*expressions):
        return [pre_tokenizers.Split(Regex(expression), "isolated") for expression in expressions]

    if name == "smollm":
        return pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True), byte_level(True)])
    if name == "gpt-2":
        return byte_level(True)
    expressions = {"starcoder": [r"\p{N}", GPT2], "llama-bpe": [LLAMA3], "qwen2": [QWEN2], "default": DEFAULT}[name]
    return pre_tokenizers.Sequence(split(*expressions) + [byte_level(False)])


NAMES = ["smollm", "gpt-2", "starcoder", "llama-bpe", "qwen2", "default"]


def spelled(text):
    """The text in the byte alphabet."""
    return "".join(word for word, _ in byte_level(False).pre_tokenize_str(text))


def train(texts):
    """Merges run across words and lines, so that a wrong cut shows in the ids."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Split(Regex("[^.]+[.]?"), "isolated"), byte_level(False)])
    rare = {chr(256 + 4), chr(0xF1), chr(0xFF)}
    alphabet = sorted(set(pre_tokenizers.ByteLevel.alphabet()) - rare)
    trainer = trainers.BpeTrainer(
        vocab_size=SIZE - 1 - len(CONTROL) - len(USER_DEFINED), initial_alphabet=alphabet, max_token_length=12, show_progress=False
    )
    tokenizer.train_from_iterator(texts, trainer)
    model = json.loads(tokenizer.to_str())["model"]
    normal = sorted(model["vocab"], key=model["vocab"].get) + [spelled(UNMERGED)]
    tokens = CONTROL + normal + USER_DEFINED
    types = [3] * len(CONTROL) + [1] * len(normal) + [4] * len(USER_DEFINED)
    return {"tokens": tokens, "types": types, "merges": [" ".join(pair) for pair in model["merges"]]}


def tokenizer_of(vocabulary, name):
    ids = {token: i for i, token in enumerate(vocabulary["tokens"])}
    merges = [tuple(merge.split(" ")) for merge in vocabulary["merges"]]
    tokenizer = Tokenizer(models.BPE(ids, merges, ignore_merges=name == "llama-bpe"))
    tokenizer.pre_tokenizer = pre_tokenizer(name)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([AddedToken(token, normalized=False, special=True) for token in CONTROL])
    tokenizer.add_tokens([AddedToken(token, normalized=False) for token in USER_DEFINED])
    return tokenizer


def goldens(vocabulary, texts, digest):
    document = {
        "made_by": "tools/make_goldens/tokenizer.py",
        "tokenizers": tokenizers.__version__,
        "vocabulary_sha256": digest,
        "ids": {},
    }
    for name in NAMES:
        tokenizer = tokenizer_of(vocabulary, name)
        ids = {}
        for mode in ("as_text", "parse"):
            tokenizer.encode_special_tokens = mode == "as_text"
            ids[mode] = [tokenizer.encode(text, add_special_tokens=False).ids for text in texts]
        # Of "parse", where it differs: [position, ids].
        ids["parse"] = [[i, ids["parse"][i]] for i in range(len(texts)) if ids["parse"][i] != ids["as_text"][i]]
        document["ids"][name] = ids
    return document


def as_json(value):
    """Objects and lists of lists with one item a line."""
    if isinstance(value, dict):
        return "{\n" + ",\n".join(f"{json.dumps(key)}: {as_json(item)}" for key, item in value.items()) + "\n}"
    if isinstance(value, list) and value and isinstance(value[0], list):
        return "[\n" + ",\n".join(json.dumps(item) for item in value) + "\n]"
    return json.dumps(value)


def files():
    """Name and content of what this tool makes."""
    given = json.loads(TEXTS.read_text())
    texts = given["texts"] + [bytes.fromhex(broken).decode("utf-8", errors="replace") for broken in given["broken"]]
    texts += [part * count for part, count in given["repeated"]]
    vocabulary = train(given["corpus"])
    made = {"vocabulary.json": as_json(vocabulary) + "\n"}
    digest = hashlib.sha256(made["vocabulary.json"].encode()).hexdigest()
    made["goldens.json"] = as_json(goldens(vocabulary, texts, digest)) + "\n"
    return made


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare with the committed files instead of writing them")
    arguments = parser.parse_args()
    if tokenizers.__version__ != VERSION:
        print(f"needs tokenizers {VERSION}, found {tokenizers.__version__}", file=sys.stderr)
        return 1
    status = 0
    for name, text in files().items():
        if not arguments.check:
            (FOLDER / name).write_text(text)
            continue
        same = (FOLDER / name).read_text() == text
        print(f"{name}: {'as made' if same else 'differs from what this tool makes'}")
        status |= not same
    return status


if __name__ == "__main__":
    sys.exit(main())
