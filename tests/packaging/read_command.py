# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
"""read_command.py ROOT COMMAND: packaging/read-command accepts commands of every system and refuses planted faults."""

import pathlib
import struct
import subprocess
import sys
import tempfile

ROOT, COMMAND = map(pathlib.Path, sys.argv[1:])
ARM64, X86_64 = 0x0100000C, 0x01000007


def macho(machine, *libraries, version=(11, 0), signed=True, weak=False):
    commands = []
    for library in libraries:
        name = library.encode() + b"\0" * (8 - len(library) % 8)
        commands.append(struct.pack("<6I", 0x80000018 if weak else 0xC, 24 + len(name), 24, 0, 0, 0) + name)
    if version:
        commands.append(struct.pack("<6I", 0x32, 24, 1, version[0] << 16 | version[1] << 8, 0, 0))
    if signed:
        commands.append(struct.pack("<4I", 0x1D, 16, 0, 0))
    return struct.pack("<8I", 0xFEEDFACF, machine, 0, 2, len(commands), sum(map(len, commands)), 0, 0) + b"".join(commands)


def pe(machine, *libraries, delayed=()):
    """A file whose one section, at 0x1000 in memory, has both import tables."""
    section, tables = bytearray(), []
    for names, entry_bytes, name_at in ((libraries, 20, 12), (delayed, 32, 4)):
        tables.append(0x1000 + len(section) if names else 0)
        at = len(section)
        section += bytes(entry_bytes * (len(names) + 1))
        for i, name in enumerate(names):
            struct.pack_into("<I", section, at + i * entry_bytes + name_at, 0x1000 + len(section))
            section += name.encode() + b"\0"
    directories = bytearray(16 * 8)
    struct.pack_into("<I", directories, 8, tables[0])
    struct.pack_into("<I", directories, 13 * 8, tables[1])
    header = b"MZ" + bytes(0x3A) + struct.pack("<I", 0x40)
    header += b"PE\0\0" + struct.pack("<HH12xHH", machine, 1, 112 + len(directories), 0) + bytes(112) + directories
    row = struct.pack("<8s4I16x", b".rdata", len(section), 0x1000, len(section), len(header) + 40)
    return header + row + bytes(section)


def check(work, system, data, code, *texts):
    file = work / "command"
    file.write_bytes(data)
    done = subprocess.run([sys.executable, ROOT / "packaging" / "read-command", system, file], capture_output=True, text=True)
    output = done.stdout + done.stderr
    assert done.returncode == code and all(text in output for text in texts), (system, texts, done.returncode, output)


def main():
    system, libc = "/usr/lib/libSystem.B.dylib", "/usr/lib/libc++.1.dylib"
    command = COMMAND.read_bytes()
    machine, = struct.unpack_from("<H", command, 18)
    linux = {62: "linux-x86_64", 183: "linux-aarch64"}[machine]
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        # The command of this tree is linked to libraries of its machine.
        check(work, linux, command, 1, "it needs lib", f"which not every {linux} has")
        check(work, "windows-x86_64", command, 1, "no 64-bit program of windows-x86_64")
        libraries = command.replace(b"libstdc++.so.6", b"libm.so.6\0\0\0\0\0")
        check(work, linux, libraries, 1, "it needs lib")
        check(work, linux, command[:200], 1)

        check(work, "macos-arm64", macho(ARM64, system, libc), 0, "macOS 11.0, signed; needs", system, libc)
        check(work, "macos-x86_64", macho(X86_64, system, version=(10, 15), signed=False), 0, "macOS 10.15; needs")
        check(work, "macos-arm64", macho(ARM64, system, signed=False), 1, "no signature")
        check(work, "macos-arm64", macho(ARM64, system, version=(13, 0)), 1, "13.0, the wheel's is 11.0")
        check(work, "macos-arm64", macho(ARM64, system, version=None), 1, "not named")
        check(work, "macos-arm64", macho(X86_64, system), 1, "another processor")
        check(work, "macos-arm64", macho(ARM64), 1, "names no library")
        for weak in (False, True):
            check(work, "macos-arm64", macho(ARM64, system, "@rpath/libzstd.1.dylib", weak=weak), 1, "it needs @rpath/libzstd.1.dylib")

        check(work, "windows-x86_64", pe(0x8664, "KERNEL32.dll", "api-ms-win-crt-heap-l1-1-0.dll"), 0, "needs KERNEL32.dll")
        check(work, "windows-x86_64", pe(0x8664, "KERNEL32.dll", "libwinpthread-1.dll"), 1, "it needs libwinpthread-1.dll")
        check(work, "windows-x86_64", pe(0x8664, "KERNEL32.dll", delayed=("zstd.dll",)), 1, "it needs zstd.dll")
        check(work, "windows-x86_64", pe(0x14C, "KERNEL32.dll"), 1, "another processor")
        check(work, "windows-x86_64", pe(0x8664), 1, "names no library")
        check(work, "windows-x86_64", pe(0x8664, "KERNEL32.dll")[:300], 1)
        check(work, "solaris", b"", 2, "name one of")


main()
