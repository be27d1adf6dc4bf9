// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Audits files without a promise, and writes causes in one line each.
#ifndef ARCHGRID_TESTS_PACKAGES_HPP
#define ARCHGRID_TESTS_PACKAGES_HPP

#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

#include "requests.hpp"

namespace archgrid::tests {

inline coverage::Request like_others() {
  coverage::Request wanted;
  wanted.accept_without_promise = coverage::default_verdicts();
  return wanted;
}

inline std::string text_of(const std::vector<coverage::ComputeCapability>& devices) {
  std::string text;
  for (const auto device : devices) text += (text.empty() ? "" : " ") + device.text();
  return text;
}

/// Returns "unit-lacks-arch by unit: 2 on 7.5"; the code of a finding about no kernel.
inline std::string text_of(const coverage::Finding& finding) {
  if (!finding.cause) return finding.code;
  return finding.code + " by " + coverage::name_of(finding.cause->rule) + ": " +
         std::to_string(finding.kernels) + " on " + text_of(finding.cause->devices);
}

inline std::vector<std::string> texts_of(const std::vector<coverage::Finding>& findings) {
  std::vector<std::string> texts;
  for (const auto& finding : findings) texts.push_back(text_of(finding));
  return texts;
}

inline std::vector<std::string> errors_in(const File& file) {
  return texts_of(audit_one(file, like_others()).findings);
}

inline std::vector<std::string> suspects_in(const File& file) {
  const auto result = audit_one(file, like_others());
  EXPECT_THAT(texts_of(result.findings), ::testing::IsEmpty());
  return texts_of(result.suspects);
}

/// Returns a file with three kernels for 7.5 and 8.0, and one more module with these images.
inline File file_with(std::vector<Image> images, const std::string& unit = "") {
  auto file = file_of_many(3, {sass("75"), sass("80")});
  add_module(file, std::move(images)).unit = unit;
  return file;
}

/// Returns a package with a large file for 7.5, 8.0 and 9.0, and a small one with its own kernels.
inline std::vector<File> package_with(const std::vector<Image>& images) {
  std::vector<File> files = {file_of_many(9, {sass("75"), sass("80"), sass("90")}),
                             file_of_many(2, images)};
  files[1].path = "libsmall.so";
  for (auto& image : files[1].images) image.kernels[0].name = "small_" + image.kernels[0].name;
  return files;
}

inline coverage::Audit audit_package(std::vector<File> files) {
  return coverage::audit(std::move(files), like_others());
}

}  // namespace archgrid::tests

#endif
