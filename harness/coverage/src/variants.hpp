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
#include "promise_evaluator.hpp"

namespace archgrid::coverage {

/// Reports whether builds may make one file like `file` for each architecture: an image that host
/// code loads (a cubin, PTX, or a fat binary with nothing else), or a library.
bool may_be_variant(const fatbin::File& file);

/// Sets of files in one cell from which host code loads one. The paths of a set differ in endings
/// and in words for archs that each file serves (`sm80/a.cubin`, `sm90/a.cubin`; `ampere.cubin`,
/// `hopper.ptx`), or the files are in one folder, have the same kernels, and one has such a word
/// (`a.ptx`, `a_sm90.cubin`). A kernel of the same name in any other file is another kernel. A
/// library linked to another file is loaded on every GPU, unless that file is in a set itself.
class Variants {
 public:
  /// Keeps references to all arguments. The files have no rows yet.
  Variants(const std::vector<FileAudit>& files,
           const std::vector<std::unique_ptr<ImageSelector>>& selectors,
           const std::vector<Promise>& promises);

  /// Returns the GPU that the name of file number `index` promises but its code does not serve, if
  /// another file beside it has the same name with an arch that it serves.
  std::optional<ComputeCapability> misnamed_for(std::size_t index);

  /// Drops breaches from `judged`, which is of file number `index`, if another file serves them as
  /// promised. Returns the facts for the note, or none if nothing was dropped.
  Facts settle(std::size_t index, const std::vector<ComputeCapability>& devices, Judged& judged);

 private:
  struct Place {
    std::size_t file;
    const KernelRow* row;
  };

  void find_places();
  void find_paths();
  /// Reports whether another path differs from that of file number `index` only in archs.
  [[nodiscard]] bool has_siblings(std::size_t index) const;
  /// Reports whether the system loads library number `index` together with another file.
  bool is_linked(std::size_t index);
  [[nodiscard]] bool is_one_set(std::size_t one, std::size_t other) const;
  /// Returns a file of the set of number `index` that serves the kernel with a verdict that every
  /// promise accepts.
  const Place* find_server(std::size_t index, const KernelRow& row, ComputeCapability device);

  const std::vector<FileAudit>& files_;
  const std::vector<std::unique_ptr<ImageSelector>>& selectors_;
  const std::vector<Promise>& promises_;
  std::map<std::string, std::vector<Place>> places_;  ///< by kernel
  std::vector<std::optional<ArchPath>> paths_;        ///< by file, if it may be in a set
  std::map<std::size_t, bool> linked_;                ///< by file; cache of is_linked()
};

}  // namespace archgrid::coverage

#endif
