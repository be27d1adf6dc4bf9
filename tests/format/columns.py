#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
"""Finds lines of C++ and CMake files that are too long; clang-format breaks neither comments nor strings.

C++ and CUDA: 100 columns. CMake: 100 for comments, 120 for commands; longer is only an argument that has no space
outside its quotes before.

usage: columns.py ROOT    prints FILE:LINE: COLUMNS for each; exit code 1 if there is one
       columns.py --test  checks the checker itself
"""
import pathlib
import re
import sys

CPP = re.compile(r".*\.(cpp|hpp|h|cu|cuh|inc)(\.in)?$")
CMAKE = re.compile(r"(.*\.cmake|CMakeLists\.txt)(\.in)?$")
COLUMNS, COMMAND_COLUMNS = 100, 120
TOKEN = re.compile(r'(?P<bracket>(?P<comment>#)?\[(?P<equals>=*)\[.*?\](?P=equals)\])|(?P<line_comment>#[^\n]*)|'
                   r'(?P<quoted>"(?:\\.|[^"\\])*")|(?P<space>[ \n]+)|(?P<word>(?:\\.|[^\s"#\\])+)', re.S)


def long_cpp_lines(text):
    return [number for number, line in enumerate(text.splitlines(), 1) if len(line) > COLUMNS]


def long_cmake_lines(text):
    comments, breaks = set(), {}
    for token in TOKEN.finditer(text):
        first = text.count("\n", 0, token.start()) + 1
        if token["comment"] or token["line_comment"]:
            comments.update(range(first, first + token.group().count("\n") + 1))
        elif token["space"] and "\n" not in token.group():
            breaks.setdefault(first, token.start() - text.rfind("\n", 0, token.start()) - 1)
    return [number for number, line in enumerate(text.splitlines(), 1)
            if len(line) > COLUMNS and number in comments
            or len(line) > COMMAND_COLUMNS and breaks.get(number, len(line)) <= COMMAND_COLUMNS]


def check(root):
    found = files = 0
    paths = [root / "CMakeLists.txt"]
    for folder in ("cmake-modules", "harness", "kernels", "packaging", "tests"):
        paths += sorted((root / folder).rglob("*"))
    for path in paths:
        is_cpp, is_cmake = CPP.match(path.name), CMAKE.match(path.name)
        if not (is_cpp or is_cmake) or not path.is_file():
            continue
        files += 1
        text = path.read_text(errors="replace")
        lines = text.splitlines()
        for number in long_cpp_lines(text) if is_cpp else long_cmake_lines(text):
            print(f"{path.relative_to(root)}:{number}: {len(lines[number - 1])} columns: break the line")
            found += 1
    if files < 100:
        sys.exit(f"expected the repository's sources, found {files} files")
    return found


def test():
    assert long_cpp_lines("x" * 100 + "\n// " + "y" * 98 + "\n") == [2]
    good = f'set(x\n  "{"a b " * 50}" PARENT_SCOPE)\n# {"c" * 98}\nset(y [=[\n# {"d " * 90}]=])\n'
    assert long_cmake_lines(good) == []
    for planted, line in (("# " + "c" * 99, 1), ("#[[\n" + "word " * 21 + "\n]]", 2), ('f() # "' + "c" * 95, 1),
                          ('  set(x "' + "a b " * 30 + '")', 1), ("f(" + "a " * 60 + ")", 1)):
        assert long_cmake_lines(planted + "\n" + good) == [line], planted
        assert long_cmake_lines(good + planted + "\n") == [good.count("\n") + line], planted


if __name__ == "__main__":
    if sys.argv[1:] == ["--test"]:
        test()
    else:
        sys.exit(1 if check(pathlib.Path(sys.argv[1])) else 0)
