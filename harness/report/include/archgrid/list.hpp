// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// What is inside files: their images, their kernels and where their bytes go.
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

/// Which images and kernels are shown. A part that is empty lets all of them pass.
struct ListFilter {
  std::vector<WantedArch> archs;
  std::vector<fatbin::Kind> kinds;
  std::string kernel;  ///< a pattern with * and ?, as coverage::matches_kernel takes it

  [[nodiscard]] bool passes_all() const;
};

/// The archs of the images, by kind: "sass 75, 80; ptx 90"; empty where there are none.
std::string archs_text(const std::vector<fatbin::File>& files);

/// Takes out of the files the images and kernels that do not pass, and with a pattern for kernels
/// the images that hold none of them. Modules stay, as images name them by index.
void apply(const ListFilter& filter, std::vector<fatbin::File>& files);

/// How many kernels of the files a pattern matches, by name; at most `most` are counted.
std::size_t count_matches(const std::string& pattern, const std::vector<fatbin::File>& files,
                          std::size_t most);

enum class ListOrder { name, registers, stack, shared, code, spills, size };

/// Without any of the three views: an overview, with every kernel where there are few.
struct ListRequest {
  bool images = false;   ///< every image
  bool kernels = false;  ///< every kernel
  bool sizes = false;    ///< bytes by arch, kernel and library
  ListFilter filter;     ///< what `files` were filtered by
  std::string there;     ///< archs_text() of the files before that
  std::optional<ListOrder> order;
  std::optional<std::size_t> top;  ///< that many of each table: the largest, unless by name
};

/// For people. Files that could not be read at all are left out: their errors say why.
std::string list_text(const std::vector<fatbin::File>& files, const ListRequest& request,
                      Style style);

/// A line for each kernel: its mangled name, and "sm_80" or "compute_90" for each image that holds
/// it. Needs no more than fatbin::Detail::names, which leaves PTX beside machine code unread.
void list_names(const std::vector<fatbin::File>& files, const Sink& sink);

/// archgrid.list/1, in pieces: a library's kernels take many megabytes. The order is that of the
/// files; of the request only the filter counts.
void list_json(const std::vector<fatbin::File>& files, const ListRequest& request,
               const Sink& sink);

}  // namespace archgrid::report

#endif
