// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_TESTS_GTEST_FOLDERS_HPP
#define ARCHGRID_TESTS_GTEST_FOLDERS_HPP

#include <gtest/gtest.h>

#include <filesystem>

namespace archgrid::gtest {

/// Returns an empty folder for the running test.
inline std::filesystem::path empty_folder() {
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  const auto path = std::filesystem::path(::testing::TempDir()) / "archgrid-gtest" / test->name();
  std::filesystem::remove_all(path);
  std::filesystem::create_directories(path);
  return path;
}

}  // namespace archgrid::gtest

#endif
