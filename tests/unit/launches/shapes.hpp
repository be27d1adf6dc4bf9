// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_TESTS_SHAPES_HPP
#define ARCHGRID_TESTS_SHAPES_HPP

#include <archgrid/launches.hpp>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "contents.hpp"

namespace archgrid::tests {

constexpr launches::Gpu kOld{7, 0};  ///< fails in most shapes
constexpr launches::Gpu kNew{8, 6};

/// Returns the names of the compilers that made libraries of each shape.
inline std::vector<std::string> compilers() {
  std::vector<std::string> names;
  std::istringstream list(ARCHGRID_COMPILERS);
  for (std::string name; std::getline(list, name, ' ');) names.push_back(name);
  return names;
}

/// Returns the names of all shapes.
inline std::vector<std::string> shapes(const std::string& compiler) {
  std::vector<std::string> names;
  const auto folder = std::filesystem::path(ARCHGRID_SHAPES) / compiler;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".so") names.push_back(entry.path().stem().string());
  }
  return names;
}

/// Returns the bytes of the library of a shape.
inline std::string shape(const std::string& compiler, const std::string& name) {
  return contents_of(std::string(ARCHGRID_SHAPES) + '/' + compiler + '/' + name + ".so");
}

}  // namespace archgrid::tests

#endif
