// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <windows.h>

#include <archgrid/system/temporary_folder.hpp>
#include <stdexcept>
#include <system_error>

namespace archgrid::system {

TemporaryFolder::TemporaryFolder() {
  constexpr int kAttempts = 1000;
  const auto parent = std::filesystem::temp_directory_path();
  std::error_code error;
  for (int number = 0; number < kAttempts; ++number) {
    path_ = parent / fmt::format("archgrid-{}-{}", GetCurrentProcessId(), number);
    if (std::filesystem::create_directory(path_, error)) return;
    if (error) break;
  }
  throw std::runtime_error(fmt::format("cannot make {}: {}", path_.string(), error.message()));
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace archgrid::system
