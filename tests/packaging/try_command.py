# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
"""try_command.py ROOT COMMAND: packaging/try-command accepts a wheel of the command, and refuses planted faults."""

import pathlib
import subprocess
import sys
import tempfile
import zipfile

ROOT, COMMAND = map(pathlib.Path, sys.argv[1:])


def make_wheel(folder, command, packages=True):
    """Writes a wheel with the parts that are tried."""
    wheel = folder / "archgrid-7.8.9-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        def add(name, text):
            archive.writestr(name, text)
            record.append(f"{name},,")

        record = []
        if packages:
            for path in sorted((ROOT / "packaging" / "python" / "archgrid").rglob("*.py")):
                add(f"archgrid/{path.name}", path.read_text())
        add("archgrid-7.8.9.dist-info/METADATA", "Metadata-Version: 2.1\nName: archgrid\nVersion: 7.8.9\n")
        add("archgrid-7.8.9.dist-info/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: false\nTag: py3-none-any\n")
        entry = zipfile.ZipInfo("archgrid-7.8.9.data/scripts/archgrid")
        entry.external_attr = 0o100755 << 16
        archive.writestr(entry, command)
        record.append(f"{entry.filename},,")
        add("archgrid-7.8.9.data/data/lib/cmake/ArchGrid/ArchGridConfig.cmake", "")
        archive.writestr("archgrid-7.8.9.dist-info/RECORD", "\n".join(record + ["archgrid-7.8.9.dist-info/RECORD,,", ""]))
    return wheel


def check(code, text, *arguments):
    done = subprocess.run([sys.executable, ROOT / "packaging" / "try-command", *arguments], capture_output=True, text=True)
    output = done.stdout + done.stderr
    assert done.returncode == code and text in output, (arguments, text, done.returncode, output)


def main():
    version = subprocess.run([COMMAND, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    check(0, "", "--installed", version, COMMAND)
    check(1, "ended with", "--installed", version, "/bin/false")
    check(1, f'the command calls itself "archgrid {version}", not "archgrid 0.0.1"', "--installed", "0.0.1", COMMAND)
    check(1, "does not run", "--installed", version, "/no/such/command")
    check(2, "name one wheel", "one.whl", "two.whl")
    check(2, "does not exist", "/no/such.whl")
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        # A command that differs from the real one in one answer.
        for planted, text in (("*'--accept native'*) exit 0 ;;", "ended with 0 instead of 1"),
                              ("*'--accept jit'*) exit 1 ;;", "ended with 1 instead of 0"),
                              ("*'--accept native'*) exit 1 ;;", "does not say why"),
                              ("*absent*) exit 139 ;;", "ended with 139 instead of 2")):
            script = work / "planted"
            script.write_text(f'#!/bin/sh\ncase "$*" in\n{planted}\nesac\nexec "{COMMAND}" "$@"\n')
            script.chmod(0o755)
            check(1, text, "--installed", version, script)
        # pip installs it, from the folder; its own modules are found.
        script = ('#!/bin/sh\ncase $1 in\n--version) echo archgrid 7.8.9 ;;\n'
                  'cmake-dir) cd "${0%/*}/../lib/cmake/ArchGrid" && pwd ;;\n'
                  f'*) exec "{COMMAND}" "$@" ;;\nesac\n')
        wheel = make_wheel(work, script)
        check(0, "archgrid 7.8.9 runs: ", work)
        make_wheel(work, script.replace('"${0%/*}/../lib/cmake/ArchGrid"', "/"))
        check(1, "archgrid cmake-dir prints /, the Python package ", wheel)


main()
