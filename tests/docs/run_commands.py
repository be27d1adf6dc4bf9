#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the command lines of `archgrid` in documents, and finds those that it refuses.

usage: run_commands.py ARCHGRID ROOT LIBRARY    prints FILE:LINE: PROBLEM for each; exit code 1 if there is one
       run_commands.py ARCHGRID ROOT LIBRARY --test  checks the checker itself

Their files are stand-ins, made of LIBRARY, and pip is one that has every package: an answer may be anything, but is no
error of usage. Command lines with placeholders (FILE, ...) and mentions of a command are not run.
"""
import glob
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

from commands import CALL, lines_of, words_of

PLACEHOLDER = re.compile(r"[A-Z]{3,}|.*\.\.\..*")
PIP = """#!/bin/sh
for word; do
  [ "$last" = --dest ] && dest=$word
  last=$word
done
case $last in
  *==0.0.0.dev*)
    echo "ERROR: No version (from versions: 1.0, 2.0)" >&2
    echo "ERROR: No matching distribution found for $last" >&2
    exit 1 ;;
esac
cp "$STAND_IN" "$dest/${last%%==*}-1.0-py3-none-any.whl"
"""
BENCHMARK = """#!/bin/sh
cat > "$ARCHGRID_PERF_RECORD" <<END
{"schema": "archgrid.perf/1", "key": {"gpu": "a card", "compute_capability": "9.0", "driver": "580.1",
 "toolkit": "13.0", "clocks": "default"}, "ceilings": [], "benchmarks": [{"name": "gemm<1>|x", "cache": "hot",
 "bytes": 0, "flops": 1e9, "runs": [{"build": "$(basename "$(dirname "$0")")", "date": "2026-02-01T12:30:00Z",
 "throttled": false, "throttle_reasons": [], "seconds": [0.001, 0.0011]}]}]}
END
"""
# A run that found no GPU, and what another one executed.
RECORD = '{"schema": "archgrid.gpu-tests/1", "program": "x", "gpu": null, "tests": []}'
EVIDENCE = ('{"kernel": "k", "device": "9.0", "arch": "sm_90", "identity": "%032d", "gpu": "a card", "test": "x: A.b", '
            '"date": "2026-02-01"}' % 0)


class Sandbox:
    """A folder with stand-ins for the files that command lines name."""

    def __init__(self, folder, root, library):
        self.folder, self.root, self.library = folder, root, library
        self.wheel = folder / ".stand-in.whl"
        with zipfile.ZipFile(self.wheel, "w") as archive:
            archive.write(library, "x/libx.so")
        self.pip = self.write_program("programs/python3", PIP)
        (folder / "evidence.jsonl").write_text(EVIDENCE + "\n")
        self.benchmark = self.write_program("programs/benchmark", BENCHMARK)

    def write_program(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
        return path

    def provide(self, word, command):
        """Makes the file that a word of the command names, unless it is there; returns the paths it stands for."""
        path = self.folder / word.replace("*", "x")
        if not path.exists() and path.resolve().is_relative_to(self.folder.resolve()):
            path.parent.mkdir(parents=True, exist_ok=True)
            if word.endswith(".whl"):
                shutil.copy(self.wheel, path)
            elif re.search(r"\.so(\.\d+)*$", word):
                shutil.copy(self.library, path)
            elif word.endswith(".json") and command == "perf":
                subprocess.run([self.benchmark], env={**os.environ, "ARCHGRID_PERF_RECORD": str(path)}, check=True)
            elif word.endswith(".json") and command == "evidence":
                path.write_text(RECORD)
            elif command == "evidence" and "." not in path.name:
                shutil.copy(self.library, path)
            elif word.endswith(".json"):
                name = "default.json" if command == "matrix" else "quick.json"
                shutil.copy(self.root / "matrices" / name, path)
            elif command == "matrix" and path.name == "cells":
                path.mkdir()
            elif command == "perf" and "." not in path.name:
                shutil.copy(self.benchmark, path)
            elif command == "lint":
                path.mkdir()
                (path / "setup.py").write_text("CUDA_ARCHS = '80;90'\n")
            elif command == "report":
                path.mkdir()
                (path / "junit.xml").write_text('<testsuite name="x"><testcase name="one"/></testsuite>')
        found = sorted(glob.glob(word, root_dir=self.folder))
        return found if "*" in word and found else [word]

    def run(self, program, words):
        """Returns why archgrid refuses the command line, or an empty string."""
        command = next((word for word in words if not word.startswith("-")), "")
        arguments, before = [], ""
        for word in words:
            is_made = (command, before) in {("perf", "merge"), ("perf", "keep"), ("perf", "--html")}
            is_name = word.startswith(("-", "pypi:")) or not re.search(r"[./A-Za-z]", word) or is_made
            is_file = not is_name and ("." in word or "/" in word or (command, before) in {("lint", "lint"), ("report", "merge")}
                                       or before in ("--base", "--new"))
            arguments += self.provide(word, command) if is_file else [word]
            before = word
        environment = {"PATH": f"{self.pip.parent}:/usr/bin:/bin", "HOME": str(self.folder), "LANG": "C.UTF-8",
                       "STAND_IN": str(self.wheel)}
        answer = subprocess.run([program, *arguments], cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        if answer.returncode not in (0, 1):
            return f"exit code {answer.returncode}: {answer.stderr.strip()}"
        return ""


def is_run(words, is_block):
    if any(PLACEHOLDER.fullmatch(word) for word in words):
        return False
    names = [word for word in words if not word.startswith("-")]
    if not names:
        return True
    return is_block or len(names) > 1 + (words[:1] == ["perf"]) or names[0] in ("init", "lint", "man", "cmake-dir")


def problems_in(program, root, library, text):
    """Returns (number of command lines that were run, [(line number, problem)])."""
    ran, problems = 0, []
    with tempfile.TemporaryDirectory() as folder:
        sandbox = Sandbox(pathlib.Path(folder), root, library)
        for number, code, is_block in lines_of(text):
            call = CALL.search(code)
            words = words_of(call.group(1)) if call else []
            if not words or not is_run(words, is_block):
                continue
            ran += 1
            problem = sandbox.run(program, words)
            if problem:
                problems.append((number, problem))
    return ran, problems


def test(program, root, library):
    good = """`archgrid --version`, `archgrid list libx.so`, `archgrid audit FILE`, `archgrid audit`, `archgrid audit dist/*.whl --gpu T4`
```sh
archgrid audit pypi:x --gpu "GTX 1080" --history | less
archgrid perf merge all.json times/*.json
archgrid perf report all.json --html perf.html
archgrid perf run --base old/x --new new/x
archgrid evidence add runs/one.json
archgrid evidence show build/x --require
archgrid report merge results
```
"""
    assert problems_in(program, root, library, good) == (10, []), problems_in(program, root, library, good)
    for planted, said in {"`archgrid audit libx.so --gpu 9.9`": "unknown GPU", "`archgrid list libx.so --kind gold`": "",
                          "`archgrid audit absent`": "absent", "`archgrid explain planted-word`": "planted-word"}.items():
        ran, problems = problems_in(program, root, library, planted)
        assert ran == 1 and len(problems) == 1 and said in problems[0][1], (planted, problems)


def check(program, root, library):
    ran, found = 0, 0
    for path in (root / "README.md", root / "packaging" / "README.md", *sorted((root / "docs").rglob("*.md"))):
        count, problems = problems_in(program, root, library, path.read_text())
        ran += count
        for number, problem in problems:
            print(f"{path.relative_to(root)}:{number}: {problem}")
        found += len(problems)
    print(f"{ran} command lines were run")
    if ran < 40:
        sys.exit("expected the command lines of README.md and docs/")
    return found


if __name__ == "__main__":
    inputs = (sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
    if sys.argv[4:] == ["--test"]:
        test(*inputs)
    else:
        sys.exit(1 if check(*inputs) else 0)
