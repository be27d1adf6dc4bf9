// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_TESTS_CONTENTS_HPP
#define ARCHGRID_TESTS_CONTENTS_HPP

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace archgrid::tests {

/// Returns the bytes of a file, or nothing if it cannot be read. Avoids stream iterators: without
/// optimisation, as in tests, they take a second for each 30 MB.
inline std::string contents_of(const std::filesystem::path& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

}  // namespace archgrid::tests

#endif
