# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the archgrid command: python -m archgrid."""

import os
import subprocess
import sys

from archgrid import command

program = command()
if os.name == "nt":
    # execv() of Windows ends this process before the command ends.
    sys.exit(subprocess.run([program, *sys.argv[1:]]).returncode)
os.execv(program, [program, *sys.argv[1:]])
