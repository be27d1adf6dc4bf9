// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <archgrid/list.hpp>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

namespace archgrid::report {
namespace {

/// By number, machine code before PTX.
using Archs = std::set<std::tuple<int, bool, std::string>>;

void write_file(const fatbin::File& file, const Sink& sink) {
  std::map<std::string_view, Archs> kernels;
  for (const auto& image : file.images) {
    const bool is_ptx = image.kind == fatbin::Kind::ptx;
    const auto arch = (is_ptx ? "compute_" : "sm_") + image.arch.text();
    for (const auto& kernel : image.kernels) {
      kernels[kernel.name].insert({image.arch.number, is_ptx, arch});
    }
  }
  std::string line;
  for (const auto& [name, archs] : kernels) {
    line = fatbin::printable(std::string(name));
    for (const auto& [number, is_ptx, arch] : archs) line += ' ' + arch;
    sink(line + '\n');
  }
}

}  // namespace

void list_names(const std::vector<fatbin::File>& files, const Sink& sink) {
  for (const auto& file : files) {
    if (files.size() > 1) sink(fatbin::printable(file.path) + ":\n");
    write_file(file, sink);
  }
}

}  // namespace archgrid::report
