// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// which_gpus FILE: prints the GPUs on which each kernel of a file runs without JIT compilation.
// Shows how to use archgrid's reader and its verdicts in another program.
#include <archgrid/coverage.hpp>
#include <archgrid/fatbin.hpp>
#include <iostream>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: which_gpus FILE\n";
    return 2;
  }
  using namespace archgrid;
  const auto file = fatbin::read(argv[1], fatbin::Detail::bodies);
  for (const auto& error : file.errors) {
    std::cerr << coverage::error_text(file.path, error) << '\n';
  }
  const coverage::ImageSelector selector(file);
  for (const auto& kernel : selector.kernels()) {
    std::cout << kernel.demangled << ':';
    for (const auto& architecture : coverage::table().architectures) {
      const auto verdict = selector.verdict(kernel, architecture.device, nullptr);
      const bool runs = coverage::default_verdicts().count(verdict) != 0;
      if (runs) std::cout << ' ' << architecture.device.text();
    }
    std::cout << '\n';
  }
  return file.errors.empty() ? 0 : 2;
}
