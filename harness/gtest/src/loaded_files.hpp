// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the files whose device code this process may launch.
#ifndef ARCHGRID_GTEST_LOADED_FILES_HPP
#define ARCHGRID_GTEST_LOADED_FILES_HPP

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace archgrid::gtest {

struct LoadedFiles {
  std::vector<std::string> judged;     ///< the executable and the shared objects of the project
  std::size_t left_out = 0;            ///< shared objects of NVIDIA, for which nothing is promised
  std::vector<std::string> launching;  ///< NVIDIA's shared objects that launch kernels of their own
  std::size_t vanished = 0;            ///< objects that were loaded and are already unloaded
};

/// Repeatedly lists the objects that this process has loaded.
class LoadedFilesWatch {
 public:
  /// Returns the files loaded since the last call. The first call returns all loaded files, the
  /// executable first.
  LoadedFiles fresh();

 private:
  std::size_t loads_ = 0;
  std::size_t unloads_ = 0;
  std::set<std::string> seen_;
};

/// Reports whether a shared object is part of a CUDA toolkit, by its own name or by its place below
/// a toolkit's folder. Follows links.
bool is_of_nvidia(const std::string& library);

}  // namespace archgrid::gtest

#endif
