#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
"""Finds comments that begin with a noun clause: "Whether the file...", "Of a kernel...".

usage: comments.py FOLDER...   prints FILE:LINE: COMMENT for each; exit code 1 if there is one
       comments.py --test      checks the checker itself
"""
import pathlib
import re
import sys

OPENERS = re.compile(r"(What|Whatever|Of|Whether|Why|How|Where)\b")
SLASHES = re.compile(r"\s*///?[!<]?(?:\s|$)(.*)")
HASH = re.compile(r"\s*#(?!!)(?:\s|$)(.*)")
COMMENTS = {suffix: SLASHES for suffix in (".cpp", ".hpp", ".h", ".cu", ".cuh", ".inc")}
COMMENTS.update({suffix: HASH for suffix in (".cmake", ".txt", ".py", ".sh", ".yml")})


def bad_openers(text, form):
    """Yields (line number, comment) for each block of comment lines that begins with a clause."""
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        match = form.match(line)
        words = match.group(1).strip() if match else ""
        if words and not words.startswith("SPDX"):
            if not inside and OPENERS.match(words):
                yield number, words
            inside = True
        else:
            inside = False


def check(folders):
    found = files = 0
    for folder in folders:
        for path in sorted(pathlib.Path(folder).rglob("*")):
            form = COMMENTS.get(path.suffix)
            if form is None or not path.is_file() or (path.suffix == ".txt" and path.name != "CMakeLists.txt"):
                continue
            files += 1
            for number, words in bad_openers(path.read_text(errors="replace"), form):
                print(f"{path}:{number}: begin with a noun or a verb: {words}")
                found += 1
    if files < 100:
        sys.exit(f"expected the repository's sources, found {files} files")
    return found


def test():
    planted = "// Whether it is.\nint a;\n/// Returns it.\n/// Of what follows.\n\n  # Of a kernel.\n"
    assert list(bad_openers(planted, SLASHES)) == [(1, "Whether it is.")]
    assert list(bad_openers(planted, HASH)) == [(6, "Of a kernel.")]
    assert list(bad_openers("//\n// How it works.\n", SLASHES)) == [(2, "How it works.")]
    assert list(bad_openers("// Whatever it is.\n", SLASHES)) == [(1, "Whatever it is.")]
    assert not list(bad_openers("int a;  // Of b\n// Often\n", SLASHES))


if __name__ == "__main__":
    if sys.argv[1:] == ["--test"]:
        test()
    else:
        sys.exit(1 if check(sys.argv[1:]) else 0)
