# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
"""Builds an extension with nvcc, as setups that use PyTorch's extension builder do: for the archs in
TORCH_CUDA_ARCH_LIST."""
import os
import subprocess

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext


def gencode_flags():
    for item in os.environ['TORCH_CUDA_ARCH_LIST'].split():
        number = item.replace('+PTX', '').replace('.', '')
        yield f'-gencode=arch=compute_{number},code=sm_{number}'
        if item.endswith('+PTX'):
            yield f'-gencode=arch=compute_{number},code=compute_{number}'


class BuildWithNvcc(build_ext):
    def build_extension(self, ext):
        library = self.get_ext_fullpath(ext.name)
        os.makedirs(os.path.dirname(library), exist_ok=True)
        nvcc = os.path.join(os.environ['CUDA_HOME'], 'bin', 'nvcc')
        subprocess.check_call([nvcc, *gencode_flags(), '-shared', '-Xcompiler', '-fPIC', *ext.sources, '-o', library])


setup(name='scale', version='1.0', packages=[], ext_modules=[Extension('scale', ['src/scale kernel.cu'])],
      cmdclass={'build_ext': BuildWithNvcc})
