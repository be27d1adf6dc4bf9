# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
"""The archgrid command and its CMake modules, as installed by pip."""

import pathlib


def _installed(*paths):
    """Returns the file at one of `paths` below the closest prefix: the folder of a virtual environment, say.

    pip's own records name other folders after `pip install --target`.
    """
    # Before Python 3.10, `parents` takes no slices.
    for prefix in list(pathlib.Path(__file__).resolve().parents)[1:]:
        for path in paths:
            if (prefix / path).is_file():
                return prefix / path
    raise FileNotFoundError(f"archgrid was installed without {paths[0]}: install it again")


def command():
    """Returns the path of the archgrid command."""
    return str(_installed("bin/archgrid", "Scripts/archgrid.exe", "bin/archgrid.exe"))


def cmake_dir():
    """Returns the folder of ArchGridConfig.cmake, for ArchGrid_DIR."""
    return str(_installed("lib/cmake/ArchGrid/ArchGridConfig.cmake").parent)


def __getattr__(name):
    if name == "__version__":
        import importlib.metadata

        return importlib.metadata.version("archgrid")
    raise AttributeError(f"module 'archgrid' has no attribute {name!r}")
