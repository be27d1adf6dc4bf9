# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
"""The GPU of this machine, for benchmarks that compare with it."""
import shutil
import subprocess
import sys

# The environment in which a program uses the GPU that the_gpu() describes: nvidia-smi lists GPUs by their place on the
# bus, and ignores CUDA's variables.
FIRST_GPU = {'CUDA_DEVICE_ORDER': 'PCI_BUS_ID', 'CUDA_VISIBLE_DEVICES': '0'}


def stop(text):
    """Ends the program with exit code 2, an invalid command or machine. 1 is for differences."""
    print(text.strip(), file=sys.stderr)
    sys.exit(2)


def the_gpu():
    """Name, compute capability and driver of the first GPU; None without one. Stops for a driver that does not work."""
    if shutil.which('nvidia-smi') is None:
        return None
    query = subprocess.run(['nvidia-smi', '--query-gpu=name,compute_cap,driver_version', '--format=csv,noheader'],
                           capture_output=True, text=True, check=False)
    text = query.stdout.strip()
    if text == 'No devices were found' or (not text and query.returncode == 0):
        return None
    if query.returncode:
        stop(f'nvidia-smi failed with exit code {query.returncode}:\n{query.stdout}{query.stderr}')
    return [field.strip() for field in text.splitlines()[0].split(',')]
