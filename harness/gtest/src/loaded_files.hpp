// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The files whose device code this process may launch.
#ifndef ARCHGRID_GTEST_LOADED_FILES_HPP
#define ARCHGRID_GTEST_LOADED_FILES_HPP

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace archgrid::gtest {

struct LoadedFiles {
  std::vector<std::string> judged;     ///< the executable and the shared objects of the project
  std::size_t left_out = 0;            ///< shared objects of NVIDIA, which promised nothing here
  std::vector<std::string> launching;  ///< those of them that launch kernels of their own
  std::size_t vanished = 0;            ///< that were loaded, and are gone again
};

/// Looks again and again at what this process has loaded.
class LoadedFilesWatch {
 public:
  /// What was loaded since the last call; at the first one all that is, the executable first.
  LoadedFiles fresh();

 private:
  std::size_t loads_ = 0;
  std::size_t unloads_ = 0;
  std::set<std::string> seen_;
};

/// Whether a shared object is part of a CUDA toolkit: by its own name, or by its place below a
/// toolkit's folder. Links are followed.
bool is_of_nvidia(const std::string& library);

}  // namespace archgrid::gtest

#endif
