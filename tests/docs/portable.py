#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
"""Finds code that only one operating system compiles, in the libraries of the command.

usage: portable.py ROOT    prints includes of headers that not every system has, and questions which system it is;
                           exit code 1 if there is one
       portable.py --test  checks the checker itself
"""
import pathlib
import re
import sys

# harness/system is for such code. The others are for GPU test programs, which run on Linux only.
ELSEWHERE = {"system", "cpu_emulator", "cuda", "device", "fake_cudart", "gtest", "perf"}
HEADER = re.compile(r"""\s*\#\s*include\s*[<"]
    ((?:sys|linux|arpa|netinet|net|mach|mach-o)/[^>"]+
    |(?:unistd|fcntl|elf|poll|spawn|dirent|glob|fnmatch|ftw|dlfcn|link|pthread|sched|pwd|grp|termios|signal|semaphore
      |malloc|alloca|libgen|regex|strings|syslog|ucontext|utime|wordexp|langinfo|windows|io|process|direct)\.h)[>"]""",
    re.VERBOSE)
QUESTION = re.compile(r"\s*#\s*(?:el)?if.*\b(_WIN32|_WIN64|__MINGW\w*|_MSC_VER|__APPLE__|__linux__|__unix__|__GLIBC__)\b")


def complaints(path, text):
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        for pattern, what in ((HEADER, "{} is not on every system"), (QUESTION, "{} asks which system it is")):
            match = pattern.match(line)
            if match:
                found.append(f"{path}:{number}: {what.format(match.group(1))}: put the code into harness/system")
    return found


def sources_in(root):
    for path in sorted((root / "harness").rglob("*")):
        parts = path.relative_to(root).parts
        if parts[1] not in ELSEWHERE and re.search(r"\.[ch]pp(\.in)?$", path.name):
            yield path.relative_to(root).as_posix(), path.read_text(errors="replace")


def test():
    assert complaints("a.cpp", '#include <cstdio>\n#include <archgrid/system/process.hpp>\n#include "process.hpp"\n') == []
    assert complaints("a.cpp", "#include <cstdio>\n# include <unistd.h>\n") == [
        "a.cpp:2: unistd.h is not on every system: put the code into harness/system"]
    assert len(complaints("a.cpp", "#include <sys/stat.h>\n#include <elf.h>\n#include <windows.h>\n")) == 3
    assert complaints("a.cpp", "#if defined(_WIN32)\n#ifdef __linux__\n#ifndef NDEBUG\n") == [
        "a.cpp:1: _WIN32 asks which system it is: put the code into harness/system",
        "a.cpp:2: __linux__ asks which system it is: put the code into harness/system"]


if __name__ == "__main__":
    if sys.argv[1:] == ["--test"]:
        test()
    else:
        sources = dict(sources_in(pathlib.Path(sys.argv[1])))
        if len(sources) < 100:
            sys.exit(f"expected the repository's sources, found {len(sources)} files")
        found = [complaint for path, text in sources.items() for complaint in complaints(path, text)]
        print("\n".join(found))
        sys.exit(1 if found else 0)
