// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists the contents of files: images, kernels and sizes.
#ifndef ARCHGRID_REPORT_LIST_HPP
#define ARCHGRID_REPORT_LIST_HPP

#include <archgrid/report.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace archgrid::report {

/// Images for an arch, of one kind or of all.
struct WantedArch {
  std::string arch;  ///< "90a"; "90" is not "90a"
  std::optional<fatbin::Kind> kind;
};

/// A selection of images and kernels to show. An empty member selects all.
struct ListFilter {
  std::vector<WantedArch> archs;
  std::vector<fatbin::Kind> kinds;
  std::string kernel;  ///< a pattern for coverage::matches_kernel, with * and ?

  [[nodiscard]] bool passes_all() const;
};

/// Returns the archs of the images by kind: "sass 75, 80; ptx 90"; empty if there are none.
std::string archs_text(const std::vector<fatbin::File>& files);

/// Removes images and kernels that the filter does not select, and with a kernel pattern also
/// images without a matching kernel. Modules stay, because images refer to them by index.
void apply(const ListFilter& filter, std::vector<fatbin::File>& files);

/// Counts the kernels of the files with names that match a pattern, up to `most`.
std::size_t count_matches(const std::string& pattern, const std::vector<fatbin::File>& files,
                          std::size_t most);

enum class ListOrder { name, registers, stack, shared, code, spills, size };

/// A request without any of the three views shows an overview, with every kernel if there are few.
struct ListRequest {
  bool images = false;   ///< every image
  bool kernels = false;  ///< every kernel
  bool sizes = false;    ///< bytes by arch, kernel and library
  ListFilter filter;     ///< already applied to `files`
  std::string there;     ///< archs_text() of the files before filtering
  std::optional<ListOrder> order;
  std::optional<std::size_t> top;  ///< rows per table: the largest, unless by name
  std::size_t columns =
      std::string::npos;  ///< to which names of kernels are shortened, and sentences wrapped
};

/// Returns text for people. Omits files that could not be read at all; their errors say why.
std::string list_text(const std::vector<fatbin::File>& files, const ListRequest& request,
                      Style style);

/// Writes one line per kernel: its mangled name, and "sm_80" or "compute_90" for each image with
/// it. Needs only fatbin::Detail::names, which leaves PTX beside machine code unread.
void list_names(const std::vector<fatbin::File>& files, const Sink& sink);

/// Writes one line per kernel and arch: Kernel::identity, "?" if unknown, the arch, and the mangled
/// name without what differs between builds. Sorted by name.
void list_identities(const std::vector<fatbin::File>& files, const Sink& sink);

/// Writes archgrid.list/1 in pieces, as a library's kernels take many megabytes. Keeps the order of
/// the files, and uses only the filter of the request.
void list_json(const std::vector<fatbin::File>& files, const ListRequest& request,
               const Sink& sink);

}  // namespace archgrid::report

#endif
