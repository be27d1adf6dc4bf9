// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_COVERAGE_VARIANTS_HPP
#define ARCHGRID_COVERAGE_VARIANTS_HPP

#include <archgrid/coverage/audit.hpp>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "arch_path.hpp"
#include "judge.hpp"

namespace archgrid::coverage {

/// Reports whether `file` is of those that builds make one for each architecture: one image that
/// host code loads (a cubin, PTX, or a fat binary with nothing else), or a library.
bool may_be_variant(const fatbin::File& file);

/// The files of one cell, of which host code picks the one to load: those whose paths differ in
/// endings and in words for archs that each of them serves (`sm80/a.cubin`, `sm90/a.cubin`;
/// `ampere.cubin`, `hopper.ptx`), and those of one folder with the same kernels of which one has
/// such a word (`a.ptx`, `a_sm90.cubin`). Another file with a kernel of that name is another
/// kernel. A library that another file is linked with is loaded whatever the GPU is, unless that
/// file is one of a set itself.
class Variants {
 public:
  /// Keeps references to all three. The files have no rows yet.
  Variants(const std::vector<FileAudit>& files,
           const std::vector<std::unique_ptr<Coverage>>& coverages,
           const std::vector<Promise>& promises);

  /// Returns the GPU that the name of file number `index` promises and its code does not serve:
  /// where another file stands beside it, named in the same way by an arch that it serves.
  std::optional<Device> misnamed_for(std::size_t index);

  /// Drops from `judged`, which is of file number `index`, what another file serves as promised.
  /// Returns the facts of the remark about that; none where nothing was dropped.
  Facts settle(std::size_t index, const std::vector<Device>& devices, Judged& judged);

 private:
  struct Place {
    std::size_t file;
    const KernelRow* row;
  };

  void find_places();
  void find_paths();
  /// Reports whether another path differs from that of file number `index` by archs alone.
  [[nodiscard]] bool has_siblings(std::size_t index) const;
  /// Reports whether the system loads the library number `index` with another file.
  bool is_linked(std::size_t index);
  [[nodiscard]] bool is_one_set(std::size_t one, std::size_t other) const;
  /// A file of the set of number `index` that serves the kernel as every promise accepts.
  const Place* find_server(std::size_t index, const KernelRow& row, Device device);

  const std::vector<FileAudit>& files_;
  const std::vector<std::unique_ptr<Coverage>>& coverages_;
  const std::vector<Promise>& promises_;
  std::map<std::string, std::vector<Place>> places_;  ///< by kernel
  std::vector<std::optional<ArchPath>> paths_;        ///< by file; of those that may be picked
  std::map<std::size_t, bool> linked_;                ///< by file, as far as is_linked() was asked
};

}  // namespace archgrid::coverage

#endif
