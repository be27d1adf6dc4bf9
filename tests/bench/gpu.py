# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
"""The GPU of this machine, for benchmarks that compare with it."""
import shutil
import subprocess


def the_gpu():
    """Name, compute capability and driver of the first GPU; None without one."""
    if shutil.which('nvidia-smi') is None:
        return None
    query = subprocess.run(['nvidia-smi', '--query-gpu=name,compute_cap,driver_version', '--format=csv,noheader'],
                           capture_output=True, text=True, check=False)
    if query.returncode or not query.stdout.strip():
        return None
    return [field.strip() for field in query.stdout.splitlines()[0].split(',')]
