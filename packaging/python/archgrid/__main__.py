# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the archgrid command: python -m archgrid."""

import os
import sys

from archgrid import command

program = command()
os.execv(program, [program, *sys.argv[1:]])
