// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Cells and units for tests of the checks of a cell.
#ifndef ARCHGRID_TESTS_CELLS_HPP
#define ARCHGRID_TESTS_CELLS_HPP

#include <gtest/gtest.h>

#include <archgrid/cell.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "paths.hpp"

namespace archgrid::tests {

namespace fs = std::filesystem;

inline cell::Spec spec(const std::string& toolkit, const std::vector<std::string>& archs) {
  cell::Spec made;
  made.toolkit = *coverage::parse_version(toolkit);
  for (const auto& text : archs) made.archs.push_back(*cell::parse_asked(text));
  return made;
}

/// Makes a unit with code for `archs`, spelled as cell archs: "80", "80-real", "80-virtual".
inline cell::Unit unit(const std::string& target, const std::vector<std::string>& archs) {
  cell::Unit made;
  made.output = "CMakeFiles/" + target + ".dir/x.cu.o";
  made.target = target;
  for (const auto& text : archs) {
    const auto asked = cell::parse_asked(text);
    if (asked->sass) made.code.push_back({fatbin::Kind::sass, asked->arch, "", "", 0});
    if (asked->ptx) made.code.push_back({fatbin::Kind::ptx, asked->arch, "", "", 0});
  }
  return made;
}

/// Returns "sass 80, ptx 80", in the unit's order.
inline std::string codes(const cell::Unit& unit) {
  std::string text;
  for (const auto& code : unit.code) {
    text += (text.empty() ? "" : ", ") + std::string(fatbin::name_of(code.kind)) + " " +
            code.arch.text();
  }
  return text;
}

inline void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

/// Copies a sample that CUDA 13.5 compiled.
inline void place(const fs::path& to, const std::string& sample) {
  fs::create_directories(to.parent_path());
  fs::copy_file(fs::path(kSamples) / "13.5" / sample, to);
}

/// Returns an empty folder for the running test.
inline fs::path folder() {
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  auto path =
      fs::path(::testing::TempDir()) / "archgrid-cell" / test->test_suite_name() / test->name();
  fs::remove_all(path);
  fs::create_directories(path);
  return fs::canonical(path);
}

}  // namespace archgrid::tests

#endif
