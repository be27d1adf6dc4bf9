// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_REPORT_LIST_SHARED_HPP
#define ARCHGRID_REPORT_LIST_SHARED_HPP

#include <archgrid/report/list.hpp>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace archgrid::report {

/// Sizes of several images.
struct Bytes {
  std::size_t images = 0;
  std::uint64_t stored = 0;  ///< in the file
  std::uint64_t bytes = 0;   ///< decompressed
};

/// The kind and arch (number, suffix) of images, as a sort key.
using ArchKey = std::tuple<fatbin::Kind, int, char>;
ArchKey key_of(const fatbin::Image& image);

using BytesByArch = std::map<ArchKey, Bytes>;

/// Totals of several files.
struct Counts {
  std::size_t files = 0;  ///< with images
  std::size_t images = 0;
  std::size_t kernels = 0;  ///< counted in each file that contains them
  std::size_t names = 0;    ///< kernels with different names
  std::uint64_t stored = 0;
  std::uint64_t bytes = 0;
  std::size_t errors = 0;  ///< of files, and of images that could not be read
};

Counts counts_of(const std::vector<fatbin::File>& files);

BytesByArch bytes_by_arch(const std::vector<fatbin::File>& files);

/// Returns "90a".
std::string arch_of(const ArchKey& key);

const char* name_of(fatbin::Body body);

/// The signs that replace a number in tables.
using Signs = std::set<std::string>;

/// Returns a table of the kernels in images, one row per kernel and arch. Adds signs to `signs`.
std::string kernels_text(const std::vector<const fatbin::Image*>& images,
                         const ListRequest& request, std::size_t indent, Signs& signs, Style style);

/// Returns the sizes of all files: by arch, by kernel, and by library if there are several.
std::string sizes_text(const std::vector<fatbin::File>& files, const ListRequest& request,
                       Style style);

}  // namespace archgrid::report

#endif
