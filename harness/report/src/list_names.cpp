// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <archgrid/list.hpp>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace archgrid::report {
namespace {

/// By number, machine code before PTX.
using Arch = std::tuple<int, bool, std::string>;

Arch arch_of(const fatbin::Image& image) {
  const bool is_ptx = image.kind == fatbin::Kind::ptx;
  return {image.arch.number, is_ptx, (is_ptx ? "compute_" : "sm_") + image.arch.text()};
}

/// The kernels of a file by name, each with what it was compiled for. Names are long and begin
/// alike, so that to compare them takes longer than to hash them.
class Names {
 public:
  explicit Names(const fatbin::File& file) {
    for (const auto& image : file.images) {
      const auto* arch = &*archs_.insert(arch_of(image)).first;
      for (const auto& kernel : image.kernels) archs_of_[kernel.name].push_back(arch);
    }
    for (const auto& [name, archs] : archs_of_) names_.push_back(name);
    std::sort(names_.begin(), names_.end());
  }

  void write(const Sink& sink) {
    std::string line;
    for (const auto name : names_) {
      line = fatbin::printable(std::string(name));
      auto& archs = archs_of_[name];
      std::sort(archs.begin(), archs.end(),
                [](const Arch* left, const Arch* right) { return *left < *right; });
      archs.erase(std::unique(archs.begin(), archs.end()), archs.end());
      for (const auto* arch : archs) line += ' ' + std::get<std::string>(*arch);
      sink(line + '\n');
    }
  }

 private:
  std::set<Arch> archs_;
  std::unordered_map<std::string_view, std::vector<const Arch*>> archs_of_;
  std::vector<std::string_view> names_;
};

}  // namespace

void list_names(const std::vector<fatbin::File>& files, const Sink& sink) {
  for (const auto& file : files) {
    if (files.size() > 1) sink(fatbin::printable(file.path) + ":\n");
    Names(file).write(sink);
  }
}

}  // namespace archgrid::report
