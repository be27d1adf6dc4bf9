// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <archgrid/report/list.hpp>
#include <set>
#include <string_view>
#include <tuple>

#include "list_shared.hpp"

namespace archgrid::report {

void list_identities(const std::vector<fatbin::File>& files, const Sink& sink) {
  // Name, arch, whether it is PTX, suffix, identity. The image of a device link repeats its parts.
  using Row = std::tuple<std::string_view, int, bool, char, std::string_view>;
  for (const auto& file : files) {
    std::set<Row> rows;
    for (const auto& image : file.images) {
      const bool is_ptx = image.kind == fatbin::Kind::ptx;
      for (const auto& kernel : image.kernels) {
        rows.emplace(kernel.name, image.arch.number, is_ptx, image.arch.suffix, kernel.identity);
      }
    }
    std::string lines;
    for (const auto& [name, number, is_ptx, suffix, identity] : rows) {
      lines += fmt::format("{:<32}  {}{}  {}\n", identity.empty() ? "?" : identity,
                           is_ptx ? "compute_" : "sm_", fatbin::Arch{number, suffix}.text(),
                           fatbin::printable(fatbin::without_build(name)));
    }
    sink(lines);
  }
}

}  // namespace archgrid::report
