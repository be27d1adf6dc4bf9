// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_TESTS_UNIT_SYSTEM_FOLDER_HPP
#define ARCHGRID_TESTS_UNIT_SYSTEM_FOLDER_HPP

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace archgrid::system {

/// Returns a new, empty folder for the running test.
inline std::filesystem::path new_folder() {
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  const auto path = std::filesystem::path(::testing::TempDir()) /
                    (std::string("system-") + test->test_suite_name() + test->name());
  std::filesystem::remove_all(path);
  std::filesystem::create_directories(path);
  return path;
}

inline void write(const std::filesystem::path& path, const std::string& text = "x") {
  std::ofstream(path) << text;
}

}  // namespace archgrid::system

#endif
