#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
"""Compares what archgrid and cuobjdump read of the same files.

Every image that both see is compared by kind and arch, and every function of its machine code by
registers, stack, shared memory and constant bank; and what archgrid reads in faster ways with what it
reads whole: `list --names` with `list`, `audit` with `audit --every-byte`. Differences that cuobjdump is known to make are
counted under the name of their explanation (EXPLANATIONS); any other is printed, and the exit code
is 1. Exit code 2: a program failed.
"""
import argparse
import json
import re
import subprocess
import sys
from collections import Counter

EXPLANATIONS = {
    'not seen by cuobjdump':
        'images outside of .nv_fatbin and __nv_relfatbin, which cuobjdump does not search',
    'device function':
        'cuobjdump also lists functions that no host can launch; archgrid lists kernels',
    'not recorded':
        'relocatable code has no stack size before it is linked; cuobjdump prints 0 for it',
    'refused':
        'files that cuobjdump refuses whole because of one image for an arch that it has dropped',
    'suffix dropped':
        'cuobjdump before 13.0 does not know the suffix f',
}

FIELDS = {'REG': 'registers', 'STACK': 'stack', 'SHARED': 'shared', 'CONSTANT[0]': 'constant'}
SEARCHED = ('.nv_fatbin', '__nv_relfatbin', '')  # in the order of cuobjdump's output
# All devices of the second have machine code, so an audit leaves PTX unread.
PROMISES = ('7.5,8.0,8.6,8.9,9.0,10.0,12.0', '7.5,8.0')
MOST_SHOWN = 20


def run(command):
    process = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                             errors='replace', check=False)
    return process.returncode, process.stdout, process.stderr


def read_with_cuobjdump(cuobjdump, path):
    """Its images in order: [kind, arch, {function: fields}]; None if it refuses the file."""
    code, text, errors = run([cuobjdump, '-all', '-res-usage', path])
    if code != 0 and 'does not contain device code' in text + errors:
        return []
    if code != 0 and 'has been removed' in text + errors:
        return None
    if code != 0:
        raise RuntimeError(f'{cuobjdump} failed on {path}: {errors.strip() or text.strip()}')
    images = []
    function = None
    for line in text.splitlines():
        if line.startswith('Fatbin ') and line.endswith(' code:'):
            images.append([line.split()[1], None, {}])
        elif line.startswith('arch = ') and images and images[-1][1] is None:
            images[-1][1] = line[len('arch = '):].replace('sm_', '')
        elif line.startswith(' Function ') and line.endswith(':'):
            if not images:  # a bare cubin has no heading
                images.append(['elf', None, {}])
            function = line[len(' Function '):-1]
        elif function is not None and line.startswith('  REG:'):
            found = dict(re.findall(r'(\S+):(\d+)', line))
            images[-1][2][function] = {FIELDS[key]: int(found[key]) for key in FIELDS if key in found}
            function = None
    return images


def read_with_archgrid(archgrid, path):
    code, text, errors = run([archgrid, 'list', '--json', path])
    if code != 0:
        raise RuntimeError(f'{archgrid} failed on {path}: {errors.strip()}')
    document = json.loads(text)
    images = []
    for file in document['files']:
        for image in file['images']:
            if 'error' in image:
                raise RuntimeError(f'{path}: archgrid could not read an image: {image["error"]}')
            images.append(image)
    return images


def read_names_with_archgrid(archgrid, path):
    """{kernel: archs of its machine code}, read in the fast way, from the starts of images."""
    code, text, errors = run([archgrid, 'list', '--names', path])
    if code != 0:
        raise RuntimeError(f'{archgrid} failed on {path}: {errors.strip()}')
    names = {}
    for line in text.splitlines():
        name, *archs = line.split()
        names[name] = {arch[3:] for arch in archs if arch.startswith('sm_')}
    return {name: archs for name, archs in names.items() if archs}


def audit_with_archgrid(archgrid, path, *options):
    """What an audit says, by promise."""
    audits = []
    for devices in PROMISES:
        code, text, errors = run([archgrid, 'audit', '--json', '--devices', devices, '--accept', 'native,compatible',
                                   *options, path])
        if code not in (0, 1):
            raise RuntimeError(f'{archgrid} failed on {path}: {errors.strip()}')
        audits.append(json.loads(text))
    return audits


def images_of(audit):
    return [image for file in audit['files'] for image in file['images']]


class Comparison:
    def __init__(self):
        self.images = 0
        self.kernels = 0
        self.unread = 0
        self.explained = Counter()
        self.differences = []

    def differ(self, text):
        self.differences.append(text)

    def compare_kernels(self, place, ours, theirs):
        known = {kernel['name']: kernel for kernel in ours['kernels']}
        for name, expected in theirs.items():
            if name not in known:
                self.explained['device function'] += 1
                continue
            self.kernels += 1
            kernel = known.pop(name)
            for field, value in expected.items():
                if kernel.get(field) == value:
                    continue
                if field == 'stack' and field not in kernel and value == 0:
                    self.explained['not recorded'] += 1
                else:
                    self.differ(f'{place}: {name}: {field} is {kernel.get(field)}, cuobjdump says {value}')
        for name in known:
            self.differ(f'{place}: {name}: not seen by cuobjdump')

    def compare_names(self, path, names, ours):
        expected = {}
        for image in ours:
            if image['kind'] == 'sass':
                for kernel in image['kernels']:
                    expected.setdefault(kernel['name'], set()).add(image['arch'])
        for name in sorted(names.keys() | expected.keys()):
            if names.get(name) != expected.get(name):
                self.differ(f'{path}: {name}: list --names says {names.get(name)}, list {expected.get(name)}')

    def compare_audits(self, path, fast, whole):
        """Of what the fast one left unread it says no number."""
        for quick, thorough in zip(fast, whole):
            for left, right in zip(images_of(quick), images_of(thorough)):
                if left['kernels'] is None:
                    left['kernels'] = right['kernels']
                    self.unread += 1
            if quick != thorough:
                self.differ(f'{path}: audit says other things with --every-byte')

    def compare_file(self, path, ours, theirs):
        seen = [image for image in ours if image['section'] in SEARCHED]
        seen.sort(key=lambda image: SEARCHED.index(image['section']))
        self.explained['not seen by cuobjdump'] += len(ours) - len(seen)
        for kind, name in (('sass', 'elf'), ('ptx', 'ptx')):
            left = [image for image in seen if image['kind'] == kind]
            right = [image for image in theirs if image[0] == name]
            if len(left) != len(right):
                self.differ(f'{path}: {len(left)} {kind} images, cuobjdump says {len(right)}')
                continue
            for index, (image, (_, arch, functions)) in enumerate(zip(left, right)):
                self.images += 1
                place = f'{path}: {kind} image {index} ({image["arch"]})'
                if arch is not None and arch != image['arch']:
                    if arch + 'f' == image['arch']:
                        self.explained['suffix dropped'] += 1
                    else:
                        self.differ(f'{place}: cuobjdump says {arch}')
                if kind == 'sass':
                    self.compare_kernels(place, image, functions)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--archgrid', required=True)
    parser.add_argument('--cuobjdump', required=True)
    parser.add_argument('files', nargs='+')
    options = parser.parse_args()
    total = Comparison()
    for path in options.files:
        try:
            ours = read_with_archgrid(options.archgrid, path)
            names = read_names_with_archgrid(options.archgrid, path)
            fast = audit_with_archgrid(options.archgrid, path)
            whole = audit_with_archgrid(options.archgrid, path, '--every-byte')
            theirs = read_with_cuobjdump(options.cuobjdump, path)
        except (RuntimeError, OSError) as error:
            print(error, file=sys.stderr)
            return 2
        total.compare_names(path, names, ours)
        total.compare_audits(path, fast, whole)
        if theirs is None:
            total.explained['refused'] += 1
        else:
            total.compare_file(path, ours, theirs)
    for text in total.differences[:MOST_SHOWN]:
        print(text)
    for name, count in sorted(total.explained.items()):
        if count:
            print(f'explained: {count} {name}: {EXPLANATIONS[name]}')
    print(f'{len(options.files)} files, {total.images} images, {total.kernels} kernels compared, {total.unread} times PTX '
          f'that an audit leaves unread: {len(total.differences)} unexplained differences')
    return 1 if total.differences or total.images == 0 else 0


if __name__ == '__main__':
    sys.exit(main())
