#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
"""lint_workflows.py ROOT FOLDER: packaging/lint-workflows finds nothing in .github, and finds planted faults.

Works in the fresh FOLDER; exit status 77, with the reason, where its packages cannot be had.
"""
import os
import pathlib
import shutil
import subprocess
import sys

ROOT, FOLDER = map(pathlib.Path, sys.argv[1:])
OFFLINE = {"PIP_RETRIES": "1", "PIP_DEFAULT_TIMEOUT": "15"}  # a machine without network finds out soon
FAULTS = (  # file, text, what replaces it, what a linter says
    ("workflows/matrix.yml", "    needs: plan\n", "    need: plan\n", "Additional properties are not allowed ('need' was unexpected)"),
    ("workflows/matrix.yml", "          persist-credentials: false\n", "", "artipacked"),
    ("workflows/matrix.yml", "        run: cmake -P archgrid/.github/matrix/plan.cmake\n",
     "        run: cmake ${{ github.event.pull_request.title }}\n", "template-injection"),
    ("workflows/matrix.yml", "actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683", "actions/checkout@v4", "unpinned-uses"),
    ("workflows/release.yml", "permissions:\n  contents: read\n", "permissions: write-all\n", "excessive-permissions"),
    ("workflows/gpu.yml", "  workflow_dispatch:\n", "  pull_request_target:\n  workflow_dispatch:\n", "dangerous-triggers"),
    ("actions/audit/action.yml", "  using: composite\n", "  using: shell\n", "'shell'"),
    ("actions/audit/action.yml", "      run: '\"$GITHUB_ACTION_PATH/audit.sh\"'\n", "      run: archgrid audit ${{ inputs.files }}\n",
     "template-injection"),
)


def lint(*arguments):
    run = subprocess.run([ROOT / "packaging" / "lint-workflows", *arguments], env={**os.environ, **OFFLINE},
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if run.returncode == 3:
        reason = run.stdout.strip().splitlines()[-1].removeprefix("lint-workflows: ")
        print(f"archgrid: skipped: no-linters: {reason}")
        sys.exit(77)
    return run.returncode, run.stdout


def expect(condition, what):
    if not condition:
        sys.exit(f"expected {what}")


code, output = lint()
expect(code == 0, f"no findings in .github\n{output}")
for number, (name, text, fault, message) in enumerate(FAULTS):
    folder = FOLDER / str(number)
    shutil.copytree(ROOT / ".github", folder / ".github")
    path = folder / ".github" / name
    good = path.read_text()
    expect(text in good, f"\"{text}\" in {name}")
    path.write_text(good.replace(text, fault, 1))
    code, output = lint(folder)
    expect(code == 1 and message in output, f"\"{message}\" about {name} with \"{fault}\"\n{output}")
for arguments, message in ((("--wrong",), "unknown option"), ((FOLDER / "0" / ".github",), "no workflow in"), (("a", "b"), "name one folder")):
    code, output = lint(*arguments)
    expect(code == 2 and message in output, f"\"{message}\"\n{output}")
