#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
"""Compares the includes between the parts of harness/ and kernels/ with the graph in docs/architecture.md.

usage: include_graph.py ROOT   prints each arrow that only one of the two has, and a circle of includes; exit code 1 if
                               there is one of either
       include_graph.py --test checks the checker itself
"""
import pathlib
import re
import sys

SOURCE = re.compile(r".*\.(cpp|hpp|h|cu|cuh)(\.in)?$")
INCLUDE = re.compile(r'\s*#\s*include\s*[<"]([^>"]+)[>"]')
HEADING = "### Includes"
STAND_INS = "harness/cpu_emulator/cuda"  # headers in the place of CUDA's, built upon harness/cpu_emulator


def part_of(path):
    return STAND_INS if path.startswith(f"{STAND_INS}/") else "/".join(path.split("/")[:2])


def may_mean(part, own):
    """Reports whether an include in `own` may mean `part`: outside of harness/cpu_emulator, <cuda_fp16.h> is CUDA's."""
    return part != STAND_INS or own.startswith("harness/cpu_emulator")


def owners_of(paths):
    """Returns the part that owns each header, by its path below include/, or by each end of another path."""
    owners = {}
    for path in paths:
        names = path.split("/include/", 1)[1].split("/") if "/include/" in path else path.split("/")
        begins = [0] if "/include/" in path else range(1, len(names))
        for begin in begins:
            owners.setdefault("/".join(names[begin:]), set()).add(part_of(path))
    return owners


def arrows_of(sources):
    """Returns the arrows {(from, to)} of sources, a dictionary of texts by path."""
    owners = owners_of(sources)
    arrows = set()
    for path, text in sources.items():
        own = part_of(path)
        for match in map(INCLUDE.match, text.splitlines()):
            parts = {part for part in owners.get(match.group(1), set()) if may_mean(part, own)} if match else set()
            if own not in parts:
                arrows.update((own, part) for part in parts)
    return arrows


def arrows_in(page):
    """Returns the arrows of the code block below the heading, in lines such as "harness/cell -> harness/archive"."""
    block = page.split(HEADING, 1)[1].split("```")[1]
    arrows = set()
    for line in filter(str.strip, block.splitlines()):
        begin, ends = line.split("->")
        folder = begin.strip().split("/")[0]
        arrows.update((begin.strip(), end if "/" in end else f"{folder}/{end}") for end in ends.split())
    return arrows


def circle_in(arrows):
    """Returns the parts of a circle, whose first is also the last, or an empty list."""
    ends = {}
    for begin, end in sorted(arrows):
        ends.setdefault(begin, []).append(end)
    done = set()

    def follow(part, way):
        if part in way:
            return way[way.index(part):] + [part]
        circles = [] if part in done else (follow(end, way + [part]) for end in ends.get(part, []))
        circle = next(filter(None, circles), [])
        done.add(part)
        return circle

    return next(filter(None, (follow(part, []) for part in sorted(ends))), [])


def complaints(sources, page):
    drawn, real = arrows_in(page), arrows_of(sources)
    texts = [f"{begin} includes headers of {end}, which the page does not have" for begin, end in sorted(real - drawn)]
    texts += [f"the page has {begin} -> {end}, but no file includes such a header" for begin, end in sorted(drawn - real)]
    circle = circle_in(real)
    return texts + ([f"includes run in a circle: {' -> '.join(circle)}"] if circle else [])


def sources_in(root):
    sources = {}
    for folder in ("harness", "kernels"):
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and SOURCE.match(path.name):
                sources[path.relative_to(root).as_posix()] = path.read_text(errors="replace")
    if len(sources) < 100:
        sys.exit(f"expected the repository's sources, found {len(sources)} files")
    return sources


def test():
    sources = {"harness/a/src/a.cpp": '#include <b/b.hpp>\n#include "own.hpp"\n', "harness/a/src/own.hpp": "",
               "harness/b/include/b/b.hpp": "", "kernels/k/k.cu": '# include "b/b.hpp"\n'}
    page = f"{HEADING}\n\n```\nharness/a -> b\nkernels/k -> harness/b\n```\n"
    assert complaints(sources, page) == []
    assert complaints(sources, page.replace("-> b\n", "-> c\n")) == [
        "harness/a includes headers of harness/b, which the page does not have",
        "the page has harness/a -> harness/c, but no file includes such a header"]
    sources["harness/b/include/b/b.hpp"] = "#include <k.h>\n"
    sources["kernels/k/k.h"] = ""
    assert complaints(sources, page.replace("kernels/k ->", "harness/b -> kernels/k\nkernels/k ->")) == [
        "includes run in a circle: harness/b -> kernels/k -> harness/b"]
    sources = {"harness/cpu_emulator/src/a.cpp": "#include <cuda_fp16.h>\n", "harness/cpu_emulator/cuda/cuda_fp16.h": '#include "a.hpp"\n',
               "harness/cpu_emulator/src/a.hpp": "", "kernels/k/k.cu": "#include <cuda_fp16.h>\n"}
    page = f"{HEADING}\n\n```\nharness/cpu_emulator -> harness/cpu_emulator/cuda\nharness/cpu_emulator/cuda -> harness/cpu_emulator\n```\n"
    assert complaints(sources, page) == ["includes run in a circle: harness/cpu_emulator -> harness/cpu_emulator/cuda -> harness/cpu_emulator"]
    assert circle_in({("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")}) == []
    assert circle_in({("a", "b"), ("b", "c"), ("c", "d"), ("d", "b")}) == ["b", "c", "d", "b"]


if __name__ == "__main__":
    if sys.argv[1:] == ["--test"]:
        test()
    else:
        found = complaints(sources_in(pathlib.Path(sys.argv[1])),
                           (pathlib.Path(sys.argv[1]) / "docs/architecture.md").read_text())
        print("\n".join(found))
        sys.exit(1 if found else 0)
