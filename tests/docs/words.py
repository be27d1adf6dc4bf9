#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
"""Finds words in documents and comments that the glossary replaces: its column "not".

usage: words.py ROOT    prints FILE:LINE: WORD (write ...) for each; exit code 1 if there is one
       words.py --test  checks the checker itself
"""
import pathlib
import re
import sys

ROW = re.compile(r"^\| ([^|]+) \| ([^|]*) \| [^|]*\|$")
CODE = re.compile(r"https?://\S+|`[^`]*`|\[[^\]]*\]\([^)]*\)|\"[^\"]*\"|<[^>]*>")
COMMENTS = {suffix: re.compile(r"(?:^|\s)///?[!<]?\s(.*)") for suffix in (".cpp", ".hpp", ".h", ".cu", ".cuh", ".inc")}
COMMENTS.update({suffix: re.compile(r"(?:^|\s)#\s(.*)") for suffix in (".cmake", ".txt", ".py", ".sh", ".yml")})
# Recorded output and quotations of others.
QUOTED = ("docs/measurements/", "docs/wheels.md", "docs/truth.md", "docs/projects.md", "tests/wheels/")


def glossary(text):
    """Returns {word to avoid: word to write}."""
    section = text.partition("## Glossary\n")[2].partition("\n## ")[0]
    words = {}
    for line in section.splitlines():
        row = ROW.match(line)
        if row and row.group(1) != "word" and not row.group(1).startswith("--"):
            for word in filter(None, (word.strip() for word in row.group(2).split(","))):
                words[word] = row.group(1)
    return words


def prose_lines(path, text):
    """Yields (line number, prose) of a document or of a source's comments, without quoted code."""
    form = COMMENTS.get(path.suffix)
    is_code = False
    for number, line in enumerate(text.splitlines(), 1):
        if form is None:
            if line.lstrip().startswith("```"):
                is_code = not is_code
            elif not is_code:
                yield number, CODE.sub(" ", line)
        else:
            match = form.search(line)
            if match:
                yield number, CODE.sub(" ", match.group(1))


def bad_words(path, text, words):
    """Yields (line number, word, better word)."""
    pattern = re.compile(r"\b(" + "|".join(map(re.escape, words)) + r")(?:e?s)?\b", re.IGNORECASE)
    for number, prose in prose_lines(path, text):
        for match in pattern.finditer(prose):
            yield number, match.group(0), words[match.group(1).lower()]


def check(root):
    document = root / "docs" / "architecture.md"
    words = glossary(document.read_text())
    if len(words) < 10:
        sys.exit(f"{document}: expected a glossary with a column \"not\", found {len(words)} words")
    found = files = 0
    paths = [root / "README.md"]
    for folder in ("docs", "harness", "kernels", "cmake-modules", "packaging", "tests", ".github"):
        paths += sorted((root / folder).rglob("*"))
    for path in paths:
        name = path.relative_to(root).as_posix()
        is_source = path.suffix in COMMENTS and (path.suffix != ".txt" or path.name == "CMakeLists.txt")
        if not (is_source or path.suffix == ".md") or not path.is_file() or name.startswith(QUOTED):
            continue
        if path == document or name == "tests/docs/words.py":
            continue
        files += 1
        for number, word, better in bad_words(path, path.read_text(errors="replace"), words):
            print(f"{name}:{number}: {word} (write {better})")
            found += 1
    if files < 100:
        sys.exit(f"expected the repository's sources, found {files} files")
    return found


def test():
    table = "## Glossary\n\n| word | not | meaning |\n|---|---|---|\n| image | blob, codelet | an entry |\n\n## Folders\n"
    words = glossary(table)
    assert words == {"blob": "image", "codelet": "image"}
    document = "A blob.\n```\nblob\n```\nA `blob` and [blob](x). Blobs.\n"
    assert list(bad_words(pathlib.Path("x.md"), document, words)) == [(1, "blob", "image"), (5, "Blobs", "image")]
    source = "int blob;  // the blob\n/// Codelets.\n"
    assert [found[:2] for found in bad_words(pathlib.Path("x.cpp"), source, words)] == [(1, "blob"), (2, "Codelets")]
    assert not list(bad_words(pathlib.Path("x.cmake"), "set(blob 1)\n# \"blob\"\n", words))


if __name__ == "__main__":
    if sys.argv[1:] == ["--test"]:
        test()
    else:
        sys.exit(1 if check(pathlib.Path(sys.argv[1])) else 0)
