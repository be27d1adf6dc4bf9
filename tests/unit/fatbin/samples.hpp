// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_TESTS_SAMPLES_HPP
#define ARCHGRID_TESTS_SAMPLES_HPP

#include <archgrid/fatbin.hpp>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "contents.hpp"
#include "paths.hpp"

namespace archgrid::tests {

inline std::vector<std::string> split_by_comma(const std::string& text) {
  std::vector<std::string> result;
  std::istringstream list(text);
  for (std::string part; std::getline(list, part, ',');) result.push_back(part);
  return result;
}

/// Returns the toolkits whose samples were built.
inline std::vector<std::string> toolkits() {
  return split_by_comma(ARCHGRID_SAMPLE_TOOLKITS);
}

/// Returns the toolkits for which Windows files were built, too.
inline std::vector<std::string> windows_toolkits() {
  return split_by_comma(ARCHGRID_WINDOWS_TOOLKITS);
}

inline bool is_13(const std::string& toolkit) {
  return toolkit.rfind("13.", 0) == 0;
}

inline std::string sample_path(const std::string& toolkit, const std::string& name) {
  return std::string(tests::kSamples) + "/" + toolkit + "/" + name;
}

/// Returns the archs of the images of one kind, in order: "75 60 80 80".
inline std::string archs(const fatbin::File& file, fatbin::Kind kind) {
  std::string text;
  for (const auto& image : file.images) {
    if (image.kind == kind) text += (text.empty() ? "" : " ") + image.arch.text();
  }
  return text;
}

/// Returns all errors of the file and its images; "" if there are none.
inline std::string complaints(const fatbin::File& file) {
  std::string text;
  for (const auto& error : file.errors) text += error.message + "; ";
  for (const auto& image : file.images) text += image.error;
  return text;
}

}  // namespace archgrid::tests

#endif
