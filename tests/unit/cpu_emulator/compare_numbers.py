#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
"""Compares two builds of nvidia_numbers.cpp, with archgrid's headers and with NVIDIA's.

    compare_numbers.py OURS THEIRS

Every function that THEIRS has must give what OURS gives. Of one that does not, the first input is
printed at which it does not, with the two results, and how many there are; the exit code is 1. What
some of NVIDIA's headers get wrong (MISTAKES) is told, and no failure. Exit code 2: a program failed.
"""
import subprocess
import sys

# Results of NVIDIA's host functions that differ from those of the device, according to NVIDIA's
# documentation: (CUDA 12.4 and 13.0, not 13.5) +0 is larger than -0 in either order, as in PTX's
# max and min.
MISTAKES = {
    'bfloat16 __hmax_nan(00008000) = 8000', 'bfloat16 __hmax_nan(80000000) = 8000',
    'bfloat16 __hmin_nan(00008000) = 0000', 'bfloat16 __hmin_nan(80000000) = 0000',
}


def lines(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        print(f'{" ".join(command)}: exit code {done.returncode}\n{done.stderr}', file=sys.stderr)
        sys.exit(2)
    return done.stdout.splitlines()


def summary(program):
    """The number of results and their hash, by function."""
    return {name: (count, digest) for name, count, digest in
            (line.rsplit(' ', 2) for line in lines(program))}


def difference(function, ours, theirs):
    """What differs in a function, in words; None if nothing does but NVIDIA's mistakes."""
    mine, other = lines(ours, function), lines(theirs, function)
    if len(mine) != len(other):
        return f'{function}: {len(mine)} results, NVIDIA has {len(other)}'
    different = [pair for pair in zip(mine, other) if pair[0] != pair[1]]
    wrong = [pair for pair in different if pair[1] not in MISTAKES]
    if not wrong:
        print(f'{different[0][1]} is a mistake of these headers, known, and {different[0][0]} is right')
        return None
    result = wrong[0][1].rsplit(' = ', 1)[1]
    return f'{wrong[0][0]}, NVIDIA: {result} (first of {len(wrong)} of {len(mine)})'


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    ours, theirs = sys.argv[1:]
    mine, other = summary(ours), summary(theirs)
    failed = [f'{name}: not among ours' for name in other if name not in mine]
    found = [difference(name, ours, theirs) for name in other
             if name in mine and mine[name] != other[name]]
    failed += [text for text in found if text is not None]
    for line in failed:
        print(line)
    results = sum(int(count) for count, _ in other.values())
    print(f'{len(other)} functions, {results} results compared; {len(failed)} functions differ; '
          f'{len(mine.keys() - other.keys())} are no functions for the host in these headers')
    sys.exit(1 if failed or not other else 0)


if __name__ == '__main__':
    main()
